"""Refresh a version and publish the next, all in the caller's transaction: readers see all of it or nothing.

What is carried over is written while the touched questions are being asked: by a thread of its own, on the caller's
connection, and they on another.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Event
from types import TracebackType
from typing import Any, Self

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.copying import copy_rows
from app.db.engine import connect, use_service_tables
from app.questions import queries as questions_queries
from app.questions import queries_versions
from app.questions.generating import Recipe
from app.questions.naming import LOCAL
from app.questions.programs import MapRouters
from app.questions.records import TemplateReport
from app.questions.refresh.carrying import Carrier
from app.questions.refresh.changes import Pair
from app.questions.refresh.refreshing import Fate, Refreshed, later_recipe, refresh
from app.questions.secrets import keep_secret
from app.questions.storing import canary, copy_questions, licence_with, store_pictures, template_ids
from app.questions.versions import PublishedVersion, stored_reports

NO_QUESTIONS = (
    "Of {version} no question is left on {map}, and none takes the place of any: an empty version is none."
)
CANCELLED_AGAIN_SECONDS = 0.1


def refresh_and_publish(
    settings: Settings,
    connection: Connection,
    version: PublishedVersion,
    recipe: Recipe,
    pair: Pair,
    clock: Clock,
    full: bool = False,
    routers: MapRouters | None = None,
) -> tuple[Refreshed, PublishedVersion]:
    """What becomes of the version's questions on the new map, and the version that they make, published.

    The version is the newest; `connection` holds the lock of its name, and writes. Raises Conflict where no question is
    left, or where some need a router and there is none.
    """
    with (
        Publishing(connection, version, later_recipe(recipe, version, pair), pair, clock) as publishing,
        connect(settings, Role.WORKER) as reading,
    ):
        if full or recipe.names != LOCAL:  # all are asked again
            refreshed = refresh(reading, version, recipe, pair, full, routers=routers)
        else:
            publishing.copy_truth()
            refreshed = refresh(reading, version, recipe, pair, carry=publishing.keep, routers=routers)
        return refreshed, publishing.publish(refreshed)


class Publishing:
    """The version after the newest, as it is being written; what leaves the block by an error stops the writing."""

    def __init__(
        self, connection: Connection, version: PublishedVersion, recipe: Recipe, pair: Pair, clock: Clock
    ) -> None:
        self._connection, self._version, self._recipe, self._pair = connection, version, recipe, pair
        self._clock, self._now = clock, clock.now()
        self._carried: set[str] = set()
        self._is_stopped = Event()
        self._thread = ThreadPoolExecutor(1, "writing")
        self._begun = self._thread.submit(self._begin)
        self._written: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is not None:
                self._stop()
        finally:
            self._thread.shutdown()

    def _stop(self) -> None:
        self._is_stopped.set()
        driver: Any = self._connection.connection.driver_connection
        tasks: list[Future[Any]] = [self._begun, *self._written]
        while wait(tasks, timeout=0).not_done:
            # it may be between two statements just now, and come to the next
            driver.cancel_safe()
            wait(tasks, timeout=CANCELLED_AGAIN_SECONDS)

    def copy_truth(self) -> None:
        """Have what belongs to all questions copied, before it is known which are carried over."""
        self._work(lambda carrier: carrier.copy_truth())

    def keep(self, ids: Sequence[str]) -> None:
        """Have these questions, whose truth is copied, carried over as they are."""
        self._carried = set(ids)
        self._work(lambda carrier: carrier.keep(ids))

    def publish(self, refreshed: Refreshed) -> PublishedVersion:
        """Write all that is not carried over yet, and publish."""
        if all(fate.later_id is None for fate in refreshed.fates):
            raise Conflict(NO_QUESTIONS.format(version=self._version.reference, map=self._pair.new.reference))
        new_id, templates = self._begun.result()
        for work in self._written:
            work.result()
        others = [
            (fate, one)
            for fate, one in zip(refreshed.fates, refreshed.asked, strict=True)
            if fate.id not in self._carried
        ]
        stood = {fate.id for fate, _ in others if fate.record is None and fate.later_id is not None}
        if stood:
            self._take(self._carrier.carry(sorted(stood)))
        self._carrier.retell(
            {fate.id: fate.popularity for fate in refreshed.fates if fate.popularity is not None}
        )
        made = [(one.position, fate.record) for fate, one in others if fate.record is not None]
        store_pictures(self._connection, [record for _, record in made], self._clock)
        copy_questions(self._connection, new_id, templates, made)
        self._tell_fates(new_id, [fate for fate, _ in others if fate.id not in stood])
        self._describe(new_id, refreshed)
        self._connection.exec_driver_sql(queries_versions.PUBLISH, {"version_id": new_id, "now": self._now})
        return PublishedVersion(new_id, self._version.name, self._version.number + 1, self._version.benchmark)

    def _begin(self) -> tuple[int, dict[str, int]]:
        """Write the version without questions; gives its id, and those of its templates."""
        connection, recipe = self._connection, self._recipe
        use_service_tables(connection)
        name, number = self._version.name, self._version.number + 1
        if recipe.secret is not None:
            keep_secret(connection, name, recipe.secret, self._now)
        engines = connection.exec_driver_sql(questions_queries.ENGINE_VERSIONS).mappings().one()
        described = {
            "name": name,
            "number": number,
            "seed": recipe.seed,
            "hidden_fraction": recipe.hidden,
            "recipe": _json(recipe.as_json()),
            "templates": _json({}),
            "engine_versions": _json(dict(engines)),
            "licence": _json({}),
            "canary": canary(name, number, recipe.as_json()),
            "now": self._now,
        }
        new_id: int = connection.exec_driver_sql(queries_versions.INSERT_VERSION, described).scalar_one()
        connection.exec_driver_sql(
            queries_versions.INSERT_SNAPSHOTS,
            {"version_id": new_id, "snapshot_ids": [one.id for one in recipe.snapshots]},
        )
        self._carrier = Carrier(connection, self._version.id, new_id, self._pair)
        return new_id, template_ids(connection, recipe.benchmark)

    def _work(self, steps: Callable[[Carrier], Iterator[None]]) -> None:
        self._written.append(self._thread.submit(lambda: self._take(steps(self._carrier))))

    def _take(self, steps: Iterator[None]) -> None:
        for _ in steps:
            if self._is_stopped.is_set():
                return

    def _tell_fates(self, new_id: int, fates: Sequence[Fate]) -> None:
        columns = (
            "to_version_id", "to_question_id", "from_version_id", "from_question_id", "outcome", "reason", "origin"
        )  # fmt: skip
        rows = (
            (new_id, fate.later_id, self._version.id, fate.id, fate.outcome, fate.reason, "refresh")
            for fate in fates
        )
        copy_rows(self._connection, "trigpoint", "lineage", columns, rows)

    def _describe(self, new_id: int, refreshed: Refreshed) -> None:
        reports = later_reports(stored_reports(self._connection, self._version), _shown(refreshed))
        made = (fate.record.footprint.fact_ids for fate in refreshed.fates if fate.record is not None)
        used = self._carrier.facts_used.union(*made)
        described = {
            "new_id": new_id,
            "templates": _json({key: one.as_json() for key, one in reports.items()}),
            "licence": _json(licence_with(self._connection, self._recipe.snapshots, used)),
        }
        self._connection.exec_driver_sql(queries_versions.DESCRIBE, described)


def later_reports(
    reports: Mapping[str, TemplateReport], shown: Iterable[tuple[str, int]]
) -> dict[str, TemplateReport]:
    """The reports with the questions that there are now, told by template and number of options.

    Capacity and refusals stay those of the map that the first version was generated on.
    """
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for template, options in shown:
        counts[template][options] += 1
    return {
        name: replace(
            one,
            selected=counts[name].total(),
            options=None if one.options is None else {str(n): counts[name][n] for n in sorted(counts[name])},
        )
        for name, one in reports.items()
    }


def _shown(refreshed: Refreshed) -> Iterable[tuple[str, int]]:
    for fate, one in zip(refreshed.fates, refreshed.asked, strict=True):
        if fate.record is not None:
            yield fate.template, len(fate.record.options or ())
        elif fate.later_id is not None:
            yield fate.template, one.shown


def _json(value: Any) -> Jsonb:
    return Jsonb(value, dumps=canonical_json)
