"""Whatever a request the API's own description allows, or does not, the answer is one that the description knows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sandtable.server.http.app import inner_application
from sandtable.server.http.pages import Pages
from sandtable.server.settings import Settings
from tests.server.kit import Server

DESCRIPTION = inner_application(Settings(Path()), Pages()).openapi_schema.to_schema()
EXAMPLES = int(os.environ.get("SANDTABLE_EXAMPLES", "10"))
"""How many requests are made up for each route; a long run takes more."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(DESCRIPTION)


@pytest.mark.thorough
@SCHEMA.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("kind", ["local", "public"])
def test_every_answer_is_one_that_the_description_knows(
    case: schemathesis.Case[Any], kind: str, server: Server, public_server: Server
) -> None:
    address = f"http://{(server if kind == 'local' else public_server).host}"
    answer = case.call(base_url=address)
    assert answer.status_code < 500, answer.text
    case.validate_response(answer, checks=CHECKS)


def test_the_description_is_served(server: Server) -> None:
    assert server.get("schema/openapi.json").json()["paths"].keys() == DESCRIPTION["paths"].keys()
