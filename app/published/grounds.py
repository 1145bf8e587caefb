"""Where the questions of a version lie: a grid of counts for each of its maps, and vector tiles. As the api role.

A question stands at the middle of the ground that it depends on; hidden ones stand nowhere.
"""

import json
from itertools import groupby
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.errors import UsageError
from app.db.naming import snapshot_reference
from app.leaderboard.keeping import Kept
from app.published import queries_grounds as queries
from app.published.models import Licensed

CELLS = 40
"""Cells of a grid along its longer side."""
DEEPEST = 20
"""The last level of tiles."""
KEPT_LEVELS = 9


class Cell(BaseModel):
    """So many questions and answers stand in a cell; the place is their mean."""

    model_config = ConfigDict(frozen=True)

    lon: float
    lat: float
    questions: int
    answers: int


class Ground(BaseModel):
    """One map's cells that are not empty."""

    model_config = ConfigDict(frozen=True)

    snapshot: str
    bbox: list[float] = Field(description="west, south, east, north of everything at this point")
    outline: dict[str, Any] | None = Field(description="of the map, as GeoJSON, made coarse")
    cells: list[Cell]


class Grounds(Licensed):
    """Where public questions and their answers lie, map by map."""

    dataset: str
    grounds: list[Ground]


def read_grounds(connection: Connection, version_id: int, reference: str, kept: Kept) -> Grounds:
    """The grids of a version's maps. They never change: what is `kept` is not counted again."""
    return kept.get(("grounds", version_id), None, lambda: _count(connection, version_id, reference))


def _count(connection: Connection, version_id: int, reference: str) -> Grounds:
    rows = connection.execute(queries.GRID, {"version_id": version_id, "cells": CELLS})
    grounds = []
    for (name, timestamp), found in groupby(rows, lambda row: (row.name, row.data_timestamp)):
        cells = list(found)
        first = cells[0]
        grounds.append(
            Ground(
                snapshot=snapshot_reference(name, timestamp),
                bbox=[first.west, first.south, first.east, first.north],
                outline=None if first.outline is None else json.loads(first.outline),
                cells=[
                    Cell(lon=row.lon, lat=row.lat, questions=row.questions, answers=row.answers)
                    for row in cells
                ],
            )
        )
    return Grounds(dataset=reference, grounds=grounds)


def read_tile(connection: Connection, version_id: int, z: int, x: int, y: int, kept: Kept) -> bytes:
    """A vector tile: layers `questions` and `answers` of at most 4,096 points each; a layer without points is absent.

    Points too near each other for the level are one, which says how many it stands for. Raises UsageError for no tile.

    Tiles of the upper levels, which count many questions, are `kept`.
    """
    if not (0 <= z <= DEEPEST and 0 <= x < 2**z and 0 <= y < 2**z):
        raise UsageError(
            f"There is no tile {z}/{x}/{y}: z goes from 0 to {DEEPEST}, and x and y go from 0 to 2**z - 1."
        )
    binds = {"version_id": version_id, "z": z, "x": x, "y": y}

    def draw() -> bytes:
        return bytes(connection.execute(queries.TILE, binds).scalar_one())

    return kept.get(("tile", version_id, z, x, y), None, draw) if z <= KEPT_LEVELS else draw()
