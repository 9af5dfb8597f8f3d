/** Lines from hex to hex: ways, the trail of a move, threats, lines of fire and of sight. */

import type { Grid, Point } from './grid';
import { drawRing, segment, type Stage, twoTone, width } from './stage';
import type { PlanMark, SightMark } from './types';

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

export function drawPath(stage: Stage, hexes: readonly number[]): void {
  const { g, grid, palette } = stage;
  const { line, end, angle } = tracePath(grid, hexes, 10);
  twoTone(g, line, palette.casing, width(stage, 8), palette.path, width(stage, 5));
  const head = arrowHead(end, angle, width(stage, 13));
  twoTone(g, head, palette.casing, width(stage, 3.4), palette.casing, 0.1);
  g.fillStyle = palette.path;
  g.fill(head);
}

export function drawTrail(stage: Stage, hexes: readonly number[]): void {
  const { g, grid, palette } = stage;
  const { line, end, angle } = tracePath(grid, hexes, 30);
  g.setLineDash([width(stage, 2), width(stage, 8)]);
  twoTone(g, line, palette.halo, width(stage, 6), palette.trail, width(stage, 3.6));
  g.setLineDash([]);
  g.fillStyle = palette.trail;
  g.fill(arrowHead(end, angle, width(stage, 9)));
}

/** A bent arrow from who threatens to what he threatens. */
export function drawThreat(stage: Stage, from: number, to: number): void {
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

/** Where somebody off the map is to act: cross hairs around whatever is there. */
function drawAim(stage: Stage, hex: number, isChosen: boolean): void {
  const { g, grid, palette } = stage;
  const { x, y } = grid.center(hex);
  const hairs = new Path2D();
  hairs.arc(x, y, 31, 0, Math.PI * 2);
  for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1]] as const) {
    hairs.moveTo(x + dx * 24, y + dy * 24);
    hairs.lineTo(x + dx * 39, y + dy * 39);
  }
  const slim = isChosen ? 3.4 : 2.4;
  twoTone(g, hairs, palette.halo, width(stage, slim + 3), palette.plan, width(stage, slim));
}

/** What is written down: a pencil line with a hollow head from who is to do it to where; along its way if it has one. */
export function drawPlan(stage: Stage, { way, isChosen }: PlanMark): void {
  const { g, grid, palette } = stage;
  const hexes = way.filter((hex) => grid.has(hex));
  if (hexes.length === 1) drawAim(stage, hexes[0]!, isChosen);
  if (hexes.length < 2 || hexes[0] === hexes[hexes.length - 1]) return;
  const { line, end, angle } = hexes.length === 2 ? straight(grid, hexes[0]!, hexes[1]!) : tracePath(grid, hexes, 30);
  const slim = isChosen ? 3.4 : 2.4;
  g.globalAlpha = isChosen ? 1 : 0.8;
  g.setLineDash([14, 6, 2, 6].map((length) => width(stage, length)));
  twoTone(g, line, palette.halo, width(stage, slim + 3), palette.plan, width(stage, slim));
  g.setLineDash([]);
  const head = arrowHead(end, angle, width(stage, isChosen ? 12 : 10));
  g.fillStyle = palette.halo;
  g.fill(head);
  twoTone(g, head, palette.halo, width(stage, slim + 2), palette.plan, width(stage, slim));
  g.globalAlpha = 1;
}

/** From beside the counter of one hex to the edge of another. */
function straight(grid: Grid, from: number, to: number): { line: Path2D; end: Point; angle: number } {
  const [a, b] = [grid.center(from), grid.center(to)];
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  const end = { x: b.x - ux * 30, y: b.y - uy * 30 };
  return { line: segment({ x: a.x + ux * 26, y: a.y + uy * 26 }, end), end, angle };
}

/** The dashed line of fire, from the edge of one hex to that of the other, so that no counter is crossed at its ends. */
export function drawFireLine(stage: Stage, from: number, to: number): void {
  const { g, grid, palette } = stage;
  if (!grid.has(from) || from === to) return;
  const [a, b] = [grid.center(from), grid.center(to)];
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / long, (b.y - a.y) / long];
  const gap = Math.min(30, long * 0.4);
  const end = { x: b.x - ux * gap, y: b.y - uy * gap };
  const line = segment({ x: a.x + ux * gap, y: a.y + uy * gap }, { x: end.x - ux * 6, y: end.y - uy * 6 });
  g.setLineDash([width(stage, 9), width(stage, 7)]);
  twoTone(g, line, palette.casing, width(stage, 5.4), palette.target, width(stage, 3));
  g.setLineDash([]);
  const head = arrowHead(end, Math.atan2(uy, ux), width(stage, 9));
  twoTone(g, head, palette.casing, width(stage, 3), palette.casing, 0.1);
  g.fillStyle = palette.target;
  g.fill(head);
}

/** The line of sight: whole when it is clear, broken off and crossed where something stands in the way. */
export function drawSight(stage: Stage, sight: SightMark): void {
  const { g, grid, palette } = stage;
  if (!grid.has(sight.a) || !grid.has(sight.b)) return;
  const [a, b] = [grid.center(sight.a), grid.center(sight.b)];
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
