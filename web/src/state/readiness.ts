// Who can still act, and what ending the step would leave undone: asked once for every moment of the battle.
import type { ReadyAnswer, Reminder } from '../api-types';
import type { Battle } from './battle.svelte';

/** The units that can still do something, what the player is reminded of, and whether the step can but be ended. */
export interface Ready { able: Set<number>; reminders: Reminder[]; idle: boolean }

const NOTHING_LEFT: Ready = { able: new Set(), reminders: [], idle: false };

export class Readiness {
  #known: Promise<Ready> | undefined;
  #at = -1;

  constructor(private readonly battle: Battle) {}

  now(): Promise<Ready> {
    // what has arrived counts, shown or not: the answer is of that
    const { sequence } = this.battle.socket;
    if (!this.#known || this.#at !== sequence) {
      this.#at = sequence;
      this.#known = this.battle.isMine ? this.#ask() : Promise.resolve(NOTHING_LEFT);
    }
    return this.#known;
  }

  async #ask(): Promise<Ready> {
    try {
      const { units, reminders, idle } = await this.battle.socket.ask<ReadyAnswer>({ type: 'AskReady' });
      return { able: new Set(units), reminders, idle };
    } catch {
      // nobody is put first then, and of nothing is the player reminded
      this.#at = -1;
      return NOTHING_LEFT;
    }
  }
}
