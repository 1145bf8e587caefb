"""Commands whose part of Trigpoint comes with a later issue: they say so and exit 2."""

from collections.abc import Callable

import typer

from app.core.errors import LaterIssue

LATER = {
    "refresh": "refreshing a data set to a new map",
}


def later(name: str, what: str) -> Callable[[typer.Context], None]:
    """A command that takes anything and says that its time has not come."""

    def command(context: typer.Context) -> None:
        raise LaterIssue(f"`trigpoint {name}` ({what}) comes with a later issue; it does nothing yet.")

    command.__doc__ = f"Later: {what}."
    return command
