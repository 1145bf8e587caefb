"""Travel times between all places of a question, as the tool distance_matrix tells them. Seconds."""

from collections.abc import Sequence

from app.questions.derivations.base import Row
from app.questions.programs import ProgramRun, Selected, program
from app.routing.errors import RouteRefused
from app.routing.results import Router


@program("mapeval", "travel_matrix", "bicycle", "car", "foot")
def find_travel_times(run: ProgramRun) -> Sequence[Sequence[Row]]:
    """The rows of each question with `seconds`: how long it takes from the row's place to that of each row.

    There are none where a place is too far from every road. Rows tell lon and lat, binds the mode.
    """
    return [_with_seconds(run, question) for question in run.questions]


def _with_seconds(run: ProgramRun, question: Selected) -> Sequence[Row]:
    router: Router = run.routers.open(run.connection, run.snapshot, str(question.binds["mode"]))
    points = [(row["lon"], row["lat"]) for row in question.rows]
    try:
        table = router.matrix(points, points)
    except RouteRefused as error:
        if error.kind == "unavailable":
            raise
        return ()
    return [
        {**row, "seconds": [None if one is None else round(one, 1) for one in seconds]}
        for row, seconds in zip(question.rows, table, strict=True)
    ]
