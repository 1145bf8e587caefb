"""Import stage: how old a map is. Reads what its file tells, and its objects; writes nothing.

No date before OpenStreetMap began or after tomorrow is believed: a map dated 2106 would stay the newest for ever.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import osmium

from osm_import.osmium_errors import read_entities
from osm_import.xml_files import Source

EARLIEST = datetime(2004, 1, 1, tzinfo=UTC)
"""OpenStreetMap's year of birth."""
AHEAD = timedelta(days=1)
"""Clocks of two machines may differ, and time zones are forgotten: tomorrow is believed."""
OBJECTS = osmium.osm.NODE | osmium.osm.WAY | osmium.osm.RELATION


class Dated(NamedTuple):
    """A map's date in UTC, None where nothing tells it, and what to say of dates that are not believed."""

    timestamp: datetime | None
    note: str | None = None


def can_be(stamp: datetime, now: datetime) -> bool:
    """Whether a map may be of that moment."""
    return EARLIEST <= stamp <= now + AHEAD


def date_map(path: Path, source: Source, told: Iterable[datetime | None], now: datetime) -> Dated:
    """The first date of `told` that can be, else that of the latest object of the file.

    `source` is what the map reader reads the file from.
    """
    refused: list[datetime] = []
    for stamp in told:
        if stamp is None:
            continue
        if stamp.tzinfo is None:
            stamp = stamp.replace(tzinfo=UTC)
        if can_be(stamp, now):
            return Dated(stamp.astimezone(UTC))
        refused.append(stamp)
    latest, ahead = _latest_time(path, source, now + AHEAD)
    faults = []
    if refused:
        faults.append(f"its header says {refused[0]:%Y-%m-%d}")
    if ahead:
        faults.append(f"{ahead:,} of its objects {'say' if ahead > 1 else 'says'} a day after tomorrow")
    if not faults:
        return Dated(latest)
    which = "other objects" if ahead else "objects"
    instead = (
        f"The latest of its {which} is of {latest:%Y-%m-%d}, which dates it"
        if latest
        else "Nothing else dates the map"
    )
    return Dated(
        latest,
        f"A date of {path.name} is not believed: {' and '.join(faults)}, and a map is of {EARLIEST.year} or later, "
        f"and not of the future. {instead}.",
    )


def _latest_time(path: Path, source: Source, last: datetime) -> tuple[datetime | None, int]:
    """The latest date of an object that is not after `last`, and how many objects are."""
    latest, ahead = EARLIEST, 0
    for entity in read_entities(path, osmium.FileProcessor(source, OBJECTS)):
        stamp: datetime = entity.timestamp  # type: ignore[union-attr]
        if stamp > last:
            ahead += 1
        elif stamp > latest:
            latest = stamp
    return (latest if latest > EARLIEST else None), ahead
