/** What moves on the map for a moment: pieces on their way, and the words of a result that flash up. */

import { drawFlash, type FlashKind } from './flashes';
import type { Grid, Point } from './grid';
import type { Stage } from './stage';

const FLASH_TIME = 1500;
const MS_PER_HEX = 170;
const LONGEST_JOURNEY = 1100;

interface Journey {
  unit: number;
  points: Point[];
  begun: number;
  duration: number;
  done: () => void;
}

interface Flash {
  hex: number;
  text: string;
  kind: FlashKind;
  begun: number;
}

export class Motion {
  private journeys: Journey[] = [];
  /** Pieces that have arrived and wait for the news that they have. */
  private readonly arrived = new Map<number, Point>();
  private flashes: Flash[] = [];

  constructor(private readonly isStill: boolean, private readonly changed: () => void) {}

  get isBusy(): boolean {
    return this.journeys.length > 0 || this.flashes.length > 0;
  }

  /** Whether a piece is drawn where it travels, and not in its hex. */
  hasLeft(unit: number): boolean {
    return this.arrived.has(unit) || this.journeys.some((journey) => journey.unit === unit);
  }

  /** Sends a piece along hexes; done when it has arrived, at once where motion is not wanted. */
  send(unit: number, path: readonly number[], grid: Grid): Promise<void> {
    const points = path.filter((hex) => grid.has(hex)).map((hex) => grid.center(hex));
    if (points.length < 2) return Promise.resolve();
    if (this.isStill || document.hidden) {
      this.arrived.set(unit, points[points.length - 1]);
      this.changed();
      return Promise.resolve();
    }
    const duration = Math.min(LONGEST_JOURNEY, MS_PER_HEX * (points.length - 1));
    return new Promise((done) => {
      this.journeys.push({ unit, points, begun: performance.now(), duration, done });
      this.changed();
    });
  }

  flash(hex: number, text: string, kind: FlashKind): void {
    this.flashes.push({ hex, text, kind, begun: performance.now() });
    this.changed();
  }

  /** The pieces stand where they are said to stand. */
  settle(): void {
    this.arrived.clear();
  }

  stop(): void {
    for (const journey of this.journeys) journey.done();
    this.journeys = [];
  }

  /** Takes everything on to this moment; true when something has to be drawn anew. */
  advance(now: number): boolean {
    this.flashes = this.flashes.filter((flash) => now - flash.begun < FLASH_TIME);
    const ended = this.journeys.filter((journey) => now - journey.begun >= journey.duration);
    this.journeys = this.journeys.filter((journey) => !ended.includes(journey));
    for (const journey of ended) {
      this.arrived.set(journey.unit, journey.points[journey.points.length - 1]);
      journey.done();
    }
    return ended.length > 0 || this.isBusy;
  }

  /** Where a traveling piece is now, a little lifted while it moves; null for one that stands. */
  whereabouts(unit: number, now: number): (Point & { lift: number }) | null {
    const journey = this.journeys.find((one) => one.unit === unit);
    if (journey) return { ...alongPath(journey, now), lift: 3 };
    const at = this.arrived.get(unit);
    return at ? { ...at, lift: 0 } : null;
  }

  drawFlashes(stage: Stage, now: number): void {
    for (const { hex, text, kind, begun } of this.flashes) {
      drawFlash(stage, hex, text, kind, (now - begun) / FLASH_TIME, this.isStill);
    }
  }
}

function alongPath({ points, begun, duration }: Journey, now: number): Point {
  const t = Math.max(0, Math.min(1, (now - begun) / duration));
  const eased = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
  const far = eased * (points.length - 1);
  const n = Math.min(points.length - 2, Math.floor(far));
  const part = far - n;
  return {
    x: points[n].x + (points[n + 1].x - points[n].x) * part,
    y: points[n].y + (points[n + 1].y - points[n].y) * part,
  };
}
