"""Questions with their GeoFlow graphs, from versions as they leave the database."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from app.exports.exported import Export, ExportedQuestion
from app.geoflow.checking import is_well_formed
from app.geoflow.graphs import Graph

Compiling = Callable[[ExportedQuestion], Graph | None]
"""Gives the graph that a question's stored tool plan says; None where it has none that a graph can say."""


class Example(NamedTuple):
    """A question and its graph; `template` is BENCHMARK/TEMPLATE, `regions` are the names of its maps,
    and of maps that share ground with them."""

    question_id: str
    text: str
    template: str
    regions: frozenset[str]
    graph: Graph


def join_shared_ground(examples: Iterable[Example], shared: Iterable[tuple[str, str]]) -> list[Example]:
    """The examples, each also in the regions whose maps share ground with its own: `shared` has both orders."""
    others: dict[str, set[str]] = {}
    for region, other in shared:
        others.setdefault(region, set()).add(other)
    return [
        one._replace(regions=one.regions.union(*(others.get(region, ()) for region in one.regions)))
        for one in examples
    ]


class Collected(NamedTuple):
    """The examples, and how many questions gave none, by reason."""

    examples: list[Example]
    left_out: Mapping[str, int]


def collect_examples(
    exports: Iterable[Export], compiling: Compiling, hidden: frozenset[str] = frozenset()
) -> Collected:
    """An example of each public question whose gold leaves and whose graph is well-formed; each text once.

    `hidden` are the ids of questions that are hidden in any data set: they are in no example, wherever they are public.
    """
    examples: list[Example] = []
    texts: set[str] = set()
    left_out: Counter[str] = Counter()
    for export in exports:
        benchmark = export.version.recipe["benchmark"]
        for question in export.questions:
            reason, graph = (
                ("hidden", None) if question.id in hidden else _graph_of(question, texts, compiling)
            )
            if graph is None:
                left_out[reason] += 1
                continue
            texts.add(question.text)
            examples.append(
                Example(
                    question.id,
                    question.text,
                    f"{benchmark}/{question.template}",
                    frozenset(region_of(one["snapshot"]) for one in question.snapshots),
                    graph,
                )
            )
    return Collected(examples, dict(left_out))


def region_of(snapshot: str) -> str:
    """The region of a map: the name of its snapshot without the date."""
    return snapshot.partition("@")[0]


def _graph_of(question: ExportedQuestion, texts: set[str], compiling: Compiling) -> tuple[str, Graph | None]:
    if question.split != "public" or question.gold is None:
        return "hidden", None
    if question.text in texts:
        return "same text", None
    graph = compiling(question)
    if graph is None:
        return "no graph", None
    return ("", graph) if is_well_formed(graph) else ("graph breaks a constraint", None)
