/** What moves on the map for a moment: pieces on their way, those that come and go, and results that flash up. */

import { drawFlash, type Flash } from './flashes';
import type { Grid, Point } from './grid';
import type { Stage } from './stage';

const FLASH_TIME = 1500;
/** The part of its time in which a result that is held stands still until it may fade. */
const FLASH_REST = 0.7;
/** What moves does so by a clock of its own, which no frame takes further: who draws slowly sees it later, not less of it. */
const LONGEST_FRAME = 50;
const MS_PER_HEX = 170;
const LONGEST_JOURNEY = 1100;
/** How long a counter takes to come into sight, and to go out of it. */
const FADE_TIME = 320;

interface Journey {
  unit: number;
  points: Point[];
  /** Whether the way from a point to the next was not seen. */
  gaps: boolean[];
  begun: number;
  duration: number;
  done: () => void;
}

/** A counter that is no longer there. */
interface Ghost<T> {
  counter: T;
  at: Point;
  begun: number;
}

/** Where a piece is and how much of it shows, from 0 to 1. */
export interface Whereabouts extends Point {
  lift: number;
  opacity: number;
}

export class Motion<T> {
  private journeys: Journey[] = [];
  /** Pieces that have arrived and wait for the news that they have. */
  private readonly arrived = new Map<number, Point>();
  private flashes: { flash: Flash; begun: number; isHeld: boolean }[] = [];
  private readonly fresh = new Map<number, number>();
  private ghosts: Ghost<T>[] = [];
  private clock = 0;
  private drawn = 0;

  constructor(private readonly isStill: boolean, private readonly changed: () => void) {}

  get isBusy(): boolean {
    const flashes = this.flashes.some((one) => !one.isHeld || this.age(one.begun) < FLASH_REST);
    return this.journeys.length > 0 || flashes || this.fresh.size > 0 || this.ghosts.length > 0;
  }

  /** The pieces that are drawn where they travel. */
  get travelers(): number[] {
    return [...this.journeys.map(({ unit }) => unit), ...this.arrived.keys()];
  }

  /** Whether a piece is drawn where it travels, and not in its hex. */
  hasLeft(unit: number): boolean {
    return this.arrived.has(unit) || this.journeys.some((journey) => journey.unit === unit);
  }

  /** Sends a piece along hexes; done when it has arrived, at once where motion is not wanted. */
  send(unit: number, path: readonly number[], grid: Grid, pace = 1): Promise<void> {
    const hexes = path.filter((hex) => grid.has(hex));
    const points = hexes.map((hex) => grid.center(hex));
    if (!points.length) return Promise.resolve();
    if (this.isStill || document.hidden) {
      this.arrived.set(unit, points[points.length - 1]);
      this.changed();
      return Promise.resolve();
    }
    const gaps = hexes.slice(1).map((hex, n) => hex !== hexes[n] && grid.direction(hexes[n], hex) < 0);
    // whoever shows himself in one hex alone is looked at there for a moment
    const duration = Math.min(LONGEST_JOURNEY, MS_PER_HEX * Math.max(2, points.length - 1)) / pace;
    // who comes into sight is seen to do so before he goes on
    const begun = this.clock + (this.fresh.has(unit) ? FADE_TIME / pace : 0);
    return new Promise((done) => {
      this.journeys.push({ unit, points, gaps, begun, duration, done });
      this.changed();
    });
  }

  /** A piece that was not there a moment ago comes into sight. */
  appear(unit: number): void {
    if (this.isStill || document.hidden) return;
    this.fresh.set(unit, this.clock);
    this.changed();
  }

  /** A piece that is there no longer goes out of sight. */
  vanish(counter: T, at: Point): void {
    if (this.isStill || document.hidden) return;
    this.ghosts.push({ counter, at, begun: this.clock });
    this.changed();
  }

  /** A result shows: for a moment, or as long as it is held. */
  flash(flash: Flash, isHeld: boolean): void {
    this.flashes.push({ flash, begun: this.clock, isHeld });
    this.changed();
  }

  /** Results that were held fade. */
  release(): void {
    if (!this.flashes.some(({ isHeld }) => isHeld)) return;
    this.flashes = this.flashes.map((one) => (one.isHeld ? { ...one, begun: Math.max(one.begun, this.clock - FLASH_REST * FLASH_TIME), isHeld: false } : one));
    this.changed();
  }

  private age(begun: number): number {
    return (this.clock - begun) / FLASH_TIME;
  }

  /** The pieces stand where they are said to stand. */
  settle(): void {
    this.arrived.clear();
  }

  /** Whatever is on its way has arrived, and whatever comes or goes has come or gone. */
  finish(): void {
    const journeys = this.journeys;
    this.journeys = [];
    this.fresh.clear();
    this.ghosts = [];
    for (const { unit, points, done } of journeys) {
      this.arrived.set(unit, points[points.length - 1]);
      done();
    }
    this.changed();
  }

  /** Takes everything on to this moment; true when something has to be drawn anew. */
  advance(now: number): boolean {
    this.clock += Math.max(0, Math.min(LONGEST_FRAME, now - this.drawn));
    this.drawn = now;
    const { clock } = this;
    this.flashes = this.flashes.filter(({ begun, isHeld }) => isHeld || this.age(begun) < 1);
    const faded = this.ghosts.length + this.fresh.size;
    this.ghosts = this.ghosts.filter((ghost) => clock - ghost.begun < FADE_TIME);
    for (const [unit, begun] of this.fresh) if (clock - begun >= FADE_TIME) this.fresh.delete(unit);
    const ended = this.journeys.filter((journey) => clock - journey.begun >= journey.duration);
    this.journeys = this.journeys.filter((journey) => !ended.includes(journey));
    for (const journey of ended) {
      this.arrived.set(journey.unit, journey.points[journey.points.length - 1]);
      journey.done();
    }
    return ended.length > 0 || faded > 0 || this.isBusy;
  }

  /** Where a traveling piece is now, a little lifted while it moves; null for one that stands. */
  whereabouts(unit: number): Whereabouts | null {
    const shows = this.opacity(unit);
    const journey = this.journeys.find((one) => one.unit === unit);
    if (journey) {
      const way = alongPath(journey, this.clock);
      return { ...way, lift: 3, opacity: way.opacity * shows };
    }
    const at = this.arrived.get(unit);
    return at ? { ...at, lift: 0, opacity: shows } : null;
  }

  /** How much of a piece shows: little of one that has just come into sight. */
  opacity(unit: number): number {
    const begun = this.fresh.get(unit);
    return begun === undefined ? 1 : Math.max(0, Math.min(1, (this.clock - begun) / FADE_TIME));
  }

  /** The counters that are going out of sight. */
  leaving(): { counter: T; at: Point; opacity: number }[] {
    return this.ghosts.map(({ counter, at, begun }) => ({ counter, at, opacity: Math.max(0, 1 - (this.clock - begun) / FADE_TIME) }));
  }

  drawFlashes(stage: Stage): void {
    for (const { flash, begun, isHeld } of this.flashes) {
      drawFlash(stage, flash, isHeld ? Math.min(FLASH_REST, this.age(begun)) : this.age(begun), this.isStill);
    }
  }
}

/** Where a traveler is; over a stretch that was not seen it fades from one place and appears in the other. */
function alongPath({ points, gaps, begun, duration }: Journey, now: number): Point & { opacity: number } {
  if (points.length < 2) return { ...points[0], opacity: 1 };
  const t = Math.max(0, Math.min(1, (now - begun) / duration));
  const eased = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
  const far = eased * (points.length - 1);
  const n = Math.min(points.length - 2, Math.floor(far));
  const part = far - n;
  if (gaps[n]) return { ...points[part < 0.5 ? n : n + 1], opacity: Math.abs(1 - 2 * part) };
  return {
    x: points[n].x + (points[n + 1].x - points[n].x) * part,
    y: points[n].y + (points[n + 1].y - points[n].y) * part,
    opacity: 1,
  };
}
