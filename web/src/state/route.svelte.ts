// Where we are, kept in the address so that a reload comes back to the same table.

export type Place = { at: 'lobby' } | { at: 'battle'; id: string; side: string };

function read(): Place {
  const [, where, id, side] = location.hash.split('/');
  if (where === 'battle' && id) return { at: 'battle', id: decodeURIComponent(id), side: decodeURIComponent(side ?? '') };
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
}

export const route = new Route();
