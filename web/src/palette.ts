/** Every color of the map, in both themes. No color literal anywhere else: a drawing function takes a Palette. */

export type Theme = 'light' | 'dark';
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';
export type Rgb = readonly [number, number, number];

export interface SideColors {
  fill: string;
  /** Upper end of the counter's gentle gradient. */
  light: string;
  edge: string;
  /** How the side is told without color: which corners of its counters are cut, or a bar along the foot. */
  cue: 'none' | 'cut' | 'two-cuts' | 'bar';
}

/** The colors of one kind of ground that covers whole areas. */
export interface CoverColors {
  base: string;
  edge: string;
  ink: string;
  accent: string;
}

export interface Palette {
  theme: Theme;
  season: Season;
  void: string;
  boardEdge: string;
  boardShadow: string;
  clear: string;
  /** Faint unevenness of open ground: two poles of a slow noise. */
  meadow: Rgb;
  /** Parcels of open ground, all of them faint. */
  fields: readonly { fill: string; ink: string }[];
  tuft: string;
  fallow: Rgb;
  tint: Rgb;
  tintStep: number;
  tintMost: number;
  contour: string;
  hachure: string;
  shade: Rgb;
  shadeMost: number;
  light: Rgb;
  lightMost: number;
  covers: Record<string, CoverColors>;
  treeShadow: string;
  trees: readonly { edge: string; body: string; light: string }[];
  roofs: readonly { sunny: string; shady: string }[];
  roofEdge: string;
  houseShadow: string;
  waterEdge: string;
  water: string;
  glint: string;
  seaDeep: string;
  seaShallow: string;
  surf: string;
  /** The banks of a gully, its floor, and the floor where it can be crossed. */
  gullyBank: string;
  gullyFloor: string;
  fordFloor: string;
  roadEdge: string;
  road: string;
  mainRoad: string;
  rail: string;
  bridge: string;
  hedgeEdge: string;
  hedge: string;
  hedgeLight: string;
  brown: string;
  brownEdge: string;
  crest: string;
  crestEdge: string;
  cliff: string;
  cliffShadow: string;
  grid: string;
  label: string;
  labelHalo: string;
  name: string;
  nameHalo: string;

  select: string;
  casing: string;
  hover: string;
  reach: string;
  reachFill: string;
  reachText: string;
  halo: string;
  unseenFill: string;
  unseenLine: string;
  target: string;
  clearSight: string;
  /** What is written down: graphite on paper. */
  plan: string;
  zone: string;
  zoneFill: string;
  path: string;
  trail: string;
  pill: string;
  pillInk: string;

  sides: readonly SideColors[];
  neutral: SideColors;
  /** Ground that counts and that nobody holds. */
  unowned: SideColors;
  counterText: string;
  counterLetter: string;
  hairline: string;
  box: string;
  boxInk: string;
  boxShade: string;
  chip: string;
  chipInk: string;
  warnChip: string;
  /** From little to too much, where a system tells a state by such a color. */
  grades: Readonly<Record<string, string>>;
  counterShadow: string;
  markerInk: string;
  markerFill: string;
  markerHalo: string;
  fire: string;
  smoke: Rgb;
}

const LIGHT: Palette = {
  theme: 'light',
  season: 'summer',
  void: '#D9D4C4',
  boardEdge: '#5A4A30',
  boardShadow: 'rgba(60,46,20,.10)',
  clear: '#EDE6CF',
  fields: [
    { fill: 'rgba(228,210,146,.20)', ink: 'rgba(170,140,70,.10)' },
    { fill: 'rgba(198,212,152,.24)', ink: 'rgba(120,146,80,.11)' },
    { fill: 'rgba(214,206,150,.20)', ink: 'rgba(140,128,66,.11)' },
    { fill: 'rgba(247,240,212,.46)', ink: 'rgba(176,156,98,.08)' },
  ],
  tuft: 'rgba(112,132,72,.55)',
  meadow: [205, 214, 164],
  fallow: [240, 219, 172],
  tint: [186, 140, 72],
  tintStep: 0.2,
  tintMost: 0.62,
  contour: '#94713F',
  hachure: 'rgba(122,88,44,.50)',
  shade: [74, 58, 24],
  shadeMost: 0.24,
  light: [255, 250, 230],
  lightMost: 0.42,
  covers: {
    woods: { base: '#BFD0A4', edge: '#7E9A68', ink: '#5C7C4E', accent: '#9BB985' },
    town: { base: '#DFD3C1', edge: '#B9A78E', ink: '#4F443E', accent: '#C7B79E' },
    swamp: { base: '#D3DCC8', edge: '#9BB6A8', ink: '#4C7F94', accent: '#6E8F5C' },
    beach: { base: '#F4E6BC', edge: '#D2B983', ink: '#BFA163', accent: '#FFF6DC' },
    sea: { base: '#8DBBD3', edge: '#3B6E91', ink: '#5F97B8', accent: '#C3DEEA' },
    rough: { base: '#DDD0B4', edge: '#B7A486', ink: '#7A6A4C', accent: '#B7A486' },
    crop: { base: '#EEDFA8', edge: '#D2BC73', ink: '#C2A44B', accent: '#DCC57C' },
    sand: { base: '#F2E4BE', edge: '#D9C48F', ink: '#C9AE6D', accent: '#FBF2D6' },
    scrub: { base: '#DCDDB6', edge: '#B4BC86', ink: '#7E8F54', accent: '#A5B277' },
    other: { base: '#E0DACB', edge: '#B8AF99', ink: '#857B63', accent: '#CBC2AC' },
  },
  treeShadow: 'rgba(40,58,30,.30)',
  trees: [
    { edge: '#587A4A', body: '#7F9F6B', light: '#A3C08C' },
    { edge: '#4F7245', body: '#759766', light: '#97B782' },
    { edge: '#637F4A', body: '#8CA871', light: '#B0C892' },
  ],
  roofs: [
    { sunny: '#B27A63', shady: '#8E5C4A' },
    { sunny: '#A0958C', shady: '#7C726B' },
    { sunny: '#BE9A77', shady: '#98754F' },
    { sunny: '#A9705F', shady: '#834F41' },
  ],
  roofEdge: '#4F443E',
  houseShadow: 'rgba(60,44,26,.28)',
  waterEdge: '#3B6E91',
  water: '#79AECD',
  glint: '#C3DEEA',
  seaDeep: '#7CAFCB',
  seaShallow: 'rgba(202,226,232,.55)',
  surf: 'rgba(255,255,250,.85)',
  gullyBank: '#9A7440',
  gullyFloor: '#D8C69A',
  fordFloor: '#B9D2DA',
  roadEdge: '#6B5638',
  road: '#FBF7EC',
  mainRoad: '#F3D58C',
  rail: '#38332D',
  bridge: '#3A3128',
  hedgeEdge: '#3F5E35',
  hedge: '#6B9153',
  hedgeLight: '#8FB273',
  brown: '#8A5A2B',
  brownEdge: 'rgba(255,248,230,.55)',
  crest: '#DB8A1E',
  crestEdge: '#6B3D08',
  cliff: '#5C4630',
  cliffShadow: 'rgba(60,40,16,.30)',
  grid: 'rgba(60,50,30,.26)',
  label: 'rgba(60,50,30,.66)',
  labelHalo: 'rgba(240,236,214,.55)',
  name: '#2C2417',
  nameHalo: 'rgba(250,245,228,.88)',

  select: '#FFD400',
  casing: '#1B1B1B',
  hover: 'rgba(255,255,255,.92)',
  reach: '#1E7F74',
  reachFill: 'rgba(30,127,116,.17)',
  reachText: '#0B4F47',
  halo: 'rgba(255,255,255,.82)',
  unseenFill: 'rgba(52,32,72,.13)',
  unseenLine: 'rgba(52,32,72,.32)',
  target: '#C2410C',
  clearSight: '#0F766E',
  plan: '#3D3A34',
  zone: '#6B4FA0',
  zoneFill: 'rgba(107,79,160,.13)',
  path: '#FFF8E1',
  trail: 'rgba(45,38,24,.60)',
  pill: '#FFFDF7',
  pillInk: '#1F1D18',

  sides: [
    { fill: '#2E5E8C', light: '#3A6E9F', edge: '#173A5A', cue: 'none' },
    { fill: '#B4532A', light: '#C26136', edge: '#6E2C10', cue: 'cut' },
    { fill: '#6B4FA0', light: '#7A5EB0', edge: '#3B2663', cue: 'two-cuts' },
    { fill: '#5B6153', light: '#6A7162', edge: '#2F342A', cue: 'bar' },
  ],
  neutral: { fill: '#6F675A', light: '#7D7567', edge: '#3B362D', cue: 'none' },
  unowned: { fill: '#5A5244', light: '#5A5244', edge: '#2A251C', cue: 'none' },
  counterText: '#FFFFFF',
  counterLetter: '#F6EBC6',
  hairline: 'rgba(255,255,255,.35)',
  box: '#FAF7EC',
  boxInk: '#15120C',
  boxShade: 'rgba(21,18,12,.22)',
  chip: '#FFF8E1',
  chipInk: '#1B1B1B',
  warnChip: '#FFCF1F',
  grades: { green: '#3FA34D', yellow: '#F2CC1D', orange: '#F28A1E', red: '#D3302F' },
  counterShadow: 'rgba(28,20,6,.50)',
  markerInk: '#2A231A',
  markerFill: '#E9DFC4',
  markerHalo: 'rgba(255,252,242,.88)',
  fire: '#E2571C',
  smoke: [236, 233, 226],
};

const DARK: Palette = {
  ...LIGHT,
  theme: 'dark',
  void: '#14171A',
  boardEdge: '#0A0C0D',
  boardShadow: 'rgba(0,0,0,.22)',
  clear: '#3C4139',
  fields: [
    { fill: 'rgba(104,98,58,.17)', ink: 'rgba(190,172,110,.05)' },
    { fill: 'rgba(72,98,60,.20)', ink: 'rgba(150,180,120,.06)' },
    { fill: 'rgba(88,92,60,.16)', ink: 'rgba(180,172,110,.05)' },
    { fill: 'rgba(40,44,38,.22)', ink: 'rgba(200,190,150,.04)' },
  ],
  tuft: 'rgba(140,164,104,.34)',
  meadow: [58, 74, 52],
  fallow: [78, 72, 54],
  tint: [128, 104, 66],
  contour: '#97825A',
  hachure: 'rgba(176,150,104,.34)',
  shade: [0, 0, 0],
  shadeMost: 0.36,
  light: [214, 200, 160],
  lightMost: 0.13,
  covers: {
    woods: { base: '#2E4431', edge: '#1F3325', ink: '#22382A', accent: '#668C63' },
    town: { base: '#4B463F', edge: '#2E2A26', ink: '#1D1916', accent: '#5B554C' },
    swamp: { base: '#37463F', edge: '#27383A', ink: '#5E98AF', accent: '#7A9A68' },
    beach: { base: '#786C4F', edge: '#4A432F', ink: '#8F8260', accent: '#7D7356' },
    sea: { base: '#274E66', edge: '#0F2A3A', ink: '#3E6E89', accent: '#4F86A2' },
    rough: { base: '#4A453A', edge: '#332F27', ink: '#7C705B', accent: '#5A5142' },
    crop: { base: '#514B33', edge: '#3A3623', ink: '#7F7344', accent: '#655C3A' },
    sand: { base: '#5F5842', edge: '#443F2E', ink: '#877B58', accent: '#6E664C' },
    scrub: { base: '#414A37', edge: '#2E3627', ink: '#76865A', accent: '#57654A' },
    other: { base: '#474640', edge: '#302F2B', ink: '#7C7868', accent: '#57554D' },
  },
  treeShadow: 'rgba(0,0,0,.38)',
  trees: [
    { edge: '#22382A', body: '#4A6C4B', light: '#618660' },
    { edge: '#1F3427', body: '#426446', light: '#587C59' },
    { edge: '#293D28', body: '#56744F', light: '#6E8E64' },
  ],
  roofs: [
    { sunny: '#93654F', shady: '#6E4839' },
    { sunny: '#7B7570', shady: '#5B5651' },
    { sunny: '#95775C', shady: '#6F563F' },
    { sunny: '#895B4C', shady: '#653F34' },
  ],
  roofEdge: '#1D1916',
  houseShadow: 'rgba(0,0,0,.42)',
  waterEdge: '#142F41',
  water: '#3F7EA3',
  glint: '#7DB3CF',
  seaDeep: '#23475E',
  seaShallow: 'rgba(86,138,160,.34)',
  surf: 'rgba(196,220,226,.55)',
  gullyBank: '#A88A58',
  gullyFloor: '#2C3029',
  fordFloor: '#4C6B78',
  roadEdge: '#1E1A15',
  road: '#A89B84',
  mainRoad: '#C9A45C',
  rail: '#D9D2C4',
  bridge: '#12100D',
  hedgeEdge: '#16271B',
  hedge: '#537A48',
  hedgeLight: '#719A60',
  brown: '#B98A55',
  brownEdge: 'rgba(0,0,0,.45)',
  crest: '#E79A35',
  crestEdge: '#2E1A04',
  cliff: '#B39B7B',
  cliffShadow: 'rgba(0,0,0,.45)',
  grid: 'rgba(235,230,210,.21)',
  label: 'rgba(235,230,210,.62)',
  labelHalo: 'rgba(18,24,18,.55)',
  name: '#F3ECD8',
  nameHalo: 'rgba(18,20,18,.82)',

  hover: 'rgba(255,255,255,.90)',
  reach: '#4FD1BF',
  reachFill: 'rgba(79,209,191,.18)',
  reachText: '#C9FFF5',
  halo: 'rgba(10,14,14,.78)',
  unseenFill: 'rgba(8,4,18,.34)',
  unseenLine: 'rgba(200,170,240,.26)',
  target: '#FF8A4C',
  clearSight: '#4FD1BF',
  plan: '#E9E2CF',
  zone: '#B79CF0',
  zoneFill: 'rgba(183,156,240,.16)',
  trail: 'rgba(240,232,206,.60)',
  pill: '#1E2327',
  pillInk: '#ECE8DD',

  sides: [
    { fill: '#3F78AE', light: '#4C86BD', edge: '#0E2A44', cue: 'none' },
    { fill: '#B9572A', light: '#C66537', edge: '#4A1C08', cue: 'cut' },
    { fill: '#7659B0', light: '#8468BE', edge: '#281848', cue: 'two-cuts' },
    { fill: '#666D5D', light: '#747B6A', edge: '#22261E', cue: 'bar' },
  ],
  neutral: { fill: '#6F675A', light: '#7D7567', edge: '#26221C', cue: 'none' },
  unowned: { fill: '#D2C9B2', light: '#D2C9B2', edge: '#26221C', cue: 'none' },
  counterShadow: 'rgba(0,0,0,.62)',
  markerInk: '#0F0D0A',
  markerFill: '#CFC6AC',
  markerHalo: 'rgba(226,219,196,.80)',
  smoke: [176, 178, 176],
};

export const PALETTES: Readonly<Record<Theme, Palette>> = { light: LIGHT, dark: DARK };

/** What is otherwise on the ground than in summer; lines, marks and counters stay as they are. */
const SEASONS: Readonly<Record<Theme, Partial<Record<Season, Partial<Palette>>>>> = {
  light: {
    spring: {
      clear: '#E9E8CB',
      meadow: [192, 216, 154],
      fallow: [226, 206, 168],
      fields: [
        { fill: 'rgba(178,208,132,.28)', ink: 'rgba(110,150,70,.12)' },
        { fill: 'rgba(196,170,128,.24)', ink: 'rgba(130,96,58,.14)' },
        { fill: 'rgba(206,216,150,.24)', ink: 'rgba(128,146,70,.11)' },
        { fill: 'rgba(243,240,214,.44)', ink: 'rgba(160,156,98,.08)' },
      ],
      trees: [
        { edge: '#6B9049', body: '#97B96B', light: '#BFDA93' },
        { edge: '#5C8544', body: '#86AD62', light: '#ABCC86' },
        { edge: '#8A9A56', body: '#B4C07C', light: '#D6DDA6' },
      ],
    },
    autumn: {
      clear: '#EBDFC2',
      meadow: [206, 198, 146],
      fallow: [226, 196, 146],
      tuft: 'rgba(150,120,58,.50)',
      fields: [
        { fill: 'rgba(190,146,92,.26)', ink: 'rgba(118,82,44,.16)' },
        { fill: 'rgba(214,186,118,.24)', ink: 'rgba(150,116,58,.12)' },
        { fill: 'rgba(176,150,104,.22)', ink: 'rgba(104,82,48,.15)' },
        { fill: 'rgba(240,226,192,.42)', ink: 'rgba(160,128,80,.08)' },
      ],
      covers: { ...LIGHT.covers, woods: { base: '#D6C69A', edge: '#A4894E', ink: '#7E6A3C', accent: '#BFA268' } },
      trees: [
        { edge: '#8A5A2A', body: '#BE8440', light: '#DDAA64' },
        { edge: '#7C6B33', body: '#A9954F', light: '#CBB873' },
        { edge: '#8F4A2A', body: '#B96C41', light: '#D8946A' },
      ],
    },
    winter: {
      clear: '#EFF2F3',
      meadow: [220, 229, 236],
      fallow: [246, 246, 242],
      tint: [138, 150, 168],
      tintStep: 0.15,
      tintMost: 0.46,
      contour: '#7C8899',
      hachure: 'rgba(84,98,120,.46)',
      shade: [58, 72, 98],
      light: [255, 255, 255],
      tuft: 'rgba(128,122,104,.42)',
      fields: [
        { fill: 'rgba(214,224,232,.34)', ink: 'rgba(120,136,156,.14)' },
        { fill: 'rgba(232,236,238,.40)', ink: 'rgba(140,140,134,.12)' },
        { fill: 'rgba(204,216,226,.30)', ink: 'rgba(110,128,150,.14)' },
        { fill: 'rgba(252,253,253,.55)', ink: 'rgba(150,160,170,.08)' },
      ],
      covers: {
        ...LIGHT.covers,
        woods: { base: '#CFD9D8', edge: '#8C9F9A', ink: '#4F6660', accent: '#A9BAB6' },
        town: { base: '#DEDEDC', edge: '#A9A8A4', ink: '#4A4845', accent: '#C4C3C0' },
        swamp: { base: '#DCE6E9', edge: '#A3B8C1', ink: '#6E91A3', accent: '#8E9A84' },
        rough: { base: '#DADDDD', edge: '#A9AFB2', ink: '#6E7478', accent: '#B4BABD' },
        crop: { base: '#E9EBE6', edge: '#C4C7BF', ink: '#A39F8B', accent: '#D4D6CE' },
        scrub: { base: '#DDE2DF', edge: '#AAB4AE', ink: '#76837B', accent: '#B7C0BA' },
        sea: { base: '#CBDFE9', edge: '#6F97B0', ink: '#8FB3C6', accent: '#FFFFFF' },
      },
      seaDeep: '#C3DAE6',
      seaShallow: 'rgba(238,246,250,.60)',
      trees: [
        { edge: '#48604F', body: '#6F8A7A', light: '#F2F6F7' },
        { edge: '#3F584A', body: '#637F70', light: '#E6EDEE' },
        { edge: '#5A5F55', body: '#868B80', light: '#F6F8F8' },
      ],
      roofs: [
        { sunny: '#F1F3F5', shady: '#BFC6CF' },
        { sunny: '#E6EAEE', shady: '#AFB7C1' },
        { sunny: '#F4F5F5', shady: '#C6CBD1' },
        { sunny: '#EBEEF1', shady: '#B7BEC8' },
      ],
      hedgeEdge: '#4C5F54',
      hedge: '#87998F',
      hedgeLight: '#EEF3F4',
      water: '#A8C6D6',
      waterEdge: '#54788F',
      glint: '#E4F0F5',
      gullyBank: '#8B8C92',
      gullyFloor: '#DDE3E8',
      fordFloor: '#B4D0DE',
      road: '#E3DDD2',
      mainRoad: '#E6CB8E',
      roadEdge: '#6F675B',
    },
  },
  dark: {
    autumn: {
      clear: '#423E34',
      covers: { ...DARK.covers, woods: { base: '#463D29', edge: '#30291A', ink: '#33291B', accent: '#8A7146' } },
      trees: [
        { edge: '#3E2A18', body: '#7E5A33', light: '#9C7547' },
        { edge: '#3A331E', body: '#6D6238', light: '#897D4D' },
        { edge: '#40241A', body: '#7A4B34', light: '#966349' },
      ],
    },
    winter: {
      clear: '#4A5157',
      meadow: [70, 80, 90],
      fallow: [90, 94, 98],
      tint: [112, 122, 138],
      contour: '#8C99AB',
      hachure: 'rgba(176,190,208,.34)',
      covers: {
        ...DARK.covers,
        woods: { base: '#3A4747', edge: '#2A3638', ink: '#26332F', accent: '#7A9090' },
        swamp: { base: '#465258', edge: '#323F46', ink: '#7CA0B2', accent: '#7D8A7A' },
      },
      trees: [
        { edge: '#26332E', body: '#4B625A', light: '#AEBBBD' },
        { edge: '#222F2B', body: '#425950', light: '#9DACAE' },
        { edge: '#2F3430', body: '#595F58', light: '#BAC5C7' },
      ],
      roofs: [
        { sunny: '#AEB6BE', shady: '#6C747D' },
        { sunny: '#A2AAB3', shady: '#626A73' },
        { sunny: '#B5BBC1', shady: '#737A82' },
        { sunny: '#A8AFB7', shady: '#687078' },
      ],
    },
  },
};

/** The colors of a map at that time of the year. */
export function seasonal(theme: Theme, season: Season): Palette {
  return { ...PALETTES[theme], ...SEASONS[theme][season], season };
}

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
/** Place names are set as on a printed map. */
export const NAME_FONT = "Georgia, 'Noto Serif', 'DejaVu Serif', serif";

/** Sides whose color a player expects; others take what is left, in the order in which they are named. */
const CUSTOMARY: Readonly<Record<string, number>> = {
  allied: 0, allies: 0, us: 0, american: 0, british: 0, western: 0, blue: 0,
  german: 1, axis: 1, red: 1,
  soviet: 2, russian: 2,
};

/** The place of each side in `Palette.sides`, no place given twice while there are free ones. */
export function sideColors(ids: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const taken = new Set<number>();
  for (const id of ids) {
    const place = CUSTOMARY[id];
    if (place !== undefined && !taken.has(place)) {
      places.set(id, place);
      taken.add(place);
    }
  }
  for (const id of ids) {
    if (places.has(id)) continue;
    const free = LIGHT.sides.findIndex((_, place) => !taken.has(place));
    places.set(id, free < 0 ? places.size % LIGHT.sides.length : free);
    taken.add(places.get(id)!);
  }
  return places;
}
