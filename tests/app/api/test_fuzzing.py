"""Requests made up from the OpenAPI description, fit and unfit: no 5xx, no stack trace, every answer as described."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed
from hypothesis import settings as how
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.core.settings import Settings
from tests.support.planted_secrets import PLANTED, Hidden, make_hidden
from tests.support.service import serving
from tests.support.turns import turn

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SHORT, LONG = 2, 30


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, Hidden]:
    settings = make_database()
    return settings, make_hidden(settings)


@pytest.fixture(scope="module")
def described(made: tuple[Settings, Hidden]) -> Iterator[Any]:
    with serving(made[0]) as address:
        yield schemathesis.openapi.from_url(f"{address}/v1/openapi.json")


def look_at_each(strategy: Any, examples: int, look: Callable[[Any], object], drawn: int | None) -> None:
    """The same requests every time, or those of a seed."""

    def each(case: Any) -> None:
        look(case)

    ways = how(
        max_examples=examples,
        deadline=None,
        derandomize=drawn is None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    seeded = each if drawn is None else seed(drawn)(each)
    ways(given(case=strategy)(seeded))()


def fuzz(described: Any, examples: int, look: Callable[[Any], object], drawn: int | None = None) -> int:
    """`look` at that many requests of each operation, fit and unfit for its description; how many operations there are."""
    done = 0
    for found in described.get_all_operations():
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                look_at_each(found.ok().as_strategy(generation_mode=mode), examples, look, drawn)
            except Unsatisfiable:  # what takes no parameter cannot be asked for wrongly
                assert mode is GenerationMode.NEGATIVE, found.ok().label
        done += 1
    return done


def ask(case: Any, token: str) -> str:
    answer = case.call(headers={"Authorization": f"Bearer {token}"})
    case.validate_response(answer, checks=CHECKS)
    for word in ("Traceback", "sqlalchemy", "psycopg"):
        assert word not in answer.text
    assert answer.headers["x-request-id"]
    return str(answer.text)


def test_a_few_requests_of_each_kind(described: Any, made: tuple[Settings, Hidden]) -> None:
    assert fuzz(described, SHORT, lambda case: ask(case, made[1].keys["maintainer"])) > 20


@pytest.mark.long
def test_many_requests_of_each_kind(described: Any, made: tuple[Settings, Hidden]) -> None:
    """Others with every run, by the date."""
    fuzz(described, LONG, lambda case: ask(case, made[1].keys["maintainer"]), turn())


@pytest.mark.long
def test_readers_are_told_nothing(described: Any, made: tuple[Settings, Hidden]) -> None:
    def look(case: Any) -> None:
        assert PLANTED not in ask(case, made[1].keys["reader"])

    fuzz(described, LONG, look, turn())
