"""Navigation (NV): the shortest way along named straight segments, by their printed ends. Metres and degrees."""

from typing import Any

from app.benchmarks.urban_reasoning.judged import facts_of_segments, judged
from app.benchmarks.urban_reasoning.printing import DECIMAL, print_point
from app.benchmarks.urban_reasoning.truth.sphere import leg_on_sphere
from app.benchmarks.urban_reasoning.truth.ways import best_way
from app.core.names import normal_form
from app.questions.derivations.base import Case, Derived, derivation, refused

FEWEST = 5


@derivation("urban_reasoning", "printed_way")
def printed_way(case: Case) -> Derived:
    """The shorter way around: the start is where the last road meets the first, the goal half way through the list."""
    if len(case.rows) < FEWEST:
        return refused("no_answer")
    names = [row["name"] for row in case.rows]
    if len({normal_form(name) for name in names}) < len(names):
        return refused("names_alike")
    corners = [print_point(row["lon"], row["lat"], DECIMAL).point for row in case.rows]
    if len(set(corners)) < len(corners):
        return refused("points_alike")
    segments = {name: (corners[place - 1], corners[place]) for place, name in enumerate(names)}
    lengths = [leg_on_sphere(*ends).metres for ends in segments.values()]
    if not case.margins["least"] <= min(lengths) <= max(lengths) <= case.margins["most"]:
        return refused("segment_out_of_range")
    start, goal = corners[-1], corners[len(corners) // 2 - 1]
    best = best_way(segments, start, goal)
    if best is None:
        return refused("margin")
    gold: dict[str, Any] = {
        "route": list(best.names),
        "segments": {name: sorted(list(end) for end in segments[name]) for name in sorted(names)},
        "start": list(start),
        "goal": list(goal),
        "length": best.metres,
    }
    reference = f"{', then '.join(best.names)} ({best.metres:.0f} m)"
    return Derived({**gold, **judged("NV", reference, facts_of_segments(segments, start, goal))})
