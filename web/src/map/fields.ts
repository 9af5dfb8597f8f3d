/** The faint patchwork of open ground: parcels that keep to no hex, some plowed, some in grass. Decoration, no terrain. */

import type { Palette } from '../palette';
import { noise, type Point } from './grid';
import type { Box } from './outline';

type G = CanvasRenderingContext2D;

/** The size of a parcel, in world units, before its corners stray. */
const WIDE = 118;
const TALL = 84;
const STRAY = 34;
const FURROW = 6.5;
/** The share of parcels that are drawn at all: an even quilt would hide the terrain that counts. */
const SHARE = 0.5;

export function paintFields(g: G, palette: Palette, frame: Box, zoom: number): void {
  if (zoom < 0.14) return;
  const [i0, i1] = [Math.floor((frame.x0 - STRAY) / WIDE) - 1, Math.ceil((frame.x1 + STRAY) / WIDE)];
  const [j0, j1] = [Math.floor((frame.y0 - STRAY) / TALL) - 1, Math.ceil((frame.y1 + STRAY) / TALL)];
  for (let j = j0; j <= j1; j++) {
    for (let i = i0; i <= i1; i++) if (noise(i, j, 61) < SHARE) paintParcel(g, palette, i, j, zoom);
  }
  g.globalAlpha = 1;
}

function corner(i: number, j: number): Point {
  // every other row is set off, as bricks are
  const shift = (j & 1) * WIDE * 0.42;
  return { x: i * WIDE + shift + (noise(i, j, 62) - 0.5) * STRAY * 2, y: j * TALL + (noise(i, j, 63) - 0.5) * STRAY * 1.4 };
}

function paintParcel(g: G, palette: Palette, i: number, j: number, zoom: number): void {
  const corners = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
  const middle = { x: corners.reduce((sum, { x }) => sum + x, 0) / 4, y: corners.reduce((sum, { y }) => sum + y, 0) / 4 };
  const area = new Path2D();
  // a little inside its borders, so that a strip of grass stays between parcels
  corners.forEach(({ x, y }, n) => {
    const at = { x: middle.x + (x - middle.x) * 0.93, y: middle.y + (y - middle.y) * 0.93 };
    if (n) area.lineTo(at.x, at.y);
    else area.moveTo(at.x, at.y);
  });
  area.closePath();
  const { fill, ink } = palette.fields[Math.floor(noise(i, j, 64) * palette.fields.length)];
  g.fillStyle = fill;
  g.globalAlpha = 1;
  g.fill(area);
  if (zoom < 0.42) return;
  g.save();
  g.clip(area);
  g.translate(middle.x, middle.y);
  // furrows run along one side of the parcel
  g.rotate(Math.atan2(corners[1].y - corners[0].y, corners[1].x - corners[0].x) + (noise(i, j, 65) < 0.5 ? 0 : Math.PI / 2));
  g.beginPath();
  for (let v = -WIDE; v <= WIDE; v += FURROW) {
    g.moveTo(-WIDE, v);
    g.lineTo(WIDE, v);
  }
  g.strokeStyle = ink;
  g.lineWidth = 1;
  g.stroke();
  g.restore();
}
