"""Builds with a seeded leak, each modeled on one that real games have had; every one must be caught by twin worlds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.battle import authority, battles, ledger, observation
from sandtable.battle.authority import Battle
from sandtable.battle.observation import Glance, Log, Observation, Seen
from sandtable.battle.undo import Undoing
from sandtable.kernel import codec
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.forecast import forecast
from sandtable.kernel.state import Outcome, View
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


def view_draws_hidden_pieces(patch: Patch) -> None:
    def change(sight: Any, ruleset: Any, state: Any, side: Any, *_: Any) -> Any:
        return replace(sight, pieces=ruleset.pieces(truth(state, ruleset.view(state, side))))

    changed(patch, observation, "sight", change)


def view_counts_units(patch: Patch) -> None:
    changed(
        patch,
        observation,
        "sight",
        lambda sight, ruleset, state, *_: replace(sight, view=f"{sight.view} of {len(state.position.units)}"),
    )


def view_digest_covers_the_truth(patch: Patch) -> None:
    changed(patch, observation, "sight", lambda sight, ruleset, state, *_: replace(sight, view=codec.digest(state)))


def menu_sees_the_truth(patch: Patch) -> None:
    def menu(ruleset: Any, state: Any, side: Any, number: int, selection: Any) -> Any:
        return observation.Menu(number, ruleset.menu(truth(state, ruleset.view(state, side)), selection))

    patch.setattr(observation, "menu", menu)


def menu_texts_tell_the_truth(patch: Patch) -> None:
    def change(menu: Any, ruleset: Any, state: Any, *_: Any) -> Any:
        return replace(menu, texts=((str(sum(unit.cell for unit in state.position.units)),),))

    changed(patch, observation, "menu", change)


def the_table_draws_hidden_pieces(patch: Patch) -> None:
    def change(table: Any, ruleset: Any, state: Any, side: Any, *_: Any) -> Any:
        return replace(table, pieces=ruleset.pieces(truth(state, ruleset.view(state, side))))

    changed(patch, observation, "table", change)


def the_table_tells_how_the_battle_really_stands(patch: Patch) -> None:
    def change(table: Any, ruleset: Any, state: Any, *_: Any) -> Any:
        return replace(table, standing=ruleset.standing(truth(state, ruleset.view(state, BLUE))))

    changed(patch, observation, "table", change)


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
        except authority.Untold:
            raise authority.Untold(str(battle.ledger.state.position.units)) from None

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
    changed(patch, Battle, "as_seen", lambda past, battle, *_: replace(past, last=len(battle.ledger.lines)))


def the_whole_battle_is_replayed_before_its_end(patch: Patch) -> None:
    real = Battle._outcome
    patch.setattr(Battle, "_outcome", lambda battle, ledger: real(battle, ledger) or Outcome(None, "draw"))


def preview_sees_the_truth(patch: Patch) -> None:
    def preview(ruleset: Any, state: Any, side: Any, number: int, order: Any, *_: Any) -> Any:
        odds = forecast(ruleset, truth(state, ruleset.view(state, side)), order)
        return (
            observation.Preview(number, refusal=odds)
            if isinstance(odds, Refusal)
            else observation.Preview(number, odds)
        )

    patch.setattr(observation, "preview", preview)


def undo_is_offered_by_the_whole_table(patch: Patch) -> None:
    """An order is called final because somebody else, unseen, has ordered since."""
    real = Undoing.body
    patch.setattr(
        Undoing,
        "body",
        lambda undoing, ledger, side: real(undoing, ledger, side) if ledger.lines[-1].side == side else None,
    )


# events and sentences


def events_are_not_redacted(patch: Patch) -> None:
    def change(found: dict[Any, Glance], ruleset: Any, step: Any) -> dict[Any, Glance]:
        return {side: Glance(glance.view, step.events) for side, glance in found.items()}

    changed(patch, ledger, "glances", change)


def numbers_count_the_whole_log(patch: Patch) -> None:
    def change(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        return tuple(replace(one, number=battle.ledger.entries - len(told) + n) for n, one in enumerate(told))

    changed(patch, Battle, "events", change)


def unseen_orders_make_empty_news(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, glance: Glance, latest: Any, own: Any) -> Any:
        return seen or Observation(latest.number + 1, glance.view.turn, latest.view)

    changed(patch, ledger, "noticed", change)


def unseen_undos_make_empty_news(patch: Patch) -> None:
    def change(seen: Any, ruleset: Any, state: Any, side: Any, latest: Any, *_: Any) -> Any:
        return seen or Observation(latest.number + 1, latest.turn, latest.view)

    changed(patch, ledger, "taken_back", change)


def sentences_are_told_from_the_truth(patch: Patch) -> None:
    last: list[Any] = []
    changed(patch, ledger, "glances", lambda found, ruleset, step: last.append(step.state) or found)

    def change(seen: Any, *_: Any) -> Any:
        if seen is None:
            return None
        text = f" ({len(last[-1].position.units)} units left, {sum(u.cell for u in last[-1].position.units)})"
        return replace(seen, events=tuple(Seen(one.event, one.text + text) for one in seen.events))

    changed(patch, ledger, "noticed", change)


def the_enemys_orders_are_told(patch: Patch) -> None:
    """The text of an order, also of a secret one, goes to everybody who noticed that there was one."""
    real = ledger._add

    def add(rules: Any, before: Any, row: Any, line: Any, played: Any) -> Any:
        after = real(rules, before, row, line, played)
        logs = {
            side: (*log[:-1], replace(log[-1], order=bytes(line.order).decode())) if side in after.marks[-1] else log
            for side, log in after.logs.items()
        }
        return replace(after, logs=logs)

    patch.setattr(ledger, "_add", add)


def the_opening_tells_the_set_up(patch: Patch) -> None:
    def change(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        units = battle.rules.opening.position.units
        return tuple(replace(one, order=str(units)) if one.number == 1 else one for one in told)

    changed(patch, Battle, "events", change)


def draws_are_sent_as_they_fell(patch: Patch) -> None:
    def change(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        draws = raw([draw for line in battle.ledger.lines for draw in line.draws])
        return tuple(replace(one, events=(*one.events, Seen(draws, ""))) for one in told)

    changed(patch, Battle, "events", change)


# answers and errors


def refusals_are_judged_on_the_truth(patch: Patch) -> None:
    real = authority.submit

    def submit(ruleset: Any, state: Any, side: Any, order: Any) -> Any:
        return ruleset.check(truth(state, ruleset.view(state, side)), order) or real(ruleset, state, side, order)

    patch.setattr(authority, "submit", submit)


def refusals_say_what_is_in_the_way(patch: Patch) -> None:
    real = authority.submit

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
        state, side = battle.ledger.state, battle.seats[seat].side
        assert side is not None
        sight = observation.sight(battle.rules.ruleset, state, side, 0, can_undo=False)
        return replace(answer, sight=replace(sight, position=raw(state.position)))

    changed(patch, Battle, "undo", change)


# exports, lists and the spectators


def the_export_holds_every_entry(patch: Patch) -> None:
    def export(battle: Battle, seat: str) -> Any:
        return observation.Whole(battle._record(battle.ledger))

    patch.setattr(Battle, "export", export)


def the_export_holds_the_seed(patch: Patch) -> None:
    patch.setattr(observation, "sealed_header", lambda header: header)


def the_export_holds_both_accounts(patch: Patch) -> None:
    def change(export: Any, battle: Battle, seat: str) -> Any:
        if not isinstance(export, Log):
            return export
        return replace(export, observations=tuple(one for log in battle.ledger.logs.values() for one in log))

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
    def events(told: Any, battle: Battle, seat: str, since: int = 0) -> Any:
        if seat != WATCHER:
            return told
        spectators = battle.ledger.spectators
        return (*told, *observation.released(spectators.waiting, len(told)))

    changed(patch, Battle, "events", events)


def spectators_hear_what_one_side_hears(patch: Patch) -> None:
    changed(
        patch,
        ledger,
        "public",
        lambda news, ruleset, seen_by: observation.Public(
            news.turn, tuple(observation._told(ruleset, event, seen_by[0].view) for event in seen_by[0].events if event)
        ),
    )


def spectators_see_what_one_side_sees(patch: Patch) -> None:
    changed(
        patch,
        ledger,
        "picture",
        lambda found, ruleset, seen_by: observation.Picture(found.turn, ruleset.pieces(seen_by[1].view)),
    )


def spectators_see_the_truth(patch: Patch) -> None:
    def change(sight: Any, battle: Battle, seat: str) -> Any:
        return replace(sight, position=raw(battle.ledger.state.position)) if seat == WATCHER else sight

    changed(patch, Battle, "view", change)


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
    the_export_holds_both_accounts: ("positions", RED),
    the_list_counts_orders: ("orders", RED),
    the_list_tells_the_time_of_the_last_order: ("orders", RED),
    spectators_hear_at_once: ("positions", WATCHER),
    spectators_hear_what_one_side_hears: ("orders", WATCHER),
    spectators_see_what_one_side_sees: ("counts", WATCHER),
    spectators_see_the_truth: ("positions", WATCHER),
}
"""Each leak, and the generator and the viewer that are quickest to meet it."""
