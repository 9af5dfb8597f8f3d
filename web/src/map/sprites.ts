/** Tree crowns drawn once per size: a wood is then a few hundred copies, not a few thousand arcs. */

import type { Palette } from '../palette';

export type Sheet = HTMLCanvasElement | OffscreenCanvas;

export function newCanvas(width: number, height: number): Sheet {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

export function contextOf(sheet: Sheet, alpha = true): CanvasRenderingContext2D {
  return sheet.getContext('2d', { alpha }) as CanvasRenderingContext2D;
}

/** World units from the middle of a crown's picture to its border, for a tree of size 1. */
export const CROWN_REACH = 1.6;

const LOBES = [
  [[0, 0, 0.82], [-0.42, -0.18, 0.55], [0.4, -0.22, 0.55], [0.3, 0.38, 0.55], [-0.34, 0.36, 0.56]],
  [[0, 0, 0.86], [-0.3, -0.4, 0.5], [0.46, 0.02, 0.52], [-0.1, 0.46, 0.52], [-0.48, 0.12, 0.48]],
  [[0, 0, 0.8], [0.1, -0.46, 0.52], [0.46, 0.2, 0.5], [-0.46, 0.1, 0.54], [0, 0.46, 0.5]],
];

const stock = new Map<string, Sheet[]>();

/** The crowns of a palette at a number of pixels per world unit. */
export function crowns(palette: Palette, scale: number): readonly Sheet[] {
  const key = `${palette.theme} ${scale.toFixed(3)}`;
  let sheets = stock.get(key);
  if (!sheets) {
    sheets = palette.trees.flatMap((colors) => LOBES.map((lobes) => crown(colors, palette.treeShadow, lobes, scale)));
    if (stock.size > 12) stock.clear();
    stock.set(key, sheets);
  }
  return sheets;
}

/** Drawn at the size of a large tree; smaller ones are scaled down. */
const LARGE = 8.6;

function crown(colors: Palette['trees'][number], shadow: string, lobes: readonly number[][], scale: number): Sheet {
  const half = Math.ceil(LARGE * CROWN_REACH * scale);
  const sheet = newCanvas(half * 2, half * 2);
  const g = contextOf(sheet);
  g.translate(half, half);
  g.scale(half / CROWN_REACH, half / CROWN_REACH);
  const blob = (dx: number, dy: number, grow: number, fill: string): void => {
    g.beginPath();
    for (const [x, y, r] of lobes) {
      g.moveTo(x + dx + r + grow, y + dy);
      g.arc(x + dx, y + dy, Math.max(0.05, r + grow), 0, 7);
    }
    g.fillStyle = fill;
    g.fill();
  };
  blob(0.3, 0.36, 0.02, shadow);
  blob(0.02, 0.04, 0.1, colors.edge);
  blob(0, 0, 0, colors.body);
  blob(-0.24, -0.27, -0.38, colors.light);
  return sheet;
}
