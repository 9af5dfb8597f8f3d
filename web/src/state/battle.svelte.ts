// A seat's table as it stands: what the server said last, what happened on the way, and what we have asked for.
import type {
  BattleCard, LogLine, Piece, Refusal, ScenarioCard, ServerMessage, SideCard, Snapshot, Table, Thinking, Update,
} from '../api-types';
import type { Board } from '../map/types';
import { sideColors } from '../palette';
import { flashOf, type Flash } from './flash';
import { labelOf } from './hexes';
import { settings } from './settings.svelte';
import * as rest from './rest';
import { BattleSocket, type LineState, type OrderJson, type Seat } from './socket';
import { sentence } from './words';

export { sentence };

/** Something to tell the player: a refusal with its rule, or trouble in a plain sentence. */
export interface Notice { text: string; rule: string; kind: 'refusal' | 'trouble' | 'note' }

/** Where happenings are shown; the map takes this part while it is on screen. */
export interface Stage {
  move(unit: number, path: number[]): Promise<void>;
  flash(flash: Flash): void;
}

/** With more than this waiting to be shown, the rest is caught up with at a stroke. */
const LONG_QUEUE = 12;

export class Battle {
  line = $state<LineState>('connecting');
  lineReason = $state('');
  card = $state.raw<BattleCard>();
  table = $state.raw<Table>();
  log = $state.raw<LogLine[]>([]);
  sequence = $state(0);
  number = $state(0);
  thinking = $state.raw<Thinking>();
  notice = $state.raw<Notice>();
  /** What a screen reader is told last. */
  spoken = $state('');
  /** An order or an undo is on its way and not yet answered. */
  busy = $state(false);
  lastMove = $state.raw<number[]>([]);
  /** Fetched by whoever opens the table. */
  board = $state.raw<Board>();
  stage: Stage | undefined;

  readonly socket: BattleSocket;
  #queue: Update[] = [];
  #showing = false;

  constructor(readonly id: string, readonly seat: Seat, readonly scenarios: ScenarioCard[]) {
    this.socket = new BattleSocket(rest.socketAddress(id), seat, {
      message: (message) => this.#hear(message),
      state: (state, reason) => {
        this.line = state;
        if (reason) this.lineReason = sentence(reason);
        if (state === 'lost') this.thinking = undefined;
      },
    });
  }

  close(): void {
    this.stage = undefined;
    this.#queue = [];
    this.socket.close();
  }

  // --- what is on the table

  scenario = $derived.by((): ScenarioCard | undefined => this.scenarios.find((one) => one.id === this.card?.scenario));

  side = $derived.by((): string => this.table?.side ?? this.seat.side);

  decision = $derived.by(() => this.table?.decisions.find((one) => one.side === this.side));

  isMine = $derived.by((): boolean => this.decision !== undefined && !this.table?.outcome);

  sideCard(side: string): SideCard | undefined {
    return this.scenario?.sides.find((one) => one.id === side);
  }

  sideTitle(side: string): string {
    return this.sideCard(side)?.title ?? (side || 'nobody');
  }

  colors = $derived.by(() => sideColors(this.scenario?.sides.map((side) => side.id) ?? []));

  /** The number of the side's color, the same as on its counters; -1 for what is nobody's. */
  sideIndex(side: string): number {
    return this.colors.get(side) ?? -1;
  }

  label(hex: number): string {
    return this.scenario ? labelOf(hex, this.scenario.board) : String(hex);
  }

  /** A hex as players name it: its number and the name printed there. */
  placeName(hex: number): string {
    const name = this.board?.names.find(([at]) => at === hex)?.[1];
    return name ? `${this.label(hex)} ${name}` : this.label(hex);
  }

  piecesAt(hex: number, table: Table | undefined = this.table): Piece[] {
    return hex ? (table?.pieces.filter((piece) => piece.hex === hex) ?? []) : [];
  }

  piece(id: number): Piece | undefined {
    return this.table?.pieces.find((piece) => piece.id === id);
  }

  isOwn(piece: Piece): boolean {
    return piece.side === this.side && piece.kind !== 'marker';
  }

  // --- what we say

  async submit(order: OrderJson): Promise<boolean> {
    return this.#settle(() => this.socket.submit(order, this.number));
  }

  async undo(): Promise<boolean> {
    return this.#settle(() => this.socket.undo(this.number));
  }

  async #settle(command: () => ReturnType<BattleSocket['submit']>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.notice = undefined;
    try {
      const verdict = await command();
      if (verdict.type === 'Accepted') return true;
      this.refuse(verdict.refusal, verdict.stale);
      return false;
    } catch {
      return false;
    } finally {
      this.busy = false;
    }
  }

  refuse(refusal: Refusal, stale = false): void {
    const reason = refusal.detail ? `${refusal.reason} (${refusal.detail})` : refusal.reason;
    const text = stale ? 'The table has changed since; look again and repeat the order.' : sentence(reason);
    this.notice = { text, rule: stale ? '' : refusal.rule, kind: 'refusal' };
    this.say(refusal.rule && !stale ? `${text} Rule ${refusal.rule}.` : text);
  }

  trouble(text: string): void {
    this.notice = { text: sentence(text), rule: '', kind: 'trouble' };
    this.say(sentence(text));
  }

  /** A remark that asks for nothing. */
  note(text: string): void {
    this.notice = { text, rule: '', kind: 'note' };
    this.say(text);
  }

  say(text: string): void {
    // a repeated sentence is spoken again only when the text differs
    this.spoken = text === this.spoken ? `${text}\u00a0` : text;
  }

  // --- what we hear

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case 'Snapshot':
        this.#queue = [];
        this.card = message.battle;
        this.#place(message);
        this.log = message.log;
        break;
      case 'Update':
        this.#queue.push(message);
        void this.#show();
        break;
      case 'Thinking':
        this.thinking = message.percent < 100 ? message : undefined;
        break;
      case 'Problem':
        this.trouble(message.reason);
        break;
    }
  }

  #place(message: Snapshot | Update): void {
    this.table = message.table;
    this.sequence = message.sequence;
    this.number = message.number;
    if (message.table.waiting_for.includes(this.side) || message.table.outcome) this.thinking = undefined;
  }

  /** Shows updates one after the other, so that a move is seen before what came of it. */
  async #show(): Promise<void> {
    if (this.#showing) return;
    this.#showing = true;
    try {
      for (let update = this.#queue.shift(); update; update = this.#queue.shift()) await this.#perform(update);
    } finally {
      this.#showing = false;
    }
  }

  async #perform(update: Update): Promise<void> {
    const moving = settings.motion && !document.hidden && this.#queue.length < LONG_QUEUE;
    for (const line of update.log) {
      const way = journeyOf(line, this.table?.pieces);
      if (!way.length) continue;
      this.lastMove = way;
      if (moving) await this.stage?.move(line.units![0]!, way);
    }
    const before = this.table?.pieces ?? [];
    this.log = [...this.log, ...update.log];
    this.#place(update);
    if (settings.results) {
      for (const line of update.log) {
        const flash = flashOf(line, before);
        if (flash) this.stage?.flash(flash);
      }
    }
    const told = update.log.filter((line) => line.text).map((line) => line.text);
    if (told.length) this.say(told.join(' '));
  }
}

/** The hexes a unit went through, led by the one where it stood before when that was seen; none when nothing moved. */
export function journeyOf(line: LogLine, before: readonly Piece[] = []): number[] {
  const unit = line.units?.[0];
  if (!line.path?.length || unit === undefined) return [];
  const start = before.find((piece) => piece.id === unit)?.hex;
  return !start || line.path[0] === start ? line.path : [start, ...line.path];
}
