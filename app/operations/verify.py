"""A published version proved again, and made again from its recipe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.versions import export_generated, export_published
from app.operations.publish_written import verify_written_version
from app.questions import queries_versions
from app.questions.generating import Progress as TellGenerated
from app.questions.imported.opening import is_imported, refuse_imported
from app.questions.pictures.engines import refuse_other_engine
from app.questions.reproducing import reproduce
from app.questions.stored import load_questions
from app.questions.verification import Verification
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion, count_questions, find_version
from app.questions.written import is_written, refuse_written
from app.routing.apart import RoutersApart


@dataclass(frozen=True)
class ReproducedVersion:
    """A version that was made again: the size of its export in bytes, and the files that differ from it."""

    version: PublishedVersion
    size: int
    differing: Sequence[str]

    @property
    def is_identical(self) -> bool:
        """Whether every byte is the same."""
        return not self.differing

    def as_json(self) -> dict[str, Any]:
        """As `reproduce --json` prints it."""
        return {
            "dataset": self.version.name,
            "version": self.version.number,
            "bytes": self.size,
            "identical": self.is_identical,
            "differing": list(self.differing),
        }


def verify_version(
    settings: Settings, dataset: str, tell: Callable[[str, int, int], None]
) -> tuple[PublishedVersion, Verification]:
    """Prove every question again: stored SQL, second path, wrong options, evidence.

    `tell` hears what is done, how many questions are proved, and how many there are. Of a data set that others
    published nothing is proved; of one that was written by hand, the calls of its evidence are made again. Raises
    NotFound, Conflict where its pictures cannot be drawn here as they were.
    """
    with connect(settings, Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        if is_imported(connection, version.name):
            count = count_questions(connection, version)
            return version, Verification(questions=count, unproved=count)
        if is_written(connection, version):
            return version, verify_written_version(settings, version)
        recipe = connection.exec_driver_sql(queries_versions.RECIPE, {"version_id": version.id}).scalar_one()
        refuse_other_engine(version.reference, recipe, "verified")
        questions = load_questions(connection, version)
        what = f"proving {version.reference}"
        tell(what, 0, len(questions))
        routers = RoutersApart(settings, Role.MAINTAINER)
        result = verify(connection, questions, lambda done: tell(what, done, len(questions)), routers)
    return version, result


def reproduce_version(settings: Settings, dataset: str, tell: TellGenerated) -> ReproducedVersion:
    """Make a version again from its recipe and compare the bytes of its export; nothing is stored.

    Raises NotFound, Conflict where the recipe cannot be followed here.
    """
    with connect(settings, Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        refuse_imported(connection, version, "It has no recipe by which it could be made again.")
        refuse_written(connection, version)
        published = export_published(connection, version, with_gold=True, include_hidden=True)
        generated = reproduce(connection, version, tell, RoutersApart(settings, Role.MAINTAINER))
        again = export_generated(connection, generated, version.name, version.number)
    differing = sorted(name for name in published if published[name] != again.get(name))
    return ReproducedVersion(version, sum(map(len, published.values())), differing)
