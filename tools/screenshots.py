"""Takes the pictures of the documentation from a running table, so that they can be taken again after any change.

python tools/screenshots.py [NAME ...]    writes docs/images/NAME.png; without names all of them

Each picture has its own page, its own battle and its own seed: the same client gives the same pictures. They
are reduced to a palette.
"""

from __future__ import annotations

import struct
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402 (found through the line above)

from tests.browser.serving import Serving  # noqa: E402
from tests.browser.table import WAIT, Table  # noqa: E402
from tools import browser as finder  # noqa: E402

IMAGES = ROOT / "docs" / "images"
COLORS = 256
SIGNATURE = b"\x89PNG\r\n\x1a\n"
BATTLE = "pl-crossroads"
SKIRMISH = "pl-first-platoon"
NO_GUIDE = "localStorage.setItem('sandtable.settings', JSON.stringify({ tutorial: false, checklist: false }))"
DARK = "localStorage.setItem('sandtable.theme', 'dark')"


def lobby(table: Table) -> None:
    """The lobby lists its scenarios, and a battle that was begun."""
    table.set_up(SKIRMISH, "picture")
    table.sit_down()
    table.open_lobby()


def begin(table: Table, scenario: str, german: str = "greedy") -> None:
    """A battle has begun and the first decision is ours."""
    table.set_up(scenario, "a", german)
    table.sit_down()
    assert table.await_decision()


def map_far(table: Table) -> None:
    """The whole map is in the window."""
    begin(table, BATTLE)
    table.press("1")


def map_middle(table: Table) -> None:
    """A part of the map is seen as it is played on."""
    begin(table, BATTLE)
    table.press("2")


def map_close(table: Table) -> None:
    """Few hexes are seen with all their detail."""
    begin(table, BATTLE)
    table.press("3")


def advance(table: Table) -> None:
    """Both Shermans stand before the hamlet at the beginning of the second turn, with their fire to come."""
    begin(table, SKIRMISH, "random")  # who fires without need, and so can be fired at
    for start, goal in (("0309", "0506"), ("0210", "0507")):
        table.click(start)
        expect(table.part("verb-move")).to_be_visible()
        table.click(goal)
        table.part("confirm").click()
        expect(table.part("log")).to_contain_text(f"moves to {goal}", timeout=WAIT)
    table.end_phase(table.click_end)
    table.expect_step("foot movement")
    table.end_phase(table.click_end)
    expect(table.part("log")).to_contain_text("Turn 2, Allied segment", timeout=WAIT)
    table.expect_step("direct fire")


def aim(table: Table) -> None:
    """The fire of a Sherman at the hamlet is planned and not ordered yet."""
    advance(table)
    table.click("0506")
    expect(table.part("unit-panel")).to_contain_text("Sherman")
    table.click("0605")
    expect(table.part("odds")).to_be_visible(timeout=WAIT)


def sight_line(table: Table) -> None:
    """A line of sight is laid and what blocks it is named."""
    begin(table, SKIRMISH)
    table.click("0210")
    table.page.get_by_role("button", name="Line of sight").click()
    table.hover("0605")
    expect(table.part("sight-text")).to_contain_text("0210 → 0605")


def replay(table: Table) -> None:
    """The replay stands in the middle of what was played."""
    advance(table)
    table.press("y")
    expect(table.part("replay")).to_be_visible(timeout=WAIT)
    table.part("older").click()
    table.part("older").click()


def their_turn(table: Table) -> None:
    """The enemy fires, and the bar tells what came of it."""
    begin(table, BATTLE)
    for _ in range(8):
        if table.part("pause").count():
            break
        table.click_end()
        table.page.locator("[data-testid=pause], [data-testid=verb-end]:not([disabled])").first.wait_for(timeout=WAIT)
    expect(table.part("caption")).to_contain_text("at ", timeout=WAIT)
    table.part("pause").click()


def sit(table: Table, scenario: str) -> None:
    """A battle of any system has begun; the side that moves first is ours, and its first decision."""
    cards = table.page.request.get(f"{table.url}api/scenarios").json()
    card = next(card for card in cards if card["id"] == scenario)
    seats = {side["id"]: "human" if side["id"] == card["first"] else "greedy" for side in card["sides"]}
    table.begin(scenario, "a", **seats)
    table.sit_down()
    table.page.locator(DECISION).first.wait_for(timeout=WAIT)


DECISION = "[data-testid^=verb-]:not([disabled])"
"""Something that can be pressed, in any system."""


def pass_to(table: Table, *verbs: str) -> None:
    """We have done nothing until one of those orders can be given by the first unit that has something to do."""
    wanted = table.page.locator(", ".join(f'[data-testid="verb-{verb}"]:not([aria-disabled])' for verb in verbs))
    for _ in range(40):
        table.page.locator(DECISION).first.wait_for(timeout=WAIT)
        table.press("]")
        table.page.wait_for_timeout(600)
        if wanted.count():
            return
        before = table.part("log").inner_text() + table.part("prompt").inner_text()
        table.press("Escape", "Control+Enter")
        table.page.wait_for_timeout(600)
        if table.part("log").inner_text() + table.part("prompt").inner_text() == before:
            table.page.locator(DECISION).first.click()
            if table.part("confirm").count():
                table.part("confirm").click()
    raise AssertionError(f"nobody can {' or '.join(verbs)}")


def room(scenario: str, *verbs: str, zoom: str = "2", key: str = "m") -> Callable[[Table], None]:
    """A unit is about to act on the map of that scenario, by the order of that key."""

    def stage(table: Table) -> None:
        sit(table, scenario)
        table.press(zoom)
        pass_to(table, *verbs)
        table.press("c", key)

    return stage


PICTURES: dict[str, tuple[Callable[[Table], None], bool]] = {
    "lobby": (lobby, False),
    "map-far": (map_far, False),
    "map-middle": (map_middle, False),
    "map-close": (map_close, False),
    "fire-preview": (aim, False),
    "sight-line": (sight_line, False),
    "replay": (replay, False),
    "their-turn": (their_turn, False),
    "dark": (map_middle, True),
    "panzer-leader": (room("pl-ridge", "move"), False),
    "panzerblitz-3d": (room("pb3-hill-209", "move"), False),
    "panzer-44": (room("p44-orne", "plot move"), False),
    "panzer8": (room("p8-chemery", "move"), False),
    "panzer-battles": (room("pb-kalinovka", "move"), False),
}
"""What leads to each picture, and whether it is taken in the dark theme."""

MOVING = ("their-turn",)
"""Pictures of a table on which things move."""


def take(browser: Browser, name: str, folder: Path) -> Path:
    """The picture of that name is in the documentation."""
    stage, dark = PICTURES[name]
    serving = Serving(folder / name)
    serving.start()
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="no-preference" if name in MOVING else "reduce"
    )
    context.add_init_script(NO_GUIDE)
    if dark:
        context.add_init_script(DARK)
    try:
        page = context.new_page()
        stage(Table(page, serving.url, lambda _: None))
        page.wait_for_load_state("networkidle")
        # the tiles of the map are drawn by a worker, which tells nobody when it is done, and results fade from the map
        page.wait_for_timeout(2000)
        path = IMAGES / f"{name}.png"
        page.screenshot(path=path, scale="css")
    finally:
        context.close()
        serving.stop()
    reduce_palette(path)
    return path


def reduce_palette(path: Path) -> None:
    """The picture is a PNG with a palette: a third of the size, and nobody sees the difference."""
    width, height, pixels = read_png(path.read_bytes())
    counts = Counter(pixels)
    boxes = split_colors(counts)
    index = {color: number for number, box in enumerate(boxes) for color in box}
    palette = b"".join(face(box, counts) for box in boxes)
    numbers = bytes(index[pixel] for pixel in pixels)
    rows = b"".join(b"\0" + numbers[at : at + width] for at in range(0, width * height, width))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    path.write_bytes(SIGNATURE + b"".join(chunk(kind, body) for kind, body in parts))


def face(colors: list[bytes], counts: Counter[bytes]) -> bytes:
    """The color that stands for a box: the one most seen, so that plain surfaces keep theirs, or the mean of many."""
    top = max(colors, key=counts.__getitem__)
    total = sum(counts[color] for color in colors)
    if 2 * counts[top] >= total:
        return top
    return bytes(sum(color[n] * counts[color] for color in colors) // total for n in range(3))


def chunk(kind: bytes, body: bytes) -> bytes:
    """A part of a PNG file with its length and its checksum."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def read_png(data: bytes) -> tuple[int, int, list[bytes]]:
    """The width, the height and the pixels (three bytes each) of a picture as the browser writes it."""
    packed, at = b"", len(SIGNATURE)
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    size = {2: 3, 6: 4}[color]
    raw, above, pixels = zlib.decompress(packed), bytes(width * size), []
    for start in range(0, len(raw), width * size + 1):
        above = unfilter(raw[start], raw[start + 1 : start + 1 + width * size], above, size)
        pixels += [above[x : x + 3] for x in range(0, width * size, size)]
    return width, height, pixels


def unfilter(way: int, row: bytes, above: bytes, size: int) -> bytes:
    """A row of a PNG file with its values restored from their differences to the left and to the row above."""
    done = bytearray(row)
    for x in range(len(row) if way else 0):
        left, corner = (done[x - size], above[x - size]) if x >= size else (0, 0)
        up = above[x]
        if way == 4:
            guess = left + up - corner
            near = min((left, up, corner), key=lambda value: abs(guess - value))
        else:
            near = (0, left, up, (left + up) // 2)[way]
        done[x] = (row[x] + near) & 255
    return bytes(done)


def split_colors(counts: Counter[bytes]) -> list[list[bytes]]:
    """The colors in at most 256 boxes of colors that are near each other: the worst box is cut again and again."""
    boxes = [weigh(list(counts), counts)]
    while len(boxes) < COLORS:
        worst = max(boxes, key=lambda box: box[0])
        weight, channel, colors = worst
        if not weight:
            break
        boxes.remove(worst)
        values = [color[channel] for color in colors]
        middle = (min(values) + max(values)) / 2
        boxes.append(weigh([color for color in colors if color[channel] <= middle], counts))
        boxes.append(weigh([color for color in colors if color[channel] > middle], counts))
    return [colors for _, _, colors in boxes]


def weigh(colors: list[bytes], counts: Counter[bytes]) -> tuple[float, int, list[bytes]]:
    """How much a box of colors needs a cut, the channel to cut it in, and the box."""
    spreads = [max(values) - min(values) for values in zip(*colors, strict=True)]
    spread = max(spreads)
    return spread * sum(counts[color] for color in colors) ** 0.5, spreads.index(spread), colors


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"No such picture: {', '.join(unknown)}. There are {', '.join(PICTURES)}.")
        return 1
    path = finder.find()
    if path is None:
        print("No Chromium was found and none could be fetched. Install one, or name it in SANDTABLE_BROWSER.")
        return 1
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=list(finder.FLAGS))
        for name in names or PICTURES:
            made = take(browser, name, Path(folder))
            print(f"{made.relative_to(ROOT)}: {made.stat().st_size // 1000} kB")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
