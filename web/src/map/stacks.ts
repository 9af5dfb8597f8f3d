/** The pieces on the board, hex by hex: who lies on whom, who rides in whom, and where each is drawn. */

import type { Palette } from '../palette';
import { type Cargo, COUNTER, type Look, lookKey } from './counters';
import type { Piece } from './types';

/** World units by which each further counter of a stack is set off. */
export const OFFSET = 5;
const MOST_DRAWN = 3;

export interface Placed {
  piece: Piece;
  look: Look;
  key: string;
  /** From the center of the hex. */
  dx: number;
  dy: number;
}

export interface Stack {
  hex: number;
  /** Bottom first. */
  drawn: Placed[];
  aircraft: Placed[];
  markers: Piece[];
  /** Counters in the stack, those that are not drawn included. */
  count: number;
  /** Every piece that can be picked, topmost first, then those aboard. */
  ids: number[];
}

function isRider(piece: Piece): boolean {
  return piece.carrier !== undefined && piece.carrier !== null;
}

function cargoOf(riders: readonly Piece[]): Cargo | null {
  return riders.length ? { mark: riders[0].mark, count: riders.length } : null;
}

export class Stacks {
  readonly stacks = new Map<number, Stack>();
  private readonly riders = new Map<number, Piece[]>();

  constructor(
    pieces: readonly Piece[],
    private readonly selected: ReadonlySet<number>,
    private readonly palette: Palette,
    private readonly colors: ReadonlyMap<string, number>,
  ) {
    const { riders } = this;
    const here = new Map<number, Piece[]>();
    for (const piece of pieces) {
      if (!piece.hex) continue;
      if (isRider(piece)) riders.set(piece.carrier!, [...(riders.get(piece.carrier!) ?? []), piece]);
      else here.set(piece.hex, [...(here.get(piece.hex) ?? []), piece]);
    }
    for (const [hex, list] of here) this.stacks.set(hex, this.stack(hex, list));
  }

  /** The fill of a side, the neutral one for a side that nobody named. */
  sideColors(side: string) {
    const place = this.colors.get(side);
    return place === undefined ? this.palette.neutral : this.palette.sides[place];
  }

  /** A piece as its counter looks by itself, wherever it lies in its stack. */
  counter(piece: Piece): Placed {
    return this.placed(piece, cargoOf(this.riders.get(piece.id) ?? []), 0, 0);
  }

  private stack(hex: number, list: readonly Piece[]): Stack {
    const { riders } = this;
    const units = list.filter((piece) => piece.kind !== 'marker' && piece.kind !== 'aircraft');
    const planes = list.filter((piece) => piece.kind === 'aircraft');
    const rank = (piece: Piece) => (piece.kind === 'work' || piece.last_seen ? 0 : 1) + (this.selected.has(piece.id) ? 2 : 0);
    units.sort((a, b) => rank(a) - rank(b));
    const shown = units.slice(-MOST_DRAWN);
    const start = -((shown.length - 1) * OFFSET) / 2;
    const drawn = shown.map((piece, n) => {
      const lift = this.selected.has(piece.id) ? 2 : 0;
      return this.placed(piece, cargoOf(riders.get(piece.id) ?? []), start + n * OFFSET, -(start + n * OFFSET) - lift);
    });
    const aircraft = planes.map((piece, n) =>
      this.placed(piece, null, (units.length ? 14 : 0) + n * 6, (units.length ? -14 : 0) - n * 6));
    const aboard = units.flatMap((piece) => (riders.get(piece.id) ?? []).map((rider) => rider.id));
    return {
      hex,
      drawn,
      aircraft,
      markers: list.filter((piece) => piece.kind === 'marker'),
      count: units.length,
      ids: [...planes, ...[...units].reverse()].map((piece) => piece.id).concat(aboard),
    };
  }

  private placed(piece: Piece, cargo: Cargo | null, dx: number, dy: number): Placed {
    const look: Look = { piece, colors: this.sideColors(piece.side), cargo };
    return { piece, look, key: lookKey(look), dx, dy };
  }

  /** The pieces of a hex, the one that lies under a point (from the hex's center) first. */
  pick(hex: number, dx: number, dy: number): number[] {
    const stack = this.stacks.get(hex);
    if (!stack) return [];
    const under = [...stack.drawn, ...stack.aircraft].reverse().find((placed) =>
      Math.abs(dx - placed.dx) <= COUNTER / 2 && Math.abs(dy - placed.dy) <= COUNTER / 2);
    if (!under) return [...stack.ids];
    return [under.piece.id, ...stack.ids.filter((id) => id !== under.piece.id)];
  }
}
