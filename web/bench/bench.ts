/** Frame times of the map: a large board with many counters, panned and zoomed; and how soon a common one shows. */

import { HexMap } from '../src/map/hexmap';
import { MARK_NAMES } from '../src/map/marks';
import { Grid, noise, smoothNoise } from '../src/map/grid';
import type { Board, Piece } from '../src/map/types';

/** A made-up board that has something of everything, the same each time. */
export function madeUpBoard(width: number, height: number): Board {
  const grid = new Grid(width, height);
  const terrain = new Array<string>(grid.size).fill('');
  const elevation = new Int16Array(grid.size);
  const roads = new Uint8Array(grid.size);
  const hexsides: [number, number, string][] = [];
  const features: [number, string][] = [];
  const names: [number, string][] = [];
  const join = (hex: number, d: number) => {
    const beyond = grid.neighbor(hex, d);
    if (!grid.has(hex) || !grid.has(beyond)) return;
    roads[hex] |= 1 << d;
    roads[beyond] |= 1 << ((d + 3) % 6);
  };
  for (let col = 0; col < width; col++) {
    for (let row = 0; row < height; row++) {
      const hex = grid.id(col, row);
      const rise = smoothNoise(col / 11, row / 11, 1);
      const wet = smoothNoise(col / 6, row / 6, 2);
      elevation[hex] = rise > 0.55 ? 2 : rise > 0.3 ? 1 : 0;
      terrain[hex] = wet > 0.38 ? (elevation[hex] === 1 ? 'slope_woods' : 'woods')
        : elevation[hex] === 1 ? 'slope' : noise(col, row, 3) < 0.02 ? 'town' : wet < -0.72 ? 'swamp' : 'clear';
      if (col % 40 === 19 && elevation[hex] === 0) terrain[hex] = 'stream';
      if (terrain[hex] === 'town') names.push([hex, `Village ${names.length + 1}`]);
      for (let d = 0; d < 3; d++) {
        const pick = noise(hex, d, 4);
        if (terrain[hex].includes('woods') && pick < 0.4) hexsides.push([hex, d, 'green']);
        else if (elevation[hex] === 2 && elevation[grid.neighbor(hex, d)] === 1) hexsides.push([hex, d, 'orange']);
        else if (pick < 0.05) hexsides.push([hex, d, 'green']);
      }
      if (row % 18 === 9) join(hex, col % 2 ? 1 : 2);
      if (col % 25 === 12) join(hex, 3);
    }
  }
  const legend = [...new Set(['', ...terrain])];
  return {
    id: 'made-up', title: 'Made up', width, height, legend, terrain: Uint16Array.from(terrain, (key) => legend.indexOf(key)),
    elevation, roads: new Map([['road', roads]]), hexsides, features, names, roadEnds: [], season: 'summer',
  };
}

export function madeUpPieces(board: Board, count: number): Piece[] {
  const grid = new Grid(board.width, board.height);
  return Array.from({ length: count }, (_, id) => {
    const kind = Math.floor(noise(id, 3, 9) * 60);
    const value = (n: number) => String(Math.floor(noise(kind, n, 9) * 18));
    return {
      id,
      side: id % 2 ? 'german' : 'allied',
      hex: grid.id(Math.floor(noise(id, 1, 9) * board.width), Math.floor(noise(id, 2, 9) * board.height)),
      title: `Unit ${id}`,
      mark: MARK_NAMES[kind % MARK_NAMES.length],
      corners: [value(1), value(2), value(3), value(4)],
      letter: 'AHIMC'[kind % 5],
      badges: id % 7 === 0 ? ['fired'] : id % 11 === 0 ? ['dispersed'] : [],
      tone: id % 7 === 0 ? 'spent' : id % 11 === 0 ? 'shaken' : '',
    };
  });
}

const frame = () => new Promise<number>((shown) => requestAnimationFrame(shown));

interface Times {
  median: number;
  p95: number;
  worst: number;
  frames: number;
}

/** The time between frames while `step` is called before each; named phases leave marks in a trace. */
async function times(count: number, step: (n: number) => void, name = ''): Promise<Times> {
  const gaps: number[] = [];
  let last = await frame();
  if (name) performance.mark(`${name} begins`);
  for (let n = 0; n < count; n++) {
    step(n);
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  if (name) performance.mark(`${name} ends`);
  gaps.sort((a, b) => a - b);
  const at = (part: number) => Math.round(gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * part))] * 10) / 10;
  return { median: at(0.5), p95: at(0.95), worst: at(1), frames: count };
}

/** Waits until the middle of the canvas shows something else than its corner, where there is no board. */
async function painted(canvas: HTMLCanvasElement): Promise<void> {
  const g = canvas.getContext('2d')!;
  const at = (x: number, y: number) => g.getImageData(x, y, 1, 1).data.join();
  do await frame();
  while (at(canvas.width >> 1, canvas.height >> 1) === at(1, 1));
}

async function ready(canvas: HTMLCanvasElement): Promise<void> {
  while (canvas.dataset.ready !== 'true') await frame();
}

async function measure(): Promise<Record<string, unknown>> {
  const canvas = document.querySelector('canvas')!;
  const small = madeUpBoard(40, 30);
  const begun = performance.now();
  const first = new HexMap(canvas, { theme: 'light', reducedMotion: true });
  first.setBoard(small);
  await painted(canvas);
  const visible = performance.now() - begun;
  first.setPieces(madeUpPieces(small, 60));
  await ready(canvas);
  const sharp = performance.now() - begun;
  first.destroy();

  const board = madeUpBoard(200, 150);
  const start = performance.now();
  const map = new HexMap(canvas, { theme: 'light', reducedMotion: true });
  map.setBoard(board);
  map.setPieces(madeUpPieces(board, 1000));
  const loading = performance.now() - start;
  await ready(canvas);
  const runs: Record<string, Times> = {};
  const run = async (name: string, count: number, step: (n: number) => void) => {
    runs[name] = await times(count, step, name);
    await times(30, () => undefined);
  };
  await run('whole', 60, (n) => map.panBy(n % 2 ? 6 : -6, 3));
  map.zoomTo(2);
  await times(40, () => undefined);
  await run('pan', 150, () => map.panBy(-14, -8));
  map.zoomBy(0.5);
  await times(40, () => undefined);
  await run('panHalf', 150, () => map.panBy(-14, -8));
  await run('zoomOut', 90, () => map.zoomBy(0.97));
  await run('zoomIn', 120, () => map.zoomBy(1.03));
  map.destroy();
  return { visible, sharp, loading, runs };
}

Object.assign(window, { measure, madeUpBoard, madeUpPieces, HexMap });
