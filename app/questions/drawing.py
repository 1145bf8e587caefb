"""The wrong options of one template's questions on one map: by the wanted variant, and as many as are wanted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from app.core.errors import TemplateError
from app.core.names import normal_form
from app.core.seeds import Seed
from app.questions import distractors as distractors  # registers the generic strategies
from app.questions.strategies import (
    TOO_FEW,
    Distractor,
    QuestionToFill,
    Sources,
    Strategy,
    find_strategy,
)

FIVE = 5


@dataclass(frozen=True)
class OptionsWanted:
    """How options are to be made, where a template leaves a choice."""

    variant: str | None = None
    """The variant, where a template has one of that name; else its first."""
    five: bool = False
    """Whether to show five options where the variant's strategy and the map give four wrong ones; else four."""
    secret: str | None = field(default=None, repr=False)
    """The data set's secret, where wrong options are drawn from it; else anybody can draw them again."""

    def drawn_from(self, seed: int) -> Seed:
        """What seeds the draws of wrong options: the secret with the seed, or the seed alone."""
        return seed if self.secret is None else f"{self.secret} {seed}"


FIRST_VARIANT = OptionsWanted()
"""What recipes mean that do not say how options are made."""


class Drawing:
    """Draws wrong options for one template on the snapshot that the connection's search path names.

    Raises TemplateError where the template's strategy is not registered.
    """

    def __init__(self, sources: Sources, five: bool) -> None:
        template, name = sources.template, sources.header.strategy
        found = find_strategy(template.benchmark, name)
        if found is None:
            raise TemplateError(f"{template.path}:1: {template.benchmark} has no strategy {name!r}.")
        self._class, self._sources = found, sources
        self._counts = _counts(found, sources.header.count, five)

    @cached_property
    def _strategy(self) -> Strategy:
        return self._class(self._sources)

    @property
    def asks_pool(self) -> bool:
        """Whether each question has a pool of its own."""
        return self._sources.header.pool is not None and self._class.pool != "numbers"

    @cached_property
    def refusal(self) -> str | None:
        """Why no question of this map can have its wrong options, where that can be told without asking any."""
        if self._class.pool != "numbers":
            return None
        return None if self._strategy.has_enough(min(self._counts)) else TOO_FEW

    def draw(self, question: QuestionToFill) -> list[Distractor] | str:
        """The wrong options of a question, or why there are none."""
        found: list[Distractor] | str = TOO_FEW
        for count in self._counts:
            found = self._strategy.draw(question, count)
            if found != TOO_FEW:
                break
        return found

    def is_unfair(self, question: QuestionToFill, drawn: Sequence[Distractor]) -> bool:
        """Whether wrong options that were drawn before say what none may say that is drawn now."""
        if not self._class.says_names:
            return False
        excluded = question.excluded
        return any(normal_form(one["text"]) in excluded for one in drawn)


def _counts(found: type[Strategy], count: int, five: bool) -> list[int]:
    """How many wrong options are tried to be had, one after the other."""
    if not five or not found.may_be_five:
        return [count]
    # among three numbers beside a key, those that could have had four would show that they are not it
    return [FIVE - 1] if found.pool == "numbers" else [FIVE - 1, count]
