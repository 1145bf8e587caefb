"""What is asked of a data set version, and the recipe that follows from it before its maps are known."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.errors import UsageError
from app.core.words import mixed_scripts
from app.questions.dials import NO_DIALS, Dials, check_dials
from app.questions.drawing import OptionsWanted
from app.questions.generating import Recipe
from app.questions.naming import LOCAL
from app.questions.pictures.engines import engine_of
from app.questions.text_forms import USUAL_FORM, TextForm
from app.questions.text_registers import MIXED
from app.questions.unanswerable import check_share
from app.templates.catalogue import Benchmark, find_benchmark

DEFAULT_VARIANT = "hard"


@dataclass(frozen=True)
class GenerateRequest:
    """What a version is made of, beside its maps."""

    benchmark: str
    name: str
    """The data set's; a name that exists gets its next version."""
    bank: int = 200
    per_template: int = 50
    seed: int = 0
    hidden: float = 0.0
    """The share of questions whose gold stays hidden, from 0 to 1."""
    choose: Sequence[str] = ()
    """NAME=VALUE each, of a parameter that templates leave a choice of."""
    names: str = LOCAL
    locale: str = "en"
    variant: str | None = None
    five_options: bool = False
    register: str = MIXED
    unanswerable: float = 0.0
    """The share of questions that have no answer, from 0 to a half."""
    per_city: int | None = None
    """The largest number of questions of each template and map, instead of `per_template`."""
    only: Sequence[str] = ()
    """The templates to ask, where they are not all of the benchmark."""
    text_form: TextForm = USUAL_FORM
    dials: Dials = NO_DIALS
    """How hard the questions are to be."""


def draft_recipe(request: GenerateRequest) -> Recipe:
    """The recipe but for its maps. Raises UsageError, NotFound for what no map could make good.

    So it does where questions are about drawn maps, and no map can be drawn here.
    """
    check_name(request.name)
    benchmark = find_benchmark(request.benchmark)
    if request.only:
        benchmark = benchmark.only(request.only)
    check_share(benchmark, request.unanswerable)
    wanted = _choose_options(benchmark, request.variant, request.five_options)
    check_dials(benchmark, request.dials, wanted.variant, request.hidden, request.unanswerable)
    return Recipe(
        benchmark=benchmark,
        snapshots=(),
        seed=request.seed,
        bank=request.bank,
        per_template=request.per_template,
        hidden=request.hidden,
        chosen=_read_choices(benchmark, request.choose),
        wanted=wanted,
        locale=request.locale,
        names=request.names,
        text_form=request.text_form,
        register=request.register,
        unanswerable=request.unanswerable,
        per_city=request.per_city,
        only=sorted(set(request.only)),
        shares={name: share for name, share in benchmark.file.shares.items() if name in benchmark.templates},
        drawing=engine_of(benchmark),
        dials=request.dials,
    )


def check_name(name: str) -> None:
    """Raise UsageError for a name that a data set cannot bear."""
    if (
        not name[:1].isalnum()
        or "@" in name
        or not all(letter.isalnum() or letter in "_-." for letter in name)
        or len(name) > 60
    ):
        raise UsageError(
            f"--out {name!r}: a data set's name has at most 60 characters: letters, digits, '_', '-' and '.'; "
            "it begins with a letter or digit."
        )
    if mixed_scripts(name) is not None:
        raise UsageError(
            f"--out {name!r}: a name must not mix alphabets in one word, whose letters look alike."
        )


def _read_choices(benchmark: Benchmark, given: Sequence[str]) -> dict[str, str]:
    """Names and values; raises UsageError for a name that no template of the benchmark leaves a choice of."""
    offered = {
        name: parameter.default
        for template in benchmark.templates.values()
        for name, parameter in template.header.parameters.items()
        if parameter.default is not None
    }
    chosen = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not sign or name not in offered:
            raise UsageError(
                f"--choose {one!r}: write NAME=VALUE. {benchmark.name} has these choices: "
                f"{', '.join(sorted(offered)) or 'none'}."
            )
        if value != offered[name]:
            chosen[name] = value
    return chosen


def _choose_options(benchmark: Benchmark, variant: str | None, five: bool) -> OptionsWanted:
    """How options are made; raises UsageError for what no template of the benchmark can do."""
    there = benchmark.variants
    if variant is not None and variant not in there:
        offered = (
            f"there are {', '.join(there)}" if there else "its templates have no variants; remove --variant"
        )
        raise UsageError(f"--variant {variant!r}: {benchmark.name} has no such variant; {offered}.")
    if five and not any(template.header.strategies for template in benchmark.templates.values()):
        raise UsageError(f"--five-options: no question of {benchmark.name} has options; leave it out.")
    return OptionsWanted(variant or (DEFAULT_VARIANT if DEFAULT_VARIANT in there else None), five)
