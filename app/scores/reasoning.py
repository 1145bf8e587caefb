"""The reasoning of an answer, recomputed: its steps, and which broke first. Benchmarks say how.

A function of the printed prompt and the response alone, so that it can be worked out again whenever it is shown.
What is counted of a run is stored (app.scores.reasoning_figures).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.core.registers import Register

RIGHT, WRONG, NOT_STATED, UNCHECKED = "right", "wrong", "not stated", "cannot be checked"
"""What is said of a step. A number that belongs to no known quantity cannot be checked."""
DRIFT, BLIND, UNJOINED, MISREAD = (
    "arithmetic drift",
    "topological blindness",
    "connectivity failure",
    "misread input",
)
"""How a step fails. UrbanGeoEval, section 5.2: the method is right and the number wrong; coordinates are right and what
is said of them wrong; a route has edges that do not join. Beside the paper's: what the prompt gives is misread.
"""


class Step(NamedTuple):
    """A quantity that a response states, or a claim: what it says, what it should be, and where it stands."""

    quantity: str
    stated: float | str | None
    expected: float | str | None
    position: int | None
    verdict: str
    failure: str | None = None


class Reasoning(NamedTuple):
    """The steps of a response in its order, then those that it does not state; the one that broke first.

    `cut` tells that the response was too long to be read to its end.
    """

    steps: Sequence[Step]
    first_broken: Step | None
    cut: bool

    def told(self) -> list[Step]:
        """The steps that the response states and that could be checked."""
        return [step for step in self.steps if step.verdict in (RIGHT, WRONG)]


Checking = Callable[[str, str, str], Reasoning | None]
"""From a template's id, the prompt's text and the response: what was found, or None for a template without steps.

Raises ValueError where the prompt does not hold what the template's steps need.
"""


class Checker(NamedTuple):
    """A benchmark's way to check reasoning; whatever changes what it finds raises its version."""

    version: int
    check: Checking


_CHECKERS = Register[Checker]("steps", "way to check reasoning")
STEPS = "steps"


def checks_reasoning(benchmark: str, version: int) -> Callable[[Checking], Checking]:
    """Register the decorated function as what recomputes the reasoning of answers to a benchmark's questions."""

    def register(function: Checking) -> Checking:
        _CHECKERS.add(benchmark, STEPS, Checker(version, function))
        return function

    return register


def checker_version(benchmark: str) -> int | None:
    """The version of a benchmark's checker; None where it has none."""
    checker = _CHECKERS.find(benchmark, STEPS)
    return None if checker is None else checker.version


def check_reasoning(benchmark: str, template: str, prompt: str, response: str) -> Reasoning | None:
    """The reasoning of a response, recomputed; None where the benchmark has no way to, or the prompt lacks data."""
    checker = _CHECKERS.find(benchmark, STEPS)
    if checker is None:
        return None
    try:
        return checker.check(template, prompt, response)
    except ValueError:
        return None
