/** The map: a board, the pieces on it and what the game says about them, on one canvas. */

import { FONT, NAME_FONT, type Palette, PALETTES, type SideColors, sideColors, type Theme } from '../palette';
import { push } from './chart';
import { COUNTER, CounterPictures, detailAt, PICTURE } from './counters';
import { ACROSS, Grid, type Point } from './grid';
import { drawMarker } from './markers';
import { drawFlash, OverlayPainter, type Stage } from './overlays';
import { drawThumbnail, fitted, JumpMap } from './overview';
import { RIM, type Style } from './painting';
import { type Gesture, PointerInput } from './pointer';
import { type Placed, type Stack, Stacks } from './stacks';
import { Tiles, type View } from './tiles';
import type { BoardSheet, MapEvent, MapEventKind, Overlays, Piece } from './types';

export type { BoardSheet, MapEvent, MapEventKind, Overlays, Piece, SightMark } from './types';
export type { Theme } from '../palette';

export interface HexMapOptions {
  theme?: Theme;
  reducedMotion?: boolean;
}

type Handler = (event: MapEvent) => void;

interface Journey {
  unit: number;
  points: Point[];
  begun: number;
  duration: number;
  done: () => void;
}

interface Flash {
  hex: number;
  text: string;
  kind: 'hit' | 'miss' | 'info';
  begun: number;
}

interface Glide {
  from: Point;
  to: Point;
  begun: number;
}

const LARGEST_ZOOM = 3;
const FLASH_TIME = 1500;
const GLIDE_TIME = 220;
const MS_PER_HEX = 170;
const LONGEST_JOURNEY = 1100;
/** How long after the last change of zoom or place the view counts as moving. */
const SETTLE_TIME = 140;
const MOST_DENSITY = 2;

export class HexMap {
  private readonly g: CanvasRenderingContext2D;
  private readonly overlays = new OverlayPainter();
  private readonly pictures: CounterPictures;
  private readonly input: PointerInput;
  private readonly handlers = new Map<MapEventKind, Set<Handler>>();
  private readonly sizes: ResizeObserver;
  private readonly isStill: boolean;
  private palette: Palette;
  private sheet: BoardSheet | null = null;
  private grid: Grid | null = null;
  private tiles: Tiles | null = null;
  private pieces: readonly Piece[] = [];
  private sides: readonly string[] = [];
  private stacks: Stacks;
  private labels = true;
  private center_: Point = { x: 0, y: 0 };
  private zoom = 1;
  private density = 1;
  private hover = 0;
  private dragged: number[] = [];
  private jump: JumpMap | null = null;
  private journeys: Journey[] = [];
  /** Pieces that have arrived and wait for the news that they have. */
  private arrived = new Map<number, Point>();
  private flashes: Flash[] = [];
  private glide: Glide | null = null;
  private frame = 0;
  private isStale = false;
  private ahead = 0;
  private zoomedAt = -Infinity;
  private movedAt = -Infinity;
  private needsFit = false;
  private isReady = false;
  private isZooming = false;

  constructor(readonly canvas: HTMLCanvasElement, options: HexMapOptions = {}) {
    this.g = canvas.getContext('2d', { alpha: false })!;
    this.palette = PALETTES[options.theme ?? 'light'];
    this.isStill = options.reducedMotion ?? window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.pictures = new CounterPictures(this.palette);
    this.stacks = new Stacks([], new Set(), this.palette, new Map());
    this.input = new PointerInput(canvas, {
      canDrag: (x, y) => this.canDrag(x, y),
      pan: (dx, dy) => this.panBy(dx, dy),
      zoom: (factor, x, y) => this.zoomBy(factor, x, y),
      tell: (kind, at) => this.told(kind, at),
    });
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(canvas);
    this.resize();
  }

  // --- what is shown ---------------------------------------------------------------------------------------------

  setBoard(sheet: BoardSheet): void {
    this.tiles?.destroy();
    this.sheet = sheet;
    this.grid = new Grid(sheet.width, sheet.height);
    this.tiles = new Tiles(sheet, this.grid, this.style(), () => this.redraw());
    this.overlays.forgetAreas();
    this.overlays.set({ objectives: new Map((sheet.objectives ?? []).map(([hex, title]) => [hex, { title, side: '' }])) });
    this.isReady = false;
    this.canvas.dataset.ready = 'false';
    this.needsFit = true;
    this.fit();
    this.redraw();
  }

  /** Names the sides in their order; it decides their colors. Sides of pieces that are not named come after them. */
  setSides(ids: readonly string[]): void {
    this.sides = ids;
    this.restack();
  }

  setPieces(pieces: readonly Piece[]): void {
    this.pieces = pieces;
    this.arrived.clear();
    this.restack();
  }

  setOverlays(change: Partial<Overlays>): void {
    const before = this.overlays.current.selectedPieces.join();
    this.overlays.set(change);
    if (this.overlays.current.selectedPieces.join() !== before) this.restack();
    this.redraw();
  }

  setTheme(theme: Theme): void {
    if (this.palette.theme === theme) return;
    this.palette = PALETTES[theme];
    this.pictures.setPalette(this.palette);
    this.tiles?.restyle(this.style());
    this.restack();
  }

  setLabels(on: boolean): void {
    if (this.labels === on) return;
    this.labels = on;
    this.tiles?.restyle(this.style());
    this.redraw();
  }

  private style(): Style {
    return { theme: this.palette.theme, labels: this.labels, density: this.density };
  }

  private restack(): void {
    const found = this.pieces.map((piece) => piece.side).filter(Boolean);
    const colors = sideColors([...new Set([...this.sides, ...found])]);
    this.stacks = new Stacks(this.pieces, new Set(this.overlays.current.selectedPieces), this.palette, colors);
    this.redraw();
  }

  /** Calls the handler at each event of that kind until the function it gives back is called. */
  on(kind: MapEventKind, handler: Handler): () => void {
    const set = this.handlers.get(kind) ?? new Set();
    this.handlers.set(kind, set.add(handler));
    return () => set.delete(handler);
  }

  // --- where it is looked at from --------------------------------------------------------------------------------

  /** The center of a hex on the canvas, in CSS pixels. */
  project(hex: number): Point {
    if (!this.grid) return { x: 0, y: 0 };
    return this.toScreen(this.grid.center(hex));
  }

  /** The hex at a point of the canvas in CSS pixels, 0 off the board. */
  hexAt(x: number, y: number): number {
    if (!this.grid) return 0;
    const world = this.toWorld(x, y);
    return this.grid.at(world.x, world.y);
  }

  center(hex: number, animate = true): void {
    if (!this.grid?.has(hex)) return;
    const to = this.clamped(this.grid.center(hex));
    this.needsFit = false;
    if (animate && !this.isStill) this.glide = { from: { ...this.center_ }, to, begun: performance.now() };
    else this.moveTo(to);
    this.redraw();
  }

  /** Shows the whole board. */
  fit(): void {
    if (!this.grid) return;
    const { grid } = this;
    this.glide = null;
    this.setZoom(this.fitZoom());
    this.moveTo({ x: grid.worldWidth / 2, y: grid.worldHeight / 2 });
  }

  /** 1 the whole board, 2 at natural size, 3 near. */
  zoomTo(step: 1 | 2 | 3): void {
    if (step === 1) {
      this.fit();
      return;
    }
    this.zoomBy((step === 2 ? 1 : Math.SQRT2) / this.zoom);
  }

  /** Zooms about a point of the canvas, its middle when none is given. */
  zoomBy(factor: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2): void {
    const fixed = this.toWorld(x, y);
    this.glide = null;
    this.needsFit = false;
    this.setZoom(this.zoom * factor);
    const now = this.toWorld(x, y);
    this.moveTo({ x: this.center_.x + fixed.x - now.x, y: this.center_.y + fixed.y - now.y });
  }

  panBy(dx: number, dy: number): void {
    this.glide = null;
    this.needsFit = false;
    this.moveTo({ x: this.center_.x - dx / this.zoom, y: this.center_.y - dy / this.zoom });
  }

  private fitZoom(): number {
    const { worldWidth, worldHeight } = this.grid!;
    const room = 16;
    const across = (this.canvas.clientWidth - room) / worldWidth;
    const down = (this.canvas.clientHeight - room) / worldHeight;
    return Math.max(0.02, Math.min(across, down, 1.6));
  }

  private setZoom(zoom: number): void {
    const least = Math.min(0.5, this.grid ? this.fitZoom() * 0.8 : 0.5);
    const next = Math.max(least, Math.min(LARGEST_ZOOM, zoom));
    if (next !== this.zoom) this.zoomedAt = performance.now();
    this.zoom = next;
  }

  private moveTo(to: Point): void {
    this.center_ = this.clamped(to);
    this.movedAt = performance.now();
    this.redraw();
  }

  /** The middle of the view stays on the board, and a board smaller than the view stays in its middle. */
  private clamped({ x, y }: Point): Point {
    if (!this.grid) return { x, y };
    const { worldWidth, worldHeight } = this.grid;
    return { x: Math.max(0, Math.min(worldWidth, x)), y: Math.max(0, Math.min(worldHeight, y)) };
  }

  private toScreen({ x, y }: Point): Point {
    return {
      x: (x - this.center_.x) * this.zoom + this.canvas.clientWidth / 2,
      y: (y - this.center_.y) * this.zoom + this.canvas.clientHeight / 2,
    };
  }

  private toWorld(x: number, y: number): Point {
    return {
      x: this.center_.x + (x - this.canvas.clientWidth / 2) / this.zoom,
      y: this.center_.y + (y - this.canvas.clientHeight / 2) / this.zoom,
    };
  }

  private view(): View {
    const scale = this.zoom * this.density;
    const { width, height } = this.canvas;
    return { x: this.center_.x - width / scale / 2, y: this.center_.y - height / scale / 2, scale, width, height };
  }

  private resize(): void {
    const density = Math.min(MOST_DENSITY, Math.max(1, window.devicePixelRatio || 1));
    const width = Math.max(1, Math.round(this.canvas.clientWidth * density));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * density));
    if (width === this.canvas.width && height === this.canvas.height && density === this.density) return;
    this.canvas.width = width;
    this.canvas.height = height;
    const isOther = density !== this.density;
    this.density = density;
    if (isOther) this.tiles?.restyle(this.style());
    if (this.needsFit) this.fit();
    // an empty canvas would flash until the next frame
    this.draw(performance.now());
  }

  // --- what happens ----------------------------------------------------------------------------------------------

  /** Shows a piece moving along hexes; done when it has arrived, at once where motion is not wanted. */
  animateMove(unit: number, path: readonly number[]): Promise<void> {
    const { grid } = this;
    if (!grid || path.length < 2) return Promise.resolve();
    const points = path.filter((hex) => grid.has(hex)).map((hex) => grid.center(hex));
    if (points.length < 2) return Promise.resolve();
    if (this.isStill || document.hidden) {
      this.arrived.set(unit, points[points.length - 1]);
      this.redraw();
      return Promise.resolve();
    }
    const duration = Math.min(LONGEST_JOURNEY, MS_PER_HEX * (points.length - 1));
    return new Promise((done) => {
      this.journeys.push({ unit, points, begun: performance.now(), duration, done });
      this.redraw();
    });
  }

  flashResult(hex: number, text: string, kind: 'hit' | 'miss' | 'info'): void {
    if (!this.grid?.has(hex)) return;
    this.flashes.push({ hex, text, kind, begun: performance.now() });
    this.redraw();
  }

  // --- boards in small -------------------------------------------------------------------------------------------

  /** Draws a whole board in the middle of a canvas, in the theme of the page when none is named. */
  static drawThumbnail(canvas: HTMLCanvasElement, sheet: BoardSheet, theme?: Theme): void {
    drawThumbnail(canvas, sheet, theme);
  }

  /** A picture of a board, so many pixels wide. */
  thumbnail(sheet: BoardSheet, width: number): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    const { worldWidth, worldHeight } = new Grid(sheet.width, sheet.height);
    canvas.width = width;
    canvas.height = Math.max(1, Math.round((width * (worldHeight + 2 * RIM)) / (worldWidth + 2 * RIM)));
    drawThumbnail(canvas, sheet, this.palette.theme);
    return canvas;
  }

  /** Keeps an overview on that canvas, with the part that is in view; pressing it moves the map there. */
  jumpMap(canvas: HTMLCanvasElement): () => void {
    this.jump?.destroy();
    const jump = new JumpMap(canvas, (x, y, width, height) => {
      if (!this.grid) return;
      const place = fitted(this.grid, width, height);
      this.needsFit = false;
      this.glide = null;
      this.moveTo({ x: (x - place.x) / place.k, y: (y - place.y) / place.k });
    });
    this.jump = jump;
    this.redraw();
    return () => {
      jump.destroy();
      if (this.jump === jump) this.jump = null;
    };
  }

  destroy(): void {
    this.input.destroy();
    this.tiles?.destroy();
    this.sizes.disconnect();
    this.jump?.destroy();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.ahead);
    this.frame = -1;
    for (const journey of this.journeys) journey.done();
    this.journeys = [];
    this.handlers.clear();
  }

  // --- the pointer -----------------------------------------------------------------------------------------------

  /** Selected pieces are dragged; a press anywhere else moves the map. */
  private canDrag(x: number, y: number): boolean {
    if (!this.handlers.get('drag')?.size && !this.handlers.get('drop')?.size) return false;
    const hex = this.hexAt(x, y);
    const { selectedPieces } = this.overlays.current;
    const ids = this.stacks.stacks.get(hex)?.ids ?? [];
    this.dragged = selectedPieces.filter((id) => ids.includes(id));
    return this.dragged.length > 0;
  }

  private told(kind: MapEventKind | 'leave' | 'cancel', at: Gesture): void {
    const hex = kind === 'leave' || kind === 'cancel' ? 0 : this.hexAt(at.x, at.y);
    if (kind === 'hover' || kind === 'leave' || kind === 'drag') {
      const isNew = hex !== this.hover;
      this.hover = hex;
      if (isNew) this.redraw();
      if (!isNew && kind !== 'drag') return;
    }
    const isDrag = kind === 'drag' || kind === 'drop' || kind === 'cancel';
    this.emit(kind === 'leave' ? 'hover' : kind === 'cancel' ? 'drop' : kind, {
      hex,
      pieces: isDrag ? [...this.dragged] : this.piecesAt(hex, at),
      shift: at.shift,
      ctrl: at.ctrl,
      x: at.x,
      y: at.y,
    });
    if (kind === 'drop' || kind === 'cancel') this.dragged = [];
  }

  private piecesAt(hex: number, at: Gesture): number[] {
    if (!hex || !this.grid) return [];
    const world = this.toWorld(at.x, at.y);
    const center = this.grid.center(hex);
    return this.stacks.pick(hex, world.x - center.x, world.y - center.y);
  }

  private emit(kind: MapEventKind, event: MapEvent): void {
    for (const handler of this.handlers.get(kind) ?? []) handler(event);
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  /** Asks for a drawing before the next frame; nothing is drawn while nothing changes. */
  private redraw(): void {
    this.isStale = true;
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.frame = 0;
    clearTimeout(this.ahead);
    this.advance(now);
    this.isZooming = now - this.zoomedAt < SETTLE_TIME;
    const isMoving = this.isZooming || now - this.movedAt < SETTLE_TIME;
    if (this.isStale) this.draw(now);
    // while zooming, tiles are made only when there is next to nothing to stretch
    const hasMore = (!this.isZooming || !this.isReady) && (this.tiles?.work(isMoving) ?? false);
    if (hasMore || this.pictures.isBehind || this.isZooming || this.isAnimated()) this.redraw();
    else this.rest();
  }

  private isAnimated(): boolean {
    return this.journeys.length > 0 || this.flashes.length > 0 || this.glide !== null;
  }

  /** Nothing left to draw: the scene is ready, and there is time for tiles that the next pan will want. */
  private rest(): void {
    if (!this.grid || !this.tiles) return;
    if (this.tiles.isComplete && !this.isReady) {
      this.isReady = true;
      this.canvas.dataset.ready = 'true';
    }
    this.ahead = window.setTimeout(() => {
      if (this.frame === 0 && this.tiles?.lookAhead(this.view())) this.rest();
    }, 60);
  }

  private advance(now: number): void {
    if (this.glide) {
      const t = Math.min(1, (now - this.glide.begun) / GLIDE_TIME);
      const eased = 1 - (1 - t) ** 3;
      const { from, to } = this.glide;
      this.center_ = { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
      if (t >= 1) this.glide = null;
      this.isStale = true;
    }
    this.flashes = this.flashes.filter((flash) => now - flash.begun < FLASH_TIME);
    const ended = this.journeys.filter((journey) => now - journey.begun >= journey.duration);
    this.journeys = this.journeys.filter((journey) => !ended.includes(journey));
    for (const journey of ended) {
      this.arrived.set(journey.unit, journey.points[journey.points.length - 1]);
      journey.done();
    }
    if (ended.length || this.isAnimated()) this.isStale = true;
  }

  private draw(now: number): void {
    const { g, palette, grid, tiles } = this;
    this.isStale = false;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.fillStyle = palette.void;
    g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    // names and counters without ground under them would only startle
    if (!grid || !tiles?.wholeBoard()) return;
    const view = this.view();
    tiles.draw(g, view, this.isZooming);
    const stage = this.stage(grid, view);
    const toWorld = () => g.setTransform(view.scale, 0, 0, view.scale, Math.round(-view.x * view.scale), Math.round(-view.y * view.scale));
    toWorld();
    this.overlays.drawUnder(stage);
    this.overlays.drawObjectives(stage);
    const stacks = this.visibleStacks(grid, view);
    for (const stack of stacks) this.drawMarkers(stack);
    this.drawNames(grid, view);
    this.pictures.beginFrame();
    g.setTransform(1, 0, 0, 1, 0, 0);
    if (detailAt(this.zoom) === 'dot') this.drawDots(stacks, view);
    else for (const stack of stacks) this.drawStack(stack, view);
    this.drawTravelers(view, now);
    toWorld();
    this.overlays.drawOver(stage);
    for (const flash of this.flashes) {
      drawFlash(stage, flash.hex, flash.text, flash.kind, (now - flash.begun) / FLASH_TIME, this.isStill);
    }
    this.jump?.draw(grid, tiles, this.stacks, view, palette);
  }

  private stage(grid: Grid, view: View): Stage {
    return {
      g: this.g,
      grid,
      palette: this.palette,
      scale: view.scale,
      zoom: this.zoom,
      hover: this.hover,
      isOccupied: (hex) => (this.stacks.stacks.get(hex)?.count ?? 0) > 0,
      sideFill: (side) => this.stacks.sideColors(side),
    };
  }

  private visibleStacks(grid: Grid, view: View): Stack[] {
    const [right, foot] = [view.x + view.width / view.scale, view.y + view.height / view.scale];
    const found: Stack[] = [];
    for (const stack of this.stacks.stacks.values()) {
      const { x, y } = grid.center(stack.hex);
      if (x > view.x - 50 && y > view.y - 50 && x < right + 50 && y < foot + 50) found.push(stack);
    }
    return found.sort((a, b) => grid.y(a.hex) - grid.y(b.hex));
  }

  /** Large in an empty hex, small along its upper side under counters; smoke fills the hex in any case. */
  private drawMarkers(stack: Stack): void {
    if (!stack.markers.length || this.zoom < 0.15) return;
    const { g } = this;
    const center = this.grid!.center(stack.hex);
    const solid = stack.markers.filter(({ mark }) => mark !== 'smoke');
    const smoke = stack.markers.find(({ mark }) => mark === 'smoke');
    const isCovered = stack.count > 0;
    const size = isCovered ? 0.46 : solid.length > 1 ? 0.8 : 1.1;
    const draw = (mark: string, dx: number, dy: number, scale: number) => {
      g.save();
      g.translate(center.x + dx, center.y + dy);
      g.scale(scale, scale);
      drawMarker(g, this.palette, mark);
      g.restore();
    };
    if (smoke) draw('smoke', 0, 0, 1);
    solid.forEach(({ mark }, n) => {
      const dx = (n - (solid.length - 1) / 2) * (isCovered ? 15 : 22);
      draw(mark, dx, isCovered ? -ACROSS / 2 + 5 : 0, size);
    });
  }

  private drawNames(grid: Grid, view: View): void {
    if (this.zoom < 0.3) return;
    const { g, palette } = this;
    const size = Math.min(17, Math.max(11.5, 13 * this.zoom ** 0.5)) / this.zoom;
    g.font = `italic 600 ${size}px ${NAME_FONT}`;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.lineJoin = 'round';
    g.lineWidth = size * 0.26;
    for (const [hex, name] of this.sheet?.names ?? []) {
      const { x, y } = grid.center(hex);
      const isFar = x < view.x - 200 || y < view.y - 60
        || x > view.x + view.width / view.scale + 200 || y > view.y + view.height / view.scale + 60;
      if (isFar) continue;
      g.strokeStyle = palette.nameHalo;
      g.strokeText(name, x, y + ACROSS / 2);
      g.fillStyle = palette.name;
      g.fillText(name, x, y + ACROSS / 2);
    }
  }

  private isTraveling(id: number): boolean {
    return this.arrived.has(id) || this.journeys.some((journey) => journey.unit === id);
  }

  private drawStack(stack: Stack, view: View): void {
    const { x, y } = this.grid!.center(stack.hex);
    for (const placed of stack.drawn) if (!this.isTraveling(placed.piece.id)) this.drawCounter(placed, x, y, view);
    const isFar = detailAt(this.zoom) === 'mark' || detailAt(this.zoom) === 'square';
    if (stack.count > (isFar ? 1 : 3)) this.drawCount(stack, x, y, view);
    for (const placed of stack.aircraft) this.drawCounter(placed, x, y, view);
  }

  /** From far above a stack is a square in its side's color: hundreds of them are two fills per side. */
  private drawDots(stacks: readonly Stack[], view: View): void {
    const { g } = this;
    const bySide = new Map<SideColors, Stack[]>();
    for (const stack of stacks) {
      const top = stack.drawn[stack.drawn.length - 1] ?? stack.aircraft[0];
      if (top) push(bySide, top.look.colors, stack);
    }
    const half = Math.max(1.6 * this.density, (COUNTER / 2) * view.scale);
    for (const [colors, list] of bySide) {
      for (const [fill, reach] of [[colors.edge, half], [colors.fill, half * 0.72]] as const) {
        g.beginPath();
        for (const stack of list) {
          const { x, y } = this.grid!.center(stack.hex);
          const [px, py] = [(x - view.x) * view.scale, (y - view.y) * view.scale];
          if (colors.cue === 'none') g.rect(px - reach, py - reach, reach * 2, reach * 2);
          else traceDiamond(g, px, py, reach * 1.25);
        }
        g.fillStyle = fill;
        g.fill();
      }
    }
  }

  private drawCounter(placed: Placed, x: number, y: number, view: View): void {
    const picture = this.pictures.picture(placed.key, placed.look, view.scale, this.density, this.isZooming);
    if (!picture) return;
    const { g } = this;
    const size = Math.max(4, Math.round(PICTURE * view.scale));
    const px = Math.round((x + placed.dx - view.x) * view.scale - size / 2);
    const py = Math.round((y + placed.dy - view.y) * view.scale - size / 2);
    if (this.overlays.current.selectedPieces.includes(placed.piece.id)) {
      this.drawFrame(px + size / 2, py + size / 2, view.scale, placed.piece.kind === 'aircraft');
    }
    g.drawImage(picture, px, py, size, size);
  }

  /** The yellow frame of a selected counter, which lies under it so that its chips stay readable. */
  private drawFrame(x: number, y: number, scale: number, isRound: boolean): void {
    const { g, palette } = this;
    for (const [color, wide] of [[palette.casing, Math.max(3.5, 4.6 * scale)], [palette.select, Math.max(2, 3.2 * scale)]] as const) {
      const half = (COUNTER / 2) * scale + wide;
      g.beginPath();
      g.roundRect(x - half, y - half, half * 2, half * 2, isRound ? half : 7.5 * scale);
      g.fillStyle = color;
      g.fill();
    }
  }

  /** How many counters lie in a stack, on a disc at its upper right corner. */
  private drawCount(stack: Stack, x: number, y: number, view: View): void {
    const { g, palette } = this;
    const top = stack.drawn[stack.drawn.length - 1];
    const size = Math.max(11 * view.scale, 9.5 * this.density);
    const px = (x + top.dx + 27 - view.x) * view.scale;
    const py = (y + top.dy - 26 - view.y) * view.scale;
    g.beginPath();
    g.arc(px, py, size * 0.78, 0, 7);
    g.fillStyle = palette.chip;
    g.strokeStyle = palette.chipInk;
    g.lineWidth = Math.max(1, 1.3 * view.scale);
    g.fill();
    g.stroke();
    g.fillStyle = palette.chipInk;
    g.font = `800 ${size}px ${FONT}`;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.fillText(String(stack.count), px, py + size * 0.06);
  }

  /** Pieces on their way, and those that have arrived but not been set there yet. */
  private drawTravelers(view: View, now: number): void {
    if (!this.journeys.length && !this.arrived.size) return;
    for (const stack of this.stacks.stacks.values()) {
      for (const placed of stack.drawn) {
        const journey = this.journeys.find(({ unit }) => unit === placed.piece.id);
        const at = journey ? alongPath(journey, now) : this.arrived.get(placed.piece.id);
        if (at) this.drawCounter({ ...placed, dx: 0, dy: journey ? -3 : 0 }, at.x, at.y, view);
      }
    }
  }
}

/** From far above the second side is told by a shape as well. */
function traceDiamond(g: CanvasRenderingContext2D, x: number, y: number, reach: number): void {
  g.moveTo(x, y - reach);
  g.lineTo(x + reach, y);
  g.lineTo(x, y + reach);
  g.lineTo(x - reach, y);
  g.closePath();
}

function alongPath({ points, begun, duration }: Journey, now: number): Point {
  const t = Math.max(0, Math.min(1, (now - begun) / duration));
  const eased = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
  const far = eased * (points.length - 1);
  const n = Math.min(points.length - 2, Math.floor(far));
  const part = far - n;
  return {
    x: points[n].x + (points[n + 1].x - points[n].x) * part,
    y: points[n].y + (points[n + 1].y - points[n].y) * part,
  };
}
