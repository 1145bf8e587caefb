"""A scored run of `urban_reasoning` whose answers break where they are planted to, and a judge's run over it."""

from dataclasses import replace
from typing import NamedTuple

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.check_reasoning import check_scored_run
from tests.support.factories import MadeVersion, make_run, make_version
from tests.support.judged_runs import judged_question, make_verdicts, verdicts_by
from tests.support.scored_runs import score

CROSSING = """Road Mill Lane: (47.10000, 9.50000), (47.10400, 9.50000)
Road High Street: (47.10200, 9.49800), (47.10200, 9.50200)

Are the roads Intersecting, Parallel or Disconnected?"""
DISTANCE = """Coordinates are latitude, then longitude.
- Mill: (47.10000, 9.50000)
- Tower: (47.12000, 9.53000)

How far is it in a straight line from Mill to Tower?"""
TERMS = ("Intersecting", "Parallel", "Parallel", "Parallel")
"""The roads intersect: three of four answers are wrong."""
LOST = ({"clarity": 1.0}, {"analysis": 4.0}, {"analysis": 8.0}, {})
"""What the judge takes off: for the reasoning of two wrong answers, and for the words of the right one."""
DRIFTS = "φ1 = 0.822050 rad, φ2 = 0.822399 rad, Δφ = 0.000549 rad. <answer>many km</answer>"
SAYS_NOTHING = "<answer>far</answer>"


class MadeReasoning(NamedTuple):
    """The version, the run, and the judge's run."""

    version: MadeVersion
    run: int
    judge: int


def make_reasoning(settings: Settings, name: str = "relations") -> MadeReasoning:
    """Four answers about roads, two about a distance, and one to a hidden question. Not checked yet."""
    roads = [
        replace(judged_question("RE", place), template="Relation_Of_Roads", text=f"{CROSSING}\n{place}")
        for place in range(5)
    ]
    distances = [
        replace(judged_question("DS", place), template="Distance", text=f"{DISTANCE}\n{place}")
        for place in range(2)
    ]
    roads[4] = replace(roads[4], split="hidden")
    version = make_version(settings, [*roads, *distances], name, "urban_reasoning")
    said = [f"<answer>{term}</answer>" for term in (*TERMS, "Parallel")]
    run = make_run(settings, version, [*said, DRIFTS, SAYS_NOTHING], "thinker")
    score(settings, run)
    lost = [*LOST, {"analysis": 8.0}, {}, {}]
    verdicts = verdicts_by(["RE"] * 5 + ["DS"] * 2, lambda place, _: lost[place])
    return MadeReasoning(version, run, make_verdicts(settings, version, run, verdicts))


def check(settings: Settings, run: int) -> None:
    """Check the run as a worker does."""
    with connect(settings, Role.WORKER) as connection:
        check_scored_run(connection, run)
