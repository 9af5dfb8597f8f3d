// Reading up on the battle: the card of a unit, the orders of battle, what can be marked on the map, reports.
import type {
  CardAnswer, Formation, QueriesAnswer, Query, QueryAnswer, Refusal, Report, ReportAnswer, ReportsAnswer, TreeAnswer, UnitCard,
  WhyNotAnswer,
} from '../api-types';
import type { Battle } from './battle.svelte';
import type { Answer, Question } from './socket';
import { messageOf, reasonOf } from './words';

/** What stands in the way of pointing the verb in use at a hex. */
export interface Obstacle { hex: number; text: string; rule: string }

export class Reading {
  card = $state.raw<UnitCard>();
  forces = $state.raw<Formation[]>();
  queries = $state.raw<Query[]>([]);
  /** What is marked on the map now. */
  marked = $state.raw<Query>();
  reports = $state.raw<Report[]>([]);
  report = $state.raw<Report>();
  obstacle = $state.raw<Obstacle>();
  #markings = 0;
  #pointed = 0;

  constructor(private readonly battle: Battle) {}

  /** The answer, or nothing after the player was told why there is none; a spectator has nobody to ask for. */
  async #ask<T extends Answer>(question: Question): Promise<T | undefined> {
    if (!this.battle.side) return undefined;
    try {
      return await this.battle.socket.ask<T>(question);
    } catch (error) {
      this.battle.trouble(messageOf(error));
      return undefined;
    }
  }

  /** Whether there is a card of that unit to read. */
  async readCard(unit: number): Promise<boolean> {
    const answer = await this.#ask<CardAnswer>({ type: 'AskCard', unit });
    this.card = answer?.card ?? undefined;
    if (this.card) this.battle.say(`Card of ${this.card.title}.`);
    else this.battle.say('Nothing more is known of that unit.');
    return this.card !== undefined;
  }

  async readForces(): Promise<void> {
    this.forces = (await this.#ask<TreeAnswer>({ type: 'AskTree' }))?.formations;
  }

  // --- why not that one?

  /** What the rules say against it; nothing when they say nothing. */
  async whyNot(verb: string, units: number[], hex: number): Promise<Refusal | undefined> {
    const answer = await this.#ask<WhyNotAnswer>({ type: 'AskWhyNot', verb, selection: { units }, target: { hex } });
    return answer?.refusal ?? undefined;
  }

  async findObstacle(verb: string, units: number[], hex: number): Promise<void> {
    const pointed = ++this.#pointed;
    const refusal = await this.whyNot(verb, units, hex);
    if (pointed !== this.#pointed) return;
    this.obstacle = refusal && { hex, text: reasonOf(refusal), rule: refusal.rule };
  }

  // --- marks on the map

  async listQueries(): Promise<void> {
    this.queries = (await this.#ask<QueriesAnswer>({ type: 'AskQueries' }))?.queries ?? [];
  }

  /** Those about the whole table, and about one unit if there is one: a key with @ and a number is about that unit. */
  offered(unit: number | undefined): Query[] {
    return this.queries.filter(({ key }) => !key.includes('@') || aboutOf(key) === unit);
  }

  /** The first mark that is about a unit, or no mark any more where it is there already. */
  async markAbout(unit: number): Promise<void> {
    if (this.marked && aboutOf(this.marked.key) === unit) return this.unmark();
    await this.listQueries();
    const query = this.queries.find(({ key }) => aboutOf(key) === unit);
    if (query) await this.mark(query.key);
    else this.battle.say('There is nothing to mark about that unit.');
  }

  /** A mark about a unit goes over to the one that is chosen next. */
  async follow(unit: number): Promise<void> {
    const key = this.marked?.key ?? '';
    if (!key.includes('@') || aboutOf(key) === unit) return;
    await this.#work(`${key.slice(0, key.indexOf('@'))}@${unit}`);
  }

  async mark(key: string): Promise<void> {
    const found = await this.#work(key);
    if (!found) return;
    this.battle.say(`${found.title}: ${this.inWords(found)}.`);
  }

  unmark(): void {
    this.#markings++;
    if (this.marked) this.battle.say(`${this.marked.title}: no longer marked.`);
    this.marked = undefined;
  }

  /** The mark follows the table; when it can't be asked for any more, it goes. */
  async refresh(): Promise<void> {
    if (this.marked) await this.#work(this.marked.key);
  }

  async #work(key: string): Promise<Query | undefined> {
    const marking = ++this.#markings;
    const answer = await this.#ask<QueryAnswer>({ type: 'AskQuery', key });
    if (marking !== this.#markings) return undefined;
    this.marked = answer?.query ?? undefined;
    return this.marked;
  }

  /** The hexes that are marked: those that were asked for, and those of the units that were. */
  hexes = $derived.by((): number[] => {
    const places = (this.marked?.units ?? []).map((id) => this.battle.piece(id)?.hex ?? 0);
    return [...new Set([...(this.marked?.hexes ?? []), ...places])].filter(Boolean);
  });

  inWords(query: Query): string {
    const hexes = query.hexes?.length ?? 0;
    const units = query.units ?? [];
    const parts = [
      units.length ? `${units.length} ${units.length === 1 ? 'unit' : 'units'}` : '',
      hexes ? `${hexes} ${hexes === 1 ? 'hex' : 'hexes'}` : '',
    ];
    return parts.filter(Boolean).join(', ') || 'none';
  }

  // --- reports

  async listReports(): Promise<void> {
    this.reports = (await this.#ask<ReportsAnswer>({ type: 'AskReports' }))?.reports ?? [];
    const kind = this.report?.kind ?? this.reports[0]?.kind;
    if (kind) await this.readReport(kind);
  }

  async readReport(kind: string): Promise<void> {
    this.report = (await this.#ask<ReportAnswer>({ type: 'AskReport', kind }))?.report ?? undefined;
    if (this.report) this.battle.say(`Report: ${this.report.title}.`);
  }
}

/** The unit that a mark of that key is about; none for one about the whole table. */
export function aboutOf(key: string): number | undefined {
  const at = key.indexOf('@');
  return at < 0 ? undefined : Number(key.slice(at + 1));
}
