// What is said at the table: to all, or to one's own side alone. Each is a list of its own with its own numbers.
import type { ChatLine, ChatPage, SayAnswer } from '../api-types';
import type { BattleSocket } from './socket';
import { messageOf } from './words';

export type Audience = 'all' | 'side';

/** Lines that are asked for at once. */
const PAGE = 50;
/** What the server takes of one line. */
export const LONGEST = 500;

export class Chat {
  #lines = $state.raw<Record<Audience, ChatLine[]>>({ all: [], side: [] });
  /** Whether there are older lines than those that are here. */
  #more = $state.raw<Record<Audience, boolean>>({ all: false, side: false });
  audience = $state<Audience>('all');
  unread = $state(0);
  trouble = $state('');

  constructor(private readonly socket: BattleSocket, private readonly isSpectator: boolean) {}

  get lines(): ChatLine[] { return this.#lines[this.audience]; }

  get hasOlder(): boolean { return this.#more[this.audience]; }

  get canSpeak(): boolean { return !this.isSpectator; }

  /** What was said lately is here, whatever was here before. */
  async refresh(): Promise<void> {
    const audiences: Audience[] = this.isSpectator ? ['all'] : ['all', 'side'];
    await Promise.all(audiences.map((to) => this.#fetch(to, 0)));
  }

  older(): Promise<void> {
    return this.#fetch(this.audience, this.lines[0]?.number ?? 0);
  }

  async #fetch(to: Audience, before: number): Promise<void> {
    try {
      const { lines } = await this.socket.ask<ChatPage>({ type: 'AskChat', to, before, most: PAGE });
      // what was said while we asked is not lost
      const later = this.#lines[to].filter((line) => line.number > (lines.at(-1)?.number ?? 0));
      this.#lines = { ...this.#lines, [to]: [...lines, ...later] };
      this.#more = { ...this.#more, [to]: lines.length === PAGE };
    } catch {
      // the line is down, and what was said is asked for again when it is up
    }
  }

  /** Somebody has said something. */
  hear(line: ChatLine, isRead: boolean): void {
    const to = line.to as Audience;
    if (this.#lines[to].some((one) => one.number === line.number)) return;
    this.#lines = { ...this.#lines, [to]: [...this.#lines[to], line] };
    if (!isRead) this.unread += 1;
  }

  /** Whether it was said. */
  async say(text: string): Promise<boolean> {
    this.trouble = '';
    try {
      await this.socket.ask<SayAnswer>({ type: 'Say', to: this.audience, text });
      return true;
    } catch (error) {
      this.trouble = messageOf(error);
      return false;
    }
  }
}
