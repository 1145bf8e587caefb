"""The amounts of what makes questions hard, by question; read as the api role, of public questions alone."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Row

from app.leaderboard import queries_dials as queries
from app.questions.dials import hops_of, kilometres_apart, offers_places, places_offered
from app.questions.tool_plans import Solved, deduces, solutions_of
from app.questions.versions import PublishedVersion
from app.templates.header import Header

Amounts = dict[str, float]


def read_amounts(connection: Connection, version: PublishedVersion, dial: str) -> Amounts:
    """By the id of each public question that has an amount of the dial: that amount."""
    read = _OWN.get(dial)
    if read is not None:
        return read(connection, version)
    rows = connection.execute(queries.DIALS, {"version_id": version.id, "dial": dial})
    return {row.question: row.amount for row in rows if row.amount is not None}


def _read_hops(connection: Connection, version: PublishedVersion) -> Amounts:
    """Calls of the stored plans; of a benchmark that stores none, of the plans that follow from its questions."""
    if not deduces(version.benchmark):
        rows = connection.execute(queries.CALLS, {"version_id": version.id})
        return {row.question: float(row.calls) for row in rows}
    asked = connection.execute(queries.ASKED, {"version_id": version.id})
    hops = {row.question: hops_of(solutions_of(_solved(version.benchmark, row))) for row in asked}
    return {question: float(calls) for question, calls in hops.items() if calls is not None}


def _solved(benchmark: str, row: Row[Any]) -> Solved:
    return Solved(benchmark, row.template, row.gold, row.gold_kind, row.binds)


def _read_nearness(connection: Connection, version: PublishedVersion) -> Amounts:
    """Kilometres between the options, where each of them is a place."""
    binds = {"version_id": version.id}
    places = {
        (row.snapshot_id, row.layer, row.osm_key): (row.lon, row.lat)
        for row in connection.execute(queries.PLACES, binds)
    }
    headers: dict[int, Header] = {}
    amounts: Amounts = {}
    for row in connection.execute(queries.OPTIONS, binds):
        keys = places_offered(row.gold, row.distractors)
        if keys is None:
            continue
        if row.template_id not in headers:
            headers[row.template_id] = Header.model_validate(row.header)
        header = headers[row.template_id]
        if not offers_places(version.benchmark, header, row.variant):
            continue
        points = [places.get((row.snapshot_id, header.option_layer, key)) for key in keys]
        known = [point for point in points if point is not None]
        if len(known) == len(points):
            amounts[row.question] = kilometres_apart(known)
    return amounts


def _read_noise(connection: Connection, version: PublishedVersion) -> Amounts:
    """Lines of contexts that hold anything, less those that the answers need."""
    rows = connection.execute(queries.LINES, {"version_id": version.id})
    return {row.question: float(row.lines - row.needed_lines) for row in rows}


_OWN: Mapping[str, Callable[[Connection, PublishedVersion], Amounts]] = {
    "hops": _read_hops,
    "nearness": _read_nearness,
    "noise": _read_noise,
}
"""How those dials are read that one statement does not tell."""
