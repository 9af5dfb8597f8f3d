/** What stands on the ground: trees, houses, reeds, rocks, tufts of grass. */

import type { Palette } from '../palette';
import type { Job } from './job';
import type { Thing } from './scatter';
import { crowns } from './sprites';

type G = CanvasRenderingContext2D;

export function paintThings(job: Job): void {
  const { g, chart, scatter, palette, hexes, zoom } = job;
  if (zoom < 0.22) return;
  const trees: Thing[] = [];
  for (const hex of hexes) {
    const cover = chart.cover[hex];
    if (cover === 'crop') continue;
    const things = scatter.of(hex);
    if (!cover) {
      if (zoom >= 0.55) paintTufts(g, things, palette.tuft);
      continue;
    }
    const colors = palette.covers[cover];
    switch (cover) {
      case 'woods': trees.push(...things); break;
      case 'town': paintHouses(g, palette, things, chart.names.has(hex), zoom); break;
      case 'swamp': if (zoom >= 0.4) paintReeds(g, things, colors.ink, colors.accent); break;
      case 'rough': if (zoom >= 0.4) paintRocks(g, things, colors.accent, colors.ink); break;
      case 'sea': if (zoom >= 0.45) paintWaves(g, things, colors.accent); break;
      default: if (zoom >= 0.4) paintDots(g, things, colors.ink);
    }
  }
  paintTrees(job, trees);
}

/** Crowns from north to south; farther away fewer and larger ones. */
function paintTrees({ g, palette, frame, zoom }: Job, trees: Thing[]): void {
  const isFar = zoom < 0.45;
  const shown = isFar ? trees.filter(({ look }) => look % 3 === 0) : trees;
  shown.sort((a, b) => a.y - b.y || a.x - b.x);
  const grow = (isFar ? 1.55 : 1) * frame.scale;
  const sizes = [5.9, 7.1, 8.3].map((size) => crowns(palette, size * grow));
  const [left, top] = [Math.round(frame.x0 * frame.scale), Math.round(frame.y0 * frame.scale)];
  g.save();
  g.setTransform(1, 0, 0, 1, 0, 0);
  for (const { x, y, size, look } of shown) {
    const made = sizes[size < 6.5 ? 0 : size < 7.7 ? 1 : 2];
    const { picture, half } = made[look % made.length];
    g.drawImage(picture, Math.round(x * frame.scale) - left - half, Math.round(y * frame.scale) - top - half);
  }
  g.restore();
}

/** A few blades of grass. */
function paintTufts(g: G, things: readonly Thing[], ink: string): void {
  g.beginPath();
  for (const { x, y, size } of things) {
    for (const lean of [-0.6, 0, 0.6]) {
      g.moveTo(x + lean * 1.4, y);
      g.lineTo(x + lean * size, y - size * (lean ? 0.8 : 1.1));
    }
  }
  g.strokeStyle = ink;
  g.lineWidth = 1;
  g.stroke();
}

function paintDots(g: G, things: readonly Thing[], ink: string): void {
  g.beginPath();
  for (const { x, y, size } of things) {
    g.moveTo(x + size, y);
    g.arc(x, y, size, 0, 7);
  }
  g.fillStyle = ink;
  g.fill();
}

function paintHouses(g: G, palette: Palette, houses: readonly Thing[], hasChurch: boolean, zoom: number): void {
  houses.forEach((house, n) => {
    const isChurch = hasChurch && n === Math.floor(houses.length / 2);
    const long = house.size * (isChurch ? 1.75 : 1.25 + (house.look % 5) * 0.09);
    const deep = house.size * (isChurch ? 0.95 : 0.86);
    const roof = palette.roofs[isChurch ? 1 : house.look % palette.roofs.length];
    g.save();
    g.translate(house.x, house.y);
    if (zoom >= 0.5) {
      g.fillStyle = palette.houseShadow;
      g.translate(1.6, 2);
      g.rotate(house.angle);
      g.fillRect(-long, -deep, long * 2, deep * 2);
      g.rotate(-house.angle);
      g.translate(-1.6, -2);
    }
    g.rotate(house.angle);
    g.fillStyle = palette.roofEdge;
    g.fillRect(-long - 0.7, -deep - 0.7, long * 2 + 1.4, deep * 2 + 1.4);
    // the half of the roof that faces the upper left is in the sun
    const isTurned = Math.cos(house.angle) + Math.sin(-house.angle) < 0;
    g.fillStyle = isTurned ? roof.shady : roof.sunny;
    g.fillRect(-long, -deep, long * 2, deep);
    g.fillStyle = isTurned ? roof.sunny : roof.shady;
    g.fillRect(-long, 0, long * 2, deep);
    if (isChurch) {
      g.fillStyle = palette.roofEdge;
      g.fillRect(-long - 5.4, -3.6, 7.2, 7.2);
      g.fillStyle = roof.sunny;
      g.fillRect(-long - 4.6, -2.8, 5.6, 5.6);
      g.fillStyle = palette.roofEdge;
      g.fillRect(-long - 2.3, -2.2, 1, 4.4);
      g.fillRect(-long - 4, -0.5, 4.4, 1);
    }
    g.restore();
  });
}

function paintReeds(g: G, things: readonly Thing[], water: string, reed: string): void {
  g.lineWidth = 1.3;
  g.beginPath();
  for (const { x, y, size, look } of things) {
    if (look % 3 === 0) continue;
    g.moveTo(x - size, y + 2);
    g.lineTo(x + size, y + 2);
    g.moveTo(x - size * 0.5, y + 5);
    g.lineTo(x + size * 0.6, y + 5);
  }
  g.strokeStyle = water;
  g.stroke();
  g.beginPath();
  for (const { x, y, size, look } of things) {
    if (look % 3 === 1) continue;
    for (const lean of [-0.55, 0, 0.55]) {
      g.moveTo(x, y + 1);
      g.lineTo(x + lean * size, y - size * 0.9);
    }
  }
  g.strokeStyle = reed;
  g.stroke();
}

function paintRocks(g: G, things: readonly Thing[], fill: string, ink: string): void {
  g.beginPath();
  for (const { x, y, size, look } of things) {
    const skew = ((look % 7) - 3) * 0.12;
    g.moveTo(x - size, y + size * 0.6);
    g.lineTo(x - size * (0.4 + skew), y - size * 0.7);
    g.lineTo(x + size * 0.5, y - size * (0.5 - skew));
    g.lineTo(x + size * 1.05, y + size * 0.6);
    g.closePath();
  }
  g.fillStyle = fill;
  g.fill();
  g.strokeStyle = ink;
  g.lineWidth = 1;
  g.stroke();
}

function paintWaves(g: G, things: readonly Thing[], ink: string): void {
  g.beginPath();
  for (const { x, y, size } of things) {
    g.moveTo(x - size, y);
    g.quadraticCurveTo(x - size / 2, y - 3, x, y);
    g.quadraticCurveTo(x + size / 2, y + 3, x + size, y);
  }
  g.strokeStyle = ink;
  g.globalAlpha = 0.6;
  g.lineWidth = 1.2;
  g.stroke();
  g.globalAlpha = 1;
}
