"""What a benchmark's package brings so that questions of it can be written by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.core.errors import NotFound
from app.core.packages import benchmark_packages
from app.core.registers import Register

NAME = "by hand"
"""Under which a benchmark registers its form; it has one."""
Printing = Callable[[str, Mapping[str, Any], str], Sequence[str]]
"""From a tool's name, its result as JSON and its answer in words: the lines that a context tells."""


class WrittenItem(NamedTuple):
    """A published question as it is exported; `key` is the place of the right one of `options`, -1 for none."""

    number: int
    question: str
    context: str
    options: Sequence[str]
    key: int
    class_: str


@dataclass(frozen=True)
class WrittenForm:
    """How questions of a benchmark look that people write."""

    benchmark: str
    classes: Mapping[str, str]
    """Labels in data, and what people read."""
    dimensions: Mapping[str, str]
    """What a question may measure within its class, likewise; the empty label stands for nothing of these."""
    title: str
    """Of the context in a prompt."""
    most_words: int
    """Of a context."""
    print_result: Printing
    gold_of: Callable[[Sequence[str], int], tuple[dict[str, Any], str]]
    """From the options that are shown and the place of the right one: gold for the scorer `option`, and its kind."""
    template_of: Callable[[str, str], tuple[str, str]]
    """From the class and the kind of gold: the name of the template and the dimension by which boards group it."""
    export_item: Callable[[WrittenItem], dict[str, Any]]
    """A question in the form of the files that the benchmark's authors published."""


FORMS = Register[WrittenForm]("written", "form of questions written by hand")


def register_written(form: WrittenForm) -> None:
    """Add a form to the register. Raises ValueError where its benchmark has one."""
    FORMS.add(form.benchmark, NAME, form)


def find_form(benchmark: str) -> WrittenForm:
    """The form of a benchmark's questions. Raises NotFound for a benchmark of which none are written by hand."""
    form = FORMS.find(benchmark, NAME)
    if form is None:
        raise NotFound(
            f"Questions of {benchmark!r} are not written by hand; those of {', '.join(written_benchmarks())} are."
        )
    return form


def written_benchmarks() -> list[str]:
    """The benchmarks of which questions can be written by hand."""
    return [one for one in benchmark_packages() if FORMS.find(one, NAME) is not None]
