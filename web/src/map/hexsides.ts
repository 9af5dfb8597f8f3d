/** The symbols along hexsides. Each has a shape of its own, so that none is told by its color alone. */

import type { Palette } from '../palette';
import { type Chart, push, type Side } from './chart';
import { OUTWARD, type Point } from './grid';
import type { SideStyle } from './ground';

type G = CanvasRenderingContext2D;

interface Stretch {
  a: Point;
  b: Point;
  /** Out of the lower hex: up the slope. */
  up: Point;
  level: boolean;
}

const PAINTERS: Record<SideStyle, (g: G, stretches: readonly Stretch[], palette: Palette, zoom: number) => void> = {
  hedge: paintHedges,
  bocage: paintBocage,
  slope: paintSlopes,
  crest: paintCrests,
  cliff: paintCliffs,
  wall: paintWalls,
  water: paintChannels,
  river: paintRivers,
  plain: paintPlain,
  ford: paintFords,
  bridge: paintSideBridges,
};

export function paintSides(g: G, chart: Chart, palette: Palette, hexes: readonly number[], zoom: number): void {
  const byStyle = new Map<SideStyle, Stretch[]>();
  for (const hex of hexes) {
    for (const side of chart.sides.get(hex) ?? []) push(byStyle, side.style, stretch(chart, side));
  }
  for (const style of Object.keys(PAINTERS) as SideStyle[]) {
    const stretches = byStyle.get(style);
    if (stretches) PAINTERS[style](g, stretches, palette, zoom);
  }
}

function stretch(chart: Chart, side: Side): Stretch {
  const a = chart.grid.corner(side.hex, side.direction);
  const b = chart.grid.corner(side.hex, side.direction + 1);
  return { a, b, up: OUTWARD[side.direction], level: side.level };
}

function traceAll(g: G, stretches: readonly Stretch[], trim = 0, dx = 0, dy = 0): void {
  g.beginPath();
  for (const { a, b } of stretches) {
    g.moveTo(a.x + (b.x - a.x) * trim + dx, a.y + (b.y - a.y) * trim + dy);
    g.lineTo(b.x + (a.x - b.x) * trim + dx, b.y + (a.y - b.y) * trim + dy);
  }
}

function stroke(g: G, color: string, width: number, dash: readonly number[] = []): void {
  g.strokeStyle = color;
  g.lineWidth = width;
  g.setLineDash(dash as number[]);
  g.stroke();
  g.setLineDash([]);
}

/** Round bushes in a row. */
function paintHedges(g: G, stretches: readonly Stretch[], palette: Palette, zoom: number): void {
  traceAll(g, stretches, 0.04);
  if (zoom < 0.45) {
    stroke(g, palette.hedgeEdge, 4);
    return;
  }
  const bush = [0.01, 4.4];
  stroke(g, palette.hedgeEdge, 5.6);
  stroke(g, palette.hedgeEdge, 7, [0.01, 7.4]);
  stroke(g, palette.hedge, 4.6, bush);
  traceAll(g, stretches, 0.07, -0.6, -0.8);
  stroke(g, palette.hedgeLight, 2, [0.01, 6.1]);
}

/** A bank with a hedge on it: broad, with crowns along it. */
function paintBocage(g: G, stretches: readonly Stretch[], palette: Palette, zoom: number): void {
  traceAll(g, stretches, 0.03);
  if (zoom < 0.45) {
    stroke(g, palette.hedgeEdge, 6.4);
    return;
  }
  stroke(g, palette.hedgeEdge, 8.4);
  stroke(g, palette.hedgeEdge, 11.4, [0.01, 10.6]);
  stroke(g, palette.hedge, 9, [0.01, 10.6]);
  stroke(g, palette.hedge, 6, [0.01, 5.3]);
  traceAll(g, stretches, 0.06, -1.1, -1.4);
  stroke(g, palette.hedgeLight, 4, [0.01, 10.6]);
}

/** Ticks down the slope, on both sides where the ground is level across. */
function paintSlopes(g: G, stretches: readonly Stretch[], palette: Palette, zoom: number): void {
  traceAll(g, stretches, 0.06);
  stroke(g, palette.brownEdge, zoom < 0.45 ? 5 : 4.6);
  stroke(g, palette.brown, zoom < 0.45 ? 3.4 : 2.6);
  if (zoom < 0.45) return;
  traceTicks(g, stretches, 8, 7);
  stroke(g, palette.brown, 1.5);
}

function traceTicks(g: G, stretches: readonly Stretch[], count: number, length: number): void {
  g.beginPath();
  for (const { a, b, up, level } of stretches) {
    for (let k = 0; k < count; k++) {
      const t = (k + 0.5) / count;
      const x = a.x + (b.x - a.x) * t;
      const y = a.y + (b.y - a.y) * t;
      const reach = level ? length * 0.6 : length;
      g.moveTo(level ? x + up.x * reach : x, level ? y + up.y * reach : y);
      g.lineTo(x - up.x * reach, y - up.y * reach);
    }
  }
}

/** A firm line with short blunt ticks toward the low ground. */
function paintCrests(g: G, stretches: readonly Stretch[], palette: Palette, zoom: number): void {
  if (zoom >= 0.45) {
    traceTicks(g, stretches, 4, 5);
    stroke(g, palette.crestEdge, 2.6);
  }
  traceAll(g, stretches);
  stroke(g, palette.crestEdge, 5.4);
  stroke(g, palette.crest, 3.4);
}

/** Teeth that point down, and the shadow at the foot. */
function paintCliffs(g: G, stretches: readonly Stretch[], palette: Palette, zoom: number): void {
  g.lineCap = 'butt';
  g.beginPath();
  for (const { a, b, up } of stretches) {
    g.moveTo(a.x - up.x * 4.5, a.y - up.y * 4.5);
    g.lineTo(b.x - up.x * 4.5, b.y - up.y * 4.5);
  }
  stroke(g, palette.cliffShadow, 9);
  g.lineCap = 'round';
  traceAll(g, stretches);
  stroke(g, palette.cliff, zoom < 0.45 ? 4.4 : 3);
  if (zoom < 0.45) return;
  g.beginPath();
  const teeth = 6;
  for (const { a, b, up } of stretches) {
    const [wx, wy] = [(b.x - a.x) / teeth, (b.y - a.y) / teeth];
    for (let k = 0; k < teeth; k++) {
      const x = a.x + wx * k;
      const y = a.y + wy * k;
      g.moveTo(x, y);
      g.lineTo(x + wx / 2 - up.x * 6.5, y + wy / 2 - up.y * 6.5);
      g.lineTo(x + wx, y + wy);
      g.closePath();
    }
  }
  g.fillStyle = palette.cliff;
  g.fill();
}

function paintWalls(g: G, stretches: readonly Stretch[], palette: Palette): void {
  g.lineCap = 'butt';
  traceAll(g, stretches, 0.03);
  stroke(g, palette.roofEdge, 5);
  stroke(g, palette.roofs[1].sunny, 3.2, [5, 1.6]);
  g.lineCap = 'round';
}

function paintChannels(g: G, stretches: readonly Stretch[], palette: Palette, zoom: number): void {
  traceAll(g, stretches);
  stroke(g, palette.waterEdge, 11);
  stroke(g, palette.water, 8);
  if (zoom >= 0.45) stroke(g, palette.glint, 2);
}

function paintRivers(g: G, stretches: readonly Stretch[], palette: Palette, zoom: number): void {
  traceAll(g, stretches);
  stroke(g, palette.waterEdge, 18);
  stroke(g, palette.water, 14.5);
  if (zoom >= 0.45) stroke(g, palette.glint, 2.4, [14, 22]);
}

function paintPlain(g: G, stretches: readonly Stretch[], palette: Palette): void {
  traceAll(g, stretches, 0.06);
  stroke(g, palette.halo, 4.4);
  stroke(g, palette.markerInk, 2.4, [6, 5]);
}

/** Half of the way over the water that a crossing spans. */
const SPAN = 9;

/** Lines from one bank to the other, each moved along the side by the steps given. */
function traceAcross(g: G, stretches: readonly Stretch[], steps: readonly number[]): void {
  g.beginPath();
  for (const { a, b, up } of stretches) {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    for (const step of steps) {
      const x = (a.x + b.x) / 2 + ((b.x - a.x) / length) * step;
      const y = (a.y + b.y) / 2 + ((b.y - a.y) / length) * step;
      g.moveTo(x - up.x * SPAN, y - up.y * SPAN);
      g.lineTo(x + up.x * SPAN, y + up.y * SPAN);
    }
  }
}

function paintFords(g: G, stretches: readonly Stretch[], palette: Palette): void {
  traceAcross(g, stretches, [0]);
  stroke(g, palette.road, 7, [3, 4]);
}

function paintSideBridges(g: G, stretches: readonly Stretch[], palette: Palette): void {
  traceAcross(g, stretches, [0]);
  stroke(g, palette.road, 8);
  traceAcross(g, stretches, [-4.4, 4.4]);
  stroke(g, palette.bridge, 2);
}
