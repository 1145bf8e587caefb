"""The authors' folder → questions with gold, each baseline's answers, faults of the files. Registers `gsqa`."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.benchmarks.gsqa.imported.comparing import compare_scores
from app.benchmarks.gsqa.imported.files import (
    ANSWERS,
    QUESTION,
    QuestionFolder,
    find_folders,
)
from app.benchmarks.gsqa.imported.gold import KINDS, is_measurable, published_type, scored_fields
from app.benchmarks.gsqa.imported.notes import FAULTS, faults_of
from app.benchmarks.gsqa.imported.places import places_of
from app.benchmarks.gsqa.published.cases import Case
from app.benchmarks.gsqa.published.lookups import Lookup
from app.core.errors import UsageError
from app.core.identity import digest
from app.core.words import is_printable
from app.questions.imported.formats import (
    ImportedAnswer,
    ImportedAnswers,
    ImportedFiles,
    ImportedQuestion,
    PublishedFormat,
    StoredScores,
    register_format,
)
from app.questions.imported.json_files import JsonFile, finite, is_storable
from app.questions.prompts import text_prompt
from app.templates.catalogue import find_dimensions

BENCHMARK = "gsqa"
LICENCE = {
    "name": "licence not stated by its authors",
    "attribution": "map data © OpenStreetMap contributors, ODbL 1.0",
    "url": "https://opendatacommons.org/licenses/odbl/1-0/",
}
READ_AT_THE_TOP = frozenset({"G", "L"})
"""Baselines whose parsed answers the authors read at the top of each object; those of others at any depth."""
NOT_A_NUMBER = "not_a_number"
NO_ANSWERS = "without_answers"
UNMEASURABLE = "left_out"
WORDS = {
    **{name: fault.words for name, fault in FAULTS.items()},
    NOT_A_NUMBER: "a baseline's answer holds NaN, or what no database keeps; it is stored as null",
    NO_ANSWERS: "there are no answers of baselines",
    UNMEASURABLE: "the answer is zero, so that no error can be measured against it; the question is left out",
}
LONGEST_NAME = 40


@dataclass
class _Loading:
    """What was read so far."""

    dimensions: Mapping[str, str]
    questions: list[ImportedQuestion] = field(default_factory=list)
    answers: dict[str, list[ImportedAnswer]] = field(default_factory=lambda: defaultdict(list))
    notes: Counter[str] = field(default_factory=Counter)
    digests: list[str] = field(default_factory=list)
    compared: int = 0
    differing: list[str] = field(default_factory=list)

    def take(self, folder: QuestionFolder) -> None:
        """Read one question and its answers."""
        file = JsonFile(folder.path / QUESTION)
        self.digests += [folder.key, file.digest]
        question, published = self._question(file, folder)
        is_kept = is_measurable(question.gold)
        if is_kept:
            self.questions.append(question)
            self.notes.update(faults_of(folder.template, file.value))
        else:
            self.notes[UNMEASURABLE] += 1
        if not (folder.path / ANSWERS).exists():
            self.notes[NO_ANSWERS] += 1
            return
        answers = JsonFile(folder.path / ANSWERS)
        self.digests.append(answers.digest)
        if not isinstance(answers.value, Mapping):
            raise answers.fault("the whole", "is not an object")
        lost = 0
        for name in answers.value:
            lost += self._answer(answers, folder, name, published, is_kept=is_kept)
        self.notes[NOT_A_NUMBER] += lost > 0

    def _question(self, file: JsonFile, folder: QuestionFolder) -> tuple[ImportedQuestion, dict[str, Any]]:
        raw = file.value
        if folder.template not in self.dimensions:
            raise file.fault(f"its folder {folder.template}", "is none of GS-QA's 28 templates")
        text = file.field(raw, "question", str)
        answers = file.field(raw, "answers", list)
        if not text.strip():
            raise file.fault("question", "is empty")
        if not answers or not all(isinstance(one, Mapping) for one in answers):
            raise file.fault("answers", "is not a list of objects with at least one")
        kind = published_type(file.field(raw, "answer_type", str), answers)
        if kind not in KINDS:
            raise file.fault(
                "answer_type", f"is {kind!r}; there are {', '.join(sorted(set(KINDS) - {'external'}))}"
            )
        published = {
            "template": folder.template,
            "answer_type": kind,
            "gold": scored_fields(file, kind, answers),
        }
        ours = KINDS[kind]
        told, _ = finite({name: raw[name] for name in ("id", "type") if name in raw})
        return (
            ImportedQuestion(
                key=folder.key,
                template=folder.template,
                dimension=self.dimensions[folder.template],
                prompt=text_prompt(text),
                answer_type=ours.answer_type,
                scorer=ours.scorer,
                gold={**ours.gold(file, answers), "published": published},
                sql=file.field(raw, "sql", str) if "sql" in raw else "",
                told={**told, "places": places_of(raw)},
            ),
            published,
        )

    def _answer(
        self,
        file: JsonFile,
        folder: QuestionFolder,
        name: str,
        published: Mapping[str, Any],
        *,
        is_kept: bool,
    ) -> int:
        """Take one baseline's answer; how much of it is no number and was taken as null."""
        if not is_printable(name) or not 0 < len(name) <= LONGEST_NAME:
            raise file.fault(
                f"the name {name[:LONGEST_NAME]!r} of a baseline", "is not a short printable word"
            )
        said = file.field(file.value, name, dict)
        text = file.field(said, "text", dict, name)
        parsed = said.get("parsed") or {}
        if "answer" not in text or not isinstance(text["answer"], str | None):
            raise file.fault(f"{name}.text.answer", "is missing, or neither a text nor null")
        if text["answer"] is not None and not is_storable(text["answer"]):
            raise file.fault(f"{name}.text.answer", "holds a character that no database keeps")
        if not isinstance(parsed, Mapping):
            raise file.fault(f"{name}.parsed", "is not an object")
        objects, lost = finite(parsed.get("answer"))
        lookup: Lookup = "toplevel" if name in READ_AT_THE_TOP else "recursive"
        case = Case(
            f"{folder.key}/{name}",
            folder.template,
            published["answer_type"],
            published["gold"],
            text["answer"],
            objects,
            lookup,
        )
        compared, differing = compare_scores(
            file, {"text": text.get("scores"), "parsed": parsed.get("scores")}, case
        )
        self.compared += compared
        self.differing += differing
        if is_kept:
            read = {"objects": objects, "lookup": lookup}
            self.answers[name].append(ImportedAnswer(folder.key, text["answer"], read))
        return lost

    def baselines(self) -> list[ImportedAnswers]:
        """Each baseline's answers, in the order in which the files name them; null where a question has none."""
        keys = [one.key for one in self.questions]
        found = []
        for name, answers in self.answers.items():
            given = {one.key: one for one in answers}
            whole = [given.get(key, ImportedAnswer(key, None)) for key in keys]
            found.append(ImportedAnswers(name, f"{name}: an earlier run than the paper's", whole))
        return found


def read_files(root: Path) -> ImportedFiles:
    """Everything in the folder. Raises UsageError with file and place at the first fault."""
    loading = _Loading(find_dimensions(BENCHMARK))
    for folder in find_folders(root):
        loading.take(folder)
    if not loading.questions:
        raise UsageError(f"{root}: no question of it can be scored; nothing is loaded.")
    return ImportedFiles(
        loading.questions,
        loading.baselines(),
        {name: loading.notes[name] for name in WORDS if loading.notes[name]},
        digest("gsqa files", loading.digests),
        StoredScores(loading.compared, loading.differing),
    )


register_format(PublishedFormat("gsqa", BENCHMARK, WORDS, LICENCE, read_files))
