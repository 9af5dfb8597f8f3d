"""Two people at a table, each with a line of his own."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from sandtable.server.messages import PROTOCOL
from sandtable.server.play import sessions
from tests.server.kit import END, Line, Server, lines_of, running


def first_move(line: Line) -> dict[str, Any]:
    """A lawful order of a unit that can move."""
    for piece in line.table["pieces"]:
        if piece["side"] != line.table["side"]:
            continue
        menu = line.ask("AskMenu", selection={"units": [piece["id"]]})
        for verb in menu["menu"]["verbs"]:
            if verb["key"] == "move" and verb.get("targets"):
                order: dict[str, Any] = verb["targets"][0]["order"]
                return order
    raise AssertionError("nobody can move")


def test_each_seat_is_greeted_with_its_own_table(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied, server.seat(keys, "german") as german:
        assert allied.greeting["type"] == german.greeting["type"] == "Snapshot"
        assert allied.table["side"] == "allied"
        assert german.table["side"] == "german"
        assert [decision["side"] for decision in allied.table["decisions"]] == ["allied"]
        assert german.table["decisions"] == []
        assert german.table["waiting_for"] == allied.table["waiting_for"] == ["allied"]
        assert allied.greeting["battle"]["seats"][0] == {"side": "allied", "player": "human", "called": ""}
        assert allied.table["standing"]


def test_an_order_reaches_both_seats(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied, server.seat(keys, "german") as german:
        assert allied.order(first_move(allied))["type"] == "Accepted"
        update = german.until("Update")
        line = lines_of(update)[0]
        assert line["kind"] == "UnitMoved"
        assert line["path"]
        assert line["text"]
        moved = [piece for step in update["steps"] for piece in step.get("changed", ())]
        assert {piece["id"] for piece in moved} == set(line["units"])
        assert "pieces" not in update["table"]
        # the scenario's name for a unit is its own side's alone
        seen = [[{**piece, "name": ""} for piece in seat.table["pieces"]] for seat in (german, allied)]
        assert seen[0] == seen[1]
        assert allied.number == german.number == 2


def test_a_stale_order_is_refused_and_changes_nothing(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        order = first_move(allied)
        assert allied.order(END)["type"] == "Accepted"
        before = allied.table
        verdict = allied.order(order, based_on=allied.number - 1)
        assert verdict["type"] == "Refused"
        assert verdict["stale"]
        assert allied.ask("Ping")["sequence"] == allied.number
        assert allied.table == before


def test_an_order_out_of_turn_is_refused_with_its_rule(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "german") as german:
        verdict = german.order(END)
        assert verdict["type"] == "Refused"
        assert not verdict["stale"]
        assert verdict["refusal"]["reason"]


def test_a_command_sent_twice_is_done_once_and_answered_alike(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        order = first_move(allied)
        first = allied.order(order, command="the same")
        number = allied.number
        assert allied.order(order, based_on=1, command="the same") == first
        assert allied.ask("Ping")["sequence"] == number


def test_a_client_that_comes_back_gets_what_it_missed_and_no_more(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "german") as german:
        pass
    with server.seat(keys, "allied") as allied:
        assert allied.order(first_move(allied))["type"] == "Accepted"
        assert allied.order(END)["type"] == "Accepted"
        with server.seat(keys, "german", had=german) as back, server.seat(keys, "german") as new:
            assert back.greeting["type"] == "Update"
            missed = lines_of(back.greeting)
            assert missed
            assert new.greeting["log"][-len(missed) :] == missed
            assert back.table == new.table
            assert back.hash == new.hash


def test_a_client_that_missed_nothing_is_told_so(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        pass
    with server.seat(keys, "allied", had=allied) as back:
        assert back.greeting["type"] == "Update"
        assert back.greeting["steps"] == []
        assert back.table == allied.table


@pytest.mark.parametrize(("name", "bound"), [("LONGEST_GAP", 1), ("MOST_PIECES", 0)])
def test_a_client_that_missed_too_much_gets_the_whole_anew(
    server: Server, name: str, bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = server.battle()
    with server.seat(keys, "german") as german:
        pass
    with server.seat(keys, "allied") as allied:
        for order in (first_move(allied), END):
            assert allied.order(order)["type"] == "Accepted"
    monkeypatch.setattr(sessions, name, bound)
    with server.seat(keys, "german", had=german) as back:
        assert back.greeting["type"] == "Snapshot"


@pytest.mark.parametrize(("since", "view_hash"), [(1, "another"), (99, ""), (-5, ""), (0, ""), (10**30, "x")])
def test_a_client_whose_table_never_was_gets_the_whole_anew(server: Server, since: int, view_hash: str) -> None:
    with server.seat(server.battle(), "allied", since=since, view_hash=view_hash) as line:
        assert line.greeting["type"] == "Snapshot"


def test_a_battle_outlives_its_server(tmp_path: Any) -> None:
    with running(tmp_path) as server:
        keys = server.battle()
        with server.seat(keys, "allied") as allied:
            assert allied.order(first_move(allied))["type"] == "Accepted"
    with running(tmp_path) as server, server.seat(keys, "allied", had=allied) as back:
        assert back.greeting["type"] == "Update"
        assert back.greeting["steps"] == []
        assert back.table == allied.table


def test_an_order_can_be_taken_back_and_the_enemy_sees_it(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied, server.seat(keys, "german") as german:
        before, seen = allied.table["pieces"], german.table["pieces"]
        assert allied.order(first_move(allied))["type"] == "Accepted"
        assert allied.table["can_undo"]
        assert allied.undo()["type"] == "Accepted"
        assert allied.table["pieces"] == before
        german.catch_up(3)
        assert german.table["pieces"] == seen
        assert not allied.table["can_undo"]
        assert allied.undo()["type"] == "Refused"


def test_a_hot_seat_line_turns_from_side_to_side(server: Server) -> None:
    keys = server.battle("hot-seat", "hot-seat")
    assert len(set(keys["tokens"].values())) == 1
    with server.seat(keys, "allied") as line:
        assert line.table["side"] == "allied"
        while line.table["decisions"]:
            assert line.order(END)["type"] == "Accepted"
        line.say("TakeSeat", side="german")
        snapshot = line.until("Snapshot")
        assert snapshot["table"]["side"] == "german"
        assert line.table["decisions"]
        assert line.order(END)["type"] == "Accepted"
        assert line.table["side"] == "german"


def test_a_seat_that_the_token_does_not_open_is_not_taken(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        allied.say("TakeSeat", side="german")
        assert "does not open" in allied.until("Trouble")["reason"]
        assert allied.ask("Ping")["view_hash"] == allied.hash


def test_questions_are_answered_from_the_seats_view(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        own = next(piece for piece in allied.table["pieces"] if piece["id"] == first_move(allied)["unit"])
        foe = next(piece for piece in allied.table["pieces"] if piece["side"] == "german")
        menu = allied.ask("AskMenu", selection={"units": [own["id"]]})
        move = next(verb for verb in menu["menu"]["verbs"] if verb["key"] == "move")
        target = move["targets"][0]
        assert target["path"][-1] == target["hex"]
        assert target["text"]
        preview = allied.ask("AskPreview", order=target["order"])["preview"]
        assert sum(Fraction(branch["probability"]) for branch in preview["forecast"]["branches"]) == 1
        assert preview["text"] == target["text"]
        sight = allied.ask("AskSight", a=own["hex"], b=foe["hex"])
        assert sight["line"]["profile"][0]["hex"] == own["hex"]
        assert own["hex"] in allied.ask("AskSeen", units=[own["id"]])["hexes"]
        assert set(allied.ask("AskSeen", units=[own["id"]])["hexes"]) <= set(allied.ask("AskSeen")["hexes"])
        facts = allied.ask("AskHex", hex=own["hex"])["report"]
        assert own["id"] in facts["watchers"]
        assert all(fact["rule"] for fact in facts["facts"])


def test_who_reads_up_on_the_battle_is_answered_from_the_seats_view(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        own = next(piece for piece in allied.table["pieces"] if piece["id"] == first_move(allied)["unit"])
        assert own["id"] in allied.ask("AskReady")["units"]
        card = allied.ask("AskCard", unit=own["id"])["card"]
        assert (card["unit"], card["title"], card["side"]) == (own["id"], own["title"], "allied")
        lines = [line for section in card["sections"] for line in section.get("lines", ())]
        assert lines
        assert all(line["rule"] for line in lines)
        tree = allied.ask("AskTree")["formations"]
        assert {one["side"] for one in tree} == {"allied", "german"}
        assert own["id"] in units_below(tree)
        for listed in allied.ask("AskQueries")["queries"]:
            assert not {"hexes", "units"} & listed.keys()
            assert allied.ask("AskQuery", key=listed["key"])["query"]["title"] == listed["title"]
        for listed in allied.ask("AskReports")["reports"]:
            assert allied.ask("AskReport", kind=listed["kind"])["report"]["sections"]
            assert "sections" not in listed


def test_pointing_at_what_the_menu_does_not_offer_is_answered_with_the_rule(server: Server) -> None:
    with server.seat(server.battle(), "allied") as allied:
        order = first_move(allied)
        picked = {"units": [order["unit"]]}
        verbs = {verb["key"]: verb for verb in allied.ask("AskMenu", selection=picked)["menu"]["verbs"]}
        offered = verbs["move"]["targets"][0]["hex"]
        own = next(piece for piece in allied.table["pieces"] if piece["id"] == order["unit"])
        reached = {target["hex"] for target in verbs["move"]["targets"]}
        assert allied.ask("AskWhyNot", verb="move", selection=picked, target={"hex": offered})["refusal"] is None
        far = next(place for place in allied.ask("AskSeen")["hexes"] if place not in reached and place != own["hex"])
        refusal = allied.ask("AskWhyNot", verb="move", selection=picked, target={"hex": far})["refusal"]
        assert refusal["rule"].startswith("PL-")
        assert refusal["reason"]


def test_a_way_is_led_through_hexes_by_the_rules_or_refused_by_one(server: Server) -> None:
    with server.seat(server.battle(), "allied") as allied:
        order = first_move(allied)
        targets = allied.ask("AskMenu", selection={"units": [order["unit"]]})["menu"]["verbs"][0]["targets"]
        near = next(target for target in targets if len(target["path"]) == 1)
        own = next(piece["hex"] for piece in allied.table["pieces"] if piece["id"] == order["unit"])
        picked = {"units": [order["unit"]], "via": [near["hex"]], "hex": own}
        (verb,) = allied.ask("AskMenu", selection=picked)["menu"]["verbs"]
        assert [target["path"] for target in verb["targets"]] == [[near["hex"], own]]
        assert allied.ask("AskPreview", order=verb["targets"][0]["order"])["preview"]["refusal"] is None
        (verb,) = allied.ask("AskMenu", selection={**picked, "via": [near["hex"], own] * 9})["menu"]["verbs"]
        assert "targets" not in verb
        assert verb["refusal"]["rule"].startswith("PL-")


def units_below(formations: list[dict[str, Any]]) -> set[int]:
    """The units of these formations and of all below them."""
    here = {unit for one in formations for unit in one.get("units", ())}
    return here.union(*(units_below(one.get("children", [])) for one in formations))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (("AskCard", {"unit": 10**6}), {"type": "CardAnswer", "card": None}),
        (("AskQuery", {"key": "the truth"}), {"type": "QueryAnswer", "query": None}),
        (("AskReport", {"kind": "the truth"}), {"type": "ReportAnswer", "report": None}),
    ],
)
def test_what_is_not_there_is_plainly_answered_with_nothing(
    server: Server, question: tuple[str, dict[str, Any]], answer: dict[str, Any]
) -> None:
    with server.seat(server.battle(), "allied") as allied:
        said = allied.ask(question[0], **question[1])
        assert {**answer, "ask": said["ask"]} == said


def test_a_preview_of_an_unlawful_order_tells_the_refusal(server: Server) -> None:
    with server.seat(server.battle(), "german") as german:
        preview = german.ask("AskPreview", order=END)["preview"]
        assert preview["refusal"]["rule"]
        assert preview["forecast"] is None


def test_a_battle_can_be_looked_back_at_step_by_step(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        tables = {1: allied.table}
        for order in (first_move(allied), END):
            assert allied.order(order)["type"] == "Accepted"
            tables[allied.number] = allied.table
        for number, table in tables.items():
            replayed = allied.ask("AskReplay", sequence=number)["past"]
            assert replayed["number"] == number
            assert replayed["last"] == 3
            assert replayed["table"]["pieces"] == table["pieces"]
            assert replayed["table"]["decisions"] == []
        (step,) = allied.ask("AskReplay", sequence=2)["past"]["steps"]
        assert step["line"]["sequence"] == 2
        assert [piece["id"] for piece in step["changed"]] == step["line"]["units"]
        assert "after its end" in allied.ask("AskReplay", sequence=1, full=True)["reason"]


def test_older_lines_of_the_log_are_to_be_had_page_by_page(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        while allied.number < 6 and allied.table["decisions"]:
            assert allied.order(END)["type"] == "Accepted"
        with server.seat(keys, "allied") as new:
            first, log = new.greeting["first"], new.greeting["log"]
            assert first == 1
            assert len(log) > 3
            assert allied.ask("AskLog", before=0)["log"] == log
            page = allied.ask("AskLog", before=4, most=2)
            assert (page["first"], page["log"]) == (2, log[1:3])
            assert allied.ask("AskLog", before=1)["log"] == []


def test_spectators_see_what_every_side_saw_a_turn_ago(server: Server) -> None:
    keys = server.battle("hot-seat", "hot-seat")
    watching = server.post(f"battles/{keys['id']}/watch").json()
    with server.seat(watching) as spectator, server.seat(keys, "allied") as player:
        assert spectator.greeting["type"] == "Snapshot"
        assert spectator.table["pieces"] == []
        assert spectator.greeting["battle"]["turn"] == 0
        assert play_to_turn(player, 3)
        spectator.until("Snapshot")
        assert spectator.table["turn"] == 1
        assert spectator.table["pieces"]
        assert spectator.table["decisions"] == []
        assert play_to_turn(player, 4)
        spectator.until("Update")
        assert spectator.table["turn"] == 2
        with server.seat(watching) as late:
            assert late.greeting["type"] == "Snapshot"
            assert late.table == spectator.table


def play_to_turn(line: Line, turn: int) -> bool:
    """Both sides of a hot-seat line end their phases until that turn."""
    while line.table["turn"] < turn:
        if not line.table["decisions"]:
            line.say("TakeSeat", side="german" if line.table["side"] == "allied" else "allied")
            line.until("Snapshot")
        assert line.order(END)["type"] == "Accepted"
    return True


def test_after_the_end_everything_is_open(server: Server) -> None:
    keys = server.battle("hot-seat", "hot-seat")
    id, token = keys["id"], keys["tokens"]["allied"]
    with server.seat(keys, "allied") as line:
        own = server.get(f"battles/{id}/record", token).json()
        assert own["header"].get("seed") is None
        assert server.post(f"battles/{id}/branch", json={"number": 1, "seats": []}).status_code == 409
        while line.table["outcome"] is None:
            play_to_turn_or_end(line)
        full = line.ask("AskReplay", sequence=0, full=True)["past"]
        assert full["number"] == 0
        assert line.ask("AskReplay", sequence=10**6, full=True)["past"]["number"] == full["last"]
    record = server.get(f"battles/{id}/record", token).json()
    assert record["header"]["seed"]
    assert record["outcome"] == line.table["outcome"]
    seats = [{"side": "allied", "player": "hot-seat"}, {"side": "german", "player": "hot-seat"}]
    branched = server.post(f"battles/{id}/branch", json={"number": 3, "seats": seats})
    assert branched.status_code == 201, branched.text
    with server.seat(branched.json(), "allied") as again:
        assert again.table["outcome"] is None
    imported = server.post("battles/import", content=json.dumps(record))
    assert imported.status_code == 201, imported.text
    assert set(imported.json()["tokens"]) == {"allied", "german"}
    assert server.post(f"battles/{id}/branch", json={"number": 10**6, "seats": seats}).status_code == 400


def play_to_turn_or_end(line: Line) -> None:
    if not line.table["decisions"]:
        line.say("TakeSeat", side="german" if line.table["side"] == "allied" else "allied")
        line.until("Snapshot")
    if line.table["outcome"] is None:
        assert line.order(END)["type"] == "Accepted"


def test_a_deleted_battle_closes_its_lines(server: Server) -> None:
    keys = server.battle()
    with server.seat(keys, "allied") as allied:
        assert server.ask("DELETE", f"battles/{keys['id']}").status_code == 204
        assert allied.closed() == 4410
    with server.line(keys["id"]) as line:
        line.say("Hello", protocol=PROTOCOL, token=keys["tokens"]["allied"])
        assert line.closed() == 4401
