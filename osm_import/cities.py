"""Import stage: cities by name. Reads their file, finds the maps that are there, imports and cuts the others."""

import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.core.clock import Clock
from app.core.errors import NotFound, SettingsError, UsageError
from app.core.settings import Role, Settings
from app.db.naming import snapshot_reference
from app.db.raw import connect_raw
from osm_import import cutting_queries
from osm_import.attempts import LAYER_SCHEMA_VERSION
from osm_import.cutting import KEY, cut_snapshot, published_parents
from osm_import.extracts import safe_name
from osm_import.importing import import_extract
from osm_import.progress import Progress
from osm_import.queries import OTHER_MAP_OF_NAME

ALL = "all"


class City(BaseModel):
    """One table of the file: the extract that holds a city, and the region of it that is the city."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, description="in English")
    country: str = Field(min_length=1)
    region: str = Field(min_length=1, description="of Geofabrik, by its id or its path")
    boundary: str | None = Field(
        default=None, pattern=f"^{KEY.pattern}$", description="None: the whole extract is the city"
    )


def read_cities(path: Path) -> dict[str, City]:
    """The cities of a file by their keys, which are names of snapshots too. Raises SettingsError at the first fault."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"The file of cities {path} cannot be read: {error}.") from error
    cities = {}
    for key, table in tables.items():
        if safe_name(key) != key or key == ALL:
            raise SettingsError(
                f"{path}: [{key}]: a city's key has lower-case letters, digits and _, and is not all."
            )
        try:
            cities[key] = City.model_validate(table)
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, (key, *fault["loc"])))
            raise SettingsError(f"{path}: {where}: {fault['msg']}.") from error
    return cities


def choose_cities(cities: Mapping[str, City], text: str) -> dict[str, City]:
    """The cities that `berlin,paris` names, in that order, or `all`. Raises NotFound, UsageError for one twice."""
    keys = [key.strip() for key in text.split(",")] if text.strip() != ALL else list(cities)
    chosen = {key: find_city(cities, key) for key in keys}
    if len(chosen) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UsageError(f"{twice} is named twice; a data set takes each city once.")
    return chosen


def find_city(cities: Mapping[str, City], key: str) -> City:
    """One city by its key. Raises NotFound naming those there are."""
    if key not in cities:
        known = ", ".join(sorted(cities)) or "none"
        raise NotFound(f"{key[:40]!r} is not a city that is known here. There are: {known}.")
    return cities[key]


def prepare_cities(
    settings: Settings,
    cities: Mapping[str, City],
    clock: Clock,
    progress: Progress,
    tell: Callable[[str], None],
) -> list[str]:
    """The newest published map of each city, `name@timestamp`; what is missing is cut out, and imported before that.

    Raises what import_extract and cut_snapshot do; cities that were prepared before a fault stay.
    """
    return [_prepare(settings, key, city, clock, progress, tell) for key, city in cities.items()]


def _prepare(
    settings: Settings, key: str, city: City, clock: Clock, progress: Progress, tell: Callable[[str], None]
) -> str:
    found = _find_city(settings, key, city)
    if found is not None:
        return found
    if city.boundary is None:
        tell(f"{city.name} is imported: all of {city.region}.")
        return import_extract(settings, city.region, key, clock, progress).reference
    holder = _find_holder(settings, city.boundary)
    if holder is None:
        tell(f"No map here holds {city.name} ({city.boundary}): {city.region} is imported.")
        holder = import_extract(settings, city.region, region_name(city.region), clock, progress).reference
    name = _free_name(settings, key, city.boundary)
    tell(f"{city.name} ({city.boundary}) is cut out of {holder} as {name}.")
    return cut_snapshot(settings, holder, city.boundary, name, clock, progress).snapshot.reference


def region_name(region: str) -> str:
    """The snapshot's name of an extract that cities are cut out of: `geofabrik_berlin`."""
    return safe_name("geofabrik_" + region.rsplit("/", 1)[-1])


def _find_city(settings: Settings, key: str, city: City) -> str | None:
    binds = {"boundary": city.boundary, "name": key, "layer_schema_version": LAYER_SCHEMA_VERSION}
    with closing(connect_raw(settings, Role.OWNER)) as connection:
        row = connection.execute(cutting_queries.FIND_CITY, binds).fetchone()
    return snapshot_reference(*row) if row else None


def _find_holder(settings: Settings, boundary: str) -> str | None:
    """The newest published map that holds the whole region."""
    with closing(connect_raw(settings, Role.OWNER)) as connection:
        maps = {one.id: one for one in published_parents(connection) if one.bounded}
        if not maps:
            return None
        statement = cutting_queries.holders({one.id: one.schema for one in maps.values()})
        holding = {row[0] for row in connection.execute(statement, {"boundary": boundary})}
    return next((one.reference for one in maps.values() if one.id in holding), None)


def _free_name(settings: Settings, key: str, boundary: str) -> str:
    """The city's key; where maps of another kind have that name, the key with `_city`."""
    with closing(connect_raw(settings, Role.OWNER)) as connection:
        taken = connection.execute(OTHER_MAP_OF_NAME, {"name": key, "boundary": boundary}).fetchone()
    return key if taken is None else safe_name(key[:25] + "_city")
