// Where the panels lie around the map and how much room they have; kept in this browser until it is reset.
import { recall, remember, settings } from './settings.svelte';

export type PanelKey = 'orders' | 'plans' | 'units' | 'hex' | 'log' | 'forces' | 'talk';
export type Dock = 'left' | 'right' | 'bottom';
export type Place = Dock | 'float';

export interface PanelRow {
  key: PanelKey;
  title: string;
  /** Has a height of its own and scrolls inside it; the others lie one below the other and scroll together. */
  isTall: boolean;
  canShut: boolean;
}

export const PANELS: readonly PanelRow[] = [
  { key: 'orders', title: 'Orders', isTall: false, canShut: false },
  { key: 'plans', title: 'Written down', isTall: false, canShut: true },
  { key: 'units', title: 'Units', isTall: false, canShut: false },
  { key: 'hex', title: 'Hex', isTall: false, canShut: false },
  { key: 'forces', title: 'Order of battle', isTall: true, canShut: true },
  { key: 'log', title: 'Battle log', isTall: true, canShut: false },
  { key: 'talk', title: 'Talk', isTall: true, canShut: true },
];

export const PLACES: readonly { place: Place; title: string }[] = [
  { place: 'left', title: 'Left of the map' },
  { place: 'right', title: 'Right of the map' },
  { place: 'bottom', title: 'Below the map' },
  { place: 'float', title: 'Floating' },
];

/** On a narrow upright screen the panels share one sheet below the map, a tab for each group. */
export const TABS: readonly { title: string; panels: readonly PanelKey[] }[] = [
  { title: 'Orders', panels: ['orders', 'plans', 'units'] },
  { title: 'Hex', panels: ['hex'] },
  { title: 'Log', panels: ['log'] },
  { title: 'Forces', panels: ['forces'] },
  { title: 'Talk', panels: ['talk'] },
];

export interface Box { x: number; y: number; width: number; height: number }

interface Arrangement {
  order: PanelKey[];
  places: Record<PanelKey, Place>;
  shut: PanelKey[];
  boxes: Partial<Record<PanelKey, Box>>;
  /** Width of the docks at the sides, height of the one below, in pixels. */
  sizes: Record<Dock, number>;
  /** What part of its dock a tall panel has, from 0 to 1. */
  shares: Partial<Record<PanelKey, number>>;
}

const KEY = 'sandtable.layout';
const FIRST_BOX: Box = { x: 48, y: 48, width: 340, height: 320 };
const SHARE = 0.34;
export const LEAST: Record<Dock, number> = { left: 220, right: 260, bottom: 140 };
/** What a dock may take of the window, so that the map keeps its room. */
const MOST_OF_THE_WINDOW = 0.45;
/** Below this width, in letters' terms, there is no room for a row of tools, nor for panels at two sides. */
const NARROW = 900;
/** As wide as high or narrower: panels lie below the map. */
const UPRIGHT = 1;

const first = (): Arrangement => ({
  order: PANELS.map((panel) => panel.key),
  places: { orders: 'right', plans: 'right', units: 'right', hex: 'right', log: 'right', forces: 'left', talk: 'right' },
  shut: ['forces', 'talk'],
  boxes: {},
  sizes: { left: 300, right: 360, bottom: 240 },
  shares: {},
});

function recalled(): Arrangement {
  const fresh = first();
  const kept = recall<Partial<Arrangement>>(KEY, {});
  // a panel that an older page did not know has its first place
  const known = (kept.order ?? []).filter((key) => fresh.order.includes(key));
  return {
    ...fresh, ...kept,
    order: [...known, ...fresh.order.filter((key) => !known.includes(key))],
    shut: [...(kept.shut ?? []), ...fresh.shut.filter((key) => !known.includes(key))],
    places: { ...fresh.places, ...kept.places },
    sizes: { ...fresh.sizes, ...kept.sizes },
  };
}

class Layout {
  #now = $state.raw<Arrangement>(recalled());
  #window = $state.raw({ width: innerWidth, height: innerHeight });
  /** Where a panel that is being dragged would go. */
  aimed = $state<Place>();
  /** The tab of the sheet on a narrow screen; -1 when the sheet is folded. */
  tab = $state(0);

  /** Panels that this battle has no use for. */
  absent = $state.raw<PanelKey[]>([]);

  constructor() {
    addEventListener('resize', () => (this.#window = { width: innerWidth, height: innerHeight }));
  }

  #change(part: Partial<Arrangement>): void {
    this.#now = { ...this.#now, ...part };
    remember(KEY, this.#now);
  }

  reset(): void {
    this.#change(first());
  }

  // --- the room there is

  isNarrow = $derived.by((): boolean => this.#window.width / settings.textScale < NARROW);

  isStacked = $derived.by((): boolean => this.isNarrow && this.#window.width <= this.#window.height * UPRIGHT);

  most(dock: Dock): number {
    const room = dock === 'bottom' ? this.#window.height : this.#window.width;
    return Math.max(LEAST[dock], Math.round(room * MOST_OF_THE_WINDOW));
  }

  size(dock: Dock): number {
    return Math.min(this.most(dock), Math.max(LEAST[dock], this.#now.sizes[dock]));
  }

  resize(dock: Dock, size: number): void {
    const room = Math.round(Math.min(this.most(dock), Math.max(LEAST[dock], size)));
    this.#change({ sizes: { ...this.#now.sizes, [dock]: room } });
  }

  /** What part of its dock a panel has: what the player gave it, else the usual. */
  share(panel: PanelKey, usual = SHARE): number {
    return this.#now.shares[panel] ?? usual;
  }

  reshare(panel: PanelKey, share: number): void {
    this.#change({ shares: { ...this.#now.shares, [panel]: Math.min(0.85, Math.max(0.1, share)) } });
  }

  // --- where panels lie

  isOpen(panel: PanelKey): boolean {
    return !this.#now.shut.includes(panel);
  }

  place(panel: PanelKey): Place {
    return this.#now.places[panel];
  }

  /** The open panels of a place, from the top. */
  at(place: Place): PanelRow[] {
    return this.#now.order.filter((key) => this.isOpen(key) && !this.absent.includes(key) && this.place(key) === place).map(rowOf);
  }

  /** The tabs of the sheet; those that may be missing are the last. */
  tabs = $derived.by(() => TABS.filter((tab) => !tab.panels.every((key) => this.absent.includes(key))));

  put(panel: PanelKey, place: Place): void {
    this.#change({ places: { ...this.#now.places, [panel]: place }, shut: this.#now.shut.filter((key) => key !== panel) });
  }

  /** Whether a panel is before the player's eyes. */
  isShown(panel: PanelKey): boolean {
    return this.isStacked ? (TABS[this.tab]?.panels.includes(panel) ?? false) : this.isOpen(panel);
  }

  /** The panel that the player has just asked for: it has the focus when it is there. */
  called: PanelKey | undefined;

  toggle(panel: PanelKey): void {
    if (this.isShown(panel)) this.shut(panel);
    else {
      this.called = panel;
      this.put(panel, this.place(panel));
      this.tab = TABS.findIndex((one) => one.panels.includes(panel));
    }
  }

  shut(panel: PanelKey): void {
    if (this.isOpen(panel)) this.#change({ shut: [...this.#now.shut, panel] });
    if (TABS[this.tab]?.panels.includes(panel)) this.tab = 0;
  }

  /** One higher or lower among the panels of its place. */
  shift(panel: PanelKey, step: 1 | -1): void {
    const beside = this.at(this.place(panel)).map((row) => row.key);
    const other = beside[beside.indexOf(panel) + step];
    if (!other) return;
    this.#change({ order: this.#now.order.map((key) => (key === panel ? other : key === other ? panel : key)) });
  }

  // --- floating panels

  box(panel: PanelKey): Box {
    const box = this.#now.boxes[panel] ?? FIRST_BOX;
    const { width, height } = this.#window;
    // the window may have become smaller since
    return { ...box, x: Math.max(0, Math.min(box.x, width - 120)), y: Math.max(0, Math.min(box.y, height - 80)) };
  }

  move(panel: PanelKey, part: Partial<Box>): void {
    const box = { ...this.box(panel), ...part };
    this.#change({ boxes: { ...this.#now.boxes, [panel]: { ...box, width: Math.max(220, box.width), height: Math.max(120, box.height) } } });
  }

  /** Where a panel goes that is let go at a point of the window: near an edge it is docked there. */
  placeAt(x: number, y: number): Place {
    const { width, height } = this.#window;
    if (x < width * 0.16) return 'left';
    if (x > width * 0.84) return 'right';
    return y > height * 0.78 ? 'bottom' : 'float';
  }
}

export const rowOf = (key: PanelKey): PanelRow => PANELS.find((row) => row.key === key)!;

export const layout = new Layout();
