// Finding things by a few letters of their names: words in any order, each at the start of a word, inside one, or spread
// over it.

const WORD_START = 80;
const START = 100;
const INSIDE = 60;
const SPREAD = 30;
/** Letters that are spread wider than this are chance. */
const WIDEST = 3;

/** How well one word fits a text, 0 when it does not. */
function fit(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return START;
  if (at > 0) return /[\p{L}\p{N}]/u.test(text[at - 1]!) ? INSIDE : WORD_START;
  return spread(text, word);
}

/** The letters of a word one after the other, not far apart. */
function spread(text: string, word: string): number {
  let at = text.indexOf(word[0]!);
  const first = at;
  for (let n = 1; n < word.length && at >= 0; n++) at = text.indexOf(word[n]!, at + 1);
  if (at < 0) return 0;
  const width = at - first + 1;
  return width > word.length * WIDEST ? 0 : Math.max(1, SPREAD - (width - word.length));
}

/** How well a text fits what was typed, 0 when it does not; shorter texts come first among equals. */
export function closeness(text: string, typed: string): number {
  const low = text.toLowerCase();
  let sum = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = fit(low, word);
    if (!found) return 0;
    sum += found;
  }
  return sum ? sum + 10 / (10 + text.length) : 1;
}

/** Those that fit, the best first. */
export function closest<T>(things: readonly T[], typed: string, textOf: (thing: T) => string): T[] {
  if (!typed.trim()) return [...things];
  return things
    .map((thing) => ({ thing, score: closeness(textOf(thing), typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ thing }) => thing);
}
