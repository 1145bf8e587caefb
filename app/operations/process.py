"""`python -m app.operations.process PARENT OUTCOME`: one operation, which `app.operations.separate_process` asks for.

Reads {operation, arguments} as JSON from stdin and writes {value} or {error: {class, message}} to the file OUTCOME.
Tells progress on stderr. Ends when the process PARENT is gone.
"""

import json
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from sqlalchemy.exc import DBAPIError

from app.core import log
from app.core.errors import Permanent, TrigpointError
from app.core.identity import canonical_json
from app.core.memory import end_unsearched, search_seldom
from app.core.parent import end_with_parent
from app.core.settings import Settings
from app.core.words import with_hidden_shown
from app.db.outages import describe_refusal
from app.operations.by_name import OPERATIONS

STOPPED = 128 + signal.SIGTERM


def main(arguments: Sequence[str]) -> NoReturn:
    """Run the operation; the exit status is 0 where it gave a value."""
    parent, outcome = arguments
    end_with_parent(int(parent), signal.SIGTERM)
    end_unsearched()
    search_seldom()
    settings = Settings.load()
    # What an operation does it tells itself; its log is for what is wrong.
    log.configure("warning" if settings.log_level == "info" else settings.log_level, for_people=True)
    try:
        document = _work(settings, json.load(sys.stdin))
    except KeyboardInterrupt:
        say("stopped.")
        sys.exit(STOPPED)
    # What is there is whole: the file gets its name when it is written.
    written = Path(outcome).with_suffix(".part")
    written.write_text(canonical_json(document))
    written.rename(outcome)
    sys.exit(0 if "value" in document else 1)


def say(sentence: str) -> None:
    """One line of progress."""
    sys.stderr.write(with_hidden_shown(sentence) + "\n")
    sys.stderr.flush()


def _work(settings: Settings, request: Mapping[str, Any]) -> dict[str, Any]:
    """The document that tells what came of the request."""
    operation = OPERATIONS[request["operation"]]
    if operation.cleans_up:
        signal.signal(signal.SIGTERM, _unwind)
    try:
        arguments = operation.read(request["arguments"])
        return {"value": operation.work(settings, arguments, say)}
    except TrigpointError as error:
        return _failure(error)
    except DBAPIError as error:
        return _failure(Permanent(describe_refusal(error)))


def _failure(error: TrigpointError) -> dict[str, Any]:
    return {"error": {"class": type(error).__name__, "message": with_hidden_shown(str(error))}}


def _unwind(number: int, frame: FrameType | None) -> NoReturn:
    """Break off as Ctrl-C does, so that what was begun is cleaned up; a second signal does not break that off."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    main(sys.argv[1:])
