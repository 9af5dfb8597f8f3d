// What happens is shown one thing after the other, at the pace the player has chosen: he stops it, steps on, and reads the last of it
// as long as he likes.
import type { LogLine } from '../api-types';
import { captionOf, isTitle, type Beat } from './beats';
import { PACES, settings } from './settings.svelte';

/** How long a move of others is looked at before the next thing happens, and what is more of the same, such as one landing after the other. */
const MOVE_TIME = 450;
/** What it takes to read the rest. */
const READING_TIME = 800;
const TIME_PER_SIGN = 20;
const LONGEST_READING = 3600;
/** How long a player looks at what he ordered himself. */
const OWN_TIME = 450;

/** A wait that can be cut short. */
export class Pause {
  #end: (() => void) | undefined;

  wait(time: number): Promise<void> {
    return new Promise((done) => {
      const timer = time === Infinity ? undefined : setTimeout(() => this.end(), time);
      this.#end = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  end(): void {
    const end = this.#end;
    this.#end = undefined;
    end?.();
  }
}

export class Playback {
  /** What is shown, or was shown last. */
  beat = $state.raw<Beat>();
  /** Where in the turn that is. */
  title = $state('');
  isPaused = $state(false);
  /** The showing is over, and what was shown last stays to be read until the player goes on. */
  isHeld = $state(false);
  /** What happened is listed beside the map. */
  isListed = $state(false);
  readonly pause = new Pause();
  readonly #gate = new Pause();
  #title = '';
  #isMore = false;

  get pace(): number {
    return PACES[settings.pace];
  }

  caption = $derived.by((): string => (this.beat ? captionOf(this.beat) : ''));

  /** The next thing is about to be shown; while the player has stopped the showing, not before he says so. */
  async next(beat: Beat, isOn: () => boolean): Promise<void> {
    if (isTitle(beat.lead)) {
      this.#title = captionOf(beat);
      return;
    }
    if (!beat.lead) return;
    // the gate opens for one thing at a time
    if (this.isPaused && isOn()) await this.#gate.wait(Infinity);
    if (!isOn()) return;
    this.isHeld = false;
    this.#isMore = isMoreOf(beat, this.beat);
    this.beat = beat;
    // what stays to be read stays under the title of its own time
    this.title = this.#title;
  }

  /** The player has had time to read it. */
  async linger(beat: Beat): Promise<void> {
    const time = this.#isMore ? MOVE_TIME : timeOf(beat);
    if (time) await this.pause.wait(time / this.pace);
  }

  toggle(): void {
    this.isPaused = !this.isPaused;
    if (!this.isPaused) this.#gate.end();
  }

  /** On to the next thing now. */
  step(): void {
    this.pause.end();
    this.#gate.end();
  }

  /** All is shown; what was last stays if there is something to read. */
  end(): void {
    this.isPaused = false;
    const { beat } = this;
    if (beat?.lead && (!beat.lead.mine || beat.lines.some(isNews))) this.isHeld = true;
    else this.clear();
  }

  /** Nothing is shown any more. */
  clear(): void {
    this.beat = undefined;
    this.isHeld = false;
    this.isPaused = false;
    this.step();
  }
}

/** Whether a line tells a player something he could not know when he gave the order. */
const isNews = ({ tone }: LogLine): boolean => tone === 'act' || tone === 'contact';

/** Whether all that came of it is that nobody was hurt: that is read at a glance. */
function cameToNothing({ lines }: Beat): boolean {
  const results = lines.flatMap(({ brief }) => brief || []);
  return results.length > 0 && results.every((brief) => brief === '0');
}

/** Whether nothing came of it but itself: no fight, no die, no harm. */
const isQuiet = ({ lines }: Beat): boolean => lines.every((line) => !isNews(line) && line.tone !== 'loss' && !line.brief && !line.lines?.length);

const kindsOf = ({ lines }: Beat): string => lines.map(({ kind }) => kind).join();

/** Whether another does the same as the one before, and as quietly. */
const isMoreOf = (beat: Beat, before: Beat | undefined): boolean => before !== undefined && isQuiet(beat) && kindsOf(beat) === kindsOf(before);

function timeOf(beat: Beat): number {
  const { lead } = beat;
  if (!lead || isTitle(lead)) return 0;
  if (lead.mine) return isNews(lead) ? OWN_TIME : 0;
  const reading = Math.min(LONGEST_READING, READING_TIME + TIME_PER_SIGN * captionOf(beat).length);
  if (beat.lines.length === 1 && lead.path?.length) return MOVE_TIME;
  return cameToNothing(beat) ? reading / 2 : reading;
}
