/** What the game says on top of the ground: reach, sight, targets, paths, the selection. */

import { FONT } from '../palette';
import { ACROSS, type Grid, type Point, RADIUS, traceHex } from './grid';
import { drawFireLine, drawPath, drawPlan, drawSight, drawThreat, drawTrail } from './lines';
import { straightOutline } from './outline';
import { boxAround, leastCovered } from './placing';
import { drawPill, drawRing, haloText, pillSize, type Stage, twoTone, width } from './stage';
import { NO_OVERLAYS, type Overlays } from './types';

type G = CanvasRenderingContext2D;

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
    const { g, palette } = stage;
    g.fillStyle = palette.reachFill;
    g.fill(area, 'evenodd');
    twoTone(g, area, palette.halo, width(stage, 5.4), palette.reach, width(stage, 3));
  }

  private drawReachNumbers({ g, grid, palette, zoom, isOccupied }: Stage): void {
    const size = Math.max(12.5, 9.5 / zoom);
    if (zoom < 0.56) return;
    g.font = `700 ${size}px ${FONT}`;
    for (const [hex, left] of this.overlays.reach) {
      const { x, y } = grid.center(hex);
      // beside a counter, in the right corner of the hex
      const [dx, dy] = isOccupied(hex) ? [RADIUS - 8, 0] : [0, 0];
      haloText(g, left, x + dx, y + dy, palette.reachText, palette.halo, size);
    }
  }

  // --- over the counters -----------------------------------------------------------------------------------------

  drawOver(stage: Stage): void {
    const { overlays } = this;
    const { g, grid, palette } = stage;
    g.lineJoin = 'round';
    g.lineCap = 'round';
    this.drawReachNumbers(stage);
    for (const plan of overlays.plans) drawPlan(stage, plan);
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
    for (const [hex, number] of overlays.numbers) {
      if (grid.has(hex)) drawPill(stage, number, grid.center(hex).x, grid.center(hex).y + ACROSS / 2 - 6, palette.fire);
    }
    const { cursor } = overlays;
    // the ring of a selected hex says enough, and so does the line to a target
    if (grid.has(cursor) && !overlays.selected.includes(cursor) && !overlays.targets.has(cursor)) drawCursor(stage, cursor);
  }

  private drawTargets(stage: Stage): void {
    const { grid, palette, zoom } = stage;
    const { targets, plans, selected, cursor } = this.overlays;
    for (const hex of targets.keys()) drawRing(stage, hex, palette.target, 3.5, 6);
    const aimed = [stage.hover, cursor].find((hex) => targets.has(hex));
    if (aimed) for (const from of selected) drawFireLine(stage, from, aimed);
    if (zoom < 0.4) return;
    const taken = [...stage.covered];
    const write = (hex: number, text: string, edge: string) => {
      if (!text || !grid.has(hex)) return;
      const { wide, tall } = pillSize(stage, text);
      const at = leastCovered(besideHex(grid.center(hex), wide, tall), wide, tall, taken);
      taken.push(boxAround(at, wide, tall));
      drawPill(stage, text, at.x, at.y, edge);
    };
    for (const [hex, odds] of targets) write(hex, odds, palette.target);
    const written = new Map<number, Set<string>>();
    for (const { hex, brief } of plans) if (brief) written.set(hex, (written.get(hex) ?? new Set()).add(brief));
    for (const [hex, briefs] of written) write(hex, [...briefs].join(' · '), palette.plan);
  }
}

/** Places for a field of that size around a hex: over its upper or lower side, else at one of its corners. */
function besideHex({ x, y }: Point, wide: number, tall: number): Point[] {
  const out = ACROSS / 2 + tall * 0.4;
  const aside = RADIUS * 0.7 + wide / 2;
  const ways: [number, number][] = [
    [0, -out], [0, out], [aside, -out * 0.6], [-aside, -out * 0.6], [aside, out * 0.6], [-aside, out * 0.6],
    [aside + 8, 0], [-aside - 8, 0],
  ];
  return ways.map(([dx, dy]) => ({ x: x + dx, y: y + dy }));
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
