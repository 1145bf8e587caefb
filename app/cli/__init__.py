"""The command line: `trigpoint …`; one module a command group, results on stdout, progress on stderr.

COMMANDS and GROUPS are the whole of it: a name, and the function or typer group that answers to it.
"""

from collections.abc import Callable
from typing import Any

import typer

from app.cli.doctor import doctor
from app.cli.export import export
from app.cli.generate import generate
from app.cli.import_ import import_
from app.cli.migrate import migrate
from app.cli.snapshots import snapshots
from app.cli.templates import templates
from app.cli.verify import reproduce, verify

COMMANDS: dict[str, Callable[..., Any]] = {
    "doctor": doctor,
    "import": import_,
    "export": export,
    "generate": generate,
    "migrate": migrate,
    "reproduce": reproduce,
    "verify": verify,
    "snapshots": snapshots,
}
GROUPS: dict[str, typer.Typer] = {
    "templates": templates,
}
