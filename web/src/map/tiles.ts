/** Squares of painted terrain, kept by zoom level and made a few at a time. */

import type { Palette } from '../palette';
import type { Chart } from './chart';
import { Scatter } from './scatter';
import { contextOf, newCanvas, type Sheet } from './sprites';
import { paintTerrain } from './terrain';

/** The edge of a tile, in device pixels. */
export const TILE = 512;
const MOST_KEPT = 120;
/** World units around the board that are painted too: its shadow and the arrows of its roads. */
export const RIM = 24;
/** One frame makes tiles until this many milliseconds are gone, and never more than two. */
const BUDGET = 7;
const MOST_PER_FRAME = 2;
const OVERVIEW = 1024;

export interface View {
  /** World coordinates of the canvas's upper left corner. */
  x: number;
  y: number;
  /** Device pixels per world unit. */
  scale: number;
  /** The canvas in device pixels. */
  width: number;
  height: number;
}

interface Span {
  level: number;
  size: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export class Tiles {
  private readonly kept = new Map<string, Sheet>();
  private readonly scatter: Scatter;
  private overview: Sheet | null = null;
  private level = NaN;
  /** A level that was wholly drawn, shown under one that is not yet. */
  private complete = NaN;
  private wanted: { level: number; tx: number; ty: number; far: number }[] = [];

  constructor(private readonly chart: Chart, private palette: Palette, private readonly density: number,
    private labels: boolean) {
    this.scatter = new Scatter(chart);
  }

  /** Whether every visible tile is there. */
  get isComplete(): boolean {
    return this.wanted.length === 0;
  }

  restyle(palette: Palette, labels: boolean): void {
    this.palette = palette;
    this.labels = labels;
    this.kept.clear();
    this.overview = null;
    this.complete = NaN;
  }

  /** The whole board in one small picture: what shows before there are tiles, and the map to jump on. */
  wholeBoard(): Sheet {
    if (!this.overview) this.overview = boardPicture(this.chart, this.scatter, this.palette, OVERVIEW);
    return this.overview;
  }

  draw(g: CanvasRenderingContext2D, view: View, isZooming: boolean): void {
    const best = Math.ceil(Math.log2(view.scale) * 2 - 0.3);
    // while the zoom changes, tiles at hand are stretched rather than made for a level that is soon gone
    if (Number.isNaN(this.level) || !isZooming || Math.abs(best - this.level) > 2) this.level = best;
    const span = this.span(this.level, view);
    this.wanted = this.missing(span, view);
    if (this.wanted.length) {
      this.drawOverview(g, view);
      if (!Number.isNaN(this.complete) && this.complete !== this.level) this.drawSpan(g, view, this.span(this.complete, view));
    } else {
      this.complete = this.level;
    }
    this.drawSpan(g, view, span);
  }

  /** Makes tiles that the last drawing lacked; true when there are new ones to show. */
  work(isMoving: boolean): boolean {
    if (!this.wanted.length) return false;
    const begun = performance.now();
    const most = isMoving ? 1 : MOST_PER_FRAME;
    for (let made = 0; made < most && this.wanted.length; made++) {
      if (made && performance.now() - begun > BUDGET) break;
      const { level, tx, ty } = this.wanted.shift()!;
      this.make(level, tx, ty);
    }
    return true;
  }

  /** Makes one tile just beyond the visible ones, for the next pan; false when there is none left to make. */
  lookAhead(view: View): boolean {
    const span = this.span(this.level, view, 1);
    if (this.wanted.length || (span.x1 - span.x0 + 1) * (span.y1 - span.y0 + 1) > MOST_KEPT * 0.7) return false;
    const [next] = this.missing(span, view);
    if (!next) return false;
    this.make(next.level, next.tx, next.ty);
    return true;
  }

  private span(level: number, view: View, margin = 0): Span {
    const { grid } = this.chart;
    const size = TILE / 2 ** (level / 2);
    const clamp = (at: number, most: number) => Math.max(-RIM, Math.min(most + RIM - 1e-6, at));
    return {
      level,
      size,
      x0: Math.floor(clamp(view.x, grid.worldWidth) / size) - margin,
      y0: Math.floor(clamp(view.y, grid.worldHeight) / size) - margin,
      x1: Math.floor(clamp(view.x + view.width / view.scale, grid.worldWidth) / size) + margin,
      y1: Math.floor(clamp(view.y + view.height / view.scale, grid.worldHeight) / size) + margin,
    };
  }

  private missing(span: Span, view: View): typeof this.wanted {
    const { grid } = this.chart;
    const cx = view.x + view.width / view.scale / 2;
    const cy = view.y + view.height / view.scale / 2;
    const list: typeof this.wanted = [];
    for (let ty = span.y0; ty <= span.y1; ty++) {
      for (let tx = span.x0; tx <= span.x1; tx++) {
        if (this.kept.has(`${span.level}:${tx}:${ty}`)) continue;
        const isOff = (tx + 1) * span.size < -RIM || (ty + 1) * span.size < -RIM
          || tx * span.size > grid.worldWidth + RIM || ty * span.size > grid.worldHeight + RIM;
        if (isOff) continue;
        const far = Math.hypot((tx + 0.5) * span.size - cx, (ty + 0.5) * span.size - cy);
        list.push({ level: span.level, tx, ty, far });
      }
    }
    return list.sort((a, b) => a.far - b.far);
  }

  private drawSpan(g: CanvasRenderingContext2D, view: View, span: Span): void {
    const edge = span.size * view.scale;
    // the board's origin on a whole pixel, so that unstretched tiles are copied as they are
    const ox = Math.round(-view.x * view.scale);
    const oy = Math.round(-view.y * view.scale);
    for (let ty = span.y0; ty <= span.y1; ty++) {
      for (let tx = span.x0; tx <= span.x1; tx++) {
        const key = `${span.level}:${tx}:${ty}`;
        const tile = this.kept.get(key);
        if (!tile) continue;
        this.kept.delete(key);
        this.kept.set(key, tile);
        const x = ox + Math.round(tx * edge);
        const y = oy + Math.round(ty * edge);
        g.drawImage(tile, x, y, ox + Math.round((tx + 1) * edge) - x, oy + Math.round((ty + 1) * edge) - y);
      }
    }
  }

  private drawOverview(g: CanvasRenderingContext2D, view: View): void {
    const { grid } = this.chart;
    g.drawImage(this.wholeBoard(), (-RIM - view.x) * view.scale, (-RIM - view.y) * view.scale,
      (grid.worldWidth + 2 * RIM) * view.scale, (grid.worldHeight + 2 * RIM) * view.scale);
  }

  private make(level: number, tx: number, ty: number): void {
    const scale = 2 ** (level / 2);
    const size = TILE / scale;
    const sheet = newCanvas(TILE, TILE);
    paintTerrain(contextOf(sheet, false), this.chart, this.scatter, this.palette, {
      x0: tx * size, y0: ty * size, x1: (tx + 1) * size, y1: (ty + 1) * size,
      scale, density: this.density, labels: this.labels,
    });
    this.kept.set(`${level}:${tx}:${ty}`, sheet);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
  }
}

/** The board with its rim, at most so many pixels wide and high. */
export function boardPicture(chart: Chart, scatter: Scatter, palette: Palette, most: number): Sheet {
  const { grid } = chart;
  const scale = most / (Math.max(grid.worldWidth, grid.worldHeight) + 2 * RIM);
  const sheet = newCanvas(Math.max(1, Math.round((grid.worldWidth + 2 * RIM) * scale)),
    Math.max(1, Math.round((grid.worldHeight + 2 * RIM) * scale)));
  paintTerrain(contextOf(sheet, false), chart, scatter, palette, {
    x0: -RIM, y0: -RIM, x1: grid.worldWidth + RIM, y1: grid.worldHeight + RIM, scale, density: 1, labels: false,
  });
  return sheet;
}
