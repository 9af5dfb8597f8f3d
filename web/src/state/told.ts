// What a step tells: the way a counter took, what flashes up on the map, and which pieces lie there afterwards.
import type { LogLine, Piece, ToldStep } from '../api-types';

export type Pieces = ReadonlyMap<number, Piece>;

/** Something that happens in a hex: a shot that falls there, from where it came as far as that is known, or harm that is done. */
export interface Flash { hex: number; text: string; kind: 'hit' | 'shot' | 'contact'; from: readonly number[] }

export const piecesById = (pieces: readonly Piece[]): Map<number, Piece> => new Map(pieces.map((piece) => [piece.id, piece]));

/** The pieces after a step. */
export function fold(pieces: Map<number, Piece>, step: ToldStep): void {
  for (const piece of step.changed ?? []) pieces.set(piece.id, piece);
  for (const id of step.gone ?? []) pieces.delete(id);
}

/** Where a unit is seen to stand; who is only remembered somewhere stands nowhere. */
export function seenAt(unit: number, pieces: Pieces): number {
  const piece = pieces.get(unit);
  return piece && !piece.last_seen ? piece.hex : 0;
}

/** The hexes a unit went through, led by the one where it stood before when that was seen; none when nothing moved. */
export function journeyOf(line: LogLine | null | undefined, before: Pieces): number[] {
  const unit = line?.units?.[0];
  if (!line?.path?.length || unit === undefined) return [];
  const start = seenAt(unit, before);
  return !start || line.path[0] === start ? line.path : [start, ...line.path];
}

/** What is worse for a unit than to be spent: the tone that the systems give it. */
const SHAKEN = 'shaken';

/** What came of a step for a moment on the map, read off the pieces and the place alone. */
export function flashesOf({ line, changed, gone }: ToldStep, before: Pieces): Flash[] {
  if (!line || line.path?.length) return [];
  if (line.tone === 'contact') {
    const hexes = (changed ?? []).filter(({ id }) => line.units?.includes(id)).map(({ hex }) => hex);
    return [...new Set(hexes.filter(Boolean))].map((hex) => ({ hex, text: line.brief ?? '', kind: 'contact', from: [] }));
  }
  // several that become one share the state of the worst of them, and who is taken out of another is as that was: neither is harmed
  const joins = ({ hex }: Piece) => !line.tone && (gone ?? []).some((id) => before.get(id)?.tone === SHAKEN && before.get(id)?.hex === hex);
  const shaken = (changed ?? []).flatMap((piece): Flash[] => {
    const was = before.get(piece.id);
    if (piece.tone !== SHAKEN || !was || was.tone === SHAKEN || !piece.hex || joins(piece)) return [];
    return [{ hex: piece.hex, text: line.brief || ((piece.states ?? []).find((state) => !was.states?.includes(state)) ?? ''), kind: 'hit', from: [] }];
  });
  // who goes out of sight, or leaves the map, is not harmed by it
  const lost = (line.tone === 'loss' ? (gone ?? []) : []).flatMap((id): Flash[] => {
    const hex = line.units?.includes(id) ? before.get(id)?.hex : 0;
    return hex ? [{ hex, text: line.brief ?? '', kind: 'hit', from: [] }] : [];
  });
  const struck = [...shaken, ...lost];
  if (struck.length || !line.hex || !(line.units?.length || line.start)) return struck;
  // what scattered comes from where it was to fall
  const from = [line.start ?? 0, ...(line.units ?? []).map((id) => before.get(id)?.hex ?? 0)].filter((hex) => hex && hex !== line.hex);
  return [{ hex: line.hex, text: line.brief ?? '', kind: 'shot', from: [...new Set(from)] }];
}
