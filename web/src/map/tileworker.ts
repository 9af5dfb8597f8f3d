/** Paints terrain beside the page, so that no frame waits for a tile. */

import { type Delivery, type Order, TerrainPainter } from './painting';

let painter: TerrainPainter | null = null;

self.onmessage = ({ data }: MessageEvent<Order>): void => {
  if (data.kind === 'board') {
    painter = new TerrainPainter(data.board);
    return;
  }
  if (!painter) return;
  const sheet = data.kind === 'tile' ? painter.tile(data.place, data.style) : painter.board(data.most, data.theme);
  const delivery: Delivery = { number: data.number, picture: (sheet as OffscreenCanvas).transferToImageBitmap() };
  self.postMessage(delivery, { transfer: [delivery.picture] });
};
