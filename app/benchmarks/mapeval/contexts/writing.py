"""Writes the context of a question: the blocks that its answer needs among others that do not matter.

What else is told is drawn by the question's id: lists of places of other types around one of its places, and what is
known of some of these.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    "kindergarten",
    "place_of_worship",
    "fuel",
    "fast_food",
    "viewpoint",
)
"""Types of which a list is added that the answer does not need."""
FURTHER_LISTED = 8
FURTHER_TOLD = 2
"""Places of a further list of which is told what is known."""
LEAST_WORDS, WORDS_BETWEEN = 200, 350
"""A context is filled up to so many words, and up to so many more as is drawn: MapEval's have 436 on average."""
LEAST_LINES = 2
"""Lines of a block: a heading, and something below it."""
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
    beside: Sequence[str] = ()
    """The osm_keys of places of the question of which more may be told, though it does not matter."""


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


@writes_contexts("mapeval", noisy=True)
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
    """Lists of places of other types, what is known of some of these and of places beside, until the context is as long
    as the question's id draws; one list at least, where the map has any."""
    noise = teller.asked.noise
    if noise is not None:
        return _so_many_lines(_further(teller, told, _taken(told)), noise)
    wanted = LEAST_WORDS + seeds.below(WORDS_BETWEEN, teller.asked.seed, "words", teller.asked.id)
    blocks: list[Block] = []
    words = sum(map(words_of_block, told.blocks))
    for further in _further(teller, told, _taken(told)):
        if blocks and words >= wanted:
            break
        blocks.append(further)
        words += words_of_block(further)
    return blocks


def _taken(told: Told) -> set[str]:
    return {normal_form(name) for name in told.names}


def _so_many_lines(further: Iterator[Block], lines: int) -> list[Block]:
    """Blocks of so many lines in all. Of a block, which may be cut, two lines at least are told: one is its heading.

    Raises NoContext where the map does not have so many.
    """
    blocks: list[Block] = []
    left = lines
    while left:
        block = next(further, None)
        if block is None:
            raise NoContext("too_little_noise")
        told = min(len(block), left)
        told -= left - told == 1
        if told >= LEAST_LINES:
            blocks.append(block[:told])
            left -= told
    return blocks


def words_of_block(block: Block) -> int:
    """How many words a block has."""
    return sum(len(line.text.split()) for line in block)


def _further(teller: Teller, told: Told, taken: set[str]) -> Iterator[Block]:
    """Blocks that do not matter, one after the other; `taken` are the names of places that none may tell of."""
    asked, beside = teller.asked, [*told.beside]
    for number, found in enumerate(_further_lists(teller, told)):
        yield nearby_list(found)
        named = [one for one in found["places"] if one.get("name") and normal_form(one["name"]) not in taken]
        for place in seeds.shuffled(named, asked.seed, "further places", asked.id, number)[:FURTHER_TOLD]:
            if normal_form(place["name"]) not in taken:
                taken.add(normal_form(place["name"]))
                yield information(teller.details(place["id"]))
        while beside:
            yield information(teller.details(beside.pop()))


def _further_lists(teller: Teller, told: Told) -> Iterator[Result]:
    """The places around of each type that the map has, the first one drawn."""
    asked = teller.asked
    types = [one for one in FURTHER_TYPES if one not in told.sought]
    first = seeds.below(len(types), asked.seed, "further type", asked.id)
    for drawn in (*types[first:], *types[:first]):
        try:
            found = teller.call("nearby", where=told.around, type=drawn, limit=FURTHER_LISTED)
        except ToolError as error:
            if error.kind != "unknown_type":
                raise
            continue
        if found["places"]:
            yield found
