/** A piece of the board to be painted, and with what. */

import type { Palette } from '../palette';
import type { Chart } from './chart';
import type { Box } from './outline';
import type { Scatter } from './scatter';

export interface Frame extends Box {
  /** Device pixels per world unit. */
  scale: number;
  /** Device pixels per CSS pixel. */
  density: number;
  labels: boolean;
  /** Hexes whose bridge is down. */
  ruins: readonly number[];
}

export interface Job {
  g: CanvasRenderingContext2D;
  chart: Chart;
  scatter: Scatter;
  palette: Palette;
  frame: Frame;
  hexes: number[];
  /** CSS pixels per world unit: what decides how much detail is worth drawing. */
  zoom: number;
}
