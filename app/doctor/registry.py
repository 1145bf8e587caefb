"""Doctor: the registry of checks. A check is a function of the settings that yields findings; it never raises.

Invariant: every finding that is not `ok` carries a remedy, a sentence that begins with what to do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.core.settings import IS_CHECKOUT, Settings


class State(StrEnum):
    """What a check found; only `fail` makes the command fail."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    """One line of the examination; `said` never holds a password."""

    name: str
    state: State
    said: str
    remedy: str | None = None


@dataclass(frozen=True)
class Report:
    """What a check function says: a state and words; the remedy of the check is added where it is needed."""

    state: State
    said: str
    remedy: str | None = None


CheckFunction = Callable[[Settings], Iterator[Report]]


@dataclass(frozen=True)
class Check:
    """A registered check."""

    name: str
    remedy: str
    function: CheckFunction


CHECKS: list[Check] = []


def check(name: str, remedy: str) -> Callable[[CheckFunction], CheckFunction]:
    """Register a check under the name that is printed, with the hint that mends what it finds.

    Raises ValueError where the name is taken: two checks of one name could not be told apart.
    """

    def register(function: CheckFunction) -> CheckFunction:
        if any(known.name == name for known in CHECKS):
            raise ValueError(f"two checks are called {name!r}")
        CHECKS.append(Check(name, remedy, function))
        return function

    return register


def remedy(in_a_checkout: str, installed: str) -> str:
    """The hint for this installation: a checkout has `make up`, an installed package has not."""
    return in_a_checkout if IS_CHECKOUT else installed


def ok(said: str) -> Report:
    """All is well."""
    return Report(State.OK, said)


def warn(said: str, remedy: str | None = None) -> Report:
    """Worth knowing; nothing is broken."""
    return Report(State.WARN, said, remedy)


def fail(said: str, remedy: str | None = None) -> Report:
    """Something that must be mended."""
    return Report(State.FAIL, said, remedy)


def examine(settings: Settings, only: str | None = None) -> list[Finding]:
    """Run every check in the order they were registered, or the one named `only`."""
    return [
        Finding(
            one.name,
            report.state,
            report.said,
            None if report.state is State.OK else report.remedy or one.remedy,
        )
        for one in CHECKS
        if only in (None, one.name)
        for report in one.function(settings)
    ]
