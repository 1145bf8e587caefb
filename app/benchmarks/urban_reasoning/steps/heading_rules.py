"""Rules of Destination (PR): what words mean, and the candidate that is chosen."""

import re
from collections.abc import Callable, Sequence

from app.benchmarks.urban_reasoning.steps.checking import builds
from app.benchmarks.urban_reasoning.steps.context_text import way_and_candidates
from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.heading import heading_graph
from app.benchmarks.urban_reasoning.steps.heading_reader import HeadingReader
from app.benchmarks.urban_reasoning.steps.places_named import PlaceNames
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Rules
from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.reasoning import BLIND, DRIFT, RIGHT, WRONG, Step

NEAR = 200
_LEG = re.compile(r"\b(?:leg|segment|step) ?#?(?P<number>[1-9])\b", re.IGNORECASE)


@builds("PR")
def heading_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """The rules of a way and its candidates."""
    way, candidates = way_and_candidates(context)
    if len(way) < 2 or not candidates:
        raise ValueError("the context has to tell a way and candidates")
    names = PlaceNames([place.name for place in (*way, *candidates)], response)
    if names.are_letters_default:
        names.letters = {}
    graph = heading_graph(way, candidates)
    told = [place.name for place in candidates]
    return [
        Rules(
            graph, _claims(told, graph), frozenset(graph.given), labels=names.names,
            read=lambda plain: HeadingReader(plain, way, candidates, names, graph).read(),
        )
    ]  # fmt: skip


def _claims(told: Sequence[str], graph: Graph) -> Callable[[Plain, str, Sequence[Step]], Sequence[Step]]:
    def claims(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
        """The chosen candidate: the one least off the last and the overall heading, by true or by stated values."""
        acute = _unfinished(graph, steps)
        section = answer_section(response)
        places = {mention.place for mention in mentions_in(section, told)}
        if len(places) != 1:
            return acute
        chosen = places.pop()
        numbers = range(len(told))
        offs = [
            [
                (graph.exact(f"off_last_c{one}") or 0) + (graph.exact(f"off_overall_c{one}") or 0)
                for one in numbers
            ],
            [_first(graph, f"off_last_c{one}") + _first(graph, f"off_overall_c{one}") for one in numbers],
        ]
        right = any(off[chosen] <= min(off) for off in offs)
        best = min(range(len(told)), key=lambda number: offs[0][number])
        position = response.rfind(section)
        return [
            *acute,
            Step(
                "choice",
                told[chosen],
                told[best],
                position,
                RIGHT if right else WRONG,
                None if right else BLIND,
            ),
        ]

    return claims


def _unfinished(graph: Graph, steps: Sequence[Step]) -> list[Step]:
    """Angles within a quadrant that are stated in place of a heading, which is stated nowhere."""
    told = {step.quantity for step in steps}
    return [
        step._replace(quantity=name, expected=graph.exact(name), verdict=WRONG, failure=DRIFT)
        for step in steps
        if step.quantity.startswith("acute_")
        and (name := step.quantity.replace("acute_", "bearing_")) in graph.quantities
        and name not in told
    ]


def _first(graph: Graph, name: str) -> float:
    return next(iter(graph.candidates(name)), 180.0)
