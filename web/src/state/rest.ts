// The lobby's questions to the server. Every failure becomes one plain sentence.
import type {
  BattleCard, BattleKeys, Branching, Briefing, CounterCard, Fault, House, Inviting, Joining, NewBattle, RuleCard, Saving, ScenarioCard, SystemCard, Tutorial,
} from '../api-types';
import { readBoard } from '../map/board';
import type { Board } from '../map/types';
import { allTokens } from './keyring';
import { secret } from './secret.svelte';
import { sentence } from './words';

/** A failure as a sentence; `needs` says what the server would like to be told before it does that. */
export class Trouble extends Error {
  constructor(reason: string, readonly needs = '') {
    super(reason);
  }
}

async function call<T>(method: string, path: string, body?: unknown, token = '', more: Record<string, string> = {}): Promise<T> {
  const headers: Record<string, string> = { ...more };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers['Authorization'] = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(`api/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Trouble('The server does not answer. Is Sandtable still running?');
  }
  if (!answer.ok) throw await troubleOf(answer);
  try {
    const text = await answer.text();
    return (text ? JSON.parse(text) : undefined) as T;
  } catch {
    throw new Trouble('The server broke off in the middle of its answer. Try again.');
  }
}

async function troubleOf(answer: Response): Promise<Trouble> {
  try {
    const said = (await answer.json()) as Partial<Fault>;
    if (said.reason) return new Trouble(said.reason, said.needs);
  } catch {
    // not JSON: something between us and the server has answered in its place
  }
  return new Trouble(answer.status >= 500 ? 'The server does not answer. Try again in a moment.' : 'The server could not do that.');
}

/** What only the host of a server may do; his secret is asked for when the server wants it, as often as it is wrong. */
async function operate<T>(method: string, path: string, body?: unknown, token = '', more: Record<string, string> = {}): Promise<T> {
  for (let carried = token || secret.value; ; carried = secret.value) {
    try {
      return await call<T>(method, path, body, carried, more);
    } catch (error) {
      if (!(error instanceof Trouble) || error.needs !== 'secret') throw error;
      secret.forget();
      if (!(await secret.ask(sentence(error.message)))) throw error;
    }
  }
}

const answers = new Map<string, Promise<unknown>>();

/** What does not change while the page is open is asked for once; a failure is forgotten so that the next try asks again. */
function once<T, R = T>(path: string, read: (answer: T) => R): Promise<R> {
  let known = answers.get(path) as Promise<R> | undefined;
  if (!known) {
    known = call<T>('GET', path).then(read);
    answers.set(path, known);
    known.catch(() => answers.delete(path));
  }
  return known;
}

const asItIs = <T>(answer: T): T => answer;

export const house = (): Promise<House> => call('GET', 'house');

export const systems = (): Promise<SystemCard[]> => once('systems', asItIs<SystemCard[]>);

export const scenarios = (): Promise<ScenarioCard[]> => once('scenarios', asItIs<ScenarioCard[]>);

/** A board by its digest, the same for the lobby and for every table. */
export const board = (digest: string): Promise<Board> => once(`boards/${digest}`, readBoard);

/** The guide of a battle, for the side that it guides. */
export const tutorial = (id: string, token: string): Promise<Tutorial> =>
  call('GET', `battles/${encodeURIComponent(id)}/tutorial`, undefined, token);

/** What the sides of a scenario have and are to do; nothing where a battle with these options hides it. */
export function briefings(scenario: string, options: Record<string, boolean | number | string>): Promise<Briefing[]> {
  const chosen = Object.entries(options).map(([name, value]) => `${name}:${value}`).join(',');
  return call('GET', `scenarios/${encodeURIComponent(scenario)}/briefings?options=${encodeURIComponent(chosen)}`, undefined, secret.value);
}

export const rules = (system: string): Promise<RuleCard[]> => once(`rules/${encodeURIComponent(system)}`, asItIs<RuleCard[]>);

export const counters = (system: string): Promise<CounterCard[]> => once(`counters/${encodeURIComponent(system)}`, asItIs<CounterCard[]>);

/** The battles of this server that we may know of. */
export const battles = (): Promise<BattleCard[]> => battlesOf(secret.value || allTokens().slice(-MOST_TOKENS).join(','));

/** The server looks at no more of them. */
const MOST_TOKENS = 64;

/** The battles that a token opens. */
export const battlesOf = (token: string): Promise<BattleCard[]> => call('GET', 'battles', undefined, token);

export const begin = (battle: NewBattle): Promise<BattleKeys> => operate('POST', 'battles', battle);

/** A new invitation to a friend's seat. */
export const invite = (id: string, wanted: Inviting): Promise<BattleKeys> =>
  operate('POST', `battles/${encodeURIComponent(id)}/invite`, wanted);

/** The key of the seat that an invitation opens. */
export const join = (id: string, who: Joining, token: string): Promise<BattleKeys> =>
  call('POST', `battles/${encodeURIComponent(id)}/join`, who, token);

/** The tokens of our seats at a battle that this browser has not met yet; a server of one's own gives them. */
export const keys = (id: string): Promise<BattleKeys> => call('POST', `battles/${encodeURIComponent(id)}/keys`);

/** A spectator's token. */
export const watch = (id: string, token: string): Promise<BattleKeys> =>
  operate('POST', `battles/${encodeURIComponent(id)}/watch`, undefined, token);

export const remove = (id: string): Promise<void> => operate('DELETE', `battles/${encodeURIComponent(id)}`);

export const branch = (id: string, point: Branching, token: string): Promise<BattleKeys> =>
  operate('POST', `battles/${encodeURIComponent(id)}/branch`, point, token);

/** A battle that goes on where a record or a save ends. */
export const importFile = (file: unknown, passphrase = ''): Promise<BattleKeys> =>
  operate('POST', 'battles/import', file, '', passphrase ? { 'X-Passphrase': inBase64(passphrase) } : {});

const inBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The scenario of a battle as it was when the battle began. */
export const scenarioOf = (id: string, token: string): Promise<ScenarioCard> =>
  call('GET', `battles/${encodeURIComponent(id)}/scenario`, undefined, token);

/** A save of a battle that is being played. */
export const save = (id: string, wanted: Saving): Promise<unknown> => operate('POST', `battles/${encodeURIComponent(id)}/save`, wanted);

/** The record of a battle as a file's text; before the end, what a side has seen of it. */
export const record = (id: string, side: string, token: string): Promise<unknown> =>
  call('GET', `battles/${encodeURIComponent(id)}/record?side=${encodeURIComponent(side)}`, undefined, token);

/** The record of a battle that can't be opened, as far as it can be read. */
export const salvage = (id: string): Promise<unknown> => operate('GET', `battles/${encodeURIComponent(id)}/salvage`);

export function socketAddress(id: string): string {
  const url = new URL(`api/battles/${encodeURIComponent(id)}/play`, document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
