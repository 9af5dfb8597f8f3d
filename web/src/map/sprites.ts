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

/** From the middle of a crown's picture to its border, for a tree of size 1. */
const REACH = 1.6;

const LOBES = [
  [[0, 0, 0.82], [-0.42, -0.18, 0.55], [0.4, -0.22, 0.55], [0.3, 0.38, 0.55], [-0.34, 0.36, 0.56]],
  [[0, 0, 0.86], [-0.3, -0.4, 0.5], [0.46, 0.02, 0.52], [-0.1, 0.46, 0.52], [-0.48, 0.12, 0.48]],
  [[0, 0, 0.8], [0.1, -0.46, 0.52], [0.46, 0.2, 0.5], [-0.46, 0.1, 0.54], [0, 0.46, 0.5]],
];

export interface Crown {
  picture: Sheet;
  /** Pixels from the picture's corner to the middle of the crown. */
  half: number;
}

const stock = new Map<string, Crown[]>();

/** The crowns of a palette for trees of one size, in pixels; they are copied to whole pixels, never stretched. */
export function crowns(palette: Palette, size: number): readonly Crown[] {
  const pixels = Math.round(size * 2) / 2;
  const key = `${palette.theme} ${palette.season} ${pixels}`;
  let made = stock.get(key);
  if (!made) {
    made = palette.trees.flatMap((colors) => LOBES.map((lobes) => crown(colors, palette.treeShadow, lobes, pixels)));
    if (stock.size > 40) stock.clear();
    stock.set(key, made);
  }
  return made;
}

function crown(colors: Palette['trees'][number], shadow: string, lobes: readonly number[][], size: number): Crown {
  const half = Math.ceil(size * REACH);
  const picture = newCanvas(half * 2, half * 2);
  const g = contextOf(picture);
  g.translate(half, half);
  g.scale(size, size);
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
  return { picture, half };
}
