/** The names of places, set as on a printed map, beside the counters rather than under them. */

import { NAME_FONT } from '../palette';
import { ACROSS } from './grid';
import { boxAround, leastCovered } from './placing';
import type { Stage } from './stage';
import type { View } from './tiles';
import type { Board } from './types';

export function drawNames(stage: Stage, names: Board['names'], view: View): void {
  const { g, grid, palette, zoom, covered } = stage;
  if (zoom < 0.3) return;
  const size = Math.min(17, Math.max(11.5, 13 * zoom ** 0.5)) / zoom;
  g.font = `italic 600 ${size}px ${NAME_FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.lineJoin = 'round';
  g.lineWidth = size * 0.26;
  // a name keeps clear of those that are set already
  const taken = [...covered];
  const [right, foot] = [view.x + view.width / view.scale, view.y + view.height / view.scale];
  for (const [hex, name] of names) {
    const { x, y } = grid.center(hex);
    if (x < view.x - 200 || y < view.y - 90 || x > right + 200 || y > foot + 90) continue;
    const [wide, tall] = [g.measureText(name).width, size];
    const edge = ACROSS / 2;
    const places = [edge, edge + size * 0.7, -edge - size * 0.2, -edge - size, edge + size * 1.6].flatMap((dy) =>
      [0, size, -size, size * 2, -size * 2].map((dx) => ({ x: x + dx, y: y + dy })));
    const near = taken.filter((box) => Math.abs((box.x0 + box.x1) / 2 - x) < wide + 60 && Math.abs((box.y0 + box.y1) / 2 - y) < 160);
    const at = near.length ? leastCovered(places, wide, tall, near) : places[0];
    taken.push(boxAround(at, wide, tall));
    g.strokeStyle = palette.nameHalo;
    g.strokeText(name, at.x, at.y);
    g.fillStyle = palette.name;
    g.fillText(name, at.x, at.y);
  }
}
