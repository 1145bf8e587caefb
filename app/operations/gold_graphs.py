"""Graphs of the questions of a version: each stored tool plan compiled to a GeoFlow graph, and run to its gold.

Nothing is stored: a graph follows from the stored plan at any time, and the plan lies under the security of gold.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.geoflow.canonical import canonical_graph
from app.geoflow.graphs import write_graph
from app.geoflow.proving import GoldGraph, graph_of_question
from app.questions.prompts import words_of
from app.questions.stored import StoredQuestion, load_questions
from app.questions.versions import PublishedVersion, find_version
from app.routing.apart import RoutersApart

PUBLIC = "public"


@dataclass
class GoldGraphs:
    """Counts of questions by template and by what became of their graphs, why there is none, and public graphs."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    reasons: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By template: how many questions lack a graph or fail, by the sentence that says why."""
    public: list[dict[str, Any]] = field(default_factory=list)
    """Of public questions whose graphs run to gold: id, template, text, options, graph."""

    def add(self, question: StoredQuestion, found: GoldGraph) -> None:
        """Count a question."""
        self.counts[question.template][found.state] += 1
        if found.says:
            self.reasons[question.template][found.says] += 1
        if found.state == "gold" and found.graph is not None and question.split == PUBLIC:
            self.public.append(
                {
                    "id": question.id,
                    "benchmark": question.benchmark,
                    "template": question.template,
                    "question": words_of(question.prompt),
                    "options": question.options,
                    "graph": write_graph(canonical_graph(found.graph)),
                }
            )

    @property
    def total(self) -> Counter[str]:
        """The counts of all templates."""
        return sum(self.counts.values(), Counter[str]())

    @property
    def proved(self) -> bool:
        """Whether there are graphs, and all of them run to gold."""
        return self.total["gold"] > 0 and not any(self.total[state] for state in ("other", "failed"))

    def as_json(self) -> dict[str, Any]:
        """As `geoflow gold --json` prints it."""
        templates: Mapping[str, Any] = {
            name: {**counts, "reasons": dict(self.reasons.get(name, {}))}
            for name, counts in sorted(self.counts.items())
        }
        return {"total": dict(self.total), "templates": templates}


def run_gold_graphs(
    settings: Settings, dataset: str, tell: Callable[[str, int, int], None]
) -> tuple[PublishedVersion, GoldGraphs]:
    """Compile and run the graphs of all questions of a version. Raises NotFound, Conflict where a map is gone.

    `tell` hears what is done, how many questions are done, and how many there are.
    """
    result = GoldGraphs()
    with connect(settings, Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        questions = load_questions(connection, version)
        routers = RoutersApart(settings, Role.MAINTAINER)
        for number, question in enumerate(questions):
            tell(f"graphs of {version.reference}", number, len(questions))
            use_schema(connection, question.snapshot.schema)
            result.add(question, graph_of_question(connection, question, routers))
    return version, result
