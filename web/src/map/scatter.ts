/** Trees, houses, reeds and rocks: where they stand in a hex, worked out once and always the same. */

import type { Chart } from './chart';
import { ACROSS, noise, OUTWARD, RADIUS } from './grid';
import { type Cover, ground, type Manner } from './ground';
import { slopeAt } from './relief';
import { clearance, roadAngle } from './ribbons';

export interface Thing {
  x: number;
  y: number;
  size: number;
  /** A whole number that picks a variant. */
  look: number;
  angle: number;
}

/** A short stroke down a slope: from x, y to x2, y2. */
export interface Stroke {
  x: number;
  y: number;
  x2: number;
  y2: number;
}

export class Scatter {
  private readonly things = new Map<number, readonly Thing[]>();
  private readonly hachures = new Map<number, readonly Stroke[]>();

  constructor(private readonly chart: Chart) {}

  of(hex: number): readonly Thing[] {
    let things = this.things.get(hex);
    if (!things) {
      things = this.place(hex, this.chart.cover[hex], ground(this.chart.terrain(hex)).manner);
      this.things.set(hex, things);
    }
    return things;
  }

  /** Strokes that run down the slope of a hex, none on level ground. */
  strokes(hex: number): readonly Stroke[] {
    let strokes = this.hachures.get(hex);
    if (!strokes) {
      strokes = this.draw(hex);
      this.hachures.set(hex, strokes);
    }
    return strokes;
  }

  private place(hex: number, cover: Cover | '', manner?: Manner): readonly Thing[] {
    switch (cover) {
      case 'woods': return this.trees(hex, manner);
      case 'town': return this.houses(hex, manner);
      case 'swamp': return this.lattice(hex, 15, 5, 5, 5, 4, 6.5, 7);
      case 'rough': return this.lattice(hex, 17, 6, 6, 5, 3.6, 6.4, 7);
      case 'scrub': return this.lattice(hex, 15, 6, 5, 5, 2.2, 3.8, 6);
      case 'beach': return this.lattice(hex, 9.5, 4.5, 4, 0, 0.5, 1, 2);
      case 'sand': return this.lattice(hex, 11, 5, 4, 0, 0.5, 1, 2);
      case 'sea': return this.lattice(hex, 36, 13, 5, 0, 5, 8, 12);
      case 'other': return this.lattice(hex, 14, 0, 4, 5, 1.2, 1.2, 4);
      default: return this.tufts(hex);
    }
  }

  /** Trees of a wood; those of an orchard stand in rows, and apart. */
  private trees(hex: number, manner?: Manner): Thing[] {
    const trees = manner === 'rows' ? this.lattice(hex, 15.5, 0.5, 6, 7, 5, 5.6, 9)
      : manner === 'dense' ? this.lattice(hex, 9, 3, 6, 7, 6.2, 8.8, 7)
        : this.lattice(hex, 12.2, 4.5, 6, 7, 5.6, 8.6, 9);
    return trees.sort((a, b) => a.y - b.y || a.x - b.x);
  }

  /** Open ground has a tuft of grass here and there. */
  private tufts(hex: number): Thing[] {
    return this.lattice(hex, 21, 9, 5, 6, 3.2, 4.8, 6).filter(({ look }) => look % 7 === 0);
  }

  /** Points of a jittered triangular lattice that keep off roads, water and the edge of the area. */
  private lattice(hex: number, spacing: number, jitter: number, roadGap: number, waterGap: number,
    least: number, most: number, margin: number): Thing[] {
    const { chart } = this;
    const center = chart.grid.center(hex);
    const things: Thing[] = [];
    const tall = spacing * 0.866;
    const rows = Math.ceil(ACROSS / 2 / tall);
    const across = Math.max(4, Math.ceil(RADIUS / spacing));
    for (let j = -rows; j <= rows; j++) {
      for (let i = -across; i <= across; i++) {
        const key = (j + 9) * 20 + i + 9;
        const dx = (i + (j & 1) * 0.5) * spacing + (noise(hex, key, 1) - 0.5) * 2 * jitter;
        const dy = j * tall + (noise(hex, key, 2) - 0.5) * 2 * jitter;
        if (!this.isWithin(hex, dx, dy, margin)) continue;
        const x = center.x + dx;
        const y = center.y + dy;
        if (clearance(chart.roads.get(hex), x, y) < roadGap + 3) continue;
        if (clearance(chart.streams.get(hex), x, y) < waterGap || clearance(chart.gullies.get(hex), x, y) < waterGap) continue;
        things.push({
          x, y, size: least + noise(hex, key, 3) * (most - least), look: Math.floor(noise(hex, key, 4) * 997), angle: 0,
        });
      }
    }
    return things;
  }

  /** Inside the hex, and away from those sides beyond which the cover ends. */
  private isWithin(hex: number, dx: number, dy: number, margin: number): boolean {
    const { grid, cover } = this.chart;
    for (let d = 0; d < 6; d++) {
      const out = dx * OUTWARD[d].x + dy * OUTWARD[d].y;
      if (out > ACROSS / 2) return false;
      if (out > ACROSS / 2 - margin && cover[grid.neighbor(hex, d)] !== cover[hex]) return false;
    }
    return true;
  }

  /** Houses in rows along the road, or along a direction of the hex's own. */
  private houses(hex: number, manner?: Manner): Thing[] {
    const { chart } = this;
    const gaps = manner === 'loose' ? 0.48 : 0.16;
    const center = chart.grid.center(hex);
    const roads = chart.roads.get(hex);
    const turn = roads ? roadAngle(roads) : noise(hex, 0, 21) * Math.PI;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const houses: Thing[] = [];
    for (let j = -3; j <= 3; j++) {
      for (let i = -3; i <= 3; i++) {
        const key = (j + 9) * 20 + i + 9;
        if (noise(hex, key, 22) < gaps) continue;
        const u = (i + (j & 1) * 0.35) * 14 + (noise(hex, key, 23) - 0.5) * 4;
        const v = j * 11.5 + (j < 0 ? -3 : j > 0 ? 3 : 0) + (noise(hex, key, 24) - 0.5) * 3;
        const [dx, dy] = [u * cos - v * sin, u * sin + v * cos];
        if (!this.isWithin(hex, dx, dy, 9) || Math.hypot(dx, dy) > RADIUS * 0.92) continue;
        const [x, y] = [center.x + dx, center.y + dy];
        if (clearance(roads, x, y) < 9.5 || clearance(chart.streams.get(hex), x, y) < 8) continue;
        const crosswise = noise(hex, key, 25) < 0.3 ? Math.PI / 2 : 0;
        houses.push({
          x, y, size: 4.4 + noise(hex, key, 26) * 2.2, look: Math.floor(noise(hex, key, 27) * 997),
          angle: turn + crosswise + (noise(hex, key, 28) - 0.5) * 0.16,
        });
      }
    }
    if (manner === 'single') return houses.slice(houses.length >> 1).slice(0, 1);
    const shown = manner === 'halls' ? houses.filter((_, n) => n % 4 === 1).map((house) => ({ ...house, size: 8.6 })) : houses;
    return shown.sort((a, b) => a.y - b.y || a.x - b.x);
  }

  private draw(hex: number): readonly Stroke[] {
    const { chart } = this;
    const { grid, elevation } = chart;
    if (chart.cover[hex] === 'sea') return [];
    let falls = false;
    for (let d = 0; d < 6; d++) falls ||= elevation[grid.neighbor(hex, d)] !== elevation[hex];
    if (!falls) return [];
    const center = grid.center(hex);
    const strokes: Stroke[] = [];
    const full = Math.max(1, chart.highest / 2.5);
    for (let k = 0; k < 34; k++) {
      const x = center.x + (noise(hex, k, 41) - 0.5) * 2 * RADIUS * 0.94;
      const y = center.y + (noise(hex, k, 42) - 0.5) * ACROSS * 0.98;
      const slope = slopeAt(chart, x, y);
      const steep = Math.hypot(slope.x, slope.y) / full;
      if (steep < 0.24 + noise(hex, k, 43) * 0.3) continue;
      const length = Math.min(11, 4.5 + steep * 6);
      const [ux, uy] = [slope.x / (steep * full), slope.y / (steep * full)];
      if (clearance(chart.roads.get(hex), x - (ux * length) / 2, y - (uy * length) / 2) < 8) continue;
      strokes.push({ x, y, x2: x - ux * length, y2: y - uy * length });
    }
    return strokes;
  }
}
