/** Counters as small cached pictures, one for each look and size. */

import { FONT, type Palette, type SideColors } from '../palette';
import { badgesOf } from './badges';
import { OUTWARD } from './grid';
import { markOf } from './marks';
import { contextOf, newCanvas, type Sheet } from './sprites';
import type { Piece } from './types';

type G = CanvasRenderingContext2D;

/** A counter's edge, in world units. */
export const COUNTER = 50;
/** The edge of its picture, which has room for shadow, chips and badges. */
export const PICTURE = 66;

/** How much of a counter is drawn; text that would fall under 8.5 CSS pixels is left out, not shrunk. */
export type Detail = 'full' | 'bold' | 'mark' | 'square' | 'dot';

export function detailAt(zoom: number): Detail {
  if (zoom >= 0.8) return 'full';
  if (zoom >= 0.62) return 'bold';
  if (zoom >= 0.25) return 'mark';
  return zoom >= 0.15 ? 'square' : 'dot';
}

/** What a counter carries: shown as a badge on it, not as counters of their own. */
export interface Cargo {
  mark: string;
  count: number;
}

export interface Look {
  piece: Piece;
  colors: SideColors;
  cargo: Cargo | null;
}

const MOST_KEPT = 900;
/** How long one frame may spend on new pictures. */
const BUDGET = 5;

/** The key of all that shows on a counter, whatever its size. */
export function lookKey({ piece, colors, cargo }: Look): string {
  return [
    colors.fill, piece.mark, piece.kind ?? 'unit', piece.corners?.join(',') ?? '', piece.letter ?? '',
    piece.badges?.join(',') ?? '', piece.tone ?? '', piece.facing ?? '', cargo ? `${cargo.mark}${cargo.count}` : '',
  ].join('|');
}

export class CounterPictures {
  private readonly pictures = new Map<string, Sheet>();
  /** The latest picture of each look, of any size: shown until one of the right size is made. */
  private readonly latest = new Map<string, { sheet: Sheet; detail: Detail }>();
  private spent = 0;
  /** Whether a picture had to be put off to a later frame. */
  isBehind = false;

  constructor(private palette: Palette) {}

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.pictures.clear();
    this.latest.clear();
  }

  beginFrame(): void {
    this.spent = 0;
    this.isBehind = false;
  }

  /** The picture of a counter; one to be stretched while there is no time or the zoom changes; or nothing. */
  picture(key: string, look: Look, scale: number, density: number, isZooming: boolean): Sheet | null {
    const pixels = Math.max(4, Math.round(PICTURE * scale));
    const detail = detailAt(scale / density);
    const name = `${key}|${pixels}|${detail}`;
    const known = this.pictures.get(name);
    if (known) return known;
    const latest = this.latest.get(key);
    if (this.spent > BUDGET || (isZooming && latest?.detail === detail)) {
      this.isBehind = true;
      return latest?.sheet ?? null;
    }
    const begun = performance.now();
    const sheet = newCanvas(pixels, pixels);
    const g = contextOf(sheet);
    g.scale(pixels / PICTURE, pixels / PICTURE);
    g.translate(PICTURE / 2, PICTURE / 2);
    drawCounter(g, this.palette, look, detail, scale / density, pixels / PICTURE);
    this.keep(name, key, sheet, detail);
    this.spent += performance.now() - begun;
    return sheet;
  }

  private keep(name: string, key: string, sheet: Sheet, detail: Detail): void {
    this.pictures.set(name, sheet);
    this.latest.set(key, { sheet, detail });
    if (this.pictures.size > MOST_KEPT) this.pictures.delete(this.pictures.keys().next().value!);
  }
}

/** Draws a counter around the origin. */
export function drawCounter(g: G, palette: Palette, look: Look, detail: Detail, zoom: number, scale: number): void {
  const { piece } = look;
  if (detail === 'dot') {
    drawDot(g, look);
    return;
  }
  drawBody(g, palette, look, scale);
  const isPlane = piece.kind === 'aircraft';
  if (detail === 'square') {
    drawMark(g, palette, piece.mark, 1.45, palette.counterText, false);
    return;
  }
  const boxed = detail === 'full' ? 1 : detail === 'bold' ? 0.86 : 1.4;
  if (isPlane) drawPlane(g, palette, piece, detail);
  else drawMark(g, palette, piece.mark, boxed, palette.boxInk, true);
  if (detail !== 'mark' && !isPlane) drawValues(g, palette, piece, detail === 'full' ? 12 : 14);
  if (look.cargo) drawCargo(g, palette, look, detail);
  if (piece.facing !== undefined && piece.facing !== null) drawFacing(g, palette, piece.facing);
  if (detail !== 'mark') drawGrade(g, palette, piece);
  drawBadges(g, palette, piece, detail, zoom);
}

/** Aircraft are round and have one value, under the silhouette. */
function drawPlane(g: G, palette: Palette, piece: Piece, detail: Detail): void {
  const value = detail === 'mark' ? '' : (piece.corners?.find(Boolean) ?? '');
  g.save();
  g.translate(0, value ? -5 : 0);
  drawMark(g, palette, 'aircraft', value ? 1.05 : 1.3, palette.counterText, false);
  g.restore();
  g.fillStyle = palette.counterText;
  g.font = `700 ${detail === 'full' ? 12 : 14}px ${FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'alphabetic';
  g.fillText(value, 0, HALF - 6);
}

function drawDot(g: G, { piece, colors }: Look): void {
  g.fillStyle = colors.edge;
  g.fillRect(-25, -25, 50, 50);
  g.fillStyle = colors.fill;
  g.fillRect(-19, -19, 38, 38);
  if (colors.cue === 'none' || piece.kind === 'aircraft') return;
  g.fillStyle = colors.edge;
  g.beginPath();
  g.moveTo(25, -25);
  g.lineTo(-2, -25);
  g.lineTo(25, 2);
  g.fill();
}

const HALF = COUNTER / 2;

function traceBody(g: G, kind: string, inset: number): void {
  const half = HALF - inset;
  g.beginPath();
  if (kind === 'aircraft') {
    g.arc(0, 0, half - 2, 0, 7);
  } else if (kind === 'work') {
    // works have their corners cut like a bastion
    const cut = 9 - inset * 0.4;
    g.moveTo(-half + cut, -half);
    for (const [x, y] of [[half - cut, -half], [half, -half + cut], [half, half - cut], [half - cut, half],
      [-half + cut, half], [-half, half - cut], [-half, -half + cut]]) g.lineTo(x, y);
    g.closePath();
  } else {
    g.roundRect(-half, -half, half * 2, half * 2, Math.max(1, 5 - inset));
  }
}

function drawBody(g: G, palette: Palette, { piece, colors }: Look, scale: number): void {
  const kind = piece.kind ?? 'unit';
  g.save();
  g.shadowColor = palette.counterShadow;
  g.shadowBlur = 4.5 * scale;
  g.shadowOffsetX = 0.6 * scale;
  g.shadowOffsetY = 2 * scale;
  traceBody(g, kind, 0);
  g.fillStyle = colors.edge;
  g.fill();
  g.restore();
  traceBody(g, kind, 1.2);
  const sheen = g.createLinearGradient(0, -HALF, 0, HALF);
  sheen.addColorStop(0, colors.light);
  sheen.addColorStop(0.55, colors.fill);
  g.fillStyle = sheen;
  g.fill();
  g.save();
  g.clip();
  drawCue(g, colors);
  g.restore();
  traceBody(g, kind, 2.1);
  g.strokeStyle = palette.hairline;
  g.lineWidth = 0.9;
  g.stroke();
}

/** The side told by shape: cut corners or a bar along the foot. */
function drawCue(g: G, { cue, edge }: SideColors): void {
  g.fillStyle = edge;
  g.beginPath();
  const cut = (sign: number) => {
    g.moveTo(sign * HALF, -HALF);
    g.lineTo(sign * (HALF - 11), -HALF);
    g.lineTo(sign * HALF, -HALF + 11);
    g.closePath();
  };
  if (cue === 'cut' || cue === 'two-cuts') cut(1);
  if (cue === 'two-cuts') cut(-1);
  if (cue === 'bar') g.rect(-HALF, HALF - 4.5, COUNTER, 4.5);
  g.fill();
}

function drawMark(g: G, palette: Palette, name: string, size: number, ink: string, hasBox: boolean): void {
  const mark = markOf(name);
  g.save();
  g.scale(size, size);
  if (hasBox) {
    g.fillStyle = palette.boxShade;
    g.fillRect(-14.6, -9.4, 29.2, 20.4);
    g.fillStyle = palette.box;
    g.fillRect(-14, -9.4, 28, 18.8);
    g.beginPath();
    g.rect(-14, -9.4, 28, 18.8);
    g.clip();
  }
  g.strokeStyle = ink;
  g.fillStyle = ink;
  g.lineWidth = 1.7;
  g.lineJoin = 'round';
  g.lineCap = 'round';
  if (mark.line) g.stroke(mark.line);
  if (mark.fill) g.fill(mark.fill);
  if (mark.text) {
    g.font = `800 ${mark.text.length > 1 ? 12 : 15}px ${FONT}`;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.fillText(mark.text, 0, 0.8);
  }
  if (hasBox) {
    g.lineWidth = 2.6;
    g.strokeRect(-14, -9.4, 28, 18.8);
  }
  g.restore();
}

function drawValues(g: G, palette: Palette, piece: Piece, size: number): void {
  const [upperLeft, upperRight, lowerLeft, lowerRight] = piece.corners ?? ['', '', '', ''];
  const inset = HALF - 4;
  const top = -HALF + 3.4 + size * 0.74;
  const foot = HALF - 4;
  g.fillStyle = palette.counterText;
  g.textBaseline = 'alphabetic';
  g.font = `700 ${size}px ${FONT}`;
  g.textAlign = 'left';
  g.fillText(upperLeft, -inset, top);
  g.fillText(lowerLeft, -inset, foot);
  g.textAlign = 'right';
  const room = COUNTER - 10 - g.measureText(upperLeft).width;
  g.fillText(upperRight, inset, top, room);
  g.fillText(lowerRight, inset, foot);
  if (!piece.letter) return;
  const [left, right] = [g.measureText(upperLeft).width, Math.min(room, g.measureText(upperRight).width)];
  const small = size * 0.8;
  g.font = `800 ${small}px ${FONT}`;
  if (COUNTER - 8 - left - right < g.measureText(piece.letter).width + 3) return;
  g.fillStyle = palette.counterLetter;
  g.textAlign = 'center';
  g.fillText(piece.letter, (left - right) / 2, top - size * 0.06);
}

function drawCargo(g: G, palette: Palette, { cargo, colors }: Look, detail: Detail): void {
  const size = detail === 'full' ? 0.56 : 0.66;
  g.save();
  g.translate(23, 0.5);
  g.fillStyle = colors.edge;
  g.beginPath();
  g.roundRect(-14 * size - 2, -9.4 * size - 2, 28 * size + 4, 18.8 * size + 4, 2.5);
  g.fill();
  if (cargo!.count > 1) {
    g.fillStyle = palette.chip;
    g.fillRect(-14 * size, -9.4 * size, 28 * size, 18.8 * size);
    g.fillStyle = palette.chipInk;
    g.font = `800 ${detail === 'full' ? 10.5 : 12}px ${FONT}`;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.fillText(`+${cargo!.count}`, 0, 0.6);
  } else {
    drawMark(g, palette, cargo!.mark, size, palette.boxInk, true);
  }
  g.restore();
}

function drawFacing(g: G, palette: Palette, facing: number): void {
  const out = OUTWARD[((facing % 6) + 6) % 6];
  g.save();
  g.translate(out.x * 26.5, out.y * 26.5);
  g.rotate(Math.atan2(out.y, out.x));
  g.beginPath();
  g.moveTo(-1, -5);
  g.lineTo(6, 0);
  g.lineTo(-1, 5);
  g.closePath();
  g.fillStyle = palette.chip;
  g.strokeStyle = palette.chipInk;
  g.lineWidth = 1.2;
  g.fill();
  g.stroke();
  g.restore();
}

/** From here on the letters of chips can be read between the counters. */
const READABLE = 0.48;

/** What is worn, by sign and tone: what hampers has a warning triangle, what the enemy sees an eye, the rest a chip. */
function drawBadges(g: G, palette: Palette, piece: Piece, detail: Detail, zoom: number): void {
  const worn = badgesOf(piece.badges);
  if (worn.some(({ tone }) => tone === 'seen')) drawEye(g, palette);
  const isPlain = (tone: string | undefined) => tone !== 'shaken' && tone !== 'seen';
  const signs = [...new Set(worn.flatMap(({ sign, tone }) => (sign && isPlain(tone) ? sign : [])))];
  const isShaken = piece.tone === 'shaken';
  const warning = worn.find(({ tone }) => tone === 'shaken')?.sign ?? '!';
  const count = signs.length + (isShaken ? 1 : 0);
  if (!count) return;
  const hasText = detail !== 'mark' || zoom >= READABLE;
  const size = hasText ? Math.max(10, 8.6 / zoom) : 12;
  const step = size * 1.34;
  const [, , lowerLeft, lowerRight] = piece.corners ?? ['', '', '', ''];
  // a figure at the left foot alone stays readable: what is worn hangs at the right
  const width = (count - 1) * step;
  let x = lowerLeft && !lowerRight ? HALF - 5 - width : -width / 2;
  const y = HALF - 0.5;
  if (isShaken) {
    drawWarning(g, palette, x, y, size, warning);
    x += step;
  }
  for (const sign of signs) {
    drawChip(g, palette, x, y, size, hasText ? sign : '');
    x += step;
  }
}

/** A state that has a color of its own shows at the left edge. */
function drawGrade(g: G, palette: Palette, piece: Piece): void {
  const color = badgesOf(piece.badges).map(({ tone }) => palette.grades[tone ?? '']).find(Boolean);
  if (!color) return;
  g.beginPath();
  g.roundRect(-HALF - 1, -10, 6, 20, 2.5);
  g.fillStyle = color;
  g.strokeStyle = palette.chipInk;
  g.lineWidth = 1.2;
  g.fill();
  g.stroke();
}

function drawChip(g: G, palette: Palette, x: number, y: number, size: number, sign: string): void {
  g.beginPath();
  g.arc(x, y, size * 0.64, 0, 7);
  g.fillStyle = sign ? palette.chip : palette.chipInk;
  g.strokeStyle = sign ? palette.chipInk : palette.chip;
  g.lineWidth = sign ? 1.3 : 2.4;
  g.fill();
  g.stroke();
  if (sign) drawSign(g, palette, x, y + size * 0.06, size * 0.92, sign);
}

function drawSign(g: G, palette: Palette, x: number, y: number, size: number, sign: string): void {
  g.fillStyle = palette.chipInk;
  g.font = `800 ${sign.length > 1 ? size * 0.76 : size}px ${FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(sign, x, y);
}

function drawWarning(g: G, palette: Palette, x: number, y: number, size: number, sign: string): void {
  g.beginPath();
  g.moveTo(x, y - size * 0.98);
  g.lineTo(x + size * 0.92, y + size * 0.58);
  g.lineTo(x - size * 0.92, y + size * 0.58);
  g.closePath();
  g.fillStyle = palette.warnChip;
  g.strokeStyle = palette.chipInk;
  g.lineWidth = 1.6;
  g.lineJoin = 'round';
  g.fill();
  g.stroke();
  drawSign(g, palette, x, y + size * 0.04, size * 0.92, sign);
}

/** The enemy has seen this one. */
function drawEye(g: G, palette: Palette): void {
  g.save();
  g.translate(-HALF + 0.5, 0.5);
  g.beginPath();
  g.moveTo(-6.4, 0);
  g.quadraticCurveTo(0, -7.4, 6.4, 0);
  g.quadraticCurveTo(0, 7.4, -6.4, 0);
  g.closePath();
  g.fillStyle = palette.chip;
  g.strokeStyle = palette.chipInk;
  g.lineWidth = 1.2;
  g.fill();
  g.stroke();
  g.beginPath();
  g.arc(0, 0, 2.1, 0, 7);
  g.fillStyle = palette.chipInk;
  g.fill();
  g.restore();
}
