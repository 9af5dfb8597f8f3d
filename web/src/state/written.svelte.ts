// What a side has written down for later: read beside the map, drawn on it, struck out again where the rules let it.
import type { Target } from '../api-types';
import type { PlanMark } from '../map/types';
import type { Desk } from './desk.svelte';
import { sentence } from './words';

export class Written {
  /** The line that is read just now, -1 for none. */
  chosen = $state(-1);

  constructor(private readonly desk: Desk) {}

  /** What stands in the notes of the table on the screen. */
  plans = $derived.by((): Target[] => this.desk.shown?.plans ?? []);

  /** Those that a unit is to carry out. */
  of(unit: number): Target[] {
    return this.plans.filter((plan) => plan.actors?.includes(unit));
  }

  /** Those that are to be carried out at a hex. */
  at(hex: number): Target[] {
    return this.plans.filter((plan) => plan.hex === hex);
  }

  textOf(plan: Target): string {
    return sentence([plan.text, plan.note].filter(Boolean).join(', '));
  }

  /** An arrow for each who is to do it, and for what nobody on the map does, its place alone. */
  marks = $derived.by((): PlanMark[] => this.plans.flatMap((plan, n) => {
    const { selected } = this.desk.orders;
    const isChosen = n === this.chosen || (plan.actors ?? []).some((unit) => selected.includes(unit));
    const hex = plan.hex ?? plan.path?.at(-1) ?? 0;
    const brief = plan.brief ?? '';
    const way = plan.path ?? (plan.actors?.length || !hex ? [] : [hex]);
    const starts = new Set((plan.actors ?? []).map((unit) => this.#placeOf(unit)).filter((start) => start && start !== way[0]));
    return [{ way, hex, brief, isChosen }, ...[...starts].map((start): PlanMark => ({ way: [start, hex], hex, brief, isChosen }))];
  }));

  #placeOf(unit: number): number {
    return this.desk.shown?.pieces.find((piece) => piece.id === unit)?.hex ?? 0;
  }

  /** To where it is done, with those chosen who are to do it. */
  follow(plan: Target): void {
    this.desk.follow({ text: '', rule: '', hex: plan.hex || plan.path?.at(-1), units: plan.actors });
  }

  /** True when it stands in the notes no more; else the player is told the rule that keeps it there. */
  async strike(plan: Target): Promise<boolean> {
    if (this.desk.replay.on) return false;
    const struck = await this.desk.battle.submit(plan.order);
    if (struck) this.desk.battle.say(`Struck out: ${sentence(plan.text ?? '')}`);
    return struck;
  }

  /** Strikes out what the selected unit is to do; true when there is more than one such thing, and the player has to say which. */
  strikeSelected(): boolean {
    const { battle, orders } = this.desk;
    const found = this.plans.filter((plan) => plan.actors?.some((unit) => orders.selected.includes(unit)));
    if (!this.plans.length) battle.say('Nothing is written down.');
    else if (found.length === 1) void this.strike(found[0]!);
    else if (!found.length) battle.say('Nothing is written down for the selected units.');
    return found.length > 1;
  }
}
