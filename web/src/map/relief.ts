/** The lie of the land between the hex centers: shading as if lit from the upper left, and which way it falls. */

import type { Palette, Rgb } from '../palette';
import type { Chart } from './chart';
import { ACROSS, COLUMN, RADIUS, smoothNoise } from './grid';

const SPREAD = 1.12 * ACROSS;

/** The height of the ground at a world point, in levels: the hexes around it, the nearer the more. */
export function heightAt(chart: Chart, x: number, y: number): number {
  const { grid, elevation } = chart;
  const c0 = Math.max(-1, Math.ceil((x - SPREAD - RADIUS) / COLUMN));
  const c1 = Math.min(grid.width, Math.floor((x + SPREAD - RADIUS) / COLUMN));
  let sum = 0;
  let total = 0;
  for (let col = c0; col <= c1; col++) {
    const dx = COLUMN * col + RADIUS - x;
    const shift = 0.5 + (col & 1) * 0.5;
    const tall = Math.sqrt(Math.max(0, SPREAD * SPREAD - dx * dx));
    const r0 = Math.max(-1, Math.ceil((y - tall) / ACROSS - shift));
    const r1 = Math.min(grid.height, Math.floor((y + tall) / ACROSS - shift));
    for (let row = r0; row <= r1; row++) {
      const dy = ACROSS * (row + shift) - y;
      const near = 1 - (dx * dx + dy * dy) / (SPREAD * SPREAD);
      const weight = near * near;
      sum += weight * elevation[grid.id(col, row)];
      total += weight;
    }
  }
  return total > 0 ? sum / total : 0;
}

/** The way the ground rises at a point, in levels per hex. */
export function slopeAt(chart: Chart, x: number, y: number): { x: number; y: number } {
  const step = 6;
  return {
    x: ((heightAt(chart, x + step, y) - heightAt(chart, x - step, y)) / (2 * step)) * ACROSS,
    y: ((heightAt(chart, x, y + step) - heightAt(chart, x, y - step)) / (2 * step)) * ACROSS,
  };
}

/** Samples along each edge of a tile, whatever its zoom: a far tile must not cost more than a near one. */
const SAMPLES = 40;

/** A small picture of light, shade and the unevenness of the ground, to be stretched over a square of the world. */
export function reliefPicture(chart: Chart, palette: Palette, x0: number, y0: number, extent: number): ImageData {
  const step = extent / (SAMPLES - 1);
  const wide = SAMPLES + 2;
  const heights = new Float32Array(wide * wide);
  if (isUneven(chart, x0, y0, extent)) {
    for (let j = 0; j < wide; j++) {
      for (let i = 0; i < wide; i++) heights[j * wide + i] = heightAt(chart, x0 + (i - 1) * step, y0 + (j - 1) * step);
    }
  }
  const picture = new ImageData(SAMPLES, SAMPLES);
  const steepness = (0.75 / Math.max(1, chart.highest / 3)) * (ACROSS / (2 * step));
  for (let j = 0; j < SAMPLES; j++) {
    for (let i = 0; i < SAMPLES; i++) {
      const at = (j + 1) * wide + i + 1;
      const lit = (heights[at + 1] - heights[at - 1] + heights[at + wide] - heights[at - wide]) * steepness;
      const meadow = smoothNoise((x0 + i * step) / 130, (y0 + j * step) / 130, 7)
        + 0.5 * smoothNoise((x0 + i * step) / 47, (y0 + j * step) / 47, 8);
      blend(picture.data, (j * SAMPLES + i) * 4, palette, lit, meadow);
    }
  }
  return picture;
}

function isUneven(chart: Chart, x0: number, y0: number, extent: number): boolean {
  if (!chart.highest) return false;
  const hexes = chart.grid.within(x0, y0, x0 + extent, y0 + extent, SPREAD);
  return hexes.some((hex) => chart.elevation[hex] !== chart.elevation[hexes[0]]);
}

function blend(data: Uint8ClampedArray, at: number, palette: Palette, lit: number, meadow: number): void {
  const relief: Rgb = lit < 0 ? palette.shade : palette.light;
  const strength = Math.min(lit < 0 ? palette.shadeMost : palette.lightMost, Math.abs(lit) * 0.3);
  const ground: Rgb = meadow < 0 ? palette.fallow : palette.meadow;
  const faint = Math.min(0.3, Math.abs(meadow) * 0.26) * (1 - strength);
  const alpha = strength + faint;
  if (alpha <= 0) return;
  for (let k = 0; k < 3; k++) data[at + k] = (relief[k] * strength + ground[k] * faint) / alpha;
  data[at + 3] = alpha * 255;
}
