// A seat's table as it stands: what the server said last, what happened on the way, and what we have asked for.
import type {
  BattleCard, Briefing, LogLine, LogPage, Piece, Refusal, ScenarioCard, SeatChoice, ServerMessage, SideCard, Snapshot, Table, Thinking, ToldStep, Update,
} from '../api-types';
import type { Board } from '../map/types';
import { sideColors } from '../palette';
import { Account } from './account';
import { perform, type Stage } from './acting';
import { beatsOf, beatsOfLines, captionOf, continues, isMove, isTitle, placeOf, turnPart, type Beat, type TurnPart } from './beats';
import { Chat } from './chat.svelte';
import { labelOf } from './hexes';
import { layout } from './layout.svelte';
import { Playback } from './playback.svelte';
import { settings } from './settings.svelte';
import * as rest from './rest';
import { BattleSocket, type LineState, type OrderJson, type Seat } from './socket';
import { flashesOf, fold, journeyOf, piecesById } from './told';
import { messageOf, reasonOf, sentence, victoryOf } from './words';

export { sentence };

/** Something to tell the player: a refusal with its rule, or trouble in a plain sentence. */
export interface Notice { text: string; rule: string; kind: 'refusal' | 'trouble' | 'note' }

/** A screen reader is not kept busy with more of what was missed. */
const MOST_SPOKEN = 8;
/** Lines of the log that are asked for at once. */
const PAGE = 200;

export class Battle {
  line = $state<LineState>('connecting');
  lineReason = $state('');
  card = $state.raw<BattleCard>();
  table = $state.raw<Table>();
  /** What our side is to do, and with what; a spectator has none. */
  briefing = $state.raw<Briefing>();
  log = $state.raw<LogLine[]>([]);
  /** The number of the first line of the log that is here: those before it are asked for. */
  first = $state(1);
  sequence = $state(0);
  thinking = $state.raw<Thinking>();
  notice = $state.raw<Notice>();
  /** What a screen reader is told last. */
  spoken = $state('');
  /** An order or an undo is on its way and not yet answered. */
  busy = $state(false);
  lastMove = $state.raw<number[]>([]);
  /** Something is being shown step by step that this side did not do itself. */
  showing = $state(false);
  readonly playback = new Playback();
  /** The screen shows the past: what happens now is not acted out on it. */
  away = false;
  /** Fetched by whoever opens the table. */
  board = $state.raw<Board>();
  stage: Stage | undefined;

  readonly socket: BattleSocket;
  readonly chat: Chat;
  #pieces = new Map<number, Piece>();
  #queue: Update[] = [];
  #show: Promise<void> | undefined;
  /** Counts the tables that were put down as a whole; what belongs to an older one is not shown any more. */
  #deal = 0;
  /** Nothing is acted out: until what waits is through, or until this side has to decide. */
  #hurries: 'no' | 'now' | 'until our turn' = 'no';
  #isGreeting = true;
  /** Something of the others was put on the table that nobody was shown. */
  #isUnshown = false;
  #account = new Account('');
  /** What came of what the others did since our last order, when it has been shown. */
  summary = $state.raw<string[]>([]);
  #awaited: { sequence: number; done: () => void }[] = [];

  constructor(readonly id: string, readonly seat: Seat, readonly scenarios: ScenarioCard[]) {
    this.socket = new BattleSocket(rest.socketAddress(id), seat, {
      message: (message) => this.#hear(message),
      state: (state, reason) => {
        this.line = state;
        // what comes first on a new line is what was missed, and that is past
        if (state === 'connecting') this.#isGreeting = true;
        if (reason) this.lineReason = sentence(reason);
        if (state === 'lost') this.thinking = undefined;
        if (state === 'open') void this.chat.refresh();
      },
    });
    this.chat = new Chat(this.socket, !seat.side);
    document.addEventListener('visibilitychange', this.#onHidden);
  }

  /** Whether there is anybody to talk to, or to listen to. */
  hasTalk = $derived.by((): boolean => !this.seat.side || (this.card?.seats.filter((one) => one.player === 'human' || one.player === 'friend').length ?? 0) > 1);

  close(): void {
    document.removeEventListener('visibilitychange', this.#onHidden);
    this.#stopShow();
    this.stage = undefined;
    for (const { done } of this.#awaited.splice(0)) done();
    this.socket.close();
  }

  // --- what is on the table

  /** The scenario as it was when the battle began, where it has been changed since. */
  own = $state.raw<ScenarioCard>();

  /** The optional rules that are played, each with the rule that its title names. */
  optionsInPlay = $derived.by((): { name: string; rule: string; text: string }[] => (this.scenario?.options ?? []).flatMap(({ name, title, value }) => {
    const set = this.card?.options?.[name] ?? value;
    if (!set) return [];
    const rule = /\(([^()]*-[^()]*)\)$/.exec(title)?.[1] ?? '';
    const text = (rule ? title.slice(0, title.lastIndexOf('(')) : title).trim();
    return [{ name, rule, text: set === true ? text : `${text}: ${set}` }];
  }));

  scenario = $derived.by((): ScenarioCard | undefined =>
    this.card?.kept ? this.own : this.scenarios.find((one) => one.id === this.card?.scenario));

  side = $derived.by((): string => this.table?.side ?? this.seat.side);

  /** The reaction that the table still asks for has been answered. */
  isAnswered = $state(false);

  decision = $derived.by(() => (this.isAnswered ? undefined : this.table?.decisions.find((one) => one.side === this.side)));

  /** Who has won, in words; empty while nobody has. */
  verdict = $derived.by((): string => {
    const { outcome } = this.table ?? {};
    if (!outcome) return '';
    return outcome.winner ? `${this.sideTitle(outcome.winner)}: ${victoryOf(outcome.level)}` : sentence(outcome.level || 'a draw');
  });

  isMine = $derived.by((): boolean => this.decision !== undefined && !this.table?.outcome);

  sideCard(side: string): SideCard | undefined {
    return this.scenario?.sides.find((one) => one.id === side);
  }

  get otherSides(): string[] {
    return (this.scenario?.sides ?? []).map((one) => one.id).filter((side) => side !== this.side);
  }

  sideTitle(side: string): string {
    return this.sideCard(side)?.title ?? (side || 'nobody');
  }

  /** Whoever plays a side, by name where he has one. */
  playerTitle(side: string): string {
    const called = this.card?.seats.find((seat) => seat.side === side)?.called;
    return called ? `${called} (${this.sideTitle(side)})` : this.sideTitle(side);
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

  #index = $derived.by(() => piecesById(this.table?.pieces ?? []));

  piece(id: number): Piece | undefined {
    return this.#index.get(id);
  }

  isOwn(piece: Piece): boolean {
    return piece.side === this.side && piece.kind !== 'marker';
  }

  // --- what we say

  async submit(order: OrderJson): Promise<boolean> {
    return this.#settle(() => this.socket.submit(order, this.sequence));
  }

  async undo(): Promise<boolean> {
    return this.#settle(() => this.socket.undo(this.sequence));
  }

  /** Who gives an order does not wait for what is still being shown: he has the table as it stands. */
  async #settle(command: () => ReturnType<BattleSocket['submit']>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.notice = undefined;
    // an answer to what they do is a part of it
    if (!this.decision?.optional) this.#account = new Account(this.side);
    this.summary = [];
    this.goOn();
    this.playback.isListed = false;
    try {
      if (!(await this.#isUpToDate())) {
        this.note('Something has happened meanwhile: look again.');
        return false;
      }
      const verdict = await command();
      if (verdict.type === 'Accepted') {
        // nobody is asked again about what he has answered while what comes of it is still being shown
        this.isAnswered = !!this.decision?.optional && this.sequence < verdict.number;
        await this.#heard(verdict.number);
        return true;
      }
      this.refuse(verdict.refusal, verdict.stale);
      return false;
    } catch {
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The table is as it stands; false when what was still being shown changes what the player decides on. */
  async #isUpToDate(): Promise<boolean> {
    if (!this.#show) return true;
    const asked = JSON.stringify(this.decision);
    this.#hurry('now');
    await this.#show;
    // one reaction is like the other, but not to what it reacts
    return !this.decision?.optional && JSON.stringify(this.decision) === asked;
  }

  /** Done when what happened up to that number has arrived, shown or not: the answer to an order may come before it. */
  #heard(sequence: number): Promise<void> {
    if (this.socket.sequence >= sequence) return Promise.resolve();
    return new Promise((done) => this.#awaited.push({ sequence, done }));
  }

  /** Done when everything that has arrived is on the table. */
  async shown(): Promise<void> {
    await this.#show;
  }

  #sleepers: (() => void)[] = [];

  /** Done when everything that has arrived is on the table and this side has to decide, or nobody has any more. */
  async ours(goesOn: () => boolean): Promise<void> {
    await this.shown();
    while (!this.isMine && !this.table?.outcome && goesOn()) {
      await new Promise<void>((wake) => this.#sleepers.push(wake));
      await this.shown();
    }
  }

  /** Whoever waits for his turn looks again. */
  wake(): void {
    for (const wake of this.#sleepers.splice(0)) wake();
  }

  refuse(refusal: Refusal, stale = false): void {
    const text = stale ? 'The table has changed since; look again and repeat the order.' : reasonOf(refusal);
    this.notice = { text, rule: stale ? '' : refusal.rule, kind: 'refusal' };
    this.say(refusal.rule && !stale ? `${text} Rule ${refusal.rule}.` : text);
  }

  trouble(text: string): void {
    this.notice = { text: sentence(text), rule: '', kind: 'trouble' };
    this.say(sentence(text));
  }

  /** A remark that asks for nothing. */
  note(text: string, rule = ''): void {
    this.notice = { text, rule, kind: 'note' };
    this.say(rule ? `${text} Rule ${rule}.` : text);
  }

  say(text: string): void {
    // a repeated sentence is spoken again only when the text differs
    this.spoken = text === this.spoken ? `${text}\u00a0` : text;
  }

  // --- what we hear

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case 'Snapshot':
        this.#stopShow();
        this.#account = new Account(message.table.side);
        this.summary = [];
        this.card = message.battle;
        this.#layOut(message);
        break;
      case 'Update':
        if (this.#isGreeting) this.#hurry('now');
        this.#queue.push(message);
        this.#show ??= this.#showAll();
        break;
      case 'Thinking':
        this.thinking = message.percent < 100 ? message : undefined;
        this.#rest();
        break;
      case 'Chatted':
        this.chat.hear(message.line, layout.isShown('talk'));
        if (message.line.side !== this.side) this.say(`${message.line.called || this.sideTitle(message.line.side)}: ${message.line.text}`);
        break;
      case 'Seated':
        this.#seat(message.seats);
        break;
      case 'Trouble':
        this.trouble(message.reason);
        break;
    }
    if (message.type !== 'Snapshot' && message.type !== 'Update') return;
    this.#isGreeting = false;
    for (const one of this.#awaited.filter(({ sequence }) => sequence <= message.sequence)) one.done();
    this.#awaited = this.#awaited.filter(({ sequence }) => sequence > message.sequence);
  }

  /** Who sits where is known anew; whoever has come is told by name. */
  #seat(seats: SeatChoice[]): void {
    const before = new Map(this.card?.seats.map((seat) => [seat.side, seat.called]));
    if (this.card) this.card = { ...this.card, seats };
    for (const { side, called } of seats) {
      if (called && called !== before.get(side)) this.note(`${called} has sat down and plays ${this.sideTitle(side)}.`);
    }
  }

  /** The whole table is put down anew. */
  #layOut({ table, sequence, first, log, briefing }: Snapshot): void {
    this.briefing = briefing ?? undefined;
    this.#pieces = piecesById(table.pieces);
    this.table = table;
    this.first = first;
    this.log = log;
    this.lastMove = [];
    this.#arrive(sequence);
  }

  #arrive(sequence: number): void {
    this.isAnswered = false;
    this.sequence = sequence;
    // spectators hear with the turns they are shown
    if (!this.seat.side) void this.chat.refresh();
    this.wake();
    if (!this.isMine && !this.table?.outcome) return;
    this.thinking = undefined;
    this.showing = false;
    if (this.#isUnshown && !settings.showing) this.playback.isListed = true;
    this.#isUnshown = false;
  }

  // --- showing it

  /** Everything that waits is on the table at once. */
  #hurry(how: 'now' | 'until our turn'): void {
    if (this.#hurries === 'no' || how === 'until our turn') this.#hurries = how;
    this.goOn();
    this.stage?.finish();
  }

  /** What was shown last has been read. */
  goOn(): void {
    this.playback.clear();
    this.stage?.release();
    this.stage?.restore();
  }

  /** On to the next thing that is shown. */
  step(): void {
    this.playback.step();
    this.stage?.finish();
  }

  /** The player has seen enough of what the others do: on to his own decision. */
  skip(): void {
    this.#hurry('until our turn');
  }

  #onHidden = (): void => {
    // a hidden page draws no frames: nothing would ever arrive
    if (document.hidden && this.#show) this.#hurry('now');
  };

  #stopShow(): void {
    this.#deal += 1;
    this.#queue = [];
    this.#show = undefined;
    this.showing = false;
    this.#hurries = 'no';
    this.goOn();
    this.stage?.finish();
  }

  get #isHurried(): boolean {
    return this.away || document.hidden || this.#hurries !== 'no';
  }

  get #isActedOut(): boolean {
    return settings.showing && this.stage !== undefined && !this.#isHurried;
  }

  /** Takes updates in one after the other, so that a move is seen before what came of it. */
  async #showAll(): Promise<void> {
    const deal = this.#deal;
    for (let update = this.#queue.shift(); update; update = this.#queue.shift()) {
      await this.#perform(update, deal);
      if (deal !== this.#deal) return;
    }
    this.#show = undefined;
    this.#rest();
    if (this.#hurries === 'now' || this.isMine || this.table?.outcome) this.#hurries = 'no';
  }

  /** Nothing waits to be shown; a computer that thinks has more of it. */
  #rest(): void {
    if (this.thinking || this.#show) return;
    this.showing = false;
    const isOver = this.table?.outcome != null || (this.isMine && !this.decision!.optional);
    this.summary = isOver ? this.#account.lines : [];
    if (!this.#isHurried) this.playback.end();
    else if (this.#hurries === 'until our turn' && this.summary.length) this.note(this.summary.join(' '));
    if (!this.playback.isHeld) this.stage?.restore();
  }

  async #perform({ steps, table, sequence }: Update, deal: number): Promise<void> {
    const told: string[] = [];
    for (const beat of beatsOf(this.#attributed(steps))) {
      const isShown = this.#isActedOut;
      this.#account.take(beat, this.#pieces);
      // what others do is said when it is shown, what one does oneself when it is done
      if (beat.lead && isShown && !beat.lead.mine) this.say(captionOf(beat));
      else if (beat.lead) told.push(captionOf(beat));
      this.#isUnshown ||= !isShown && !!beat.lead && !beat.lead.mine && !isTitle(beat.lead);
      if (isShown) await this.#act(beat, deal);
      else for (const step of beat.steps) this.#pass(step);
      if (deal !== this.#deal) return;
    }
    this.table = { ...this.table!, ...table, pieces: [...this.#pieces.values()] };
    this.#arrive(sequence);
    if (this.verdict) told.push(sentence(this.verdict));
    if (told.length) this.say(told.slice(-MOST_SPOKEN).join(' '));
  }

  /** What others do after an order of ours, as when we let their move go by, is theirs. */
  #attributed(steps: ToldStep[]): ToldStep[] {
    const sides = new Map([...this.#pieces.values(), ...steps.flatMap((step) => step.changed ?? [])].map(({ id, side }) => [id, side]));
    const asTheirs = (step: ToldStep): ToldStep => ({ ...step, line: { ...step.line!, mine: false } });
    const attributed = steps.map((step) => {
      const { line } = step;
      if (!line?.mine || !(isMove(line) || line.tone === 'act')) return step;
      const side = sides.get(line.units?.[0] ?? NaN) ?? this.side;
      return side === this.side ? step : asTheirs(step);
    });
    // a shot of ours in the middle of their move is read and heard like the rest of it
    const isInterlude = attributed.some((step, n) => step !== steps[n]);
    return isInterlude ? attributed.map((step) => (step.line?.mine && step.line.tone === 'act' ? asTheirs(step) : step)) : attributed;
  }

  #act(beat: Beat, deal: number): Promise<void> {
    this.showing ||= !!beat.lead && !beat.lead.mine;
    const put = (step: ToldStep) => {
      if (deal !== this.#deal) return false;
      this.#take(step);
      this.table = { ...this.table!, pieces: [...this.#pieces.values()] };
      return true;
    };
    const pass = (step: ToldStep) => {
      if (deal === this.#deal) this.#pass(step);
    };
    return perform(beat, this.#pieces, { stage: this.stage!, playback: this.playback, isOn: () => deal === this.#deal && this.#isActedOut, put, pass });
  }

  /** A step is taken in without being acted out; who wants no motion still sees where shots fall. */
  #pass(step: ToldStep): void {
    if (settings.results && !this.#isHurried) for (const flash of flashesOf(step, this.#pieces)) this.stage?.flash(flash);
    this.#take(step);
  }

  /** A step is in the log and among the pieces; nobody sees it before the table is laid out again. */
  #take(step: ToldStep): void {
    const way = journeyOf(step.line, this.#pieces);
    const line = step.line ?? undefined;
    // a move in several stretches is one way
    if (way.length && line) this.lastMove = continues(line, this.log[this.log.length - 1]) ? [...this.lastMove, ...way.slice(1)] : way;
    // whoever is elsewhere without having gone there was taken back, or placed
    else if (step.changed?.some(({ id, hex }) => (this.#pieces.get(id)?.hex ?? hex) !== hex)) this.lastMove = [];
    fold(this.#pieces, step);
    if (step.line) this.log = [...this.log, step.line];
  }

  // --- the log before our time

  /** Where the latest turn of another side begins and ends among what this one was told; nothing when there was none. */
  async turnOfOthers(): Promise<TurnPart | undefined> {
    for (let first = 0; !turnPart(this.log, this.side) && this.first > 1 && this.first !== first; ) {
      first = this.first;
      await this.older();
    }
    return turnPart(this.log, this.side);
  }

  /** Whether another side has had a turn. */
  hasTheirTurn = $derived.by((): boolean => this.first > 1 || turnPart(this.log, this.side) !== undefined);

  /** What is listed beside the map: what was seen of the latest turn of another side. */
  listed = $derived.by((): Beat[] => {
    if (!this.playback.isListed) return [];
    return beatsOfLines(turnPart(this.log, this.side)?.lines ?? []).filter(({ lead }) => lead && !isTitle(lead));
  });

  listedPlaces = $derived.by((): Map<number, string> => {
    const places = new Map<number, string[]>();
    for (const [n, beat] of this.listed.entries()) {
      const hex = placeOf(beat);
      if (hex) places.set(hex, [...(places.get(hex) ?? []), String(n + 1)]);
    }
    return new Map([...places].map(([hex, numbers]) => [hex, numbers.join(' ')]));
  });

  toggleList(): void {
    this.playback.isListed = !this.playback.isListed;
    if (this.playback.isListed && !this.listed.length) {
      this.playback.isListed = false;
      this.note('Nothing was seen of another side\'s turn yet.');
    }
  }

  #older: Promise<void> | undefined;

  /** The page of the log before the lines that are here is here too. */
  older(): Promise<void> {
    return (this.#older ??= this.#fetchOlder().finally(() => (this.#older = undefined)));
  }

  async #fetchOlder(): Promise<void> {
    const before = this.first;
    if (before <= 1) return;
    try {
      const page = await this.socket.ask<LogPage>({ type: 'AskLog', before, most: PAGE });
      if (before !== this.first) return;
      this.first = page.first;
      this.log = [...page.log, ...this.log];
    } catch (error) {
      this.trouble(messageOf(error));
    }
  }
}
