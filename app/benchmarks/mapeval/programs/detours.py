"""How long the ways by several places are, as the tool distance_matrix tells it with lengths. Seconds, metres."""

from collections.abc import Sequence
from typing import Any

from app.benchmarks.mapeval.programs.travelling import find_travel_times
from app.questions.derivations.base import Row
from app.questions.programs import ProgramRun, Selected, program
from app.routing.results import Router

ENDS = 2
"""The start and the destination, which stand before the places that one may pass by."""


@program("mapeval", "detours", "bicycle", "car", "foot")
def find_detours(run: ProgramRun) -> Sequence[Sequence[Row]]:
    """The rows of each question with `seconds`, as travel_matrix gives them, and with `metres`.

    Metres are those of the fastest way from the start to each place to pass by, and from there to the destination;
    they are None for other ways.
    """
    timed = find_travel_times(run)
    return [
        _with_metres(run, rows, question) if rows and _all_lead(rows) else rows
        for rows, question in zip(timed, run.questions, strict=True)
    ]


def _all_lead(rows: Sequence[Row]) -> bool:
    """Whether a way leads from the start to each place to pass by, and from there to the destination."""
    start, by = rows[0], rows[ENDS:]
    return None not in start["seconds"][ENDS:] and all(row["seconds"][1] is not None for row in by)


def _with_metres(run: ProgramRun, rows: Sequence[Row], question: Selected) -> Sequence[Row]:
    router: Router = run.routers.open(run.connection, run.snapshot, str(question.binds["mode"]))

    def length(one: Row, other: Row) -> float:
        return round(router.routes((one["lon"], one["lat"]), (other["lon"], other["lat"]))[0].metres, 1)

    start, destination, *by = rows
    to_them: list[Any] = [None, None, *(length(start, place) for place in by)]
    unasked: list[Any] = [None] * len(rows)
    from_them = [[None, length(place, destination), *unasked[ENDS:]] for place in by]
    metres = [to_them, unasked, *from_them]
    return [{**row, "metres": one} for row, one in zip(rows, metres, strict=True)]
