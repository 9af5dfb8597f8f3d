/** The board in small: pictures for the lobby, and the map to jump on. */

import { type Palette, PALETTES, type Theme } from '../palette';
import { Chart } from './chart';
import { Scatter } from './scatter';
import { boardPicture, RIM, type Tiles, type View } from './tiles';
import type { Stacks } from './stacks';
import type { BoardSheet } from './types';

/** Draws a board over the whole of a canvas, whose height is set to fit its width. */
export function drawThumbnail(canvas: HTMLCanvasElement, sheet: BoardSheet, theme: Theme = 'light'): void {
  const chart = new Chart(sheet);
  const { worldWidth, worldHeight } = chart.grid;
  const [wide, tall] = [worldWidth + 2 * RIM, worldHeight + 2 * RIM];
  canvas.height = Math.max(1, Math.round((canvas.width * tall) / wide));
  // painted at twice the size and shrunk: fine lines come out clean
  const picture = boardPicture(chart, new Scatter(chart), PALETTES[theme], Math.max(canvas.width, canvas.height) * 2);
  const g = canvas.getContext('2d')!;
  g.imageSmoothingQuality = 'high';
  g.drawImage(picture, 0, 0, canvas.width, canvas.height);
}

/** A small map of the whole board that shows where the large one is; pressing it moves the large one. */
export class JumpMap {
  private readonly off = new AbortController();

  constructor(readonly canvas: HTMLCanvasElement, private readonly jump: (x: number, y: number) => void) {
    const { signal } = this.off;
    const go = (event: PointerEvent) => {
      if (!(event.buttons & 1)) return;
      const box = canvas.getBoundingClientRect();
      this.jump((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    };
    canvas.style.touchAction = 'none';
    canvas.addEventListener('pointerdown', go, { signal });
    canvas.addEventListener('pointermove', go, { signal });
  }

  destroy(): void {
    this.off.abort();
  }

  draw(chart: Chart, tiles: Tiles, stacks: Stacks, view: View, palette: Palette): void {
    const { canvas } = this;
    const { worldWidth, worldHeight } = chart.grid;
    const [wide, tall] = [worldWidth + 2 * RIM, worldHeight + 2 * RIM];
    const density = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.max(1, Math.round((canvas.clientWidth || canvas.width) * density));
    const height = Math.max(1, Math.round((width * tall) / wide));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const g = canvas.getContext('2d')!;
    const k = width / wide;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.imageSmoothingQuality = 'high';
    g.drawImage(tiles.wholeBoard(), 0, 0, width, height);
    g.setTransform(k, 0, 0, k, RIM * k, RIM * k);
    const dot = Math.max(24, (4 * density) / k);
    for (const stack of stacks.stacks.values()) {
      const top = stack.drawn[stack.drawn.length - 1] ?? stack.aircraft[0];
      if (!top) continue;
      const { x, y } = chart.grid.center(stack.hex);
      g.fillStyle = top.look.colors.edge;
      g.fillRect(x - dot * 0.65, y - dot * 0.65, dot * 1.3, dot * 1.3);
      g.fillStyle = top.look.colors.fill;
      g.fillRect(x - dot / 2, y - dot / 2, dot, dot);
    }
    g.strokeStyle = palette.casing;
    g.lineWidth = (3.5 * density) / k;
    g.strokeRect(view.x, view.y, view.width / view.scale, view.height / view.scale);
    g.strokeStyle = palette.select;
    g.lineWidth = (1.6 * density) / k;
    g.strokeRect(view.x, view.y, view.width / view.scale, view.height / view.scale);
  }
}
