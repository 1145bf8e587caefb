"""What may leave the database of a version: its questions, what it says of itself, its licence and its canary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.core.identity import canonical_json
from app.exports.places import Place
from app.questions.gold import VALUE, GoldKeys
from app.questions.prompts import StoredPrompt, exported_parts, is_text_alone, prompt_as_text

LICENCE_TEXT = """This data set is made from OpenStreetMap data.

{attribution}. The data is available under the Open Database License (ODbL) 1.0:
{url}

Source: {sources}

Whoever shares this data set, or one made from it, must say so and keep it open under the same licence.
"""


FACTS_TEXT = """
Facts beyond the map, each under its own licence: {facts}.
"""


PICTURES_TEXT = """
The pictures in the folder assets:
{lines}
"""


@dataclass(frozen=True)
class ExportedQuestion:
    """What leaves the database of one question; `gold` only where it was asked for and may leave."""

    id: str
    prompt_hash: str
    template: str
    template_version: int
    snapshots: Sequence[dict[str, Any]]
    prompt: StoredPrompt
    options: Sequence[str] | None
    answer_type: str
    split: str
    gold: dict[str, Any] | None
    variant: str = "default"
    register: str | None = None
    """precise or everyday; None in versions made before there were registers."""
    scorer: str = ""
    """Who judges answers; not part of a line."""
    gold_kind: str = VALUE
    gold_keys: GoldKeys = field(default_factory=dict)
    """Answers under further keys; they leave with `gold`."""
    solutions: Mapping[str, Any] = field(default_factory=dict)
    """What leads to the answer, by kind; it leaves with `gold`."""

    @property
    def text(self) -> str:
        """The prompt as one text."""
        return prompt_as_text(self.prompt)

    def values(self) -> dict[str, Any]:
        """The question as a line of JSON Lines holds it."""
        values = {
            "id": self.id,
            "prompt_hash": self.prompt_hash,
            "template": self.template,
            "template_version": self.template_version,
            "snapshots": list(self.snapshots),
            "text": self.text,
            "options": None if self.options is None else list(self.options),
            "answer_type": self.answer_type,
            "split": self.split,
        }
        if not is_text_alone(self.prompt):
            values["prompt"] = exported_parts(self.prompt)
        if self.variant != "default":
            values["variant"] = self.variant
        if self.register is not None:
            values["register"] = self.register
        if self.gold is not None:
            values["gold"] = self.gold
            if self.gold_kind != VALUE:
                values["gold_kind"] = self.gold_kind
            if self.gold_keys:
                values["gold_keys"] = self.gold_keys
            if self.solutions:
                values["solutions"] = self.solutions
        return values

    def line(self) -> str:
        """The question as one line of canonical JSON."""
        return canonical_json(self.values()) + "\n"


@dataclass(frozen=True)
class ExportedVersion:
    """What a data set says of itself."""

    name: str
    number: int
    recipe: dict[str, Any]
    templates: dict[str, Any]
    canary: str
    licence: dict[str, Any]
    key_positions: Mapping[int, int] = field(default_factory=dict)
    """Of how many public questions the key is the option of that place, from 0."""
    picture_licences: Sequence[str] = ()
    """A line each: whom to name for the pictures that prompts show, and under which licence."""

    @property
    def reference(self) -> str:
        """`name@version`."""
        return f"{self.name}@{self.number}"

    @property
    def sources(self) -> str:
        """The maps, each with its checksum."""
        return "; ".join(f"{one['snapshot']} (SHA-256 {one['checksum']})" for one in self.recipe["snapshots"])

    @property
    def attribution(self) -> str:
        """Who is to be named, the licence and the maps, on one line."""
        return f"{self.licence['attribution']}, {self.licence['name']}. Source: {self.sources}"

    @property
    def licence_text(self) -> str:
        """The file LICENSE."""
        text = LICENCE_TEXT.format(**self.licence, sources=self.sources)
        if self.licence.get("facts"):
            facts = "; ".join(f"{one['credit']} ({one['licence']})" for one in self.licence["facts"])
            text += FACTS_TEXT.format(facts=facts)
        if self.picture_licences:
            text += PICTURES_TEXT.format(lines="\n".join(self.picture_licences))
        return text

    def description(self, questions: int) -> dict[str, Any]:
        """The file dataset.json."""
        return {
            "name": self.name,
            "version": self.number,
            "recipe": self.recipe,
            "templates": self.templates,
            "questions": questions,
            "canary": self.canary,
            "licence": self.licence,
            "attribution": self.attribution,
        }


class Picture(NamedTuple):
    """A picture beside the card: its file's name in the folder, what it shows in words, and its bytes."""

    file: str
    shows: str
    content: bytes


@dataclass(frozen=True)
class Export:
    """A version as it leaves; where gold was asked for, `with_gold`, and some may still be kept in."""

    version: ExportedVersion
    questions: Sequence[ExportedQuestion]
    with_gold: bool
    places: Mapping[str, Place] = field(default_factory=dict)
    """Where questions look, by id; only of those whose gold leaves."""
    pictures: Sequence[Picture] = ()
    """What the card shows; none where the form has no card."""
    assets: Mapping[str, bytes] = field(default_factory=dict)
    """The pictures that prompts show, by the names of their files."""
    tool_set: str | None = None
    """The set of tools that an agent is given for the questions, by a task; None where a task gives none."""

    @property
    def has_parts(self) -> bool:
        """Whether some prompt has more than text."""
        return not all(is_text_alone(one.prompt) for one in self.questions)

    @property
    def has_registers(self) -> bool:
        """Whether it is known in which register questions are asked."""
        return any(one.register is not None for one in self.questions)

    def has_gold_beside_values(self) -> bool:
        """Whether some gold that leaves is more than a value under the default key."""
        told = [one for one in self.questions if one.gold is not None]
        return any(one.gold_keys or one.gold_kind != VALUE or one.solutions for one in told)

    def splits(self) -> dict[str, list[ExportedQuestion]]:
        """The questions of each split that has any: public, then hidden."""
        found = {name: [one for one in self.questions if one.split == name] for name in ("public", "hidden")}
        return {name: questions for name, questions in found.items() if questions}
