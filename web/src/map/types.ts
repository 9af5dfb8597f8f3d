/** What the map is given. The shapes are those of the server's messages, spelled so that both sides' types fit. */

import type { Season } from '../palette';

export interface Board {
  readonly id: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** Terrain keys; the first one is that of the guard hexes around the map, which have none. */
  readonly legend: readonly string[];
  /** The place in the legend by hex number. */
  readonly terrain: Uint16Array;
  readonly elevation: Int16Array;
  /** Six bits by hex number for each kind of road: it leaves in that direction, 0 north and on clockwise. */
  readonly roads: ReadonlyMap<string, Uint8Array>;
  readonly hexsides: readonly (readonly [number, number, string])[];
  readonly features: readonly (readonly [number, string])[];
  readonly names: readonly (readonly [number, string])[];
  readonly roadEnds: readonly (readonly [number, number])[];
  readonly season: Season;
}

export interface Piece {
  readonly id: number;
  readonly side: string;
  readonly hex: number;
  readonly title: string;
  readonly mark: string;
  readonly corners?: readonly [string, string, string, string];
  readonly letter?: string;
  readonly states?: readonly string[];
  readonly kind?: string;
  readonly carrier?: number | null;
  readonly facing?: number | null;
  readonly note?: string;
  readonly formation?: string;
  /** Keys of the system's badges. */
  readonly badges?: readonly string[];
  /** What there is to say of it at a glance: spent, shaken, seen, waiting, unknown. */
  readonly tone?: string;
  /** The turn in which it was last seen there, 0 for what is in sight. */
  readonly last_seen?: number;
}

export interface SightMark {
  a: number;
  b: number;
  clear: boolean;
  /** The hex that blocks, 0 for none. */
  hex: number;
  /** The side of that hex that blocks, null when the whole hex does. */
  side: number | null;
}

/** Something a side has written down: the way from who does it to where it is done, and a few characters about it. */
export interface PlanMark {
  way: readonly number[];
  hex: number;
  brief: string;
  /** The one that is read just now, or that of a selected unit. */
  isChosen: boolean;
}

export interface Overlays {
  /** Hexes with the selection ring. */
  selected: readonly number[];
  /** Pieces that are lifted from their stack. */
  selectedPieces: readonly number[];
  /** The keyboard's hex, 0 for none. */
  cursor: number;
  /** Movement left by hex. */
  reach: ReadonlyMap<number, string>;
  path: readonly number[];
  /** Odds in brief by hex. */
  targets: ReadonlyMap<number, string>;
  unseen: ReadonlySet<number>;
  sight: SightMark | null;
  threats: readonly { from: number; to: number }[];
  plans: readonly PlanMark[];
  zone: ReadonlySet<number>;
  /** Who holds each hex that counts, "" for nobody. */
  objectives: ReadonlyMap<number, string>;
  lastMove: readonly number[];
  /** Numbers of a list beside the map, by hex. */
  numbers: ReadonlyMap<number, string>;
}

export const NO_OVERLAYS: Overlays = {
  selected: [],
  selectedPieces: [],
  cursor: 0,
  reach: new Map(),
  path: [],
  targets: new Map(),
  unseen: new Set(),
  sight: null,
  threats: [],
  plans: [],
  zone: new Set(),
  objectives: new Map(),
  lastMove: [],
  numbers: new Map(),
};

export type MapEventKind = 'click' | 'dblclick' | 'context' | 'hover' | 'drag' | 'drop';

export interface MapEvent {
  /** The hex under the pointer, 0 off the board. */
  hex: number;
  /** The pieces in that hex, the one under the pointer first; while dragging, the pieces that are dragged. */
  pieces: number[];
  shift: boolean;
  ctrl: boolean;
  /** Where on the canvas, in CSS pixels. */
  x: number;
  y: number;
}

