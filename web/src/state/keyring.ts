// The tokens of the seats this browser holds, battle by battle, and how far each side has looked.
import { recall, remember } from './settings.svelte';
import type { BattleKeys } from '../api-types';

const KEY = 'sandtable.keys';
const SEEN = 'sandtable.seen';
const INVITES = 'sandtable.invites';

type Ring = Record<string, BattleKeys>;
type Marks = Record<string, number>;

export function keep(keys: BattleKeys): void {
  remember(KEY, { ...recall<Ring>(KEY, {}), [keys.id]: keys });
}

export const keysOf = (id: string): BattleKeys | undefined => recall<Ring>(KEY, {})[id];

export function drop(id: string): void {
  const { [id]: gone, ...rest } = recall<Ring>(KEY, {});
  if (gone) remember(KEY, rest);
}

/** Every token of ours, for a server that lists only what they open. */
export const allTokens = (): string[] =>
  Object.values(recall<Ring>(KEY, {})).flatMap((keys) => [...Object.values(keys.tokens), ...(keys.spectator ? [keys.spectator] : [])]);

/** The invitation that was made last to a side, so that it can be copied again. */
export const inviteOf = (id: string, side: string): string => recall<Record<string, string>>(INVITES, {})[mark(id, side)] ?? '';

export function keepInvite(id: string, side: string, token: string): void {
  remember(INVITES, { ...recall<Record<string, string>>(INVITES, {}), [mark(id, side)]: token });
}

/** Any token of ours at a battle: the first seat's, else the spectator's. */
export function anyToken(id: string): string {
  const keys = keysOf(id);
  return keys ? (Object.values(keys.tokens)[0] ?? keys.spectator ?? '') : '';
}

const mark = (id: string, side: string) => `${id}/${side}`;

/** The sequence number up to which a side's player has watched; undefined before the first look. */
export const lastSeen = (id: string, side: string): number | undefined => recall<Marks>(SEEN, {})[mark(id, side)];

export function noteSeen(id: string, side: string, sequence: number): void {
  remember(SEEN, { ...recall<Marks>(SEEN, {}), [mark(id, side)]: sequence });
}
