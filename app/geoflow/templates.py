"""The ten templates: skeletons of graphs with ports, which concepts are joined to, and slots for literals.

Reads templates.toml, which tells its form. `filling` makes graphs of templates; `composing` finds which to join.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from app.geoflow.graphs import Graph
from app.geoflow.notation import graph_of, meaningful_lines, plan_of
from app.geoflow.ontology import Param, ontology

FILE = Path(__file__).with_name("templates.toml")
SLOT = re.compile(r"\$(\w+)")
OPTIONAL = "? "
SEVERAL = "*"


class TemplateFault(ValueError):
    """What a template cannot be filled with, or a template that does not hold together; one sentence."""


class TemplatePort(NamedTuple):
    """A concept that is joined to a template from outside; `many` ones stand for one or more."""

    name: str
    type: str
    role: str
    many: bool
    optional: bool


class Slot(NamedTuple):
    """A literal that is filled in: the parameter of the operator that it goes to."""

    name: str
    param: Param
    optional: bool


class Template(NamedTuple):
    """A template. `lines` is its skeleton; `output` is the concept that it makes, with its type."""

    name: str
    says: str
    cues: Sequence[str]
    ports: Mapping[str, TemplatePort]
    slots: Mapping[str, Slot]
    output: str
    output_type: str
    lines: Sequence[str]

    @property
    def needed(self) -> list[str]:
        """The ports and slots that must be filled."""
        return [one.name for one in self.ports.values() if not one.optional] + [
            one.name for one in self.slots.values() if not one.optional
        ]

    def skeleton(self) -> Graph:
        """The template as a graph with all its steps; slots stand in it as texts such as "$mode"."""
        return graph_of("\n".join([*self.lines, f"measure {self.output}"]).replace(OPTIONAL, ""))


class _TemplateRow(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    says: str
    cues: list[str]
    output: str
    lines: str


@cache
def templates() -> Mapping[str, Template]:
    """The templates by name, in the order of the file. Raises TemplateFault or ValueError where one does not hold."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["template"]
    read = [_template(_TemplateRow.model_validate(row)) for row in rows]
    return {one.name: one for one in read}


def find_template(name: str) -> Template:
    """The template with a name. Raises TemplateFault."""
    found = templates().get(name)
    if found is None:
        raise TemplateFault(f"there is no template {name!r:.60}; there are: {', '.join(templates())}")
    return found


def _template(row: _TemplateRow) -> Template:
    lines = meaningful_lines(row.lines)
    plan = plan_of("\n".join(line.removeprefix(OPTIONAL) for line in lines))
    optional = [line.startswith(OPTIONAL) for line in lines if " = " in line]
    steps = [*zip(plan["steps"], optional, strict=True)]
    made = {one for step in plan["steps"] for one in step["outputs"]}
    ports = {}
    for one in plan["concepts"]:
        if one["id"] not in made:
            name = one["id"].removesuffix(SEVERAL)
            ports[name] = TemplatePort(
                name, one["type"], one["role"], one["id"].endswith(SEVERAL), _may_be_empty(one["id"], steps)
            )
    slots = {slot.name: slot for step, may in steps for slot in _slots(row.name, step, may)}
    outputs = {one["id"]: one["type"] for one in plan["concepts"]}
    if row.output not in made:
        raise TemplateFault(f"template {row.name}: no step makes its output {row.output}")
    return Template(
        row.name,
        row.says,
        row.cues,
        ports,
        slots,
        row.output,
        outputs[row.output],
        lines,
    )


def _may_be_empty(concept: str, steps: Sequence[tuple[Mapping[str, Any], bool]]) -> bool:
    """Whether nothing needs a concept: an optional port takes it, or an optional step that passes on its first port."""
    for step, may_be_left_out in steps:
        operator = ontology().operators[step["op"]]
        for position, (port, ids) in enumerate(step["inputs"].items()):
            taken = concept in (ids if isinstance(ids, list) else [ids])
            left_out = operator.ports[port].optional or (may_be_left_out and position > 0)
            if taken and not left_out:
                return False
    return True


def _slots(template: str, step: Mapping[str, Any], may_be_left_out: bool) -> Iterator[Slot]:
    operator = ontology().operators[step["op"]]
    for name, value in step["params"].items():
        found = SLOT.fullmatch(value) if isinstance(value, str) else None
        if name not in operator.params:
            raise TemplateFault(f"template {template}: {step['op']} has no parameter {name}")
        if found:
            param = operator.params[name]
            yield Slot(found[1], param, param.optional or may_be_left_out)
