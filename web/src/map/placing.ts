/** Where lettering goes on a crowded map: the first of some places that hides nothing, or the one that hides least. */

import type { Point } from './grid';
import type { Box } from './outline';

export function boxAround({ x, y }: Point, wide: number, tall: number): Box {
  return { x0: x - wide / 2, y0: y - tall / 2, x1: x + wide / 2, y1: y + tall / 2 };
}

function shared(a: Box, b: Box): number {
  const across = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const down = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return across > 0 && down > 0 ? across * down : 0;
}

export function leastCovered(places: readonly Point[], wide: number, tall: number, taken: readonly Box[]): Point {
  let best = places[0];
  let least = Infinity;
  for (const place of places) {
    const box = boxAround(place, wide, tall);
    const hidden = taken.reduce((sum, other) => sum + shared(box, other), 0);
    if (hidden < least) {
      least = hidden;
      best = place;
    }
    if (!hidden) break;
  }
  return best;
}
