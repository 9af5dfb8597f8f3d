// What the counters of the system on the table say, in words: each type once, found by the key that its pieces carry.
import type { CounterCard, Piece } from '../api-types';
import * as rest from './rest';

class CounterSheet {
  #cards = $state.raw(new Map<string, CounterCard>());

  async use(system: string): Promise<void> {
    try {
      this.#cards = new Map((await rest.counters(system)).map((card) => [card.key, card]));
    } catch {
      // a counter without words is still a counter
    }
  }

  /** All values of a piece in one breath; empty for what has none. */
  brief(piece: Piece): string {
    return this.#cards.get(piece.counter ?? '')?.brief ?? '';
  }
}

export const counterSheet = new CounterSheet();
