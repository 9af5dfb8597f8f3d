// Hex numbers of a board: (col + 1) * (height + 2) + row + 1, flat-topped, odd columns half a hex down.
import type { BoardSheet } from '../api-types';

export type Size = Pick<BoardSheet, 'width' | 'height'>;

export const columnOf = (hex: number, size: Size): number => Math.floor(hex / (size.height + 2)) - 1;
export const rowOf = (hex: number, size: Size): number => (hex % (size.height + 2)) - 1;

export const hexOf = (col: number, row: number, size: Size): number => (col + 1) * (size.height + 2) + row + 1;

export function isOn(hex: number, size: Size): boolean {
  const col = columnOf(hex, size);
  const row = rowOf(hex, size);
  return col >= 0 && col < size.width && row >= 0 && row < size.height;
}

/** The printed number: CCRR counted from one, three digits each on a board wider or taller than 99. */
export function labelOf(hex: number, size: Size): string {
  if (!isOn(hex, size)) return 'off the map';
  const digits = Math.max(size.width, size.height) > 99 ? 3 : 2;
  const part = (n: number) => String(n + 1).padStart(digits, '0');
  return part(columnOf(hex, size)) + part(rowOf(hex, size));
}

export function parseLabel(label: string, size: Size): number {
  const digits = Math.max(size.width, size.height) > 99 ? 3 : 2;
  return hexOf(Number(label.slice(0, digits)) - 1, Number(label.slice(digits)) - 1, size);
}

const DIRECTIONS: readonly (readonly [number, number])[] = [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]];

interface Axial { q: number; r: number }

function axial(hex: number, size: Size): Axial {
  const q = columnOf(hex, size);
  return { q, r: rowOf(hex, size) - (q - (q & 1)) / 2 };
}

function fromAxial({ q, r }: Axial, size: Size): number {
  const row = r + (q - (q & 1)) / 2;
  if (q < 0 || q >= size.width || row < 0 || row >= size.height) return 0;
  return hexOf(q, row, size);
}

/** The hex next to this one in a direction (0 north and on clockwise), or 0 off the board. */
export function neighbor(hex: number, direction: number, size: Size): number {
  const from = axial(hex, size);
  const step = DIRECTIONS[direction]!;
  return fromAxial({ q: from.q + step[0], r: from.r + step[1] }, size);
}

export function distance(a: number, b: number, size: Size): number {
  const from = axial(a, size);
  const to = axial(b, size);
  const dq = to.q - from.q;
  const dr = to.r - from.r;
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** A straight walk from a to b: neighbor by neighbor, the start left out. For drawing a way, never for a rule. */
export function walk(a: number, b: number, size: Size): number[] {
  const path: number[] = [];
  let at = a;
  while (at && at !== b) {
    let best = 0;
    for (let d = 0; d < 6; d++) {
      const next = neighbor(at, d, size);
      if (next && (!best || drift(next, a, b, size) < drift(best, a, b, size))) best = next;
    }
    at = best;
    path.push(at);
  }
  return path;
}

/** How far a step is from the goal, and a little for how far it strays from the straight line. */
function drift(hex: number, a: number, b: number, size: Size): number {
  const [p, u, v] = [plane(hex, size), plane(a, size), plane(b, size)];
  const off = Math.abs((v.x - u.x) * (p.y - u.y) - (v.y - u.y) * (p.x - u.x));
  return distance(hex, b, size) * 1000 + off;
}

function plane(hex: number, size: Size): { x: number; y: number } {
  const { q, r } = axial(hex, size);
  return { x: 1.5 * q, y: Math.sqrt(3) * (r + q / 2) };
}

const NAMES = ['north', 'northeast', 'southeast', 'south', 'southwest', 'northwest'];

export const directionName = (direction: number): string => NAMES[direction] ?? '';
