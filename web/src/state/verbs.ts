// What the client reads off verbs and targets. Nothing else in it knows a verb's key or looks into an order.
import type { Target, Verb } from '../api-types';

/** Verbs that only let go: the end of a phase, a pass. */
const CLOSING: ReadonlySet<string> = new Set(['end', 'pass']);

/** Whether a verb closes the step: it stands beside the prompt and waits for no confirmation. */
export const closes = (verb: Verb): boolean => CLOSING.has(verb.key);

/** The way a target takes over the map, when it takes one. */
export const wayOf = (target: Target): readonly number[] => target.path ?? [];

export const hasWay = (target: Target): boolean => wayOf(target).length > 0;

/** Whether just these units would act: some list of the order names them all and nobody else. */
export function isOf(target: Target, units: readonly number[]): boolean {
  const wanted = [...units].sort().join();
  return Object.values(target.order).some((value) => Array.isArray(value) && [...value].sort().join() === wanted);
}

/** The target reached by another way; the rules judge the order like any other. */
export function led(target: Target, path: number[]): Target {
  return { ...target, path, order: { ...target.order, path } };
}

const PARTS: Record<string, string> = { '1/2': '½', '1/4': '¼', '3/4': '¾' };

/** "5/2" as players write it: "2½". */
export function mixed(amount: string): string {
  return amount.replace(/\b(\d+)\/(\d+)\b/g, (whole, over: string, under: string) => {
    const rest = PARTS[`${Number(over) % Number(under)}/${under}`];
    const full = Math.floor(Number(over) / Number(under));
    return rest ? `${full || ''}${rest}` : whole;
  });
}

const LONGEST = 14;
const AMOUNT = /^[-+]?[\d½¼¾][-\d/:.½¼¾]*$/;

/** A few characters for the map: of a way its first amount, of anything else the words up to the last amount. */
export function brief(target: Target): string {
  const words = mixed(target.note ?? '').split(' ');
  const amounts = words.flatMap((word, n) => (AMOUNT.test(word) ? [n] : []));
  if (hasWay(target)) return words[amounts[0] ?? words.length] ?? '';
  const end = amounts.length ? amounts[amounts.length - 1]! + 1 : words.length;
  return words.slice(0, end).join(' ').slice(0, LONGEST);
}
