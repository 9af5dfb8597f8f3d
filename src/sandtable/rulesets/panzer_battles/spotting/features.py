"""What a viewer knows of the features in hexes: his own always, the enemy's as he last saw them.

Rules: PB-SPOT-26, PB-MOVE-85.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sandtable.kernel.ids import SPECTATORS, HexId, SideId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.features import MINEFIELD, NONE, Features
from sandtable.rulesets.panzer_battles.model import NOBODYS, Feature, Position
from sandtable.rulesets.panzer_battles.spotting.knowledge import arrived
from sandtable.rulesets.panzer_battles.spotting.levels import observers
from sandtable.rulesets.panzer_battles.spotting.sight import look, looks

Known = Mapping[HexId, Features]


def is_public(feature: Feature, viewer: SideId) -> bool:
    """Whether a viewer knows of a feature wherever his units are: it is his, or nobody's."""
    return feature.side in (viewer, NOBODYS)


def is_among(position: Position, viewer: SideId, place: HexId) -> bool:
    """Whether a unit of a viewer's side stands in a hex, and so knows all that is there (PB-SPOT-26)."""
    return any(unit.side == viewer for unit in index.at(position, place))


def _is_found(position: Position, feature: Feature, place: HexId, viewer: SideId, before: Features) -> bool:
    """Whether who has the hex in sight knows of the feature: mines show to those beside or in them, and to those who
    know of them.

    Rules: PB-SPOT-26.
    """
    if feature.kind != MINEFIELD or any(one.kind == MINEFIELD for one in before):
        return True
    return is_among(position, viewer, place) or any(True for _ in index.adjacent(position, viewer, place))


def is_in_sight(position: Position, viewer: SideId, place: HexId) -> bool:
    """Whether any unit of a viewer's side sees a hex: works and mines show to Broken ones as well.

    Rules: PB-SPOT-26.
    """
    return viewer != SPECTATORS and any(True for _ in observers(position, viewer, place))


def known_at(position: Position, place: HexId, viewer: SideId, before: Features, *, in_sight: bool) -> Features:
    """The features of a hex as a viewer knows them who knew some before.

    Rules: PB-SPOT-26.
    """
    there = position.features.get(place, NONE)
    public = [one for one in there if is_public(one, viewer)]
    if in_sight:
        others = [
            one for one in there if not is_public(one, viewer) and _is_found(position, one, place, viewer, before)
        ]
    else:
        others = [one for one in before if not is_public(one, viewer)]
    return tuple(sorted(public + others))


def known_features(position: Position, viewer: SideId, before: Known) -> dict[HexId, Features]:
    """All that a viewer knows of features, worked out anew from what he knew before."""
    found = {
        place: known_at(
            position,
            place,
            viewer,
            before.get(place, NONE),
            in_sight=is_in_sight(position, viewer, place),
        )
        for place in sorted({*position.features, *before})
    }
    return {place: features for place, features in found.items() if features}


def news(known: Position, before: Position, after: Position, viewer: SideId) -> Iterator[tuple[HexId, Features]]:
    """The hexes of whose features a viewer knows otherwise after an event, with what he knows of each now."""
    for place in _doubtful(known, before, after, viewer):
        in_sight = is_in_sight(after, viewer, place)
        now = known_at(after, place, viewer, known.features.get(place, NONE), in_sight=in_sight)
        if now != known.features.get(place, NONE):
            yield place, now


def _doubtful(known: Position, before: Position, after: Position, viewer: SideId) -> Iterable[HexId]:
    """The hexes about which an event may teach a viewer something: all where everybody sees otherwise, else those where
    something changed, and those that his units which moved or rallied see now and that he does not know as they are.
    """
    if not after.features and not known.features:
        return ()
    if before.visibility != after.visibility or (looks(before) is not looks(after) and viewer != SPECTATORS):
        return sorted({*after.features, *known.features})
    found: set[HexId] = set()
    if before.features is not after.features:
        were, are = before.features, after.features
        found.update(place for place in {*were, *are} if were.get(place) is not are.get(place))
    masks = [look(after, unit.hex) for unit in arrived(before, after, viewer)]
    if masks:
        found.update(place for place in _strange(known, after) if any(mask[place] for mask in masks))
    return sorted(found)


def _strange(known: Position, truth: Position) -> list[HexId]:
    """The hexes in which there is something else than a viewer knows."""

    def make() -> list[HexId]:
        were, are = known.features, truth.features
        return [place for place in {*are, *were} if are.get(place, NONE) != were.get(place, NONE)]

    return known.derived.part("strange features", (known.features, truth.features), make)
