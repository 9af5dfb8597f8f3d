// Stepping through what this seat has seen.
import type { LogLine, Past, Replayed, Table, ToldStep } from '../api-types';
import type { Battle } from './battle.svelte';
import { perform } from './acting';
import { beatsOf, captionOf, type Beat } from './beats';
import { fold, journeyOf, piecesById } from './told';
import { messageOf } from './words';
import { PACES, settings } from './settings.svelte';

/** Between two steps, and how long one is looked at where nothing moves. */
const BEAT = 250;
const STILL_BEAT = 900;
/** Beyond every battle: the server answers with the last step there is. */
const END = Number.MAX_SAFE_INTEGER;

export class Replay {
  on = $state(false);
  at = $state(0);
  last = $state(0);
  full = $state(false);
  playing = $state(false);
  /** Set while a view is changed: until the step is found again, `at` still counts in the other view. */
  seeking = $state(false);
  table = $state.raw<Table>();
  log = $state.raw<LogLine[]>([]);
  /** The last move of the step that is shown. */
  way = $state.raw<number[]>([]);
  /** Set while the turn of the other side is shown after a hand-over: it ends by itself where that player goes on. */
  catchUp = $state(false);
  /** Where it stops by itself, beyond every step when it plays to the end. */
  until = $state(END);
  #asked = 0;
  #jump = 0;
  #kept: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly battle: Battle) {}

  /** A side's own numbers begin at one, the orders of the whole battle at none. */
  first = $derived.by(() => (this.full ? 0 : 1));

  async start(from: number, catchUp = false): Promise<void> {
    this.on = true;
    this.battle.away = true;
    this.catchUp = catchUp;
    this.until = END;
    // once the battle is over nothing is secret any more
    this.full = this.battle.table?.outcome != null;
    this.last = this.full ? END : this.battle.sequence;
    await this.go(from);
    if (catchUp) this.play();
  }

  /** Plays the latest turn of another side as this one saw it, whatever has happened since. */
  async startTurn(): Promise<void> {
    const turn = await this.battle.turnOfOthers();
    if (!turn) {
      this.battle.note('Nothing was seen of another side\'s turn yet.');
      return;
    }
    this.on = true;
    this.battle.away = true;
    this.catchUp = false;
    this.full = false;
    this.last = this.battle.sequence;
    this.until = turn.last;
    if (await this.go(turn.first - 1)) this.play();
  }

  leave(): void {
    this.pause();
    this.on = false;
    this.battle.away = false;
    this.until = END;
    this.catchUp = false;
    this.full = false;
    this.table = undefined;
    this.#asked++;
    this.#halt();
    this.battle.goOn();
  }

  #halt(): void {
    this.battle.step();
  }

  async go(sequence: number): Promise<boolean> {
    const asked = ++this.#asked;
    // who goes on does not wait for what is still being shown
    this.#halt();
    const wanted = Math.max(this.first, Math.min(sequence, this.last));
    try {
      const answer = await this.#ask(wanted);
      if (asked !== this.#asked || !this.on) return false;
      // where a unit came from is known only from the step before
      const isNext = answer.number === this.at + 1 && this.table !== undefined;
      const before = piecesById(isNext ? this.table!.pieces : []);
      const beats = beatsOf(answer.steps);
      const lines = beats.flatMap((beat) => beat.lines);
      this.way = lines.map((line) => journeyOf(line, before)).filter((way) => way.length).pop() ?? [];
      this.at = answer.number;
      this.last = answer.last;
      this.log = lines;
      if (!isNext) this.battle.goOn();
      if (isNext && settings.showing) await this.#act(beats, asked);
      if (asked !== this.#asked || !this.on) return false;
      this.table = answer.table;
      this.battle.say(beats.filter(({ lead }) => lead).map(captionOf).join(' ') || `Step ${this.at} of ${this.last}.`);
      return true;
    } catch (error) {
      this.pause();
      this.battle.trouble(messageOf(error));
      return false;
    }
  }

  async #ask(sequence: number): Promise<Past> {
    return (await this.battle.socket.ask<Replayed>({ type: 'AskReplay', sequence, full: this.full })).past;
  }

  /** One step forward is shown as it happened; jumps are not. */
  async #act(beats: readonly Beat[], asked: number): Promise<void> {
    const pieces = piecesById(this.table!.pieces);
    const isOn = () => asked === this.#asked && this.on;
    const put = (step: ToldStep) => {
      fold(pieces, step);
      if (isOn()) this.table = { ...this.table!, pieces: [...pieces.values()] };
      return isOn();
    };
    const { stage, playback } = this.battle;
    for (const beat of beats) if (stage && isOn()) await perform(beat, pieces, { stage, playback, isOn, put, pass: (step) => void put(step) });
    if (isOn()) playback.end();
  }

  async step(by: number): Promise<void> {
    this.pause();
    await this.go(this.at + by);
  }

  play(): void {
    this.playing = true;
    this.#beat();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #beat(): void {
    clearTimeout(this.#timer);
    if (!this.playing || !this.on) return;
    if (this.at >= Math.min(this.last, this.until)) {
      this.pause();
      if (this.catchUp) this.leave();
      return;
    }
    this.#timer = setTimeout(async () => {
      // steps in which this side saw nothing are passed over
      let moved = await this.go(this.at + 1);
      while (moved && this.playing && !this.log.length && this.at < Math.min(this.last, this.until)) moved = await this.go(this.at + 1);
      this.#beat();
    }, settings.showing ? BEAT / PACES[settings.pace] : STILL_BEAT);
  }

  /** The same turn in the other view: the two number their steps differently. */
  async setFull(full: boolean): Promise<void> {
    const jump = ++this.#jump;
    // two switches in quick succession still mean the turn that was looked at before the first
    const turn = (this.#kept ??= this.table?.turn ?? 1);
    this.full = full;
    this.seeking = true;
    try {
      const end = await this.#ask(END);
      if (jump !== this.#jump) return;
      this.last = end.last;
      await this.#seek(turn, jump);
    } catch (error) {
      this.battle.trouble(messageOf(error));
    } finally {
      if (jump === this.#jump) this.#found();
    }
  }

  async toTurn(turn: number): Promise<void> {
    this.pause();
    const jump = ++this.#jump;
    await this.#seek(turn, jump);
    if (jump === this.#jump) this.#found();
  }

  #found(): void {
    this.#kept = undefined;
    this.seeking = false;
  }

  /** Goes to the first step of a turn; turns only ever rise, so halving finds it in a few questions. */
  async #seek(turn: number, jump: number): Promise<void> {
    let [low, high] = [this.first, this.last];
    try {
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const answer = await this.#ask(middle);
        if (jump !== this.#jump) return;
        if (answer.table.turn >= turn) high = middle;
        else low = middle + 1;
      }
      if (jump === this.#jump) await this.go(low);
    } catch (error) {
      this.battle.trouble(messageOf(error));
    }
  }
}
