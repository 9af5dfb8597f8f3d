/** The hexes that count: a rim around each, and the flag of who holds it. */

import type { SideColors } from '../palette';
import { RADIUS, traceHex } from './grid';
import { type Stage, star, twoTone, width } from './stage';
import type { Overlays } from './types';

type G = CanvasRenderingContext2D;

export function drawObjectives(stage: Stage, objectives: Overlays['objectives']): void {
  const { g, grid, palette, zoom } = stage;
  if (zoom < 0.2) return;
  for (const [hex, side] of objectives) {
    if (!grid.has(hex)) continue;
    const colors = side ? stage.sideColors(side) : palette.unowned;
    const { x, y } = grid.center(hex);
    const rim = new Path2D();
    traceHex(rim, { x, y }, 0.9);
    if (!side) g.setLineDash([width(stage, 7), width(stage, 6)]);
    twoTone(g, rim, palette.halo, width(stage, 5), colors.fill, width(stage, 2.8));
    g.setLineDash([]);
    const size = Math.max(1, 0.62 / zoom);
    g.save();
    g.translate(x - RADIUS + 8, y);
    g.scale(size, size);
    g.beginPath();
    if (side) traceFlag(g, colors.cue);
    else star(g, 8.6, 4.1);
    paint(g, colors, palette.halo);
    g.restore();
  }
}

/** The cloth tells the side by its shape as the counters do: plain, pointed, swallow-tailed or barred. */
function traceFlag(g: G, cue: SideColors['cue']): void {
  g.rect(-7, -13, 2, 25);
  g.moveTo(-5, -12);
  switch (cue) {
    case 'cut':
      g.lineTo(10, -6);
      g.lineTo(-5, 0);
      break;
    case 'two-cuts':
      g.lineTo(9, -12);
      g.lineTo(4.5, -6);
      g.lineTo(9, 0);
      g.lineTo(-5, 0);
      break;
    default:
      g.lineTo(8, -12);
      g.lineTo(8, -1);
      g.lineTo(-5, -1);
      if (cue === 'bar') g.rect(-5, 1, 13, 2);
  }
  g.closePath();
}

function paint(g: G, { fill, edge }: SideColors, halo: string): void {
  g.lineJoin = 'round';
  g.strokeStyle = halo;
  g.lineWidth = 4.6;
  g.stroke();
  g.strokeStyle = edge;
  g.lineWidth = 2;
  g.stroke();
  g.fillStyle = fill;
  g.fill();
}
