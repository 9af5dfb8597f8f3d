/** Chances in words: percentages, and a preview as it is read aloud. */

import type { Branch, Forecast, Preview } from '../api-types';
import { sentence } from './words';

/** "n/d" as a number from 0 to 1. */
export function chance(probability: string): number {
  const [over, under] = probability.split('/').map(Number);
  return (over ?? 0) / (under || 1);
}

export const percent = (probability: string): string => {
  const value = chance(probability) * 100;
  if (value > 0 && value < 1) return '<1%';
  return value > 99 && value < 100 ? '>99%' : `${Math.round(value)}%`;
};

/** What an order brings that has no dice, where it is more than what it says; empty otherwise. */
export function sureResult({ dice, branches }: Forecast): string {
  const [only, ...others] = branches;
  return !dice && only && !others.length && !only.harmless ? only.result : '';
}

/** Whether it is known what would come of it, and that is nothing. */
export const isHarmless = ({ branches }: { branches: Branch[] }): boolean => branches.length > 0 && branches.every(({ harmless }) => harmless);

export function spokenPreview(preview: Preview): string {
  if (preview.refusal) return `Not lawful: ${preview.refusal.reason}. Rule ${preview.refusal.rule}.`;
  // what has no dice happens as it says
  const odds = preview.forecast?.dice
    ? preview.forecast.branches.map((one) => `${percent(one.probability)} ${one.result}`).join(', ')
    : preview.forecast && sentence(sureResult(preview.forecast)).slice(0, -1);
  const warning = preview.forecast?.warning ? `${sentence(preview.forecast.warning)} ` : '';
  const known = preview.as_known ? 'As far as you know. ' : '';
  return `${sentence(preview.text)} ${warning}${odds ? `${odds}. ` : ''}${known}${preview.forecast ? spokenReactions(preview.forecast) : ''}Enter confirms.`;
}

/** What known enemies may do to the order, in a sentence; empty when they can do nothing. */
function spokenReactions({ reactions, arrival }: Forecast): string {
  if (!reactions.length) return '';
  const chances = reactions.length === 1 ? 'Known enemies may react once. ' : `Known enemies may react at ${reactions.length} places. `;
  return arrival ? `${chances}At least ${percent(arrival.at_least)} to get through. ` : chances;
}
