/** A board as it came over the wire, unpacked into layers by hex number. */

import type { BoardSheet } from '../api-types';
import { Grid } from './grid';
import type { Board } from './types';

/** The sign of the first terrain in a sheet's legend. */
const FIRST_SIGN = '0'.charCodeAt(0);

export function readBoard(sheet: BoardSheet): Board {
  const { id, title, width, height } = sheet;
  const grid = new Grid(width, height);
  const terrain = new Uint16Array(grid.size);
  const elevation = new Int16Array(grid.size);
  const heights = sheet.elevation ? numbersOf(sheet.elevation) : null;
  for (let col = 0, at = 0; col < width; col++) {
    for (let row = 0; row < height; row++, at++) {
      const hex = grid.id(col, row);
      terrain[hex] = sheet.terrain.charCodeAt(at) - FIRST_SIGN + 1;
      if (heights) elevation[hex] = heights.getInt16(2 * at, true);
    }
  }
  const roads = new Map<string, Uint8Array>();
  for (const [kind, numbers] of Object.entries(sheet.roads)) {
    const exits = new Uint8Array(grid.size);
    for (const number of numbers) exits[Math.floor(number / 64)] = number % 64;
    roads.set(kind, exits);
  }
  return {
    id, title, width, height,
    legend: ['', ...sheet.legend],
    terrain, elevation, roads,
    hexsides: listed(sheet.hexsides, (number, key) => [...sideOf(number), key] as const),
    features: listed(sheet.features, (hex, key) => [hex, key] as const),
    names: sheet.names,
    roadEnds: sheet.road_ends.map(sideOf),
    season: sheet.season,
  };
}

/** The hex and the direction of a hexside's number. */
const sideOf = (number: number): readonly [number, number] => [Math.floor(number / 6), number % 6];

function listed<T>(kinds: Record<string, number[]>, entry: (number: number, key: string) => T): T[] {
  return Object.entries(kinds).flatMap(([key, numbers]) => numbers.map((number) => entry(number, key)));
}

function numbersOf(base64: string): DataView {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
  return new DataView(bytes.buffer);
}
