"""Importing a map: an extract becomes a published snapshot; the maps of cities are imported and cut where they lack.

What imports and cuts is loaded where it is needed: it takes half a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.clock import Clock, SystemClock
from app.core.errors import UsageError
from app.core.progress import Progress, Say
from app.core.settings import Settings

if TYPE_CHECKING:
    from osm_import.attempts import ImportResult


@dataclass(frozen=True)
class ImportRequest:
    """What is imported: a path, a URL or a Geofabrik region; under which name, with which layers."""

    source: str
    name: str | None = None
    """The source's name up to its first - or . by default."""
    layers: str | None = None
    """Names with commas between; None for all."""
    check_room: bool = True
    """Whether an import is refused that disk or memory seem too small for."""


def import_map(
    settings: Settings, request: ImportRequest, progress: Progress, clock: Clock | None = None
) -> "ImportResult":
    """Import an extract as a snapshot and publish it. Raises as `osm_import.importing.import_extract`."""
    from osm_import.importing import ALL_LAYERS, import_extract, read_layers

    return import_extract(
        settings,
        request.source,
        request.name,
        clock or SystemClock(),
        progress,
        ALL_LAYERS if request.layers is None else read_layers(request.layers),
        check_room=request.check_room,
    )


def prepare_maps_of_cities(settings: Settings, cities: str, progress: Progress, say: Say) -> Sequence[str]:
    """One `name@timestamp` for each city that `berlin,paris` or `all` names. Raises UsageError for an unknown city."""
    from osm_import.cities import choose_cities, prepare_cities, read_cities

    chosen = choose_cities(read_cities(settings.cities_file), cities)
    return prepare_cities(settings, chosen, SystemClock(), progress, say)


def find_boundary_of_city(settings: Settings, key: str) -> str:
    """The OpenStreetMap key of a city's boundary. Raises UsageError where the city is a whole extract."""
    from osm_import.cities import find_city, read_cities

    city = find_city(read_cities(settings.cities_file), key)
    if city.boundary is None:
        raise UsageError(f"{key} is all of {city.region}: there is nothing to cut. Import that extract.")
    return city.boundary
