"""Which of four places is open, asked so that each of them is the answer at equally many times.

Else a place that is open at odd times would always be the answer, and whoever has seen it once needs no map.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256

from app.benchmarks.map_tools_check.derivations.options import open_of_four
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.hours import DAYS, minutes_to_change, read_week, time_of

HOURS = range(7, 23)
PAST = 15
"""Questions are asked of these hours of each day, so many minutes past the hour; the pick `moment` lists the same."""


@derivation("map_tools_check", "open_of_four_evenly")
def open_of_four_evenly(case: Case) -> Derived:
    """The only place that is open at the time. Each of the four is the answer at as many times as the others.

    A place may be the only open one at more times than another. Of these as many are asked as the place with the fewest
    has: the first ones in the order of the SHA-256 of place and time.
    """
    derived = open_of_four(case)
    if derived.refusal:
        return derived
    hours = {row["osm_key"]: row["opening_hours"] for row in case.rows}
    moment = case.rows[0]["moment"]
    alone = _alone(hours, _moments(moment), case.margins["minutes"])
    fewest = min(len(times) for times in alone.values())
    (answer,) = derived.gold["objects"]
    asked = sorted(alone[answer], key=lambda time: sha256(f"{answer} {time}".encode()).digest())[:fewest]
    return derived if moment in asked else refused("uneven_key")


def _moments(moment: str) -> Sequence[str]:
    """All times of the week of a time that may be asked."""
    of_day = datetime.fromisoformat(moment)
    monday = (of_day - timedelta(days=of_day.weekday())).replace(hour=0, minute=PAST)
    return _moments_from(monday)


@lru_cache(maxsize=8)
def _moments_from(monday: datetime) -> Sequence[str]:
    moments = (monday + timedelta(days=day, hours=hour) for day in range(len(DAYS)) for hour in HOURS)
    return [one.isoformat(timespec="minutes") for one in moments]


def _alone(hours: dict[str, str], moments: Sequence[str], least: float) -> dict[str, list[str]]:
    """By place: the times at which it alone is open, and none opens or closes within `least` minutes."""
    alone: dict[str, list[str]] = {place: [] for place in hours}
    states = {place: _states(said, tuple(moments), least) for place, said in hours.items()}
    for number, moment in enumerate(moments):
        now = {place: found[number] for place, found in states.items()}
        opened = [place for place, is_open in now.items() if is_open]
        if len(opened) == 1 and None not in now.values():
            alone[opened[0]].append(moment)
    return alone


@lru_cache(maxsize=4096)
def _states(said: str, moments: tuple[str, ...], least: float) -> Sequence[bool | None]:
    """At each time whether a place is open; None where that changes within `least` minutes."""
    week = read_week(said)
    assert week is not None, "refused before"
    times = map(time_of, moments)
    return [None if minutes_to_change(week, time) < least else week.is_open(time) for time in times]
