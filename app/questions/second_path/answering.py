"""Second path: answers a template's question from the layers and the typed parameters alone.

Each template's function registers itself by `@second_path("T5")`, or by `@second_path("T5", since=2)` where it answers
the questions of that version of the template and later ones. A function computes the value even where it refuses the
question, so that both can be shown; the value is {} where nothing could be computed.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, TypeVar

from app.core.errors import ProofError
from app.questions.second_path.layers import Layers

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class SecondAnswer:
    """What the second path finds: `value` shaped as gold (options without index), `refusal` the rule broken.

    `facts` are the distances (metres), areas (square metres) and counts that the refusal was decided by.
    """

    value: dict[str, Any]
    refusal: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The answer as it is stored with the proof."""
        return asdict(self)


class Refused(Exception):
    """A question that should not exist, found before it has a value; `reason` is snake_case."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


SecondPath = Callable[[Layers, Parameters], SecondAnswer]
Function = TypeVar("Function", bound=Callable[..., Any])


class ByVersion(Generic[Function]):
    """What is registered of templates, each by the version of the template from which on it holds."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._found: dict[str, dict[int, Function]] = {}

    def add(self, template: str, since: int, function: Function) -> None:
        """Register a function; raises ValueError where there is one of that version."""
        versions = self._found.setdefault(template, {})
        if since in versions:
            raise ValueError(f"{template} already has {self._what}: {versions[since]!r}")
        versions[since] = function

    def of(self, template: str, version: int | None = None) -> Function | None:
        """The function for a version of the template, or for its newest; None where there is none."""
        fitting = [one for one in self._found.get(template, ()) if version is None or one <= version]
        return self._found[template][max(fitting)] if fitting else None

    @property
    def templates(self) -> list[str]:
        """The templates of which there is one, sorted."""
        return sorted(self._found)


_TEMPLATES = ByVersion[SecondPath]("a second path")


def second_path(template: str, since: int = 1) -> Callable[[SecondPath], SecondPath]:
    """Register the decorated function as the second path of `template` from that version on."""

    def register(function: SecondPath) -> SecondPath:
        _TEMPLATES.add(template, since, function)
        return function

    return register


def second_path_templates() -> list[str]:
    """The templates that have a second path, sorted."""
    return _TEMPLATES.templates


def answer(layers: Layers, template: str, parameters: Parameters, version: int | None = None) -> SecondAnswer:
    """The answer of `template` for typed parameters, and why the question should not exist, if it should not.

    By the rules of that version of the template, or of its newest. Raises ProofError for a template without a second
    path. Parameters that cannot be read are a refusal.
    """
    function = _TEMPLATES.of(template, version)
    if function is None:
        raise ProofError(
            f"Template {template} has no second path; there is one for {', '.join(second_path_templates())}. "
            "Register a function in app/questions/second_path."
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
