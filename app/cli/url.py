"""`trigpoint url`: where psql and BI tools find the database, as a role of it."""

from enum import StrEnum
from typing import Annotated

import typer

from app.cli.output import line
from app.core.settings import Role, Settings


class Reading(StrEnum):
    """The roles that only read and that people connect as."""

    DASHBOARD = "dashboard"
    READER = "reader"


def url(
    role: Annotated[
        Reading,
        typer.Argument(help="dashboard: the views for BI tools; reader: the maps as models' SQL sees them"),
    ],
) -> None:
    """Print the database's URL for psql or a BI tool. It contains the role's password, so keep it secret."""
    address = Settings.load().role_url(Role(role.value))
    line(address.replace("postgresql+psycopg://", "postgresql://", 1))
