"""Second path: answers a template's question from the layers and the typed parameters alone.

Benchmarks' packages register a function for each template by `@second_path("gsqa", "T5")`, or with `since=2` where it
answers the questions of that version of the template and later ones. A function computes the value even where it
refuses the question, so that both can be shown; the value is {} where nothing could be computed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.core.errors import ProofError
from app.core.registers import VersionedRegister
from app.questions.second_path.layers import Layers

Parameters = Mapping[str, Any]


VALUE = "value"
"""The kind of gold that a scorer reads; the other kind is `unanswerable`."""
NO_ANSWER = "This question cannot be answered"
"""The option that says so, where a benchmark offers it."""


@dataclass(frozen=True)
class SecondAnswer:
    """What the second path finds: `value` shaped as gold (options without index), `refusal` the rule broken.

    `facts` are the distances (metres), areas (square metres) and counts that the refusal was decided by. `kind` is that
    of the gold. `keys` are the answers under further keys, each {"kind": KIND, "value": {…}}.
    """

    value: dict[str, Any]
    refusal: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    kind: str = VALUE
    keys: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The answer as it is stored with the proof; kind and keys only where they say something."""
        said: dict[str, Any] = {"value": self.value, "refusal": self.refusal, "facts": self.facts}
        return (
            said
            | ({"kind": self.kind} if self.kind != VALUE else {})
            | ({"keys": self.keys} if self.keys else {})
        )


class Refused(Exception):
    """A question that should not exist, found before it has a value; `reason` is snake_case."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


SecondPath = Callable[[Layers, Parameters], SecondAnswer]


class TemplateVersion(NamedTuple):
    """Whose rules a question is answered by: a template of a benchmark in one version, or in its newest (None).

    In a variant, options may have to look alike.
    """

    benchmark: str
    template: str
    version: int | None = None
    kind: str = VALUE
    """Of the gold that is to be proved."""
    variant: str | None = None


_TEMPLATES = VersionedRegister[SecondPath]("second_path", "second path")
_UNANSWERABLE = VersionedRegister[SecondPath]("second_path", "second path of unanswerable questions")


def second_path(benchmark: str, template: str, since: int = 1) -> Callable[[SecondPath], SecondPath]:
    """Register the decorated function as the second path of a template from that version on."""

    def register(function: SecondPath) -> SecondPath:
        _TEMPLATES.add(benchmark, template, since, function)
        return function

    return register


def unanswerable_path(benchmark: str, template: str, since: int = 1) -> Callable[[SecondPath], SecondPath]:
    """Register the decorated function as what proves that questions of a template have no answer."""

    def register(function: SecondPath) -> SecondPath:
        _UNANSWERABLE.add(benchmark, template, since, function)
        return function

    return register


def unanswerable_templates(benchmark: str) -> list[str]:
    """The templates of a benchmark whose questions can be proved to have no answer, sorted."""
    return _UNANSWERABLE.templates(benchmark)


def second_path_templates(benchmark: str) -> list[str]:
    """The templates of a benchmark that have a second path, sorted."""
    return _TEMPLATES.templates(benchmark)


def answer(layers: Layers, asked: TemplateVersion, parameters: Parameters) -> SecondAnswer:
    """The answer of a template for typed parameters, and why the question should not exist, if it should not.

    Raises ProofError for a template without a second path. Parameters that cannot be read are a refusal.
    """
    register = _TEMPLATES if asked.kind == VALUE else _UNANSWERABLE
    function = register.find(asked.benchmark, asked.template, asked.version)
    if function is None:
        raise ProofError(
            f"Template {asked.template} of {asked.benchmark} has no second path. "
            f"Register a function in app/benchmarks/{asked.benchmark}/second_path."
        )
    try:
        return function(layers, parameters)
    except Refused as refused:
        return SecondAnswer({}, refused.reason, refused.facts)


def parameter(parameters: Parameters, name: str, kind: type | tuple[type, ...]) -> Any:
    """The parameter `name`, of a type in `kind`; raises Refused where it is absent or of another type."""
    value = parameters.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Refused("bad_parameters", parameter=name, found=value)
    return value


def first_refusal(*rules: tuple[bool, str]) -> str | None:
    """The reason of the first rule, (broken, reason), that is broken."""
    return next((reason for broken, reason in rules if broken), None)
