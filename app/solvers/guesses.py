"""Guesses: what could be said to a question by somebody who sees its prompt and does not work anything out.

Benchmarks' packages register a function for each template by `@guesses("urban_reasoning", "Visiting_Order")`, where the
answers do not follow from the type of the answer and the map alone. The solver `random` draws from them.
"""

from collections.abc import Callable, Sequence

from app.core.registers import Register
from app.questions.prompts import StoredPrompt

Guesses = Callable[[StoredPrompt], Sequence[str]]
"""The answers of a prompt that are equally probable; never empty, and the same for the same prompt."""
_GUESSES = Register[Guesses]("guesses", "guesses")


def guesses(benchmark: str, *templates: str) -> Callable[[Guesses], Guesses]:
    """Register the decorated function as what lists the guesses at these templates' questions."""

    def register(function: Guesses) -> Guesses:
        for template in templates:
            _GUESSES.add(benchmark, template, function)
        return function

    return register


def find_guesses(benchmark: str, template: str) -> Guesses | None:
    """What lists the guesses at the template's questions; None where nothing is registered."""
    return _GUESSES.find(benchmark, template)
