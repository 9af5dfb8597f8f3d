// From a selection to an order: menu, verb, target, preview, confirmation.
import type { MenuAnswer, Piece, Preview, PreviewAnswer, Reminder, Target, Verb } from '../api-types';
import type { Battle } from './battle.svelte';
import { spokenPreview, sureResult } from './chances';
import { Column } from './column.svelte';
import { keyOf } from '../keys';
import { Readiness } from './readiness';
import { settings } from './settings.svelte';
import { closes, hasWay, isOf } from './verbs';
import { messageOf, sentence } from './words';

/** An order that is being considered: nothing has been sent yet. */
export interface Plan {
  verb: Verb;
  hex: number;
  /** The ways to do it at this hex: other firers, other targets, other gaits. */
  choices: Target[];
  chosen: number;
  waypoints: number[];
  /** What was filled in, by the names of the verb's fields. */
  values?: Record<string, number | string | boolean>;
  preview?: Preview;
  trouble?: string;
  /** It was laid open with its verb, which has but one hex: the player has not pointed there yet. */
  isLaidOpen?: boolean;
}

/** A step that is about to be ended, and what that would leave undone. */
export interface Closing { verb: Verb; reminders: Reminder[] }

export class Orders {
  selected = $state.raw<number[]>([]);
  verbs = $state.raw<Verb[]>([]);
  verbKey = $state('');
  /** The player pointed at the verb himself: a click on a friend's hex then aims instead of selecting. */
  insisted = $state(false);
  plan = $state.raw<Plan>();
  waypoints = $state.raw<number[]>([]);
  /** The player has told a step to end and is asked whether he means it. */
  closing = $state.raw<Closing>();
  /** It is being found out what ending the step would leave undone. */
  asking = $state(false);
  /** What a sealed decision still lacks before it is closed. */
  lacking = $state.raw<Reminder[]>([]);
  /** Units that are being sent one after the other. */
  column = $state.raw<Column>();
  /** Reactions of this turn were answered here, so that the key of the answer means nothing else until the turn is our own. */
  answers = $state(false);
  /** The verbs of the orders that were given from this page. */
  given = $state.raw<string[]>([]);
  #asked = 0;
  #previewed = 0;

  readonly #readiness: Readiness;

  constructor(private readonly battle: Battle) {
    this.#readiness = new Readiness(battle);
  }

  verb = $derived.by((): Verb | undefined => this.verbs.find((one) => one.key === this.verbKey && !one.refusal));

  /** The verb that a hex is asked about: the one in use, or, when nothing can be done at all, the first that is greyed. */
  doubted = $derived.by((): Verb | undefined => {
    const verbs = this.selected.length ? this.verbs.filter((one) => !closes(one)) : [];
    return this.verb ?? (verbs.some((one) => !one.refusal) ? undefined : verbs[0]);
  });

  /** Verbs that are not possible now, each with its reason. */
  greyed = $derived.by((): Verb[] => this.verbs.filter((one) => one.refusal && !closes(one)));

  /** A line of them is laid out; more are folded where something else can be done: the chosen units keep the room. */
  canFold = $derived.by((): boolean => this.greyed.length > FEW_GREYED && this.verbs.some((one) => !one.refusal && !closes(one)));

  /** The targets of the verb in use, by hex. */
  targets = $derived.by((): Map<number, Target[]> => {
    const found = new Map<number, Target[]>();
    for (const target of this.verb?.targets ?? []) {
      if (!target.hex) continue;
      const others = found.get(target.hex);
      if (others) others.push(target);
      else found.set(target.hex, [target]);
    }
    return found;
  });

  pieces = $derived.by((): Piece[] => {
    return this.selected.flatMap((id) => this.battle.piece(id) ?? []);
  });

  target = $derived.by((): Target | undefined => this.plan?.choices[this.plan.chosen]);

  /** Where a second hex tells the ways to do it apart: those hexes, each with the first way that leads there. */
  exits = $derived.by((): Map<number, number> => {
    const found = new Map<number, number>();
    this.plan?.choices.forEach(({ then }, n) => {
      if (then && !found.has(then)) found.set(then, n);
    });
    return found;
  });

  /** What ends the step, if anything does: the same key does it in every system. */
  ending = $derived.by((): Verb | undefined => this.verbs.find(closes));

  // --- selecting

  select(units: number[]): void {
    this.selected = units;
    this.closing = undefined;
    this.insisted = false;
    this.verbKey = '';
    this.cancel();
    void this.refresh();
  }

  toggle(unit: number): void {
    const has = this.selected.includes(unit);
    this.select(has ? this.selected.filter((id) => id !== unit) : [...this.selected, unit]);
  }

  clear(): void {
    this.select([]);
  }

  /** Esc and Backspace: one step back, from the newest thing to the oldest; true when there was one. */
  stepBack(): boolean {
    if (this.column) {
      this.column.stop();
      return true;
    }
    if (this.closing) {
      this.closing = undefined;
      return true;
    }
    if (this.waypoints.length && !this.plan) {
      this.waypoints = this.waypoints.slice(0, -1);
      return true;
    }
    if (this.plan) {
      this.cancel();
      return true;
    }
    if (this.selected.length) {
      this.clear();
      return true;
    }
    return false;
  }

  cancel(): void {
    this.plan = undefined;
    this.waypoints = [];
    this.#previewed++;
  }

  // --- the menu

  /** Done when the menu fits the selection; a click that comes sooner waits for it. */
  ready: Promise<void> = Promise.resolve();

  refresh(): Promise<void> {
    return (this.ready = this.#refresh());
  }

  async #refresh(): Promise<void> {
    const asked = ++this.#asked;
    // what a reaction is aimed at is pointed out when it is seen there
    if (this.battle.decision?.optional) await this.battle.shown();
    if (asked !== this.#asked) return;
    const table = this.battle.table;
    if (this.battle.isMine && !this.battle.decision?.optional) this.answers = false;
    if (!table || !this.battle.isMine) {
      this.verbs = [];
      this.lacking = [];
      this.cancel();
      return;
    }
    const alive = this.selected.filter((id) => this.battle.piece(id));
    if (alive.length !== this.selected.length) this.selected = alive;
    try {
      const verbs = await this.menuFor(alive);
      if (asked !== this.#asked) return;
      this.verbs = verbs;
      if (!this.verb) this.#choose();
      if (this.plan) this.#replan();
      else this.#layOpen();
      const lacking = this.battle.decision?.sealed ? (await this.#readiness.now()).reminders : [];
      if (asked === this.#asked) this.lacking = lacking;
    } catch (error) {
      if (asked === this.#asked && this.battle.line === 'open') this.battle.trouble(messageOf(error));
    }
  }

  async menuFor(units: number[]): Promise<Verb[]> {
    const { menu } = await this.battle.socket.ask<MenuAnswer>({ type: 'AskMenu', selection: units.length ? { units } : {} });
    return menu.verbs;
  }

  /** The verb as it leads those units to a hex, through others where there are any. */
  async #led(key: string, units: number[], hex: number, via: number[]): Promise<Verb | undefined> {
    const question = { type: 'AskMenu', selection: { units, hex, via } } as const;
    const verbs = via.length ? (await this.battle.socket.ask<MenuAnswer>(question)).menu.verbs : await this.menuFor(units);
    return verbs.find((one) => one.key === key);
  }

  /** The first lawful verb that points somewhere else on the map is in use from the start: of those of the chosen units, if they have any. */
  #choose(): void {
    const here = new Set(this.pieces.map((piece) => piece.hex));
    const lawful = this.verbs.filter((one) => !one.refusal);
    const own = lawful.filter((one) => one.targets?.some(({ actors }) => actors?.some((id) => this.selected.includes(id))));
    const first = (own.length ? own : lawful).find((one) => one.targets?.some((t) => t.hex && !here.has(t.hex)));
    this.verbKey = first?.key ?? '';
    this.insisted = false;
  }

  /** The number of orders given when the last choice was laid open: whoever puts one away is not shown it again. */
  #laidOpen = -1;

  /** Where nothing but one order can be given, and nowhere on the map, the ways to do it lie open at once. */
  #layOpen(): void {
    const [only, ...others] = this.verbs.filter((one) => !one.refusal);
    const targets = only?.targets ?? [];
    const isPlain = only && !others.length && !closes(only) && !only.form?.length;
    if (!isPlain || !targets.length || targets.some(({ hex }) => hex) || this.#laidOpen === this.battle.sequence) return;
    this.#laidOpen = this.battle.sequence;
    this.#plan(only, 0, targets);
  }

  /** Done when it is known what the verb asks for; an order that goes out is not waited for. */
  async use(key: string): Promise<void> {
    const verb = this.verbs.find((one) => one.key === key);
    if (!verb) return;
    if (verb.refusal) {
      this.battle.refuse(verb.refusal);
      return;
    }
    this.cancel();
    const targets = verb.targets ?? [];
    const hexes = new Set(targets.map((target) => target.hex ?? 0));
    if (targets.length && (hexes.size === 1 || !pointsAway(targets, this.pieces))) {
      // nothing to aim at: an order that ends a phase goes at once, one that does something is shown first
      // of several ways to end it the first is the plain one; wider ones have buttons and a key of their own
      if (closes(verb)) await this.#close(verb, targets[0]!);
      else {
        // a verb that points somewhere is in use from now on, and a click elsewhere is about it
        const isAway = pointsAway(targets, this.pieces);
        if (isAway) this.verbKey = key;
        this.#plan(verb, [...hexes][0] ?? 0, targets);
        if (isAway && this.plan) this.plan = { ...this.plan, isLaidOpen: true };
      }
      return;
    }
    this.verbKey = key;
    this.insisted = true;
    this.battle.say(`${verb.title}: ${hexes.size} hexes to choose from. ${keyOf('nextTarget')} goes to the next one.`);
  }

  /** Ends the step; asks first when something would be lost by it, and where the player wants it, when somebody could still act. */
  async #close(verb: Verb, target: Target): Promise<void> {
    const isSure = this.closing?.verb.key === verb.key;
    this.closing = undefined;
    if (!isSure && !this.battle.decision?.optional) {
      this.asking = true;
      const { reminders } = await this.#readiness.now().finally(() => (this.asking = false));
      const told = reminders.filter((one) => one.lost || settings.checklist);
      if (told.length) {
        this.closing = { verb, reminders: told };
        this.battle.say(`${told.map((one) => sentence(one.text)).slice(0, MOST_TOLD).join(' ')} ${verb.title}? The same key again ends it, Escape goes back.`);
        return;
      }
    }
    void this.#give(verb.key, target);
  }

  /** The steps that were passed over since there was last something to do. */
  #passed: string[] = [];

  /** Ends a step in which nothing can be done but to end it, and says so; one that an order was taken back to stays. */
  async passOver(): Promise<void> {
    const { battle } = this;
    const { decision } = battle;
    if (!decision || !settings.passing || battle.log[battle.log.length - 1]?.undone) return;
    await this.ready;
    const { idle } = await this.#readiness.now();
    if (battle.decision !== decision || battle.busy) return;
    const way = idle ? this.ending?.targets?.[0] : undefined;
    if (!way) {
      this.#passed = [];
      return;
    }
    this.#passed.push(sentence(decision.kind).slice(0, -1));
    const told = this.#passed.join(', ');
    if (await this.#give(this.ending!.key, way)) battle.note(`Passed over, as there was nothing to do: ${told}.`);
  }

  /** Lists what a sealed decision still lacks, if it is closed by an order of its own. */
  listLacking(): void {
    if (this.ending && this.lacking.length) this.closing = { verb: this.ending, reminders: this.lacking };
  }

  // --- letting all of it go by

  /** The widest way to let go by what may be reacted to, where there is more than the one of the verb's own key. */
  widest = $derived.by((): Target | undefined => {
    const ways = this.battle.decision?.optional ? (this.ending?.targets ?? []) : [];
    return ways.length > 1 ? ways[ways.length - 1] : undefined;
  });

  /** Reacts to nothing more of what is under way, also to what is still being shown of it. */
  async letGo(): Promise<void> {
    if (this.battle.showing) {
      this.battle.skip();
      await this.battle.shown();
    }
    await this.refresh();
    if (this.widest && this.ending) await this.#give(this.ending.key, this.widest);
    else this.battle.say('There is nothing to let go by.');
  }

  // --- aiming

  /** The hex of the next (or previous) target of the verb in use, from left to right; 0 when there is none. */
  targetBeside(hex: number, step: 1 | -1): number {
    const hexes = [...this.targets.keys()].sort((a, b) => (a - b) * step);
    return hexes.find((one) => (one - hex) * step > 0) ?? hexes[0] ?? 0;
  }

  /** Plans the verb in use against a hex, and carries the plan out when the hex is pointed at again; true when there is
   *  something to do there. A plan that lay open with its verb is pointed at for the first time: nobody who aims shoots. */
  aim(hex: number): boolean {
    const verb = this.verb;
    const choices = this.targets.get(hex);
    if (!verb || !choices) return false;
    if (this.plan?.hex === hex && this.plan.verb.key === verb.key) {
      if (this.plan.isLaidOpen) {
        this.plan = { ...this.plan, isLaidOpen: false };
        return true;
      }
      void this.previewed.then(() => this.confirm());
      return true;
    }
    this.#plan(verb, hex, choices);
    return true;
  }

  /** Plans one target of one verb, as the context menu offers them. */
  point(verb: Verb, target: Target): void {
    this.verbKey = verb.key;
    const hex = target.hex ?? 0;
    const choices = (verb.targets ?? []).filter((one) => (one.hex ?? 0) === hex);
    this.#plan(verb, hex, choices, Math.max(0, choices.indexOf(target)));
  }

  choose(index: number): void {
    if (!this.plan) return;
    this.plan = { ...this.plan, chosen: index, preview: undefined, trouble: undefined };
    void this.#preview();
  }

  /** Whether the way of an order can lead through that hex. */
  canPass(hex: number): boolean {
    return this.targets.get(hex)?.some(hasWay) ?? false;
  }

  /** Adds a hex the way must pass; the order's way then runs through all of them. */
  addWaypoint(hex: number): boolean {
    if (!this.canPass(hex)) return false;
    this.plan = undefined;
    this.waypoints = [...this.waypoints, hex];
    this.battle.say(`By way of ${this.battle.label(hex)}.`);
    return true;
  }

  /** Fills in a field of the order. */
  fill(name: string, value: number | string | boolean): void {
    if (!this.plan) return;
    this.plan = { ...this.plan, values: { ...this.plan.values, [name]: value }, preview: undefined, trouble: undefined };
    void this.#preview();
  }

  /** Where the rules let all who are chosen go as one, that is meant, and no part of them: what is shown is then what is ordered. */
  #asOne(choices: Target[]): Target[] {
    const whole = this.selected.length > 1 ? choices.filter((one) => hasWay(one) && isOf(one, this.selected)) : [];
    return whole.length ? whole : choices;
  }

  #plan(verb: Verb, hex: number, offered: Target[], wanted?: number): void {
    const choices = this.#asOne(offered);
    const chosen = choices === offered && wanted !== undefined ? wanted : this.likeliest(choices);
    this.battle.notice = undefined;
    if (this.waypoints.length && choices.some(hasWay)) {
      this.previewed = this.#planThrough(verb, hex, this.waypoints);
      return;
    }
    const values = this.plan?.verb.key === verb.key && this.plan.hex === hex ? this.plan.values : undefined;
    this.plan = { verb, hex, choices, chosen, waypoints: [], values };
    void this.#preview();
  }

  /** The same by way of other hexes: the rules lead the order through them, or say why they don't. */
  async #planThrough(verb: Verb, hex: number, waypoints: number[]): Promise<void> {
    const previewed = ++this.#previewed;
    this.plan = { verb, hex, choices: [], chosen: 0, waypoints };
    const led = await this.#led(verb.key, this.selected, hex, waypoints).catch(() => undefined);
    if (previewed !== this.#previewed || !this.plan) return;
    const choices = this.#asOne(led?.targets ?? []);
    this.plan = { ...this.plan, choices };
    if (choices.length) await this.#preview();
    else if (led?.refusal) {
      const preview = { number: 0, forecast: null, refusal: led.refusal, text: '', as_known: false };
      this.plan = { ...this.plan, preview };
      this.battle.say(spokenPreview(preview));
    } else this.plan = { ...this.plan, trouble: 'The way could not be worked out.' };
  }

  /** After the table has changed the same order is looked up anew; gone, the plan is dropped. */
  #replan(): void {
    const plan = this.plan;
    if (!plan) return;
    const verb = this.verbs.find((one) => one.key === plan.verb.key && !one.refusal);
    const choices = (verb?.targets ?? []).filter((one) => (one.hex ?? 0) === plan.hex);
    if (!verb || !choices.length) this.cancel();
    else this.#plan(verb, plan.hex, choices, Math.min(plan.chosen, choices.length - 1));
  }

  /** The way of doing it that is meant at first: with several units selected, the one by as many of them as can. */
  likeliest(choices: readonly Target[]): number {
    if (this.selected.length < 2) return 0;
    const counts = choices.map(({ actors = [] }) => (actors.every((id) => this.selected.includes(id)) ? actors.length : 0));
    return Math.max(0, counts.indexOf(Math.max(...counts)));
  }

  /** Done when the plan has been looked into; a click that comes sooner waits for it. */
  previewed: Promise<void> = Promise.resolve();

  #preview(): Promise<void> {
    return (this.previewed = this.#askPreview());
  }

  async #askPreview(): Promise<void> {
    const previewed = ++this.#previewed;
    const order = this.#order;
    if (!order) return;
    try {
      const { preview } = await this.battle.socket.ask<PreviewAnswer>({ type: 'AskPreview', order });
      if (previewed !== this.#previewed || !this.plan) return;
      this.plan = { ...this.plan, preview };
      const { verb } = this.plan;
      this.battle.say(`${verb.confirm ? `${sentence(verb.confirm)} ` : ''}${spokenPreview(preview)}`);
      const isPlain = preview.forecast?.certain && !sureResult(preview.forecast) && !preview.forecast.warning && !preview.refusal && !verb.confirm && !verb.form?.length;
      if (isPlain && !settings.confirm && this.plan.verb.targets?.some(hasWay)) void this.confirm();
    } catch (error) {
      if (previewed === this.#previewed && this.plan) this.plan = { ...this.plan, trouble: messageOf(error) };
    }
  }

  // --- giving the order

  /** The order as it is planned, with what was filled in. */
  get #order(): Target['order'] | undefined {
    return this.target && { ...this.target.order, ...this.plan?.values };
  }

  /** Those of the selected units who can go there, to be sent one after the other. */
  party = $derived.by((): number[] => {
    const plan = this.plan;
    const target = this.target;
    if (!plan || !target || !hasWay(target) || this.selected.length < 2) return [];
    return this.selected.filter((unit) => plan.choices.some((choice) => isOf(choice, [unit])));
  });

  async confirm(): Promise<void> {
    const plan = this.plan;
    const target = this.target;
    if (!plan || this.battle.busy || this.column) return;
    if (plan.preview?.refusal) {
      this.battle.refuse(plan.preview.refusal);
      return;
    }
    if (!target) return;
    try {
      if (this.party.length > 1) await this.#sendColumn(plan);
      else await this.#give(plan.verb.key, { ...target, order: this.#order! });
    } catch (error) {
      this.battle.trouble(messageOf(error));
    }
  }

  async #give(key: string, target: Target): Promise<boolean> {
    if (this.battle.decision?.optional) this.answers = true;
    this.closing = undefined;
    const placed = this.pieces.length === 1 && !this.pieces[0]!.hex ? this.pieces[0] : undefined;
    const accepted = await this.#submit(key, target);
    if (accepted) {
      this.cancel();
      // what was insisted on is ordered: the next click on a friend chooses him
      this.insisted = false;
    }
    // who sets up goes on with the next unit that waits beside the map
    if (accepted && placed) await this.#takeNext(placed);
    else void this.refresh();
    return accepted;
  }

  async #submit(key: string, target: Target): Promise<boolean> {
    const accepted = await this.battle.submit(target.order);
    if (accepted && !this.given.includes(key)) this.given = [...this.given, key];
    return accepted;
  }

  /** Selects the next one who can be placed now; when nobody else can, the one just placed stays selected. */
  async #takeNext(placed: Piece): Promise<void> {
    const able = await this.able();
    const waiting = this.battle.table?.pieces.filter((piece) => !piece.hex && this.battle.isOwn(piece) && piece.carrier == null && able.has(piece.id) && piece.id !== placed.id) ?? [];
    const next = waiting.find((piece) => piece.id > placed.id) ?? waiting[0];
    if (next) this.select([next.id]);
    else void this.refresh();
  }

  /** Each of them is given its own order to the same hex; who did not get there stays selected. */
  async #sendColumn(plan: Plan): Promise<void> {
    const units = this.party;
    const others = this.selected.filter((unit) => !units.includes(unit));
    const { verb, hex, waypoints } = plan;
    const dispatch = {
      look: (unit: number) => this.#led(verb.key, [unit], hex, waypoints),
      give: (target: Target) => this.#submit(verb.key, target),
    };
    const column = new Column(this.battle, dispatch, verb, hex, units);
    this.column = column;
    this.cancel();
    try {
      await column.go();
    } finally {
      this.column = undefined;
    }
    const left = [...column.left, ...others].filter((unit) => this.battle.piece(unit));
    if (left.length) this.select(left);
    else void this.refresh();
  }

  // --- going round the units

  /** Selects the next (or previous) own unit that can do something now. */
  async cycle(step: 1 | -1): Promise<Piece | undefined> {
    try {
      return await this.#cycle(step);
    } catch (error) {
      this.battle.trouble(messageOf(error));
      return undefined;
    }
  }

  async #cycle(step: 1 | -1): Promise<Piece | undefined> {
    const table = this.battle.table;
    if (!table || !this.battle.isMine) return undefined;
    const able = await this.able();
    const own = table.pieces.filter((piece) => this.battle.isOwn(piece) && (able.has(piece.id) || piece.id === this.selected[0]));
    const order = step === 1 ? own : own.reverse();
    const at = order.findIndex((piece) => piece.id === this.selected[0]);
    const piece = order[(at + 1) % order.length];
    if (!piece || !able.has(piece.id)) {
      this.battle.say('No other unit can do anything in this phase.');
      return undefined;
    }
    this.select([piece.id]);
    return piece;
  }

  /** The units that can still be told to do something. */
  async able(): Promise<Set<number>> {
    return (await this.#readiness.now()).able;
  }
}

/** So many greyed verbs lie in one line. */
const FEW_GREYED = 3;
/** A screen reader is not kept busy with more reminders. */
const MOST_TOLD = 4;

function pointsAway(targets: Target[], pieces: Piece[]): boolean {
  const here = new Set(pieces.map((piece) => piece.hex));
  return targets.some((target) => target.hex && !here.has(target.hex));
}
