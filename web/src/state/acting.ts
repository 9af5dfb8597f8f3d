// One step acted out on the map: who goes, who comes into sight and out of it, where a shot falls; then the table has it.
import { tick } from 'svelte';
import type { ToldStep } from '../api-types';
import { settings } from './settings.svelte';
import { flashesOf, journeyOf, type Flash, type Pieces } from './told';

/** Where happenings are shown; the map takes this part while it is on screen. */
export interface Stage {
  /** A unit goes along hexes, so many times as fast as usual; done when it has arrived. */
  move(unit: number, path: readonly number[], pace: number): Promise<void>;
  flash(flash: Flash): void;
  /** The hex is in the window. */
  attend(hex: number): void;
  /** Whatever moves is where it goes. */
  finish(): void;
}

/** How long a shot, and a counter that comes or goes, is looked at before the next thing happens. */
const SHOT_TIME = 450;
const SIGHT_TIME = 260;

/** A wait that can be cut short. */
export class Pause {
  #end: (() => void) | undefined;

  wait(time: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(() => this.end(), time);
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

/** What a step is acted out with. */
export interface Play {
  stage: Stage;
  pace: number;
  pause: Pause;
  /** Whether nobody has had enough of it meanwhile. */
  isOn(): boolean;
  /** Puts the step on the table; false when there is another table by now. */
  put(): boolean;
}

export async function enact(step: ToldStep, before: Pieces, { stage, pace, pause, isOn, put }: Play): Promise<void> {
  const { line, changed, gone } = step;
  const unit = line?.units?.[0] ?? 0;
  const way = journeyOf(line, before);
  const isKnown = way.length > 0 && !!before.get(unit)?.hex;
  const flashes = settings.results ? flashesOf(step, before) : [];
  const comes = (changed ?? []).find(({ id, hex }) => hex && !before.get(id)?.hex);
  const hasGone = (gone ?? []).some((id) => before.get(id)?.hex);
  const place = flashes[0]?.hex || (way.length ? 0 : comes?.hex);
  if (place && !line?.mine) stage.attend(place);
  if (isKnown) await stage.move(unit, way, pace);
  for (const flash of flashes) stage.flash(flash);
  if (!put()) return;
  await tick();
  // who was not seen before appears where he came into sight, and goes on from there
  if (way.length && !isKnown && isOn()) await stage.move(unit, way, pace);
  const time = flashes.length ? SHOT_TIME : !way.length && (comes || hasGone) ? SIGHT_TIME : 0;
  if (time && isOn()) await pause.wait(time / pace);
}
