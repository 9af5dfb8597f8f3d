/** Bridges, and what is left of them. */

import type { Palette } from '../palette';
import type { Bridge } from './chart';
import type { Job } from './job';

type G = CanvasRenderingContext2D;

export function paintBridges({ g, chart, palette, hexes, zoom, frame }: Job): void {
  if (zoom < 0.2) return;
  for (const hex of hexes) {
    const bridge = chart.bridges.get(hex);
    if (bridge) place(g, bridge, palette, frame.ruins.includes(hex) ? paintRuin : paintBridge);
    for (const span of chart.spans.get(hex) ?? []) place(g, span, palette, paintBridge);
  }
}

function place(g: G, bridge: Bridge, palette: Palette, paint: (g: G, palette: Palette, half: number) => void): void {
  g.save();
  g.translate(bridge.at.x, bridge.at.y);
  g.rotate(bridge.angle);
  g.lineCap = 'butt';
  paint(g, palette, bridge.length / 2);
  g.restore();
}

function paintBridge(g: G, palette: Palette, half: number): void {
  g.fillStyle = palette.road;
  g.fillRect(-half, -3.6, half * 2, 7.2);
  g.strokeStyle = palette.bridge;
  g.lineWidth = 2;
  g.beginPath();
  for (const side of [-4.4, 4.4]) {
    const flare = Math.sign(side) * 3;
    g.moveTo(-half - 3, side + flare);
    g.lineTo(-half, side);
    g.lineTo(half, side);
    g.lineTo(half + 3, side + flare);
  }
  g.stroke();
}

/** Two jagged stumps with open water between them, and a cross over the gap. */
function paintRuin(g: G, palette: Palette, half: number): void {
  const [bank, brink] = [half + 9, half * 0.4 + 4.5];
  // the road was painted across the water: the water comes back
  g.fillStyle = palette.water;
  g.fillRect(-half, -5, half * 2, 10);
  for (const way of [-1, 1]) {
    g.beginPath();
    g.moveTo(way * bank, -8);
    g.lineTo(way * (bank - 4), -4.6);
    g.lineTo(way * (brink + 1.5), -4.6);
    g.lineTo(way * (brink + 4), -1.6);
    g.lineTo(way * brink, 0.6);
    g.lineTo(way * (brink + 3.4), 2.4);
    g.lineTo(way * (brink + 0.8), 4.6);
    g.lineTo(way * (bank - 4), 4.6);
    g.lineTo(way * bank, 8);
    g.fillStyle = palette.road;
    g.fill();
    g.strokeStyle = palette.bridge;
    g.lineWidth = 2.2;
    g.lineJoin = 'miter';
    g.stroke();
  }
  g.lineCap = 'round';
  g.beginPath();
  g.moveTo(-4.6, -4.6);
  g.lineTo(4.6, 4.6);
  g.moveTo(4.6, -4.6);
  g.lineTo(-4.6, 4.6);
  g.strokeStyle = palette.bridge;
  g.lineWidth = 5.6;
  g.stroke();
  g.strokeStyle = palette.fire;
  g.lineWidth = 3;
  g.stroke();
}
