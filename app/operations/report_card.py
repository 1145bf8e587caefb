"""A report card from nothing: the map, the questions of its suite, and the runs that answer them.

Each stage is committed before the next begins. What was broken off, wherever, is gone on with by the same request: a
map, a version and a run that are there are found, so that nothing is imported, generated or asked twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.errors import Conflict, EndpointRefused, NotFound, TrigpointError, UsageError
from app.core.identity import digest
from app.core.progress import Say
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.drawing.engine import say_what_is_missing
from app.operations.embed import TellEmbedded
from app.operations.endpoints import EndpointChoice, find_or_store
from app.operations.evaluate import RunRequest, StartedRun, start_evaluation
from app.operations.generate import generate_version
from app.operations.recipe import GenerateRequest, draft_recipe
from app.operations.report_card_variants import choose_questions, variant_version, why_nothing_changes
from app.operations.sight import check_sight
from app.predictions.messages import Messenger
from app.predictions.runs import find_endpoint
from app.questions.generating import NoQuestions
from app.questions.generating import Progress as TellGenerated
from app.questions.snapshots import find_snapshots
from app.questions.versions import PublishedVersion, count_questions, find_version
from app.report_cards.showing import show_card
from app.report_cards.stored import (
    CardEntry,
    StoredCard,
    begin_card,
    go_on,
    leave_out,
    note_error,
    note_run,
    note_version,
    read_card,
    read_suite_of,
)
from app.report_cards.suites import Suite, SuiteEntry, SuitePart
from app.report_cards.variants import FORMS
from app.report_cards.writing import Written, write_card
from app.routing.programs import find_version as find_router
from app.solvers import find_solver
from app.solvers.agents.terms import AgentTerms

LONGEST_NAME_OF_MAP = 30


@dataclass(frozen=True)
class CardRequest:
    """What is asked of whom: the suite, the endpoint, a map that is published, and who judges."""

    suite: Suite
    endpoint: EndpointChoice
    snapshot: str
    judge: EndpointChoice = field(default_factory=EndpointChoice)
    pace: Mapping[str, int] = field(default_factory=dict)
    """How calls of its runs are paced, by the names of `Limits`."""


class Estimate(NamedTuple):
    """The requests that a card's runs make where nothing was asked before, beside those that are tried again."""

    questions: int
    least: int
    most: int

    def told(self) -> str:
        """A sentence."""
        if self.least == self.most:
            return f"{self.questions:,} answers are wanted, with {self.most:,} requests to the endpoint."
        return (
            f"{self.questions:,} answers are wanted, with {self.least:,} to {self.most:,} requests to the endpoint: an "
            "episode with tools has several."
        )


def begin(settings: Settings, request: CardRequest) -> StoredCard:
    """The card of this request, made or found. Raises NotFound, UsageError, and what a look at an endpoint raises."""
    with connect(settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, [request.snapshot])
        judge = None
        if request.judge.given is not None:
            judge = find_or_store(connection, settings, request.judge).name
        endpoint = find_or_store(connection, settings, request.endpoint)
        now = SystemClock().now()
        card = begin_card(connection, request.suite, endpoint, judge, snapshot.reference, now)
        return read_card(connection, card)


def make_questions(settings: Settings, card_id: int, say: Say, tell: TellGenerated) -> StoredCard:
    """Make or find the questions of every entry that has none yet, or leave the entry out and keep why.

    Those for which a router was missing are looked at again: where it is there now, a further version is made.

    Raises as `generate_version` does, but for a benchmark that the map cannot answer.
    """
    with connect(settings, Role.WORKER) as connection:
        card, suite = read_card(connection, card_id), read_suite_of(connection, card_id)
        connection.commit()
        datasets = {one.key: one.dataset for one in card.entries}
        try:
            for part, stored in zip(suite.parts, card.entries, strict=True):
                if stored.dataset is None or _may_have_router_now(settings, part.entry, stored):
                    usual = None if part.variant is None else datasets[part.entry.name]
                    datasets[part.key] = _make_questions(connection, settings, card, part, usual, say, tell)
        except TrigpointError as error:
            connection.rollback()
            note_error(connection, card_id, str(error))
            raise
        if card.state == "begun":
            go_on(connection, card_id, "generated")
        return read_card(connection, card_id)


def estimate(settings: Settings, card_id: int) -> Estimate:
    """The requests that the runs of a card make where none was made before."""
    with connect(settings, Role.WORKER) as connection:
        card, suite = read_card(connection, card_id), read_suite_of(connection, card_id)
        datasets = {one.key: one.dataset for one in card.entries if one.left_out is None}
        questions = least = most = 0
        for part in suite.parts:
            entry, dataset, usual = part.entry, datasets.get(part.key), datasets.get(part.entry.name)
            if dataset is None or usual is None:
                continue
            count = _count_answers(connection, part, dataset, usual) * entry.repeats
            questions += count
            if find_solver(entry.solver).calls_endpoint:
                least += count
                most += count * (_steps_of(entry) if entry.calls_tools else 1)
    return Estimate(questions, least, most)


def start_runs(
    settings: Settings,
    card_id: int,
    messenger: Messenger,
    tell: TellEmbedded,
    say: Say,
    pace: Mapping[str, int] | None = None,
) -> Sequence[StartedRun]:
    """Start every run of a card, or go on with it; workers do the rest. Those that are complete ask nothing again.

    Raises as `start_evaluation` does.
    """
    with connect(settings, Role.WORKER) as connection:
        card, suite = read_card(connection, card_id), read_suite_of(connection, card_id)
        endpoint = EndpointChoice(card.endpoint)
        connection.commit()
        started = []
        try:
            for part, stored in zip(suite.parts, card.entries, strict=True):
                if stored.dataset is None:
                    continue
                request = _request(connection, settings, card, part, stored, endpoint)
                if isinstance(request, str):
                    leave_out(connection, card_id, part.key, request)
                    say(f"{part.key} is left out: {request}")
                    continue
                request = replace(request, pace=pace or {})
                run = start_evaluation(settings, request, messenger, tell)
                note_run(connection, card_id, part.key, run.progress.run)
                started.append(run)
        except TrigpointError as error:
            connection.rollback()
            note_error(connection, card_id, str(error))
            raise
        go_on(connection, card_id, "started")
    return started


def stored_card(settings: Settings, card_id: int) -> StoredCard:
    """A card as it stands. Raises NotFound."""
    with connect(settings, Role.WORKER) as connection:
        return read_card(connection, card_id)


def write_report_card(settings: Settings, card_id: int, folder: Path, *, pdf: bool) -> Written:
    """Make the card of the stored runs, beside other models on the same questions, and write it.

    Raises NotFound, and Conflict for a card that has no run, or a run that is not complete.
    """
    stored = stored_card(settings, card_id)
    if stored.state != "complete":
        raise Conflict(
            f"Report card {card_id} is {stored.state}: it is written when all its runs are complete."
        )
    with connect(settings, Role.API) as connection:
        card = show_card(connection, stored)
    return write_card(card, folder, pdf)


def judged_entries(settings: Settings, card_id: int) -> Sequence[int]:
    """The runs whose answers the card's judge marks, of those that are complete; none where it has no judge."""
    with connect(settings, Role.WORKER) as connection:
        card, suite = read_card(connection, card_id), read_suite_of(connection, card_id)
    if card.judge is None:
        return []
    wanted = {entry.name for entry in suite.entries if entry.judge}
    return [one.run for one in card.entries if one.key in wanted and one.run and one.is_over]


def _make_questions(
    connection: Connection,
    settings: Settings,
    card: StoredCard,
    part: SuitePart,
    usual: str | None,
    say: Say,
    tell: TellGenerated,
) -> str | None:
    """Give an entry its version, which it returns, or the reason why it has none; commits.

    `usual` is the version of the entry that a variant is of.
    """
    reason = _why_not(settings, part.entry)
    if part.variant is not None and usual is None:
        reason = f"{part.entry.name} is left out."
    if reason is None:
        try:
            version = _version_of(connection, settings, card.snapshot, part, usual, say, tell)
        except NoQuestions as error:
            reason = str(error)
        except (Conflict, NotFound, UsageError) as error:
            if part.variant is None:
                raise
            connection.rollback()
            reason = str(error)
        else:
            note_version(connection, card.card, part.key, version.id)
            return version.reference
    leave_out(connection, card.card, part.key, reason)
    say(f"{part.key} is left out: {reason}")
    return None


def _version_of(
    connection: Connection,
    settings: Settings,
    snapshot: str,
    part: SuitePart,
    usual: str | None,
    say: Say,
    tell: TellGenerated,
) -> PublishedVersion:
    """The published version that an entry names, or one that is made or found. Raises NoQuestions."""
    entry = part.entry
    if part.variant is not None:
        assert usual is not None
        known = find_version(connection, usual)
        return variant_version(connection, settings, entry, part.variant, known, say, tell)
    if entry.version is not None:
        version = find_version(connection, entry.version)
        if version.benchmark != entry.benchmark:
            raise UsageError(f"{entry.version} is a data set of {version.benchmark}, not {entry.benchmark}.")
        return version
    name = dataset_name(snapshot, entry)
    request = GenerateRequest(
        entry.benchmark, name, entry.bank, entry.per_template, entry.seed, only=entry.templates
    )
    return generate_version(settings, name, draft_recipe(request), [snapshot], say, tell).version


def dataset_name(snapshot: str, entry: SuiteEntry) -> str:
    """The data set of an entry's questions: entries of any suite that ask the same of the same map share it."""
    mark = digest(entry.questions_hash, snapshot)[:8]
    return f"{snapshot.partition('@')[0][:LONGEST_NAME_OF_MAP]}_{entry.benchmark}_{mark}"


def _may_have_router_now(settings: Settings, entry: SuiteEntry, stored: CardEntry) -> bool:
    """Whether questions that were made without a router may be more today."""
    return stored.lacked_router and entry.version is None and find_router(settings) is not None


def _why_not(settings: Settings, entry: SuiteEntry) -> str | None:
    """Why an entry cannot be asked on this machine, before anything is made for it; None where nothing is known."""
    if "router" in entry.requires and find_router(settings) is None:
        return "The router OSRM is not installed; `scripts/router` installs it."
    return say_what_is_missing() if "pictures" in entry.requires else None


def _why_blind(
    connection: Connection, settings: Settings, entry: SuiteEntry, dataset: str, endpoint: str
) -> str | None:
    """Why the endpoint cannot see the pictures of an entry's questions; None where it can, or there are none."""
    if "pictures" not in entry.requires:
        return None
    try:
        check_sight(
            connection, settings, find_version(connection, dataset), find_endpoint(connection, endpoint)
        )
    except EndpointRefused as refused:
        return str(refused)
    finally:
        connection.rollback()
    return None


def _count_answers(connection: Connection, part: SuitePart, dataset: str, usual: str) -> int:
    """How many answers one run of the part wants, asked once."""
    if part.variant in FORMS:
        chosen = choose_questions(connection, part.entry, part.variant, usual, dataset)
        return 0 if chosen is None else chosen.answers
    count = count_questions(connection, find_version(connection, dataset))
    return min(count, part.entry.sample or count)


def _request(
    connection: Connection,
    settings: Settings,
    card: StoredCard,
    part: SuitePart,
    stored: CardEntry,
    endpoint: EndpointChoice,
) -> RunRequest | str:
    """The run of a part, as `evaluate` would be asked for it, or why it has none."""
    entry, dataset = part.entry, stored.dataset
    assert dataset is not None
    usual = next(one for one in card.entries if one.key == entry.name)
    if stored.run is None:
        blind = _why_blind(connection, settings, entry, dataset, card.endpoint)
        if blind is not None:
            return blind
    request = _run_of(entry, dataset, endpoint)
    if part.variant not in FORMS:
        return request
    assert usual.dataset is not None
    chosen = choose_questions(connection, entry, part.variant, usual.dataset, dataset)
    connection.rollback()
    if chosen is None:
        return why_nothing_changes(part.variant)
    return replace(request, sample=None, only=chosen.questions, rotate=part.variant == "order")


def _run_of(entry: SuiteEntry, dataset: str, endpoint: EndpointChoice) -> RunRequest:
    """The run of an entry, as `evaluate` would be asked for it."""
    asks = find_solver(entry.solver).calls_endpoint
    return RunRequest(
        dataset,
        entry.solver,
        endpoint if asks else EndpointChoice(),
        repeats=entry.repeats,
        seed=entry.seed,
        temperature=entry.temperature,
        max_tokens=entry.max_tokens,
        sample=entry.sample,
        agent=entry.terms,
        with_context=entry.with_context,
    )


def _steps_of(entry: SuiteEntry) -> int:
    """The most calls that an episode of an entry makes, those of tools among them."""
    terms = (entry.terms or AgentTerms()).of_solver(entry.solver)
    assert terms.steps is not None
    return terms.steps
