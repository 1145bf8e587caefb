"""The folders of the authors' release, T*/N/, each with the files of a question; a fault is told with its place."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from app.core.errors import UsageError

QUESTION = "question.json"
ANSWERS = "baseline_answers.json"
MOST_QUESTIONS = 100_000
_TEMPLATE = re.compile(r"T[1-9][0-9]?")
_NUMBER = re.compile(r"\s*([0-9]{1,6})\s*")
"""The authors' folders have a blank before the number."""


@dataclass(frozen=True)
class QuestionFolder:
    """The folder of one question."""

    template: str
    number: int
    path: Path

    @property
    def key(self) -> str:
        """What the question is called: T1/64."""
        return f"{self.template}/{self.number}"


def find_folders(root: Path) -> list[QuestionFolder]:
    """The folders of all questions, in the order of templates and numbers. Raises UsageError where there are none."""
    try:
        found = [
            QuestionFolder(template.name, int(number[1]), folder)
            for template in root.iterdir()
            if _TEMPLATE.fullmatch(template.name) and template.is_dir()
            for folder in template.iterdir()
            if (number := _NUMBER.fullmatch(folder.name)) and folder.is_dir()
        ]
    except OSError as error:
        raise UsageError(f"{root} cannot be read: {error.strerror}.") from error
    if not found:
        raise UsageError(
            f"{root} holds no questions of GS-QA. Name the folder in which T1, T2 … lie, each with a folder a question "
            f"in which {QUESTION} lies."
        )
    if len(found) > MOST_QUESTIONS:
        raise UsageError(f"{root} holds {len(found):,} questions; at most {MOST_QUESTIONS:,} are loaded.")
    folders = sorted(found, key=lambda one: (int(one.template[1:]), one.number, one.path.name))
    for one, other in pairwise(folders):
        if one.key == other.key:
            raise UsageError(f"{one.path} and {other.path} are both question {one.key}: remove one of them.")
    return folders


def names_of(holder: Mapping[str, Any], ending: str) -> Iterator[str]:
    """The names in an object that end so, in the order of the file."""
    return (name for name in holder if name.endswith(ending))
