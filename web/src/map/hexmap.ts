/** The map: a board, the pieces on it and what the game says about them, on one canvas. */

import { type Palette, PALETTES, sideColors, type Theme } from '../palette';
import { Camera } from './camera';
import { drawObjectives } from './flags';
import type { Flash } from './flashes';
import { Grid, type Point } from './grid';
import { placeOf } from './markers';
import { Motion } from './motion';
import { drawNames } from './names';
import type { Box } from './outline';
import { OverlayPainter } from './overlays';
import { fitted, JumpMap } from './overview';
import type { Style } from './painting';
import { coveredBy, drawMarkers, PiecePainter, shownOf, visibleStacks } from './piecepainter';
import { type Gesture, PointerInput } from './pointer';
import type { Stage } from './stage';
import { type Placed, Stacks } from './stacks';
import { Tiles, type View } from './tiles';
import type { Board, MapEvent, MapEventKind, Overlays, Piece } from './types';

export interface HexMapOptions {
  theme?: Theme;
  reducedMotion?: boolean;
}

type Handler = (event: MapEvent) => void;

const MOST_FADING = 12;

export class HexMap {
  private readonly g: CanvasRenderingContext2D;
  private readonly overlays = new OverlayPainter();
  private readonly camera: Camera;
  private readonly motion: Motion<Placed>;
  private readonly painter: PiecePainter;
  private readonly input: PointerInput;
  private readonly handlers = new Map<MapEventKind, Set<Handler>>();
  private readonly sizes: ResizeObserver;
  private palette: Palette;
  private board: Board | null = null;
  private grid: Grid | null = null;
  private tiles: Tiles | null = null;
  private pieces: ReadonlyMap<number, Piece> = new Map();
  private sides: readonly string[] = [];
  private ruins: readonly number[] = [];
  private stacks: Stacks;
  private labels = true;
  private hover = 0;
  private dragged: number[] = [];
  private jump: JumpMap | null = null;
  private frame = 0;
  private isStale = false;
  private ahead = 0;
  private isReady = false;

  constructor(readonly canvas: HTMLCanvasElement, options: HexMapOptions = {}) {
    this.g = canvas.getContext('2d', { alpha: false })!;
    this.palette = PALETTES[options.theme ?? 'light'];
    const isStill = options.reducedMotion ?? window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.camera = new Camera(canvas, isStill, () => this.redraw());
    this.motion = new Motion(isStill, () => this.redraw());
    this.painter = new PiecePainter(this.palette);
    this.stacks = new Stacks([], new Set(), this.palette, new Map());
    this.input = new PointerInput(canvas, {
      canDrag: (x, y) => this.canDrag(x, y),
      pan: (dx, dy) => this.camera.panBy(dx, dy),
      zoom: (factor, x, y) => this.camera.zoomBy(factor, x, y),
      tell: (kind, at) => this.told(kind, at),
    });
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(canvas);
    this.resize();
  }

  // --- what is shown ---------------------------------------------------------------------------------------------

  setBoard(board: Board): void {
    this.tiles?.destroy();
    this.board = board;
    this.grid = new Grid(board.width, board.height);
    this.tiles = new Tiles(board, this.grid, this.style(), () => this.redraw());
    this.overlays.forgetAreas();
    this.isReady = false;
    this.canvas.dataset.ready = 'false';
    this.camera.setGrid(this.grid);
  }

  /** Names the sides in their order; it decides their colors. Sides of pieces that are not named come after them. */
  setSides(ids: readonly string[]): void {
    this.sides = ids;
    this.restack();
  }

  /** The counters lie there; with `fade`, those that come or go do so before one's eyes. */
  setPieces(pieces: readonly Piece[], fade = false): void {
    const before = this.pieces;
    this.pieces = new Map(pieces.map((piece) => [piece.id, piece]));
    this.motion.settle();
    if (fade) this.fade(before);
    const ruins = pieces.filter(({ mark }) => placeOf(mark) === 'ground').map(({ hex }) => hex);
    if (ruins.join() !== this.ruins.join()) {
      this.ruins = ruins;
      this.tiles?.restyle(this.style());
    }
    this.restack();
  }

  private fade(before: ReadonlyMap<number, Piece>): void {
    const { grid, stacks } = this;
    const isCounter = (piece: Piece) => piece.hex && piece.kind !== 'marker' && (piece.carrier ?? null) === null;
    // who is remembered somewhere comes into sight all the same
    const wasSeen = (piece: Piece) => !!before.get(piece.id)?.hex && shownOf(before.get(piece.id)!) >= shownOf(piece);
    const come = [...this.pieces.values()].filter((piece) => isCounter(piece) && !wasSeen(piece));
    const gone = [...before.values()].filter((piece) => isCounter(piece) && !this.pieces.get(piece.id)?.hex);
    // a whole table that changes is no happening
    if (!grid || come.length + gone.length > MOST_FADING) return;
    for (const { id } of come) this.motion.appear(id);
    for (const piece of gone) this.motion.vanish(stacks.counter(piece), grid.center(piece.hex));
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
    this.painter.setPalette(this.palette);
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
    return { theme: this.palette.theme, labels: this.labels, density: this.camera.density, ruins: this.ruins };
  }

  private restack(): void {
    const pieces = [...this.pieces.values()];
    const found = pieces.map((piece) => piece.side).filter(Boolean);
    const colors = sideColors([...new Set([...this.sides, ...found])]);
    this.stacks = new Stacks(pieces, new Set(this.overlays.current.selectedPieces), this.palette, colors);
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
    return this.grid ? this.camera.toScreen(this.grid.center(hex)) : { x: 0, y: 0 };
  }

  /** The hex at a point of the canvas in CSS pixels, 0 off the board. */
  hexAt(x: number, y: number): number {
    if (!this.grid) return 0;
    const world = this.camera.toWorld(x, y);
    return this.grid.at(world.x, world.y);
  }

  center(hex: number, animate = true): void {
    this.camera.center(hex, animate);
  }

  /** Moves the map no more than needed to show those hexes in a part of the canvas; true when it had to. */
  reveal(hexes: readonly number[], part: Box, animate = true): boolean {
    return this.camera.reveal(hexes, part, animate);
  }

  get showsAll(): boolean {
    return this.camera.showsAll;
  }

  /** As the player had the map before it was moved for him to see something; false when he has it so. */
  goBack(animate = true): boolean {
    return this.camera.goBack(animate);
  }

  /** Shows the whole board. */
  fit(): void {
    this.camera.fit();
  }

  /** 1 the whole board, 2 at natural size, 3 near. */
  zoomTo(step: 1 | 2 | 3): void {
    if (step === 1) this.camera.fit();
    else this.camera.zoomBy((step === 2 ? 1 : Math.SQRT2) / this.camera.zoom);
  }

  /** Zooms about a point of the canvas, its middle when none is given. */
  zoomBy(factor: number, x?: number, y?: number): void {
    this.camera.zoomBy(factor, x, y);
  }

  panBy(dx: number, dy: number): void {
    this.camera.panBy(dx, dy);
  }

  /** Keeps an overview on that canvas, with the part that is in view; pressing it moves the map there. */
  jumpMap(canvas: HTMLCanvasElement): () => void {
    this.jump?.destroy();
    const jump = new JumpMap(canvas, (x, y, width, height) => {
      if (!this.grid) return;
      const place = fitted(this.grid, width, height);
      this.camera.moveTo({ x: (x - place.x) / place.k, y: (y - place.y) / place.k });
    });
    this.jump = jump;
    this.redraw();
    return () => {
      jump.destroy();
      if (this.jump === jump) this.jump = null;
    };
  }

  private resize(): void {
    const { density } = this.camera;
    if (!this.camera.resize()) return;
    if (density !== this.camera.density) this.tiles?.restyle(this.style());
    // an empty canvas would flash until the next frame
    this.draw(performance.now());
  }

  // --- what happens ----------------------------------------------------------------------------------------------

  /** Shows a piece moving along hexes; done when it has arrived, at once where there is nothing to show. */
  animateMove(unit: number, path: readonly number[], pace = 1): Promise<void> {
    return this.grid && this.pieces.get(unit)?.hex ? this.motion.send(unit, path, this.grid, pace) : Promise.resolve();
  }

  /** Whatever moves is where it goes. */
  finishMotion(): void {
    this.motion.finish();
  }

  /** Where each counter is drawn at this moment and how much of it shows, those that are just going included. */
  counters(): { id: number; hex: number; opacity: number }[] {
    const { grid, motion } = this;
    if (!grid) return [];
    const there = [...this.pieces.values()].filter(({ hex, kind }) => hex && kind !== 'marker').map((piece) => {
      const { id, hex } = piece;
      const at = motion.whereabouts(id);
      return { id, hex: at ? grid.at(at.x, at.y) : hex, opacity: (at?.opacity ?? motion.opacity(id)) * shownOf(piece) };
    });
    const leaving = motion.leaving().map(({ counter, at, opacity }) => ({ id: counter.piece.id, hex: grid.at(at.x, at.y), opacity }));
    return [...there, ...leaving];
  }

  flash(flash: Flash, isHeld = false): void {
    if (this.grid?.has(flash.hex)) this.motion.flash(flash, isHeld);
  }

  /** Results that were held fade. */
  release(): void {
    this.motion.release();
  }

  /** A board that was shown whole is so again, now that what was to be seen at its edge has been seen. */
  restore(animate = true): void {
    this.camera.restore(animate);
  }

  destroy(): void {
    this.input.destroy();
    this.tiles?.destroy();
    this.sizes.disconnect();
    this.jump?.destroy();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.ahead);
    this.motion.finish();
    this.frame = -1;
    this.handlers.clear();
  }

  // --- the pointer -----------------------------------------------------------------------------------------------

  /** Selected pieces are dragged; a press anywhere else moves the map. */
  private canDrag(x: number, y: number): boolean {
    if (!this.handlers.get('drag')?.size && !this.handlers.get('drop')?.size) return false;
    const ids = this.stacks.stacks.get(this.hexAt(x, y))?.ids ?? [];
    this.dragged = this.overlays.current.selectedPieces.filter((id) => ids.includes(id));
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
    const world = this.camera.toWorld(at.x, at.y);
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
    const hasGlided = this.camera.advance(now);
    const hasMoved = this.motion.advance(now);
    if (this.isStale || hasGlided || hasMoved) this.draw(now);
    const isZooming = this.camera.isZooming(now);
    // while zooming, tiles are made only when there is next to nothing to stretch
    const hasMore = (!isZooming || !this.isReady) && (this.tiles?.work(this.camera.isMoving(now)) ?? false);
    const isBusy = this.motion.isBusy || this.camera.isGliding;
    if (hasMore || this.painter.isBehind || isZooming || isBusy) this.redraw();
    else this.rest();
  }

  /** Nothing left to draw: the scene is ready, and there is time for tiles that the next pan will want. */
  private rest(): void {
    if (!this.grid || !this.tiles) return;
    if (this.tiles.isComplete && !this.isReady) {
      this.isReady = true;
      this.canvas.dataset.ready = 'true';
    }
    this.ahead = window.setTimeout(() => {
      if (this.frame === 0 && this.tiles?.lookAhead(this.camera.view())) this.rest();
    }, 60);
  }

  private draw(now: number): void {
    const { g, palette, grid, tiles, overlays, camera } = this;
    this.isStale = false;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.fillStyle = palette.void;
    g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    // names and counters without ground under them would only startle
    if (!grid || !tiles?.wholeBoard()) return;
    const view = camera.view();
    const isZooming = camera.isZooming(now);
    tiles.draw(g, view, isZooming);
    const stacks = visibleStacks(this.stacks, grid, view);
    const stage = this.stage(grid, view, coveredBy(stacks, grid));
    const toWorld = () => g.setTransform(view.scale, 0, 0, view.scale, Math.round(-view.x * view.scale), Math.round(-view.y * view.scale));
    toWorld();
    overlays.drawUnder(stage);
    drawObjectives(stage, overlays.current.objectives);
    if (camera.zoom >= 0.15) for (const stack of stacks) drawMarkers(g, palette, stack, grid);
    drawNames(stage, this.board?.names ?? [], view);
    g.setTransform(1, 0, 0, 1, 0, 0);
    const { zoom, density } = camera;
    const selected = overlays.current.selectedPieces;
    this.painter.draw({ g, grid, palette, view, zoom, density, isZooming, motion: this.motion, selected }, stacks, this.stacks, this.pieces);
    toWorld();
    overlays.drawOver(stage);
    this.motion.drawFlashes(stage);
    this.jump?.draw(grid, tiles, this.stacks, view, palette);
  }

  private stage(grid: Grid, view: View, covered: Stage['covered']): Stage {
    return {
      g: this.g,
      grid,
      palette: this.palette,
      scale: view.scale,
      zoom: this.camera.zoom,
      hover: this.hover,
      isOccupied: (hex) => (this.stacks.stacks.get(hex)?.count ?? 0) > 0,
      sideColors: (side) => this.stacks.sideColors(side),
      covered,
    };
  }
}
