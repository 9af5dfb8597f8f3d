"""The headings of the parameter file and the type of every number under them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Final, Literal

import msgspec

GRADES: Final = ("A", "B", "C", "D", "E", "F")
FATIGUE_LEVELS: Final = ("none", "low", "medium", "high", "maximum")
TERRAINS: Final = (
    *("clear", "grass", "field", "building", "rough", "orchard", "forest", "jungle", "marsh", "swamp"),
    *("village", "town", "city", "industrial", "shallow_water", "water", "impassible"),
)
"""What a hex may be (PB-MAP-3)."""

URBAN: Final = frozenset({"village", "town", "city", "industrial"})
"""Where men fight from houses (PB-MAP-8)."""

CONDITIONS: Final = ("normal", "soft", "mud", "snow", "frozen")
ROADS: Final = ("primary", "secondary", "trail", "rail_bed")
WATERS: Final = ("stream", "gully", "river", "canal", "at_ditch")
OBSTACLES: Final = ("hedge", "hedge_row", "dike", "embankment", "cliff")
CROSSINGS: Final = (*WATERS, *OBSTACLES, "ford")
"""What a step may go across (PB-MAP-4)."""

BRIDGES: Final = ("light", "medium", "heavy", "at_ditch")

MOVE_CLASSES: Final = ("foot", "ski", "bicycle", "horse", "motorcycle", "motorized", "halftrack", "tracked")
"""The columns of the movement tables."""

PROHIBITED: Final = -1
"""The cost of what a class may not enter or cross (PB-MOVE-7)."""

Pct = Annotated[int, msgspec.Meta(ge=-100, le=1000, description="a whole percentage from -100 to 1000")]
Penalty = Annotated[int, msgspec.Meta(ge=0, le=99, description="a whole percentage from 0 to 99")]
Count = Annotated[int, msgspec.Meta(ge=0, le=100_000, description="a whole number from 0 to 100000")]
Some = Annotated[int, msgspec.Meta(ge=1, le=100_000, description="a whole number from 1 to 100000")]
Factor = Annotated[float, msgspec.Meta(ge=0, le=1000, description="a number from 0 to 1000")]
Cost = Annotated[int, msgspec.Meta(ge=PROHIBITED, le=1000, description="mp from 0 to 1000, or -1 for prohibited")]
Clock = Annotated[str, msgspec.Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d\Z", description="a time such as '05:30'")]


def complete(keys: tuple[str, ...]) -> msgspec.Meta:
    """The mark of a table that has exactly these keys (PB-GEN-20)."""
    return msgspec.Meta(extra={"keys": keys})


CostByClass = tuple[Cost, Cost, Cost, Cost, Cost, Cost, Cost, Cost]
PctByClass = tuple[Pct, Pct, Pct, Pct, Pct, Pct, Pct, Pct]


class Counts(msgspec.Struct, frozen=True):
    """A whole number for each side."""

    allied: Count
    axis: Count

    def of(self, side: str) -> int:
        """The number of a side (PB-GEN-22)."""
        return self.allied if side == "allied" else self.axis


class Percentages(msgspec.Struct, frozen=True):
    """A percentage for each side."""

    allied: Pct
    axis: Pct

    def of(self, side: str) -> int:
        """The percentage of a side (PB-GEN-22)."""
        return self.allied if side == "allied" else self.axis


class Shares(msgspec.Struct, frozen=True):
    """An exact number for each side."""

    allied: Fraction
    axis: Fraction

    def of(self, side: str) -> Fraction:
        """The number of a side (PB-GEN-22)."""
        return self.allied if side == "allied" else self.axis


class Switches(msgspec.Struct, frozen=True):
    """Yes or no for each side."""

    allied: bool
    axis: bool

    def of(self, side: str) -> bool:
        """What holds for a side (PB-GEN-22)."""
        return self.allied if side == "allied" else self.axis


class Names(msgspec.Struct, frozen=True):
    """A unit type for each side."""

    allied: str
    axis: str

    def of(self, side: str) -> str:
        """The unit type of a side (PB-GEN-22)."""
        return self.allied if side == "allied" else self.axis


class Meta(msgspec.Struct, frozen=True):
    """Which set of numbers it is."""

    name: str
    schema: Literal[1]


class Time(msgspec.Struct, frozen=True):
    """The clock, and how long a turn is.

    Rules: PB-GEN-2, PB-TURN-6, PB-TURN-7, PB-TURN-8.
    """

    dawn: Clock
    dusk: Clock
    day_turn_minutes: Some
    night_turn_minutes: Some
    has_dawn_dusk_turns: bool
    midnight: Clock


class Stacking(msgspec.Struct, frozen=True):
    """How much fits into a hex (PB-STK-2, PB-STK-4, PB-STK-6)."""

    max: Some
    road: Some
    ships_per_hex: Some
    men_per_vehicle_or_gun: Some
    amphibious_arrival_multiplier: Some


class Misc(msgspec.Struct, frozen=True):
    """Values that belong to no larger table."""

    foot_speed: Some
    infantry_defense: Some
    exterior_defense: Some
    dig_in_pct: Pct
    dig_in_mult_improved: Some
    dig_in_mult_company: Some
    dig_in_mult_combined2: Some
    dig_in_mult_engineer: Some
    bunker_pct: Pct
    rest_value: Count
    rest_night_multiplier: Some
    mine_prob_pct: Pct
    mine_attack: Count
    mine_external_rider_multiplier: Some
    mine_shallow_water_multiplier: Factor
    minefield_blocks_supply: bool
    obstacle_shallow_water_fraction: Fraction
    rubble_pct_per_1000_fire: Pct
    rubble_clear_fraction_of_dig_in: Fraction
    rubble_move_multiplier: Some
    wreck_block_count: Count
    wreck_height_m: Count
    finish_off_men: Some
    finish_off_survival_pct_per_man: Pct
    intel_marker_turns: Some
    recon_spot_pct: Pct
    dust_spot_pct: Percentages
    dust_spot_range: Count
    vehicle_breakdown: Shares
    low_reliability_multiplier: Some
    congestion_side: Literal["none", "allied", "axis", "both"]
    congestion_expiration: Count
    rail_capacity: Counts
    partisan_effect_like_deception: bool
    hq_restore_pct_per_quality: Pct
    hq_restore_strength_pct: tuple[Pct, Pct]
    arrival_protection_advice_hexes: Count
    broken_requires_max_fatigue: bool
    broken_fire_factor: Factor
    heavy_aa_low_fly_factor: Factor
    fix_at_night: Switches


class Quality(msgspec.Struct, frozen=True):
    """What quality does (PB-MOR-1)."""

    numeric: Annotated[dict[str, Some], complete(GRADES)]
    fire_pct: Annotated[dict[str, Pct], complete(GRADES)]
    assault_pct: Annotated[dict[str, Pct], complete(GRADES)]
    move_pct_vehicle: Annotated[dict[str, Pct], complete(GRADES)]
    move_pct_other: Annotated[dict[str, Pct], complete(GRADES)]
    command_range_add: Annotated[dict[str, int], complete(GRADES)]
    breakdown_q: Annotated[dict[str, Fraction], complete(GRADES)]
    bridge_pct: Annotated[dict[str, Pct], complete(GRADES)]
    air_recon_pct: Annotated[dict[str, Pct], complete(GRADES)]
    opfire_pct: Annotated[dict[str, Pct], complete(GRADES)]


class Fatigue(msgspec.Struct, frozen=True):
    """The levels of fatigue and what they do (PB-FAT-1)."""

    max: Some
    medium_at: Some
    high_at: Some
    fire_pct: Annotated[dict[str, Pct], complete(FATIGUE_LEVELS)]
    assault_pct: Annotated[dict[str, Pct], complete(FATIGUE_LEVELS)]
    morale_sub: Annotated[dict[str, Count], complete(FATIGUE_LEVELS)]
    factor_platoon: Count
    factor_combined2: Count
    factor_company: Count
    assault_attack_multiplier: Some


class Bands(msgspec.Struct, frozen=True):
    """How likely opportunity fire is near, midway and far (PB-OPF-4)."""

    short: Pct
    medium: Pct
    long: Pct


class Combat(msgspec.Struct, frozen=True):
    """How combat value becomes casualties, and what changes a combat value (PB-CRT-2)."""

    fire_lcv: Count
    fire_hcv: Count
    assault_lcv: Count
    assault_hcv: Count
    baseline: Some
    range_effect: Annotated[float, msgspec.Meta(ge=1, le=100, description="a number from 1 to 100")]
    quality_fire_modifier: Factor
    elevation_modifier_pct: Pct
    infantry_effect_men_pct: Annotated[int, msgspec.Meta(ge=1, le=99, description="a whole percentage from 1 to 99")]
    infantry_effect_value_pct: Pct
    artillery_hard_target_mod: Factor
    artillery_hard_target_range: Count
    stack_mod_start_fraction: Annotated[float, msgspec.Meta(ge=0, lt=1, description="a number from 0 to below 1")]
    stack_mod_max: Factor
    vehicle_terrain_fraction: Factor
    hex_fire_limit_multiplier: Fraction
    indirect_hex_limit_multiplier: Fraction
    siege_vs_pillbox_multiplier: Some
    special_disruption_multiplier: Some
    morale_base_platoon: Some
    morale_base_combined2: Some
    morale_base_company: Some
    combined_org_pct: Pct
    retreat_captured_pct: Pct
    retreat_captured_broken_pct: Pct
    at_gun_retreat_loss_pct: Pct
    demolition_reduction: Count
    opfire_base_pct: Pct
    opfire_band_pct: Bands
    opfire_fire_trigger_pct: Pct
    night_assault_disruption_multiplier: Some
    assault_disruption_multiplier: Some
    counterbattery_pct: Percentages
    counterbattery_max_range: Count


class Work(msgspec.Struct, frozen=True):
    """A kind of fortification: what it does to fire, what it adds to a defense, and whether it makes its men hard."""

    fire_pct: Pct
    defense_add: Count
    hard: bool


class Fortification(msgspec.Struct, frozen=True):
    """The four kinds of works (PB-FIRE-66)."""

    improved: Work
    trench: Work
    bunker: Work
    pillbox: Work
    vacated_fraction: Factor

    def work(self, kind: str) -> Work:
        """The work of a kind."""
        return {"improved": self.improved, "trench": self.trench, "bunker": self.bunker, "pillbox": self.pillbox}[kind]


class Artillery(msgspec.Struct, frozen=True):
    """Guns that fire in the enemy's turn, are set up, or fire from stockpiles."""

    indirect_mod_pct: Percentages
    setup_pct: Percentages
    setup_sp_exempt_at_pct: Pct
    siege_setup_fraction: Fraction
    stockpiled_fire_pct: Percentages
    stockpiled_supply_fraction: Fraction


class LowVisibility(msgspec.Struct, frozen=True):
    """How many air missions fly when sight is short (PB-AIR-35)."""

    v1: Pct
    v2: Pct
    v3: Pct
    v4: Pct
    v5: Pct


class Air(msgspec.Struct, frozen=True):
    """Air missions."""

    availability_pct: Percentages
    interdiction_pct: Percentages
    interception_pct: Percentages
    jet_interception_fraction: Fraction
    strike_hex_limit: Count
    strike_attack_multiplier: Some
    carpet_scatter_hexes: Count
    carpet_disruption_multiplier: Some
    interdiction_disruption_multiplier: Some
    interdiction_aircraft: Some
    interdiction_mp_chance_pct: Pct
    interdiction_mp_max_fraction: Fraction
    interdiction_unit: Names
    low_visibility_availability_pct: LowVisibility
    recon_strength_constant: Some


class Bridge(msgspec.Struct, frozen=True):
    """Bridges, built and broken."""

    build_pct: Percentages
    defense: Annotated[dict[str, Some], complete(BRIDGES)]
    pontoon_turns: Counts
    wired_pct: Percentages
    engineer_full_men: Some
    platoon_fraction: Fraction


class Supply(msgspec.Struct, frozen=True):
    """Supply and refueling."""

    everywhere: Percentages = msgspec.field(name="global")
    variation: Counts
    refuel_pct: Percentages
    naval_fraction: Fraction
    supply_unit_radius: Count


class Deception(msgspec.Struct, frozen=True):
    """Deception units."""

    range: Counts
    radius: Counts
    effect_pct: Percentages
    damage_pct: Percentages
    detect_pct: Percentages
    deploy_multiplier: Some
    redeploy_multiplier: Some


class Penalties(msgspec.Struct, frozen=True):
    """A percentage for each side that leaves something over."""

    allied: Penalty
    axis: Penalty

    def of(self, side: str) -> int:
        """The percentage of a side (PB-GEN-22)."""
        return self.allied if side == "allied" else self.axis


class Frozen(msgspec.Struct, frozen=True):
    """What frost takes from a side (PB-ENV-29)."""

    penalty_pct: Penalties


class Airborne(msgspec.Struct, frozen=True):
    """Losses of drops and landings."""

    marsh_swamp_max_pct: Pct
    glider_bad_terrain_max_pct: Pct
    enemy_hex_pct: Pct
    normal_max_pct: Pct
    scatter_pct_per_hex: Pct
    mine_pct_per_strength: Pct


class Victory(msgspec.Struct, frozen=True):
    """Points for losses (PB-VIC-12)."""

    points_per_10_men: Fraction
    points_per_gun: Fraction
    points_per_soft_vehicle: Fraction
    points_per_hard_vehicle: Fraction
    points_per_aircraft: Fraction
    points_per_ship: Fraction
    points_per_hq_man: Fraction
    early_termination: bool


class Carry(msgspec.Struct, frozen=True):
    """How much carriers take aboard, per vehicle."""

    transport_men_per_vehicle: Some
    transport_guns_per_vehicle: Some
    naval_men: Some
    naval_guns: Some
    naval_vehicles: Some
    external_men_per_vehicle: Some
    carry_cost_fraction: Fraction
    naval_sunk_shallow_loss_pct: Pct


class Costs(msgspec.Struct, frozen=True):
    """What actions cost, as exact parts of the movement allowance (PB-GEN-15)."""

    fire: Fraction
    indirect_fire: Fraction
    ship_fire_multiplier: Some
    ship_fire_value_multiplier: Some
    assault_min: Fraction
    leave_travel: Fraction
    enter_travel: Fraction
    towed_travel_change: Fraction
    heavy_towed_travel_change: Fraction
    rail_change: Fraction
    rail_damage: Fraction
    ferry_destroy: Fraction
    bridgelayer_start: Fraction
    engineer_bridge_start: Fraction
    minefield_per_strength: Fraction
    mine_clearer_entry: Fraction


class Rail(msgspec.Struct, frozen=True):
    """Rail Mode (PB-MOVE-41)."""

    rail_mode_cost: Some
    rail_allowance: Some


class Climb(msgspec.Struct, frozen=True):
    """What a level of climbing costs (PB-MOVE-9)."""

    cost: CostByClass


class Naval(msgspec.Struct, frozen=True):
    """Ships (PB-MOVE-60)."""

    water: Some


class Movement(msgspec.Struct, frozen=True):
    """The movement tables; every row has the columns of MOVE_CLASSES (PB-MOVE-5)."""

    zoc_to_zoc_multiplier: Fraction
    storm_multiplier: Fraction
    min_one_hex: bool
    elevation_level_m: Some
    detour_limit: Fraction
    round: Literal["floor_each_component"]
    terrain: Annotated[dict[str, CostByClass], complete(TERRAINS)]
    road: Annotated[dict[str, CostByClass], complete(ROADS)]
    rail: Rail
    hexside: Annotated[dict[str, CostByClass], complete(CROSSINGS)]
    elevation_up: Climb
    condition_pct: Annotated[dict[str, PctByClass], complete(CONDITIONS)]
    naval: Naval


class Terrain(msgspec.Struct, frozen=True):
    """Heights and combat modifiers of terrain (PB-SPOT-3, PB-FIRE-45)."""

    height_m: Annotated[dict[str, Count], complete(TERRAINS)]
    combat_pct: Annotated[dict[str, Pct], complete(TERRAINS)]


class Hexside(msgspec.Struct, frozen=True):
    """Heights and combat modifiers of hexsides (PB-SPOT-9, PB-FIRE-44)."""

    height_m: Annotated[dict[str, Count], complete(OBSTACLES)]
    combat_pct: Annotated[dict[str, Pct], complete((*CROSSINGS, "bridge"))]


class Sight(msgspec.Struct, frozen=True):
    """Heights of eyes, targets and obstacles (PB-SPOT-5, PB-SPOT-8, PB-SPOT-16)."""

    eye_height_m: Count
    target_height_m: Count
    min_block_height_m: Count
    adjacent_reveals: bool


class Weather(msgspec.Struct, frozen=True):
    """Visibility and storms."""

    visibility_change_pct: Pct
    visibility_continue_pct: Pct
    visibility_max_cap: Some
    night_visibility: Some
    storm_visibility: Some
    storm_combat_fraction: Factor
    storm_continue_pct: Pct
