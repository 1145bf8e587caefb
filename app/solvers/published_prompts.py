"""Prompts of benchmarks' papers, in our words: what a run with `--prompt published` asks where a benchmark has its own.

Others are asked with the rules of GS-QA's baselines.
"""

from collections.abc import Callable

from app.core.registers import Register
from app.solvers.base import QuestionView

PublishedPrompt = Callable[[QuestionView], str]
"""The whole text of the message that asks a question, options and the form of the answer included."""
PUBLISHED_PROMPTS = Register[PublishedPrompt]("prompts", "published prompt")
NAME = "published"


def find_published_prompt(benchmark: str) -> PublishedPrompt | None:
    """The prompt of the benchmark's paper; None where it brings none."""
    return PUBLISHED_PROMPTS.find(benchmark, NAME)
