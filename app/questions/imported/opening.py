"""Imported data sets as maintainers see them: listed, opened under a licence, and refused where a proof is needed."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.errors import Conflict, NotFound, UsageError
from app.core.words import is_printable
from app.questions.imported import queries
from app.questions.versions import PublishedVersion

OPENED = "imported.open"
"""What the record calls it."""
LONGEST_LICENCE = 200


class ImportedDatasetEntry(BaseModel):
    """A data set that others published, and whether everybody sees it."""

    model_config = ConfigDict(frozen=True)

    dataset: str = Field(examples=["gsqa_published"])
    version: int
    benchmark: str
    format: str = Field(description="of the files that it was loaded from")
    questions: int
    stated_licence: str = Field(description="what its authors say of its licence")
    notes: dict[str, int] = Field(description="by fault of the files: how many questions have it")
    loaded_at: datetime
    opened_at: datetime | None = Field(description="null while only maintainers see it")
    opened_under: str | None = Field(description="the licence that was named when it was opened")


def list_imported(connection: Connection, name: str | None = None) -> list[ImportedDatasetEntry]:
    """Every imported data set by name, or that of this name. Needs the role worker or maintainer."""
    rows = connection.exec_driver_sql(queries.ALL_IMPORTED, {"name": name})
    return [ImportedDatasetEntry(**row._mapping) for row in rows]


def open_dataset(connection: Connection, name: str, licence: str, now: datetime) -> ImportedDatasetEntry:
    """Let everybody see the imported data set under `licence`. The caller commits, with a line in the record.

    Raises NotFound where no imported data set has that name, Conflict for one that is open under another licence,
    UsageError for a licence that is no line of text.
    """
    licence = licence.strip()
    if not licence or len(licence) > LONGEST_LICENCE or not is_printable(licence):
        raise UsageError(f"Name the licence in one line of at most {LONGEST_LICENCE} characters.")
    found = list_imported(connection, name)
    if not found:
        known = ", ".join(one.dataset for one in list_imported(connection))
        raise NotFound(
            f"There is no imported data set {name!r}. "
            + (f"There are: {known}." if known else "Load one with `trigpoint load`.")
        )
    if found[0].opened_under not in (None, licence):
        raise Conflict(f"{name} is open already, under {found[0].opened_under}.")
    connection.exec_driver_sql(queries.OPEN, {"name": name, "licence": licence, "now": now})
    return list_imported(connection, name)[0]


def is_imported(connection: Connection, name: str) -> bool:
    """Whether the data set of that name was published by others."""
    return connection.exec_driver_sql(queries.IMPORTED, {"name": name}).one_or_none() is not None


def is_closed(connection: Connection, name: str) -> bool:
    """Whether only maintainers see the data set of that name. Needs the role worker or maintainer."""
    row = connection.exec_driver_sql(queries.IMPORTED, {"name": name}).one_or_none()
    return row is not None and row.opened_at is None


def refuse_imported(connection: Connection, version: PublishedVersion, what: str) -> None:
    """Raise Conflict where the version was published by others; `what` says what cannot be done with it."""
    if is_imported(connection, version.name):
        raise Conflict(
            f"{version.reference} was loaded from files that others published: it has no map, and no proof of ours. "
            f"{what}"
        )
