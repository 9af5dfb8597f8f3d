// What the client reads off verbs and targets. Nothing else in it knows a verb's key or looks into an order.
import type { Target, Verb } from '../api-types';

/** Whether a verb closes the step: it stands beside the prompt and waits for no confirmation. */
export const closes = (verb: Verb): boolean => verb.closes ?? false;

/** The way a target takes over the map, when it takes one. */
export const wayOf = (target: Target): readonly number[] => target.path ?? [];

/** Whether the way can be led another way; where a second hex is pointed at it is as it is. */
export const hasWay = (target: Target): boolean => wayOf(target).length > 0 && !target.then;

/** Whether just these units would act. */
export function isOf(target: Target, units: readonly number[]): boolean {
  const actors = new Set(target.actors ?? []);
  return actors.size === new Set(units).size && units.every((id) => actors.has(id));
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

/** A few characters for the map. */
export const brief = (target: Target): string => mixed(target.brief ?? '');
