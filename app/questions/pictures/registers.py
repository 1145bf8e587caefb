"""What benchmarks bring for questions about pictures, in their part `pictures`: what is asked, and what a picture says.

Both functions of a template see the record of a drawn map alone: no database, no gold.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.core import seeds
from app.core.registers import Register
from app.drawing.answers.labels import Unclear
from app.drawing.record import Record

PART = "pictures"
Values = Mapping[str, str | list[str]]
"""The values of a template's parameters but for its frame."""


@dataclass(frozen=True)
class Lot:
    """Draws for one template and one picture: the same seed and names give the same."""

    seed: int
    names: Sequence[str]

    def below(self, limit: int, *names: Any) -> int:
        """A whole number in [0, limit)."""
        return seeds.below(limit, self.seed, *self.names, *names)

    def shuffled(self, items: Sequence[Any], *names: Any) -> list[Any]:
        """The items in a drawn order."""
        return seeds.shuffled(items, self.seed, *self.names, *names)


Asking = Callable[[Record, Lot], Iterator[Values]]
"""What could be asked about a picture, in a drawn order; what the picture does not tell beyond doubt is passed over."""
Reading = Callable[[Record, Values, Sequence[str] | None], Mapping[str, Any] | Unclear]
"""The answer by the record, shaped as `app.questions.tool_plans.Solving` gives it; or why there is none beyond doubt.

The options are None as long as a question has none: a function that needs them gives {} then.
"""


class Drawn(NamedTuple):
    """What is known of a template's pictures: what to ask, how to answer, which lists of the record that needs."""

    ask: Asking
    read: Reading
    needs: Sequence[str]


_DRAWN = Register[Drawn](PART, "way to ask about pictures")


def asks_pictures(benchmark: str, template: str, ask: Asking, *needs: str) -> Callable[[Reading], Reading]:
    """Register `ask` and the decorated function for a template; `needs` are lists of a record, such as `labels`."""

    def register(function: Reading) -> Reading:
        _DRAWN.add(benchmark, template, Drawn(ask, function, needs))
        return function

    return register


def find_drawn(benchmark: str, template: str) -> Drawn | None:
    """What is registered for a template."""
    return _DRAWN.find(benchmark, template)


def drawn_of(benchmark: str, template: str) -> Drawn:
    """What is registered for a template, which must be something: `check_provable` says so before anything is made."""
    found = find_drawn(benchmark, template)
    assert found, f"{template} of {benchmark} has no way to ask about pictures"
    return found
