// Looking without ordering: the hex under the cursor, lines of sight, what a unit sees.
import type { HexAnswer, HexReport, Piece, Reaction, SeenAnswer, SightAnswer, SightLine } from '../api-types';
import type { Battle } from './battle.svelte';
import { gridOf, neighbor } from './hexes';
import { chance, isHarmless, percent } from './chances';

/** So many results of a shot are told; the list of threats has them all. */
const MOST_ODDS = 3;

/** Where the cursor goes by one key. */
export type Way = 'n' | 'ne' | 'se' | 's' | 'sw' | 'nw' | 'w' | 'e';

export interface SightRay { a: number; b: number; line?: SightLine }

export class Looking {
  /** The hex the panels tell about; 0 before the first look. */
  hex = $state(0);
  facts = $state.raw<HexReport>();
  /** The hex that the facts are of: a look is answered a moment later. */
  told = $state(0);
  /** The unit whose danger in the hex the facts tell. */
  endangered = $state.raw<Piece>();
  ray = $state.raw<SightRay>();
  /** The end of the ray follows the pointer until a click or Enter holds it. */
  aiming = $state(false);
  unseen = $state.raw<Set<number>>();
  threatsShown = $state(false);
  #asking: Promise<void> | undefined;
  #isStale = false;
  #traced = 0;

  /** `subject` is the unit that the danger of a hex is told for; with none it is told in general. */
  constructor(private readonly battle: Battle, private readonly subject: () => Piece | undefined = () => undefined) {}

  look(hex: number): void {
    this.hex = hex;
    void this.refresh();
    if (this.aiming) void this.trace(hex);
  }

  /** One question is on its way at a time: who walks fast is told of the hex where he stops, not of all that he passes. */
  refresh(): Promise<void> {
    this.#isStale = true;
    return (this.#asking ??= this.#refreshAll());
  }

  /** Done when the facts are of the hex that is looked at. */
  get answered(): Promise<void> {
    return this.#asking ?? Promise.resolve();
  }

  async #refreshAll(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#refresh();
    }
    this.#asking = undefined;
  }

  async #refresh(): Promise<void> {
    if (!this.hex || !this.battle.side || this.battle.line === 'closed') return;
    const subject = this.subject();
    const { hex } = this;
    const report = await this.#ask(hex, subject?.id).catch(() => undefined);
    if (this.#isStale) return;
    this.facts = report;
    this.told = hex;
    this.endangered = subject;
  }

  async #ask(hex: number, unit?: number): Promise<HexReport> {
    const { report } = await this.battle.socket.ask<HexAnswer>({ type: 'AskHex', hex, ...(unit === undefined ? {} : { unit }) });
    return report;
  }

  /** What known enemies could do to a unit if it stood in a hex. */
  async threatsTo(unit: number, hex: number): Promise<Reaction[]> {
    try {
      return (await this.#ask(hex, unit)).threats;
    } catch {
      return [];
    }
  }

  /** Who threatens the hex, or the unit in it, in a sentence. */
  threatText(): string {
    const threats = this.facts?.threats ?? [];
    const enemies = new Set(threats.flatMap((threat) => threat.actors)).size;
    const count = enemies === 1 ? '1 known enemy' : `${enemies} known enemies`;
    const whom = this.endangered;
    if (!whom) return enemies ? `${count} ${enemies === 1 ? 'threatens' : 'threaten'} it` : 'No known enemy threatens it';
    if (!enemies) return `No known enemy can attack ${whom.title} here`;
    return this.isHarmless ? `${count} can attack ${whom.title} here, but no die would harm it` : `${count} can attack ${whom.title} here: ${this.oddsText(threats[0]!)}`;
  }

  /** Nobody who is known can do any harm there: the worst of the threats is none. */
  get isHarmless(): boolean {
    return !!this.endangered && (this.facts?.threats ?? []).every(isHarmless);
  }

  /** Odds and what comes of them, the likeliest few first. */
  oddsText(threat: Reaction): string {
    const results = threat.branches.slice(0, MOST_ODDS).map((branch) => `${percent(branch.probability)} ${branch.result}`);
    const rest = threat.branches.slice(MOST_ODDS).reduce((sum, branch) => sum + chance(branch.probability), 0);
    const others = rest >= 0.01 ? [`${Math.round(rest * 100)}% something else`] : [];
    return results.length ? `${threat.text}: ${[...results, ...others].join(', ')}` : threat.text;
  }

  /** Moves the cursor one hex; left and right keep to the row. */
  step(way: Way): boolean {
    const board = this.battle.scenario?.board;
    if (!board) return false;
    if (!this.hex) {
      this.look(gridOf(board).id(Math.floor(board.width / 2), Math.floor(board.height / 2)));
      return true;
    }
    const direction = ['n', 'ne', 'se', 's', 'sw', 'nw'].indexOf(way);
    const grid = gridOf(board);
    const next = direction >= 0
      ? neighbor(this.hex, direction, board)
      : grid.id(grid.col(this.hex) + (way === 'e' ? 1 : -1), grid.row(this.hex));
    if (!grid.has(next)) return false;
    this.look(next);
    return true;
  }

  // --- lines of sight

  startRay(from: number): void {
    this.ray = { a: from, b: from };
    this.aiming = true;
    this.battle.say(`Line of sight from ${this.battle.placeName(from)}: point at the other end.`);
  }

  async trace(to: number): Promise<void> {
    const from = this.ray?.a;
    if (!from || (this.ray?.b === to && this.ray.line)) return;
    const traced = ++this.#traced;
    if (to === from) return;
    try {
      const { line } = await this.battle.socket.ask<SightAnswer>({ type: 'AskSight', a: from, b: to });
      if (traced !== this.#traced) return;
      this.ray = { a: from, b: to, line };
      this.battle.say(this.sightText());
    } catch {
      // the next look asks again
    }
  }

  holdRay(): void {
    this.aiming = false;
  }

  dropRay(): void {
    this.ray = undefined;
    this.aiming = false;
    this.#traced++;
  }

  sightText(): string {
    const ray = this.ray;
    if (!ray?.line) return '';
    const ends = `${this.battle.placeName(ray.a)} to ${this.battle.placeName(ray.b)}`;
    if (ray.line.clear) return `${ends}: clear.`;
    const reason = ray.line.reason;
    const where = ray.line.hex ? ` at ${this.battle.placeName(ray.line.hex)}` : '';
    return `${ends}: blocked${where}${reason ? `, ${reason.label}` : ''}.`;
  }

  // --- what units see

  async showSeen(units: number[]): Promise<void> {
    const board = this.battle.scenario?.board;
    if (!board) return;
    try {
      const { hexes } = await this.battle.socket.ask<SeenAnswer>({ type: 'AskSeen', units });
      const grid = gridOf(board);
      const hidden = new Set<number>();
      for (let col = 0; col < board.width; col++)
        for (let row = 0; row < board.height; row++) hidden.add(grid.id(col, row));
      for (const hex of hexes) hidden.delete(hex);
      this.unseen = hidden;
      this.battle.say(`${hexes.length} hexes in sight; hatched hexes are not.`);
    } catch {
      this.unseen = undefined;
    }
  }

  hideSeen(): void {
    this.unseen = undefined;
  }
}
