/** A board made ready for drawing: everything that can be worked out once, before the first tile. */

import { ACROSS, Grid, opposite, OUTWARD, type Point } from './grid';
import { type Cover, COVER_ORDER, ground, type Line, type SideStyle, sideStyle } from './ground';
import { type Outline, outline } from './outline';
import { crossingOf, type Ribbon, ribbonsOf, roadAngle, wanderingGate } from './ribbons';
import { layRoads, ROAD_STRAY, type Ways } from './roads';
import type { Board } from './types';

export interface Side {
  /** The lower of the two hexes that share the side, so that hachures fall the right way. */
  hex: number;
  direction: number;
  style: SideStyle;
  /** Whether the ground is level across it. */
  level: boolean;
}

export interface Bridge {
  at: Point;
  angle: number;
  length: number;
}

/** The most contours of a map; heights in meters are drawn by the finest of these steps that needs no more. */
const MOST_CONTOURS = 14;
const CONTOUR_STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000];

/** Heights as levels to draw: as they are where there are few, else counted from the lowest ground in round steps. */
function levels(board: Board, grid: Grid): (height: number) => number {
  const heights = board.elevation.filter((_, hex) => grid.has(hex));
  const highest = heights.reduce((a, b) => Math.max(a, b), 0);
  if (highest <= MOST_CONTOURS) return (height) => height;
  const lowest = heights.reduce((a, b) => Math.min(a, b), highest);
  const step = CONTOUR_STEPS.find((one) => highest / one - Math.floor(lowest / one) <= MOST_CONTOURS) ?? 2000;
  const base = Math.floor(lowest / step);
  return (height) => height / step - base;
}

export class Chart {
  readonly grid: Grid;
  /** Elevation by hex number, the guard ring included: it repeats the hex beside it. */
  readonly elevation: Float32Array;
  readonly highest: number;
  readonly cover: (Cover | '')[];
  readonly covers = new Map<Cover, Outline>();
  /** contours[n] bounds the hexes of level n + 1 and more. */
  readonly contours: Outline[] = [];
  readonly edge: Outline;
  readonly streams = new Map<number, Ribbon[]>();
  readonly rivers = new Map<number, Ribbon[]>();
  readonly gullies = new Map<number, Ribbon[]>();
  readonly fords = new Set<number>();
  /** Roads and rail lines by what they look like. */
  ways: Ways = new Map();
  /** All of them. */
  readonly roads = new Map<number, Ribbon[]>();
  readonly sides = new Map<number, Side[]>();
  readonly bridges = new Map<number, Bridge>();
  /** Bridges across the sides of a hex. */
  readonly spans = new Map<number, Bridge[]>();
  readonly features = new Map<number, string[]>();
  readonly names = new Map<number, string>();
  readonly roadEnds: readonly (readonly [number, number])[];

  constructor(private readonly board: Board) {
    this.grid = new Grid(board.width, board.height);
    this.elevation = new Float32Array(this.grid.size);
    this.cover = new Array<Cover | ''>(this.grid.size).fill('');
    this.roadEnds = board.roadEnds;
    for (const [hex, name] of board.names) this.names.set(hex, name);
    for (const [hex, key] of board.features) push(this.features, hex, key);
    this.fillLayers();
    this.highest = Math.floor(this.elevation.reduce((a, b) => Math.max(a, b), 0));
    this.edge = outline(this.grid, this.mask((hex) => this.grid.has(hex)), { inset: 0, wobble: 0 });
    this.traceCovers();
    this.traceContours();
    this.layWater();
    this.layGullies();
    this.layRoads();
    this.placeSides();
    this.placeBridges();
  }

  /** The terrain key of a hex, "" off the map. */
  terrain(hex: number): string {
    return this.board.legend[this.board.terrain[hex] ?? 0] ?? '';
  }

  private fillLayers(): void {
    const { grid, board } = this;
    const level = levels(board, grid);
    for (let col = -1; col <= grid.width; col++) {
      for (let row = -1; row <= grid.height; row++) {
        const c = Math.min(grid.width - 1, Math.max(0, col));
        const r = Math.min(grid.height - 1, Math.max(0, row));
        const nearest = grid.id(c, r);
        const hex = grid.id(col, row);
        this.elevation[hex] = level(board.elevation[nearest]);
        this.cover[hex] = ground(this.terrain(nearest)).cover ?? '';
      }
    }
  }

  private mask(holds: (hex: number) => boolean): Uint8Array {
    const mask = new Uint8Array(this.grid.size);
    for (let hex = 0; hex < mask.length; hex++) mask[hex] = holds(hex) ? 1 : 0;
    return mask;
  }

  private traceCovers(): void {
    const present = new Set(this.cover);
    for (const cover of COVER_ORDER) {
      if (!present.has(cover)) continue;
      // sand goes on under the water, so that no gap shows between the two
      const under = cover === 'beach' ? 'sea' : '';
      const mask = this.mask((hex) => this.cover[hex] === cover || (under !== '' && this.cover[hex] === under));
      const inset = cover === 'woods' ? 2.5 : cover === 'town' ? 4 : 0;
      this.covers.set(cover, outline(this.grid, mask, { inset, wobble: cover === 'town' ? 2 : 5 }));
    }
  }

  private traceContours(): void {
    const heights = this.elevation.map(Math.floor);
    for (let level = 1; level <= this.highest; level++) {
      const mask = this.mask((hex) => heights[hex] >= level);
      const push = (hex: number, _direction: number, beyond: number): number => {
        if (beyond < 0) return 0;
        const low = heights[beyond];
        // where several contours cross one side they lie apart, as far as the ground rises evenly
        const part = (level - 0.5 - low) / (heights[hex] - low);
        return (0.5 - part) * ACROSS * 0.8;
      };
      this.contours.push(outline(this.grid, mask, { inset: 0, wobble: 3, push }));
    }
  }

  // --- water -----------------------------------------------------------------------------------------------------

  private line(hex: number): Line | undefined {
    return this.grid.has(hex) ? ground(this.terrain(hex)).line : undefined;
  }

  private layWater(): void {
    const { grid } = this;
    const wet: number[] = [];
    for (let hex = 0; hex < grid.size; hex++) if (this.line(hex)) wet.push(hex);
    const exits = this.waterLinks(wet);
    for (const hex of wet) {
      const out = exits.get(hex)!;
      if (out.length < 2) this.openEnd(hex, out);
      const ribbons = ribbonsOf(grid, hex, out, 20, 0.5);
      (this.line(hex) === 'river' ? this.rivers : this.streams).set(hex, ribbons);
    }
  }

  /** Gullies are features of their hexes and join as water does; a ford is a place where one can be crossed. */
  private layGullies(): void {
    const deep: number[] = [];
    for (const [hex, keys] of this.features) {
      if (keys.includes('gully')) deep.push(hex);
      if (keys.includes('ford')) this.fords.add(hex);
    }
    deep.sort((a, b) => a - b);
    for (const [hex, out] of this.waterLinks(deep)) {
      if (out.length < 2) this.openEnd(hex, out);
      this.gullies.set(hex, ribbonsOf(this.grid, hex, out, 16, 0.5));
    }
  }

  /** The exits of each water hex toward others; of three hexes that all touch, only two pairs are joined. */
  private waterLinks(wet: readonly number[]): Map<number, number[]> {
    const { grid } = this;
    const degree = new Map(wet.map((hex) => [hex, 0]));
    const pairs: { a: number; d: number; b: number; weight: number }[] = [];
    for (const a of wet) {
      for (let d = 0; d < 6; d++) {
        const b = grid.neighbor(a, d);
        if (!degree.has(b)) continue;
        degree.set(a, degree.get(a)! + 1);
        if (a < b) pairs.push({ a, d, b, weight: 0 });
      }
    }
    for (const pair of pairs) pair.weight = degree.get(pair.a)! + degree.get(pair.b)!;
    pairs.sort((p, q) => p.weight - q.weight || p.a - q.a || p.d - q.d);
    const root = new Map(wet.map((hex) => [hex, hex]));
    const find = (hex: number): number => {
      let top = hex;
      while (root.get(top) !== top) top = root.get(top)!;
      root.set(hex, top);
      return top;
    };
    const exits = new Map<number, number[]>(wet.map((hex) => [hex, []]));
    for (const { a, d, b } of pairs) {
      if (find(a) === find(b)) continue;
      root.set(find(a), find(b));
      exits.get(a)!.push(d);
      exits.get(b)!.push(opposite(d));
    }
    return exits;
  }

  /** Water that ends here runs on into the sea or off the map, as straight as it can. */
  private openEnd(hex: number, exits: number[]): void {
    const from = exits.length ? exits[0] : -1;
    let best = -1;
    let turn = -1;
    for (let d = 0; d < 6; d++) {
      const beyond = this.grid.neighbor(hex, d);
      const away = from < 0 ? 3 : Math.min((d - from + 6) % 6, (from - d + 6) % 6);
      const isOpen = !this.grid.has(beyond) || this.cover[beyond] === 'sea';
      if (isOpen && away > turn && away > 1) {
        turn = away;
        best = d;
      }
    }
    if (best >= 0) exits.push(best);
  }

  // --- roads, sides, bridges -------------------------------------------------------------------------------------

  private layRoads(): void {
    this.ways = layRoads(this.grid, this.board.roads, this.roadEnds);
    for (const laid of this.ways.values()) {
      for (const [hex, ribbons] of laid) this.roads.set(hex, [...(this.roads.get(hex) ?? []), ...ribbons]);
    }
  }

  private placeSides(): void {
    const seen = new Set<string>();
    const crossed: Side[] = [];
    for (const [hex, direction, key] of this.board.hexsides) {
      const beyond = this.grid.neighbor(hex, direction);
      const here = this.elevation[hex];
      const there = beyond >= 0 ? this.elevation[beyond] : here;
      const turned = this.grid.has(beyond) && (there < here || (there === here && beyond < hex));
      const side: Side = {
        hex: turned ? beyond : hex,
        direction: turned ? opposite(direction) : direction,
        style: sideStyle(key),
        level: here === there,
      };
      const name = `${side.hex} ${side.direction} ${key}`;
      if (seen.has(name)) continue;
      seen.add(name);
      if (key === 'bridge') crossed.push(side);
      else push(this.sides, side.hex, side);
    }
    for (const { hex, direction } of crossed) push(this.spans, hex, this.span(hex, direction));
  }

  /** A bridge where the road goes over the water along a side. */
  private span(hex: number, direction: number): Bridge {
    const out = OUTWARD[direction];
    const wide = this.sides.get(hex)?.some((side) => side.direction === direction && side.style === 'river');
    const at = wanderingGate(this.grid, hex, direction, ROAD_STRAY);
    return { at, angle: Math.atan2(out.y, out.x), length: wide ? 24 : 16 };
  }

  private placeBridges(): void {
    for (const [hex, keys] of this.features) {
      if (!keys.some((key) => key.includes('bridge'))) continue;
      const wide = this.rivers.has(hex);
      const water = this.rivers.get(hex) ?? this.streams.get(hex) ?? [];
      const crossing = crossingOf(this.roads.get(hex) ?? [], water);
      const at = crossing ?? { ...this.grid.center(hex), angle: roadAngle(this.roads.get(hex)) };
      this.bridges.set(hex, { at: { x: at.x, y: at.y }, angle: at.angle, length: wide ? 26 : 16 });
    }
  }
}

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
