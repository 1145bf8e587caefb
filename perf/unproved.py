"""Benchmarks: questions that nobody proves, made many times faster; their options are drawn as ever.

For what is measured of options alone. Inside, the proofs of `app.questions.accepting` find no fault, and questions have
no contexts; the product's code stays as it is. What a proof would have refused is there, too.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from app.questions import accepting
from app.questions.second_path import SecondAnswer

SKIPPED: Mapping[str, Callable[..., Any]] = {
    "answer": lambda *asked: SecondAnswer({}),
    "disagreements": lambda *compared: [],
    "wrong_options": lambda *checked: [],
    "has_plans": lambda *asked: False,
    "write_context": lambda *asked: None,
    "drawing_fault": lambda *asked: None,
}
"""What stands for each function of `accepting` that proves a question, or writes what a proof reads."""


@contextmanager
def without_proofs() -> Iterator[None]:
    """Questions are accepted without proofs inside."""
    originals = {name: getattr(accepting, name) for name in SKIPPED}
    try:
        for name, stand_in in SKIPPED.items():
            setattr(accepting, name, stand_in)
        yield
    finally:
        for name, original in originals.items():
            setattr(accepting, name, original)
