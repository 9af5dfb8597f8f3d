// Guided first battles. A step is words, what to look at, and the condition, read from the table and the menu alone,
// that completes it; nothing here changes what a player may do.
import type { Desk } from '../state/desk.svelte';
import { hasWay } from '../state/orders.svelte';

export interface TutorialStep {
  title: string;
  text: string;
  /** Parts of the page to outline, by their data-testid. */
  parts?: string[];
  /** Hexes to mark on the map, by their printed number. */
  hexes?: string[];
  /** Absent: the player reads and goes on by the button. */
  done?: (desk: Desk) => boolean;
}

const inStep = (desk: Desk, kind: string) => desk.battle.isMine && desk.battle.decision?.kind === kind;
const isSelected = (desk: Desk, word: string) => desk.orders.pieces.some((piece) => piece.title.includes(word));
const hasBadge = (desk: Desk, word: string, badge: string) =>
  desk.battle.table?.pieces.some((piece) => desk.battle.isOwn(piece) && piece.title.includes(word) && piece.badges?.includes(badge)) ?? false;
const hasMoved = (desk: Desk) => desk.battle.log.some((line) => line.mine && line.path?.length);
const turn = (desk: Desk) => desk.battle.table?.turn ?? 0;
const later = (desk: Desk, kinds: string[], from = 1) => turn(desk) > from || kinds.some((kind) => inStep(desk, kind)) || !desk.battle.isMine;

const FIRST_PLATOON: TutorialStep[] = [
  {
    title: 'Take Le Mesnil',
    text: 'Blue is yours. The three houses, marked on the map, must be in your hands within five turns. A red rear guard holds them, with an anti-tank gun in the woods beside.',
    hexes: ['0604', '0605', '0705'],
  },
  {
    title: 'What is asked of you',
    text: 'The bar above always says whose decision it is, what is expected, and which rule asks. Click a rule number anywhere to read the rule. Now vehicles may move.',
    parts: ['prompt'],
  },
  {
    title: 'Choose a tank',
    text: 'Click the Sherman in 0309. By keyboard: press ] to go to the next unit with something to do.',
    hexes: ['0309'],
    done: (desk) => isSelected(desk, 'Sherman') || later(desk, ['foot movement']),
  },
  {
    title: 'Where it can go',
    text: 'The outlined hexes are in reach; the small numbers are the movement left there. Click 0507, south-west of the houses. Nothing is ordered yet.',
    hexes: ['0507'],
    done: (desk) => (desk.orders.target ? hasWay(desk.orders.target) : false) || hasMoved(desk) || later(desk, ['foot movement']),
  },
  {
    title: 'See before you commit',
    text: 'The panel shows the order, the chances and every number behind them. Confirm with the button, with Enter, or by clicking the hex again.',
    parts: ['preview'],
    done: (desk) => hasMoved(desk) || later(desk, ['foot movement']),
  },
  {
    title: 'The other tank, then on',
    text: 'Move the second Sherman up as well. A move that showed you nothing new can be undone. When the tanks stand where you want them, end the phase with the button above.',
    parts: ['verb-end', 'undo'],
    done: (desk) => later(desk, ['foot movement']),
  },
  {
    title: 'Riflemen forward',
    text: 'Men on foot walk one hex a turn. Double-click 0508 to choose both platoons there and send them to 0507 or 0607, move the third, and end the phase.',
    hexes: ['0508', '0407'],
    done: (desk) => turn(desk) > 1 || !desk.battle.isMine || inStep(desk, 'close assault'),
  },
  {
    title: 'The enemy’s turn',
    text: 'The computer plays the rear guard. Everything it does that you can see moves on the map and is written in the log; lines with a ▸ unfold into the numbers behind them.',
    parts: ['log'],
    done: (desk) => turn(desk) > 1 && desk.battle.isMine,
  },
  {
    title: 'Who sees whom',
    text: 'Click one of your tanks, press L and point at a house: the line, what blocks it, and the ground in cross-section. Escape puts it away.',
    done: (desk) => desk.looking.ray?.line !== undefined || turn(desk) > 2,
  },
  {
    title: 'Open fire',
    text: 'When the bar says “Direct fire”, choose a Sherman: what it can fire at is ringed, with the odds. Click a target, compare the ways to do it, and confirm. If nothing is in sight, move closer first.',
    parts: ['orders'],
    done: (desk) => hasBadge(desk, 'Sherman', 'fired') || turn(desk) > 3,
  },
  {
    title: 'Storm the houses',
    text: 'Riflemen beside a house at the end of their move can close assault it. An enemy dispersed by fire in the same turn is much easier to storm. The rest is yours: good luck.',
    hexes: ['0604', '0605', '0705'],
  },
];

export const TUTORIALS: Record<string, TutorialStep[]> = { 'pl-first-platoon': FIRST_PLATOON };
