"""Builds with a seeded leak, each modeled on one that real games have had; every one must be caught by twin worlds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.battle import asking, authority, battles, ledger, observation
from sandtable.battle.authority import Battle
from sandtable.battle.chatting import Chatting
from sandtable.battle.observation import Account, Noticed
from sandtable.battle.observed import Log, Menu, Observation, Preview, ToldStep, Whole
from sandtable.battle.undo import Undoing
from sandtable.kernel import codec, engine
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.forecast import forecast
from sandtable.kernel.state import Outcome, Told, View
from sandtable.rulesets.panzer_leader import opportunity, visibility
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.battle import probing
from tests.battle.kit import WATCHER
from tests.kit.toy import BLUE, RED

Patch = pytest.MonkeyPatch
Mutant = Callable[[Patch], None]


def truth(state: Any, view: View[Any]) -> View[Any]:
    """The view with everything in it."""
    return replace(view, position=state.position)


def raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(codec.encode(value))


def changed(patch: Patch, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """The function hands its result, and all it was given, to `change`."""
    real = getattr(owner, name)
    patch.setattr(owner, name, lambda *given, **named: change(real(*given, **named), *given))


# views and menus


def view_holds_the_true_position(patch: Patch) -> None:
    changed(
        patch, Battle, "view", lambda sight, battle, seat: replace(sight, position=raw(battle.ledger.state.position))
    )


def true_pieces(battle: Battle, seat: str) -> Any:
    """Every piece there is."""
    ruleset, state = battle.rules.ruleset, battle.ledger.state
    return ruleset.pieces(truth(state, ruleset.view(state, battle.seats[seat].side or RED)))


def view_draws_hidden_pieces(patch: Patch) -> None:
    changed(patch, Battle, "view", lambda sight, battle, seat: replace(sight, pieces=true_pieces(battle, seat)))


def view_counts_units(patch: Patch) -> None:
    def change(sight: Any, battle: Battle, seat: str) -> Any:
        return replace(sight, digest=f"{sight.digest} of {len(battle.ledger.state.position.units)}")

    changed(patch, Battle, "view", change)


def view_digest_covers_the_truth(patch: Patch) -> None:
    changed(patch, Battle, "view", lambda sight, battle, seat: replace(sight, digest=codec.digest(battle.ledger.state)))


def menu_sees_the_truth(patch: Patch) -> None:
    def menu(ruleset: Any, state: Any, side: Any, number: int, selection: Any) -> Any:
        return Menu(number, ruleset.menu(truth(state, ruleset.view(state, side)), selection))

    patch.setattr(observation, "menu", menu)


def menu_texts_tell_the_truth(patch: Patch) -> None:
    def change(menu: Any, ruleset: Any, state: Any, *_: Any) -> Any:
        text = str(sum(unit.cell for unit in state.position.units))
        verbs = tuple(
            replace(verb, targets=tuple(replace(target, text=text) for target in verb.targets)) for verb in menu.verbs
        )
        return replace(menu, verbs=verbs)

    changed(patch, observation, "menu", change)


def the_table_draws_hidden_pieces(patch: Patch) -> None:
    changed(patch, Battle, "table", lambda table, battle, seat: replace(table, pieces=true_pieces(battle, seat)))


def the_table_tells_how_the_battle_really_stands(patch: Patch) -> None:
    def change(around: Any, ruleset: Any, state: Any, *_: Any) -> Any:
        return replace(around, standing=ruleset.standing(truth(state, ruleset.view(state, BLUE))))

    changed(patch, observation, "situation", change)


def questions_are_answered_on_the_truth(patch: Patch, name: str) -> None:
    """A question about the table reaches the rules with the true position."""
    real = getattr(observation, name)

    def asked(battle: Battle, seat: str, *given: Any) -> Any:
        ruleset, state = battle.rules.ruleset, battle.ledger.state
        return battle._answered(seat, lambda view: real(ruleset, truth(state, view), *given))

    patch.setattr(Battle, name, asked)


def threats_are_all_enemies(patch: Patch) -> None:
    questions_are_answered_on_the_truth(patch, "ground")


def a_field_is_seen_by_the_truth(patch: Patch) -> None:
    questions_are_answered_on_the_truth(patch, "field")


def a_card_tells_of_hidden_units(patch: Patch) -> None:
    questions_are_answered_on_the_truth(patch, "unit")


def a_refusal_to_point_there_tells_of_hidden_units(patch: Patch) -> None:
    def change(found: Any, battle: Battle, seat: str, verb: str, selection: Any, target: Any) -> Any:
        unit = battle.ledger.state.position.at(target.hex)
        return replace(found, refusal=observation.denial(str(unit))) if unit else found

    changed(patch, Battle, "why_not", change)


def the_order_of_battle_counts_hidden_units(patch: Patch) -> None:
    questions_are_answered_on_the_truth(patch, "forces")


def a_highlight_marks_hidden_units(patch: Patch) -> None:
    questions_are_answered_on_the_truth(patch, "highlight")


def a_report_counts_hidden_units(patch: Patch) -> None:
    questions_are_answered_on_the_truth(patch, "report")


def the_ready_are_counted_with_the_enemys(patch: Patch) -> None:
    def change(found: Any, battle: Battle, seat: str) -> Any:
        return replace(found, units=tuple(unit.id for unit in battle.ledger.state.position.units))

    changed(patch, Battle, "ready", change)


def a_line_of_sight_names_what_stands_there(patch: Patch) -> None:
    def change(trace: Any, battle: Battle, seat: str, a: Any, b: Any) -> Any:
        unit = battle.ledger.state.position.at(b)
        return replace(trace, line=replace(trace.line, hex=unit.cell if unit else 0))

    changed(patch, Battle, "trace", change)


def failed_questions_pass_errors_on(patch: Patch) -> None:
    real = Battle._answered

    def answered(battle: Battle, seat: str, answer: Any) -> Any:
        try:
            return real(battle, seat, answer)
        except asking.Untold:
            raise asking.Untold(str(battle.ledger.state.position.units)) from None

    patch.setattr(Battle, "_answered", answered)


def computers_are_given_the_truth(patch: Patch) -> None:
    changed(patch, Battle, "knowledge", lambda view, battle, seat: truth(battle.ledger.state, view))


def workers_are_given_the_truth(patch: Patch) -> None:
    changed(
        patch,
        Battle,
        "belief",
        lambda belief, battle, seat: replace(belief, position=raw(battle.ledger.state.position)),
    )


def workers_are_given_the_seed(patch: Patch) -> None:
    changed(
        patch,
        observation,
        "belief",
        lambda belief, header, view: replace(belief, options={**belief.options, "seed": header.seed}),
    )


def progress_counts_the_units_left(patch: Patch) -> None:
    def change(progress: Any, ruleset: Any, state: Any) -> Any:
        return replace(progress, turn=progress.turn * 100 + len(state.position.units))

    changed(patch, observation, "progress", change)


# looking back


def the_past_is_shown_as_it_was(patch: Patch) -> None:
    def change(past: Any, ruleset: Any, state: Any, side: Any, *_: Any) -> Any:
        pieces = ruleset.pieces(truth(state, ruleset.view(state, side)))
        return replace(past, table=replace(past.table, pieces=pieces))

    changed(patch, observation, "as_seen", change)


def the_past_counts_the_whole_log(patch: Patch) -> None:
    changed(patch, Battle, "as_seen", lambda past, battle, *_: replace(past, last=battle.ledger.lines))


def the_whole_battle_is_replayed_before_its_end(patch: Patch) -> None:
    real = Battle.as_it_was

    def as_it_was(battle: Battle, seat: str, number: int) -> Any:
        ledger = battle._ledger
        battle._ledger = replace(ledger, outcome=Outcome(None, "draw"))
        try:
            return real(battle, seat, number)
        finally:
            battle._ledger = ledger

    patch.setattr(Battle, "as_it_was", as_it_was)


def preview_sees_the_truth(patch: Patch) -> None:
    def preview(ruleset: Any, state: Any, side: Any, number: int, order: Any, *_: Any) -> Any:
        odds = forecast(ruleset, truth(state, ruleset.view(state, side)), order)
        return Preview(number, refusal=odds) if isinstance(odds, Refusal) else Preview(number, odds)

    patch.setattr(observation, "preview", preview)


def undo_is_offered_by_the_whole_table(patch: Patch) -> None:
    """An order is called final because somebody else, unseen, has ordered since."""
    real = Undoing.body
    patch.setattr(
        Undoing,
        "body",
        lambda undoing, ledger, side: (
            real(undoing, ledger, side) if ledger.takeable.get(side, (0,))[-1] == ledger.lines - 1 else None
        ),
    )


# events and sentences


def events_are_not_redacted(patch: Patch) -> None:
    """What happened is told to everybody as it happened."""

    def change(played: Any, *_: Any) -> Any:
        if isinstance(played, Refusal):
            return played
        told = {
            viewer: tuple(Told(event, played.state.known.positions[viewer]) for event in played.events)
            for viewer in played.told
        }
        return replace(played, told=told)

    changed(patch, authority, "submit", change)
    changed(patch, ledger, "replayed", change)


def numbers_count_the_whole_log(patch: Patch) -> None:
    def change(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        return tuple(replace(one, number=battle.ledger.entries - len(told) + n) for n, one in enumerate(told))

    changed(patch, Battle, "events", change)


def empty_news(turn: int, account: Account) -> Noticed:
    """Something is noticed although there was nothing to notice."""
    return Noticed(Observation(account.number + 1, turn, account.digest), replace(account, number=account.number + 1))


def unseen_orders_make_empty_news(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, change: Any, witness: Any, *_: Any) -> Any:
        return seen or (empty_news(1, witness.account),)

    changed(patch, ledger, "noticed", change)


def unseen_undos_make_empty_news(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, change: Any, witness: Any, *_: Any) -> Any:
        return seen or empty_news(1, witness.account)

    changed(patch, ledger, "taken_back", change)


def with_steps(seen: Any, alter: Callable[[ToldStep], ToldStep]) -> Any:
    """What was noticed, with each step altered."""
    if not isinstance(seen, Noticed):
        return seen and tuple(with_steps(one, alter) for one in seen)
    steps = tuple(map(alter, seen.observation.steps))
    return seen._replace(observation=replace(seen.observation, steps=steps))


def sentences_are_told_from_the_truth(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, change: Any, *_: Any) -> Any:
        units = change.after.position.units
        text = f" ({len(units)} units left, {sum(unit.cell for unit in units)})"

        def alter(step: ToldStep) -> ToldStep:
            return step if step.line is None else replace(step, line=replace(step.line, text=step.line.text + text))

        return with_steps(seen, alter)

    changed(patch, ledger, "noticed", change)


# the pieces that come and go with each event


def a_hidden_piece_is_told_too_early(patch: Patch) -> None:
    """The pieces of a step are those of the true position after it."""

    def change(seen: Any, ruleset: Any, change: Any, witness: Any, *_: Any) -> Any:
        view = ruleset.view(change.after, witness.side)
        pieces = tuple(p for p in ruleset.pieces(truth(change.after, view)) if p not in ruleset.pieces(view))
        return with_steps(seen, lambda step: replace(step, changed=(*step.changed, *pieces)))

    changed(patch, ledger, "noticed", change)


def a_hidden_id_is_among_the_gone(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, change: Any, witness: Any, *_: Any) -> Any:
        known = {unit.id for unit in change.after.known.positions[witness.side].units}
        hidden = tuple(unit.id for unit in change.after.position.units if unit.id not in known)
        return with_steps(seen, lambda step: replace(step, gone=(*step.gone, *hidden)))

    changed(patch, ledger, "noticed", change)


def a_step_tells_that_there_was_another_nobody_could_see(patch: Patch) -> None:
    """An event that was kept from a viewer leaves an empty step behind."""

    def change(seen: Any, ruleset: Any, change: Any, *_: Any) -> Any:
        empty = tuple(ToldStep() for unit in change.after.position.units if getattr(unit, "watching", False))
        return tuple(
            one._replace(observation=replace(one.observation, steps=(*one.observation.steps, *empty))) for one in seen
        )

    changed(patch, ledger, "noticed", change)


def a_step_marks_where_the_truth_stands(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, change: Any, *_: Any) -> Any:
        cell = sum(unit.cell for unit in change.after.position.units)
        return with_steps(
            seen, lambda step: step if step.line is None else replace(step, line=replace(step.line, hex=cell))
        )

    changed(patch, ledger, "noticed", change)


def an_undo_takes_back_the_pieces_of_the_truth(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, change: Any, witness: Any, *_: Any) -> Any:
        view = ruleset.view(change.after, witness.side)
        pieces = ruleset.pieces(truth(change.after, view))
        return with_steps(seen, lambda step: replace(step, changed=pieces))

    changed(patch, ledger, "taken_back", change)


def a_situation_tells_by_what_did_not_change(patch: Patch) -> None:
    """Something small beside the table changes with what nobody could see."""
    changed(
        patch,
        Battle,
        "situation",
        lambda around, battle, seat: replace(around, step=f"{around.step} {battle.ledger.entries}"),
    )


def pages_of_the_log_count_the_whole_log(patch: Patch) -> None:
    changed(patch, Battle, "log", lambda part, battle, seat, *_: replace(part, first=battle.ledger.lines))


def the_enemys_orders_are_told(patch: Patch) -> None:
    """The text of an order, also of a secret one, goes to everybody who noticed that there was one."""
    real = ledger._add

    def add(rules: Any, before: Any, line: Any, played: Any) -> Any:
        after = real(rules, before, line, played)
        logs = {
            side: (*log[:-1], replace(log[-1], order=bytes(line.order).decode()))
            if after.number(side) > before.number(side)
            else log
            for side, log in after.tail.logs.items()
        }
        return replace(after, tail=replace(after.tail, logs=logs))

    patch.setattr(ledger, "_add", add)


def the_opening_tells_the_set_up(patch: Patch) -> None:
    def change(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        units = battle.rules.opening.position.units
        return tuple(replace(one, order=str(units)) if one.number == 1 else one for one in told)

    changed(patch, Battle, "events", change)


def draws_are_sent_as_they_fell(patch: Patch) -> None:
    def change(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        rows = [ledger.body_of(row) for row in battle._store.rows(battle.id)]
        draws = [draw for body in rows for line in body.lines for draw in line.draws]
        return tuple(replace(one, steps=(*one.steps, *draws)) for one in told)

    changed(patch, Battle, "events", change)


# answers and errors


def refusals_are_judged_on_the_truth(patch: Patch) -> None:
    real = engine.submit

    def submit(ruleset: Any, state: Any, side: Any, order: Any) -> Any:
        return ruleset.check(truth(state, ruleset.view(state, side)), order) or real(ruleset, state, side, order)

    patch.setattr(authority, "submit", submit)


def refusals_say_what_is_in_the_way(patch: Patch) -> None:
    real = engine.submit

    def submit(ruleset: Any, state: Any, side: Any, order: Any) -> Any:
        answer = real(ruleset, state, side, order)
        at = getattr(order, "to", 0)
        if isinstance(answer, Refusal) and state.position.at(at):
            return replace(answer, detail=str(state.position.at(at)))
        return answer

    patch.setattr(authority, "submit", submit)


def errors_are_passed_on(patch: Patch) -> None:
    texts: list[str] = []
    patch.setattr(Battle, "_blame", lambda self, what, error: texts.append(str(error)))
    real = observation.denial
    patch.setattr(
        observation,
        "denial",
        lambda reason: real(f"{reason}: {texts[-1]}" if reason.startswith("the rules") else reason),
    )


def previews_pass_errors_on(patch: Patch) -> None:
    """The odds fail, and what failed is told with the table as it is."""

    def change(odds: Any, battle: Battle, seat: str, order: Any) -> Any:
        if odds.refusal is not None and "can't be told" in odds.refusal.reason:
            return replace(odds, refusal=replace(odds.refusal, detail=str(battle.ledger.state.position.units)))
        return odds

    changed(patch, Battle, "preview", change)


def a_stale_order_tells_how_long_the_log_is(patch: Patch) -> None:
    changed(
        patch,
        Battle,
        "submit",
        lambda answer, battle, *_: (
            replace(answer, number=battle.ledger.entries) if answer.verdict == "stale" else answer
        ),
    )


def a_refused_order_tells_the_chain(patch: Patch) -> None:
    def change(answer: Any, battle: Battle, *_: Any) -> Any:
        if answer.verdict != "refused":
            return answer
        return replace(answer, refusal=replace(answer.refusal, detail=f"log {battle.ledger.chain}"))

    changed(patch, Battle, "submit", change)


def commands_are_shared_by_all_seats(patch: Patch) -> None:
    patch.setattr(authority, "_stored", lambda place, command: command)


def an_undo_answers_with_the_truth(patch: Patch) -> None:
    def change(answer: Any, battle: Battle, seat: str, *_: Any) -> Any:
        return replace(answer, refusal=observation.denial(str(battle.ledger.state.position.units)))

    changed(patch, Battle, "undo", change)


# exports, lists and the spectators


def the_export_holds_every_entry(patch: Patch) -> None:
    def export(battle: Battle, seat: str) -> Any:
        return Whole(battle.record())

    patch.setattr(Battle, "export", export)


def the_export_holds_the_seed(patch: Patch) -> None:
    patch.setattr(observation, "sealed_header", lambda header: header)


def the_export_holds_both_accounts(patch: Patch) -> None:
    def change(export: Any, battle: Battle, seat: str) -> Any:
        if not isinstance(export, Log):
            return export
        return replace(export, observations=tuple(one for log in battle.ledger.tail.logs.values() for one in log))

    changed(patch, Battle, "export", change)


def the_list_counts_orders(patch: Patch) -> None:
    changed(
        patch,
        battles.Battles,
        "_card",
        lambda card, one, charter: replace(card, title=f"{card.title}, {len(one.store.rows(charter.id))} orders"),
    )


def the_list_tells_the_time_of_the_last_order(patch: Patch) -> None:
    def dated(card: Any, one: Any, charter: Any) -> Any:
        return replace(card, created=one.store.rows(charter.id)[-1].at)

    changed(patch, battles.Battles, "_card", dated)


def spectators_hear_at_once(patch: Patch) -> None:
    patch.setattr(authority, "released", lambda ledger: ledger.entries)


def overheard(patch: Patch, audience: Callable[[str], str]) -> None:
    """Who asks for the talk of a side is told that of another."""

    def chat(battle: Battle, seat: str, to: str, before: int = 0, most: int = 9) -> Any:
        said = battle._store.chat(battle.id, "" if to == "all" else audience(seat), 99, 9, battle.ledger.entries)
        return observation.chat_part(to, said, battle.seats)

    patch.setattr(Chatting, "chat", chat)


def the_talk_of_the_other_side_is_told(patch: Patch) -> None:
    overheard(patch, lambda seat: BLUE if seat == RED else RED)


def spectators_hear_the_talk_of_a_side(patch: Patch) -> None:
    overheard(patch, lambda seat: RED)


def spectators_hear_what_one_side_hears(patch: Patch) -> None:
    def events(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        return battle._released().tail.logs.get(BLUE, ()) if seat == WATCHER else told

    changed(patch, Battle, "events", events)


def spectators_see_what_one_side_sees(patch: Patch) -> None:
    def table(shown: Any, battle: Battle, seat: str) -> Any:
        if seat != WATCHER or not shown.turn:
            return shown
        ruleset, state = battle.rules.ruleset, battle._released().state
        return replace(shown, pieces=ruleset.pieces(ruleset.view(state, BLUE)))

    changed(patch, Battle, "table", table)


def spectators_see_the_truth(patch: Patch) -> None:
    def change(sight: Any, battle: Battle, seat: str) -> Any:
        return replace(sight, position=raw(battle.ledger.state.position)) if seat == WATCHER else sight

    changed(patch, Battle, "view", change)


# free scouts under fog: the oracle of `tests.battle.probing` that each is asked by


def a_barred_move_can_be_taken_back(patch: Patch) -> None:
    """Only a move that brought something to light is final, and a truck that is stopped sees nothing."""
    patch.setattr(PanzerLeader, "may_undo", lambda ruleset, view, order: True)


def a_look_can_be_taken_back(patch: Patch) -> None:
    """What came into sight on the way and is out of it again at the end does not count."""
    patch.setattr(PanzerLeader, "may_undo", lambda ruleset, view, order: True)
    patch.setattr(engine, "is_discovery", lambda told: False)


def who_sets_up_sees_the_enemy(patch: Patch) -> None:
    patch.setattr(visibility, "is_set_up_unseen", lambda position: False)


def a_move_halts_only_where_somebody_may_fire(patch: Patch) -> None:
    """The move goes on in one piece unless a hidden gun watches it."""
    patch.setattr(opportunity, "_could_be_watched", lambda position, id: False)


def nobody_is_asked_whose_missions_keep_him_from_firing(patch: Patch) -> None:
    """The chance to fire comes only to those who can use it."""
    real = opportunity.window_for

    def window_for(position: Any, unit: Any) -> Any:
        found = real(position, unit)
        return found if found is not None and found.firers else None

    patch.setattr(opportunity, "window_for", window_for)


def a_move_that_is_let_go_by_as_a_whole_halts_no_more(patch: Patch) -> None:
    """Where nobody is asked any more, nothing is told either."""
    patch.setattr(opportunity, "go_by", lambda resolution, id: None)


SCOUTS: dict[Mutant, Callable[[], int]] = {
    a_barred_move_can_be_taken_back: probing.probe_and_undo,
    a_look_can_be_taken_back: probing.glimpse,
    who_sets_up_sees_the_enemy: probing.set_up_look,
    a_move_halts_only_where_somebody_may_fire: probing.window,
    nobody_is_asked_whose_missions_keep_him_from_firing: probing.missions,
    a_move_that_is_let_go_by_as_a_whole_halts_no_more: probing.whole_move,
}

MUTANTS: dict[Mutant, tuple[str, str]] = {
    view_holds_the_true_position: ("positions", RED),
    view_draws_hidden_pieces: ("positions", RED),
    view_counts_units: ("counts", RED),
    view_digest_covers_the_truth: ("positions", RED),
    menu_sees_the_truth: ("positions", RED),
    menu_texts_tell_the_truth: ("positions", RED),
    the_table_draws_hidden_pieces: ("positions", RED),
    the_table_tells_how_the_battle_really_stands: ("counts", RED),
    threats_are_all_enemies: ("counts", RED),
    a_field_is_seen_by_the_truth: ("positions", RED),
    a_card_tells_of_hidden_units: ("positions", RED),
    a_refusal_to_point_there_tells_of_hidden_units: ("positions", RED),
    the_order_of_battle_counts_hidden_units: ("counts", RED),
    a_highlight_marks_hidden_units: ("positions", RED),
    a_report_counts_hidden_units: ("counts", RED),
    the_ready_are_counted_with_the_enemys: ("counts", RED),
    a_line_of_sight_names_what_stands_there: ("positions", RED),
    failed_questions_pass_errors_on: ("positions", RED),
    computers_are_given_the_truth: ("positions", RED),
    workers_are_given_the_truth: ("positions", RED),
    workers_are_given_the_seed: ("positions", RED),
    progress_counts_the_units_left: ("counts", RED),
    the_past_is_shown_as_it_was: ("positions", RED),
    the_past_counts_the_whole_log: ("orders", RED),
    the_whole_battle_is_replayed_before_its_end: ("positions", RED),
    preview_sees_the_truth: ("counts", BLUE),
    undo_is_offered_by_the_whole_table: ("melee", RED),
    events_are_not_redacted: ("orders", RED),
    numbers_count_the_whole_log: ("orders", RED),
    unseen_orders_make_empty_news: ("orders", RED),
    unseen_undos_make_empty_news: ("undone", RED),
    sentences_are_told_from_the_truth: ("positions", BLUE),
    a_hidden_piece_is_told_too_early: ("positions", RED),
    a_hidden_id_is_among_the_gone: ("counts", RED),
    a_step_tells_that_there_was_another_nobody_could_see: ("orders", RED),
    a_step_marks_where_the_truth_stands: ("positions", RED),
    an_undo_takes_back_the_pieces_of_the_truth: ("positions", RED),
    a_situation_tells_by_what_did_not_change: ("orders", RED),
    pages_of_the_log_count_the_whole_log: ("orders", RED),
    the_enemys_orders_are_told: ("plots", RED),
    the_opening_tells_the_set_up: ("positions", RED),
    draws_are_sent_as_they_fell: ("undone", RED),
    refusals_are_judged_on_the_truth: ("undone", RED),
    refusals_say_what_is_in_the_way: ("positions", RED),
    errors_are_passed_on: ("positions", RED),
    previews_pass_errors_on: ("positions", RED),
    a_stale_order_tells_how_long_the_log_is: ("orders", RED),
    a_refused_order_tells_the_chain: ("positions", RED),
    commands_are_shared_by_all_seats: ("orders", RED),
    an_undo_answers_with_the_truth: ("positions", RED),
    the_export_holds_every_entry: ("positions", RED),
    the_export_holds_the_seed: ("positions", RED),
    the_export_holds_both_accounts: ("plots", RED),
    the_list_counts_orders: ("orders", RED),
    the_list_tells_the_time_of_the_last_order: ("orders", RED),
    the_talk_of_the_other_side_is_told: ("plots", RED),
    spectators_hear_the_talk_of_a_side: ("plots", WATCHER),
    spectators_hear_at_once: ("positions", WATCHER),
    spectators_hear_what_one_side_hears: ("orders", WATCHER),
    spectators_see_what_one_side_sees: ("counts", WATCHER),
    spectators_see_the_truth: ("positions", WATCHER),
}
"""Each leak, and the generator and the viewer that are quickest to meet it."""
