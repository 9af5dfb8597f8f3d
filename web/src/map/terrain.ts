/** Paints a rectangle of the board: ground, cover, water, roads, what stands there, hexsides, grid and numbers. */

import { FONT, type Palette } from '../palette';
import { paintBridges } from './bridges';
import type { Chart } from './chart';
import { paintFields } from './fields';
import { ACROSS, OUTWARD, RADIUS, traceHex } from './grid';
import { COVER_ORDER, ground } from './ground';
import { paintSides } from './hexsides';
import type { Frame, Job } from './job';
import { gather } from './outline';
import { reliefPicture } from './relief';
import { traceRibbons } from './ribbons';
import { paintRoads } from './roads';
import type { Scatter } from './scatter';
import { contextOf, newCanvas } from './sprites';
import { paintThings } from './things';

type G = CanvasRenderingContext2D;

/** The frame is painted on a canvas whose origin is the frame's upper left corner. */
export function paintTerrain(g: G, chart: Chart, scatter: Scatter, palette: Palette, frame: Frame): void {
  const zoom = frame.scale / frame.density;
  const hexes = chart.grid.within(frame.x0, frame.y0, frame.x1, frame.y1);
  const job: Job = { g, chart, scatter, palette, frame, hexes, zoom };
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.fillStyle = palette.void;
  g.fillRect(0, 0, Math.ceil((frame.x1 - frame.x0) * frame.scale), Math.ceil((frame.y1 - frame.y0) * frame.scale));
  g.setTransform(frame.scale, 0, 0, frame.scale, -frame.x0 * frame.scale, -frame.y0 * frame.scale);
  g.lineJoin = 'round';
  g.lineCap = 'round';
  paintBoardEdge(job);
  if (!hexes.length) return;
  g.save();
  g.clip(boardArea(job));
  g.fillStyle = palette.clear;
  g.fillRect(frame.x0, frame.y0, frame.x1 - frame.x0, frame.y1 - frame.y0);
  paintFields(g, palette, frame, zoom);
  paintHeights(job);
  paintCovers(job);
  paintRelief(job);
  paintContours(job);
  paintSea(job);
  paintWater(job);
  paintGullies(job);
  paintRoads(job);
  paintThings(job);
  if (zoom >= 0.24) paintSides(g, chart, palette, hexes, zoom);
  paintBridges(job);
  paintGrid(job);
  g.restore();
  paintRoadEnds(job);
}

function boardArea({ chart, frame }: Job): Path2D {
  const area = new Path2D();
  const { grid } = chart;
  // far inside the board no outline is needed, and a rectangle clips much faster
  const isInner = frame.x0 > RADIUS && frame.y0 > ACROSS
    && frame.x1 < grid.worldWidth - RADIUS && frame.y1 < grid.worldHeight - ACROSS;
  if (isInner) {
    area.rect(frame.x0, frame.y0, frame.x1 - frame.x0, frame.y1 - frame.y0);
    return area;
  }
  const step = grid.width * grid.height > 4000 && frame.scale < 0.3;
  if (step) area.rect(RADIUS / 2, ACROSS / 2, grid.worldWidth - RADIUS, grid.worldHeight - ACROSS);
  else for (const hex of grid.within(frame.x0, frame.y0, frame.x1, frame.y1)) traceHex(area, grid.center(hex), 1.012);
  return area;
}

function paintBoardEdge({ g, chart, palette, frame }: Job): void {
  const { grid } = chart;
  const rim = new Path2D();
  let any = false;
  const near = 30;
  for (const hex of grid.within(frame.x0, frame.y0, frame.x1, frame.y1, near)) {
    const [col, row] = [grid.col(hex), grid.row(hex)];
    if (col > 0 && row > 0 && col < grid.width - 1 && row < grid.height - 1) continue;
    for (let d = 0; d < 6; d++) {
      if (grid.has(grid.neighbor(hex, d))) continue;
      const [a, b] = [grid.corner(hex, d), grid.corner(hex, d + 1)];
      rim.moveTo(a.x, a.y);
      rim.lineTo(b.x, b.y);
      any = true;
    }
  }
  if (!any) return;
  g.strokeStyle = palette.boardShadow;
  for (const width of [26, 17, 10]) {
    g.lineWidth = width;
    g.save();
    g.translate(1.5, 2.5);
    g.stroke(rim);
    g.restore();
  }
  g.strokeStyle = palette.boardEdge;
  g.lineWidth = Math.max(3.4, 2 / frame.scale);
  g.stroke(rim);
}

function paintHeights({ g, chart, palette, frame }: Job): void {
  const step = Math.min(palette.tintStep, palette.tintMost / Math.max(1, chart.highest));
  chart.contours.forEach((contour, n) => {
    const area = gather(contour.loops, frame);
    if (!area) return;
    const [before, after] = [n * step, (n + 1) * step];
    g.globalAlpha = 1 - (1 - after) / (1 - before);
    g.fillStyle = `rgb(${palette.tint.join(' ')})`;
    g.fill(area, 'evenodd');
  });
  g.globalAlpha = 1;
}

function paintCovers({ g, chart, palette, frame, zoom }: Job): void {
  for (const cover of COVER_ORDER) {
    const area = chart.covers.get(cover);
    if (!area || cover === 'sea') continue;
    const inside = gather(area.loops, frame, 4);
    if (!inside) continue;
    const colors = palette.covers[cover];
    // height shows through a little
    g.globalAlpha = cover === 'woods' ? 0.86 : 0.92;
    g.fillStyle = cover === 'woods' && zoom < 0.2 ? colors.accent : colors.base;
    g.fill(inside, 'evenodd');
    const rim = gather(area.runs, frame, 4);
    if (rim && zoom >= 0.2) {
      g.globalAlpha = cover === 'woods' ? 0.8 : 0.55;
      g.strokeStyle = colors.edge;
      g.lineWidth = 1.3;
      g.stroke(rim);
    }
    if (cover === 'crop') paintRows(g, inside, colors.ink, frame);
  }
  g.globalAlpha = 1;
}

/** Furrows over a cultivated area. */
function paintRows(g: G, area: Path2D, ink: string, frame: Frame): void {
  g.save();
  g.clip(area, 'evenodd');
  g.beginPath();
  const gap = 7;
  const reach = frame.y1 - frame.y0;
  for (let at = Math.floor((frame.x0 - reach * 0.4) / gap) * gap; at < frame.x1 + reach; at += gap) {
    const x = at + (frame.y0 % (gap * 2.5)) * 0.4;
    g.moveTo(x, frame.y0);
    g.lineTo(x - reach * 0.4, frame.y1);
  }
  g.globalAlpha = 0.45;
  g.strokeStyle = ink;
  g.lineWidth = 1.2;
  g.stroke();
  g.restore();
}

function paintRelief({ g, chart, palette, frame }: Job): void {
  const extent = Math.max(frame.x1 - frame.x0, frame.y1 - frame.y0);
  const picture = reliefPicture(chart, palette, frame.x0, frame.y0, extent);
  const small = newCanvas(picture.width, picture.height);
  contextOf(small).putImageData(picture, 0, 0);
  // sample 0 lies on the frame's border and so does the last: half a sample sticks out on each side
  const step = extent / (picture.width - 1);
  g.imageSmoothingEnabled = true;
  g.imageSmoothingQuality = 'high';
  g.drawImage(small, frame.x0 - step / 2, frame.y0 - step / 2, extent + step, extent + step);
}

function paintContours({ g, chart, scatter, palette, frame, hexes, zoom }: Job): void {
  if (zoom < 0.14) return;
  g.strokeStyle = palette.contour;
  g.lineWidth = zoom < 0.4 ? 1 : 1.5;
  g.globalAlpha = zoom < 0.3 ? 0.45 : 0.72;
  chart.contours.forEach((contour, n) => {
    // with many levels every other line, and every fifth heavier, as on a printed map
    if (chart.highest > 12 && n % 2 === 0 && zoom < 0.7) return;
    const lines = gather(contour.runs, frame, 4);
    if (!lines) return;
    if (chart.highest > 4) g.lineWidth = (n + 1) % 5 === 0 ? 2 : 1;
    g.stroke(lines);
  });
  g.globalAlpha = 1;
  if (zoom < 0.4) return;
  g.beginPath();
  for (const hex of hexes) {
    if (!ground(chart.terrain(hex)).steep && chart.highest <= 4) continue;
    for (const stroke of scatter.strokes(hex)) {
      g.moveTo(stroke.x, stroke.y);
      g.lineTo(stroke.x2, stroke.y2);
    }
  }
  g.strokeStyle = palette.hachure;
  g.lineWidth = 1.1;
  g.stroke();
}

function paintSea({ g, chart, palette, frame, zoom }: Job): void {
  const area = chart.covers.get('sea');
  const inside = area && gather(area.loops, frame, 4);
  if (!area || !inside) return;
  const colors = palette.covers.sea;
  g.fillStyle = palette.seaDeep;
  g.fill(inside, 'evenodd');
  const coast = gather(area.runs, frame, 60);
  if (!coast) return;
  g.save();
  g.clip(inside, 'evenodd');
  g.strokeStyle = palette.seaShallow;
  for (const width of [88, 62, 38, 20]) {
    g.globalAlpha = 0.42;
    g.lineWidth = width;
    g.stroke(coast);
  }
  g.globalAlpha = 1;
  if (zoom >= 0.3) {
    g.strokeStyle = palette.surf;
    g.lineWidth = 6.5;
    g.stroke(coast);
  }
  g.restore();
  g.strokeStyle = colors.edge;
  g.lineWidth = zoom < 0.3 ? 2.4 : 1.5;
  g.stroke(coast);
}

function paintWater({ g, chart, palette, hexes, zoom }: Job): void {
  for (const [ribbons, width] of [[chart.streams, 5], [chart.rivers, 17]] as const) {
    if (!traceRibbons(g, hexes, ribbons)) continue;
    const least = 1.2 / zoom;
    g.strokeStyle = palette.waterEdge;
    g.lineWidth = Math.max(width + 2.4, least * 1.4);
    g.stroke();
    g.strokeStyle = palette.water;
    g.lineWidth = Math.max(width, least);
    g.stroke();
    if (zoom < 0.5) continue;
    g.strokeStyle = palette.glint;
    g.lineWidth = width > 9 ? 2 : 1.2;
    g.setLineDash([9, 6]);
    g.stroke();
    g.setLineDash([]);
  }
}

/** Banks as ticks on both sides of a floor; at a ford they are gone. */
function paintGullies({ g, chart, palette, hexes, zoom }: Job): void {
  const steep = hexes.filter((hex) => chart.gullies.has(hex) && !chart.fords.has(hex));
  const least = 1.2 / zoom;
  g.lineCap = 'butt';
  if (traceRibbons(g, steep, chart.gullies)) {
    g.strokeStyle = palette.gullyBank;
    if (zoom >= 0.35) {
      g.lineWidth = 17;
      g.setLineDash([1.5, 3.3]);
      g.stroke();
      g.setLineDash([]);
    }
    g.lineWidth = Math.max(11, least * 1.6);
    g.stroke();
    g.strokeStyle = palette.gullyFloor;
    g.lineWidth = Math.max(7.6, least);
    g.stroke();
  }
  g.lineCap = 'round';
  const shallow = hexes.filter((hex) => chart.fords.has(hex));
  if (!traceRibbons(g, shallow, chart.gullies)) return;
  g.strokeStyle = palette.waterEdge;
  g.lineWidth = Math.max(12.5, least);
  g.setLineDash([0.01, 4.2]);
  g.stroke();
  g.setLineDash([]);
  g.strokeStyle = palette.fordFloor;
  g.lineWidth = Math.max(9.4, least);
  g.stroke();
}

// --- what is printed on top --------------------------------------------------------------------------------------------

function paintGrid({ g, chart, palette, frame, hexes, zoom }: Job): void {
  if (zoom < 0.16) return;
  const { grid } = chart;
  g.beginPath();
  for (const hex of hexes) {
    // three sides of each hex make the whole grid, each line once
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => grid.corner(hex, k));
    g.moveTo(a.x, a.y);
    g.lineTo(b.x, b.y);
    g.lineTo(c.x, c.y);
    g.lineTo(d.x, d.y);
  }
  g.strokeStyle = palette.grid;
  g.globalAlpha = Math.min(1, zoom / 0.4);
  g.lineWidth = Math.max(1, frame.density / frame.scale);
  g.stroke();
  g.globalAlpha = 1;
  // four digits must fit the upper side of a hex at a size that can be read
  const size = Math.min(12, Math.max(9, zoom * 8.4)) / zoom;
  if (!frame.labels || zoom < 0.62) return;
  g.fillStyle = palette.label;
  g.font = `500 ${size}px ${FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'alphabetic';
  g.lineWidth = size * 0.28;
  g.strokeStyle = palette.labelHalo;
  for (const hex of hexes) {
    const { x, y } = grid.center(hex);
    const foot = y - ACROSS / 2 + size * 0.72 + 2;
    // among trees and roofs a number needs ground of its own
    if (chart.cover[hex]) g.strokeText(grid.label(hex), x, foot);
    g.fillText(grid.label(hex), x, foot);
  }
}

/** An arrow where a road leaves the map. */
function paintRoadEnds({ g, chart, palette, frame, zoom }: Job): void {
  if (zoom < 0.24) return;
  for (const [hex, d] of chart.roadEnds) {
    const gate = chart.grid.gate(hex, d);
    if (gate.x < frame.x0 - 30 || gate.x > frame.x1 + 30 || gate.y < frame.y0 - 30 || gate.y > frame.y1 + 30) continue;
    g.save();
    g.translate(gate.x, gate.y);
    g.rotate(Math.atan2(OUTWARD[d].y, OUTWARD[d].x));
    g.beginPath();
    g.moveTo(6, -6.5);
    g.lineTo(15, 0);
    g.lineTo(6, 6.5);
    g.closePath();
    g.fillStyle = palette.road;
    g.strokeStyle = palette.roadEdge;
    g.lineWidth = 1.5;
    g.fill();
    g.stroke();
    g.restore();
  }
}
