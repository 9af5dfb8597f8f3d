// What came of all that others did since this side gave its last order, in two lines: whom it lost and they, who was hit, who came into sight.
import type { LogLine, Piece } from '../api-types';
import { isTitle, type Beat } from './beats';
import { becomesShaken, fold, newStates, seenAt, type Pieces } from './told';

/** So many are named; the rest are counted. */
const MOST_NAMED = 3;

/** What became of one unit. */
interface Fate { side: string; title: string; blows: string[]; isLost: boolean }

export class Account {
  /** Things that others did. */
  #acts = 0;
  readonly #fates = new Map<number, Fate>();
  readonly #sighted = new Map<number, string>();
  /** Who was in sight before: he may come and go. */
  readonly #known = new Set<number>();

  constructor(private readonly side: string) {}

  /** Takes in what is about to be shown, or to pass unseen. */
  take({ lead, steps }: Beat, pieces: Pieces): void {
    if (lead && !lead.mine && !isTitle(lead)) this.#acts += 1;
    const before = new Map(pieces);
    for (const step of steps) {
      const { line, changed = [], gone = [] } = step;
      for (const id of [...gone, ...changed.map((piece) => piece.id)]) if (seenAt(id, before)) this.#known.add(id);
      for (const piece of changed) this.#look(piece);
      if (line?.tone === 'loss') for (const id of line.units ?? []) this.#lose(before.get(id));
      else if (line) for (const piece of changed) this.#strike(piece, line, lead, before);
      fold(before, step);
    }
  }

  #look(piece: Piece): void {
    const isEnemy = piece.side !== this.side && isUnit(piece);
    if (isEnemy && piece.hex && !piece.last_seen && !this.#known.has(piece.id)) this.#sighted.set(piece.id, piece.title);
  }

  #lose(piece: Piece | undefined): void {
    if (piece && isUnit(piece)) this.#fateOf(piece).isLost = true;
  }

  /** What a line tells came of an attack for a unit, and what the unit is that it was not before. */
  #strike(piece: Piece, line: LogLine, lead: LogLine | undefined, before: Pieces): void {
    const isTold = lead?.tone === 'act' && line !== lead && !!line.units?.includes(piece.id) && line.brief !== '0';
    const blows = [isTold ? line.brief?.split('/')[0] : '', ...(becomesShaken(piece, before) ? newStates(piece, before) : [])];
    for (const blow of blows) if (blow && isUnit(piece)) this.#fateOf(piece).blows.push(blow);
  }

  #fateOf({ id, side, title }: Piece): Fate {
    const fate = this.#fates.get(id) ?? { side, title, blows: [], isLost: false };
    this.#fates.set(id, fate);
    fate.title = title;
    return fate;
  }

  /** In a line for each side; nothing where what was shown last says it all. */
  get lines(): string[] {
    if (this.#acts < 2 || !this.side) return [];
    const fates = [...this.#fates.values()].filter(({ isLost, blows }) => isLost || summed(blows).length);
    const ours = toll(fates.filter(({ side }) => side === this.side));
    const theirs = toll(fates.filter(({ side }) => side !== this.side));
    const told = fates.length ? [`You lost ${ours}.`, `They lost ${theirs}.`] : ['Nobody was lost or hit.'];
    const sighted = named([...this.#sighted.values()]);
    if (sighted) told.push(`${told.pop()} New in sight: ${sighted}.`);
    return told;
  }
}

const isUnit = ({ side, kind }: Piece): boolean => side !== '' && kind !== 'marker';

/** Who is lost, and who was hit and how. */
function toll(fates: readonly Fate[]): string {
  const lost = fates.filter(({ isLost }) => isLost).map(({ title }) => title);
  const hit = fates.filter(({ isLost }) => !isLost).map(({ title, blows }) => `${title} (${summed(blows).join(', ')})`);
  return [named(lost) || 'nobody', hit.length ? `hit: ${named(hit)}` : ''].filter(Boolean).join('; ');
}

/** Each word once; where it is counted, with the sum. */
function summed(blows: readonly string[]): string[] {
  const words = new Set<string>();
  const sums = new Map<string, number>();
  for (const blow of blows) {
    const [, count, word] = /^(\d+) (.+)$/.exec(blow) ?? [];
    const one = word && (word === 'men' ? 'man' : word.replace(/s$/, ''));
    if (one) sums.set(one, (sums.get(one) ?? 0) + Number(count));
    else words.add(blow.toLowerCase());
  }
  const counted = [...sums].flatMap(([one, sum]) => (sum ? `${sum} ${sum === 1 ? one : one === 'man' ? 'men' : `${one}s`}` : []));
  return [...counted, ...words];
}

function named(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMED);
  const more = names.length - first.length;
  const last = more ? `${more} more` : first.pop();
  return [first.join(', '), last].filter(Boolean).join(' and ');
}
