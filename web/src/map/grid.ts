/** Flat-topped hexes in world units: odd columns half a hex down, hexes numbered (col + 1) * (height + 2) + row + 1. */

export interface Point {
  x: number;
  y: number;
}

/** From the center of a hex to a corner. */
export const RADIUS = 40;
/** From the middle of one flat side to that of the opposite one: the distance of neighboring centers. */
export const ACROSS = Math.sqrt(3) * RADIUS;
export const COLUMN = 1.5 * RADIUS;

/** Corner k and corner k + 1 bound side k; side 0 is the northern one and the others follow clockwise. */
export const CORNERS: readonly Point[] = [
  { x: -RADIUS / 2, y: -ACROSS / 2 },
  { x: RADIUS / 2, y: -ACROSS / 2 },
  { x: RADIUS, y: 0 },
  { x: RADIUS / 2, y: ACROSS / 2 },
  { x: -RADIUS / 2, y: ACROSS / 2 },
  { x: -RADIUS, y: 0 },
];

/** The unit vector that points out of side k. */
export const OUTWARD: readonly Point[] = CORNERS.map((a, k) => {
  const b = CORNERS[(k + 1) % 6];
  return { x: (a.x + b.x) / ACROSS, y: (a.y + b.y) / ACROSS };
});

export function opposite(direction: number): number {
  return (direction + 3) % 6;
}

/** The hexes of one board: where they lie, what lies beside them, what they are called. */
export class Grid {
  readonly stride: number;
  readonly size: number;
  /** The world's extent: the board fills 0..worldWidth by 0..worldHeight. */
  readonly worldWidth: number;
  readonly worldHeight: number;

  constructor(readonly width: number, readonly height: number) {
    this.stride = height + 2;
    this.size = (width + 2) * this.stride;
    this.worldWidth = COLUMN * (width - 1) + 2 * RADIUS;
    this.worldHeight = ACROSS * (height + (width > 1 ? 0.5 : 0));
  }

  id(col: number, row: number): number {
    return (col + 1) * this.stride + row + 1;
  }

  col(hex: number): number {
    return Math.floor(hex / this.stride) - 1;
  }

  row(hex: number): number {
    return (hex % this.stride) - 1;
  }

  has(hex: number): boolean {
    const col = this.col(hex);
    const row = this.row(hex);
    return col >= 0 && row >= 0 && col < this.width && row < this.height;
  }

  /** The number of the hex beyond a side, guard hexes included; -1 outside the ring of guard hexes. */
  neighbor(hex: number, direction: number): number {
    const col = this.col(hex);
    const row = this.row(hex);
    const down = col & 1;
    let c = col;
    let r = row;
    switch (direction) {
      case 0: r -= 1; break;
      case 1: c += 1; r -= 1 - down; break;
      case 2: c += 1; r += down; break;
      case 3: r += 1; break;
      case 4: c -= 1; r += down; break;
      default: c -= 1; r -= 1 - down;
    }
    if (c < -1 || r < -1 || c > this.width || r > this.height) return -1;
    return this.id(c, r);
  }

  /** The direction from a hex to its neighbor, -1 when they don't touch. */
  direction(from: number, to: number): number {
    for (let d = 0; d < 6; d++) if (this.neighbor(from, d) === to) return d;
    return -1;
  }

  x(hex: number): number {
    return COLUMN * this.col(hex) + RADIUS;
  }

  y(hex: number): number {
    return ACROSS * (this.row(hex) + 0.5 + (this.col(hex) & 1) * 0.5);
  }

  center(hex: number): Point {
    return { x: this.x(hex), y: this.y(hex) };
  }

  corner(hex: number, k: number): Point {
    const corner = CORNERS[((k % 6) + 6) % 6];
    return { x: this.x(hex) + corner.x, y: this.y(hex) + corner.y };
  }

  /** The middle of a side. */
  gate(hex: number, direction: number): Point {
    const out = OUTWARD[direction];
    return { x: this.x(hex) + (out.x * ACROSS) / 2, y: this.y(hex) + (out.y * ACROSS) / 2 };
  }

  /** The hex of the board at a world point, 0 off the board. */
  at(x: number, y: number): number {
    const guess = Math.round((x - RADIUS) / COLUMN);
    let best = 0;
    let nearest = Infinity;
    for (let col = guess - 1; col <= guess + 1; col++) {
      if (col < 0 || col >= this.width) continue;
      const middle = Math.round(y / ACROSS - 0.5 - (col & 1) * 0.5);
      for (let row = middle - 1; row <= middle + 1; row++) {
        if (row < 0 || row >= this.height) continue;
        const dx = COLUMN * col + RADIUS - x;
        const dy = ACROSS * (row + 0.5 + (col & 1) * 0.5) - y;
        const d = dx * dx + dy * dy;
        if (d < nearest) {
          nearest = d;
          best = this.id(col, row);
        }
      }
    }
    return best && isInside(x - this.x(best), y - this.y(best)) ? best : 0;
  }

  /** The hexes whose drawing can reach into a world rectangle, by rows so that what lies south is drawn later. */
  within(x0: number, y0: number, x1: number, y1: number, margin = 14): number[] {
    const c0 = Math.max(0, Math.floor((x0 - margin - 2 * RADIUS) / COLUMN));
    const c1 = Math.min(this.width - 1, Math.ceil((x1 + margin) / COLUMN));
    const r0 = Math.max(0, Math.floor((y0 - margin) / ACROSS - 1.5));
    const r1 = Math.min(this.height - 1, Math.ceil((y1 + margin) / ACROSS));
    const found: number[] = [];
    for (let row = r0; row <= r1; row++) for (let col = c0; col <= c1; col++) found.push(this.id(col, row));
    return found;
  }

  label(hex: number): string {
    const digits = Math.max(this.width, this.height) > 99 ? 3 : 2;
    return String(this.col(hex) + 1).padStart(digits, '0') + String(this.row(hex) + 1).padStart(digits, '0');
  }
}

function isInside(dx: number, dy: number): boolean {
  const x = Math.abs(dx);
  const y = Math.abs(dy);
  return y <= ACROSS / 2 + 1e-6 && Math.sqrt(3) * x + y <= ACROSS + 1e-6;
}

/** Adds the outline of a hex to a path. */
export function traceHex(path: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void; closePath(): void },
  center: Point, scale = 1): void {
  path.moveTo(center.x + CORNERS[0].x * scale, center.y + CORNERS[0].y * scale);
  for (let k = 1; k < 6; k++) path.lineTo(center.x + CORNERS[k].x * scale, center.y + CORNERS[k].y * scale);
  path.closePath();
}

/** A number in 0..1 that is always the same for the same three whole numbers: a redraw never moves a tree. */
export function noise(a: number, b: number, c: number): number {
  let h = Math.imul(a | 0, 374761393) ^ Math.imul(b | 0, 668265263) ^ Math.imul(c | 0, 2147483647 - 61);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  h = Math.imul(h ^ (h >>> 16), 2246822519);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** Noise that varies smoothly over the plane, in -1..1. */
export function smoothNoise(x: number, y: number, seed: number): number {
  const i = Math.floor(x);
  const j = Math.floor(y);
  const u = fade(x - i);
  const v = fade(y - j);
  const top = noise(i, j, seed) * (1 - u) + noise(i + 1, j, seed) * u;
  const low = noise(i, j + 1, seed) * (1 - u) + noise(i + 1, j + 1, seed) * u;
  return (top * (1 - v) + low * v) * 2 - 1;
}

function fade(t: number): number {
  return t * t * (3 - 2 * t);
}
