// Every key and what it does: the sheet a player reads and the table that is obeyed are the same.
import type { Verb } from './api-types';

export type Action =
  | 'north' | 'south' | 'west' | 'east' | 'northwest' | 'northeast' | 'southwest' | 'southeast'
  | 'act' | 'clear' | 'back' | 'undo' | 'end' | 'letGo' | 'next' | 'previous' | 'all' | 'menu' | 'waypoint' | 'nextTarget' | 'previousTarget'
  | 'sight' | 'seen' | 'threats' | 'center' | 'near' | 'middle' | 'far' | 'fit' | 'goBack' | 'zoomIn' | 'zoomOut' | 'labels'
  | 'why' | 'greyed' | 'about' | 'briefing' | 'guide' | 'card' | 'highlights' | 'reports' | 'forces' | 'plans' | 'strike' | 'talk' | 'standing' | 'rules' | 'replay' | 'recall' | 'settings' | 'help' | 'find' | 'older' | 'newer' | 'play' | 'jump';

export interface KeyRow {
  action: Action;
  /** As `keyName` spells them; the first is the one shown on buttons. */
  keys: readonly string[];
  title: string;
  group: 'Map' | 'Orders' | 'Looking' | 'Windows' | 'Replay';
}

export const KEYS: readonly KeyRow[] = [
  { action: 'north', keys: ['ArrowUp', 'Num8'], title: 'Cursor one hex north', group: 'Map' },
  { action: 'south', keys: ['ArrowDown', 'Num2'], title: 'Cursor one hex south', group: 'Map' },
  { action: 'west', keys: ['ArrowLeft', 'Num4'], title: 'Cursor one column left', group: 'Map' },
  { action: 'east', keys: ['ArrowRight', 'Num6'], title: 'Cursor one column right', group: 'Map' },
  { action: 'northwest', keys: ['Num7', 'Home'], title: 'Cursor northwest', group: 'Map' },
  { action: 'northeast', keys: ['Num9'], title: 'Cursor northeast', group: 'Map' },
  { action: 'southwest', keys: ['Num1', 'End'], title: 'Cursor southwest', group: 'Map' },
  { action: 'southeast', keys: ['Num3'], title: 'Cursor southeast', group: 'Map' },
  { action: 'far', keys: ['1'], title: 'Zoom: whole map', group: 'Map' },
  { action: 'middle', keys: ['2'], title: 'Zoom: middle', group: 'Map' },
  { action: 'near', keys: ['3'], title: 'Zoom: close', group: 'Map' },
  { action: 'zoomIn', keys: ['+', '='], title: 'Zoom in', group: 'Map' },
  { action: 'zoomOut', keys: ['-'], title: 'Zoom out', group: 'Map' },
  { action: 'fit', keys: ['0'], title: 'Fit the map to the window', group: 'Map' },
  { action: 'goBack', keys: ['4'], title: 'The map as you had it before it was moved to show something', group: 'Map' },
  { action: 'center', keys: ['c'], title: 'Center on the cursor', group: 'Map' },
  { action: 'labels', keys: ['h'], title: 'Hex numbers on or off', group: 'Map' },
  { action: 'jump', keys: ['j'], title: 'Jump map', group: 'Map' },

  { action: 'act', keys: ['Enter'], title: 'Select, aim, or confirm the order shown', group: 'Orders' },
  { action: 'waypoint', keys: ['Shift+Enter'], title: 'Add a waypoint or a unit to the selection, or move in beside it', group: 'Orders' },
  { action: 'all', keys: ['s'], title: 'Select all units in the hex', group: 'Orders' },
  { action: 'next', keys: [']', 'n'], title: 'Next unit with something to do', group: 'Orders' },
  { action: 'previous', keys: ['[', 'p'], title: 'Previous unit with something to do', group: 'Orders' },
  { action: 'nextTarget', keys: ['Shift+ArrowRight'], title: 'Cursor to the next target of the verb in use', group: 'Orders' },
  { action: 'previousTarget', keys: ['Shift+ArrowLeft'], title: 'Cursor to the previous target', group: 'Orders' },
  { action: 'menu', keys: ['ContextMenu', 'Shift+F10', '.'], title: 'What can be done at the cursor', group: 'Orders' },
  { action: 'back', keys: ['Backspace'], title: 'One step back in the plan', group: 'Orders' },
  { action: 'clear', keys: ['Escape'], title: 'Drop the plan, the tool or the selection', group: 'Orders' },
  { action: 'strike', keys: ['Delete'], title: 'Strike out what is written down for the selected unit', group: 'Orders' },
  { action: 'undo', keys: ['Ctrl+z', 'u'], title: 'Undo the last order where lawful', group: 'Orders' },
  { action: 'end', keys: ['Ctrl+Enter'], title: 'End the phase', group: 'Orders' },
  { action: 'letGo', keys: ['Shift+ '], title: 'Let all of it go by that you may react to', group: 'Orders' },

  { action: 'sight', keys: ['l'], title: 'Line of sight from the cursor', group: 'Looking' },
  { action: 'seen', keys: ['v', 'w'], title: 'What the selected units see', group: 'Looking' },
  { action: 'threats', keys: ['t'], title: 'Who threatens the hex', group: 'Looking' },
  { action: 'why', keys: ['e'], title: 'Why the verb in use can\'t be pointed there', group: 'Looking' },
  { action: 'greyed', keys: ['m'], title: 'Orders that are not possible, and why', group: 'Looking' },
  { action: 'about', keys: ['f'], title: 'What the unit faces: its front on the map, on or off', group: 'Looking' },
  { action: 'highlights', keys: ['k'], title: 'Mark hexes and units on the map', group: 'Looking' },

  { action: 'find', keys: ['Ctrl+k', '/'], title: 'Find an order, unit, hex, action or rule', group: 'Windows' },
  { action: 'briefing', keys: ['i'], title: 'Briefing', group: 'Windows' },
  { action: 'guide', keys: ['x'], title: 'Next step of the guide', group: 'Windows' },
  { action: 'card', keys: ['d'], title: 'Card of the unit', group: 'Windows' },
  { action: 'reports', keys: ['g'], title: 'Reports', group: 'Windows' },
  { action: 'forces', keys: ['o', 'q'], title: 'Order of battle', group: 'Windows' },
  { action: 'plans', keys: [';'], title: 'What you have written down', group: 'Windows' },
  { action: 'talk', keys: ['z'], title: 'Talk with the other players', group: 'Windows' },
  { action: 'standing', keys: ['b'], title: 'Victory standing and briefing', group: 'Windows' },
  { action: 'rules', keys: ['r'], title: 'Rules', group: 'Windows' },
  { action: 'settings', keys: [','], title: 'Settings', group: 'Windows' },
  { action: 'help', keys: ['?', 'F1'], title: 'This sheet', group: 'Windows' },
  { action: 'replay', keys: ['y'], title: 'Replay on or off', group: 'Windows' },
  { action: 'recall', keys: ['a'], title: 'The other side\'s last turn once more', group: 'Windows' },

  { action: 'newer', keys: ['PageDown'], title: 'One step on', group: 'Replay' },
  { action: 'older', keys: ['PageUp'], title: 'One step back', group: 'Replay' },
  { action: 'play', keys: [' ', 'Ctrl+ '], title: 'Play or pause', group: 'Replay' },
];

const BY_KEY = new Map(KEYS.flatMap((row) => row.keys.map((key) => [key, row.action] as const)));

/** A key press as the table spells it: "l", "Shift+L", "Ctrl+Enter", "Num8". */
export function keyName(event: KeyboardEvent): string {
  const pad = /^Numpad(\d)$/.exec(event.code);
  if (pad) return `Num${pad[1]}`;
  const prefix = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  const letter = event.key.length === 1 && event.key !== ' ';
  if (letter && event.shiftKey && /[a-z]/i.test(event.key)) return `${prefix}Shift+${event.key.toUpperCase()}`;
  const shift = event.shiftKey && !letter ? 'Shift+' : '';
  return prefix + shift + (letter ? event.key.toLowerCase() : event.key);
}

/** The client's own action of a key; with Shift a letter is always ours, whatever the verbs of the moment use. */
export function actionOf(name: string): Action | undefined {
  const plain = /^Shift\+([A-Z])$/.exec(name);
  return BY_KEY.get(plain ? plain[1]!.toLowerCase() : name);
}

const SHOWN: Record<string, string> = {
  ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', ' ': 'Space', Backspace: '⌫',
  ContextMenu: 'Menu', PageDown: 'Page Down', PageUp: 'Page Up',
};

export function keyLabel(key: string): string {
  return key.split('+').map((part) => SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join('+') || '+';
}

/** The key of a verb: "Enter" in a menu means the end of something and is kept from a stray press by Ctrl. */
export const verbKeyName = (hotkey: string): string => (hotkey === 'Enter' ? 'Ctrl+Enter' : hotkey.toLowerCase());

/** Whether a key means that verb now; of a greyed one it tells why not, and is never taken for something else. */
export const means = (verb: Verb, name: string): boolean => verbKeyName(verb.hotkey) === name;

/** The verb that a key means: of several with one letter what can be done comes first, and each press goes on to the next. */
export function verbOf(verbs: readonly Verb[], name: string, latest: string): Verb | undefined {
  const meant = verbs.filter((verb) => means(verb, name));
  const open = meant.filter((verb) => !verb.refusal);
  const among = open.length ? open : meant;
  return among[(among.findIndex((verb) => verb.key === latest) + 1) % among.length];
}

/** The key that does it while these verbs are in the menu. */
export function keyOf(action: Action, verbs: readonly Verb[] = []): string {
  const keys = KEYS.find((row) => row.action === action)?.keys ?? [];
  const free = keys.find((key) => !verbs.some((verb) => means(verb, key)));
  return keyLabel(free ?? `Shift+${keys[0] ?? ''}`);
}
