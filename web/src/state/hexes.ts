// Hexes as the application needs them, over the map's own grid.
import { Grid } from '../map/grid';

export interface Size { readonly width: number; readonly height: number }

const grids = new Map<string, Grid>();

export function gridOf(size: Size): Grid {
  const key = `${size.width}x${size.height}`;
  let grid = grids.get(key);
  if (!grid) grids.set(key, (grid = new Grid(size.width, size.height)));
  return grid;
}

/** The printed number of a hex. */
export function labelOf(hex: number, size: Size): string {
  const grid = gridOf(size);
  return grid.has(hex) ? grid.label(hex) : 'off the map';
}

/** The hex with a printed number, or 0. */
export function parseLabel(label: string, size: Size): number {
  const half = label.length / 2;
  const grid = gridOf(size);
  const hex = grid.id(Number(label.slice(0, half)) - 1, Number(label.slice(half)) - 1);
  return grid.has(hex) ? hex : 0;
}

/** The hex next to this one in a direction (0 north and on clockwise), or 0 off the board. */
export function neighbor(hex: number, direction: number, size: Size): number {
  const grid = gridOf(size);
  const next = grid.neighbor(hex, direction);
  return grid.has(next) ? next : 0;
}

/** A straight walk from a to b: neighbor by neighbor, the start left out. For drawing a way, never for a rule. */
export function walk(a: number, b: number, size: Size): number[] {
  const grid = gridOf(size);
  const [u, v] = [grid.center(a), grid.center(b)];
  const away = (hex: number) => Math.hypot(grid.x(hex) - v.x, grid.y(hex) - v.y);
  const stray = (hex: number) => Math.abs((v.x - u.x) * (grid.y(hex) - u.y) - (v.y - u.y) * (grid.x(hex) - u.x));
  const path: number[] = [];
  let at = a;
  while (at !== b) {
    const near = [0, 1, 2, 3, 4, 5].map((d) => neighbor(at, d, size)).filter((hex) => hex && away(hex) < away(at) - 1);
    if (!near.length) break;
    at = near.reduce((best, hex) => (stray(hex) < stray(best) ? hex : best));
    path.push(at);
  }
  return path;
}

const NAMES = ['north', 'northeast', 'southeast', 'south', 'southwest', 'northwest'];

export const directionName = (direction: number): string => NAMES[direction] ?? '';
