// One line to one seat. It comes back by itself, asks for what was missed and sends again what was not acknowledged.
import { PROTOCOL, type Accepted, type ClientMessage, type Pong, type Refused, type ServerMessage } from '../api-types';

export type OrderJson = Record<string, unknown>;

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;

/** The server takes 20 messages a second and 40 at once; staying below, none of ours is ever dropped. */
const RATE = 15;
const BURST = 25;
const HEARTBEAT = 20_000;
const PATIENCE = 8_000;

/** Codes by which the server says that coming back is of no use. */
const FINAL_CODES = new Set([4400, 4401, 4403, 4404, 4409, 4410]);

/** Who speaks: the token that opens the seat and the side it is for, empty for a spectator. */
export interface Seat { token: string; side: string }

export type LineState = 'connecting' | 'open' | 'lost' | 'closed';

export interface Listener {
  message(message: ServerMessage): void;
  state(state: LineState, reason: string): void;
}

type Ask = Extract<ClientMessage, { ask: number }>;
/** An Ask without its number, kind by kind. */
export type Question = Ask extends infer A ? (A extends Ask ? Omit<A, 'ask'> : never) : never;
export type Answer = Extract<ServerMessage, { ask: number }>;
export type Verdict = Accepted | Refused;

interface Waiting<T> { text: string; resolve(answer: T): void; reject(reason: Error): void }

export class LineLost extends Error {}

export function commandId(): string {
  // randomUUID needs a secure context; a game served to the next room over plain HTTP is none
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class BattleSocket {
  #socket: WebSocket | undefined;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #greeted = false;
  #asks = new Map<number, Waiting<Answer>>();
  #commands = new Map<string, Waiting<Verdict>>();
  #nextAsk = 1;
  #outbox: string[] = [];
  #allowance = BURST;
  #filled = performance.now();
  #pacer: ReturnType<typeof setTimeout> | undefined;
  #heart: ReturnType<typeof setInterval>;
  sequence = 0;
  viewHash = '';

  constructor(private readonly address: string, private readonly seat: Seat, private readonly listener: Listener) {
    addEventListener('online', this.#hurry);
    this.#heart = setInterval(() => void this.#beat(), HEARTBEAT);
    this.#open();
  }

  ask<T extends Answer>(question: Question): Promise<T> {
    const ask = this.#nextAsk++;
    const text = JSON.stringify({ ...question, ask });
    return new Promise<Answer>((resolve, reject) => {
      this.#asks.set(ask, { text, resolve, reject });
      if (this.#greeted) this.#send(text);
    }) as Promise<T>;
  }

  submit(order: OrderJson, basedOn: number): Promise<Verdict> {
    const command = commandId();
    return this.#command(command, JSON.stringify({ type: 'Submit', command, based_on: basedOn, order }));
  }

  undo(basedOn: number): Promise<Verdict> {
    const command = commandId();
    return this.#command(command, JSON.stringify({ type: 'Undo', command, based_on: basedOn }));
  }

  cancelThinking(): void {
    if (this.#greeted) this.#send(JSON.stringify({ type: 'CancelThinking' }));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#pacer);
    clearInterval(this.#heart);
    removeEventListener('online', this.#hurry);
    this.#socket?.close(1000);
    this.#abandon('The table was left.');
    this.listener.state('closed', '');
  }

  #command(command: string, text: string): Promise<Verdict> {
    return new Promise<Verdict>((resolve, reject) => {
      this.#commands.set(command, { text, resolve, reject });
      if (this.#greeted) this.#send(text);
    });
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.listener.state('connecting', '');
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({
        type: 'Hello', protocol: PROTOCOL, since: this.sequence, view_hash: this.viewHash, ...this.seat,
      } satisfies ClientMessage));
      this.#wait = FIRST_WAIT;
      this.#greeted = true;
      this.#outbox = [];
      // commands first, each under its old id: one that did arrive is answered and not done twice
      for (const waiting of [...this.#commands.values(), ...this.#asks.values()]) this.#send(waiting.text);
      this.listener.state('open', '');
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lose(event.code, event.reason);
    };
  }

  #lose(code: number, reason: string): void {
    this.#greeted = false;
    if (this.#closed) return;
    if (FINAL_CODES.has(code)) {
      this.close();
      this.listener.state('closed', reason || 'This battle is not here, or your key to it is not valid.');
      return;
    }
    this.listener.state('lost', '');
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #hurry = (): void => {
    if (this.#closed || this.#greeted) return;
    this.#wait = FIRST_WAIT;
    this.#open();
  };

  #send(text: string): void {
    this.#outbox.push(text);
    this.#flush();
  }

  /** Sends what waits, as fast as the server takes it. */
  #flush(): void {
    clearTimeout(this.#pacer);
    const now = performance.now();
    this.#allowance = Math.min(BURST, this.#allowance + ((now - this.#filled) / 1000) * RATE);
    this.#filled = now;
    while (this.#outbox.length && this.#allowance >= 1 && this.#socket?.readyState === WebSocket.OPEN) {
      this.#allowance -= 1;
      this.#socket.send(this.#outbox.shift()!);
    }
    if (this.#outbox.length && this.#greeted) this.#pacer = setTimeout(() => this.#flush(), 1000 / RATE);
  }

  /** A line that is dead without saying so is given up, and a new one opened. */
  async #beat(): Promise<void> {
    if (!this.#greeted) return;
    // a command that nobody answered is said again under its own id, which makes it harmless
    for (const waiting of this.#commands.values()) this.#send(waiting.text);
    const socket = this.#socket;
    const late = setTimeout(() => this.#giveUp(socket), PATIENCE);
    try {
      const { sequence, view_hash } = await this.ask<Pong>({ type: 'Ping' });
      // what it speaks of may still be on its way; if it does not come, the server is asked for it by a new Hello
      if (!this.#has(sequence, view_hash)) setTimeout(() => this.#has(sequence, view_hash) || this.#giveUp(socket), PATIENCE);
    } catch {
      // an answer is an answer
    } finally {
      clearTimeout(late);
    }
  }

  /** Whether we were told what the server says we were: later than that, or just that. */
  #has(sequence: number, viewHash: string): boolean {
    return this.sequence > sequence || (this.sequence === sequence && this.viewHash === viewHash);
  }

  #giveUp(socket: WebSocket | undefined): void {
    if (socket !== this.#socket || this.#closed) return;
    socket?.close();
    this.#socket = undefined;
    this.#lose(0, '');
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'Snapshot' || message.type === 'Update') {
      this.sequence = message.sequence;
      this.viewHash = message.view_hash;
    }
    if (message.type === 'Accepted' || message.type === 'Refused') {
      this.#commands.get(message.command)?.resolve(message);
      this.#commands.delete(message.command);
    }
    if (message.type === 'Trouble' && message.ask) {
      this.#asks.get(message.ask)?.reject(new Error(message.reason));
      this.#asks.delete(message.ask);
      return;
    }
    if ('ask' in message && message.type !== 'Trouble') {
      this.#asks.get(message.ask)?.resolve(message);
      this.#asks.delete(message.ask);
      return;
    }
    this.listener.message(message);
  }

  #abandon(reason: string): void {
    for (const waiting of [...this.#asks.values(), ...this.#commands.values()]) waiting.reject(new LineLost(reason));
    this.#asks.clear();
    this.#commands.clear();
  }
}
