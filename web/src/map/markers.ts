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
