/** How each terrain key is drawn. A key that is not in the table is matched by the words in it, or drawn as "other". */

export type Cover = 'woods' | 'town' | 'swamp' | 'beach' | 'sea' | 'rough' | 'crop' | 'sand' | 'scrub' | 'other';
export type Line = 'stream' | 'river';

/** How what covers a hex stands there, where that is not as usual: what differs by the rules should differ to the eye. */
export type Manner = 'rows' | 'dense' | 'loose' | 'single' | 'halls';

export interface Ground {
  /** What covers the whole area, merged with like neighbors; none for open ground. */
  cover?: Cover;
  manner?: Manner;
  /** Water that runs through the hex and joins its neighbors of the same kind. */
  line?: Line;
  /** Hachures show that the hex is steep, whatever the contours say. */
  steep?: boolean;
}

const GROUNDS: Readonly<Record<string, Ground>> = {
  clear: {},
  open: {},
  woods: { cover: 'woods' },
  town: { cover: 'town' },
  swamp: { cover: 'swamp' },
  slope: { steep: true },
  slope_woods: { cover: 'woods', steep: true },
  stream: { line: 'stream' },
  river: { line: 'river' },
  beach: { cover: 'beach' },
  sea: { cover: 'sea' },
  rough: { cover: 'rough' },
  crop: { cover: 'crop' },
  sand: { cover: 'sand' },
  scrub: { cover: 'scrub' },
  flat: {},
  open_field: {},
  high_crops: { cover: 'crop' },
  bua: { cover: 'town' },
  orchard: { cover: 'woods', manner: 'rows' },
  dense_woods: { cover: 'woods', manner: 'dense' },
  jungle: { cover: 'woods', manner: 'dense' },
  village: { cover: 'town', manner: 'loose' },
  building: { cover: 'town', manner: 'single' },
  industrial: { cover: 'town', manner: 'halls' },
};

/** Words that tell how an unknown key wants to be drawn, the first that fits. */
const WORDS: readonly (readonly [RegExp, Ground])[] = [
  [/wood|forest|jungle|orchard|grove/, { cover: 'woods' }],
  [/town|city|village|urban|suburb|building|factory|rubble|block/, { cover: 'town' }],
  [/swamp|marsh|bog|mud|flooded|paddy/, { cover: 'swamp' }],
  [/beach|shore/, { cover: 'beach' }],
  [/sea|lake|water|ocean|pond/, { cover: 'sea' }],
  [/river|canal/, { line: 'river' }],
  [/stream|brook|creek|gully|wadi/, { line: 'stream' }],
  [/rough|rock|broken|stony|boulder/, { cover: 'rough' }],
  [/crop|field|wheat|grain|vineyard|plow/, { cover: 'crop' }],
  [/sand|desert|dune/, { cover: 'sand' }],
  [/scrub|brush|heath|grass|steppe/, { cover: 'scrub' }],
  [/slope|hill|ridge|mountain/, { steep: true }],
  [/clear|open|road/, {}],
];

const matched = new Map<string, Ground>();

export function ground(key: string): Ground {
  const listed = GROUNDS[key] ?? matched.get(key);
  if (listed) return listed;
  const found = WORDS.find(([words]) => words.test(key))?.[1] ?? { cover: 'other' as const };
  const steep = /slope|hill/.test(key);
  const drawn = steep && !found.steep ? { ...found, steep } : found;
  matched.set(key, drawn);
  return drawn;
}

/** The order in which covers are laid over each other. */
export const COVER_ORDER: readonly Cover[] = [
  'other', 'sand', 'crop', 'scrub', 'rough', 'beach', 'swamp', 'woods', 'town', 'sea',
];

export type SideStyle =
  'hedge' | 'bocage' | 'slope' | 'crest' | 'cliff' | 'wall' | 'water' | 'river' | 'plain' | 'ford' | 'bridge';

const SIDES: Readonly<Record<string, SideStyle>> = {
  green: 'hedge', hedge: 'hedge', hedge_row: 'bocage', bocage: 'bocage', woods: 'hedge',
  brown: 'slope', slope: 'slope',
  orange: 'crest', crest: 'crest', ridge: 'crest',
  cliff: 'cliff', escarpment: 'cliff', bluff: 'cliff',
  gray: 'wall', railway_bank: 'slope', embankment: 'slope', dike: 'slope', wall: 'wall', ditch: 'water', stream: 'water',
  canal: 'water', water: 'water', gully: 'water', at_ditch: 'water', river: 'river', lake: 'river', ford: 'ford',
  light_bridge: 'bridge', medium_bridge: 'bridge', heavy_bridge: 'bridge', rail_bridge: 'bridge', ferry: 'ford',
};

export function sideStyle(key: string): SideStyle {
  return SIDES[key] ?? 'plain';
}
