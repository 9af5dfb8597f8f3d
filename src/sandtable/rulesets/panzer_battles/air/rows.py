"""The orders of the air, one row each."""

from __future__ import annotations

from sandtable.play.rows import Action, Row
from sandtable.rulesets.panzer_battles.air import calling, sequels
from sandtable.rulesets.panzer_battles.air.orders import CallCarpet, CallRecon, CallStrike
from sandtable.rulesets.panzer_battles.air.units import CARPET, RECON, STRIKE
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.sequence import ORDERS

AIR = "Air"

ROWS: tuple[Row[Position], ...] = (
    Row(
        order=CallStrike,
        steps=(ORDERS,),
        check=calling.check_call,
        resolve=calling.resolve_call,
        words=lambda p, x: f"call {unit_name(p, x.unit)} to strike {place_name(p, x.hex)}",
        by=calling.STRIKERS,
        options=calling.strike_options,
        on_paper=True,
        aim=calling.call_aim,
        later=sequels.of_strike,
        point=calling.pointer(CallStrike),
        verb=Action(
            key="air_strike", title="Air strike", hotkey="s", group=AIR,
            rule="PB-AIR-5", nothing="no air unit can strike anything that is known", label=calling.call_label,
            bars=calling.cannot_be_called, offered=calling.has_flyers(STRIKE),
        ),
    ),
    Row(
        order=CallCarpet,
        steps=(ORDERS,),
        check=calling.check_call,
        resolve=calling.resolve_call,
        words=lambda p, x: f"call {unit_name(p, x.unit)} to bomb {place_name(p, x.hex)}",
        by=calling.BOMBERS,
        options=calling.carpet_options,
        on_paper=True,
        aim=calling.call_aim,
        later=sequels.of_carpet,
        point=calling.pointer(CallCarpet),
        verb=Action(
            key="carpet", title="Carpet bombing", hotkey="y", group=AIR,
            rule="PB-AIR-22", nothing="no heavy bombers can be called", label=calling.call_label,
            bars=calling.cannot_be_called, offered=calling.has_flyers(CARPET),
        ),
    ),
    Row(
        order=CallRecon,
        steps=(ORDERS,),
        check=calling.check_call,
        resolve=calling.resolve_call,
        words=lambda p, x: f"call {unit_name(p, x.unit)} to look at {place_name(p, x.hex)}",
        by=calling.SCOUTS,
        options=calling.recon_options,
        on_paper=True,
        aim=calling.call_aim,
        later=sequels.of_recon,
        point=calling.pointer(CallRecon),
        verb=Action(
            key="air_recon", title="Air reconnaissance", hotkey="v", group=AIR,
            rule="PB-AIR-25", nothing="no air reconnaissance can be called", label=calling.call_label,
            bars=calling.cannot_be_called, offered=calling.has_flyers(RECON),
        ),
    ),
)  # fmt: skip
