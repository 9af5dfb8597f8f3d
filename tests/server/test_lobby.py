"""The lobby: what can be played, opening battles, finding them again."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import registry
from sandtable.content import ContentError, Problem
from sandtable.server.http import cards
from tests.server.kit import PLATOON, Server

SEATS = [{"side": "allied", "player": "human"}, {"side": "german", "player": "greedy"}]


def test_the_house_says_what_it_is(server: Server, public_server: Server) -> None:
    assert server.get("house").json()["local"]
    assert not public_server.get("house").json()["local"]
    assert {player["name"] for player in server.get("house").json()["players"]} >= {"random", "greedy"}


def test_systems_count_the_rules_that_are_played(server: Server) -> None:
    for system in server.get("systems").json():
        rules = server.get(f"rules/{system['key']}").json()
        left_out = {rule.id: rule.not_implemented for rule in registry.rules(system["key"]) if rule.not_implemented}
        assert {rule["id"]: rule["not_implemented"] for rule in rules if rule.get("not_implemented")} == left_out
        assert len(rules) - len(left_out) == system["rules"] > 0
        assert all(rule["id"].startswith(system["prefix"]) and rule["title"] for rule in rules)
    assert server.get("rules/nothing").status_code == 404


def test_a_system_says_which_badges_its_pieces_wear_and_by_which_rule(server: Server) -> None:
    for system in server.get("systems").json():
        badges = {badge["key"]: badge for badge in system["badges"]}
        assert len(badges) == len(system["badges"]) > 0
        rules = {rule["id"] for rule in server.get(f"rules/{system['key']}").json()}
        assert {badge["rule"] for badge in badges.values()} <= rules
        assert all(badge["title"] for badge in badges.values())


@pytest.mark.rule("PB-GEN-9")
def test_a_system_lists_the_battles_of_its_campaigns_in_their_order(server: Server) -> None:
    ids = {card["id"] for card in server.get("scenarios").json()}
    told = {system["key"]: system["campaigns"] for system in server.get("systems").json()}
    assert {key for key, campaigns in told.items() if campaigns} == {"panzer_battles"}
    (campaign,) = told["panzer_battles"]
    assert campaign["title"] == "Between two rivers"
    assert campaign["scenarios"] == ["pb-berezhok", "pb-kamenka", "pb-kalinovka", "pb-sosnovka", "pb-rudnya"]
    assert set(campaign["scenarios"]) <= ids


def test_a_scenario_comes_with_everything_a_lobby_shows(server: Server) -> None:
    for card in server.get("scenarios").json():
        board = card["board"]
        places = {
            (col + 1) * (board["height"] + 2) + row + 1
            for col in range(board["width"])
            for row in range(board["height"])
        }
        assert {place for place, _ in card["objectives"]} <= places
        assert all(title for _, title in card["objectives"])
        assert card["first"] in {side["id"] for side in card["sides"]}
        for side in card["sides"]:
            assert set(side) == {"id", "title", "nations"}
        for option in card["options"]:
            assert option["value"] in option["values"]


def test_what_every_side_has_is_told_before_a_battle_that_hides_nothing(server: Server) -> None:
    for card in server.get("scenarios").json():
        hides = {"panzer8": "hidden_setup"}.get(card["system"], "fog")
        for is_hidden in (False, True):
            told = server.get(f"scenarios/{card['id']}/briefings?options={hides}:{str(is_hidden).lower()}").json()
            assert [one["side"] for one in told] == ([] if is_hidden else [side["id"] for side in card["sides"]])
            assert all(one["text"] and sum(count for _, count in one["forces"]) > 0 for one in told)
    assert not server.get("scenarios/p8-odon/briefings").json(), "there the set-up is hidden unless told otherwise"


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("pl-nothing/briefings", 404, "there is no scenario"),
        (f"{PLATOON}/briefings?options=nothing:true", 400, "there is no option"),
        (f"{PLATOON}/briefings?options=fog:perhaps", 400, "can't be 'perhaps'"),
        ("pb-kalinovka/briefings?options=manual_defensive_fire:true", 400, "there is no manual defensive fire"),
    ],
)
def test_briefings_of_what_there_is_not_are_refused(server: Server, path: str, status: int, reason: str) -> None:
    answer = server.get(f"scenarios/{path}")
    assert answer.status_code == status
    assert reason in answer.json()["reason"]


def test_a_seat_is_told_at_the_table_what_its_side_has_and_is_to_do(server: Server) -> None:
    keys = server.battle("human", "human")
    told = server.get(f"scenarios/{PLATOON}/briefings").json()
    for side in ("allied", "german"):
        with server.seat(keys, side) as line:
            assert line.greeting["briefing"] == next(one for one in told if one["side"] == side)
    watching = server.post(f"battles/{keys['id']}/watch").json()
    with server.seat(watching) as line:
        assert line.greeting["briefing"] is None


def test_a_tutorial_is_told_of_on_its_card_and_given_to_the_seat_that_it_guides(server: Server) -> None:
    guided = {card["id"]: card["guided"] for card in server.get("scenarios").json() if card["guided"]}
    assert guided == {
        PLATOON: "allied",
        "p44-farm-lane": "allied",
        "p8-mill-road": "allied",
        "pb-kalinovka": "allied",
        "pb3-krutoi-log": "german",
    }
    keys = server.battle("human", "human")
    tutorial = server.get(f"battles/{keys['id']}/tutorial", keys["tokens"]["allied"]).json()
    assert (tutorial["scenario"], tutorial["side"]) == (PLATOON, "allied")
    assert tutorial["steps"][0]["until"][0] == {"selected": ["a_m4_75-1", "a_m4_75-2"]}
    assert server.get(f"battles/{keys['id']}/tutorial", keys["tokens"]["german"]).status_code == 404
    ridge = server.battle("human", "human", scenario="pl-ridge")
    assert server.get(f"battles/{ridge['id']}/tutorial", ridge["tokens"]["allied"]).status_code == 404


def test_a_scenario_whose_tutorial_is_broken_is_played_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ContentError([Problem("guide.toml", "", "nothing but nonsense")])

    monkeypatch.setattr(registry, "tutorial", broken)
    # asked for anew: the cards of this process are made once
    found = {one.card.id: one for one in cards.playable.__wrapped__()}
    assert found[PLATOON].tutorial is None
    assert found[PLATOON].card.guided == ""
    assert found[PLATOON].card.tutorial


def test_a_new_battle_is_listed_and_its_keys_open_it(server: Server) -> None:
    keys = server.battle("human", "greedy", options={"fog": True})
    assert set(keys["tokens"]) == {"allied"}
    card = next(card for card in server.get("battles").json() if card["id"] == keys["id"])
    assert card["scenario"] == PLATOON
    assert card["turn"] == 1
    assert card["turns"] == 5
    assert card["outcome"] is None
    assert [(seat["side"], seat["player"]) for seat in card["seats"]] == [("allied", "human"), ("german", "greedy")]
    with server.seat(keys) as line:
        assert line.greeting["battle"]["options"] == {"fog": True}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"scenario": "pl-nothing"}, "there is no scenario"),
        ({"scenario": "../../etc/passwd"}, "there is no scenario"),
        ({"seats": SEATS[:1]}, "each side has one seat"),
        ({"seats": []}, "each side has one seat"),
        ({"seats": [*SEATS, SEATS[0]]}, "two seats have one name"),
        ({"seats": [SEATS[0], {"side": "german", "player": "nobody"}]}, "there is no player"),
        ({"seats": [SEATS[0], {"side": "german", "player": "spectator"}]}, "there is no player"),
        ({"seats": [SEATS[0], {"side": "x:y", "player": "human"}]}, "a seat has a name"),
        ({"options": {"nothing": True}}, "there is no option"),
        ({"options": {"fog": 1}}, "can't be"),
        ({"options": {"fog": "yes"}}, "can't be"),
        ({"seed": "x" * 65}, "a seed has at most"),
        ({"seed": "a\nb"}, "a seed has at most"),
        ({"cheat": True}, "cheat"),
        ({"seats": 7}, "Expected"),
    ],
)
def test_a_battle_that_makes_no_sense_is_refused_with_the_reason(
    server: Server, change: dict[str, Any], reason: str
) -> None:
    answer = server.post("battles", json={"scenario": PLATOON, "seats": SEATS, **change})
    assert answer.status_code == 400
    assert reason in answer.json()["reason"]


def test_the_same_seed_gives_the_same_battle(server: Server) -> None:
    keys = [server.battle("hot-seat", "hot-seat", seed="the same") for _ in range(2)]
    tables = []
    for one in keys:
        with server.seat(one, "allied") as line:
            line.order({"order": "EndPhase"})
            tables.append(line.table)
    assert tables[0] == tables[1]


def test_nobody_chooses_the_dice_of_a_public_battle(public_server: Server) -> None:
    from tests.server.kit import SECRET

    wanted = {"scenario": PLATOON, "seats": SEATS, "seed": "mine"}
    answer = public_server.post("battles", SECRET, json=wanted)
    assert answer.status_code == 400
    assert "the server's to throw" in answer.json()["reason"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{}", "that is no record"),
        (b"[" * 100_000, "nested"),
    ],
)
def test_what_is_no_record_is_not_imported(server: Server, content: bytes, reason: str) -> None:
    answer = server.post("battles/import", content=content)
    assert answer.status_code == 400
    assert reason in answer.json()["reason"]


def test_a_record_that_is_too_large_is_not_read(server: Server) -> None:
    assert server.post("battles/import", content=b"x" * (4 * 1024 * 1024 + 1)).status_code == 413
    assert server.post("battles", content=b"x" * 70_000).status_code == 413


def test_a_record_that_was_changed_is_not_imported(server: Server) -> None:
    keys = server.battle("hot-seat", "hot-seat")
    with server.seat(keys, "allied") as line:
        while line.table["outcome"] is None:
            if not line.table["decisions"]:
                line.say("TakeSeat", side="german" if line.table["side"] == "allied" else "allied")
                line.until("Snapshot")
            line.order({"order": "EndPhase"})
    record = server.get(f"battles/{keys['id']}/record", keys["tokens"]["allied"]).json()
    record["entries"][2]["events"] = []
    answer = server.post("battles/import", json=record)
    assert answer.status_code == 400
    assert "does not hold" in answer.json()["reason"]


def test_an_import_may_name_its_seats(server: Server) -> None:
    assert server.post("battles/import?seats=" + "a:b," * 20, content=b"{}").status_code == 400
