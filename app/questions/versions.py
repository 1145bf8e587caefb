"""Finding published data set versions by `name` or `name@version`."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from app.core.errors import NotFound, UsageError
from app.db.tables import Dataset, DatasetVersion


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
    query = (
        select(DatasetVersion.id, Dataset.name, DatasetVersion.number, Dataset.benchmark)
        .join(Dataset, Dataset.id == DatasetVersion.dataset_id)
        .where(DatasetVersion.state == "published")
        .order_by(DatasetVersion.number.desc())
    )
    wanted = query.where(Dataset.name == name)
    if at:
        # no version is 0, and none has ten digits: more than the column holds
        wanted = wanted.where(DatasetVersion.number == (int(number) if len(number) < 10 else 0))
    row = connection.execute(wanted.limit(1)).one_or_none()
    if row is None:
        known = sorted({f"{other.name}@{other.number}" for other in connection.execute(query)})
        raise NotFound(
            f"There is no published data set {reference!r}. "
            + (f"There are: {', '.join(known)}." if known else "Make one with `trigpoint generate`.")
        )
    return PublishedVersion(row.id, row.name, row.number, row.benchmark)


def template_reports(connection: Connection, version: PublishedVersion) -> dict[str, Any]:
    """What became of each template's tuples: {template: {version, capacity, accepted, selected, refused}}."""
    reports: dict[str, Any] = connection.execute(
        select(DatasetVersion.templates).where(DatasetVersion.id == version.id)
    ).scalar_one()
    return reports
