"""The ontology: seven concepts, six roles, and the operators with their typed ports. Reads ontology.toml."""

import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, model_validator

from app.agent_tools.tool_plans.calculating import LARGEST, is_number
from app.agent_tools.tool_plans.reading import check_value
from app.core.strict_json import read_json

MOST_VALUES = 60
"""Values that an expression can begin at: as many as a graph may have concepts."""
FILE = Path(__file__).with_name("ontology.toml")
MISSING_SOURCES = frozenset({"ratings", "prices", "live_hours", "transit"})
"""Sources of data that OpenStreetMap has not: an operator that needs one of them cannot be executed (G4)."""
CALCULATION = "calculation"
"""The group of operators that compute expressions of tool plans: they take values of any form."""
MODES = ("driving", "walking", "bicycling")
KINDS_IN_WORDS = {
    "expression": "an expression of tool plans, as a text of JSON",
    "flag": "true or false",
    "number": "a number",
    "numbers": "a list of numbers",
    "text": "a text",
    "texts": "a list of texts",
    "whole": "a whole number",
}

ParamKind = Literal["text", "texts", "number", "whole", "numbers", "flag", "mode", "choice", "expression"]
"""`texts` and `numbers` are lists. An `expression` is one of tool plans (app.agent_tools.tool_plans), as JSON text."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ConceptType(_Strict):
    """A type of concepts: what it is, which words of a question tell of it, and which fields its value has."""

    name: str
    says: str
    cues: list[str]
    signature: dict[str, str]


class RoleType(_Strict):
    """A role that a concept plays. Of procedural ones, a greater priority comes later (paper, section 3.2)."""

    name: str
    kind: Literal["contextual", "procedural"]
    priority: int
    says: str

    @property
    def contextual(self) -> bool:
        """Whether it says where or when, and not how."""
        return self.kind == "contextual"


class Port(_Strict):
    """An input of an operator: the types of concepts that it takes."""

    takes: list[str]
    many: bool = False
    optional: bool = False


class Param(_Strict):
    """A literal of an operator; `of` are the values of a choice."""

    kind: ParamKind
    optional: bool = False
    of: list[str | int] = []

    def takes(self, value: Any) -> bool:
        """Whether a value is of the kind."""
        return _is_of_kind(self, value)

    @property
    def in_words(self) -> str:
        """What must be written."""
        choices = self.of or (MODES if self.kind == "mode" else ())
        return f"one of {', '.join(map(str, choices))}" if choices else KINDS_IN_WORDS[self.kind]


class Operator(_Strict):
    """An operation on concepts; `gives` are the types of its outputs, in their order."""

    name: str
    group: str
    says: str
    needs: str | None = None
    ports: dict[str, Port]
    params: dict[str, Param]
    gives: list[str]

    @property
    def available(self) -> bool:
        """Whether the map has the data that it needs."""
        return self.needs not in MISSING_SOURCES


class _OntologyFile(_Strict):
    concept: list[ConceptType]
    role: list[RoleType]
    operator: list[Operator]

    @model_validator(mode="after")
    def _holds_together(self) -> "_OntologyFile":
        names = {one.name for one in self.concept}
        for operator in self.operator:
            types = {*operator.gives, *(one for port in operator.ports.values() for one in port.takes)}
            if types - names:
                raise ValueError(f"operator {operator.name}: there is no concept {sorted(types - names)[0]}")
            if not operator.ports or not operator.gives:
                raise ValueError(f"operator {operator.name}: it has a port or more, and gives something")
            for name, param in operator.params.items():
                if (param.kind == "choice") != bool(param.of):
                    raise ValueError(f"operator {operator.name}: {name} has `of` exactly if it is a choice")
        for what in (self.concept, self.role, self.operator):
            found = [one.name for one in what]
            if len(set(found)) != len(found):
                raise ValueError(f"a name is given twice among {found}")
        priorities = [one.priority for one in self.role]
        if any(later <= earlier for earlier, later in pairwise(priorities)):
            raise ValueError("roles are written in the order of their priorities")
        return self


class Transformation(NamedTuple):
    """That a concept of one type can become one of another type, and which operators do it."""

    source: str
    target: str
    operators: list[str]


class Ontology(NamedTuple):
    """Concepts, roles and operators by name, in the order of the file."""

    concepts: Mapping[str, ConceptType]
    roles: Mapping[str, RoleType]
    operators: Mapping[str, Operator]

    def transformations(self) -> list[Transformation]:
        """Every valid transformation of one type of concepts into another (paper, section 3.2)."""
        found: dict[tuple[str, str], list[str]] = {}
        for operator in self.operators.values():
            if not operator.available:
                continue
            sources = {one for port in operator.ports.values() for one in port.takes}
            for pair in sorted((source, target) for source in sources for target in set(operator.gives)):
                found.setdefault(pair, []).append(operator.name)
        return [Transformation(*pair, names) for pair, names in sorted(found.items())]

    def follow(self, first: str, second: str) -> list[str]:
        """The ports of the second operator that take what the first one gives: how they can be composed."""
        given = set(self.operators[first].gives)
        return [name for name, port in self.operators[second].ports.items() if given & set(port.takes)]

    def may_lead(self, source: str, target: str) -> bool:
        """Whether an edge may go from one role to another (G2).

        Contextual roles lead to all roles. Procedural ones lead to themselves and to later ones, and never to a
        contextual role.
        """
        one, other = self.roles[source], self.roles[target]
        if one.contextual:
            return True
        return not other.contextual and one.priority <= other.priority


@cache
def ontology() -> Ontology:
    """The ontology of ontology.toml. Raises ValueError where the file does not hold together."""
    read = _OntologyFile.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))
    return Ontology(
        {one.name: one for one in read.concept},
        {one.name: one for one in read.role},
        {one.name: one for one in read.operator},
    )


def _is_of_kind(param: Param, value: Any) -> bool:
    number = is_number(value) and abs(value) <= LARGEST
    match param.kind:
        case "text":
            return isinstance(value, str) and value.strip() != ""
        case "texts":
            return isinstance(value, list) and all(_is_of_kind(Param(kind="text"), one) for one in value)
        case "expression":
            return isinstance(value, str) and _is_expression(value)
        case "number":
            return number
        case "whole":
            return isinstance(value, int) and number and value > 0
        case "numbers":
            return isinstance(value, list) and all(_is_of_kind(Param(kind="number"), one) for one in value)
        case "flag":
            return isinstance(value, bool)
        case "mode":
            return value in MODES
        case "choice":
            return not isinstance(value, bool) and value in param.of


def _is_expression(text: str) -> bool:
    """Whether a text is an expression of tool plans; how many values it may begin at, only its step tells."""
    try:
        check_value(read_json(text), MOST_VALUES, "the expression")
    except ValueError:
        return False
    return True
