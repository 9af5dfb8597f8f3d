// The lobby's questions to the server. Every failure becomes one plain sentence.
import type {
  BattleCard, BattleKeys, Branching, House, NewBattle, RuleCard, ScenarioCard, SystemCard, Tutorial,
} from '../api-types';
import { readBoard } from '../map/board';
import type { Board } from '../map/types';

export class Trouble extends Error {}

async function call<T>(method: string, path: string, body?: unknown, token = ''): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers['Authorization'] = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(`api/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Trouble('The server does not answer. Is Sandtable still running?');
  }
  if (!answer.ok) throw new Trouble(await reasonOf(answer));
  try {
    const text = await answer.text();
    return (text ? JSON.parse(text) : undefined) as T;
  } catch {
    throw new Trouble('The server broke off in the middle of its answer. Try again.');
  }
}

async function reasonOf(answer: Response): Promise<string> {
  try {
    const said = (await answer.json()) as { reason?: string; detail?: string };
    const reason = said.reason ?? said.detail;
    if (reason) return reason;
  } catch {
    // not JSON: the status line is all there is
  }
  return `The server could not do that (${answer.status} ${answer.statusText}).`;
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

export const tutorial = (scenario: string): Promise<Tutorial> => once(`tutorials/${encodeURIComponent(scenario)}`, asItIs<Tutorial>);

export const rules = (system: string): Promise<RuleCard[]> => once(`rules/${encodeURIComponent(system)}`, asItIs<RuleCard[]>);

export const battles = (): Promise<BattleCard[]> => call('GET', 'battles');

export const begin = (battle: NewBattle): Promise<BattleKeys> => call('POST', 'battles', battle);

/** The tokens of our seats at a battle that this browser has not met yet; a server of one's own gives them. */
export const keys = (id: string): Promise<BattleKeys> => call('POST', `battles/${encodeURIComponent(id)}/keys`);

/** A spectator's token. */
export const watch = (id: string, token: string): Promise<BattleKeys> =>
  call('POST', `battles/${encodeURIComponent(id)}/watch`, undefined, token);

export const remove = (id: string, token: string): Promise<void> =>
  call('DELETE', `battles/${encodeURIComponent(id)}`, undefined, token);

export const branch = (id: string, point: Branching, token: string): Promise<BattleKeys> =>
  call('POST', `battles/${encodeURIComponent(id)}/branch`, point, token);

export const importRecord = (record: unknown): Promise<BattleKeys> => call('POST', 'battles/import', record);

/** The record of a battle as a file's text; before the end, what a side has seen of it. */
export const record = (id: string, side: string, token: string): Promise<unknown> =>
  call('GET', `battles/${encodeURIComponent(id)}/record?side=${encodeURIComponent(side)}`, undefined, token);

export function socketAddress(id: string): string {
  const url = new URL(`api/battles/${encodeURIComponent(id)}/play`, document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
