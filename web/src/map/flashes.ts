/** The result of an attack, for a moment, where it fell. */

import { drawPill, type Stage, star } from './stage';

export type FlashKind = 'hit' | 'miss';

/** A burst behind the word of a hit; a plain ring where nothing came of it. */
export function drawFlash(stage: Stage, hex: number, text: string, kind: FlashKind, age: number, isStill: boolean): void {
  const { g, grid, palette } = stage;
  const { x, y } = grid.center(hex);
  const alpha = age < 0.75 ? 1 : 1 - (age - 0.75) / 0.25;
  const grown = isStill ? 1 : Math.min(1, 0.35 + age * 6);
  g.save();
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
  g.strokeStyle = kind === 'hit' ? palette.select : palette.hover;
  g.lineWidth = 3;
  g.stroke();
  g.restore();
  const color = kind === 'hit' ? palette.target : palette.pillInk;
  if (text) drawPill(stage, text, x, y - 6 - (isStill ? 0 : age * 22), color, alpha);
}
