"""The addresses of the lobby; each names its command in the matrix and hands the work to the lobby."""

from __future__ import annotations

import re
from typing import Annotated, Any

from litestar import Request, Response, delete, get, post, route
from litestar.datastructures import ResponseHeader, State
from litestar.di import NamedDependency, Provide
from litestar.enums import HttpMethod
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter

from sandtable import registry
from sandtable.content import Tutorial
from sandtable.server import limits
from sandtable.server import messages as m
from sandtable.server.http import cards
from sandtable.server.http.lobby import Lobby, LobbyError
from sandtable.server.http.pages import FOREVER, Pages

AnyRequest = Request[Any, Any, Any]

_BATTLE = re.compile(r"[0-9a-f]{32}")
BattleId = Annotated[str, PathParameter(pattern="^[0-9a-f]{32}$", description="The id of a battle.")]
TheLobby = NamedDependency[Lobby]
Bearer = NamedDependency[str]

FAULTS = {
    400: ResponseSpec(m.Fault, description="What was asked for makes no sense.", generate_examples=False),
    401: ResponseSpec(m.Fault, description="A token is needed.", generate_examples=False),
    403: ResponseSpec(m.Fault, description="That is not yours to do.", generate_examples=False),
    404: ResponseSpec(m.Fault, description="There is no such thing.", generate_examples=False),
    409: ResponseSpec(m.Fault, description="Not now.", generate_examples=False),
    413: ResponseSpec(m.Fault, description="That is too much.", generate_examples=False),
    429: ResponseSpec(m.Fault, description="That is too much at once.", generate_examples=False),
    503: ResponseSpec(m.Fault, description="The store is away.", generate_examples=False),
}

NOT_KEPT = [ResponseHeader(name="Cache-Control", value="no-store", documentation_only=False)]


def bearer(request: AnyRequest) -> str:
    """The token or secret that a request carries, or nothing."""
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else ""


def lobby(state: State) -> Lobby:
    """The lobby of this server."""
    found: Lobby = state.lobby
    return found


DEPENDENCIES = {"bearer": Provide(bearer, sync_to_thread=False), "lobby": Provide(lobby, sync_to_thread=False)}


def known(id: str) -> str:
    """The id, if it can be one; what is no id at all is not looked up."""
    if not _BATTLE.fullmatch(id):
        raise LobbyError(404, "there is no such battle")
    return id


@get("/house", sync_to_thread=False)
def house(lobby: TheLobby) -> m.House:
    """What kind of server this is."""
    return cards.house(is_local=lobby.settings.is_local)


@get("/systems", sync_to_thread=True)
def systems() -> tuple[m.SystemCard, ...]:
    """The game systems."""
    cards.prepare()
    return cards.systems()


@get("/scenarios", sync_to_thread=True)
def scenarios() -> tuple[m.ScenarioCard, ...]:
    """The scenarios."""
    cards.prepare()
    return cards.scenarios()


@get("/scenarios/{id:str}/briefings", response_headers=NOT_KEPT, responses=FAULTS)
async def briefings(
    lobby: TheLobby, bearer: Bearer, id: FromPath[str], options: FromQuery[str] = ""
) -> tuple[m.Briefing, ...]:
    """What the sides of a scenario have and are to do, where a battle with these options hides nothing."""
    await lobby.admit(bearer, "briefings")
    return await lobby.briefings(id, options)


@get(
    "/boards/{digest:str}",
    sync_to_thread=False,
    media_type="application/json",
    responses={
        200: ResponseSpec(m.BoardSheet, description="The board.", generate_examples=False),
        304: ResponseSpec(None, description="The caller has it.", generate_examples=False),
        404: FAULTS[404],
    },
)
def board(request: AnyRequest, digest: FromPath[str]) -> Response[bytes]:
    """The board with that digest, to be kept for ever."""
    found = cards.boards().get(digest)
    if found is None:
        raise LobbyError(404, "there is no such board")
    headers = {"etag": f'"{digest}"', "cache-control": FOREVER, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers, media_type="application/json")
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(found.plain, headers=headers, media_type="application/json")
    return Response(found.zipped, headers={**headers, "content-encoding": "gzip"}, media_type="application/json")


@get("/rules/{system:str}", sync_to_thread=False, responses={404: FAULTS[404]})
def rules(system: FromPath[str]) -> tuple[m.RuleCard, ...]:
    """The rules of a system."""
    if system not in registry.SYSTEMS:
        raise LobbyError(404, "there is no such system")
    return cards.rules(system)


@get("/counters/{system:str}", sync_to_thread=False, responses={404: FAULTS[404]})
def counters(system: FromPath[str]) -> tuple[m.CounterCard, ...]:
    """The types of counters of a system, in words."""
    if system not in registry.SYSTEMS:
        raise LobbyError(404, "there is no such system")
    return registry.counters(system)


@get("/battles", response_headers=NOT_KEPT, responses={429: FAULTS[429]})
async def battles(lobby: TheLobby, bearer: Bearer) -> tuple[m.BattleCard, ...]:
    """The battles the caller may know of."""
    await lobby.admit(bearer, "list")
    return await lobby.battles(bearer)


@post("/battles", response_headers=NOT_KEPT, responses=FAULTS)
async def create(lobby: TheLobby, bearer: Bearer, data: JSONBody[m.NewBattle]) -> m.BattleKeys:
    """Opens a battle."""
    await lobby.admit(bearer, "create")
    return await lobby.create(data)


@post("/battles/import", response_headers=NOT_KEPT, responses=FAULTS, request_max_body_size=limits.RECORD)
async def import_record(
    lobby: TheLobby, bearer: Bearer, request: AnyRequest, seats: FromQuery[str] = ""
) -> m.BattleKeys:
    """Opens a battle that goes on where a record or a save ends."""
    await lobby.admit(bearer, "import")
    return await lobby.import_file(await request.body(), seats, request.headers.get("x-passphrase", ""))


@delete("/battles/{id:str}", responses=FAULTS)
async def remove(lobby: TheLobby, bearer: Bearer, id: BattleId) -> None:
    """Deletes a battle."""
    await lobby.admit(bearer, "delete", known(id))
    await lobby.delete(id)


@post("/battles/{id:str}/keys", response_headers=NOT_KEPT, responses=FAULTS)
async def keys(lobby: TheLobby, bearer: Bearer, id: BattleId) -> m.BattleKeys:
    """Hands out the tokens of the human seats again; on a local server only."""
    await lobby.admit(bearer, "keys", known(id))
    return await lobby.keys(id)


@get("/battles/{id:str}/record", response_headers=NOT_KEPT, responses=FAULTS, media_type="application/json")
async def record(lobby: TheLobby, bearer: Bearer, id: BattleId, side: FromQuery[str] = "") -> Response[bytes]:
    """The record of a battle."""
    who = await lobby.admit(bearer, "record", known(id))
    body = await lobby.record(id, who, side)
    name = f'attachment; filename="sandtable-{id[:8]}.json"'
    return Response(body, media_type="application/json", headers={"content-disposition": name})


@get("/battles/{id:str}/salvage", response_headers=NOT_KEPT, responses=FAULTS, media_type="application/json")
async def salvage(lobby: TheLobby, bearer: Bearer, id: BattleId) -> Response[bytes]:
    """The record of a battle that can't be opened, as far as it can be read."""
    await lobby.admit(bearer, "salvage")
    return Response(await lobby.salvage(known(id)), media_type="application/json")


@get("/battles/{id:str}/scenario", response_headers=NOT_KEPT, responses=FAULTS)
async def battle_scenario(lobby: TheLobby, bearer: Bearer, id: BattleId) -> m.ScenarioCard:
    """The scenario as it was when a battle began."""
    await lobby.admit(bearer, "scenario", known(id))
    return await lobby.scenario(id)


@get("/battles/{id:str}/tutorial", response_headers=NOT_KEPT, responses=FAULTS)
async def tutorial(lobby: TheLobby, bearer: Bearer, id: BattleId) -> Tutorial:
    """The guide through a first battle."""
    who = await lobby.admit(bearer, "tutorial", known(id))
    return await lobby.tutorial(id, who)


@post("/battles/{id:str}/save", response_headers=NOT_KEPT, responses=FAULTS, media_type="application/json")
async def save(lobby: TheLobby, bearer: Bearer, id: BattleId, data: JSONBody[m.Saving]) -> Response[bytes]:
    """A sealed save of a battle."""
    await lobby.admit(bearer, "save", known(id))
    return Response(await lobby.save(id, data.passphrase), media_type="application/json")


@post("/battles/{id:str}/branch", response_headers=NOT_KEPT, responses=FAULTS)
async def branch(lobby: TheLobby, bearer: Bearer, id: BattleId, data: JSONBody[m.Branching]) -> m.BattleKeys:
    """Opens a battle that goes on from a point of another."""
    who = await lobby.admit(bearer, "branch", known(id))
    return await lobby.branch(id, who, data)


@post("/battles/{id:str}/watch", response_headers=NOT_KEPT, responses=FAULTS)
async def watch(lobby: TheLobby, bearer: Bearer, id: BattleId) -> m.BattleKeys:
    """Gives a spectator's token."""
    await lobby.admit(bearer, "watch", known(id))
    return await lobby.watch(id)


@post("/battles/{id:str}/invite", response_headers=NOT_KEPT, responses=FAULTS)
async def invite(lobby: TheLobby, bearer: Bearer, id: BattleId, data: JSONBody[m.Inviting]) -> m.BattleKeys:
    """Makes an invitation to a friend's seat."""
    await lobby.admit(bearer, "invite", known(id))
    return await lobby.invite(id, data.side)


@post("/battles/{id:str}/join", response_headers=NOT_KEPT, responses=FAULTS)
async def join(lobby: TheLobby, bearer: Bearer, id: BattleId, data: JSONBody[m.Joining]) -> m.BattleKeys:
    """Takes the seat that an invitation opens."""
    who = await lobby.admit(bearer, "join", known(id))
    return await lobby.join(id, who, data.called)


API = [
    house,
    systems,
    scenarios,
    briefings,
    board,
    rules,
    counters,
    battles,
    create,
    import_record,
    remove,
    keys,
    record,
    salvage,
    battle_scenario,
    tutorial,
    save,
    branch,
    watch,
    invite,
    join,
]


@route(["/", "/{path:path}"], http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
async def client(request: AnyRequest, state: State) -> Response[bytes]:
    """The browser client."""
    path = request.scope["path"]
    pages: Pages = state.pages
    found = None if path.startswith("/api/") else pages.find(path)
    if found is None:
        raise LobbyError(404, "there is nothing here")
    headers = {"etag": found.tag, "cache-control": found.caching}
    if request.headers.get("if-none-match") == found.tag:
        return Response(b"", status_code=304, headers=headers, media_type=found.type)
    body = b"" if request.method == HttpMethod.HEAD else found.body
    return Response(body, headers=headers, media_type=found.type)
