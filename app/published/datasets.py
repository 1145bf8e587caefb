"""A data set version, as it says of itself."""

from dataclasses import asdict

from sqlalchemy import Connection

from app.leaderboard import queries as board_queries
from app.leaderboard.board import attribution_of
from app.leaderboard.models import MapSource
from app.published import queries
from app.published.models import ErratumEntry, Splits, Version
from app.questions.errata import read_errata
from app.questions.secrets import draws_are_public
from app.questions.versions import PublishedVersion

PUBLIC_DRAWS = (
    "Wrong options of hidden questions were drawn by their ids and the seed, which are public, in this version or in"
    " one that it came from. Whoever draws them again can work out many of the keys: do not rely on these hidden"
    " questions."
)


def describe_version(connection: Connection, version: PublishedVersion) -> Version:
    """Recipe, refusals, maps, licence and canary of a published version."""
    key = {"version_id": version.id}
    row = connection.execute(queries.DESCRIPTION, key).one()
    return Version(
        dataset=version.name,
        version=version.number,
        benchmark=version.benchmark,
        published_at=row.published_at,
        questions=Splits(public=row.public, hidden=row.hidden),
        snapshots=[MapSource(**found._mapping) for found in connection.execute(board_queries.SNAPSHOTS, key)],
        seed=row.seed,
        hidden_fraction=row.hidden_fraction,
        recipe=row.recipe,
        templates=row.templates,
        engine_versions=row.engine_versions,
        licence=row.licence,
        attribution=attribution_of([row.licence]),
        canary=str(row.canary),
        versions=row.versions,
        warnings=[PUBLIC_DRAWS] if row.hidden_with_options and draws_are_public(row.recipe) else [],
        errata=[ErratumEntry(**asdict(one)) for one in read_errata(connection, version)],
    )
