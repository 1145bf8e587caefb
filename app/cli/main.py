"""`trigpoint`: assembles the commands; turns our errors into one sentence and an exit status."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer._click.exceptions import ClickException  # typer carries click within itself

from app import __version__
from app.cli import COMMANDS, GROUPS, OPEN, PANELS
from app.cli.output import say
from app.core import log
from app.core.errors import TrigpointError
from app.core.memory import end_unsearched, search_seldom, uncollected
from app.core.settings import Settings

INTERRUPTED = 130
SERVICES = ("serve", "worker")


def build_application(arguments: Sequence[str]) -> typer.Typer:
    """The application with the one command that `arguments` asks for, or with all where they ask for none."""
    application = typer.Typer(
        name="trigpoint",
        help="Geospatial question-answering benchmarks from OpenStreetMap, with proved gold.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    application.callback()(configure)
    asked = next((argument for argument in arguments if not argument.startswith("-")), None)
    only = {asked} if asked in {*COMMANDS, *GROUPS} else {*COMMANDS, *GROUPS}
    for panel, names in PANELS.items():
        for name in names:
            if name in only and name in COMMANDS:
                settings = (
                    {"allow_extra_args": True, "ignore_unknown_options": True} if name in OPEN else None
                )
                application.command(name, rich_help_panel=panel, context_settings=settings)(
                    _find(COMMANDS[name])
                )
            elif name in only:
                application.add_typer(_find(GROUPS[name]), name=name, rich_help_panel=panel)
    return application


def _find(where: str) -> Any:
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def configure(context: typer.Context) -> None:
    """Geospatial question-answering benchmarks from OpenStreetMap, with proved gold."""
    level = Settings.load().log_level
    # Commands tell their progress themselves; only what runs on logs what it does.
    is_service = context.invoked_subcommand in SERVICES
    log.configure("warning" if level == "info" and not is_service else level, for_people=not is_service)


def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def main() -> NoReturn:
    """Run a command; exit 0 only when what was asked is true."""
    end_unsearched()
    search_seldom()
    try:
        with uncollected():
            application = build_application(sys.argv[1:])
        status = application(standalone_mode=False)
    except TrigpointError as error:
        say(f"trigpoint: {error}")
        sys.exit(error.exit_code)
    except ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except Exception as error:
        sentence = say_of_database(error)
        if sentence is None:
            raise
        say(f"trigpoint: {sentence}")
        sys.exit(1)
    if status == INTERRUPTED:  # typer gives this for Ctrl-C, without a word
        say("trigpoint: stopped.")
    sys.exit(status if isinstance(status, int) else 0)


def say_of_database(error: Exception) -> str | None:
    """A sentence about a statement that PostgreSQL refused, or did not finish; None for any other error.

    SQLAlchemy is looked for where a command has loaded it: not every command does, and loading takes 0.2 s.
    """
    library = sys.modules.get("sqlalchemy.exc")
    if library is None or not isinstance(error, library.DBAPIError):
        return None
    from app.db.outages import describe_refusal

    return describe_refusal(error)
