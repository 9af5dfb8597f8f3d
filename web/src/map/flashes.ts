/** What happens in a hex for a moment: a shot and where it came from, the harm that is done. */

import { drawFireLine } from './lines';
import { drawPill, drawRing, type Stage, star } from './stage';

export interface Flash {
  hex: number;
  text: string;
  kind: 'hit' | 'shot' | 'contact';
  /** Where a shot came from. */
  from: readonly number[];
}

/** A burst behind the word of a hit; for a shot its line and a ring. */
export function drawFlash(stage: Stage, flash: Flash, age: number, isStill: boolean): void {
  const { g, grid, palette } = stage;
  const { hex, text, kind, from } = flash;
  const { x, y } = grid.center(hex);
  const alpha = age < 0.75 ? 1 : 1 - (age - 0.75) / 0.25;
  const grown = isStill ? 1 : Math.min(1, 0.35 + age * 6);
  g.save();
  g.globalAlpha = alpha;
  for (const start of from) {
    if (!grid.has(start)) continue;
    drawRing(stage, start, palette.fire, 3.5, 6);
    drawFireLine(stage, start, hex);
  }
  g.translate(x, y);
  g.scale(grown, grown);
  g.globalAlpha = alpha * (kind === 'hit' ? 0.85 : 0.6);
  g.beginPath();
  if (kind === 'hit') star(g, 34, 17, 9);
  else g.arc(0, 0, 26, 0, 7);
  if (kind === 'hit') {
    g.fillStyle = palette.fire;
    g.fill();
  }
  if (kind === 'contact') g.setLineDash([7, 5]);
  g.strokeStyle = kind === 'hit' ? palette.select : kind === 'contact' ? palette.target : palette.hover;
  g.lineWidth = 3;
  g.stroke();
  g.restore();
  const color = kind === 'hit' ? palette.target : palette.pillInk;
  if (text) drawPill(stage, text, x, y - 6 - (isStill ? 0 : age * 22), color, alpha);
}
