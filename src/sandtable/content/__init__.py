"""Reading, checking and migrating data files: boards, scenarios and tables, with no game in it."""

from sandtable.content.board_writing import write_board, write_sheet
from sandtable.content.boards import find_hex, load_board, load_sheet, not_on
from sandtable.content.catalogue import CatalogueRule, read_catalogue
from sandtable.content.library import (
    load_shipped,
    scenario_path,
    shipped_boards,
    shipped_folder,
    shipped_scenarios,
    tutorial_path,
)
from sandtable.content.migrations import FORMAT, MIGRATIONS
from sandtable.content.model import (
    MapSheet,
    Nothing,
    Objective,
    OptionValue,
    Reinforcement,
    Scenario,
    ScenarioUnit,
    Side,
    Zone,
)
from sandtable.content.problems import ContentError, Problem
from sandtable.content.scenarios import ScenarioHeader, find_scenarios, load_scenario, read_header
from sandtable.content.shapes import (
    FileName,
    HexLabel,
    Id,
    NationName,
    SideName,
    TerrainName,
    Title,
    UnitName,
    UnitTypeName,
)
from sandtable.content.tables import read_table
from sandtable.content.tutorials import Tutorial, TutorialCondition, TutorialStep, TutorialWords, load_tutorial
from sandtable.content.vocabulary import Option, Vocabulary

__all__ = [
    "FORMAT",
    "MIGRATIONS",
    "CatalogueRule",
    "ContentError",
    "FileName",
    "HexLabel",
    "Id",
    "MapSheet",
    "NationName",
    "Nothing",
    "Objective",
    "Option",
    "OptionValue",
    "Problem",
    "Reinforcement",
    "Scenario",
    "ScenarioHeader",
    "ScenarioUnit",
    "Side",
    "SideName",
    "TerrainName",
    "Title",
    "Tutorial",
    "TutorialCondition",
    "TutorialStep",
    "TutorialWords",
    "UnitName",
    "UnitTypeName",
    "Vocabulary",
    "Zone",
    "find_hex",
    "find_scenarios",
    "load_board",
    "load_scenario",
    "load_sheet",
    "load_shipped",
    "load_tutorial",
    "not_on",
    "read_catalogue",
    "read_header",
    "read_table",
    "scenario_path",
    "shipped_boards",
    "shipped_folder",
    "shipped_scenarios",
    "tutorial_path",
    "write_board",
    "write_sheet",
]
