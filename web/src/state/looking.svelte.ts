// Looking without ordering: the hex under the cursor, lines of sight, what a unit sees.
import type { HexAnswer, HexReport, SeenAnswer, SightAnswer, SightLine } from '../api-types';
import type { Battle } from './battle.svelte';
import { gridOf, neighbor } from './hexes';

export interface SightRay { a: number; b: number; line?: SightLine }

export class Looking {
  /** The hex the panels tell about; 0 before the first look. */
  hex = $state(0);
  facts = $state.raw<HexReport>();
  ray = $state.raw<SightRay>();
  /** The end of the ray follows the pointer until a click or Enter holds it. */
  aiming = $state(false);
  unseen = $state.raw<Set<number>>();
  threatsShown = $state(false);
  #asked = 0;
  #traced = 0;

  constructor(private readonly battle: Battle) {}

  look(hex: number): void {
    this.hex = hex;
    void this.refresh();
    if (this.aiming) void this.trace(hex);
  }

  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    if (!this.hex || !this.battle.side || this.battle.line === 'closed') return;
    try {
      const { report } = await this.battle.socket.ask<HexAnswer>({ type: 'AskHex', hex: this.hex });
      if (asked === this.#asked) this.facts = report;
    } catch {
      if (asked === this.#asked) this.facts = undefined;
    }
  }

  /** Moves the cursor one hex; left and right keep to the row. */
  step(way: 'n' | 'ne' | 'se' | 's' | 'sw' | 'nw' | 'w' | 'e'): boolean {
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
