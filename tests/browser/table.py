"""The page as a player uses it: hexes by their printed numbers, panels by what they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError, expect

WAIT = 20_000
"""Milliseconds after which a table that does not answer has failed: a machine may be busy with other things."""

expect.set_options(timeout=WAIT)

PICTURE = """([label, before]) => {
  const map = document.querySelector('[data-testid=map]');
  const scale = map.width / map.clientWidth;
  const { x, y } = window.sandtable.project(label);
  const part = map.getContext('2d').getImageData((x - 28) * scale, (y - 28) * scale, 56 * scale, 56 * scale);
  let sum = 0;
  for (const byte of part.data) sum = (sum * 31 + byte) % 4294967291;
  return String(sum) === before ? '' : String(sum);
}"""
"""A number that stands for what a hex looks like; empty when it looks as before."""


class Table:
    """One page, from the lobby to the end of a battle."""

    def __init__(self, page: Page, url: str, forgive: Callable[[str], None]) -> None:
        self.page = page
        self.url = url
        self.forgive = forgive

    def part(self, name: str) -> Locator:
        """A part of the page by its test name."""
        return self.page.get_by_test_id(name)

    # --- the lobby

    def open_lobby(self) -> None:
        """The lobby lists its scenarios."""
        self.page.goto(self.url)
        self.part("play-pl-first-platoon").wait_for(timeout=WAIT)

    def set_up(self, scenario: str, seed: str, german: str = "greedy", *options: str) -> None:
        """A battle of that scenario has begun with those dice and those optional rules."""
        self.open_lobby()
        self.part(f"scenario-{scenario}").get_by_role("button", name="Set up").click()
        self.part("seat-german").select_option(german)
        for option in options:
            self.page.get_by_label(option).check()
        self.page.get_by_label("Seed").fill(seed)
        self.part("begin").click()

    def found(self, scenario: str, seed: str, *options: str, **seats: str) -> dict[str, Any]:
        """The keys of a new battle of that scenario with those optional rules, made without going through the lobby."""
        choices = [{"side": side, "player": player} for side, player in seats.items()]
        wanted = {"scenario": scenario, "seats": choices, "seed": seed, "options": dict.fromkeys(options, True)}
        answer = self.page.request.post(f"{self.url}api/battles", data=wanted)
        assert answer.ok, answer.text()
        keys: dict[str, Any] = answer.json()
        return keys

    def begin(self, scenario: str, seed: str, **seats: str) -> None:
        """We sit at a new battle of that scenario."""
        keys = self.found(scenario, seed, **seats)
        self.page.goto(f"{self.url}#/battle/{keys['id']}")

    def join(self, keys: dict[str, Any], side: str) -> None:
        """We sit at a battle with the key of that side alone, as on a device of our own."""
        own = json.dumps({keys["id"]: {**keys, "tokens": {side: keys["tokens"][side]}}})
        self.page.add_init_script(f"localStorage.setItem('sandtable.keys', {json.dumps(own)})")
        self.page.goto(f"{self.url}#/battle/{keys['id']}")
        self.sit_down()

    def sit_down(self) -> None:
        """The map is drawn, the briefing has been read, and the prompt says what is expected."""
        self.await_map()
        self.part("prompt").wait_for()
        self.read_briefing()

    def read_briefing(self) -> None:
        """The briefing that lies on the table, if there is one, has been read."""
        if self.part("briefing").count():
            self.part("briefing-shut").click()
            expect(self.part("briefing")).to_have_count(0)

    def await_map(self) -> None:
        """The map is drawn."""
        self.page.locator("canvas[data-testid=map][data-ready=true]").wait_for(timeout=WAIT)

    def end_guide(self) -> None:
        """The guide is put away."""
        self.part("tutorial-end").click()

    # --- the map

    def point(self, label: str) -> tuple[float, float]:
        """Where a hex is on the screen."""
        box: Any = self.part("map").bounding_box()
        at = self.page.evaluate("label => window.sandtable.project(label)", label)
        return box["x"] + at["x"], box["y"] + at["y"]

    def click(self, label: str) -> None:
        """A hex was clicked."""
        self.page.mouse.click(*self.point(label))

    def double_click(self, label: str) -> None:
        """A hex was double-clicked."""
        self.page.mouse.dblclick(*self.point(label))

    def hover(self, label: str) -> None:
        """The pointer rests on a hex."""
        self.page.mouse.move(*self.point(label))

    def look(self, label: str) -> str:
        """The picture of a hex, to be compared with another of it."""
        return str(self.page.evaluate(PICTURE, [label]))

    def expect_change(self, label: str, before: str) -> None:
        """The hex looks different from that picture of it."""
        self.page.wait_for_function(PICTURE, arg=[label, before], timeout=WAIT)

    def press(self, *keys: str) -> None:
        """Those keys were pressed, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def expect_whole(self, name: str) -> None:
        """Nothing of that part sticks out beyond its sides."""
        part = self.part(name)
        assert part.evaluate("part => part.scrollWidth <= part.clientWidth"), f"{name} is cut: {part.inner_text()}"

    # --- the course of play

    def expect_step(self, kind: str) -> None:
        """It is our decision, of that kind."""
        expect(self.part("step")).to_have_text(re.compile(f"^{kind}$", re.IGNORECASE), timeout=WAIT)
        expect(self.part("verb-end")).to_be_enabled(timeout=WAIT)

    def expect_said(self, words: str) -> None:
        """A screen reader was told so."""
        expect(self.part("announcer")).to_contain_text(words, timeout=WAIT)

    def await_decision(self) -> bool:
        """Whether there is something to decide; False when the battle is over."""
        either = self.page.locator("[data-testid=verb-end]:not([disabled]), [data-testid=outcome]")
        either.first.wait_for(timeout=WAIT)
        return self.part("outcome").count() == 0

    def end_phase(self, end: Callable[[], None]) -> None:
        """The phase has ended: the table has moved on."""
        before = self.part("log").inner_text()
        try:
            end()
        except TimeoutError:
            # what is still being shown may end the battle, and with it the button goes
            if not self.part("outcome").count():
                raise
            return
        expect(self.part("log")).not_to_have_text(before, timeout=WAIT, use_inner_text=True)

    def play_out(self, end: Callable[[], None]) -> None:
        """The battle is over: we did nothing more in it."""
        for _ in range(60):
            if not self.await_decision():
                return
            self.end_phase(end)
        raise AssertionError("the battle does not end")

    def click_end(self) -> None:
        """The button that ends the phase was pressed."""
        self.part("verb-end").click()
