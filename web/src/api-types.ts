// Made by tools/api_types.py from src/sandtable/server/messages.py; do not edit.

export const PROTOCOL = 4;

/** The order is durable. */
export interface Accepted {
  type: "Accepted";
  command: string;
  number: number;
}

/** How likely an order is carried through to its end, exactly ("n/d"): if nobody reacts, and at the least, whatever the known enemies do; `exact` tells that they can indeed bring it down to that. */
export interface Arrival {
  unhindered: string;
  at_least: string;
  exact: boolean;
}

/** All that is known of a unit. */
export interface AskCard {
  type: "AskCard";
  ask: number;
  unit: number;
}

/** At most so many lines that were said to "all" or to one's own "side", right before the line of that number; 0 asks for the latest, and the answer is a ChatPage. */
export interface AskChat {
  type: "AskChat";
  ask: number;
  to: string;
  before?: number;
  most?: number;
}

/** What is to be known of a hex: its facts, who sees it, who threatens it, or would threaten that unit there. */
export interface AskHex {
  type: "AskHex";
  ask: number;
  hex: number;
  unit?: number;
}

/** At most so many lines of the log, those that come right before the line of that number; the answer is a LogPage. Lines are numbered from 1; 0 asks for the latest. */
export interface AskLog {
  type: "AskLog";
  ask: number;
  before: number;
  most?: number;
}

/** What can be done with this selection? */
export interface AskMenu {
  type: "AskMenu";
  ask: number;
  selection: Selection;
}

/** What would come of this order? */
export interface AskPreview {
  type: "AskPreview";
  ask: number;
  order: unknown;
}

/** What can be marked on the map now? */
export interface AskQueries {
  type: "AskQueries";
  ask: number;
}

/** Which hexes and units does the highlight of that key mark? */
export interface AskQuery {
  type: "AskQuery";
  ask: number;
  key: string;
}

/** Who of the side can still be told to do something? */
export interface AskReady {
  type: "AskReady";
  ask: number;
}

/** The table as it was after an entry of the viewer's own numbering; the full view is given after the end only. A full replay steps through every order of the battle and counts those, from 0 for the set-up. */
export interface AskReplay {
  type: "AskReplay";
  ask: number;
  sequence: number;
  full?: boolean;
}

/** The report of that kind. */
export interface AskReport {
  type: "AskReport";
  ask: number;
  kind: string;
}

/** Which reports are there? */
export interface AskReports {
  type: "AskReports";
  ask: number;
}

/** What do these units see? All of the side's when none is named. */
export interface AskSeen {
  type: "AskSeen";
  ask: number;
  units?: number[];
}

/** Does a see b? */
export interface AskSight {
  type: "AskSight";
  ask: number;
  a: number;
  b: number;
}

/** The order of battle of every side. */
export interface AskTree {
  type: "AskTree";
  ask: number;
}

/** Why can't what is picked do that to the units or the hex of the target? The verb is a key of the menu. */
export interface AskWhyNot {
  type: "AskWhyNot";
  ask: number;
  verb: string;
  selection: Selection;
  target: Selection;
}

/** A state that pieces can show: the key they carry, words for people, a sign of a letter or two to draw. */
export interface Badge {
  key: string;
  title: string;
  rule: string;
  sign?: string;
  tone?: string;
}

/** A battle as the lobby lists it; `yours` are the sides that the caller's tokens open, `trouble` says why it can't be opened, `readable` that its record can be had all the same, `stopped` why it can be opened but not played on, `kept` that it has its own version of the scenario. */
export interface BattleCard {
  id: string;
  scenario: string;
  system: string;
  title: string;
  turn: number;
  turns: number;
  seats: SeatChoice[];
  outcome: Outcome | null;
  updated: string;
  options: Record<string, boolean | number | string>;
  yours: string[];
  trouble: string;
  stopped: string;
  kept: boolean;
  readable: boolean;
}

/** A battle just made or joined, with the token of each seat that is the caller's. */
export interface BattleKeys {
  id: string;
  tokens: Record<string, string>;
  spectator: string;
}

/** A map as a list names it; the digest is the address of its sheet. */
export interface BoardCard {
  id: string;
  title: string;
  width: number;
  height: number;
  digest: string;
}

/** A map as a client draws it. Hexes are numbered (col + 1) * (height + 2) + row + 1; a layer of the whole map has one entry for each hex, column by column from the west and each from the north. */
export interface BoardSheet {
  id: string;
  title: string;
  width: number;
  height: number;
  legend: string[];
  terrain: string;
  elevation: string;
  roads: Record<string, number[]>;
  hexsides: Record<string, number[]>;
  features: Record<string, number[]>;
  names: [number, string][];
  road_ends: number[];
  season: "autumn" | "spring" | "summer" | "winter";
}

/** One result and how likely it is, exactly ("n/d"). */
export interface Branch {
  result: string;
  probability: string;
  harmless?: boolean;
}

/** Start a new battle from a point of another. */
export interface Branching {
  number: number;
  seats: SeatChoice[];
}

/** What a side is to do, and how many of what it has to do it with. */
export interface Briefing {
  side: string;
  text: string;
  forces: [string, number][];
}

/** An ordered list of scenarios; each is a battle of its own, and losses are not carried over. */
export interface Campaign {
  id: string;
  title: string;
  summary: string;
  scenarios: string[];
}

/** Let the computer play its quickest order now. */
export interface CancelThinking {
  type: "CancelThinking";
}

/** The answer to AskCard; null when the viewer knows of no such unit. */
export interface CardAnswer {
  type: "CardAnswer";
  ask: number;
  card: UnitCard | null;
}

/** Something that was said; `number` counts the lines to its audience, `to` is "all" or "side". */
export interface ChatLine {
  number: number;
  to: string;
  side: string;
  text: string;
  called?: string;
}

/** The answer to AskChat. */
export interface ChatPage {
  type: "ChatPage";
  ask: number;
  lines: ChatLine[];
}

/** Somebody has said something that the viewer may hear. */
export interface Chatted {
  type: "Chatted";
  line: ChatLine;
}

/** A type of counter: its title, all of its values in one breath, and each of them explained. */
export interface CounterCard {
  key: string;
  title: string;
  brief: string;
  values: CounterValue[];
}

/** One thing printed on a counter: its name, what is printed, what that means, and the rule that says so. */
export interface CounterValue {
  name: string;
  amount: string;
  meaning: string;
  rule: string;
}

/** A choice that is open to one side; several stand open at once when play is simultaneous. */
export interface Decision {
  side: string;
  kind: string;
  rule: string;
  prompt: string;
  optional: boolean;
  sealed: boolean;
}

/** Why a request was not carried out, in a plain sentence; it `needs` "secret" when the server's would help. */
export interface Fault {
  reason: string;
  needs: string;
}

/** Something to fill in before an order is given: the value goes into the order's field of that name. */
export interface Field {
  name: string;
  title: string;
  kind?: string;
  least?: number;
  most?: number;
  choices?: string[];
  default?: number | string | boolean;
}

/** What an order may bring: branches from likeliest to least, the tallies behind them, whether they are exact. Where known enemies may react, the branches are those of an order to which nobody does. A forecast without branches has not been worked out. */
export interface Forecast {
  branches: Branch[];
  tally: Tally[];
  exact: boolean;
  samples: number;
  error: number;
  dice: number;
  reactions: Reaction[];
  arrival: Arrival | null;
  later: Reaction[];
  warning: string;
  certain: boolean;
}

/** Units that belong together, those in sight by id; strength left and at first count all that is below it. */
export interface Formation {
  key: string;
  title: string;
  side: string;
  left: number;
  initial: number;
  units?: number[];
  children?: Formation[];
}

/** The first word: who speaks, for which side, and what the client has seen so far, 0 and "" for nothing. */
export interface Hello {
  type: "Hello";
  protocol: number;
  since?: number;
  view_hash?: string;
  token?: string;
  side?: string;
}

/** The answer to AskHex. */
export interface HexAnswer {
  type: "HexAnswer";
  ask: number;
  report: HexReport;
}

/** What the viewer knows of a hex: what the rules say of it, who sees it, which known enemies threaten it. */
export interface HexReport {
  facts: Line[];
  watchers: number[];
  threats: Reaction[];
}

/** What kind of server this is: on one of your own (`local`) every battle of it is yours. */
export interface House {
  version: string;
  protocol: number;
  local: boolean;
  players: PlayerCard[];
}

/** A new invitation to a friend's seat; those from before are worth nothing. */
export interface Inviting {
  side: string;
}

/** Somebody sits down on the seat that his invitation opens. */
export interface Joining {
  called: string;
}

/** One named step of a calculation and the rule that asks for it. */
export interface Line {
  label: string;
  value: number | string;
  rule: string;
}

/** One thing that happened, as a sentence with the lines behind it and what to show on the map. `kind` is the system's word for the event, "undone" or "unseen" (a whole turn); `tone` is how the line is marked, `brief` what came of it in a word or two, `start` where its path sets out and `side` whose part of the turn begins (see `Marks`); `sequence` is the number of the observation it belongs to, `undone` that of the one which this line says was taken back. */
export interface LogLine {
  text: string;
  kind: string;
  hex?: number;
  units?: number[];
  path?: number[];
  lines?: Line[];
  rule?: string;
  tone?: string;
  brief?: string;
  start?: number;
  side?: string;
  sequence?: number;
  turn?: number;
  mine?: boolean;
  undone?: number;
}

/** The answer to AskLog; `first` is the number of its first line. */
export interface LogPage {
  type: "LogPage";
  ask: number;
  first: number;
  log: LogLine[];
}

/** What can be done with the selected units or hex. */
export interface Menu {
  number: number;
  verbs: Verb[];
}

/** The answer to AskMenu. */
export interface MenuAnswer {
  type: "MenuAnswer";
  ask: number;
  menu: Menu;
}

/** What a new battle is to be. */
export interface NewBattle {
  scenario: string;
  seats: SeatChoice[];
  options?: Record<string, boolean | number | string>;
  seed?: string;
}

/** A switch that may be set for a battle. */
export interface OptionCard {
  name: string;
  title: string;
  value: boolean | number | string;
  values: (boolean | number | string)[];
}

/** What a side wants done: imperative, made of ids, hexes and words. */
export type Order = Record<string, unknown>;

/** How a battle ended: the winner (None for a draw), how clearly, and the reasons. */
export interface Outcome {
  winner: string | null;
  level: string;
  reasons: string[];
}

/** The table as it was when something was noticed, and the steps that led there from the one before; `last` is the latest number there is. */
export interface Past {
  number: number;
  last: number;
  table: Table;
  steps: ToldStep[];
}

/** One counter as a client draws it: the same fields for every system; badges and counter are keys of its lists. */
export interface Piece {
  id: number;
  side: string;
  hex: number;
  title: string;
  mark: string;
  corners?: [string, string, string, string];
  letter?: string;
  states?: string[];
  kind?: string;
  carrier?: number | null;
  facing?: number | null;
  note?: string;
  formation?: string;
  badges?: string[];
  tone?: string;
  counter?: string;
  name?: string;
  last_seen?: number;
}

/** Is the line alive, and is my table the present one? */
export interface Ping {
  type: "Ping";
  ask: number;
}

/** A computer player that can be given a seat. */
export interface PlayerCard {
  name: string;
  title: string;
}

/** The answer to Ping: where the viewer's table stands. */
export interface Pong {
  type: "Pong";
  ask: number;
  sequence: number;
  view_hash: string;
}

/** The odds of an order as its side may compute them, or the refusal it would meet; `text` is the order in words. `as_known` tells that there may be units out of sight: the odds hold as far as the side knows the table. */
export interface Preview {
  number: number;
  forecast: Forecast | null;
  refusal: Refusal | null;
  text: string;
  as_known: boolean;
}

/** The answer to AskPreview. */
export interface PreviewAnswer {
  type: "PreviewAnswer";
  ask: number;
  preview: Preview;
}

/** One hex of a line's cross-section: its level, what is there in words, and whether it rises above the ground. */
export interface ProfilePoint {
  hex: number;
  level: number;
  cover: string;
  rises: boolean;
}

/** The answer to AskQueries: what can be marked, not worked out yet. */
export interface QueriesAnswer {
  type: "QueriesAnswer";
  ask: number;
  queries: Query[];
}

/** A named set of hexes and units to highlight; empty while only listed. The key "x@12" is one about unit 12. */
export interface Query {
  key: string;
  title: string;
  rule: string;
  hexes?: number[];
  units?: number[];
}

/** The answer to AskQuery; null when there is none of that key. */
export interface QueryAnswer {
  type: "QueryAnswer";
  ask: number;
  query: Query | null;
}

/** What a known enemy may do while the order is carried out or to what stands in a hex, or what dice an order leads to later: who, where, and what comes of it, as far as that is worked out. */
export interface Reaction {
  side: string;
  actors: number[];
  hex: number;
  text: string;
  branches: Branch[];
  tally: Tally[];
}

/** The answer to AskReady: who can still act, what would be left undone or lost if the step were ended now, and whether to end it is all that can be done. */
export interface ReadyAnswer {
  type: "ReadyAnswer";
  ask: number;
  units: number[];
  reminders: Reminder[];
  idle: boolean;
}

/** Why an order is not lawful, citing the rule; made from the side's view, so it can't tell a secret. */
export interface Refusal {
  rule: string;
  reason: string;
  detail: string;
}

/** The order was not carried out, for the reason given; nothing has changed. */
export interface Refused {
  type: "Refused";
  command: string;
  refusal: Refusal;
  number: number;
  stale: boolean;
}

/** Something left to do before a step is ended: what, by which rule, where, with whom; what is lost if it isn't. */
export interface Reminder {
  text: string;
  rule: string;
  hex?: number;
  units?: number[];
  lost?: boolean;
}

/** The answer to AskReplay. */
export interface Replayed {
  type: "Replayed";
  ask: number;
  past: Past;
}

/** A named report; without sections while it is only listed. */
export interface Report {
  kind: string;
  title: string;
  sections?: Section[];
}

/** The answer to AskReport; null when there is none of that kind. */
export interface ReportAnswer {
  type: "ReportAnswer";
  ask: number;
  report: Report | null;
}

/** The answer to AskReports: what there is, not written yet. */
export interface ReportsAnswer {
  type: "ReportsAnswer";
  ask: number;
  reports: Report[];
}

/** A rule in our own words; one that is not played says why. */
export interface RuleCard {
  id: string;
  title: string;
  text: string;
  section: string;
  provenance: string[];
  not_implemented: string;
}

/** A save of a battle: sealed with a passphrase, or by the server itself when there is none. */
export interface Saving {
  passphrase?: string;
}

/** Something to be said to "all" or to one's own "side"; the answer is SayAnswer or a Trouble. */
export interface Say {
  type: "Say";
  ask: number;
  to: string;
  text: string;
}

/** It was said; whoever may hear it, the speaker too, is told it as Chatted. */
export interface SayAnswer {
  type: "SayAnswer";
  ask: number;
}

/** A scenario as the lobby shows it. */
export interface ScenarioCard {
  id: string;
  system: string;
  title: string;
  summary: string;
  turns: number;
  first: string;
  sides: SideCard[];
  options: OptionCard[];
  tutorial: boolean;
  difficulty: string;
  minutes: number;
  balance: string;
  board: BoardCard;
  objectives: [number, string][];
  guided: string;
}

/** Who sits on a side: "human", "hot-seat", "friend" or the name of a computer player; `called` is what a person calls himself, empty for a friend who has not come yet. */
export interface SeatChoice {
  side: string;
  player: string;
  called?: string;
}

/** Who sits at the table has changed. */
export interface Seated {
  type: "Seated";
  seats: SeatChoice[];
}

/** Lines under a heading, with a total where there is one and the units they are about. */
export interface Section {
  title: string;
  lines?: Line[];
  total?: number | string;
  units?: number[];
}

/** The answer to AskSeen. */
export interface SeenAnswer {
  type: "SeenAnswer";
  ask: number;
  hexes: number[];
}

/** What the player has picked or points at: units, or a hex, or nothing yet; `via` leads a way there. */
export interface Selection {
  units?: number[];
  hex?: number;
  via?: number[];
}

/** One side of a scenario as anybody may know it: what it has, and is to do, stands in its Briefing. */
export interface SideCard {
  id: string;
  title: string;
  nations: string[];
}

/** The answer to AskSight. */
export interface SightAnswer {
  type: "SightAnswer";
  ask: number;
  line: SightLine;
}

/** Whether one hex sees another by the engine's own trace; if not, what obstructs and the rule that says so. */
export interface SightLine {
  clear: boolean;
  profile?: ProfilePoint[];
  reason?: Line | null;
  hex?: number;
  side?: number | null;
}

/** The whole table as the viewer knows it at its sequence number, and the latest lines of his log; it may come at any time in the place of an Update. `first` is the number of the first of these lines: those before it are to be had by AskLog. The briefing is that of the seat's own side; a spectator has none. */
export interface Snapshot {
  type: "Snapshot";
  sequence: number;
  view_hash: string;
  battle: BattleCard;
  table: Table;
  first: number;
  log: LogLine[];
  briefing: Briefing | null;
}

/** An order, based on the number of the view it was made from; the command id makes a repeat harmless. */
export interface Submit {
  type: "Submit";
  command: string;
  based_on: number;
  order: unknown;
}

/** A system of the house; pieces wear its badges by their keys, its campaigns list scenarios in their order. */
export interface SystemCard {
  key: string;
  title: string;
  prefix: string;
  rules: number;
  rules_version: string;
  badges: Badge[];
  campaigns: Campaign[];
}

/** What a seat sees: everything a client draws but the board; the side of a spectator is empty. `step` is where play stands in the system's own words, `waiting_for` who has to decide as far as the viewer can tell, `plans` what his side has written down, each with the order that strikes it out and whether it `stays`. */
export interface Table {
  side: string;
  turn: number;
  step: string;
  pieces: Piece[];
  decisions: Decision[];
  waiting_for: string[];
  standing: Tally[];
  plans: Target[];
  can_undo: boolean;
  outcome: Outcome | null;
}

/** What of a table, its pieces aside, is other than before; what is absent is as it was. */
export interface TableChange {
  turn?: number;
  step?: string;
  decisions?: Decision[];
  waiting_for?: string[];
  standing?: Tally[];
  plans?: Target[];
  can_undo?: boolean;
  outcome?: Outcome | null;
}

/** From now on this socket looks and acts for another side that its token opens; the answer is a Snapshot. */
export interface TakeSeat {
  type: "TakeSeat";
  side: string;
}

/** A number with everything that made it, in order. */
export interface Tally {
  title: string;
  total: number | string;
  lines: Line[];
}

/** One thing a verb can be pointed at: the order that does it, a short annotation, its way, its words, who acts. */
export interface Target {
  order: Order;
  hex?: number;
  units?: number[];
  side?: number | null;
  note?: string;
  path?: number[];
  text?: string;
  actors?: number[];
  brief?: string;
  choice?: string;
  then?: number;
  warning?: string;
  stays?: boolean;
}

/** A computer player is at work: how far it is (0 to 100) and on what. */
export interface Thinking {
  type: "Thinking";
  side: string;
  percent: number;
  doing: string;
}

/** One event as the viewer was told it: its line in the log, if it has one, the pieces that are new or other than before, and the ids of those that are gone. */
export interface ToldStep {
  line?: LogLine | null;
  changed?: Piece[];
  gone?: number[];
}

/** The answer to AskTree. */
export interface TreeAnswer {
  type: "TreeAnswer";
  ask: number;
  formations: Formation[];
}

/** Something the server could not do with what was said, in a plain sentence; the line stays open. */
export interface Trouble {
  type: "Trouble";
  reason: string;
  ask: number;
}

/** The steps that guide the player of one side through a scenario. */
export interface Tutorial {
  scenario: string;
  side: string;
  steps: TutorialStep[];
}

/** What the player has brought about; everything that is given must hold. */
export interface TutorialCondition {
  ordered?: string;
  planned?: string;
  selected?: string[];
  unit?: string;
  at?: string[];
  decision?: string;
  waiting?: boolean | null;
  turn?: number;
  sight?: boolean;
}

/** One step: it ends when one of its conditions holds, and without any when the player says so. */
export interface TutorialStep {
  title: string;
  text: string;
  hexes?: string[];
  units?: string[];
  verbs?: string[];
  panels?: ("hex" | "log" | "orders" | "preview" | "prompt" | "sight" | "undo" | "unit")[];
  rules?: string[];
  until?: TutorialCondition[];
}

/** Take the latest order back. */
export interface Undo {
  type: "Undo";
  command: string;
  based_on: number;
}

/** All that a side knows of one unit. */
export interface UnitCard {
  unit: number;
  title: string;
  kind: string;
  side: string;
  sections: Section[];
  badges?: string[];
}

/** What happened since, event by event, and what else of the table is other than before. The pieces of the table are those it had, with those of each step put in by their ids and those gone taken out. */
export interface Update {
  type: "Update";
  sequence: number;
  view_hash: string;
  steps: ToldStep[];
  table: TableChange;
}

/** One line of the menu: lawful with its targets, or greyed with the refusal that says why. */
export interface Verb {
  key: string;
  title: string;
  hotkey: string;
  targets?: Target[];
  refusal?: Refusal | null;
  group?: string;
  checked?: boolean;
  confirm?: string;
  form?: Field[];
  closes?: boolean;
}

/** The answer to AskWhyNot; null when nothing stands in the way. */
export interface WhyNotAnswer {
  type: "WhyNotAnswer";
  ask: number;
  refusal: Refusal | null;
}

export type ClientMessage =
  | Hello
  | TakeSeat
  | Ping
  | Submit
  | Undo
  | AskMenu
  | AskPreview
  | AskSight
  | AskSeen
  | AskHex
  | AskReady
  | AskCard
  | AskWhyNot
  | AskTree
  | AskQueries
  | AskQuery
  | AskReports
  | AskReport
  | AskLog
  | AskReplay
  | AskChat
  | Say
  | CancelThinking;

export type ServerMessage =
  | Snapshot
  | Update
  | Accepted
  | Refused
  | MenuAnswer
  | PreviewAnswer
  | SightAnswer
  | SeenAnswer
  | HexAnswer
  | ReadyAnswer
  | CardAnswer
  | WhyNotAnswer
  | TreeAnswer
  | QueriesAnswer
  | QueryAnswer
  | ReportsAnswer
  | ReportAnswer
  | LogPage
  | Replayed
  | ChatPage
  | SayAnswer
  | Chatted
  | Thinking
  | Pong
  | Seated
  | Trouble;
