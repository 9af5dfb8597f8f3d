/** Branch marks inside a box from -14, -9.4 to 14, 9.4, after the manner of military map symbols; drawn by ourselves. */

export interface Mark {
  /** Lines, in the box's ink. */
  line?: string;
  /** Filled shapes, in the same ink. */
  fill?: string;
  /** Letters, where no figure would be understood. */
  text?: string;
}

const CROSS = 'M-14 -9.4L14 9.4M14 -9.4L-14 9.4';
const HULL = 'M-5.5 -5H5.5A5 5 0 0 1 5.5 5H-5.5A5 5 0 0 1 -5.5 -5Z';
const DOME = 'M-14 9.4A14 12.5 0 0 1 14 9.4';
const PRONGS = 'M-7.5 4.5V-4H7.5V4.5M0 -4V4.5';
const WEDGE = 'M-14 9.4L0 -9.4L14 9.4';
const WINGS = 'M-7 8.6A3.5 3.5 0 0 1 0 8.6A3.5 3.5 0 0 1 7 8.6';

function dot(x: number, y: number, r: number): string {
  return `M${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}Z`;
}

const MARKS: Readonly<Record<string, Mark>> = {
  infantry: { line: CROSS },
  armored_infantry: { line: CROSS + HULL },
  airborne: { line: CROSS + WINGS },
  commando: { line: `${CROSS}M0 -8V5.5M-3 1.5H3`, fill: 'M-1.6 -4.5L0 -8.8L1.6 -4.5Z' },
  mg: { line: 'M0 6.5V-6M-3.2 -2.8L0 -6.4L3.2 -2.8M-4.5 6.5H4.5M-3 2.5H3' },
  armor: { line: HULL },
  assault_gun: { line: HULL, fill: 'M-5.5 -1.3H9.5V1.3H-5.5Z' },
  tank_destroyer: { line: HULL + WEDGE },
  flame: {
    fill: 'M.6 -7.6C1.4 -3.8 5.4 -2.2 5.4 2.2A5.4 5.2 0 0 1 -5.4 2.2C-5.4 -.4 -4 -1.6 -3.2 -3.4C-2.8 -1.8 -2 -1 -1.2 -.8C-2 -3.4 -1 -6.2 .6 -7.6Z',
  },
  antitank: { line: WEDGE },
  artillery: { fill: dot(0, 0, 3.4) },
  spa: { line: HULL, fill: dot(0, 0, 2.6) },
  rocket: { line: 'M-4.4 .8L0 -3.4L4.4 .8M-4.4 -3L0 -7.2L4.4 -3', fill: dot(0, 5, 2.5) },
  mortar: { line: `M0 2V-6.6M-3.2 -3.4L0 -7L3.2 -3.4${dot(0, 4.4, 2.4)}` },
  antiair: { line: DOME },
  spaa: { line: DOME + HULL },
  engineer: { line: PRONGS },
  armored_engineer: { line: `${HULL}M-4 2.6V-2.2H4V2.6M0 -2.2V2.6` },
  recon: { line: 'M-14 9.4L14 -9.4' },
  transport: { line: `${dot(0, 0, 6)}M-6 0H6M0 -6V6M-4.24 -4.24L4.24 4.24M4.24 -4.24L-4.24 4.24` },
  halftrack: {
    line: `M-9.5 1.2V-3H-3.5L-1.5 -6H9.5V1.2ZM0 3.2H7.5A1.9 1.9 0 0 1 7.5 7H0A1.9 1.9 0 0 1 0 3.2Z${dot(-6, 5, 2.1)}`,
  },
  fort: { line: 'M-9.5 6.5V-6.5H-5.5V-3.5H-2V-6.5H2V-3.5H5.5V-6.5H9.5V6.5Z' },
  bridge: { line: 'M-10 -7L-6.5 -3.2H6.5L10 -7M-10 7L-6.5 3.2H6.5L10 7M-3.5 -3.2V3.2M0 -3.2V3.2M3.5 -3.2V3.2' },
  block: { line: 'M-9 6L-3 -6M-9 -6L-3 6M3 6L9 -6M3 -6L9 6M-10 0H10' },
  mine: { line: 'M-9 6.5L0 -7.5L9 6.5Z', fill: dot(0, 2, 1.8) },
  aircraft: {
    fill: 'M0 -9C1.3 -9 1.7 -6.6 1.7 -4.4L1.7 -2.6L13 1.4V4L1.7 1.8L1.2 6.4L4.4 8.2V9.6L0 8.6L-4.4 9.6V8.2L-1.2 6.4L-1.7 1.8L-13 4V1.4L-1.7 -2.6L-1.7 -4.4C-1.7 -6.6 -1.3 -9 0 -9Z',
  },
  headquarters: { text: 'HQ' },
  unknown: { text: '?' },
};

interface Ready {
  line: Path2D | null;
  fill: Path2D | null;
  text: string;
}

const ready = new Map<string, Ready>();

/** The mark of a branch; one that is not in the table shows its first letters. */
export function markOf(name: string): Ready {
  let mark = ready.get(name);
  if (!mark) {
    const { line, fill, text } = MARKS[name] ?? { text: name ? name.slice(0, 2).toUpperCase() : '?' };
    mark = { line: line ? new Path2D(line) : null, fill: fill ? new Path2D(fill) : null, text: text ?? '' };
    ready.set(name, mark);
  }
  return mark;
}

export const MARK_NAMES: readonly string[] = Object.keys(MARKS);
