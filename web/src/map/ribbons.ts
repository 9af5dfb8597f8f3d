/** Ribbons: roads and streams through a hex, from gate to gate. */

import { ACROSS, type Grid, noise, opposite, OUTWARD, type Point } from './grid';

/** A road or a stream through one hex: x and y in turn. */
export type Ribbon = Float32Array;

/** The middle of a side, moved a little along it: the same point from both hexes. */
export function wanderingGate(grid: Grid, hex: number, d: number, stray: number): Point {
  const beyond = grid.neighbor(hex, d);
  const gate = grid.gate(hex, d);
  const sign = hex < beyond ? 1 : -1;
  const along = (noise(Math.min(hex, beyond), Math.max(hex, beyond), 5) - 0.5) * stray * sign;
  return { x: gate.x - OUTWARD[d].y * along, y: gate.y + OUTWARD[d].x * along };
}

const STEPS = 12;

/** The ribbons that join the exits of a hex; where others `meet` them there, all of them lead over its center. */
export function ribbonsOf(
  grid: Grid, hex: number, exits: readonly number[], stray: number, ease: number, meet = false,
): Ribbon[] {
  const center = grid.center(hex);
  const gates = exits.map((d) => wanderingGate(grid, hex, d, stray));
  const handle = ACROSS * 0.5 * ease;
  const pull = (i: number): Point => ({
    x: gates[i].x - OUTWARD[exits[i]].x * handle,
    y: gates[i].y - OUTWARD[exits[i]].y * handle,
  });
  const toCenter = (i: number): Ribbon => bezier(gates[i], pull(i), pull(i), center);
  if (exits.length === 2 && !meet) return [bezier(gates[0], pull(0), pull(1), gates[1])];
  const ribbons: Ribbon[] = [];
  const through = exits.findIndex((d) => exits.includes(opposite(d)));
  const far = through < 0 ? -1 : exits.indexOf(opposite(exits[through]));
  if (far >= 0) {
    // the through road bends to the center, where the others join it
    ribbons.push(joined(bezier(gates[through], pull(through), pull(through), center),
      bezier(center, pull(far), pull(far), gates[far])));
  }
  exits.forEach((_, i) => {
    if (i !== through && i !== far) ribbons.push(toCenter(i));
  });
  return ribbons;
}

function joined(a: Ribbon, b: Ribbon): Ribbon {
  const all = new Float32Array(a.length + b.length - 2);
  all.set(a);
  all.set(b.subarray(2), a.length);
  return all;
}

function bezier(a: Point, b: Point, c: Point, d: Point): Ribbon {
  const ribbon = new Float32Array((STEPS + 1) * 2);
  for (let i = 0; i <= STEPS; i++) {
    const t = i / STEPS;
    const u = 1 - t;
    const [p, q, r, s] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    ribbon[i * 2] = a.x * p + b.x * q + c.x * r + d.x * s;
    ribbon[i * 2 + 1] = a.y * p + b.y * q + c.y * r + d.y * s;
  }
  return ribbon;
}

/** Where a road crosses water, and which way the road runs there. */
export function crossingOf(roads: readonly Ribbon[], water: readonly Ribbon[]): (Point & { angle: number }) | null {
  for (const road of roads) {
    for (let i = 0; i + 3 < road.length; i += 2) {
      const [ax, ay, bx, by] = [road[i], road[i + 1], road[i + 2], road[i + 3]];
      for (const stream of water) {
        for (let j = 0; j + 3 < stream.length; j += 2) {
          const [cx, cy, dx, dy] = [stream[j], stream[j + 1], stream[j + 2], stream[j + 3]];
          const cross = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
          if (!cross) continue;
          const t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / cross;
          const u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / cross;
          if (t < 0 || t > 1 || u < 0 || u > 1) continue;
          return { x: ax + (bx - ax) * t, y: ay + (by - ay) * t, angle: Math.atan2(by - ay, bx - ax) };
        }
      }
    }
  }
  return null;
}

export function roadAngle(roads: readonly Ribbon[] | undefined): number {
  const road = roads?.[0];
  if (!road) return 0;
  const last = road.length - 2;
  return Math.atan2(road[last + 1] - road[1], road[last] - road[0]);
}

/** How far a point is from the nearest road or stream of a hex. */
export function clearance(ribbons: readonly Ribbon[] | undefined, x: number, y: number): number {
  let nearest = Infinity;
  for (const ribbon of ribbons ?? []) {
    for (let i = 0; i < ribbon.length; i += 2) {
      const dx = ribbon[i] - x;
      const dy = ribbon[i + 1] - y;
      nearest = Math.min(nearest, dx * dx + dy * dy);
    }
  }
  return Math.sqrt(nearest);
}

/** The ribbons of these hexes are the path to be stroked; false when there are none. */
export function traceRibbons(
  g: CanvasRenderingContext2D, hexes: readonly number[], ribbons: ReadonlyMap<number, readonly Ribbon[]>,
): boolean {
  let any = false;
  g.beginPath();
  for (const hex of hexes) {
    for (const ribbon of ribbons.get(hex) ?? []) {
      any = true;
      g.moveTo(ribbon[0], ribbon[1]);
      for (let i = 2; i < ribbon.length; i += 2) g.lineTo(ribbon[i], ribbon[i + 1]);
    }
  }
  return any;
}
