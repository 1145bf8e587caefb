"""Versions of questions that people wrote by hand: told apart from those that are made from templates.

`app.workbench` publishes, checks and refreshes them. What works by templates refuses them.
"""

from typing import Any

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.questions import queries_versions
from app.questions.versions import PublishedVersion

WRITTEN = "written"
"""The entry of a recipe by which such a version is known."""


def recipe_of(connection: Connection, version: PublishedVersion) -> dict[str, Any]:
    """The recipe of a version, as it is stored."""
    key = {"version_id": version.id}
    recipe: dict[str, Any] = connection.exec_driver_sql(queries_versions.RECIPE, key).scalar_one()
    return recipe


def is_written(connection: Connection, version: PublishedVersion) -> bool:
    """Whether the version's questions were written by hand."""
    return WRITTEN in recipe_of(connection, version)


def refuse_written(connection: Connection, version: PublishedVersion) -> None:
    """Raise Conflict where the version's questions were written by hand."""
    if is_written(connection, version):
        raise Conflict(
            f"The questions of {version.reference} were written by hand: no template makes them again. They are "
            "corrected and exported on the workbench."
        )
