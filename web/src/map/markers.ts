/** Things that lie in a hex and belong to nobody: mines, blocks, wrecks, smoke. Drawn around the origin. */

import { FONT, type Palette } from '../palette';
import { noise } from './grid';

type G = CanvasRenderingContext2D;

/** Where a marker shows: in its hex, in the ground where nothing covers it, all over the hex, or as the flag of an
 * objective, which is drawn with those.
 */
export type Place = 'hex' | 'ground' | 'air' | 'flag';

/** The words of the protocol for what lies on the map, each with its place and its figure. */
const MARKERS: Readonly<Record<string, { place: Place; paint?: (g: G, palette: Palette) => void }>> = {
  mine: { place: 'hex', paint: drawMine },
  block: { place: 'hex', paint: drawBlock },
  wreck: { place: 'hex', paint: drawWreck },
  smoke: { place: 'air', paint: drawSmoke },
  'ruined bridge': { place: 'ground', paint: drawRuin },
  flag: { place: 'flag' },
  minefield: { place: 'hex', paint: drawMine },
  obstacle: { place: 'hex', paint: drawBlock },
  improved: { place: 'hex', paint: drawPosition },
  trench: { place: 'hex', paint: drawTrench },
  bunker: { place: 'hex', paint: drawBunker },
  pillbox: { place: 'hex', paint: drawPillbox },
  congestion: { place: 'hex', paint: drawColumn },
  rubble: { place: 'hex', paint: drawRubble },
  cleared_rubble: { place: 'hex', paint: drawClearedRubble },
  rail_damage: { place: 'hex', paint: drawBrokenRail },
  pontoon: { place: 'hex', paint: drawBoats },
  engineer_bridge: { place: 'hex', paint: drawBoats },
  broken_bridge: { place: 'hex', paint: drawRuin },
  damaged_bridge: { place: 'hex', paint: drawRuin },
  wired: { place: 'hex', paint: drawCharge },
};

export const placeOf = (mark: string): Place => MARKERS[mark]?.place ?? 'hex';

/** A marker some 30 world units across; a mark that is not in the table shows its first letter. */
export function drawMarker(g: G, palette: Palette, mark: string): void {
  const paint = MARKERS[mark]?.paint;
  if (paint) paint(g, palette);
  else drawTag(g, palette, mark.slice(0, 1).toUpperCase());
}

function outlined(g: G, palette: Palette, fill: string): void {
  g.lineJoin = 'round';
  g.strokeStyle = palette.markerHalo;
  g.lineWidth = 4.6;
  g.stroke();
  g.fillStyle = fill;
  g.fill();
  g.strokeStyle = palette.markerInk;
  g.lineWidth = 2;
  g.stroke();
}

function drawMine(g: G, palette: Palette): void {
  g.beginPath();
  g.moveTo(0, -13);
  g.lineTo(14, 11);
  g.lineTo(-14, 11);
  g.closePath();
  outlined(g, palette, palette.markerFill);
  g.fillStyle = palette.markerInk;
  g.beginPath();
  g.arc(0, 3.4, 4.2, 0, 7);
  g.fill();
  g.beginPath();
  for (const angle of [-2.2, -1.57, -0.94]) {
    g.moveTo(0, 3.4);
    g.lineTo(Math.cos(angle) * 8, 3.4 + Math.sin(angle) * 8);
  }
  g.lineWidth = 1.6;
  g.stroke();
}

/** Crossed stakes with wire between them. */
function drawBlock(g: G, palette: Palette): void {
  g.lineCap = 'round';
  g.beginPath();
  for (const x of [-9, 9]) {
    g.moveTo(x - 6, -9);
    g.lineTo(x + 6, 9);
    g.moveTo(x + 6, -9);
    g.lineTo(x - 6, 9);
  }
  g.moveTo(-16, 0);
  g.lineTo(16, 0);
  g.strokeStyle = palette.markerHalo;
  g.lineWidth = 7;
  g.stroke();
  g.strokeStyle = palette.markerInk;
  g.lineWidth = 3;
  g.stroke();
}

function drawWreck(g: G, palette: Palette): void {
  const puff = `rgb(${palette.smoke.join(' ')} / 80%)`;
  g.fillStyle = puff;
  g.beginPath();
  for (const [x, y, r] of [[5, -8, 4.5], [9, -14, 5.5], [3, -15, 4]]) {
    g.moveTo(x + r, y);
    g.arc(x, y, r, 0, 7);
  }
  g.fill();
  g.beginPath();
  g.moveTo(-14, 8);
  g.lineTo(-11, 0);
  g.lineTo(-5, -1);
  g.lineTo(-3, -6);
  g.lineTo(6, -5);
  g.lineTo(8, 0);
  g.lineTo(14, 2);
  g.lineTo(13, 8);
  g.closePath();
  outlined(g, palette, palette.markerInk);
  g.beginPath();
  g.moveTo(-5, -2);
  g.lineTo(5, 7);
  g.moveTo(5, -2);
  g.lineTo(-5, 7);
  g.strokeStyle = palette.fire;
  g.lineWidth = 2.4;
  g.stroke();
}

/** Lines in ink with a light edge. */
function inked(g: G, palette: Palette, path: Path2D, width = 3): void {
  g.lineCap = 'round';
  g.lineJoin = 'round';
  g.strokeStyle = palette.markerHalo;
  g.lineWidth = width + 4;
  g.stroke(path);
  g.strokeStyle = palette.markerInk;
  g.lineWidth = width;
  g.stroke(path);
}

/** A bank thrown up to one side. */
function drawPosition(g: G, palette: Palette): void {
  inked(g, palette, new Path2D('M-14 6A15 15 0 0 1 14 6'));
}

/** A trench in bays. */
function drawTrench(g: G, palette: Palette): void {
  inked(g, palette, new Path2D('M-16 5H-9V-4H-2V5H5V-4H12V5H16'));
}

/** A bank with timber over it. */
function drawBunker(g: G, palette: Palette): void {
  g.beginPath();
  g.moveTo(-14, 9);
  g.arc(0, 9, 14, Math.PI, 0);
  g.closePath();
  outlined(g, palette, palette.markerFill);
  inked(g, palette, new Path2D('M-6 3H6'), 2.4);
}

/** Concrete with a slit. */
function drawPillbox(g: G, palette: Palette): void {
  g.beginPath();
  g.rect(-13, -10, 26, 20);
  outlined(g, palette, palette.markerInk);
  g.fillStyle = palette.markerFill;
  g.fillRect(-8, -3, 16, 5);
}

/** Vehicles nose to tail. */
function drawColumn(g: G, palette: Palette): void {
  g.beginPath();
  for (const x of [-15, -4.5, 6]) g.rect(x, -4.5, 9, 9);
  outlined(g, palette, palette.markerFill);
}

const STONES = 'M-13 9L-8 0L-2 9ZM-4 8L2 -6L9 8ZM7 9L11 2L15 9Z';

function drawRubble(g: G, palette: Palette): void {
  const stones = new Path2D(STONES);
  inked(g, palette, stones, 2.4);
  g.fillStyle = palette.markerInk;
  g.fill(stones);
}

/** Rubble at the sides of a way that is open. */
function drawClearedRubble(g: G, palette: Palette): void {
  inked(g, palette, new Path2D('M-15 9L-11 1L-7 9ZM7 9L11 1L15 9Z'), 2.2);
  inked(g, palette, new Path2D('M0 11V-9'), 1.6);
}

/** A rail line with a gap. */
function drawBrokenRail(g: G, palette: Palette): void {
  inked(g, palette, new Path2D('M-16 0H-5L-2 -6M16 0H5L2 6M-13 -5V5M-8 -5V5M13 -5V5M8 -5V5'), 2.4);
}

/** A way laid over boats. */
function drawBoats(g: G, palette: Palette): void {
  inked(g, palette, new Path2D('M-16 -3H16M-16 3H16M-11 -8Q-8 0 -11 8M0 -8Q3 0 0 8M11 -8Q14 0 11 8'), 2.4);
}

/** A charge with its wire. */
function drawCharge(g: G, palette: Palette): void {
  g.beginPath();
  g.rect(-9, -3, 18, 11);
  outlined(g, palette, palette.markerFill);
  inked(g, palette, new Path2D('M0 -3V-8Q0 -12 6 -11'), 2);
}

/** The rails of a bridge, broken off on both sides of a cross. */
function drawRuin(g: G, palette: Palette): void {
  const rails = new Path2D('M-17 -11L-13 -7H-7M-17 11L-13 7H-8M17 -11L13 -7H8M17 11L13 7H7');
  const cross = new Path2D('M-5.5 -5.5L5.5 5.5M5.5 -5.5L-5.5 5.5');
  g.lineCap = 'round';
  g.strokeStyle = palette.markerHalo;
  g.lineWidth = 8;
  g.stroke(rails);
  g.stroke(cross);
  g.strokeStyle = palette.markerInk;
  g.lineWidth = 3.4;
  g.stroke(rails);
  g.strokeStyle = palette.fire;
  g.stroke(cross);
}

/** A bank of smoke as large as the hex, so that it shows around the counters in it. */
function drawSmoke(g: G, palette: Palette): void {
  const rgb = palette.smoke.join(' ');
  for (let k = 0; k < 15; k++) {
    const angle = k * 2.4;
    const out = 31 * Math.sqrt(k / 15);
    const x = Math.cos(angle) * out;
    const y = Math.sin(angle) * out * 0.86;
    const r = 10 + noise(k, 3, 1) * 6;
    const puff = g.createRadialGradient(x - r * 0.3, y - r * 0.35, r * 0.1, x, y, r);
    puff.addColorStop(0, `rgb(${rgb} / 88%)`);
    puff.addColorStop(0.7, `rgb(${rgb} / 58%)`);
    puff.addColorStop(1, `rgb(${rgb} / 0%)`);
    g.fillStyle = puff;
    g.beginPath();
    g.arc(x, y, r, 0, 7);
    g.fill();
  }
}

function drawTag(g: G, palette: Palette, letter: string): void {
  g.beginPath();
  g.moveTo(0, -13);
  g.lineTo(13, 0);
  g.lineTo(0, 13);
  g.lineTo(-13, 0);
  g.closePath();
  outlined(g, palette, palette.markerFill);
  g.fillStyle = palette.markerInk;
  g.font = `800 14px ${FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(letter, 0, 1);
}
