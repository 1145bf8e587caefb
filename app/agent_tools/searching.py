"""The tool place_search: places, streets and addresses by what people write. Reads search_name, street_name and layers.

A hit's score is how alike the names are, times how much of the surroundings that the query names is there.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import Field

from app.agent_tools import queries_searching as queries
from app.agent_tools.arguments import PLACE_ID, Point, Text, Where
from app.agent_tools.errors import ToolError
from app.agent_tools.likeness import like_typed, patterns_of_typing_errors
from app.agent_tools.places import Place, find_in_map, find_place, load_places
from app.agent_tools.readings import Door, Reading, read_doors, read_names, share_named
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.scope import Scope
from app.core.identity import canonical_json
from app.core.names import normal_form, search_form

LEAST_LIKENESS = 0.3
"""Share of common trigrams from which a name is looked at: a short word with one letter wrong has about this."""
LEAST_SCORE = 0.35
LEAST_OF_REGION = 0.6
"""From which likeness a region is taken for the one that is named: no other may be searched instead."""
MOST_RANKED = 60
MOST_LOOKED_AT = 300
WEIGHT_OF_SURROUNDINGS = 0.5
"""How much of its score a place loses where nothing is there of the surroundings that the query names."""
WEIGHT_OF_WHOLE = 0.8
"""Of a name that is like the whole query, surroundings included: most often it is like these alone."""
MOST_EDITS_COUNTED = 60
SURE, LIKELY = 0.97, 0.7
LAYER_RANK = {"region": 0, "poi": 1, "park": 2, "water": 3, "aoi": 4, "road": 5, "address": 6}
"""Among equally good hits, what is meant more often comes first."""


class SearchArguments(Arguments):
    """What is sought, and where."""

    query: Text = Field(
        description="a name or an address; what surrounds the place may follow after commas: 'Adler, Vaduz'"
    )
    near: Where | None = Field(
        None, description="a place id or 'latitude,longitude': equally good hits nearer to it come first"
    )
    region: Text | None = Field(None, description="the name or id of a region; only places in it are found")
    limit: int = Field(5, ge=1, le=20, description="how many hits are wanted")

    def cost(self) -> int:
        """Two: names are looked for by likeness, which takes the longest of all tools."""
        return 2


class Hit(Place):
    """A place that was found; how sure it is that this place was meant."""

    score: float = Field(description="1 where the name and all surroundings are as the query says, else less")
    sure: Literal["exact", "likely", "possible"]
    distance_m: float | None = Field(None, description="from `near`")


class SearchResult(Result):
    """The hits, the best first."""

    query: str
    hits: list[Hit]

    def sentence(self) -> str:
        """The answer in words."""
        if not self.hits:
            return f"Nothing on the map is called {self.query!r}."
        said = "; ".join(
            f"{hit.called} ({hit.type.replace('_', ' ')}, {hit.id}, at {hit.lat}, {hit.lon}, {hit.sure})"
            for hit in self.hits
        )
        return f"Found for {self.query!r}: {said}."


class Candidate(NamedTuple):
    """An object that may be meant; the query may name its city (`is_in_city`), or its address (`is_door`)."""

    osm_key: str
    score: float
    metres: float | None
    is_in_city: bool = False
    is_door: bool = False


@tool(SearchArguments, SearchResult)
def place_search(scope: Scope, wanted: SearchArguments) -> SearchResult:
    """Find places, streets and addresses by name. Typing errors, missing accents, other languages and alternative
    names are allowed for. Gives several hits, the best first, with how sure each is."""
    near = find_in_map(scope, wanted.near).point if wanted.near else None
    region = _find_region(scope, wanted.region) if wanted.region else None
    scope.require_likeness(LEAST_LIKENESS)
    places = _Places(scope, wanted.query, near, region)
    readings = read_names(wanted.query)
    found = [*places.by_name(readings), *places.by_door(read_doors(wanted.query))]
    if not any(one.score >= SURE for one in found):
        found += [*places.by_street(readings), *places.by_pattern(readings)]
    heads = {normal_form(reading.head) for reading in readings}
    return SearchResult(query=wanted.query, hits=_rank(scope, found, heads, wanted.limit))


class _Places:
    """What the map has, near a point and in a region where these are given."""

    def __init__(self, scope: Scope, query: str, near: Point | None, region: str | None) -> None:
        self._scope = scope
        lat, lon = near or (None, None)
        self._binds = {
            "said": query.lower(),
            "lat": lat,
            "lon": lon,
            "region": region,
            "most": MOST_LOOKED_AT,
        }

    def by_name(self, readings: Sequence[Reading]) -> Iterator[Candidate]:
        forms = [
            {"number": number, "form": one.form, "words_count": not one.is_whole}
            for number, one in enumerate(readings)
        ]
        rows = self._ask(queries.NAMES, forms=canonical_json(forms))
        return self._judge(rows, readings)

    def by_pattern(self, readings: Sequence[Reading]) -> Iterator[Candidate]:
        patterns = [
            {"number": number, "pattern": pattern}
            for number, one in enumerate(readings)
            for pattern in patterns_of_typing_errors(one.form)
        ]
        rows = self._ask(queries.NAMES_LIKE, patterns=canonical_json(patterns)) if patterns else ()
        return self._judge(rows, readings)

    def _judge(self, rows: Sequence[Any], readings: Sequence[Reading]) -> Iterator[Candidate]:
        for place, row in enumerate(rows):
            reading = readings[row.number]
            is_looked_at = place < MOST_EDITS_COUNTED or row.form == reading.form
            likeness = like_typed(reading.form, row.form, row.likeness) if is_looked_at else row.likeness
            if reading.is_whole and not reading.surroundings and likeness < 1:
                likeness *= WEIGHT_OF_WHOLE
            yield _candidate(row, likeness, reading.surroundings)

    def by_door(self, readings: Sequence[Door]) -> Iterator[Candidate]:
        streets = [
            {**street, "housenumber": readings[street["number"]].number}
            for street in self._streets([one.street for one in readings])
        ]
        for row in self._ask(queries.DOORS, streets=canonical_json(streets)) if streets else ():
            found = _candidate(row, row.likeness, readings[row.number].surroundings)
            yield found._replace(is_door=True)

    def by_street(self, readings: Sequence[Reading]) -> Iterator[Candidate]:
        streets = self._streets([one.form for one in readings])
        seen = set()
        for row in self._ask(queries.ROADS, streets=canonical_json(streets)) if streets else ():
            street = (row.number, row.street, row.surroundings)
            if street not in seen:  # else another way of the same street
                seen.add(street)
                yield _candidate(row, row.likeness, readings[row.number].surroundings)

    def _streets(self, forms: Sequence[str]) -> list[dict[str, Any]]:
        """Streets that are called like one of the forms: {number of the form, street, likeness}."""
        sought = [{"number": number, "form": form} for number, form in enumerate(forms)]
        rows = self._ask(queries.STREETS, forms=canonical_json(sought)) if sought else ()
        return [
            {
                "number": row.number,
                "street": row.street,
                "likeness": like_typed(forms[row.number], row.form, row.likeness),
            }
            for row in rows
        ]

    def _ask(self, statement: Any, **binds: Any) -> Sequence[Any]:
        return self._scope.rows(statement, {**self._binds, **binds})


def _candidate(row: Any, likeness: float, surroundings: tuple[str, ...]) -> Candidate:
    share = share_named(surroundings, row.surroundings)
    score = likeness * (1 - WEIGHT_OF_SURROUNDINGS * (1 - share))
    is_in_city = bool(row.city) and search_form(row.city) in surroundings
    return Candidate(row.osm_key, round(score, 4), row.metres, is_in_city)


def _rank(scope: Scope, found: Sequence[Candidate], heads: set[str], limit: int) -> list[Hit]:
    best: dict[str, Candidate] = {}
    for one in found:
        if one.score >= LEAST_SCORE and (one.osm_key not in best or one.score > best[one.osm_key].score):
            best[one.osm_key] = one
    top = sorted(best.values(), key=lambda one: (-one.score, one.metres or 0.0, one.osm_key))[:MOST_RANKED]
    known = load_places(scope, [one.osm_key for one in top])

    def order(one: Candidate) -> tuple[Any, ...]:
        """Of equal scores: a door where a door was sought, the name as it was written, the nearer, the better known."""
        there = known[one.osm_key]
        return (
            -one.score,
            not one.is_in_city,
            one.is_door and there.layer != "address",
            normal_form(there.place.name or "") not in heads,
            one.metres or 0.0,
            LAYER_RANK[there.layer],
            "wikidata" not in there.tags,
            one.osm_key,
        )

    return [_hit(known[one.osm_key].place, one) for one in sorted(top, key=order)[:limit]]


def _hit(place: Place, found: Candidate) -> Hit:
    sure: Literal["exact", "likely", "possible"] = (
        "exact" if found.score >= SURE else "likely" if found.score >= LIKELY else "possible"
    )
    metres = None if found.metres is None else round(found.metres, 2)
    return Hit(**place.model_dump(), score=round(found.score, 3), sure=sure, distance_m=metres)


def _find_region(scope: Scope, said: str) -> str:
    """The id of the region that is called so. Raises ToolError where there is none."""
    if PLACE_ID.fullmatch(said):
        known = find_place(scope, said)
        if known.layer != "region":
            raise ToolError(f"{known.place.called} ({said}) is no region but a {known.place.type}.")
        return said
    rows = scope.rows(queries.REGION_NAMED, {"form": search_form(said), "least": LEAST_OF_REGION})
    if not rows:
        raise ToolError(
            f"The map has no region that is called {said!r}. "
            "A town that addresses name can follow in the query, after a comma.",
            "not_found",
        )
    return str(rows[0].osm_key)
