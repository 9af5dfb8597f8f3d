/** The edges of areas of hexes as smooth, slightly uneven curves: no hex-shaped woods. */

import { type Grid, OUTWARD, smoothNoise } from './grid';

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface Trace extends Box {
  path: Path2D;
}

/** An area: closed loops to fill by the even-odd rule, and the same lines in short runs to stroke. */
export interface Outline {
  loops: Trace[];
  runs: Trace[];
}

export interface Shape {
  /** How far the curve stays inside the hexes, in world units. */
  inset: number;
  /** How far it strays. */
  wobble: number;
  /** How far it is pushed out over one side of a hex, where that is not the same everywhere. */
  push?: (hex: number, direction: number, beyond: number) => number;
}

const RUN = 20;

/** One side of a hex on the way around an area. */
interface Step {
  hex: number;
  d: number;
}

/** The ways around the hexes marked in `inside`, each with the inside on the right hand. */
function waysAround(grid: Grid, inside: Uint8Array): Step[][] {
  const done = new Uint8Array(grid.size);
  const ways: Step[][] = [];
  for (let hex = 0; hex < grid.size; hex++) {
    if (!inside[hex]) continue;
    for (let d = 0; d < 6; d++) {
      if (done[hex] & (1 << d)) continue;
      const beyond = grid.neighbor(hex, d);
      if (beyond >= 0 && inside[beyond]) continue;
      ways.push(wayFrom(grid, inside, done, hex, d));
    }
  }
  return ways;
}

function wayFrom(grid: Grid, inside: Uint8Array, done: Uint8Array, start: number, first: number): Step[] {
  const way: Step[] = [];
  let hex = start;
  let d = first;
  do {
    done[hex] |= 1 << d;
    way.push({ hex, d });
    const turn = (d + 1) % 6;
    const next = grid.neighbor(hex, turn);
    if (next >= 0 && inside[next]) {
      hex = next;
      d = (d + 5) % 6;
    } else {
      d = turn;
    }
  } while (hex !== start || d !== first);
  return way;
}

/** The outline of the hexes marked in `inside`, which covers the guard ring too. */
export function outline(grid: Grid, inside: Uint8Array, shape: Shape): Outline {
  const area: Outline = { loops: [], runs: [] };
  for (const way of waysAround(grid, inside)) addLoop(area, way.flatMap((step) => controls(grid, shape, step)));
  return area;
}

/** The same hexes with their straight sides, to be filled by the even-odd rule. */
export function straightOutline(grid: Grid, hexes: Iterable<number>): Path2D {
  const inside = new Uint8Array(grid.size);
  for (const hex of hexes) inside[hex] = 1;
  const path = new Path2D();
  for (const way of waysAround(grid, inside)) {
    way.forEach(({ hex, d }, n) => {
      const { x, y } = grid.corner(hex, d);
      if (n) path.lineTo(x, y);
      else path.moveTo(x, y);
    });
    path.closePath();
  }
  return path;
}

/** Two points that pull the curve along one side. */
function controls(grid: Grid, shape: Shape, { hex, d }: Step): number[] {
  const a = grid.corner(hex, d);
  const b = grid.corner(hex, d + 1);
  const push = (shape.push ? shape.push(hex, d, grid.neighbor(hex, d)) : 0) - shape.inset;
  return [0.25, 0.75].flatMap((t) => {
    const x = a.x + (b.x - a.x) * t;
    const y = a.y + (b.y - a.y) * t;
    return [
      x + OUTWARD[d].x * push + smoothNoise(x / 21, y / 21, 11) * shape.wobble,
      y + OUTWARD[d].y * push + smoothNoise(x / 21, y / 21, 12) * shape.wobble,
    ];
  });
}

function addLoop(area: Outline, points: number[]): void {
  const count = points.length / 2;
  const x = (i: number) => points[(i % count) * 2];
  const y = (i: number) => points[(i % count) * 2 + 1];
  area.loops.push({ path: curve(x, y, 0, count, true), ...boxOf(x, y, 0, count) });
  for (let at = 0; at < count; at += RUN) {
    const end = Math.min(count, at + RUN);
    area.runs.push({ path: curve(x, y, at, end, false), ...boxOf(x, y, at, end + 1) });
  }
}

type Along = (i: number) => number;

/** A quadratic spline: the points pull the curve and the middles between them lie on it. */
function curve(x: Along, y: Along, from: number, to: number, close: boolean): Path2D {
  const path = new Path2D();
  path.moveTo((x(from) + x(from + 1)) / 2, (y(from) + y(from + 1)) / 2);
  for (let i = from + 1; i <= to; i++) {
    path.quadraticCurveTo(x(i), y(i), (x(i) + x(i + 1)) / 2, (y(i) + y(i + 1)) / 2);
  }
  if (close) path.closePath();
  return path;
}

function boxOf(x: Along, y: Along, from: number, to: number): Box {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let i = from; i <= to; i++) {
    box.x0 = Math.min(box.x0, x(i));
    box.y0 = Math.min(box.y0, y(i));
    box.x1 = Math.max(box.x1, x(i));
    box.y1 = Math.max(box.y1, y(i));
  }
  return box;
}

export function meets(a: Box, b: Box, margin = 0): boolean {
  return a.x0 <= b.x1 + margin && a.x1 >= b.x0 - margin && a.y0 <= b.y1 + margin && a.y1 >= b.y0 - margin;
}

/** One path of those traces that reach into a box. */
export function gather(traces: readonly Trace[], box: Box, margin = 0): Path2D | null {
  let path: Path2D | null = null;
  for (const trace of traces) {
    if (!meets(trace, box, margin)) continue;
    path ??= new Path2D();
    path.addPath(trace.path);
  }
  return path;
}
