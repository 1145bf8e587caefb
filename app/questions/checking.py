"""Whether all that a template names is there: its derivation, its second path, its strategies of wrong options."""

from app.core.errors import TemplateError
from app.questions import distractors as distractors  # registers the generic strategies
from app.questions.derivations import DERIVATIONS
from app.questions.pictures.registers import find_drawn
from app.questions.programs import PROGRAMS
from app.questions.second_path import (
    second_path_templates,
    unanswerable_templates,
    wrong_option_templates,
)
from app.questions.strategies import find_strategy, strategies_of
from app.templates.header import Distractors
from app.templates.selects import columns_of
from app.templates.templates import Lines, Template, Unanswerable, split_header

Where = tuple[str, ...]


def check_provable(template: Template) -> None:
    """Raise TemplateError, naming file and line, where the benchmark's package lacks what the template names."""
    benchmark, derive = template.benchmark, template.header.derive
    named = template.header.program
    if named is not None and PROGRAMS.find(benchmark, named) is None:
        raise _fault(template, ("program",), f"program: {benchmark} has no program {named!r}")
    if DERIVATIONS.find(benchmark, derive) is None:
        raise _fault(template, ("derive",), f"derive: {benchmark} has no derivation {derive!r}")
    if template.id not in second_path_templates(benchmark):
        raise _fault(template, ("id",), f"{template.id} of {benchmark} has no second path")
    if template.header.picture is not None and find_drawn(benchmark, template.id) is None:
        raise _fault(template, ("picture",), f"picture: {benchmark} has no way to ask {template.id}")
    if template.unanswerable is not None:
        _check_unanswerable(template, template.unanswerable)
    if template.header.strategies and template.id not in wrong_option_templates(benchmark):
        raise _fault(template, ("id",), f"{template.id} of {benchmark} has no rule for wrong options")
    for where, header in _strategies(template):
        _check_strategy(template, where, header)


def _check_unanswerable(template: Template, one: Unanswerable) -> None:
    benchmark = template.benchmark
    if DERIVATIONS.find(benchmark, one.derive) is None:
        raise _fault(template, ("id",), f"unanswerable: {benchmark} has no derivation {one.derive!r}")
    if template.id not in unanswerable_templates(benchmark):
        words = f"{template.id} of {benchmark} has no second path for questions without an answer"
        raise _fault(template, ("id",), words)


def _strategies(template: Template) -> list[tuple[Where, Distractors]]:
    """How wrong options are made, in every variant, each with the keys that lead to it in the header."""
    header = template.header
    own = [(("variants", name), one) for name, one in header.variants.items() if one]
    return [(("distractors",), header.distractors), *own] if header.distractors else [*own]


def _check_strategy(template: Template, where: Where, header: Distractors) -> None:
    found = find_strategy(template.benchmark, header.strategy)
    if found is None:
        known = ", ".join(strategies_of(template.benchmark))
        words = f"{template.benchmark} has no strategy {header.strategy!r}; there are: {known}"
        raise _fault(template, (*where, "strategy"), words)
    if (found.pool == "none" and header.pool) or (found.pool in ("own", "numbers") and not header.pool):
        words = "needs a pool file" if header.pool is None else "takes no pool file"
        raise _fault(template, where, f"the strategy {header.strategy} {words}")
    if header.pool and (found.pool == "numbers") != ("value" in columns_of(template.pool or "")):
        wanted = "numbers: `value`" if found.pool == "numbers" else "options: `pool_group, osm_key, label`"
        raise _fault(template, where, f"the strategy {header.strategy} reads a pool of {wanted}")


def _fault(template: Template, where: Where, words: str) -> TemplateError:
    lines = _lines(template)
    line = next((lines[where[:n]] for n in range(len(where), 0, -1) if where[:n] in lines), 1)
    return TemplateError(f"{template.path}:{line}: {words}.")


def _lines(template: Template) -> Lines:
    """Where the header's keys stand; none where the template is of no file any more."""
    return split_header(template.path)[2] if template.path.is_file() else {}
