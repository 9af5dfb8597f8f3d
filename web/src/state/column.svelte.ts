// Several units sent to one hex, one after the other: each on the table as it stands then, and nobody stays behind without a word.
import type { Refusal, Target, Verb, WhyNotAnswer } from '../api-types';
import type { Battle } from './battle.svelte';
import { reasonOf } from './words';

/** What the column asks of whoever sends it. */
export interface Dispatch {
  /** The verb as the rules offer it to one unit on the table as it stands. */
  look(unit: number): Promise<Verb | undefined>;
  give(target: Target): Promise<boolean>;
}

const STOPPED = 'You stopped the others.';

export class Column {
  arrived = $state(0);
  /** The other side has to decide something before the next one can go. */
  waits = $state(false);
  /** Who has not arrived. */
  left: number[];
  #stopped = false;

  constructor(
    private readonly battle: Battle, private readonly dispatch: Dispatch,
    readonly verb: Verb, readonly hex: number, readonly units: readonly number[],
  ) {
    this.left = [...units];
  }

  /** Nobody sets out any more. */
  stop(): void {
    this.#stopped = true;
    this.battle.wake();
  }

  /** Sends them all until something comes between, and tells what it was. */
  async go(): Promise<void> {
    const step = this.battle.decision?.kind;
    for (const unit of this.units) {
      const why = this.#stopped ? STOPPED : this.battle.decision?.kind !== step ? 'The step is over.' : await this.#send(unit);
      if (why) return this.#tell(why);
    }
    this.#tell('');
  }

  /** Sends one, and waits for what comes of it; what stopped it, if anything did. */
  async #send(unit: number): Promise<Refusal | string> {
    const { battle, hex } = this;
    const name = battle.piece(unit)?.title ?? 'A unit';
    const found = await this.dispatch.look(unit);
    const target = found?.targets?.find((one) => one.hex === hex);
    if (!target) return found?.refusal ?? (await this.#whyNot(unit)) ?? 'The way is closed.';
    if (!(await this.dispatch.give(target))) return battle.notice?.text ?? 'The order did not go out.';
    this.waits = true;
    await battle.ours(() => !this.#stopped);
    this.waits = false;
    const piece = battle.piece(unit);
    if (piece?.hex !== hex) return piece?.hex ? `${name} stopped in ${battle.placeName(piece.hex)}.` : `${name} was lost on the way.`;
    this.left = this.left.filter((one) => one !== unit);
    this.arrived += 1;
    return '';
  }

  async #whyNot(unit: number): Promise<Refusal | null | undefined> {
    const selection = { units: [unit] };
    const { refusal } = await this.battle.socket.ask<WhyNotAnswer>({ type: 'AskWhyNot', verb: this.verb.key, selection, target: { hex: this.hex } });
    return refusal;
  }

  #tell(why: Refusal | string): void {
    const { battle } = this;
    const absent = this.left.flatMap((id) => battle.piece(id)?.title ?? []);
    const parts = [
      `${this.arrived} of ${this.units.length} arrived in ${battle.placeName(this.hex)}.`,
      absent.length ? `Not there: ${absent.join(', ')}.` : '',
      typeof why === 'string' ? why : reasonOf(why),
    ];
    const text = parts.filter(Boolean).join(' ');
    // that all are there can be seen
    if (this.left.length) battle.note(text, typeof why === 'string' ? '' : why.rule);
    else battle.say(text);
  }
}
