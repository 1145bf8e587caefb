"""Whether two maps call the same objects by the same ids; where they do not, a refresh would end nearly all questions.

Files of one region may have no id in common: some publishers number all objects anew. What counts is what the questions
stand on. An object is found again where the other map has its id, with the same name and near the same place: two files
that are both numbered from 1 share ids by accident.
"""

from typing import NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.questions.refresh import queries_sharing as queries
from app.questions.refresh.changes import Pair
from app.questions.versions import PublishedVersion

LEAST_SHARED = 0.2
"""The least share of the questions' objects that must be found again. Edits leave most objects their ids, for years;
where ids are given anew hardly any is found. Every share between tells the two apart; a low one refuses little."""


class Shared(NamedTuple):
    """Of the objects that questions stand on, and of all in the layers: how many there are, and are on both maps."""

    asked: int
    found: int
    all: int
    common: int


def refuse_unshared(connection: Connection, version: PublishedVersion, pair: Pair) -> None:
    """Raise Conflict where almost none of the objects that the questions stand on is found again on the new map."""
    shared = _count(connection, version, pair)
    if shared.found >= LEAST_SHARED * shared.asked:
        return
    raise Conflict(
        f"{pair.new.reference} has almost none of the objects that the questions of {version.reference} stand on. Of "
        f"these {shared.asked:,} objects, {shared.found:,} are there with the same OpenStreetMap id, name and place "
        f"(to about 100 m); of all {shared.all:,} objects of {pair.old.reference}, it has the ids of {shared.common:,}."
        " Probably one of the two files was renumbered. Use a file that has the ids of OpenStreetMap; or give"
        " --allow-other-ids to refresh all the same, which replaces or retires nearly every question."
    )


def _count(connection: Connection, version: PublishedVersion, pair: Pair) -> Shared:
    binds = {"version_id": version.id, "snapshot_id": pair.old.id}
    layers = set(pair.old.layers) & set(pair.new.layers)
    asked = connection.exec_driver_sql(
        queries.found_again(pair.old.schema, pair.new.schema, layers), binds
    ).one()
    every = connection.exec_driver_sql(queries.COMMON, {"comparison_id": pair.comparison_id}).one()
    total = every.second if every.second_id == pair.old.id else every.first
    return Shared(asked.asked, asked.found, total, every.common)
