// What of a log line is shown on the map for a moment: a few words, never the sentence.
import type { LogLine, Piece } from '../api-types';

export interface Flash { hex: number; text: string; kind: 'hit' | 'miss' | 'info' }

const LONGEST = 26;
const HARM = /destroyed|dispersed|disrupted|suppressed|broken|eliminated|lost|retreated|captured|sunk/i;

export function flashOf(line: LogLine, pieces: readonly Piece[]): Flash | undefined {
  if (line.path?.length) return undefined;
  const hex = line.hex || pieces.find((piece) => piece.id === line.units?.[0])?.hex || 0;
  const text = briefly(line);
  if (!hex || !text) return undefined;
  const kind = HARM.test(line.kind) || HARM.test(text) ? 'hit' : /no effect|nothing|fail|miss/i.test(text) ? 'miss' : 'info';
  return { hex, text, kind };
}

/** The end of a sentence that tells a result after a colon, or the word of harm in the event's own name. */
function briefly(line: LogLine): string {
  const tail = /.*: ([^:]+?)\.?$/.exec(line.text)?.[1] ?? '';
  if (tail && tail.length <= LONGEST && line.hex) return tail;
  return HARM.exec(line.kind)?.[0].toLowerCase() ?? '';
}
