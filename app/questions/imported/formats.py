"""What a benchmark's package brings to load the files of a data set that others published."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from app.core.errors import NotFound
from app.core.packages import benchmark_packages
from app.core.registers import Register
from app.questions.gold import VALUE
from app.questions.imported.pictures import NewPicture
from app.questions.prompts import StoredPrompt


@dataclass(frozen=True)
class ImportedQuestion:
    """A question as its authors published it; `gold` is in the form that our scorer of that name reads."""

    key: str
    """Its place in the files, such as T1/64: no two questions share one."""
    template: str
    dimension: str
    prompt: StoredPrompt
    answer_type: str
    scorer: str
    gold: Mapping[str, Any]
    sql: str = ""
    """What the authors say made the answer. It is shown and never executed."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """What else the files say of it; kept with its proof."""
    options: Sequence[str] | None = None
    gold_kind: str = VALUE
    """`value`, or `unanswerable` of a question that its authors say cannot be answered."""


class ImportedAnswer(NamedTuple):
    """An answer to the question of that key; `parsed` is what its authors read from it, as their rules take it."""

    key: str
    text: str | None
    parsed: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ImportedAnswers:
    """Answers of one baseline; `label` is its name on boards."""

    name: str
    label: str
    answers: Sequence[ImportedAnswer]


class StoredScores(NamedTuple):
    """The scores that stand in the files, computed again: how many were compared, and each that differs, in words."""

    compared: int = 0
    differing: Sequence[str] = ()


@dataclass(frozen=True)
class ImportedFiles:
    """All that was read. `notes` counts the questions that have a fault, by the fault.

    `listed` tells of faults one by one, with the place of the question in the files; `pictures` are those of prompts.
    """

    questions: Sequence[ImportedQuestion]
    baselines: Sequence[ImportedAnswers]
    notes: Mapping[str, int]
    digest: str
    """SHA-256 over the files, in their order."""
    scores: StoredScores = field(default_factory=StoredScores)
    listed: Sequence[str] = ()
    pictures: Sequence[NewPicture] = ()


@dataclass(frozen=True)
class PublishedFormat:
    """How one kind of published files is read, and what their authors say of their licence."""

    name: str
    benchmark: str
    faults: Mapping[str, str]
    """In words, by the names under which `ImportedFiles.notes` counts them: what is the matter with a question."""
    licence: Mapping[str, str]
    """{name, attribution, url}: the line that every page with these questions shows."""
    read: Callable[[Path], ImportedFiles]
    """Raises UsageError with file and place at the first fault for which nothing can be loaded."""
    read_with_pictures: Callable[[Path, Path], ImportedFiles] | None = None
    """The same of files whose pictures lie in the second folder; None of a format without pictures."""


PUBLISHED_FORMATS = Register[PublishedFormat]("imported", "format of published files")


def register_format(added: PublishedFormat) -> None:
    """Add a format to the register. Raises ValueError where its benchmark has one of that name."""
    PUBLISHED_FORMATS.add(added.benchmark, added.name, added)


def find_format(name: str) -> PublishedFormat:
    """The format of that name, whichever benchmark brings it. Raises NotFound naming those there are."""
    found = {
        one.name: one for benchmark in benchmark_packages() for one in PUBLISHED_FORMATS.entries(benchmark)
    }
    if name not in found:
        raise NotFound(
            f"There is no format {name!r} of published files; there are: {', '.join(sorted(found))}."
        )
    return found[name]
