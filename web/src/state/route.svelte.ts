// Where we are, kept in the address so that a reload comes back to the same table.

export type Place =
  | { at: 'lobby' }
  | { at: 'battle'; id: string; side: string }
  | { at: 'join'; id: string; token: string };

/** A part of the address; what was never written by us is taken as it is. */
function part(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function read(): Place {
  const [, where, id, side] = location.hash.split('/');
  if (where === 'battle' && id) return { at: 'battle', id: part(id), side: part(side) };
  if (where === 'join' && id) return { at: 'join', id: part(id), token: part(side) };
  return { at: 'lobby' };
}

class Route {
  place = $state<Place>(read());

  constructor() {
    addEventListener('hashchange', () => (this.place = read()));
  }

  toLobby(): void {
    location.hash = '#/';
  }

  /** `side` is the seat to sit on; empty for the first of ours. */
  toBattle(id: string, side = ''): void {
    location.hash = `#/battle/${encodeURIComponent(id)}${side ? `/${encodeURIComponent(side)}` : ''}`;
  }

  /** The battle, in the place of the page that led there: nobody comes back to a used invitation. */
  replaceByBattle(id: string): void {
    location.replace(`#/battle/${encodeURIComponent(id)}`);
  }

  /** The address behind which somebody takes a seat. What follows the # stays in the browser: no server and no log ever
      sees the token. */
  invitation(id: string, token: string): string {
    return `${location.origin}${location.pathname}#/join/${encodeURIComponent(id)}/${encodeURIComponent(token)}`;
  }
}

export const route = new Route();
