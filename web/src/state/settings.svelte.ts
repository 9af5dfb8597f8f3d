// What a player has chosen for this browser; kept in local storage.

export type Theme = 'light' | 'dark';
export type Preset = 'menu' | 'wds';
export type TextSize = 'small' | 'normal' | 'large' | 'larger';

/** How much larger than drawn the letters of the panels are. */
export const TEXT_SCALES: Record<TextSize, number> = { small: 0.9, normal: 1, large: 1.2, larger: 1.45 };

/** How fast what happens is shown; at once, it is listed instead. */
export type Pace = 'slow' | 'normal' | 'fast' | 'instant';

export const PACES: Readonly<Record<Pace, number>> = { slow: 0.5, normal: 1, fast: 3, instant: Infinity };

interface Choices {
  pace: Pace;
  preset: Preset;
  motion: boolean;
  labels: boolean;
  results: boolean;
  tutorial: boolean;
  confirm: boolean;
  textSize: TextSize;
  opponent: string;
  checklist: boolean;
  passing: boolean;
  notify: boolean;
  called: string;
  briefing: boolean;
  greyed: boolean;
}

const KEY = 'sandtable.settings';
/** Kept apart and as a bare word: the page reads it before anything is painted. */
const THEME_KEY = 'sandtable.theme';

const DEFAULTS: Choices = {
  preset: 'menu', motion: true, pace: 'normal', labels: true, results: true, tutorial: true, confirm: true, textSize: 'normal', opponent: '', checklist: true, passing: true,
  notify: false, called: '',
  briefing: true, greyed: false,
};

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing still plays; it only forgets
  }
}

function storedTheme(): Theme | 'system' {
  try {
    const stored = localStorage.getItem(THEME_KEY);
    return stored === 'dark' || stored === 'light' ? stored : 'system';
  } catch {
    return 'system';
  }
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');

class Settings {
  #choices = $state<Choices>({ ...DEFAULTS, ...recall<Partial<Choices>>(KEY, {}) });
  #theme = $state<Theme | 'system'>(storedTheme());
  #systemDark = $state(prefersDark.matches);
  #still = $state(prefersStill.matches);

  constructor() {
    prefersDark.addEventListener('change', (event) => (this.#systemDark = event.matches));
    prefersStill.addEventListener('change', (event) => (this.#still = event.matches));
  }

  get theme(): Theme {
    if (this.#theme !== 'system') return this.#theme;
    return this.#systemDark ? 'dark' : 'light';
  }

  get themeChoice(): Theme | 'system' { return this.#theme; }

  set themeChoice(value: Theme | 'system') {
    this.#theme = value;
    try {
      if (value === 'system') localStorage.removeItem(THEME_KEY);
      else localStorage.setItem(THEME_KEY, value);
    } catch {
      // not remembered, but shown
    }
  }

  get preset(): Preset { return this.#choices.preset; }
  set preset(value: Preset) { this.#change({ preset: value }); }

  /** Whether the system asks for stillness; the switch for moving counters has no say then. */
  get still(): boolean { return this.#still; }

  get motion(): boolean { return this.#choices.motion && !this.#still; }
  set motion(value: boolean) { this.#change({ motion: value }); }

  get pace(): Pace { return this.#choices.pace in PACES ? this.#choices.pace : DEFAULTS.pace; }
  set pace(value: Pace) { this.#change({ pace: value }); }

  /** Whether what happens is shown one thing after the other; else it is there at once, and listed. */
  get showing(): boolean { return this.motion && this.pace !== 'instant'; }

  get labels(): boolean { return this.#choices.labels; }
  set labels(value: boolean) { this.#change({ labels: value }); }

  get results(): boolean { return this.#choices.results; }
  set results(value: boolean) { this.#change({ results: value }); }

  get tutorial(): boolean { return this.#choices.tutorial; }
  set tutorial(value: boolean) { this.#change({ tutorial: value }); }

  /** Ask before every order; without it, orders that leave nothing to chance go at once. */
  get confirm(): boolean { return this.#choices.confirm; }
  set confirm(value: boolean) { this.#change({ confirm: value }); }

  /** A battle opens with its briefing. */
  get briefing(): boolean { return this.#choices.briefing; }
  set briefing(value: boolean) { this.#change({ briefing: value }); }

  /** Orders that are not possible now are laid out, however many. */
  get greyed(): boolean { return this.#choices.greyed; }
  set greyed(value: boolean) { this.#change({ greyed: value }); }

  get textSize(): TextSize { return this.#choices.textSize; }
  set textSize(value: TextSize) { this.#change({ textSize: value }); }

  get textScale(): number { return TEXT_SCALES[this.textSize] ?? 1; }

  /** Before a step ends, list who could still act; what would be lost is asked about in any case. */
  get checklist(): boolean { return this.#choices.checklist; }
  set checklist(value: boolean) { this.#change({ checklist: value }); }

  /** A step in which nothing can be done but to end it ends by itself. */
  get passing(): boolean { return this.#choices.passing; }
  set passing(value: boolean) { this.#change({ passing: value }); }

  /** The computer player that was chosen last. */
  get opponent(): string { return this.#choices.opponent; }
  set opponent(value: string) { this.#change({ opponent: value }); }

  /** Tell the player by the system's own means that it is his turn while he looks elsewhere. */
  get notify(): boolean { return this.#choices.notify; }
  set notify(value: boolean) { this.#change({ notify: value }); }

  /** What the player calls himself. */
  get called(): string { return this.#choices.called; }
  set called(value: string) { this.#change({ called: value }); }

  #change(part: Partial<Choices>): void {
    Object.assign(this.#choices, part);
    remember(KEY, this.#choices);
  }
}

export const settings = new Settings();
