/** Squares of painted terrain, kept by zoom level. A worker paints them; where there is none, the page does, a few a frame. */

import type { Grid } from './grid';
import { type Delivery, hirePainter, type Order, RIM, type Style, TerrainPainter, TILE, type TilePlace } from './painting';
import type { Sheet } from './sprites';
import type { Board } from './types';

const MOST_KEPT = 120;
/** Orders that wait in the worker: more would be stale by the time their turn comes. */
const MOST_ORDERED = 2;
/** One frame paints tiles until this many milliseconds are gone, and never more than two. */
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

type Picture = Sheet | ImageBitmap;

interface Span {
  level: number;
  size: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export class Tiles {
  private kept = new Map<string, Picture>();
  /** Tiles of the style before, shown until there are new ones. */
  private former = new Map<string, Picture>();
  private overview: Picture | null = null;
  private worker: Worker | null = null;
  private painter: TerrainPainter | null = null;
  /** What was ordered and has not come; a number that is not here is of no use any more. */
  private readonly ordered = new Map<number, string>();
  private orders = 0;
  private level = NaN;
  /** A level that was wholly drawn, shown under one that is not yet. */
  private complete = NaN;
  private wanted: (TilePlace & { far: number })[] = [];

  constructor(private readonly board: Board, private readonly grid: Grid, private style: Style,
    private readonly arrived: () => void) {
    // an old browser, or a page whose policy forbids workers: the page paints for itself
    this.worker = hirePainter(board, (delivery) => this.receive(delivery), () => this.dismiss());
    this.orderOverview();
  }

  /** Whether every visible tile is there. */
  get isComplete(): boolean {
    return this.overview !== null && this.wanted.length === 0;
  }

  destroy(): void {
    this.worker?.terminate();
    this.worker = null;
    this.ordered.clear();
  }

  restyle(style: Style): void {
    this.style = style;
    this.former = this.kept;
    this.kept = new Map();
    this.complete = NaN;
    this.ordered.clear();
    this.orderOverview();
  }

  /** The whole board in one small picture: what shows before there are tiles, and the map to jump on. */
  wholeBoard(): Picture | null {
    return this.overview;
  }

  // --- painting --------------------------------------------------------------------------------------------------

  private dismiss(): void {
    this.worker?.terminate();
    this.worker = null;
    this.ordered.clear();
    this.orderOverview();
    this.arrived();
  }

  private receive({ number, picture }: Delivery): void {
    const key = this.ordered.get(number);
    if (key === undefined) {
      picture.close();
      return;
    }
    this.ordered.delete(number);
    if (key === 'overview') this.overview = picture;
    else this.keep(key, picture);
    // a tile that was painted ahead changes nothing on the screen
    if (key === 'overview' || this.wanted.some((place) => keyOf(place) === key)) this.arrived();
  }

  private orderOverview(): void {
    const { theme } = this.style;
    if (this.worker) {
      this.ordered.set(++this.orders, 'overview');
      this.worker.postMessage({ kind: 'overview', number: this.orders, most: OVERVIEW, theme } satisfies Order);
    } else {
      this.overview = this.ownPainter().board(OVERVIEW, theme);
    }
  }

  private ownPainter(): TerrainPainter {
    this.painter ??= new TerrainPainter(this.board);
    return this.painter;
  }

  private keep(key: string, picture: Picture): void {
    this.kept.set(key, picture);
    if (this.kept.size <= MOST_KEPT) return;
    const oldest = this.kept.keys().next().value!;
    const gone = this.kept.get(oldest)!;
    if ('close' in gone) gone.close();
    this.kept.delete(oldest);
  }

  /** Has tiles painted that the last drawing lacked; true when there are new ones to show at once. */
  work(isMoving: boolean): boolean {
    if (this.worker) {
      for (const place of this.wanted) this.order(place);
      return false;
    }
    if (!this.wanted.length) return false;
    const begun = performance.now();
    const most = isMoving ? 1 : MOST_PER_FRAME;
    for (let made = 0; made < most && this.wanted.length; made++) {
      if (made && performance.now() - begun > BUDGET) break;
      const place = this.wanted.shift()!;
      this.keep(keyOf(place), this.ownPainter().tile(place, this.style));
    }
    return true;
  }

  private order(place: TilePlace): boolean {
    const key = keyOf(place);
    if (!this.worker || this.ordered.size >= MOST_ORDERED || [...this.ordered.values()].includes(key)) return false;
    this.ordered.set(++this.orders, key);
    const { level, tx, ty } = place;
    const order: Order = { kind: 'tile', number: this.orders, place: { level, tx, ty }, style: this.style };
    this.worker.postMessage(order);
    return true;
  }

  /** Has one tile painted just beyond the visible ones, for the next pan; true when there may be more of them. */
  lookAhead(view: View): boolean {
    const span = this.span(this.level, view, 1);
    if (this.wanted.length || (span.x1 - span.x0 + 1) * (span.y1 - span.y0 + 1) > MOST_KEPT * 0.7) return false;
    const [next] = this.missing(span, view);
    if (!next) return false;
    if (this.worker) this.order(next);
    else this.keep(keyOf(next), this.ownPainter().tile(next, this.style));
    return true;
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  draw(g: CanvasRenderingContext2D, view: View, isZooming: boolean): void {
    const best = Math.ceil(Math.log2(view.scale) * 2 - 0.3);
    // while the zoom changes, tiles at hand are stretched rather than made for a level that is soon gone
    if (Number.isNaN(this.level) || !isZooming || Math.abs(best - this.level) > 2) this.level = best;
    const span = this.span(this.level, view);
    this.wanted = this.missing(span, view);
    if (this.wanted.length) {
      this.drawOverview(g, view);
      if (this.former.size) this.drawSpan(g, view, span, this.former);
      const isOther = !Number.isNaN(this.complete) && this.complete !== this.level;
      if (isOther) this.drawSpan(g, view, this.span(this.complete, view), this.kept);
    } else {
      this.complete = this.level;
      if (this.former.size) this.former = new Map();
    }
    this.drawSpan(g, view, span, this.kept);
  }

  private span(level: number, view: View, margin = 0): Span {
    const size = TILE / 2 ** (level / 2);
    const clamp = (at: number, most: number) => Math.max(-RIM, Math.min(most + RIM - 1e-6, at));
    const { worldWidth, worldHeight } = this.grid;
    return {
      level,
      size,
      x0: Math.floor(clamp(view.x, worldWidth) / size) - margin,
      y0: Math.floor(clamp(view.y, worldHeight) / size) - margin,
      x1: Math.floor(clamp(view.x + view.width / view.scale, worldWidth) / size) + margin,
      y1: Math.floor(clamp(view.y + view.height / view.scale, worldHeight) / size) + margin,
    };
  }

  private missing(span: Span, view: View): typeof this.wanted {
    const { worldWidth, worldHeight } = this.grid;
    const cx = view.x + view.width / view.scale / 2;
    const cy = view.y + view.height / view.scale / 2;
    const list: typeof this.wanted = [];
    for (let ty = span.y0; ty <= span.y1; ty++) {
      for (let tx = span.x0; tx <= span.x1; tx++) {
        const place = { level: span.level, tx, ty };
        if (this.kept.has(keyOf(place))) continue;
        const isOff = (tx + 1) * span.size < -RIM || (ty + 1) * span.size < -RIM
          || tx * span.size > worldWidth + RIM || ty * span.size > worldHeight + RIM;
        if (isOff) continue;
        const far = Math.hypot((tx + 0.5) * span.size - cx, (ty + 0.5) * span.size - cy);
        list.push({ ...place, far });
      }
    }
    return list.sort((a, b) => a.far - b.far);
  }

  private drawSpan(g: CanvasRenderingContext2D, view: View, span: Span, tiles: Map<string, Picture>): void {
    const edge = span.size * view.scale;
    // the board's origin on a whole pixel, so that unstretched tiles are copied as they are
    const ox = Math.round(-view.x * view.scale);
    const oy = Math.round(-view.y * view.scale);
    for (let ty = span.y0; ty <= span.y1; ty++) {
      for (let tx = span.x0; tx <= span.x1; tx++) {
        const key = keyOf({ level: span.level, tx, ty });
        const tile = tiles.get(key);
        if (!tile) continue;
        // what was drawn last is thrown out last
        tiles.delete(key);
        tiles.set(key, tile);
        const x = ox + Math.round(tx * edge);
        const y = oy + Math.round(ty * edge);
        g.drawImage(tile, x, y, ox + Math.round((tx + 1) * edge) - x, oy + Math.round((ty + 1) * edge) - y);
      }
    }
  }

  private drawOverview(g: CanvasRenderingContext2D, view: View): void {
    if (!this.overview) return;
    g.drawImage(this.overview, (-RIM - view.x) * view.scale, (-RIM - view.y) * view.scale,
      (this.grid.worldWidth + 2 * RIM) * view.scale, (this.grid.worldHeight + 2 * RIM) * view.scale);
  }
}

function keyOf({ level, tx, ty }: TilePlace): string {
  return `${level}:${tx}:${ty}`;
}
