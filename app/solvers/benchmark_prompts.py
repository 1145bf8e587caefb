"""Prompts that a benchmark brings: what a run asks by `--prompt published`, or always, where the replies need a form.

Other benchmarks are asked in our own way by default, and by the rules of GS-QA's baselines as `published`.
"""

from collections.abc import Callable

from app.core.registers import Register
from app.solvers.base import QuestionView

BenchmarkPrompt = Callable[[QuestionView], str]
"""The whole text of the message that asks a question, options and the form of the answer included."""
PROMPTS = Register[BenchmarkPrompt]("prompts", "prompt")
"""By benchmark and the name of the prompt, `trigpoint` or `published`."""


def find_prompt(benchmark: str, prompt: str) -> BenchmarkPrompt | None:
    """The benchmark's own prompt of that name; None where it brings none."""
    return PROMPTS.find(benchmark, prompt)
