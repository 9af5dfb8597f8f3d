/** Draws the pieces: stacks of counters, markers, counters on their way, and squares from far above. */

import { FONT, type Palette, type SideColors } from '../palette';
import { push } from './chart';
import { COUNTER, CounterPictures, type Detail, detailAt, PICTURE } from './counters';
import { ACROSS, type Grid } from './grid';
import { drawMarker, placeOf } from './markers';
import type { Motion } from './motion';
import type { Box } from './outline';
import { boxAround } from './placing';
import { OFFSET, type Placed, type Stack, type Stacks } from './stacks';
import type { View } from './tiles';
import type { Piece } from './types';

type G = CanvasRenderingContext2D;

/** What one drawing of the pieces needs to know. */
export interface Scene {
  g: G;
  grid: Grid;
  palette: Palette;
  view: View;
  zoom: number;
  density: number;
  isZooming: boolean;
  motion: Motion<Placed>;
  selected: readonly number[];
}

export class PiecePainter {
  private readonly pictures: CounterPictures;

  constructor(palette: Palette) {
    this.pictures = new CounterPictures(palette);
  }

  setPalette(palette: Palette): void {
    this.pictures.setPalette(palette);
  }

  /** Whether a picture had to be put off to a later frame. */
  get isBehind(): boolean {
    return this.pictures.isBehind;
  }

  /** The context is in device pixels. */
  draw(scene: Scene, stacks: readonly Stack[], all: Stacks, pieces: ReadonlyMap<number, Piece>): void {
    this.pictures.beginFrame();
    if (detailAt(scene.zoom) === 'dot') drawDots(scene, stacks);
    else for (const stack of stacks) this.drawStack(scene, stack);
    for (const { counter, at, opacity } of scene.motion.leaving()) this.drawCounter(scene, counter, at.x, at.y, opacity);
    this.drawTravelers(scene, all, pieces);
  }

  private drawStack(scene: Scene, stack: Stack): void {
    const { x, y } = scene.grid.center(stack.hex);
    const { motion } = scene;
    for (const placed of stack.drawn) {
      if (!motion.hasLeft(placed.piece.id)) this.drawCounter(scene, placed, x, y, motion.opacity(placed.piece.id));
    }
    if (stack.count > 1) drawCount(scene, stack, x, y);
    for (const placed of stack.aircraft) this.drawCounter(scene, placed, x, y, motion.opacity(placed.piece.id));
  }

  private drawCounter(scene: Scene, placed: Placed, x: number, y: number, opacity: number): void {
    const { g, view } = scene;
    const picture = this.pictures.picture(placed.key, placed.look, view.scale, scene.density, scene.isZooming);
    if (!picture) return;
    const size = Math.max(4, Math.round(PICTURE * view.scale));
    const px = Math.round((x + placed.dx - view.x) * view.scale - size / 2);
    const py = Math.round((y + placed.dy - view.y) * view.scale - size / 2);
    if (scene.selected.includes(placed.piece.id)) {
      drawFrame(scene, px + size / 2, py + size / 2, placed.piece.kind === 'aircraft');
    }
    g.globalAlpha = opacity * shownOf(placed.piece);
    g.drawImage(picture, px, py, size, size);
    g.globalAlpha = opacity;
    if (placed.piece.last_seen) drawMemory(scene, px + size / 2, py + size / 2, placed.piece.last_seen);
    g.globalAlpha = 1;
  }

  /** Pieces on their way, and those that have arrived but not been set there yet. */
  private drawTravelers(scene: Scene, all: Stacks, pieces: ReadonlyMap<number, Piece>): void {
    for (const id of scene.motion.travelers) {
      const piece = pieces.get(id);
      const at = scene.motion.whereabouts(id);
      if (piece && at) this.drawCounter(scene, { ...all.counter(piece), dy: -at.lift }, at.x, at.y, at.opacity);
    }
  }
}

/** How much shows of who is out of sight now. */
const MEMORY = 0.45;

export const shownOf = (piece: Piece): number => (piece.last_seen ? MEMORY : 1);

/** Who is out of sight has a broken rim, and beside it the turn in which he was last seen. */
function drawMemory({ g, palette, view: { scale }, zoom, density }: Scene, x: number, y: number, turn: number): void {
  const half = (COUNTER / 2) * scale;
  g.setLineDash([Math.max(3, 6 * scale), Math.max(2, 4 * scale)]);
  for (const [color, wide] of [[palette.casing, Math.max(2.4, 4 * scale)], [palette.hover, Math.max(1.2, 2 * scale)]] as const) {
    g.beginPath();
    g.roundRect(x - half, y - half, half * 2, half * 2, 5 * scale);
    g.strokeStyle = color;
    g.lineWidth = wide;
    g.stroke();
  }
  g.setLineDash([]);
  if (detailAt(zoom) === 'square') return;
  const size = Math.max(12 * scale, 9.5 * density);
  g.font = `800 ${size}px ${FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  const wide = g.measureText(`T${turn}`).width + size * 0.7;
  g.beginPath();
  g.roundRect(x - wide / 2, y + half - size * 0.5, wide, size * 1.3, size * 0.4);
  g.fillStyle = palette.chip;
  g.strokeStyle = palette.chipInk;
  g.lineWidth = Math.max(1, 1.2 * scale);
  g.fill();
  g.stroke();
  g.fillStyle = palette.chipInk;
  g.fillText(`T${turn}`, x, y + half + size * 0.2);
}

/** The stacks in view, from north to south. */
export function visibleStacks(stacks: Stacks, grid: Grid, view: View): Stack[] {
  const [right, foot] = [view.x + view.width / view.scale, view.y + view.height / view.scale];
  const found: Stack[] = [];
  for (const stack of stacks.stacks.values()) {
    const { x, y } = grid.center(stack.hex);
    if (x > view.x - 50 && y > view.y - 50 && x < right + 50 && y < foot + 50) found.push(stack);
  }
  return found.sort((a, b) => grid.y(a.hex) - grid.y(b.hex));
}

/** What the counters of these stacks cover. */
export function coveredBy(stacks: readonly Stack[], grid: Grid): Box[] {
  return stacks.filter((stack) => stack.count > 0).map((stack) => {
    const size = COUNTER + (stack.drawn.length - 1) * OFFSET;
    const box = boxAround(grid.center(stack.hex), size, size);
    // the count sits on the upper edge
    return stack.count > 1 ? { ...box, y0: box.y0 - 12 } : box;
  });
}

/** Large in an empty hex, small along its upper side under counters; smoke fills the hex in any case. */
export function drawMarkers(g: G, palette: Palette, stack: Stack, grid: Grid): void {
  const center = grid.center(stack.hex);
  const isCovered = stack.count > 0;
  const solid = stack.markers.filter(({ mark }) => placeOf(mark) === 'hex' || (isCovered && placeOf(mark) === 'ground'));
  const size = isCovered ? 0.46 : solid.length > 1 ? 0.8 : 1.1;
  const draw = (mark: string, dx: number, dy: number, scale: number) => {
    g.save();
    g.translate(center.x + dx, center.y + dy);
    g.scale(scale, scale);
    drawMarker(g, palette, mark);
    g.restore();
  };
  const bank = stack.markers.find(({ mark }) => placeOf(mark) === 'air');
  if (bank) draw(bank.mark, 0, 0, 1);
  solid.forEach(({ mark }, n) => {
    const dx = (n - (solid.length - 1) / 2) * (isCovered ? 15 : 22);
    draw(mark, dx, isCovered ? -ACROSS / 2 + 5 : 0, size);
  });
}

/** From far above a stack is a square in its side's color: hundreds of them are two fills per side. */
function drawDots({ g, grid, view, density }: Scene, stacks: readonly Stack[]): void {
  const bySide = new Map<SideColors, Stack[]>();
  for (const stack of stacks) {
    const top = stack.drawn[stack.drawn.length - 1] ?? stack.aircraft[0];
    if (top) push(bySide, top.look.colors, stack);
  }
  const half = Math.max(1.6 * density, (COUNTER / 2) * view.scale);
  for (const [colors, list] of bySide) {
    for (const [fill, reach] of [[colors.edge, half], [colors.fill, half * 0.72]] as const) {
      g.beginPath();
      for (const stack of list) {
        const { x, y } = grid.center(stack.hex);
        const [px, py] = [(x - view.x) * view.scale, (y - view.y) * view.scale];
        if (colors.cue === 'none') g.rect(px - reach, py - reach, reach * 2, reach * 2);
        else traceDiamond(g, px, py, reach * 1.25);
      }
      g.fillStyle = fill;
      g.fill();
    }
  }
}

/** From far above the second side is told by a shape as well. */
function traceDiamond(g: G, x: number, y: number, reach: number): void {
  g.moveTo(x, y - reach);
  g.lineTo(x + reach, y);
  g.lineTo(x, y + reach);
  g.lineTo(x - reach, y);
  g.closePath();
}

/** The yellow frame of a selected counter, which lies under it so that its chips stay readable. */
function drawFrame({ g, palette, view: { scale } }: Scene, x: number, y: number, isRound: boolean): void {
  for (const [color, wide] of [[palette.casing, Math.max(3.5, 4.6 * scale)], [palette.select, Math.max(2, 3.2 * scale)]] as const) {
    const half = (COUNTER / 2) * scale + wide;
    g.beginPath();
    g.roundRect(x - half, y - half, half * 2, half * 2, isRound ? half : 7.5 * scale);
    g.fillStyle = color;
    g.fill();
  }
}

/** Where the count of a stack sits on its top counter: clear of the values in the corners where they are drawn. */
const COUNT_PLACE: Readonly<Record<Detail, readonly [number, number]>> = {
  full: [0, -29], bold: [0, -29], mark: [27, -26], square: [27, -26], dot: [0, 0],
};

/** How many counters lie in a stack, on a disc at the edge of the topmost. */
function drawCount({ g, palette, view, zoom, density }: Scene, stack: Stack, x: number, y: number): void {
  const top = stack.drawn[stack.drawn.length - 1];
  const [dx, dy] = COUNT_PLACE[detailAt(zoom)];
  const size = Math.max(11 * view.scale, 9.5 * density);
  const px = (x + top.dx + dx - view.x) * view.scale;
  const py = (y + top.dy + dy - view.y) * view.scale;
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
