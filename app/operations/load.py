"""A data set that others published, loaded from their files: stored, with the answers of their baselines scored."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock, SystemClock
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.engine import connect, use_service_tables
from app.operations.recipe import check_name
from app.predictions.submissions.storing import add_submission, check_answers, question_ids
from app.questions.imported.formats import ImportedAnswers, ImportedFiles, PublishedFormat, find_format
from app.questions.imported.storing import find_loaded, imported_recipe, question_id, store_imported
from app.questions.versions import PublishedVersion
from app.scores.submitted import score_at_once

OWNER = "trigpoint load"


@dataclass(frozen=True)
class LoadedDataset:
    """What was loaded; `is_new` is false where these very files were loaded under this name before."""

    version: PublishedVersion
    form: PublishedFormat
    files: ImportedFiles
    is_new: bool

    @property
    def answers(self) -> int:
        """Answers of the baselines that the files hold."""
        return sum(one.text is not None for baseline in self.files.baselines for one in baseline.answers)

    def as_json(self) -> dict[str, Any]:
        """As `load --json` prints it."""
        scores = self.files.scores
        return {
            "dataset": self.version.name,
            "version": self.version.number,
            "format": self.form.name,
            "questions": len(self.files.questions),
            "answers": self.answers,
            "baselines": [baseline.name for baseline in self.files.baselines],
            "scores_compared": scores.compared,
            "differing": len(scores.differing),
            "differences": list(scores.differing),
            "notes": dict(self.files.notes),
            "listed": list(self.files.listed),
            "pictures": len(self.files.pictures),
            "licence": self.form.licence["name"],
            "new": self.is_new,
        }


def load_dataset(
    settings: Settings, format_name: str, path: Path, name: str, pictures: Path | None = None
) -> LoadedDataset:
    """Read the files, and store and score them in one transaction as the data set `name`, which only maintainers see.

    `pictures` is the folder of the pictures of a format that has some. Raises NotFound for a format that there is not,
    UsageError for a fault of the files, Conflict where the name is taken; then nothing was stored.
    """
    check_name(name)
    form = find_format(format_name)
    files = _read(form, path, pictures)
    clock = SystemClock()
    with connect(settings, Role.WORKER) as connection:
        found = find_loaded(connection, name, imported_recipe(form, files))
        if found is not None:
            return LoadedDataset(found, form, files, is_new=False)
        version = store_imported(connection, name, form, files, clock)
        ids = {one.key: question_id(form, one) for one in files.questions}
        for baseline in files.baselines:
            _store_answers(connection, clock, version, ids, baseline)
        connection.commit()
    return LoadedDataset(version, form, files, is_new=True)


def _read(form: PublishedFormat, path: Path, pictures: Path | None) -> ImportedFiles:
    if pictures is None:
        return form.read(path)
    if form.read_with_pictures is None:
        raise UsageError(f"Files of the format {form.name} have no pictures: leave --pictures out.")
    return form.read_with_pictures(path, pictures)


def _store_answers(
    connection: Connection,
    clock: Clock,
    version: PublishedVersion,
    ids: Mapping[str, str],
    baseline: ImportedAnswers,
) -> None:
    """A submission of the baseline's answers with what its authors read from them, scored at once."""
    use_service_tables(connection)
    lines = [canonical_json({"id": ids[one.key], "answer": one.text}) for one in baseline.answers]
    file = BytesIO("\n".join(lines).encode())
    checked = check_answers(version, question_ids(connection, version), file, {"name": baseline.label})
    taken = add_submission(connection, version, checked, file, clock.now(), self_reported=True)
    parsed = {ids[one.key]: one.parsed for one in baseline.answers if one.parsed is not None}
    score_at_once(connection, clock, OWNER, taken.id, parsed)
