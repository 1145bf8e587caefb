"""After a restore: every published version exported and proved again, by the role that `trigpoint verify` works as."""

from typing import NamedTuple

from app import __version__
from app.backups.manifest import Manifest
from app.backups.writing import export_hashes, published_versions
from app.core.progress import Progress
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.stored import load_questions
from app.questions.verifying import verify
from app.routing.apart import RoutersApart


class Reproved(NamedTuple):
    """One version: whether its export has the bytes of then, and how many questions are proved again.

    `identical` is None where another version of Trigpoint made the backup: its exports may be worded otherwise.
    `questions` and `failures` are None where nothing was to be proved.
    """

    reference: str
    identical: bool | None
    questions: int | None
    failures: int | None

    @property
    def sound(self) -> bool:
        """Whether nothing speaks against it."""
        return self.identical is not False and not self.failures and self.questions != 0


def reprove(settings: Settings, manifest: Manifest, progress: Progress, with_proofs: bool) -> list[Reproved]:
    """Compare each version's export with the backup's, and, if asked for, prove its questions again."""
    with connect(settings, Role.MAINTAINER) as connection:
        versions = published_versions(connection)
        hashes = export_hashes(connection, versions, progress)
        same_program = manifest.trigpoint == __version__
        results = [
            Reproved(reference, hashes.get(reference) == files if same_program else None, None, None)
            for reference, files in manifest.versions.items()
        ]
        if not with_proofs:
            return results
        proofs, routers = {}, RoutersApart(settings, Role.MAINTAINER)
        for version in versions:
            questions = load_questions(connection, version)
            progress.start("proving", len(questions))
            found = verify(connection, questions, lambda done: progress.advance(1), routers)
            proofs[version.reference] = (found.questions, len(found.failures))
            connection.rollback()
    return [
        one._replace(questions=proofs[one.reference][0], failures=proofs[one.reference][1]) for one in results
    ]
