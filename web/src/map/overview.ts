/** The board in small: pictures for the lobby, and the map to jump on. */

import { type Palette, PALETTES, type Theme } from '../palette';
import { Grid } from './grid';
import { hirePainter, type Order, RIM, TerrainPainter } from './painting';
import type { Sheet } from './sprites';
import type { Tiles, View } from './tiles';
import type { Stacks } from './stacks';
import type { Board } from './types';

/** Where the board with its rim lies on a canvas that shows all of it: a scale and the place of the world's origin. */
export function fitted(grid: Grid, width: number, height: number): { k: number; x: number; y: number } {
  const [wide, tall] = [grid.worldWidth + 2 * RIM, grid.worldHeight + 2 * RIM];
  const k = Math.min(width / wide, height / tall);
  return { k, x: (width - wide * k) / 2 + RIM * k, y: (height - tall * k) / 2 + RIM * k };
}

function drawPicture(g: CanvasRenderingContext2D, picture: CanvasImageSource, grid: Grid): void {
  const { width, height } = g.canvas;
  const { k, x, y } = fitted(grid, width, height);
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.imageSmoothingQuality = 'high';
  g.drawImage(picture, x - RIM * k, y - RIM * k, (grid.worldWidth + 2 * RIM) * k, (grid.worldHeight + 2 * RIM) * k);
}

/** The whole board in one picture, painted beside the page where that can be. */
export function boardPicture(board: Board, most: number, theme: Theme): Promise<Sheet | ImageBitmap> {
  return new Promise((done) => {
    const paintHere = () => done(new TerrainPainter(board).board(most, theme));
    const worker: Worker | null = hirePainter(
      board,
      ({ picture }) => {
        worker?.terminate();
        done(picture);
      },
      () => {
        worker?.terminate();
        paintHere();
      },
    );
    if (worker) worker.postMessage({ kind: 'overview', number: 0, most, theme } satisfies Order);
    else paintHere();
  });
}

/** Draws the picture of a whole board in the middle of a canvas. */
export function drawThumbnail(canvas: HTMLCanvasElement, board: Board, picture: Sheet | ImageBitmap, theme: Theme): void {
  const g = canvas.getContext('2d')!;
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.fillStyle = PALETTES[theme].void;
  g.fillRect(0, 0, canvas.width, canvas.height);
  drawPicture(g, picture, new Grid(board.width, board.height));
}

/** A small map of the whole board that shows where the large one is; pressing it moves the large one. */
export class JumpMap {
  private readonly off = new AbortController();

  constructor(readonly canvas: HTMLCanvasElement, private readonly jump: (x: number, y: number, width: number, height: number) => void) {
    const { signal } = this.off;
    const go = (event: PointerEvent) => {
      if (!(event.buttons & 1)) return;
      const box = canvas.getBoundingClientRect();
      this.jump(event.clientX - box.left, event.clientY - box.top, box.width, box.height);
    };
    canvas.style.touchAction = 'none';
    canvas.addEventListener('pointerdown', go, { signal });
    canvas.addEventListener('pointermove', go, { signal });
  }

  destroy(): void {
    this.off.abort();
  }

  draw(grid: Grid, tiles: Tiles, stacks: Stacks, view: View, palette: Palette): void {
    const { canvas } = this;
    const density = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.max(1, Math.round((canvas.clientWidth || canvas.width) * density));
    const height = Math.max(1, Math.round((canvas.clientHeight || canvas.height) * density));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const g = canvas.getContext('2d')!;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.fillStyle = palette.void;
    g.fillRect(0, 0, width, height);
    const picture = tiles.wholeBoard();
    if (picture) drawPicture(g, picture, grid);
    const { k, x: left, y: top } = fitted(grid, width, height);
    g.setTransform(k, 0, 0, k, left, top);
    const dot = Math.max(24, (4 * density) / k);
    for (const stack of stacks.stacks.values()) {
      const shown = stack.drawn[stack.drawn.length - 1] ?? stack.aircraft[0];
      if (!shown) continue;
      const { x, y } = grid.center(stack.hex);
      g.fillStyle = shown.look.colors.edge;
      g.fillRect(x - dot * 0.65, y - dot * 0.65, dot * 1.3, dot * 1.3);
      g.fillStyle = shown.look.colors.fill;
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
