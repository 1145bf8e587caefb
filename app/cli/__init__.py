"""The command line: `trigpoint …`; one module a command group, results on stdout, progress on stderr.

COMMANDS and GROUPS are the whole of it: a name, and the function or typer group that answers to it.
"""

from collections.abc import Callable
from typing import Any

import typer

from app.cli.doctor import doctor
from app.cli.evaluate import evaluate
from app.cli.export import export
from app.cli.generate import generate
from app.cli.import_ import import_
from app.cli.leaderboard import leaderboard
from app.cli.migrate import migrate
from app.cli.run import run
from app.cli.scripted_endpoint import scripted_endpoint
from app.cli.serve import serve
from app.cli.snapshots import snapshots
from app.cli.templates import templates
from app.cli.verify import reproduce, verify
from app.cli.worker import worker

COMMANDS: dict[str, Callable[..., Any]] = {
    "doctor": doctor,
    "import": import_,
    "evaluate": evaluate,
    "export": export,
    "generate": generate,
    "leaderboard": leaderboard,
    "migrate": migrate,
    "reproduce": reproduce,
    "scripted-endpoint": scripted_endpoint,
    "serve": serve,
    "verify": verify,
    "worker": worker,
    "snapshots": snapshots,
}
GROUPS: dict[str, typer.Typer] = {
    "run": run,
    "templates": templates,
}
