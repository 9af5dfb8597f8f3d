// What is shown, read and said as one thing: a move with all its stretches, a shot with what came of it.
import type { LogLine, ToldStep } from '../api-types';
import { sentence } from './words';

export interface Beat {
  steps: ToldStep[];
  /** What it is about; none for what shows on the map alone. */
  lead: LogLine | undefined;
  lines: LogLine[];
}

/** Tones of lines that say where in the turn we are; nothing happens by them. */
const TITLES = new Set(['heading', 'phase']);
/** Tones of lines that begin something new, whatever happened before. */
const BEGINNINGS = new Set(['heading', 'phase', 'act', 'contact']);

export const isTitle = (line: LogLine | undefined): boolean => TITLES.has(line?.tone ?? '');

/** Whether it begins a side's turn. */
export const isHeading = (line: LogLine): boolean => line.tone === 'heading' && !!line.side;

export const isMove = (line: LogLine | null | undefined): boolean => !!line?.path?.length;

/** Whether a line goes on with the move of another. */
export const continues = (line: LogLine, before: LogLine | undefined): boolean =>
  isMove(line) && isMove(before) && line.units?.[0] === before?.units?.[0];

/** Whether a line only tells that whoever moved last went out of sight where his move ended. */
export const endsMove = (line: LogLine, before: LogLine | undefined): boolean =>
  line.tone === 'contact' && !!line.brief && !isMove(line) && isMove(before) && line.hex === before?.path?.at(-1) && !!line.units?.includes(before?.units?.[0] ?? NaN);

function belongs(line: LogLine, { lead, lines }: Beat): boolean {
  if (!lead || isTitle(lead) || line.undone) return false;
  if (isMove(line)) return continues(line, lead);
  // who goes out of sight does so at the end of his move, also where he was halted at every hex of it
  if (endsMove(line, lines.at(-1))) return true;
  if (BEGINNINGS.has(line.tone ?? '')) return false;
  return line.sequence === lead.sequence;
}

export function beatsOf(steps: readonly ToldStep[]): Beat[] {
  const beats: Beat[] = [];
  for (const step of steps) {
    const line = step.line ?? undefined;
    const last = beats[beats.length - 1];
    if (!last || (line && !belongs(line, last))) beats.push({ steps: [step], lead: line, lines: line ? [line] : [] });
    else {
      last.steps.push(step);
      if (line) last.lines.push(line);
    }
  }
  return beats;
}

/** Lines of the log as beats. */
export const beatsOfLines = (lines: readonly LogLine[]): Beat[] => beatsOf(lines.map((line) => ({ line })));

/** A beat in words: of a move its end alone, of a shot all that came of it. */
export function captionOf({ lines }: Beat): string {
  // of a move that goes on, its end is told, and nobody is out of sight who has come out again
  const isPassed = (line: LogLine, n: number): boolean => {
    const move = endsMove(line, lines[n - 1]) ? lines[n - 1] : line;
    return lines.slice(n + 1).some((later) => continues(later, move));
  };
  const last = lines.filter((line, n) => !isPassed(line, n));
  return last.reduce((told, line, n) => {
    if (endsMove(line, last[n - 1])) return `${told.replace(/\.$/, '')}, then ${sentence(line.brief!).toLowerCase()}`;
    // what is followed by something ends with a full stop, whatever the system writes
    return told ? `${sentence(told)} ${line.text}` : line.text;
  }, '');
}

/** Where a beat is looked at: where it ends. */
export function placeOf({ lines }: Beat): number {
  const hexes = lines.map((line) => line.path?.[line.path.length - 1] ?? line.hex ?? 0).filter(Boolean);
  return hexes[0] === undefined ? 0 : isMove(lines[0]) ? hexes[hexes.length - 1]! : hexes[0];
}

/** A side's turn in a log, from the number of what began it to that of what ended it. */
export interface TurnPart { first: number; last: number; lines: LogLine[] }

/** The latest turn in a log that is another side's; nothing when none begins in it. */
export function turnPart(log: readonly LogLine[], side: string): TurnPart | undefined {
  const begin = log.map((line) => isHeading(line) && line.side !== side).lastIndexOf(true);
  if (begin < 0) return undefined;
  const rest = log.slice(begin + 1);
  const end = rest.findIndex(isHeading);
  const ending = end < 0 ? log[log.length - 1] : rest[end];
  return { first: log[begin]!.sequence ?? 1, last: ending?.sequence ?? 1, lines: end < 0 ? rest : rest.slice(0, end) };
}
