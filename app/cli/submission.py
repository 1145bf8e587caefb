"""`trigpoint submission …`: where submissions stand; taking them off the boards, and deleting them."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.access.audit import AT_THE_COMMAND_LINE
from app.cli.cells import cell
from app.cli.output import emit, say
from app.cli.tables import listing, pairs
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.listing import FIRST
from app.predictions.submissions.storing import (
    Submission,
    end_on_record,
    list_submissions,
    read_submission,
)

submission = typer.Typer(help="Submissions: list, show, withdraw, delete.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
SubmissionId = Annotated[int, typer.Argument(help="the submission's number", min=1, max=2**62)]


def table_of(found: Submission) -> Table:
    """A submission as a person reads it."""
    shown = {
        "state": found.state,
        "next": found.next,
        "run": found.run,
        "answers": f"{found.answers:,}",
        "repeats": found.repeats,
        "reported": "by whoever submitted it" if found.self_reported else "run by us",
        "age": f"{found.age_seconds:,.0f} s",
        "error": found.error,
    }
    return pairs(shown.items(), f"submission {found.submission}: {found.name} on {found.dataset}")


@submission.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="how many to list, the newest first")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the newest submissions."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = list_submissions(connection, None, FIRST, limit, SystemClock().now())
    table = listing("submission", "data set", "name", "state", "run", "answers", right=["answers"])
    for one in found:
        cells = (one.submission, one.dataset, one.name, one.state, one.run or "", cell(one.answers))
        table.add_row(*(Text(str(one)) for one in cells))
    emit({"submissions": [one.model_dump(mode="json") for one in found]}, as_json, table)


@submission.command()
def show(submission_id: SubmissionId, as_json: AsJson = False) -> None:
    """Show the state of a submission and its next step."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = read_submission(connection, submission_id, None, SystemClock().now())
    emit(found.model_dump(mode="json"), as_json, table_of(found))


@submission.command()
def withdraw(submission_id: SubmissionId, as_json: AsJson = False) -> None:
    """Remove a submission from the boards. Its answers are kept."""
    _end(submission_id, as_json, forget=False)


@submission.command()
def delete(submission_id: SubmissionId, as_json: AsJson = False) -> None:
    """Delete a submission: its card, its contact, its answers and their scores."""
    _end(submission_id, as_json, forget=True)


def _end(submission_id: int, as_json: bool, *, forget: bool) -> None:
    now = SystemClock().now()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = end_on_record(connection, submission_id, AT_THE_COMMAND_LINE, now, forget=forget)
        connection.commit()
    say(f"Submission {submission_id} is {found.state}.")
    emit(found.model_dump(mode="json"), as_json, table_of(found))
