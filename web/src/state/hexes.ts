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

const NAMES = ['north', 'northeast', 'southeast', 'south', 'southwest', 'northwest'];

export const directionName = (direction: number): string => NAMES[direction] ?? '';
