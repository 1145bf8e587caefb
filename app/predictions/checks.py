"""The check of a stored endpoint: what it is, and how many calls at once it keeps up with. Writes `endpoint`.

What it is, is stored before anything is measured: a measurement that fails, or is ended, takes nothing from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.identity import canonical_json
from app.core.settings import Settings
from app.inference.abilities import Found
from app.inference.chat import Endpoint
from app.inference.checking import read_key
from app.inference.measuring import LONGEST, Bounds, Measured, Round, measure_endpoint
from app.inference.probing import Health, examine_endpoint
from app.inference.shared_pacing import make_pacer
from app.predictions import queries_endpoints as queries
from app.predictions.costs import Prices
from app.predictions.endpoints import EndpointRecord, read_endpoint

CALLS = 17
"""Calls of a check that may take as long as a call is waited for, before it measures."""


@dataclass(frozen=True)
class Checked:
    """What a check found. `measured` is None where the endpoint failed, or was not to be measured."""

    health: Health
    measured: Measured | None = None
    prices: Prices | None = None

    def as_json(self) -> dict[str, Any]:
        """As it is stored; the measurement with what it cost, null where the endpoint has no prices."""
        told = None
        if self.measured is not None:
            cost = None
            if self.prices is not None:
                tokens = (self.measured.prompt_tokens, self.measured.completion_tokens)
                cost = {
                    "amount": float(self.prices.amount(*tokens)),
                    "currency": self.prices.currency,
                }
            told = self.measured.as_json() | {"cost": cost}
        return self.health.as_json() | {"measured": told}


def patience_of(limits: Mapping[str, Any], settings: Settings) -> float:
    """Seconds for which a call of a check is waited for: as the endpoint's record says, else the settings."""
    return float(limits.get("timeout_seconds") or settings.request_timeout_seconds)


def longest_check(patience: float) -> float:
    """Seconds that a check may take, where a call is waited for so long."""
    return (CALLS + 1) * patience + LONGEST


def check_stored(
    connection: Connection,
    name: str,
    settings: Settings,
    clock: Clock,
    tell: Callable[[Round], None] = lambda _: None,
) -> Checked:
    """Check the endpoint called `name`, store what is found, commit. `tell` hears of each round of the measurement.

    Raises NotFound, and SettingsError for its key.
    """
    record = read_endpoint(connection, name)
    connection.rollback()  # nothing is held while it is asked
    endpoint = Endpoint(record.url, record.model, read_key(record.key_variable), record.body)
    patience = patience_of(record.limits.as_json(), settings)
    checked = Checked(examine_endpoint(endpoint, patience), prices=record.prices)
    _store(connection, record, checked, clock)
    if checked.health.state == "ok":
        fitting = replace(endpoint, body=checked.health.body or endpoint.body)
        busy = connection.execute(queries.RUN_THAT_ASKS, {"id": record.id, "now": clock.now()}).scalar_one()
        connection.rollback()
        if busy is None:
            found = _measure(record, fitting, patience, settings, tell)
        else:
            found = Measured((), f"run {busy} asks this endpoint now, and would have been measured, too")
        checked = replace(checked, measured=found)
        _store(connection, record, checked, clock)
    return checked


def note_ability(connection: Connection, record: EndpointRecord, name: str, found: Found) -> None:
    """Note in the last check of an endpoint what was found of one ability since. The caller commits."""
    connection.execute(queries.NOTE_ABILITY, {"id": record.id, "name": name, "found": found})


def _store(connection: Connection, record: EndpointRecord, checked: Checked, clock: Clock) -> None:
    values = {"id": record.id, "health": canonical_json(checked.as_json()), "now": clock.now()}
    connection.execute(queries.NOTE_HEALTH, values)
    connection.commit()


def _measure(
    record: EndpointRecord,
    endpoint: Endpoint,
    patience: float,
    settings: Settings,
    tell: Callable[[Round], None],
) -> Measured:
    limits = record.limits
    most = limits.concurrency or settings.concurrency
    why = (
        f"its record allows {most} at once"
        if limits.concurrency
        else f"a worker makes {most} calls at once at most (TRIGPOINT_CONCURRENCY)"
    )
    broker = settings.redis_url.get_secret_value() if settings.redis_url else None
    first = float(settings.first_calls)
    return measure_endpoint(
        endpoint,
        Bounds(most, why, patience),
        lambda: make_pacer(broker, endpoint, most, limits, first, is_trial=True),
        tell,
    )
