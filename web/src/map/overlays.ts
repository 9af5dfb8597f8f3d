/** What the game says on top of the ground: reach, sight, targets, paths, the selection. */

import { FONT, type Palette } from '../palette';
import { ACROSS, type Grid, type Point, RADIUS, traceHex } from './grid';
import { straightOutline } from './outline';
import { NO_OVERLAYS, type Overlays, type SightMark } from './types';

type G = CanvasRenderingContext2D;

/** The state of the view that an overlay is drawn in; the context is in world units. */
export interface Stage {
  g: G;
  grid: Grid;
  palette: Palette;
  /** Device pixels per world unit. */
  scale: number;
  /** CSS pixels per world unit. */
  zoom: number;
  hover: number;
  isOccupied: (hex: number) => boolean;
  sideFill: (side: string) => { fill: string; edge: string };
}

export class OverlayPainter {
  private overlays: Overlays = NO_OVERLAYS;
  private regions: Partial<Record<'reach' | 'unseen' | 'zone', Path2D | null>> = {};
  private hatch: { pattern: CanvasPattern; theme: string; density: number } | null = null;

  get current(): Overlays {
    return this.overlays;
  }

  set(change: Partial<Overlays>): void {
    for (const name of ['reach', 'unseen', 'zone'] as const) {
      if (change[name] && change[name] !== this.overlays[name]) this.regions[name] = undefined;
    }
    this.overlays = { ...this.overlays, ...change };
  }

  /** Another board: areas lie elsewhere. */
  forgetAreas(): void {
    this.regions = {};
  }

  private region(grid: Grid, name: 'reach' | 'unseen' | 'zone'): Path2D | null {
    let path = this.regions[name];
    if (path === undefined) {
      const hexes = [...this.overlays[name].keys()].filter((hex) => grid.has(hex));
      path = hexes.length ? straightOutline(grid, hexes) : null;
      this.regions[name] = path;
    }
    return path;
  }

  // --- under the counters ----------------------------------------------------------------------------------------

  drawUnder(stage: Stage): void {
    const { g, grid } = stage;
    g.lineJoin = 'round';
    g.lineCap = 'round';
    const unseen = this.region(grid, 'unseen');
    if (unseen) this.drawUnseen(stage, unseen);
    const zone = this.region(grid, 'zone');
    if (zone) drawZone(stage, zone);
    const reach = this.region(grid, 'reach');
    if (reach) this.drawReach(stage, reach);
    if (this.overlays.lastMove.length > 1) drawTrail(stage, this.overlays.lastMove);
    for (const hex of this.overlays.selected) if (grid.has(hex)) drawRing(stage, hex, stage.palette.select, 4, 7);
    if (this.overlays.path.length > 1) drawPath(stage, this.overlays.path);
  }

  private drawUnseen({ g, palette, scale, zoom }: Stage, area: Path2D): void {
    g.fillStyle = palette.unseenFill;
    g.fill(area, 'evenodd');
    const density = scale / zoom;
    if (!this.hatch || this.hatch.theme !== palette.theme || this.hatch.density !== density) {
      const pattern = hatchPattern(g, palette.unseenLine, density);
      if (!pattern) return;
      this.hatch = { pattern, theme: palette.theme, density };
    }
    // the hatch is fixed to the ground but keeps its width on the screen
    this.hatch.pattern.setTransform(new DOMMatrix([1 / scale, 0, 0, 1 / scale, 0, 0]));
    g.fillStyle = this.hatch.pattern;
    g.fill(area, 'evenodd');
  }

  private drawReach(stage: Stage, area: Path2D): void {
    const { g, grid, palette, zoom } = stage;
    g.fillStyle = palette.reachFill;
    g.fill(area, 'evenodd');
    twoTone(g, area, palette.halo, width(stage, 5.4), palette.reach, width(stage, 3));
    const size = Math.max(12.5, 9.5 / zoom);
    if (zoom < 0.56) return;
    g.font = `700 ${size}px ${FONT}`;
    for (const [hex, left] of this.overlays.reach) {
      const { x, y } = grid.center(hex);
      // beside a counter, in the right corner of the hex
      const [dx, dy] = stage.isOccupied(hex) ? [RADIUS - 8, 0] : [0, 0];
      haloText(g, left, x + dx, y + dy, palette.reachText, palette.halo, size);
    }
  }

  /** A rim and a star at the left corner of the hexes that count, in the color of who holds them. */
  drawObjectives(stage: Stage): void {
    const { g, grid, palette, zoom } = stage;
    if (zoom < 0.2) return;
    for (const [hex, { side }] of this.overlays.objectives) {
      if (!grid.has(hex)) continue;
      const { fill, edge } = stage.sideFill(side);
      const { x, y } = grid.center(hex);
      const rim = new Path2D();
      traceHex(rim, { x, y }, 0.9);
      twoTone(g, rim, palette.halo, width(stage, 4.4), fill, width(stage, 2.4));
      const size = Math.max(1, 0.62 / zoom);
      g.save();
      g.translate(x - RADIUS + 9, y);
      g.scale(size, size);
      g.beginPath();
      star(g, 8.6, 4.1);
      g.strokeStyle = palette.halo;
      g.lineWidth = 4.4;
      g.stroke();
      g.strokeStyle = edge;
      g.lineWidth = 2.2;
      g.stroke();
      g.fillStyle = fill;
      g.fill();
      g.restore();
    }
  }

  // --- over the counters -----------------------------------------------------------------------------------------

  drawOver(stage: Stage): void {
    const { overlays } = this;
    const { g, grid, palette } = stage;
    g.lineJoin = 'round';
    g.lineCap = 'round';
    for (const { from, to } of overlays.threats) drawThreat(stage, from, to);
    if (stage.hover && !overlays.selected.includes(stage.hover)) {
      g.beginPath();
      traceHex(g, grid.center(stage.hover), 0.955);
      g.strokeStyle = palette.casing;
      g.globalAlpha = 0.5;
      g.lineWidth = width(stage, 4);
      g.stroke();
      g.globalAlpha = 1;
      g.strokeStyle = palette.hover;
      g.lineWidth = width(stage, 2);
      g.stroke();
    }
    this.drawTargets(stage);
    if (overlays.sight) drawSight(stage, overlays.sight);
    if (overlays.cursor && grid.has(overlays.cursor)) drawCursor(stage, overlays.cursor);
  }

  private drawTargets(stage: Stage): void {
    const { g, grid, palette, zoom } = stage;
    const { targets, selected } = this.overlays;
    for (const hex of targets.keys()) drawRing(stage, hex, palette.target, 3.5, 6);
    const aimed = targets.has(stage.hover) ? stage.hover : targets.has(this.overlays.cursor) ? this.overlays.cursor : 0;
    if (aimed) {
      for (const from of selected) {
        if (from === aimed) continue;
        const line = new Path2D();
        const [a, b] = [grid.center(from), grid.center(aimed)];
        line.moveTo(a.x, a.y);
        line.lineTo(b.x, b.y);
        g.setLineDash([width(stage, 9), width(stage, 7)]);
        twoTone(g, line, palette.casing, width(stage, 5.4), palette.target, width(stage, 3));
        g.setLineDash([]);
      }
    }
    if (zoom < 0.4) return;
    for (const [hex, odds] of targets) {
      const { x, y } = grid.center(hex);
      if (odds) drawPill(stage, odds, x, y - ACROSS / 2 - 3, palette.target);
    }
  }
}

/** A line width that does not vanish when the map is far. */
function width({ zoom }: Stage, world: number): number {
  return Math.max(world, (world * 0.55) / zoom);
}

function twoTone(g: G, path: Path2D, under: string, wide: number, over: string, slim: number): void {
  g.strokeStyle = under;
  g.lineWidth = wide;
  g.stroke(path);
  g.strokeStyle = over;
  g.lineWidth = slim;
  g.stroke(path);
}

function haloText(g: G, text: string, x: number, y: number, ink: string, halo: string, size: number): void {
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.lineWidth = size * 0.3;
  g.lineJoin = 'round';
  g.strokeStyle = halo;
  g.strokeText(text, x, y + size * 0.06);
  g.fillStyle = ink;
  g.fillText(text, x, y + size * 0.06);
}

function drawRing(stage: Stage, hex: number, color: string, slim: number, wide: number): void {
  const ring = new Path2D();
  traceHex(ring, stage.grid.center(hex), 0.93);
  twoTone(stage.g, ring, stage.palette.casing, width(stage, wide), color, width(stage, slim));
}

/** Brackets in the six corners: the keyboard's hex. */
function drawCursor(stage: Stage, hex: number): void {
  const { grid, palette } = stage;
  const brackets = new Path2D();
  const center = grid.center(hex);
  for (let k = 0; k < 6; k++) {
    const [before, at, after] = [k + 5, k, k + 1].map((n) => {
      const corner = grid.corner(hex, n);
      return { x: center.x + (corner.x - center.x) * 1.02, y: center.y + (corner.y - center.y) * 1.02 };
    });
    brackets.moveTo(at.x + (before.x - at.x) * 0.3, at.y + (before.y - at.y) * 0.3);
    brackets.lineTo(at.x, at.y);
    brackets.lineTo(at.x + (after.x - at.x) * 0.3, at.y + (after.y - at.y) * 0.3);
  }
  twoTone(stage.g, brackets, palette.casing, width(stage, 6.4), palette.hover, width(stage, 3.2));
}

function drawZone(stage: Stage, area: Path2D): void {
  const { g, palette } = stage;
  g.fillStyle = palette.zoneFill;
  g.fill(area, 'evenodd');
  g.setLineDash([0.01, width(stage, 8)]);
  twoTone(g, area, palette.halo, width(stage, 6.4), palette.zone, width(stage, 4.4));
  g.setLineDash([]);
}

/** A line through the hexes of a path that bends at their sides. */
function tracePath(grid: Grid, hexes: readonly number[], stop: number): { line: Path2D; end: Point; angle: number } {
  const points = hexes.filter((hex) => grid.has(hex)).map((hex) => grid.center(hex));
  const line = new Path2D();
  if (points.length < 2) return { line, end: points[0] ?? { x: 0, y: 0 }, angle: 0 };
  const last = points[points.length - 1];
  const before = points[points.length - 2];
  const angle = Math.atan2(last.y - before.y, last.x - before.x);
  line.moveTo(points[0].x, points[0].y);
  for (let i = 1; i < points.length - 1; i++) {
    const middle = { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
    line.quadraticCurveTo(points[i].x, points[i].y, middle.x, middle.y);
  }
  const end = { x: last.x - Math.cos(angle) * stop, y: last.y - Math.sin(angle) * stop };
  line.lineTo(end.x, end.y);
  return { line, end, angle };
}

function arrowHead({ x, y }: Point, angle: number, size: number): Path2D {
  const head = new Path2D();
  const at = (forward: number, aside: number): [number, number] => [
    x + Math.cos(angle) * forward - Math.sin(angle) * aside,
    y + Math.sin(angle) * forward + Math.cos(angle) * aside,
  ];
  head.moveTo(...at(size, 0));
  head.lineTo(...at(-size * 0.5, -size * 0.8));
  head.lineTo(...at(-size * 0.15, 0));
  head.lineTo(...at(-size * 0.5, size * 0.8));
  head.closePath();
  return head;
}

function drawPath(stage: Stage, hexes: readonly number[]): void {
  const { g, grid, palette } = stage;
  const { line, end, angle } = tracePath(grid, hexes, 10);
  twoTone(g, line, palette.casing, width(stage, 8), palette.path, width(stage, 5));
  const head = arrowHead(end, angle, width(stage, 13));
  twoTone(g, head, palette.casing, width(stage, 3.4), palette.casing, 0.1);
  g.fillStyle = palette.path;
  g.fill(head);
}

function drawTrail(stage: Stage, hexes: readonly number[]): void {
  const { g, grid, palette } = stage;
  const { line, end, angle } = tracePath(grid, hexes, 30);
  g.setLineDash([width(stage, 2), width(stage, 8)]);
  twoTone(g, line, palette.halo, width(stage, 6), palette.trail, width(stage, 3.6));
  g.setLineDash([]);
  g.fillStyle = palette.trail;
  g.fill(arrowHead(end, angle, width(stage, 9)));
}

/** A bent arrow from who threatens to what he threatens. */
function drawThreat(stage: Stage, from: number, to: number): void {
  const { g, grid, palette } = stage;
  if (!grid.has(from) || !grid.has(to) || from === to) return;
  const [a, b] = [grid.center(from), grid.center(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const bend = { x: (a.x + b.x) / 2 + dy * 0.12, y: (a.y + b.y) / 2 - dx * 0.12 };
  const angle = Math.atan2(b.y - bend.y, b.x - bend.x);
  const end = { x: b.x - Math.cos(angle) * 32, y: b.y - Math.sin(angle) * 32 };
  const line = new Path2D();
  line.moveTo(a.x, a.y);
  line.quadraticCurveTo(bend.x, bend.y, end.x, end.y);
  g.globalAlpha = 0.9;
  g.setLineDash([width(stage, 2), width(stage, 6)]);
  twoTone(g, line, palette.halo, width(stage, 5), palette.target, width(stage, 2.6));
  g.setLineDash([]);
  const head = arrowHead(end, angle, width(stage, 9));
  twoTone(g, head, palette.halo, width(stage, 3), palette.halo, 0.1);
  g.fillStyle = palette.target;
  g.fill(head);
  g.globalAlpha = 1;
}

/** The line of sight: whole when it is clear, broken off and crossed where something stands in the way. */
function drawSight(stage: Stage, sight: SightMark): void {
  const { g, grid, palette } = stage;
  if (!grid.has(sight.a) || !grid.has(sight.b)) return;
  const [a, b] = [grid.center(sight.a), grid.center(sight.b)];
  const segment = (from: Point, to: Point): Path2D => {
    const line = new Path2D();
    line.moveTo(from.x, from.y);
    line.lineTo(to.x, to.y);
    return line;
  };
  if (sight.clear) {
    twoTone(g, segment(a, b), palette.casing, width(stage, 6), palette.clearSight, width(stage, 3.6));
    drawEnd(stage, b, palette.clearSight);
    return;
  }
  const stop = sight.hex && grid.has(sight.hex) ? blockedAt(grid, sight, a, b) : b;
  if (sight.hex && sight.side !== null && sight.side !== undefined) {
    const side = segment(grid.corner(sight.hex, sight.side), grid.corner(sight.hex, sight.side + 1));
    twoTone(g, side, palette.casing, width(stage, 11), palette.target, width(stage, 7.5));
  } else if (sight.hex && grid.has(sight.hex)) {
    drawRing(stage, sight.hex, palette.target, 3.5, 6);
  }
  twoTone(g, segment(a, stop), palette.casing, width(stage, 6), palette.target, width(stage, 3.4));
  g.globalAlpha = 0.75;
  g.setLineDash([width(stage, 3), width(stage, 8)]);
  twoTone(g, segment(stop, b), palette.casing, width(stage, 5), palette.target, width(stage, 2.6));
  g.setLineDash([]);
  g.globalAlpha = 1;
  const arm = width(stage, 8);
  const cross = segment({ x: stop.x - arm, y: stop.y - arm }, { x: stop.x + arm, y: stop.y + arm });
  cross.addPath(segment({ x: stop.x + arm, y: stop.y - arm }, { x: stop.x - arm, y: stop.y + arm }));
  twoTone(g, cross, palette.casing, width(stage, 7.4), palette.hover, width(stage, 4));
}

/** The point of the line nearest to what blocks it. */
function blockedAt(grid: Grid, sight: SightMark, a: Point, b: Point): Point {
  const block = sight.side === null || sight.side === undefined ? grid.center(sight.hex) : grid.gate(sight.hex, sight.side);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const long = dx * dx + dy * dy || 1;
  const t = Math.max(0, Math.min(1, ((block.x - a.x) * dx + (block.y - a.y) * dy) / long));
  return { x: a.x + dx * t, y: a.y + dy * t };
}

function drawEnd(stage: Stage, { x, y }: Point, color: string): void {
  const { g, palette } = stage;
  g.beginPath();
  g.arc(x, y, width(stage, 6.5), 0, 7);
  g.fillStyle = color;
  g.strokeStyle = palette.casing;
  g.lineWidth = width(stage, 2);
  g.fill();
  g.stroke();
}

/** Text in a rounded field of its own. */
export function drawPill(stage: Stage, text: string, x: number, y: number, edge: string, alpha = 1): void {
  const { g, palette, zoom } = stage;
  const size = Math.max(11.5, 10 / zoom);
  g.globalAlpha = alpha;
  g.font = `700 ${size}px ${FONT}`;
  const half = g.measureText(text).width / 2 + size * 0.5;
  g.beginPath();
  g.roundRect(x - half, y - size * 0.78, half * 2, size * 1.56, size * 0.5);
  g.fillStyle = palette.pill;
  g.fill();
  g.strokeStyle = edge;
  g.lineWidth = Math.max(1.6, 1.4 / zoom);
  g.stroke();
  g.fillStyle = palette.pillInk;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(text, x, y + size * 0.06);
  g.globalAlpha = 1;
}

/** A burst behind the word of a hit; a plain ring for a miss. */
export function drawFlash(stage: Stage, hex: number, text: string, kind: 'hit' | 'miss' | 'info', age: number, isStill: boolean): void {
  const { g, grid, palette } = stage;
  const { x, y } = grid.center(hex);
  const alpha = age < 0.75 ? 1 : 1 - (age - 0.75) / 0.25;
  const grown = isStill ? 1 : Math.min(1, 0.35 + age * 6);
  if (kind !== 'info') {
    g.save();
    g.translate(x, y);
    g.scale(grown, grown);
    g.globalAlpha = alpha * (kind === 'hit' ? 0.85 : 0.6);
    g.beginPath();
    if (kind === 'hit') star(g, 34, 17, 9);
    else g.arc(0, 0, 26, 0, 7);
    if (kind === 'hit') {
      g.fillStyle = palette.fire;
      g.fill();
    }
    g.strokeStyle = kind === 'hit' ? palette.select : palette.hover;
    g.lineWidth = 3;
    g.stroke();
    g.restore();
  }
  const color = kind === 'hit' ? palette.target : kind === 'miss' ? palette.pillInk : palette.reach;
  drawPill(stage, text, x, y - 6 - (isStill ? 0 : age * 22), color, alpha);
}

function star(g: G, outer: number, inner: number, points = 5): void {
  for (let k = 0; k < points * 2; k++) {
    const r = k % 2 ? inner : outer;
    const angle = (k / points) * Math.PI - Math.PI / 2;
    const [x, y] = [Math.cos(angle) * r, Math.sin(angle) * r];
    if (k) g.lineTo(x, y);
    else g.moveTo(x, y);
  }
  g.closePath();
}

function hatchPattern(g: G, ink: string, density: number): CanvasPattern | null {
  const period = Math.round(10 * density);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = period;
  const c = canvas.getContext('2d')!;
  c.strokeStyle = ink;
  c.lineWidth = 1.15 * density;
  c.beginPath();
  for (const shift of [-period, 0, period]) {
    c.moveTo(shift - 2, period + 2);
    c.lineTo(shift + period + 2, -2);
  }
  c.stroke();
  return g.createPattern(canvas, 'repeat');
}
