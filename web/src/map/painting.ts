/** What is asked of whoever paints terrain, and the painting itself: the same in a worker and on the page. */

import { seasonal, type Season, type Theme } from '../palette';
import { Chart } from './chart';
import type { Grid } from './grid';
import { Scatter } from './scatter';
import { contextOf, newCanvas, type Sheet } from './sprites';
import { paintTerrain } from './terrain';
import type { Board } from './types';

/** The edge of a tile, in device pixels. */
export const TILE = 512;
/** World units around the board that are painted too: its shadow and the arrows of its roads. */
export const RIM = 24;

export interface Style {
  theme: Theme;
  labels: boolean;
  /** Device pixels per CSS pixel. */
  density: number;
  /** Hexes whose bridge is down. */
  ruins: readonly number[];
}

/** A tile by zoom level and place; tile 0, 0 begins at the world's origin. Level n has 2^(n/2) pixels per unit. */
export interface TilePlace {
  level: number;
  tx: number;
  ty: number;
}

export class TerrainPainter {
  private readonly chart: Chart;
  private readonly scatter: Scatter;
  private readonly season: Season;

  constructor(board: Board) {
    this.season = board.season;
    this.chart = new Chart(board);
    this.scatter = new Scatter(this.chart);
  }

  get grid(): Grid {
    return this.chart.grid;
  }

  tile({ level, tx, ty }: TilePlace, { theme, labels, density, ruins }: Style): Sheet {
    const scale = 2 ** (level / 2);
    const size = TILE / scale;
    const sheet = newCanvas(TILE, TILE);
    paintTerrain(contextOf(sheet, false), this.chart, this.scatter, seasonal(theme, this.season), {
      x0: tx * size, y0: ty * size, x1: (tx + 1) * size, y1: (ty + 1) * size, scale, density, labels, ruins,
    });
    return sheet;
  }

  /** The whole board with its rim, at most so many pixels wide and high. */
  board(most: number, theme: Theme): Sheet {
    const { grid } = this.chart;
    const [wide, tall] = [grid.worldWidth + 2 * RIM, grid.worldHeight + 2 * RIM];
    const scale = most / Math.max(wide, tall);
    const sheet = newCanvas(Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(tall * scale)));
    paintTerrain(contextOf(sheet, false), this.chart, this.scatter, seasonal(theme, this.season), {
      x0: -RIM, y0: -RIM, x1: grid.worldWidth + RIM, y1: grid.worldHeight + RIM, scale, density: 1, labels: false, ruins: [],
    });
    return sheet;
  }
}

export type Order =
  | { kind: 'board'; board: Board }
  | { kind: 'overview'; number: number; most: number; theme: Theme }
  | { kind: 'tile'; number: number; place: TilePlace; style: Style };

export interface Delivery {
  number: number;
  picture: ImageBitmap;
}

/** A painter beside the page; null where a browser has none or its page's policy forbids it. */
export function hirePainter(board: Board, receive: (delivery: Delivery) => void, lost: () => void): Worker | null {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') return null;
  try {
    const worker = new Worker(new URL('./tileworker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Delivery>) => receive(data);
    worker.onerror = lost;
    worker.postMessage({ kind: 'board', board } satisfies Order);
    return worker;
  } catch {
    return null;
  }
}
