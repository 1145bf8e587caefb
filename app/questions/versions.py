"""Finding published data set versions by `name` or `name@version`."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.core.errors import NotFound, UsageError
from app.questions import queries_versions
from app.questions.records import TemplateReport


@dataclass(frozen=True)
class PublishedVersion:
    """One published version; `reference` is how a person names it."""

    id: int
    name: str
    number: int
    benchmark: str

    @property
    def reference(self) -> str:
        """`name@version`."""
        return f"{self.name}@{self.number}"


def find_version(connection: Connection, reference: str) -> PublishedVersion:
    """The version that `name` (its newest) or `name@version` means.

    Raises UsageError for a version that is not a number, NotFound naming the data sets that there are.
    """
    name, at, number = reference.partition("@")
    if at and not number.isdecimal():
        raise UsageError(f"{reference!r}: after the @ stands a version number, as in {name}@1.")
    # No version is 0, and none has ten digits: more than the column holds.
    wanted = (int(number) if len(number) < 10 else 0) if at else None
    row = connection.exec_driver_sql(
        queries_versions.PUBLISHED, {"name": name, "number": wanted}
    ).one_or_none()
    if row is None:
        others = connection.exec_driver_sql(queries_versions.ALL_PUBLISHED)
        known = sorted(f"{other.name}@{other.number}" for other in others)
        raise NotFound(
            f"There is no published data set {reference!r}. "
            + (f"There are: {', '.join(known)}." if known else "Make one with `trigpoint generate`.")
        )
    return PublishedVersion(row.id, row.name, row.number, row.benchmark)


def count_questions(connection: Connection, version: PublishedVersion) -> int:
    """How many questions the version has."""
    count: int = connection.exec_driver_sql(
        queries_versions.COUNT_QUESTIONS, {"version_id": version.id}
    ).scalar_one()
    return count


def template_reports(connection: Connection, version: PublishedVersion) -> dict[str, Any]:
    """What became of each template's tuples: {template: {version, capacity, accepted, selected, refused}}."""
    row = connection.exec_driver_sql(queries_versions.DESCRIPTION, {"version_id": version.id}).one()
    reports: dict[str, Any] = row.templates
    return reports


def stored_reports(connection: Connection, version: PublishedVersion) -> dict[str, TemplateReport]:
    """What became of each template's tuples when the version was first generated, and how many questions it has."""
    return {name: TemplateReport(**one) for name, one in template_reports(connection, version).items()}
