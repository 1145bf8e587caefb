"""Writes the context of a question: the blocks that its answer needs among others that do not matter.

What else is told is drawn by the question's id: another place, and a list of places of another type around it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.agent_tools.calling import read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.tool_plans.running import Answering, answers_within
from app.benchmarks.mapeval.contexts.blocks import Block, Line, Result, information, nearby_list
from app.core import seeds
from app.core.names import normal_form
from app.questions.contexts import AskedFor, Context, NoContext, writes_contexts

TITLE = "Context"
FURTHER_TYPES = (
    "restaurant",
    "cafe",
    "hotel",
    "bank",
    "school",
    "pharmacy",
    "supermarket",
    "museum",
    "playground",
)
"""Types of which a list is added that the answer does not need."""
FURTHER_LISTED = 8
MOST_WORDS = 1500
"""Words of a context (MapEval, section 3)."""


@dataclass(frozen=True)
class Told:
    """What a template's questions need told."""

    blocks: Sequence[Block]
    asks: Mapping[str, Any]
    around: str
    """The osm_key of the place around which something else is told, too."""
    names: Sequence[str]
    """Names of places that no further block may tell of."""
    sought: Sequence[str] = ()
    """Types of places of which no further list is added."""


@dataclass(frozen=True)
class Teller:
    """Asks tools about the map of a question."""

    asked: AskedFor
    answering: Answering = field(repr=False)

    def call(self, tool: str, **arguments: Any) -> Result:
        """The result of a call, as JSON."""
        answer = self.answering(read_call(tool, arguments))
        found: Result = answer.result.model_dump(mode="json")
        return found

    def details(self, key: str) -> Result:
        """What is known of a place."""
        return self.call("place_details", place=key)


Telling = Callable[[Teller], Told]
TELLING: dict[str, Telling] = {}
"""By the id of a template."""


def tells(*templates: str) -> Callable[[Telling], Telling]:
    """Register the decorated function as what the contexts of these templates' questions tell."""

    def register(function: Telling) -> Telling:
        for template in templates:
            TELLING[template] = function
        return function

    return register


@writes_contexts("mapeval")
def write_context(asked: AskedFor) -> Context:
    """The context of a question. Raises NoContext where it cannot have one."""
    if asked.template not in TELLING:
        raise NoContext("no_context")
    teller = Teller(asked, answers_within(asked.connection, asked.snapshot, asked.routers))
    told = TELLING[asked.template](teller)
    blocks = [*told.blocks, *_further_blocks(teller, told)]
    order = sorted(
        range(len(blocks)), key=lambda place: seeds.draw(asked.seed, "block", asked.id, blocks[place][0])
    )
    lines: list[Line] = []
    for place in order:
        lines += [Line("")] * bool(lines) + [*blocks[place]]
    if sum(len(line.text.split()) for line in lines) > MOST_WORDS:
        raise NoContext("context_too_long")
    needed = [number for number, line in enumerate(lines) if line.needed]
    return Context(TITLE, [line.text for line in lines], needed, told.asks)


def _further_blocks(teller: Teller, told: Told) -> list[Block]:
    """A list of places of another type, and what is known of one of them, where it has a name of its own."""
    asked = teller.asked
    found = _further_list(teller, told)
    if found is None:
        return []
    blocks = [nearby_list(found)] if found["places"] else []
    taken = {normal_form(name) for name in told.names}
    named = [one for one in found["places"] if one.get("name") and normal_form(one["name"]) not in taken]
    if named:
        place = named[seeds.below(len(named), asked.seed, "further place", asked.id)]
        blocks.append(information(teller.details(place["id"])))
    return blocks


def _further_list(teller: Teller, told: Told) -> Result | None:
    """The places around of a drawn type; of the next type that the map has, where it has none. None for no type."""
    asked = teller.asked
    types = [one for one in FURTHER_TYPES if one not in told.sought]
    first = seeds.below(len(types), asked.seed, "further type", asked.id)
    for drawn in (*types[first:], *types[:first]):
        try:
            return teller.call("nearby", where=told.around, type=drawn, limit=FURTHER_LISTED)
        except ToolError as error:
            if error.kind != "unknown_type":
                raise
    return None
