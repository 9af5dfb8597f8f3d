/** Where the board is looked at from: a point of the world in the middle of the canvas, and how near. */

import type { Grid, Point } from './grid';
import type { Box } from './outline';
import type { View } from './tiles';

const LARGEST_ZOOM = 3;
const GLIDE_TIME = 220;
/** How long after the last change of zoom or place the view counts as moving. */
const SETTLE_TIME = 140;
const MOST_DENSITY = 2;
/** CSS pixels left free around a board that is shown whole. */
const ROOM = 8;

/** A view to which the map can go back; its zoom is that of now, for whoever zooms places the map anew. */
interface Placed {
  middle: Point;
  isFitted: boolean;
}

interface Glide {
  from: Point;
  to: Point;
  begun: number;
}

/** How far a stretch has to be moved to lie between two ends; when it is too long for that, its last point alone. */
function shift(low: number, high: number, last: number, from: number, to: number): number {
  const [a, b] = high - low > to - from ? [last, last] : [low, high];
  return a < from ? from - a : b > to ? to - b : 0;
}

export class Camera {
  /** CSS pixels per world unit. */
  zoom = 1;
  /** Device pixels per CSS pixel. */
  density = 1;
  private grid: Grid | null = null;
  private middle: Point = { x: 0, y: 0 };
  private glide: Glide | null = null;
  private zoomedAt = -Infinity;
  private movedAt = -Infinity;
  /** The whole board is shown, whatever becomes of the canvas, until somebody moves the map. */
  private isFitted = false;
  /** As the player had the map before it was moved for him to see something. */
  private placed: Placed | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly isStill: boolean,
    private readonly changed: () => void,
  ) {}

  setGrid(grid: Grid): void {
    this.grid = grid;
    this.fit();
  }

  get isGliding(): boolean {
    return this.glide !== null;
  }

  isZooming(now: number): boolean {
    return now - this.zoomedAt < SETTLE_TIME;
  }

  isMoving(now: number): boolean {
    return this.isZooming(now) || now - this.movedAt < SETTLE_TIME;
  }

  // --- moving ----------------------------------------------------------------------------------------------------

  /** Brings a hex to the middle. */
  center(hex: number, animate: boolean): void {
    if (!this.grid?.has(hex)) return;
    this.glideTo(this.grid.center(hex), animate);
  }

  /** Whether the whole board is in view. */
  get showsAll(): boolean {
    return this.isFitted;
  }

  /** The map lies as the player had it before it was moved for him; false when he has it so. */
  goBack(animate: boolean): boolean {
    const { placed } = this;
    if (!placed) return false;
    this.glideTo(placed.middle, animate);
    this.isFitted = placed.isFitted;
    this.placed = null;
    return true;
  }

  /** What was shown at the edge of a board that is shown whole has been seen: it is whole again. */
  restore(animate: boolean): void {
    if (this.placed?.isFitted) this.goBack(animate);
  }

  private glideTo(place: Point, animate: boolean): void {
    const to = this.clamped(place);
    const placed = this.placed ?? { middle: { ...this.middle }, isFitted: this.isFitted };
    if (!animate || this.isStill) {
      this.moveTo(to);
      this.placed = placed;
      return;
    }
    this.isFitted = false;
    this.placed = placed;
    this.glide = { from: { ...this.middle }, to, begun: performance.now() };
    this.changed();
  }

  /** Moves the map no more than needed to have those hexes in the part of the canvas, in CSS pixels, or else the last of them; true when it had to. */
  reveal(hexes: readonly number[], part: Box, animate: boolean): boolean {
    const points = hexes.filter((hex) => this.grid?.has(hex)).map((hex) => this.toScreen(this.grid!.center(hex)));
    const last = points[points.length - 1];
    if (!last) return false;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const dx = shift(Math.min(...xs), Math.max(...xs), last.x, part.x0, part.x1);
    const dy = shift(Math.min(...ys), Math.max(...ys), last.y, part.y0, part.y1);
    if (!dx && !dy) return false;
    this.glideTo({ x: this.middle.x - dx / this.zoom, y: this.middle.y - dy / this.zoom }, animate);
    return true;
  }

  /** Shows the whole board. */
  fit(): void {
    if (!this.grid) return;
    this.setZoom(this.fitZoom());
    this.moveTo({ x: this.grid.worldWidth / 2, y: this.grid.worldHeight / 2 });
    this.isFitted = true;
  }

  /** Zooms about a point of the canvas, its middle when none is given. */
  zoomBy(factor: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2): void {
    const fixed = this.toWorld(x, y);
    this.setZoom(this.zoom * factor);
    const now = this.toWorld(x, y);
    this.moveTo({ x: this.middle.x + fixed.x - now.x, y: this.middle.y + fixed.y - now.y });
  }

  panBy(dx: number, dy: number): void {
    this.moveTo({ x: this.middle.x - dx / this.zoom, y: this.middle.y - dy / this.zoom });
  }

  /** Brings a point of the world to the middle, at once. */
  moveTo(to: Point): void {
    this.glide = null;
    this.isFitted = false;
    this.placed = null;
    this.middle = this.clamped(to);
    this.movedAt = performance.now();
    this.changed();
  }

  /** Takes a glide on to this moment; true while there is one. */
  advance(now: number): boolean {
    if (!this.glide) return false;
    const t = Math.min(1, (now - this.glide.begun) / GLIDE_TIME);
    const eased = 1 - (1 - t) ** 3;
    const { from, to } = this.glide;
    this.middle = { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
    if (t >= 1) this.glide = null;
    return true;
  }

  private fitZoom(): number {
    const { worldWidth, worldHeight } = this.grid!;
    const across = (this.canvas.clientWidth - 2 * ROOM) / worldWidth;
    const down = (this.canvas.clientHeight - 2 * ROOM) / worldHeight;
    return Math.max(0.02, Math.min(across, down, 1.6));
  }

  private setZoom(zoom: number): void {
    const least = Math.min(0.5, this.grid ? this.fitZoom() * 0.8 : 0.5);
    const next = Math.max(least, Math.min(LARGEST_ZOOM, zoom));
    if (next !== this.zoom) this.zoomedAt = performance.now();
    this.zoom = next;
  }

  /** The middle of the view stays on the board. */
  private clamped({ x, y }: Point): Point {
    if (!this.grid) return { x, y };
    const { worldWidth, worldHeight } = this.grid;
    return { x: Math.max(0, Math.min(worldWidth, x)), y: Math.max(0, Math.min(worldHeight, y)) };
  }

  // --- the canvas ------------------------------------------------------------------------------------------------

  /** A point of the world on the canvas, in CSS pixels. */
  toScreen({ x, y }: Point): Point {
    return {
      x: (x - this.middle.x) * this.zoom + this.canvas.clientWidth / 2,
      y: (y - this.middle.y) * this.zoom + this.canvas.clientHeight / 2,
    };
  }

  toWorld(x: number, y: number): Point {
    return {
      x: this.middle.x + (x - this.canvas.clientWidth / 2) / this.zoom,
      y: this.middle.y + (y - this.canvas.clientHeight / 2) / this.zoom,
    };
  }

  view(): View {
    const scale = this.zoom * this.density;
    const { width, height } = this.canvas;
    return { x: this.middle.x - width / scale / 2, y: this.middle.y - height / scale / 2, scale, width, height };
  }

  /** Gives the canvas as many pixels as it has room for; true when that changed them. */
  resize(): boolean {
    const density = Math.min(MOST_DENSITY, Math.max(1, window.devicePixelRatio || 1));
    const width = Math.max(1, Math.round(this.canvas.clientWidth * density));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * density));
    if (width === this.canvas.width && height === this.canvas.height && density === this.density) return false;
    this.canvas.width = width;
    this.canvas.height = height;
    this.density = density;
    if (this.isFitted) this.fit();
    return true;
  }
}
