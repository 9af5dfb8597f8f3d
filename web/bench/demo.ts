/** The map alone with a board given by the page that drives it: for looking at, and for screenshots. */

import type { BoardSheet } from '../src/api-types';
import { readBoard } from '../src/map/board';
import { HexMap } from '../src/map/hexmap';
import type { Overlays, Piece } from '../src/map/types';
import type { Theme } from '../src/palette';

/** Maps and sets come as lists, which JSON can carry. */
interface Scene {
  sheet: BoardSheet;
  pieces: Piece[];
  theme: Theme;
  overlays: Partial<Omit<Overlays, Listed>> & {
    reach?: [number, string][];
    targets?: [number, string][];
    objectives?: [number, string][];
    unseen?: number[];
    zone?: number[];
  };
}

type Listed = 'reach' | 'targets' | 'objectives' | 'unseen' | 'zone';

let map: HexMap | undefined;

function show(scene: Scene): void {
  map?.destroy();
  const made = new HexMap(document.querySelector('canvas')!, { theme: scene.theme, reducedMotion: true });
  made.setBoard(readBoard(scene.sheet));
  made.setPieces(scene.pieces);
  const { reach, targets, objectives, unseen, zone, ...plain } = scene.overlays;
  made.setOverlays({
    ...plain,
    reach: new Map(reach),
    targets: new Map(targets),
    objectives: new Map(objectives),
    unseen: new Set(unseen),
    zone: new Set(zone),
  });
  map = made;
  Object.assign(window, { map });
}

Object.assign(window, { show });
