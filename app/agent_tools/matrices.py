"""The tool distance_matrix: how long it takes from each of several places to each of several others."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field, model_validator

from app.agent_tools.arguments import Where
from app.agent_tools.places import tell_apart
from app.agent_tools.registry import Arguments, tool
from app.agent_tools.roads import SAID, Mode, RoadEnd, RoadResult, Roads, say_off_road
from app.agent_tools.saying import say_length, say_time
from app.agent_tools.scope import Scope

MOST_PLACES = 25
"""Origins or destinations."""
MOST_LENGTHS = 25
"""Cells of which the lengths are told, too: each is a route of its own."""
CELLS_OF_A_UNIT = 25
"""A call counts as one request for so many cells."""

Places = Annotated[list[Where], Field(min_length=1, max_length=MOST_PLACES)]
Cells = list[list[float | None]]


def units_of_cells(cells: int) -> int:
    """How many requests a matrix of so many cells counts for."""
    return -(-cells // CELLS_OF_A_UNIT)


class MatrixArguments(Arguments):
    """From where to where, and how one travels."""

    origins: Places = Field(description="place ids or points 'latitude,longitude'")
    destinations: Places = Field(description="place ids or points 'latitude,longitude'")
    mode: Mode = Field("car", description="how one travels")
    lengths: bool = Field(
        False, description=f"whether to tell metres, too: of at most {MOST_LENGTHS} pairs in all"
    )

    @model_validator(mode="after")
    def _has_few_lengths(self) -> Self:
        if self.lengths and self._cells > MOST_LENGTHS:
            raise ValueError(
                f"lengths are told of at most {MOST_LENGTHS} pairs, and these are {self._cells}; ask without lengths"
            )
        return self

    @property
    def _cells(self) -> int:
        return len(self.origins) * len(self.destinations)

    def cost(self) -> int:
        """One for each CELLS_OF_A_UNIT cells; one for each cell whose length is told."""
        return self._cells if self.lengths else units_of_cells(self._cells)


class MatrixResult(RoadResult):
    """Times and lengths of the fastest ways: a row for each origin, and in it a cell for each destination."""

    origins: list[RoadEnd]
    destinations: list[RoadEnd]
    seconds: Cells = Field(description="null where no way leads")
    distance_m: Cells | None = Field(
        None, description="metres along the fastest way, where they were asked for"
    )

    def sentence(self) -> str:
        """The answer in words."""
        called = tell_apart([*self.origins, *self.destinations])
        lines = [f"The fastest ways {SAID[self.mode]}:"]
        for number, origin in enumerate(self.origins):
            lengths = self.distance_m[number] if self.distance_m else [None] * len(self.destinations)
            told = zip(map(called, self.destinations), self.seconds[number], lengths, strict=True)
            lines.append(f"From {called(origin)}: {'; '.join(_say_cell(*one) for one in told)}.")
        return "\n".join(lines) + say_off_road(*self.origins, *self.destinations)


@tool(MatrixArguments, MatrixResult)
def distance_matrix(scope: Scope, wanted: MatrixArguments) -> MatrixResult:
    """Say how long the fastest way along roads takes from each of up to 25 places or points to each of up to 25
    others, by car, by bicycle or on foot."""
    roads = Roads(scope, wanted.mode)
    origins, destinations = find_all(roads, wanted.origins), find_all(roads, wanted.destinations)
    seconds = roads.measure_matrix(origins, destinations)
    lengths = None
    if wanted.lengths:
        seconds, lengths = _measure_routes(roads, origins, destinations, seconds)
    return MatrixResult(
        **roads.identity,
        origins=origins,
        destinations=destinations,
        seconds=_rounded(seconds),
        distance_m=None if lengths is None else _rounded(lengths),
    )


def find_all(roads: Roads, places: Sequence[str]) -> list[RoadEnd]:
    """Where several ends are. Raises ToolError for the first that is not on the network."""
    found = {one: roads.find_end(one) for one in dict.fromkeys(places)}
    return [found[one] for one in places]


def _measure_routes(
    roads: Roads, origins: Sequence[RoadEnd], destinations: Sequence[RoadEnd], seconds: Cells
) -> tuple[Cells, Cells]:
    """Seconds and metres of the fastest ways, as travel_time tells them, of cells that a way leads to."""
    routes = [
        [
            None if cell is None else _measure_route(roads, origin, destination)
            for destination, cell in zip(destinations, row, strict=True)
        ]
        for origin, row in zip(origins, seconds, strict=True)
    ]
    took, lengths = ([[one and one[part] for one in row] for row in routes] for part in (0, 1))
    return took, lengths


def _measure_route(roads: Roads, origin: RoadEnd, destination: RoadEnd) -> tuple[float, float]:
    if origin.on_road == destination.on_road:
        return 0.0, 0.0
    fastest = roads.find_routes(origin, destination)[0]
    return fastest.seconds, fastest.metres


def _rounded(cells: Cells) -> Cells:
    return [[None if one is None else round(one, 1) for one in row] for row in cells]


def _say_cell(destination: str, seconds: float | None, metres: float | None) -> str:
    if seconds is None:
        return f"no way leads to {destination}"
    length = "" if metres is None else f" ({say_length(metres)})"
    return f"to {destination} {say_time(seconds)}{length}"
