/** Roads and rail lines: where they run in each hex, and how each kind looks. */

import { type Grid } from './grid';
import type { Job } from './job';
import { type Ribbon, ribbonsOf, traceRibbons } from './ribbons';

/** How far a road leaves the middle of a side. */
export const ROAD_STRAY = 5;

/** In the order in which they are painted: a rail line lies over the road that it crosses. */
const STYLES = ['trail', 'road', 'primary', 'rail'] as const;

export type RoadStyle = (typeof STYLES)[number];

/** For each style its ribbons by hex. */
export type Ways = ReadonlyMap<RoadStyle, ReadonlyMap<number, Ribbon[]>>;

/** What a kind of road looks like; a kind may be a road and a rail line beside it. */
export function roadStyles(kind: string): readonly RoadStyle[] {
  const words = kind.split('_');
  const found: RoadStyle[] = [];
  if (words.includes('rail')) found.push('rail');
  if (words.includes('primary')) found.push('primary');
  else if (words.includes('trail') || words.includes('track') || words.includes('path')) found.push('trail');
  else if (!found.length || words.length > 1) found.push('road');
  return found;
}

/** Roads meet in the middle of a hex; rail lines have a way of their own through it. */
export function layRoads(
  grid: Grid, roads: ReadonlyMap<string, Uint8Array>, ends: readonly (readonly [number, number])[],
): Ways {
  const exits = new Map<RoadStyle, Uint8Array>(STYLES.map((style) => [style, new Uint8Array(grid.size)]));
  for (const [kind, bits] of roads) {
    for (const style of roadStyles(kind)) bits.forEach((leaving, hex) => (exits.get(style)![hex] |= leaving));
  }
  for (const [hex, d] of ends) exits.get(styleOfEnd(exits, hex))![hex] |= 1 << d;
  const ways = new Map<RoadStyle, Map<number, Ribbon[]>>();
  for (const style of STYLES) {
    const laid = new Map<number, Ribbon[]>();
    exits.get(style)!.forEach((bits, hex) => {
      if (!bits) return;
      const meet = style !== 'rail' && STYLES.some((other) => other !== style && other !== 'rail' && exits.get(other)![hex]);
      laid.set(hex, ribbonsOf(grid, hex, directions(bits), ROAD_STRAY, 0.56, meet));
    });
    if (laid.size) ways.set(style, laid);
  }
  return ways;
}

/** Off the map goes what comes into its last hex from one side only. */
function styleOfEnd(exits: ReadonlyMap<RoadStyle, Uint8Array>, hex: number): RoadStyle {
  const here = STYLES.filter((style) => exits.get(style)![hex]);
  return here.find((style) => directions(exits.get(style)![hex]).length === 1) ?? here[0] ?? 'road';
}

function directions(bits: number): number[] {
  return [0, 1, 2, 3, 4, 5].filter((d) => bits & (1 << d));
}

export function paintRoads(job: Job): void {
  for (const [style, ribbons] of job.chart.ways) {
    if (traceRibbons(job.g, job.hexes, ribbons)) PAINTERS[style](job);
  }
}

/** Each strokes the path that was traced. */
const PAINTERS: Readonly<Record<RoadStyle, (job: Job) => void>> = {
  trail: paintTrail,
  road: (job) => paintPaved(job, 7.4, 4.6, job.palette.road),
  primary: (job) => paintPaved(job, 9.4, 6.2, job.palette.mainRoad),
  rail: paintRail,
};

function paintPaved({ g, palette, zoom }: Job, edge: number, width: number, color: string): void {
  const least = 1.3 / zoom;
  g.strokeStyle = palette.roadEdge;
  g.lineWidth = Math.max(edge, least * 1.5);
  g.stroke();
  g.strokeStyle = color;
  g.lineWidth = Math.max(width, least * (zoom < 0.2 ? 0 : 0.6));
  g.stroke();
}

/** A beaten way: dashes without edges. */
function paintTrail({ g, palette, zoom }: Job): void {
  g.strokeStyle = palette.roadEdge;
  g.lineWidth = Math.max(2.2, 0.9 / zoom);
  g.lineCap = 'butt';
  g.setLineDash([8, 4.5]);
  g.stroke();
  g.setLineDash([]);
  g.lineCap = 'round';
}

/** A line with ties across it; from far away the line alone. */
function paintRail({ g, palette, zoom }: Job): void {
  g.strokeStyle = palette.rail;
  g.lineWidth = Math.max(1.8, 1.1 / zoom);
  g.stroke();
  if (zoom < 0.3) return;
  g.lineCap = 'butt';
  g.lineWidth = 7.5;
  g.setLineDash([1.5, 5.5]);
  g.stroke();
  g.setLineDash([]);
  g.lineCap = 'round';
}
