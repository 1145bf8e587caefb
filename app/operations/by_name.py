"""Operations that jobs and schedules run in a process of their own, by name: their arguments, and what does them.

Each gives what the command of the same use case prints with --json. What one operation loads would cost the others a
second, so each is imported where it is called.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from app.core.progress import ProgressLines, Say
from app.core.settings import Settings
from app.jobs.kinds import (
    ARGUMENTS,
    Erratum,
    Generate,
    Import,
    PublishWritten,
    RefreshOf,
    ReportCard,
    Rescore,
    ScheduleRun,
)
from app.operations.evaluate import RunRequest

Work = Callable[[Settings, Any, Say], Mapping[str, Any]]


@dataclass(frozen=True)
class NamedOperation:
    """An operation as a process of its own is asked for it."""

    arguments: type
    work: Work
    cleans_up: bool = False
    """Whether a signal unwinds it, so that it removes what it began; it ends within its transaction otherwise."""

    def read(self, given: Mapping[str, Any]) -> Any:
        """The arguments, checked. Raises pydantic.ValidationError."""
        return TypeAdapter(self.arguments).validate_python(dict(given))


def _import(settings: Settings, asked: Import, say: Say) -> Mapping[str, Any]:
    from app.operations.import_map import ImportRequest, import_map

    # The process runs in the folder of extracts.
    source = asked.region if asked.file is None else f"./{asked.file}"
    lines = ProgressLines(say)
    done = import_map(settings, ImportRequest(str(source), asked.name), lines)
    lines.finish()
    return done.as_json()


def _generate(settings: Settings, asked: Generate, say: Say) -> Mapping[str, Any]:
    from app.operations.generate import generate_version
    from app.operations.recipe import GenerateRequest, draft_recipe
    from app.questions.dials import read_dials
    from app.questions.text_forms import read_text_form

    request = GenerateRequest(
        asked.benchmark,
        asked.name,
        asked.bank,
        asked.per_template,
        asked.seed,
        asked.hidden,
        ["=".join(pair) for pair in sorted(asked.choose.items())],
        asked.names,
        asked.locale,
        asked.variant,
        asked.five_options,
        asked.text_register,
        asked.unanswerable,
        asked.per_city,
        asked.templates,
        dials=read_dials(asked.hops, asked.region_km, asked.nearness_km, asked.noise),
        text_form=read_text_form(asked.phrasing, asked.lengths, asked.points),
    )
    begun: set[tuple[str, str]] = set()

    def tell(snapshot: str, template: str, _tried: int, _accepted: int) -> None:
        if (snapshot, template) not in begun:
            begun.add((snapshot, template))
            say(f"{template} on {snapshot} …")

    recipe = draft_recipe(request)
    return generate_version(settings, asked.name, recipe, asked.snapshots, say, tell).as_json()


def _rescore(settings: Settings, asked: Rescore, say: Say) -> Mapping[str, Any]:
    from app.operations.rescore import RescoreRequest, rescore_run

    return rescore_run(settings, RescoreRequest(asked.run), lambda *_: None).as_json()


def _refresh(settings: Settings, asked: RefreshOf, say: Say) -> Mapping[str, Any]:
    from app.operations.refresh import RefreshRequest, refresh_dataset

    request = RefreshRequest(asked.dataset, asked.snapshot, asked.dry_run)
    return refresh_dataset(settings, request).as_json()


def _decide(settings: Settings, asked: Erratum, say: Say) -> Mapping[str, Any]:
    from app.access.audit import Actor
    from app.disputes.models import NewDecision, read_words
    from app.operations.decide import decide_dispute

    given = read_words(NewDecision, {"verdict": asked.verdict, "text": asked.text})
    return decide_dispute(settings, asked.dispute, given, Actor(asked.key_id)).as_json()


def _run_schedule(settings: Settings, asked: ScheduleRun, say: Say) -> Mapping[str, Any]:
    from app.core.clock import SystemClock
    from app.operations.schedule_round import run_round

    lines = ProgressLines(say)
    outcome = run_round(settings, asked.schedule, SystemClock(), lines, say)
    lines.finish()
    return outcome.as_json(asked.schedule)


def _publish_written(settings: Settings, asked: PublishWritten, say: Say) -> Mapping[str, Any]:
    from app.operations.publish_written import publish_written

    return publish_written(settings, asked.dataset)


def _report_card(settings: Settings, asked: ReportCard, say: Say) -> Mapping[str, Any]:
    """Make the questions, start the runs, and leave these to workers: the card is complete when all are scored."""
    from app.operations.endpoints import EndpointChoice
    from app.operations.report_card import CardRequest, begin, make_questions, start_runs, stored_card
    from app.predictions.messages import WORK, Messenger, make_celery
    from app.report_cards.suites import find_suite

    request = CardRequest(find_suite(asked.suite), EndpointChoice(asked.endpoint), asked.snapshot)
    messenger = Messenger(make_celery(settings))
    card = begin(settings, request).card
    make_questions(settings, card, say, lambda *_: None)
    start_runs(settings, card, messenger, lambda *_: None, say)
    messenger.send(WORK)
    return stored_card(settings, card).model_dump(mode="json")


def _evaluate(settings: Settings, asked: RunRequest, say: Say) -> Mapping[str, Any]:
    """Start the run and leave it to workers. Raises Permanent where it is paused, since nobody would go on with it."""
    from app.core.errors import Permanent
    from app.operations.evaluate import start_evaluation
    from app.operations.score import score_again
    from app.predictions.messages import WORK, Messenger, make_celery
    from app.predictions.progress import why_stopped

    messenger = Messenger(make_celery(settings))
    started = start_evaluation(settings, asked, messenger, lambda *_: None)
    found = started.progress
    if started.has_old_scores:
        score_again(settings, found.run)
    if found.status == "paused":
        raise Permanent(why_stopped(found))
    if not started.is_over:
        messenger.send(WORK)
    return found.as_json()


OPERATIONS: Mapping[str, NamedOperation] = {
    "import": NamedOperation(ARGUMENTS["import"], _import, cleans_up=True),
    "generate": NamedOperation(ARGUMENTS["generate"], _generate),
    "rescore": NamedOperation(ARGUMENTS["rescore"], _rescore),
    "refresh": NamedOperation(ARGUMENTS["refresh"], _refresh),
    "erratum": NamedOperation(ARGUMENTS["erratum"], _decide),
    "refresh_schedule": NamedOperation(ARGUMENTS["refresh_schedule"], _run_schedule, cleans_up=True),
    "publish_written": NamedOperation(ARGUMENTS["publish_written"], _publish_written),
    "report_card": NamedOperation(ARGUMENTS["report_card"], _report_card),
    "evaluate": NamedOperation(RunRequest, _evaluate),
}
"""A kind of job that a process of its own does is the name of its operation."""
