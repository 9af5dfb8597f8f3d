// Everything one seat works with, handed to the panels in one piece.
import { getContext, setContext } from 'svelte';
import type { Piece, Reminder, Table, Target, Verb } from '../api-types';
import { keyOf, type Action } from '../keys';
import type { Battle } from './battle.svelte';
import { counterSheet } from './countersheet.svelte';
import { Looking } from './looking.svelte';
import { Orders } from './orders.svelte';
import { Reading } from './reading.svelte';
import { Replay } from './replay.svelte';
import { hasWay, mixed, wayOf } from './verbs';
import { Written } from './written.svelte';

export { mixed };

export type Window = 'briefing' | 'card' | 'highlights' | 'reports' | 'standing' | 'settings' | 'help' | 'find' | 'branch' | 'outcome' | 'invite';

export interface Offer { verb: Verb; target: Target }

/** What the map can be told to do. */
export interface MapHands {
  center(hex: number): void;
  fit(): void;
  zoomTo(level: 1 | 2 | 3): void;
  zoomBy(factor: number): void;
  /** The map lies as the player had it before it was moved for him; false when he has it so. */
  goBack(): boolean;
  focus(): void;
  project(hex: number): { x: number; y: number };
}

export class Desk {
  readonly orders: Orders;
  readonly looking: Looking;
  readonly replay: Replay;
  readonly reading: Reading;
  readonly written: Written;
  window = $state<Window>();
  /** The side a friend is invited to. */
  invited = $state('');
  hovered = $state(0);
  /** The context menu: at which hex and where on the map. */
  popup = $state.raw<{ hex: number; x: number; y: number }>();
  jumping = $state(false);
  /** Hexes the guide points at. */
  guided = $state.raw<number[]>([]);
  hands: MapHands | undefined;
  /** The guide beside the map, while there is one. */
  guide = $state.raw<{ next(): void }>();

  constructor(readonly battle: Battle) {
    this.orders = new Orders(battle);
    this.looking = new Looking(battle, () => this.orders.pieces.find((piece) => battle.isOwn(piece)));
    this.replay = new Replay(battle);
    this.reading = new Reading(battle);
    this.written = new Written(this);
  }

  /** Hexes that are pointed out on the map, by the guide or because the player asked; the past has no marks. */
  spotlight = $derived.by((): number[] => (this.replay.on ? this.guided : [...this.guided, ...this.reading.hexes]));

  /** The unit that is asked about: the first that is chosen, else the first in the hex. */
  get subject(): number | undefined {
    return this.orders.selected[0] ?? this.piecesAt(this.looking.hex).find((piece) => piece.kind !== 'marker')?.id;
  }

  /** What can be marked about a unit is marked, or put away. */
  async markAbout(): Promise<void> {
    if (this.subject === undefined) this.battle.say('Choose a unit first, or point at one.');
    else await this.reading.markAbout(this.subject);
  }

  /** The card of a unit is open: of that one, else of the first that is chosen, else of the first in the hex. */
  async openCard(unit?: number): Promise<void> {
    const wanted = unit ?? this.subject;
    if (wanted === undefined) this.battle.say('Choose a unit first, or point at one.');
    else if (await this.reading.readCard(wanted)) this.window = 'card';
  }

  /** The table on the screen: the present one, or the one the replay stands at. */
  shown = $derived.by((): Table | undefined => (this.replay.on ? (this.replay.table ?? this.battle.table) : this.battle.table));

  piecesAt(hex: number): Piece[] {
    return this.battle.piecesAt(hex, this.shown);
  }

  ownAt(hex: number): Piece[] {
    return this.piecesAt(hex).filter((piece) => this.battle.isOwn(piece));
  }

  // --- pointing at hexes, the same for mouse and keyboard

  #touches: Promise<void> = Promise.resolve();

  /** A quick hand is not punished: each act waits for what the one before has set going. */
  inTurn(act: () => void | Promise<void>): Promise<void> {
    this.#touches = this.#touches.then(async () => {
      // a menu that is asked for anew meanwhile is waited for as well: the old one is of what was chosen before
      for (let menu; this.battle.line === 'open' && menu !== this.orders.ready; ) await (menu = this.orders.ready);
      await act();
    });
    return this.#touches;
  }

  /** A click or Enter on a hex. */
  touch(hex: number, extend = false): Promise<void> {
    this.popup = undefined;
    return this.inTurn(() => this.point(hex, extend));
  }

  /** What a touch does when it is its turn. */
  async point(hex: number, extend = false): Promise<void> {
    if (!hex) return;
    this.battle.notice = undefined;
    if (this.looking.aiming) {
      this.looking.look(hex);
      this.looking.holdRay();
      return;
    }
    const { orders, battle } = this;
    const exit = this.replay.on ? undefined : orders.exits.get(hex);
    if (exit !== undefined && orders.plan?.hex !== hex) {
      // the second hex of the plan: where it is to lead
      if (orders.target?.then === hex) await orders.previewed.then(() => void orders.confirm());
      else orders.choose(exit);
      return;
    }
    if (extend && (await this.#extend(hex))) return;
    const own = this.ownAt(hex);
    if (this.#aims(hex) && orders.aim(hex)) {
      this.looking.look(hex);
      return;
    }
    const shot = this.meantAt(hex);
    if (shot) {
      // an enemy who is clicked is attacked, whatever else the units could do first
      this.looking.look(hex);
      orders.point(shot.verb, shot.target);
      return;
    }
    if (!this.replay.on && battle.isMine && orders.selected.length && !own.length) {
      // who points out of reach learns why it can't be done there, and keeps what he has chosen
      this.looking.look(hex);
      if (orders.doubted) await this.explain(hex);
      else battle.say(this.describe(hex));
      return;
    }
    await this.#select(hex, own);
  }

  /** Whether the verb in use goes first at that hex: on a friend a click selects, unless the player insists, has planned
   *  it, is asked which of his own is meant, or has chosen who is not on the map yet. */
  #aims(hex: number): boolean {
    const { insisted, plan, pieces, targets } = this.orders;
    const isPlaced = pieces.length > 0 && pieces.every((piece) => !piece.hex) && targets.has(hex);
    const isAsked = !!this.battle.decision?.optional && !!targets.get(hex)?.[0]?.units?.length;
    return !this.replay.on && (insisted || isPlaced || isAsked || !this.ownAt(hex).length || plan?.hex === hex);
  }

  /** What a click on a hex would plan, so that the pointer shows it before; nothing where the click does something else. */
  meantAt(hex: number): Offer | undefined {
    const { orders } = this;
    if (!hex || !this.#aims(hex)) return undefined;
    const targets = orders.targets.get(hex);
    if (orders.verb && targets) return { verb: orders.verb, target: targets[orders.likeliest(targets)]! };
    return orders.insisted || this.ownAt(hex).length ? undefined : this.#attackOn(hex);
  }

  /** A verb is in use; where it asks for a place on the map, the keys go to the map. */
  async useVerb(key: string): Promise<void> {
    await this.orders.use(key);
    if (this.orders.insisted && !this.orders.plan) this.hands?.focus();
  }

  /** The player is told which rule keeps the verb in use from that hex. */
  async explain(hex: number): Promise<void> {
    const { orders, battle } = this;
    const verb = orders.doubted;
    if (!verb || !hex) battle.note('Choose units and a verb, then point at a hex.');
    else {
      const refusal = await this.reading.whyNot(verb.key, orders.selected, hex);
      if (refusal ?? verb.refusal) battle.refuse(refusal ?? verb.refusal!);
      else battle.note(`${verb.title} at ${battle.placeName(hex)}: nothing stands in the way.`);
    }
  }

  async #extend(hex: number): Promise<boolean> {
    const extra = this.extraAt(hex, this.ownAt(hex).length > 1 ? await this.orders.able() : undefined);
    if (extra && this.orders.targets.has(hex)) {
      // in beside a friend, or the friend as well? The player says
      this.openMenu(hex);
      return true;
    }
    if (extra) {
      this.orders.toggle(extra.id);
      this.looking.look(hex);
      return true;
    }
    return this.orders.addWaypoint(hex);
  }

  /** The unit of the hex that could be taken into the selection next: who can act before who can't. */
  extraAt(hex: number, able?: ReadonlySet<number>): Piece | undefined {
    const { selected } = this.orders;
    return selected.length ? ableFirst(this.ownAt(hex), able).find((piece) => !selected.includes(piece.id)) : undefined;
  }

  /** The menu of a hex is open there. */
  openMenu(hex: number): void {
    if (hex && this.hands) this.popup = { hex, ...this.hands.project(hex) };
  }

  /** The topmost own unit of the hex that can act, else the topmost; pointing at the hex again goes through its stack. */
  async #select(hex: number, own: Piece[]): Promise<void> {
    const { orders } = this;
    const again = this.looking.hex === hex && orders.selected.length === 1;
    this.looking.look(hex);
    if (own.length) {
      const able = own.length > 1 && !this.replay.on ? await orders.able() : undefined;
      const inOrder = ableFirst(own, able);
      const at = inOrder.findIndex((piece) => piece.id === orders.selected[0]);
      orders.select([inOrder[again ? (at + 1) % inOrder.length : 0]!.id]);
    } else orders.clear();
    this.battle.say(this.describe(hex));
  }

  /** To what a reminder is about: its units are chosen, its hex is looked at. */
  follow({ units, hex }: Reminder): void {
    const own = (units ?? []).filter((id) => this.battle.piece(id));
    this.orders.select(own);
    const place = hex || (own.length ? this.battle.piece(own[0]!)!.hex : 0);
    if (place) {
      this.looking.look(place);
      this.hands?.center(place);
      this.battle.say(this.describe(place));
    }
    this.hands?.focus();
  }

  /** The key that does it at this moment. */
  keyOf(action: Action): string {
    return keyOf(action, this.orders.verbs);
  }

  selectAll(hex: number): Promise<void> {
    return this.inTurn(() => this.pickAll(hex));
  }

  pickAll(hex: number): void {
    const here = this.ownAt(hex);
    // who rides goes with whoever carries him
    const own = here.filter((piece) => !here.some((other) => other.id === piece.carrier));
    if (!own.length) return;
    this.looking.look(hex);
    this.orders.select(own.map((piece) => piece.id));
    this.battle.say(`${own.length} units selected in ${this.battle.placeName(hex)}.`);
  }

  /** What could be done at a hex with the selection, in the order of the menu. */
  offers(hex: number): Offer[] {
    return this.orders.verbs.flatMap((verb) =>
      verb.refusal ? [] : (verb.targets ?? []).filter((target) => target.hex === hex).map((target) => ({ verb, target })));
  }

  /** Moves or attacks at a hex without asking for a verb first, the habit of older games; again there: confirms. */
  strike(hex: number, how: 'fire' | 'move, else fire'): Promise<void> {
    return this.inTurn(() => {
      if (hex) this.strikeAt(hex, how);
    });
  }

  /** The first order of the selected units that is aimed at those in a hex, or at the hex in which enemies are. */
  #attackOn(hex: number): Offer | undefined {
    const offers = this.offers(hex);
    return offers.find(({ target }) => target.units?.length) ?? (this.hasEnemies(hex) ? offers.find(({ target }) => !hasWay(target)) : undefined);
  }

  /** Whether anybody of another side is seen there. */
  hasEnemies(hex: number): boolean {
    return this.piecesAt(hex).some((piece) => piece.side && piece.kind !== 'marker' && !this.battle.isOwn(piece));
  }

  strikeAt(hex: number, how: 'fire' | 'move, else fire'): void {
    const { plan } = this.orders;
    if (plan?.hex === hex && plan.preview && !plan.preview.refusal) {
      void this.orders.confirm();
      return;
    }
    const offers = this.offers(hex);
    const shot = this.#attackOn(hex);
    const offer = how === 'fire' ? shot : (offers.find(({ target }) => hasWay(target)) ?? shot);
    if (offer) this.orders.point(offer.verb, offer.target);
    else this.battle.note(this.orders.selected.length ? `The selected units have nothing to do at ${this.battle.placeName(hex)}.` : 'Select a unit first.');
  }

  // --- in words

  /** A hex in one breath: what a player at the map sees there. */
  describe(hex: number): string {
    const { battle } = this;
    const parts = [battle.placeName(hex)];
    const facts = this.looking.facts;
    if (facts && this.looking.told === hex) parts.push(facts.facts.slice(0, 2).map((line) => `${line.label} ${line.value}`).join(', '));
    const pieces = this.piecesAt(hex);
    for (const piece of pieces) parts.push(this.describePiece(piece));
    if (!pieces.length) parts.push('empty');
    const target = this.orders.targets.get(hex)?.[0];
    for (const plan of this.written.at(hex)) parts.push(`written down for here: ${plan.text}`);
    if (target) parts.push(`${this.orders.verb?.title}${target.note ? `: ${target.note}` : ''}`);
    return `${parts.filter(Boolean).join('; ')}.`;
  }

  describePiece(piece: Piece): string {
    const values = [counterSheet.brief(piece), piece.note].filter(Boolean).join(', ');
    const states = piece.states?.length ? ` (${piece.states.join(', ')})` : '';
    const chosen = this.orders.selected.includes(piece.id) ? ', selected' : '';
    const written = this.written.of(piece.id).map((plan) => `, written down: ${plan.text}`).join('');
    const side = piece.side ? `${this.battle.sideTitle(piece.side)}: ` : '';
    return `${side}${[piece.title, values].filter(Boolean).join(', ')}${states}${chosen}${written}`;
  }

  /** The way that is drawn: the plan's, else that of the hex under the pointer. */
  way = $derived.by((): number[] => {
    const { orders } = this;
    const start = orders.pieces[0]?.hex;
    const target = orders.target ?? this.meantAt(this.hovered)?.target;
    const way = target ? wayOf(target) : [];
    if (!start || !way.length) return [];
    return way[0] === start ? [...way] : [start, ...way];
  });
}

/** The pieces of a hex as they lie there, the topmost first; works lie below, and whoever rides comes last. */
function topFirst(pieces: readonly Piece[]): Piece[] {
  const rank = (piece: Piece) => (piece.carrier != null ? 2 : piece.kind === 'work' ? 1 : 0);
  return [...pieces].reverse().sort((a, b) => rank(a) - rank(b));
}

/** The same, but who can act comes before who can't. */
const ableFirst = (pieces: readonly Piece[], able?: ReadonlySet<number>): Piece[] =>
  topFirst(pieces).sort((a, b) => Number(able?.has(b.id) ?? 0) - Number(able?.has(a.id) ?? 0));

const KEY = Symbol('desk');

export const putDesk = (desk: Desk): Desk => setContext(KEY, desk);
export const useDesk = (): Desk => getContext<Desk>(KEY);
