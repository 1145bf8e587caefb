"""Second path: answers a template's question from the layers and the typed parameters alone.

Each template's function registers itself by `@second_path("T5")`. A function computes the value even where it
refuses the question, so that both can be shown; the value is {} where nothing could be computed.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

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
_TEMPLATES: dict[str, SecondPath] = {}


def second_path(template: str) -> Callable[[SecondPath], SecondPath]:
    """Register the decorated function as the second path of `template`; raises ValueError on a second one."""

    def register(function: SecondPath) -> SecondPath:
        if template in _TEMPLATES:
            raise ValueError(f"{template} already has a second path: {_TEMPLATES[template].__qualname__}")
        _TEMPLATES[template] = function
        return function

    return register


def second_path_templates() -> list[str]:
    """The templates that have a second path, sorted."""
    return sorted(_TEMPLATES)


def answer(layers: Layers, template: str, parameters: Parameters) -> SecondAnswer:
    """The answer of `template` for typed parameters, and why the question should not exist, if it should not.

    Raises ProofError for a template without a second path. Parameters that cannot be read are a refusal.
    """
    function = _TEMPLATES.get(template)
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
