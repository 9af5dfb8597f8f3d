// What ends the steps of a tutorial, and where they point: read from the table, the menu and the selection alone.
import type { TutorialCondition, TutorialStep } from '../api-types';
import type { Desk } from './desk.svelte';
import { parseLabel } from './hexes';

/** Whether everything that a condition asks for has come about. */
export function holds(desk: Desk, one: TutorialCondition): boolean {
  const { battle, orders, looking } = desk;
  return (
    (!one.ordered || orders.given.includes(one.ordered)) &&
    (!one.planned || orders.plan?.verb.key === one.planned) &&
    (!one.selected?.length || orders.pieces.some((piece) => one.selected!.includes(piece.name ?? ''))) &&
    (!one.unit || (one.at ?? []).some((label) => battle.label(hexOf(desk, one.unit!)) === label)) &&
    (!one.decision || (battle.isMine && battle.decision?.kind === one.decision)) &&
    (one.waiting == null || one.waiting === !battle.isMine) &&
    (!one.turn || (battle.table?.turn ?? 0) >= one.turn) &&
    (!one.sight || looking.ray?.line !== undefined)
  );
}

export const isDone = (desk: Desk, step: TutorialStep): boolean => step.until?.some((one) => holds(desk, one)) ?? false;

/** Where a unit of ours stands, by its name in the scenario; 0 off the map. */
function hexOf(desk: Desk, name: string): number {
  return desk.battle.table?.pieces.find((piece) => piece.name === name)?.hex ?? 0;
}

/** The hexes a step points at: those it names and those where its units stand now. */
export function hexesOf(desk: Desk, step: TutorialStep): number[] {
  const size = desk.battle.scenario?.board;
  const named = size ? (step.hexes ?? []).map((label) => parseLabel(label, size)) : [];
  return [...named, ...(step.units ?? []).map((name) => hexOf(desk, name))].filter(Boolean);
}

type Panel = NonNullable<TutorialStep['panels']>[number];

/** The data-testid of each part of the page that a step can name. */
const PARTS: Record<Panel, string> = {
  prompt: 'prompt', undo: 'undo', orders: 'orders', preview: 'preview', unit: 'unit-panel', hex: 'hex-panel', sight: 'sight', log: 'log',
};

/** The parts of the page a step points at, by their data-testid. */
export function partsOf(step: TutorialStep): string[] {
  return [...(step.panels ?? []).map((panel) => PARTS[panel]), ...(step.verbs ?? []).map((key) => `verb-${key}`)];
}
