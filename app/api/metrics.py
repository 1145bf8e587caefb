"""What a monitor is told, in Prometheus' text format: requests of this server, and what the database counts.

Labels are of bounded sets: methods, templates of routes, statuses, states, names of published maps. No key, no name of
a run, a model or a question.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from platform import python_version
from threading import Lock

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Scope

from app import __version__
from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.published.counts import Counts

logger = get_logger(__name__)

SECONDS_KEPT = 5.0
"""So long counts of the database are told again: asking often costs it nothing."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 600.0)
PREFIX = "/v1"
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
STATES = {
    "run": ("trigpoint_runs", "Runs by state."),
    "batch": ("trigpoint_batches", "Leases of runs that are not done; expired: past their deadline."),
    "question": ("trigpoint_queued_questions", "Questions in leases that are not done."),
    "submission": ("trigpoint_submissions", "Submissions by state."),
    "job": ("trigpoint_jobs", "Jobs that wait or run."),
    "schedule": ("trigpoint_schedules", "Schedules; stalled: no newer map came through for three cadences."),
    "prediction": ("trigpoint_prediction_errors", "Failures of ours in runs that boards show."),
}
OLDEST = {
    "submission": (
        "trigpoint_submission_oldest_seconds",
        "Age of the oldest submission in a state that ends.",
    ),
    "job": ("trigpoint_job_oldest_seconds", "Age of the oldest job in a state that ends."),
}


class Watch:
    """Everything that one server tells; `read` asks the database. For any number of threads."""

    def __init__(self, read: Callable[[], Counts]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "trigpoint_http_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "trigpoint_http_request_seconds",
            "Time to the end of the answer.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._in_flight = Gauge(
            "trigpoint_http_requests_in_flight", "Requests being answered.", registry=self._registry
        )
        build = Info("trigpoint_build", "What this server runs.", registry=self._registry)
        build.info({"version": __version__, "python": python_version()})
        ProcessCollector(registry=self._registry)
        self._registry.register(_Stored(read))

    def began(self) -> None:
        """A request came."""
        self._in_flight.inc()

    def ended(self, scope: Scope, status: int, seconds: float) -> None:
        """It was answered; `status` 0: the client went first."""
        method = scope["method"] if scope["method"] in METHODS else "other"
        route = route_of(scope)
        self._in_flight.dec()
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """All of it as Prometheus reads it."""
        return generate_latest(self._registry)


def route_of(scope: Scope) -> str:
    """The template of the route that answered, such as /v1/runs/{run}; never an address that somebody made up."""
    path = getattr(scope.get("route"), "path", None)
    if path is not None:  # FastAPI's routes tell theirs without the prefix of what includes them
        within = str(scope["path"]).startswith(f"{PREFIX}/") and not str(path).startswith(f"{PREFIX}/")
        return f"{PREFIX}{path}" if within else str(path)
    return "/static" if str(scope["path"]).startswith("/static/") and "endpoint" in scope else "unmatched"


class _Stored(Collector):
    def __init__(self, read: Callable[[], Counts]) -> None:
        self._read = read
        self._lock = Lock()
        self._found: Counts | None = None
        self._until = 0.0

    def describe(self) -> Iterable[Metric]:
        """Nothing: else the database would be asked when the server starts."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """What the database counts, at most SECONDS_KEPT old; where it is away, that alone."""
        found = self._counts()
        up = GaugeMetricFamily("trigpoint_database_up", "Whether the database answers.")
        up.add_metric((), float(found is not None))
        yield up
        if found is None:
            return
        for what, (name, told) in STATES.items():
            family = GaugeMetricFamily(name, told, labels=("state",))
            for one in found.states:
                if one.what == what:
                    family.add_metric((one.state,), one.number)
            yield family
        for what, (name, told) in OLDEST.items():
            family = GaugeMetricFamily(name, told, labels=("state",))
            for one in found.states:
                if one.what == what and one.oldest_seconds is not None:
                    family.add_metric((one.state,), one.oldest_seconds)
            yield family
        ages = GaugeMetricFamily(
            "trigpoint_map_age_seconds", "Age of the newest published map.", labels=("map",)
        )
        for age in found.maps:
            ages.add_metric((age.name,), age.seconds)
        yield ages
        used = GaugeMetricFamily(
            "trigpoint_map_in_use_age_seconds",
            "Age of the oldest map of its name that the newest version of a data set stands on.",
            labels=("map",),
        )
        for age in found.maps:
            if age.seconds_in_use is not None:
                used.add_metric((age.name,), age.seconds_in_use)
        yield used

    def _counts(self) -> Counts | None:
        with self._lock:
            if time.monotonic() >= self._until:
                try:
                    self._found = self._read()
                except (SQLAlchemyError, ServiceUnavailable) as error:
                    logger.warning("nothing counted", reason=type(error).__name__)
                    self._found = None
                self._until = time.monotonic() + SECONDS_KEPT
            return self._found
