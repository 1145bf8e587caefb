"""JSON Lines: questions, one a line, with the version's description, licence and canary beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import UsageError
from app.core.identity import canonical_json

LICENCE_TEXT = """This data set is made from OpenStreetMap data.

{attribution}. The data is available under the Open Database License (ODbL) 1.0:
{url}

Source: {sources}

Whoever shares this data set, or one made from it, must say so and keep it open under the same licence.
"""


FACTS_TEXT = """
Facts beyond the map, each under its own licence: {facts}.
"""


@dataclass(frozen=True)
class ExportedQuestion:
    """What leaves the database of one question; `gold` only where it was asked for and may leave."""

    id: str
    prompt_hash: str
    template: str
    template_version: int
    snapshots: Sequence[dict[str, Any]]
    text: str
    options: Sequence[str] | None
    answer_type: str
    split: str
    gold: dict[str, Any] | None
    variant: str = "default"

    def line(self) -> str:
        """The question as one line of canonical JSON."""
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
        if self.variant != "default":
            values["variant"] = self.variant
        if self.gold is not None:
            values["gold"] = self.gold
        return canonical_json(values) + "\n"


@dataclass(frozen=True)
class ExportedVersion:
    """What a data set says of itself."""

    name: str
    number: int
    recipe: dict[str, Any]
    templates: dict[str, Any]
    canary: str
    licence: dict[str, Any]

    def files(self, questions: Sequence[ExportedQuestion]) -> dict[str, bytes]:
        """File names and bytes."""
        sources = "; ".join(
            f"{one['snapshot']} (SHA-256 {one['checksum']})" for one in self.recipe["snapshots"]
        )
        card = {
            "name": self.name,
            "version": self.number,
            "recipe": self.recipe,
            "templates": self.templates,
            "questions": len(questions),
            "canary": self.canary,
            "licence": self.licence,
            "attribution": f"{self.licence['attribution']}, {self.licence['name']}. Source: {sources}",
        }
        licence = LICENCE_TEXT.format(**self.licence, sources=sources)
        if self.licence.get("facts"):
            facts = "; ".join(f"{one['credit']} ({one['licence']})" for one in self.licence["facts"])
            licence += FACTS_TEXT.format(facts=facts)
        return {
            "questions.jsonl": "".join(question.line() for question in questions).encode(),
            "dataset.json": (canonical_json(card) + "\n").encode(),
            "LICENSE": licence.encode(),
        }


def write_files(files: dict[str, bytes], folder: Path) -> None:
    """Write an export's files; a file that is there is replaced.

    Raises UsageError where the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written to: {error.strerror}. Choose another --to.") from error
