"""The boards of Panzer Battles that are drawn by seed.

python3 run.py cli version && .venv/bin/python tools/battlefields.py [NAME...]     write these boards, or all of them
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from sandtable.content import MapSheet, write_sheet
from tools.countryside import Land, meander

FOLDER = Path(__file__).parent.parent / "src" / "sandtable" / "boards"


def berezhok() -> MapSheet:
    """A stream between wheat fields, a ford and a bridge, two villages, and a low ridge behind the farther one."""
    land = Land("berezhok", "Berezhok Ford", 24, 20)
    stream = meander(10.2, 0.02, (1.1, 13, 0.4), (0.4, 5, 1.0))
    land.rolling(150, 5, 14)
    land.valley(stream, 12, 3.5)
    land.ridge("1905", "2014", 26, 3.0)
    land.hill("0304", 12, 3.5)
    land.water("stream", stream)
    for label, radius in (("0803", 1.6), ("0414", 1.8), ("1616", 2.0), ("2102", 2.2), ("1004", 1.2), ("0118", 1.6)):
        land.patch("forest", label, radius)
    for label, radius in (("0609", 2.4), ("0913", 1.7), ("1506", 1.8), ("1512", 2.0), ("0806", 1.5), ("0716", 1.8)):
        land.patch("field", label, radius)
    for label, radius in (("1117", 2.0), ("1209", 1.6), ("1103", 1.6), ("1413", 1.2)):
        land.patch("grass", label, radius, ("clear",))
    land.village("0510", "Lutovo", 3, fields=1.6)
    land.village("1710", "Berezhok", 5, fields=1.8)
    land.patch("orchard", "1908", 1.2)
    land.terrain[land.hex("2010")] = "building"
    land.names[land.hex("2010")] = "Windmill"
    land.road("primary", "0110", "0510", "1210", "1710", "2410")
    land.road("trail", "0510", "0715", "0820")
    land.road("trail", "1710", "1804", "1701")
    land.road("trail", "1710", "1617", "1620")
    _ford(land, "0715", "1515")
    land.names[land.hex("2007")] = "Height 176"
    _name_crossings(land, {"medium_bridge": "Timber Bridge", "ford": "Berezhok Ford"})
    return land.sheet()


def _ford(land: Land, start: str, end: str) -> None:
    """A trail that goes through the water instead of over it."""
    land.road("trail", start, end, bridge="ford")


def _name_crossings(land: Land, names: dict[str, str]) -> None:
    for kind, name in names.items():
        sides = sorted(side for side, found in land.sides.items() if kind in found)
        land.names.setdefault(sides[-1][0], name)


def sosnovka() -> MapSheet:
    """A railway junction in the snow: a small town between frozen marshes, woods, and a line that crosses a stream."""
    land = Land("sosnovka", "Sosnovka Junction", 40, 30, "winter")
    stream = meander(11.5, 0.05, (1.5, 17, 0.0), (0.5, 6, 2.0))
    land.rolling(140, 4, 18)
    land.valley(stream, 8, 4)
    land.hill("3208", 14, 5)
    land.ridge("0506", "0922", 12, 4)
    land.water("stream", stream)
    for label, radius in (
        ("3005", 2.8), ("3522", 3.2), ("2626", 2.2), ("0403", 3.0), ("0827", 2.6), ("2008", 1.8), ("3714", 2.0),
        ("2405", 1.6), ("1722", 1.6), ("0214", 1.8),
    ):  # fmt: skip
        land.patch("forest", label, radius)
    for label, radius in (("1509", 1.8), ("1620", 2.2), ("1325", 1.8), ("2421", 1.6), ("1104", 1.6)):
        land.patch("marsh", label, radius)
    land.village("2015", "Sosnovka", 6, kind="town", fields=0)
    land.terrain[land.hex("2114")] = "industrial"
    land.terrain[land.hex("2115")] = "industrial"
    land.names[land.hex("2115")] = "Engine Shed"
    land.village("0815", "Zarechye", 4)
    land.village("3116", "Krasny Bor", 3)
    land.village("2724", "Olshanka", 3)
    land.village("0606", "Depot", 2, kind="building")
    land.road("primary", "0115", "0815", "2015", "3116", "4016")
    land.road("secondary", "2015", "2007", "1901")
    land.road("secondary", "2015", "2724", "2830")
    land.road("trail", "0815", "0606", "0701")
    land.road("rail", "0117", "1018", "1319", "1618", "1916", "2214", "3012", "4009", bridge="light_bridge")
    land.road("rail", "2214", "2320", "2130")
    land.names[land.hex("3208")] = "Height 154"
    return land.sheet()


def rudnya() -> MapSheet:
    """A river in the thaw whose bridge is blown: low meadows on one bank, a bluff with villages on the other."""
    land = Land("rudnya", "Crossing at Rudnya", 36, 40, "spring")
    river = meander(19.5, 0.03, (1.6, 19, 0.5), (0.5, 7, 1.2), across=True)
    brook = meander(20.5, 0.1, (1.0, 9, 0.3))
    land.rolling(130, 4, 16)
    land.valley(river, 10, 5)
    land.ridge("0415", "3313", 22, 4.5)
    land.hill("2608", 16, 5)
    land.hill("0906", 14, 5)
    land.valley(brook, 5, 2)
    land.water("river", river)
    land.water("stream", brook, lambda x, y: river(x, y) < 0)
    for label, radius in (
        ("0528", 2.6), ("2630", 3.0), ("3322", 1.8), ("1536", 2.6), ("0310", 2.0), ("1304", 2.4), ("3016", 2.0),
        ("3404", 2.4), ("2135", 1.8), ("1017", 1.3),
    ):  # fmt: skip
        land.patch("forest", label, radius)
    for label, radius in (("1223", 1.8), ("2223", 1.6), ("3124", 1.6), ("0421", 1.4)):
        land.patch("marsh", label, radius)
    for label, radius in (("0832", 2.2), ("3235", 2.2), ("1710", 2.0), ("2712", 1.8), ("0713", 1.6)):
        land.patch("field", label, radius)
    land.village("1715", "Rudnya", 5, fields=1.2)
    land.village("0810", "Verkhovye", 3, fields=1.2)
    land.village("2709", "Gorki", 4, fields=1.4)
    land.village("1829", "Nizhny Khutor", 3, fields=1.2)
    land.village("0735", "Lugovaya", 3)
    land.road("primary", "1840", "1829", "1720")
    land.road("primary", "1719", "1715", "1806", "1701")
    land.road("secondary", "1715", "0810", "0108")
    land.road("secondary", "1715", "2709", "3607")
    land.road("trail", "1829", "0735", "0139")
    land.road("trail", "1829", "2931", "3632")
    land.names[land.hex("1720")] = "Blown Bridge"
    land.names[land.hex("2608")] = "Height 168"
    return land.sheet()


def saint_aubert() -> MapSheet:
    """Small fields with a bank and a hedge around each, sunken lanes, farms and a crossroads."""
    land = Land("saint-aubert", "Hedgerow lanes near Saint-Aubert", 30, 30)
    land.rolling(95, 7, 15)
    land.hill("1412", 14, 5)
    land.hill("2406", 10, 4)
    brook = meander(13.0, 0.05, (1.0, 14, 0.6), across=True)
    land.valley(brook, 7, 3)
    land.water("stream", brook)
    for label, radius in (("0508", 1.5), ("2320", 1.6), ("1025", 1.4), ("2703", 1.3), ("0222", 1.2)):
        land.patch("forest", label, radius)
    for label, radius in (
        ("1208", 1.4), ("1815", 1.5), ("0913", 1.3), ("2110", 1.4), ("0618", 1.4), ("1622", 1.5), ("2514", 1.3),
        ("1404", 1.3), ("2026", 1.4), ("0427", 1.3), ("0303", 1.3),
    ):  # fmt: skip
        land.patch("orchard", label, radius)
    for label, radius in (("1717", 2.0), ("0821", 1.8), ("2218", 1.7), ("1127", 2.0), ("2524", 1.8)):
        land.patch("field", label, radius)
    land.strew("grass", 0.25)
    land.village("1509", "Saint-Aubert", 4)
    land.village("0712", "La Hoguette", 1, kind="building")
    land.village("2313", "La Ferme du Puits", 1, kind="building")
    land.village("1524", "Le Bas Hamel", 2)
    land.hedges("hedge_row", 0.58)
    land.road("secondary", "1530", "1524", "1509", "1501")
    land.road("secondary", "0109", "0712", "1509", "2313", "3014")
    land.road("trail", "0712", "0820", "0830")
    land.road("trail", "2313", "2321", "2230")
    land.road("trail", "1509", "2306", "3005")
    return land.sheet()


def kamenka() -> MapSheet:
    """A bare ridge across a wide plain of corn, with roads to it from both ends of the map."""
    land = Land("kamenka", "Kamenka Heights", 50, 40)
    land.rolling(165, 6, 22)
    land.ridge("2606", "2334", 34, 4.0)
    land.hill("2512", 10, 3.5)
    land.hill("2421", 14, 3.5)
    land.hill("2430", 9, 3.5)
    land.hill("0808", 12, 5)
    land.hill("4332", 12, 5)
    west = meander(12.0, 0.06, (1.4, 21, 0.2), (0.5, 8, 1.0))
    east = meander(31.5, -0.05, (1.3, 19, 1.4), (0.5, 7, 0.3))
    for line in (west, east):
        land.valley(line, 9, 4)
        land.water("gully" if line is west else "stream", line)
    for label, radius in (
        ("0617", 2.6), ("1104", 2.2), ("1632", 2.0), ("3407", 2.4), ("4421", 2.8), ("3934", 2.4), ("2038", 1.8),
        ("3024", 1.5), ("1914", 1.4), ("4805", 2.0), ("0336", 2.2),
    ):  # fmt: skip
        land.patch("forest", label, radius)
    for label, radius in (
        ("0912", 3.0), ("1222", 2.8), ("0828", 3.0), ("1836", 2.4), ("3213", 2.6), ("3730", 3.0), ("4214", 3.0),
        ("4527", 2.6), ("2908", 2.2), ("3118", 2.0), ("1826", 2.0), ("0403", 2.4), ("3602", 2.2),
    ):  # fmt: skip
        land.patch("field", label, radius)
    land.strew("grass", 0.12)
    land.village("1820", "Kamenka", 4, fields=1.5)
    land.village("0819", "Petrovsky Farm", 2)
    land.village("3321", "Stepnoye", 4, fields=1.5)
    land.village("4219", "Vysokoye", 3, fields=1.2)
    land.village("1408", "Yasny Log", 3)
    land.village("3633", "Teploye", 3)
    land.road("primary", "0120", "0819", "1820", "2421", "3321", "4219", "5020")
    land.road("secondary", "1820", "1408", "1401")
    land.road("secondary", "3321", "3633", "3740")
    land.road("trail", "2606", "2512", "2421", "2430", "2335")
    land.road("trail", "0819", "0629", "0140")
    land.road("trail", "4219", "4409", "4901")
    land.names.update({
        land.hex("2512"): "Height 213", land.hex("2421"): "Kurgan", land.hex("2430"): "Height 211",
    })  # fmt: skip
    return land.sheet()


def olkhovets() -> MapSheet:
    """Thirty kilometers of front: two rivers, a railway, a dozen villages and woods for the largest battle."""
    land = Land("olkhovets", "Between the Sova and the Olkha", 120, 90)
    northern = meander(25.0, 0.06, (4.0, 47, 0.3), (1.0, 15, 1.0), across=True)
    southern = meander(66.0, -0.03, (3.5, 53, 1.1), (0.9, 13, 0.2), across=True)
    cross = meander(52.0, 0.05, (2.0, 31, 0.6), (0.7, 9, 0.4))
    land.rolling(190, 12, 46)
    land.rolling(0, 5, 19)
    for line in (northern, southern):
        land.valley(line, 16, 6)
        land.water("stream" if line is southern else "river", line)
    land.valley(cross, 9, 3)
    land.water("stream", cross, lambda x, y: northern(x, y) > 0 and southern(x, y) < 0)
    for start, end, height in (("010042", "034038", 24), ("045050", "078044", 30), ("090038", "115046", 24)):
        land.ridge(start, end, height, 6)
    for _ in range(70):
        label = land.board.label(land.random.choice(land.board.hexes))
        land.patch("forest", label, land.random.uniform(1.2, 3.6))
    for _ in range(90):
        label = land.board.label(land.random.choice(land.board.hexes))
        land.patch("field", label, land.random.uniform(1.5, 3.5))
    for _ in range(14):
        label = land.board.label(land.random.choice(land.board.hexes))
        if min(abs(northern(*land.at[land.hex(label)])), abs(southern(*land.at[land.hex(label)]))) < 6:
            land.patch("marsh", label, 1.6)
    land.strew("grass", 0.1)
    for name, (label, size) in VILLAGES.items():
        land.village(label, name, size, "town" if size > 8 else "village", fields=2.0)
    at = {name: label for name, (label, _) in VILLAGES.items()}
    land.road("primary", "001045", at["Samarino"], at["Olkhovets"], at["Ponizovka"], "120044")
    land.road("primary", "060001", at["Snovidovo"], at["Olkhovets"], at["Kasharino"], "058090")
    land.road("secondary", "001020", at["Zaborye"], at["Snovidovo"], at["Buzulki"], "120018")
    land.road("secondary", "001070", at["Moloditsy"], at["Kasharino"], at["Brusnoye"], "120072")
    for road in (("Zaborye", "Samarino"), ("Samarino", "Moloditsy"), ("Buzulki", "Ponizovka"),
                 ("Ponizovka", "Brusnoye"), ("Teplitsy", "Olkhovets"), ("Teplitsy", "Kasharino"),
                 ("Kutyrino", "Ponizovka"), ("Kutyrino", "Snovidovo"), ("Gnilovo", "Zaborye")):  # fmt: skip
        land.road("trail", *(at[name] for name in road))
    land.road("rail", "097001", "096030", at["Ponizovka"], "093065", "092090", bridge="heavy_bridge")
    return land.sheet()


VILLAGES = {
    "Samarino": ("018043", 7), "Olkhovets": ("060046", 10), "Ponizovka": ("095042", 12), "Snovidovo": ("057018", 6),
    "Zaborye": ("022019", 6), "Buzulki": ("092017", 6), "Moloditsy": ("020068", 7), "Kasharino": ("059070", 8),
    "Brusnoye": ("098071", 6), "Teplitsy": ("040056", 5), "Kutyrino": ("076030", 4), "Gnilovo": ("036030", 5),
}  # fmt: skip
"""The villages of the largest map: where they are, and how many hexes they cover."""

BOARDS: dict[str, Callable[[], MapSheet]] = {
    "berezhok": berezhok,
    "sosnovka": sosnovka,
    "rudnya": rudnya,
    "saint-aubert": saint_aubert,
    "kamenka": kamenka,
    "olkhovets": olkhovets,
}


def main(names: list[str]) -> None:
    """The boards of these names are written, or all of them."""
    for name in names or BOARDS:
        (FOLDER / f"{name}.toml").write_text(write_sheet(BOARDS[name]()), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
