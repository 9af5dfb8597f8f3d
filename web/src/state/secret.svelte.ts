// The server's secret: asked for when the server wants it, kept until the browser is closed, or on this device if wished.

const KEY = 'sandtable.secret';

interface Asked { reason: string; answer(secret: string): void }

function stored(): string {
  try {
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

class Secret {
  #value = stored();
  /** What is asked of the player now, by whoever shows the question. */
  asked = $state.raw<Asked>();

  get value(): string { return this.#value; }

  /** The secret that the player tells us; empty when he would rather not. */
  ask(reason: string): Promise<string> {
    this.asked?.answer('');
    return new Promise((done) => (this.asked = { reason, answer: done }));
  }

  tell(secret: string, stays: boolean): void {
    this.#value = secret;
    try {
      sessionStorage.setItem(KEY, secret);
      if (stays) localStorage.setItem(KEY, secret);
    } catch {
      // it holds until the page is left
    }
    this.#settle(secret);
  }

  decline(): void {
    this.#settle('');
  }

  forget(): void {
    this.#value = '';
    try {
      sessionStorage.removeItem(KEY);
      localStorage.removeItem(KEY);
    } catch {
      // nothing was kept
    }
  }

  #settle(secret: string): void {
    const asked = this.asked;
    this.asked = undefined;
    asked?.answer(secret);
  }
}

export const secret = new Secret();
