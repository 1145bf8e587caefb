"""`trigpoint dispute …`: a question disputed, with its proof; decided, and put right by a new version."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.access.audit import AT_THE_COMMAND_LINE, Actor
from app.cli.cells import words
from app.cli.output import emit, say
from app.cli.tables import listing, pairs
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.disputes.deciding import Decided, read_disputed, read_whole
from app.disputes.models import Dispute, Disputed, NewDecision, NewDispute, State, read_words
from app.disputes.opening import FIRST, list_disputes, open_dispute
from app.operations.decide import decide_dispute
from app.published.read_as import in_plain_words
from app.questions.prompts import prompt_as_text
from app.questions.versions import find_version

dispute = typer.Typer(help="Disputed questions: open, list, show, decide.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
DataSet = Annotated[str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")]
DisputeId = Annotated[int, typer.Argument(help="the dispute's number", min=1, max=2**62)]
REASONS = "wrong_answer, other_right_answer, ambiguous, unclear or other"
MOST_ANSWERS = 20


@dispute.command("open")
def open_(
    dataset: DataSet,
    question: Annotated[str, typer.Argument(help="the question's id")],
    reason: Annotated[str, typer.Option(help=REASONS)],
    text: Annotated[str, typer.Option(help="what is wrong, in your words")],
    proposed: Annotated[str | None, typer.Option(help="the answer that would be right")] = None,
    as_json: AsJson = False,
) -> None:
    """Dispute a question of a published version."""
    given = read_words(NewDispute, {"reason": reason, "text": text, "proposed": proposed})
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        opened = open_dispute(connection, version, question, given, None, SystemClock().now())
        connection.commit()
        found = read_whole(connection, opened.id)
    if not opened.is_new:
        say(f"This dispute is already open: number {opened.id}.")
    emit(found.model_dump(mode="json"), as_json, _card(found))


@dispute.command("list")
def list_(
    dataset: Annotated[str | None, typer.Option(help="only disputes of this version")] = None,
    state: Annotated[State | None, typer.Option(help="only disputes in this state")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="how many to list, the newest first")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the newest disputes."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version_id = None if dataset is None else find_version(connection, dataset).id
        found = list_disputes(connection, None, version_id, state, FIRST, limit)
    table = listing("dispute", "data set", "question", "reason", "state", "erratum")
    for one in found:
        cells = (one.dispute, one.dataset, one.question, words(one.reason), one.state, one.erratum or "")
        table.add_row(*(Text(str(cell)) for cell in cells))
    emit({"disputes": [one.model_dump(mode="json") for one in found]}, as_json, table)


@dispute.command()
def show(dispute_id: DisputeId, as_json: AsJson = False) -> None:
    """Show a dispute with gold, proof and the answers of finished runs. This includes hidden questions."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = read_disputed(connection, dispute_id)
    emit(found.model_dump(mode="json"), as_json, _card(found.dispute), _proof(found), _answers(found))


@dispute.command()
def decide(
    dispute_id: DisputeId,
    verdict: Annotated[str, typer.Option(help="reject, void or correct")],
    text: Annotated[
        str,
        typer.Option(
            help="the reason; the person who opened the dispute reads it, unless the question is hidden"
        ),
    ],
    key_id: Annotated[
        int | None, typer.Option(min=1, max=2**62, help="number of the API key that decides, for the record")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Decide a dispute. If it is accepted, a new version is made, and runs are carried over to it."""
    given = read_words(NewDecision, {"verdict": verdict, "text": text})
    actor = AT_THE_COMMAND_LINE if key_id is None else Actor(key_id)
    decided = decide_dispute(Settings.load(), dispute_id, given, actor)
    _tell(decided)
    emit(decided.as_json(), as_json, _card(decided.dispute))


def _tell(decided: Decided) -> None:
    if decided.dispute.erratum is None:
        return
    carried = sum(one.carried is not None for one in decided.runs)
    say(f"{decided.dispute.erratum} is published; finished runs carried over to it: {carried}.")
    for one in decided.runs:
        if one.why is not None:
            say(f"Run {one.run} ({one.label}) is not: {one.why}.")


def _card(found: Dispute) -> Table:
    shown = {
        "question": found.question,
        "reason": found.reason,
        "says": found.text,
        "proposes": found.proposed,
        "state": found.state,
        "outcome": found.outcome,
        "erratum": found.erratum,
        "decision": found.decision,
    }
    return pairs(shown.items(), f"dispute {found.dispute} of {found.dataset}")


def _proof(found: Disputed) -> Table:
    shown = {
        "disputed by": found.key or "the command line",
        "others open": found.others or None,
        "split": found.split,
        "template": f"{found.template} version {found.template_version}",
        "text": prompt_as_text(found.prompt),
        "options": found.options and "\n".join(found.options),
        "gold": in_plain_words(found.gold),
        "SQL": found.sql,
        "binds": in_plain_words(found.binds),
        "evidence": "\n".join(f"{one['layer']} {one['osm_key']}" for one in found.evidence),
        "margin": in_plain_words(found.margin),
        "second path": in_plain_words(found.second_path),
    }
    return pairs(shown.items(), "its proof")


def _answers(found: Disputed) -> Table:
    table = listing("run", "name", "answer", "counts as", sentences=["answer"])
    table.title = Text(f"what {len(found.answers):,} answers said")
    for one in found.answers[:MOST_ANSWERS]:
        cells = (one.run, one.label, one.answer or one.state, one.outcome or "")
        table.add_row(*(Text(str(cell)) for cell in cells))
    return table
