/** What everything that is drawn over the ground has in common: the view it is drawn in, two-tone lines, lettering. */

import { FONT, type Palette, type SideColors } from '../palette';
import { type Grid, type Point, traceHex } from './grid';
import type { Box } from './outline';

type G = CanvasRenderingContext2D;

/** The state of the view that an overlay is drawn in; the context is in world units. */
export interface Stage {
  g: G;
  grid: Grid;
  palette: Palette;
  /** Device pixels per world unit. */
  scale: number;
  /** CSS pixels per world unit. */
  zoom: number;
  hover: number;
  isOccupied: (hex: number) => boolean;
  sideColors: (side: string) => SideColors;
  /** Where counters lie that lettering had better not cover, in world units. */
  covered: readonly Box[];
}

/** A line width that does not vanish when the map is far. */
export function width({ zoom }: Stage, world: number): number {
  return Math.max(world, (world * 0.55) / zoom);
}

export function twoTone(g: G, path: Path2D, under: string, wide: number, over: string, slim: number): void {
  g.strokeStyle = under;
  g.lineWidth = wide;
  g.stroke(path);
  g.strokeStyle = over;
  g.lineWidth = slim;
  g.stroke(path);
}

export function haloText(g: G, text: string, x: number, y: number, ink: string, halo: string, size: number): void {
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.lineWidth = size * 0.3;
  g.lineJoin = 'round';
  g.strokeStyle = halo;
  g.strokeText(text, x, y + size * 0.06);
  g.fillStyle = ink;
  g.fillText(text, x, y + size * 0.06);
}

export function drawRing(stage: Stage, hex: number, color: string, slim: number, wide: number): void {
  const ring = new Path2D();
  traceHex(ring, stage.grid.center(hex), 0.93);
  twoTone(stage.g, ring, stage.palette.casing, width(stage, wide), color, width(stage, slim));
}

export function segment(from: Point, to: Point): Path2D {
  const line = new Path2D();
  line.moveTo(from.x, from.y);
  line.lineTo(to.x, to.y);
  return line;
}

/** Adds a star around the origin to the path of the context. */
export function star(g: G, outer: number, inner: number, points = 5): void {
  for (let k = 0; k < points * 2; k++) {
    const r = k % 2 ? inner : outer;
    const angle = (k / points) * Math.PI - Math.PI / 2;
    const [x, y] = [Math.cos(angle) * r, Math.sin(angle) * r];
    if (k) g.lineTo(x, y);
    else g.moveTo(x, y);
  }
  g.closePath();
}

/** How large the field around a text is. */
export function pillSize({ g, zoom }: Stage, text: string): { wide: number; tall: number; size: number } {
  const size = Math.max(11.5, 10 / zoom);
  g.font = `700 ${size}px ${FONT}`;
  return { wide: g.measureText(text).width + size, tall: size * 1.56, size };
}

/** Text in a rounded field of its own. */
export function drawPill(stage: Stage, text: string, x: number, y: number, edge: string, alpha = 1): void {
  const { g, palette, zoom } = stage;
  const { wide, tall, size } = pillSize(stage, text);
  g.globalAlpha = alpha;
  g.beginPath();
  g.roundRect(x - wide / 2, y - tall / 2, wide, tall, size * 0.5);
  g.fillStyle = palette.pill;
  g.fill();
  g.strokeStyle = edge;
  g.lineWidth = Math.max(1.6, 1.4 / zoom);
  g.stroke();
  g.fillStyle = palette.pillInk;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(text, x, y + size * 0.06);
  g.globalAlpha = 1;
}
