// One step acted out on the map: who goes, who comes into sight and out of it, where a shot falls; then the table has it.
import { tick } from 'svelte';
import type { ToldStep } from '../api-types';
import { isMove, type Beat } from './beats';
import type { Playback } from './playback.svelte';
import { settings } from './settings.svelte';
import { flashesOf, journeyOf, seenAt, type Flash, type Pieces } from './told';

/** Where happenings are shown; the map takes this part while it is on screen. */
export interface Stage {
  /** A unit goes along hexes, so many times as fast as usual; done when it has arrived. */
  move(unit: number, path: readonly number[], pace: number): Promise<void>;
  /** A result shows for a moment. */
  flash(flash: Flash): void;
  /** A result shows until it is released. */
  hold(flash: Flash): void;
  release(): void;
  /** A map that was moved off its place to show something lies whole again, if it did before. */
  restore(): void;
  /** The hexes are in the window; true when the map had to be moved for it. */
  attend(hexes: readonly number[]): boolean;
  /** Whatever moves is where it goes. */
  finish(): void;
}

/** How long a shot is looked at before what came of it, and a counter that comes or goes before the next thing happens. */
const SHOT_TIME = 450;
const SIGHT_TIME = 260;
/** How long the eye takes to follow a map that was moved. */
const GLIDE_TIME = 300;

/** What a beat is acted out with. */
export interface Play {
  stage: Stage;
  playback: Playback;
  /** Whether nobody has had enough of it meanwhile. */
  isOn(): boolean;
  /** Puts a step on the table; false when there is another table by now. */
  put(step: ToldStep): boolean;
  /** Puts a step on the table that is not acted out. */
  pass(step: ToldStep): void;
}

/** Shows a beat from its beginning until it was looked at; whoever has enough in between has all of it at once. */
export async function perform(beat: Beat, before: Pieces, play: Play): Promise<void> {
  const { stage, playback, isOn, pass } = play;
  await playback.next(beat, isOn);
  if (isOn() && beat.lead) {
    stage.release();
    if (!beat.lead.mine && stage.attend(placesOf(beat, before))) await playback.pause.wait(GLIDE_TIME / playback.pace);
  }
  for (const [n, step] of beat.steps.entries()) {
    if (!isOn()) pass(step);
    else if (!(await enact(step, before, play, n < beat.steps.length - 1))) return;
  }
  if (isOn()) await playback.linger(beat);
}

/** Where something of a beat is to be seen. */
function placesOf(beat: Beat, before: Pieces): number[] {
  const places = beat.steps.flatMap((step) => {
    const way = journeyOf(step.line, before);
    const flashes = flashesOf(step, before).flatMap(({ hex, from }) => [...from, hex]);
    const come = (step.changed ?? []).filter(({ id, hex }) => hex && !seenAt(id, before)).map(({ hex }) => hex);
    return [...way, ...flashes, ...(isMove(step.line) ? [] : come)];
  });
  return [...new Set(places.filter(Boolean))];
}

/** False when there is another table by now. */
async function enact(step: ToldStep, before: Pieces, { stage, playback, isOn, put }: Play, hasMore: boolean): Promise<boolean> {
  const { line, changed, gone } = step;
  const { pace, pause } = playback;
  const unit = line?.units?.[0] ?? 0;
  const way = journeyOf(line, before);
  const isKnown = way.length > 0 && !!seenAt(unit, before);
  const flashes = settings.results ? flashesOf(step, before) : [];
  const comes = (changed ?? []).some(({ id, hex }) => hex && !seenAt(id, before));
  const hasGone = (gone ?? []).some((id) => before.get(id)?.hex);
  const passing = isKnown || !way.length ? undefined : changed?.find(({ id, last_seen }) => id === unit && last_seen);
  if (passing) {
    // who only passes is there to be seen on his way, and is remembered at its end
    if (!put({ changed: [{ ...passing, last_seen: 0 }] })) return false;
    await tick();
  }
  if (isKnown || (passing && isOn())) await stage.move(unit, way, pace);
  for (const flash of flashes) stage.hold(flash);
  if (!put(step)) return false;
  await tick();
  // who was not seen before appears where he came into sight, and goes on from there
  if (way.length && !isKnown && !passing && isOn()) await stage.move(unit, way, pace);
  const time = flashes.length ? (hasMore ? SHOT_TIME : 0) : passing || (!way.length && (comes || hasGone)) ? SIGHT_TIME : 0;
  if (time && isOn()) await pause.wait(time / pace);
  return true;
}
