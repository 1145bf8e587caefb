"""How long the drives from the user to the destinations take. Seconds.

Times are those of the router's matrix, which are the same however often the router is built. The length of the fastest
way is not: of two ways that take as long, another build may give the other.
"""

from collections.abc import Sequence

from app.questions.derivations.base import Row
from app.questions.programs import ProgramRun, Selected, program
from app.routing.errors import RouteRefused
from app.routing.results import Router


@program("evgeoqa", "drive_times", "car")
def find_drive_times(run: ProgramRun) -> Sequence[Sequence[Row]]:
    """The rows of each question with `seconds` of the drive, None where none leads there, and the highest speed."""
    router: Router = run.routers.open(run.connection, run.snapshot, "car")
    return [_with_seconds(router, question) for question in run.questions]


def _with_seconds(router: Router, question: Selected) -> Sequence[Row]:
    user, fastest = question.rows[0], router.fastest_kmh
    start = (user["user_lon"], user["user_lat"])
    ends = [(row["lon"], row["lat"]) for row in question.rows if row["osm_key"] is not None]
    if not ends:
        return question.rows
    try:
        (seconds,) = router.matrix([start], ends)
    except RouteRefused as error:
        if error.kind == "unavailable":
            raise
        seconds = [None] * len(ends)
    return [
        {**row, "seconds": None if one is None else round(one, 1), "fastest_kmh": fastest}
        for row, one in zip(question.rows, seconds, strict=True)
    ]
