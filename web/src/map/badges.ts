/** The badges of the system on the table: pieces carry their keys, the table says how each is drawn. */

export interface Badge {
  readonly key: string;
  readonly title: string;
  readonly rule: string;
  /** A letter or two to draw; without one the badge is told in words alone, unless its tone has a sign of its own. */
  readonly sign?: string;
  readonly tone?: string;
}

let table: ReadonlyMap<string, Badge> = new Map();

/** From now on these are the badges; counters that are drawn already stay as they are. */
export function useBadges(badges: readonly Badge[]): void {
  table = new Map(badges.map((badge) => [badge.key, badge]));
}

/** Those of the keys that the table knows, in the order of the keys. */
export function badgesOf(keys: readonly string[] | undefined): Badge[] {
  return (keys ?? []).flatMap((key) => table.get(key) ?? []);
}
