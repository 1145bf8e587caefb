"""Benchmarks: seconds of each stage of making and proving questions, by template; the product's code stays as it is.

While it watches, the functions that make up a stage are replaced by themselves with a clock around them. A stage's
seconds leave out those of the stages within it.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from app.questions import accepting, generating, verifying
from app.questions.stored import StoredQuestion

ALL = "all"
"""Stands for the template where a stage works for all of them at once."""
WATCHED: Sequence[tuple[Any, str, str]] = (
    (accepting, "open_space", "picking"),
    (accepting, "ask_batch", "asking"),
    (accepting.Asking, "_find_rooms", "outline"),
    (accepting.Asking, "_derive", "derivation"),
    (accepting.Asking, "_prove", "second path"),
    (generating, "accept_questions", "tuples"),
    (generating, "select_varied", "selecting"),
    (generating, "_assemble_all", "assembling"),
    (verifying, "ask_batch", "asking again"),
    (verifying, "_check_stored_sql", "derivation again"),
    (verifying, "_check_second_path", "second path again"),
    (verifying, "_check_evidence", "evidence"),
    (verifying, "_check_identity", "identity"),
)
"""Where a stage's function is looked up, its name there, and the stage."""
PROVING = ("asking again", "derivation again", "second path again", "evidence", "identity")


def templates_of(name: str, arguments: Sequence[Any]) -> Mapping[str, int] | None:
    """The templates that a call works for, and for how many questions of each; None where the call does not say."""
    if name == "accept_questions":
        return {arguments[1].id: 1}
    if name in ("_check_second_path", "_check_evidence", "_check_identity"):
        question = next(one for one in arguments if isinstance(one, StoredQuestion))
        return {question.template: 1}
    if name == "_ask_again":
        return Counter(question.template for question in arguments[2])
    return None


@dataclass
class Stages:
    """Seconds by (template, stage)."""

    seconds: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    clock: Callable[[], float] = time.perf_counter
    _within: list[float] = field(default_factory=list)
    """Seconds of the stages inside each running one."""
    _shares: Mapping[str, int] = field(default_factory=lambda: {ALL: 1})

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """What runs inside counts as this stage, for the templates that are at work."""
        started = self.clock()
        self._within.append(0.0)
        try:
            yield
        finally:
            whole = self.clock() - started
            own = whole - self._within.pop()
            if self._within:
                self._within[-1] += whole
            total = sum(self._shares.values())
            for template, questions in self._shares.items():
                self.seconds[template, name] += own * questions / total

    @contextmanager
    def working_for(self, shares: Mapping[str, int] | None) -> Iterator[None]:
        """What runs inside is for these templates, each with its number of questions."""
        before = self._shares
        self._shares = shares or before
        try:
            yield
        finally:
            self._shares = before

    @contextmanager
    def watching(self) -> Iterator[None]:
        """The functions of all stages are timed inside."""
        originals = [(place, name, getattr(place, name)) for place, name, _ in WATCHED]
        asked_again = verifying._ask_again
        try:
            for (place, name, stage), (_, _, original) in zip(WATCHED, originals, strict=True):
                setattr(place, name, self._timed(original, name, stage))
            verifying._ask_again = self._noticed(asked_again)
            yield
        finally:
            verifying._ask_again = asked_again
            for place, name, original in originals:
                setattr(place, name, original)

    def of(self, template: str) -> dict[str, float]:
        """The seconds of a template's stages, in the order of WATCHED."""
        return {
            stage: self.seconds[template, stage]
            for _, _, stage in WATCHED
            if (template, stage) in self.seconds
        }

    def _timed(self, function: Callable[..., Any], name: str, stage: str) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            with self.working_for(templates_of(name, arguments)), self.stage(stage):
                return function(*arguments, **named)

        return timed

    def _noticed(self, function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        """A generator that asks for several templates at once: what it does counts for each by its questions."""

        def noticed(*arguments: Any) -> Iterator[Any]:
            with self.working_for(templates_of("_ask_again", arguments)):
                found = list(function(*arguments))
            yield from found

        return noticed
