// Words as a player reads them.
import type { Refusal } from '../api-types';

/** With a capital letter and a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed) return '';
  const first = trimmed[0]!.toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** A level of victory as players say it, also where a system calls it one itself. */
export const victoryOf = (level: string): string => (level.endsWith('victory') ? level : `${level} victory`);

/** What went wrong, as a sentence. */
export const messageOf = (error: unknown): string => sentence(error instanceof Error ? error.message : String(error));

/** Why not, as a sentence. */
export const reasonOf = ({ reason, detail }: Refusal): string => sentence(detail ? `${reason} (${detail})` : reason);
