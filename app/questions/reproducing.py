"""Reproduce: a published version made again from its recipe, in memory."""

from typing import Any

from sqlalchemy import Connection, select

from app.benchmarks.catalogue import find_benchmark
from app.core.errors import Conflict
from app.db.tables import DatasetVersion
from app.questions.generating import GENERATOR_VERSION, Generated, Progress, Recipe, generate
from app.questions.snapshots import find_same_snapshots
from app.questions.versions import PublishedVersion


def stored_recipe(connection: Connection, version: PublishedVersion) -> Recipe:
    """The recipe of a version, with today's templates and maps.

    Raises Conflict where a template, a map or the generator is no longer the one that made the version.
    """
    stored: dict[str, Any] = connection.execute(
        select(DatasetVersion.recipe).where(DatasetVersion.id == version.id)
    ).scalar_one()
    recipe = Recipe(
        benchmark=find_benchmark(stored["benchmark"]),
        snapshots=find_same_snapshots(connection, stored["snapshots"]),
        seed=stored["seed"],
        bank=stored["bank"],
        per_template=stored["per_template"],
        hidden=stored["hidden"],
        locale=stored["locale"],
        chosen=stored.get("chosen", {}),
    )
    today = recipe.as_json()
    for name in sorted({*stored["templates"], *today["templates"]}):
        if stored["templates"].get(name) != today["templates"].get(name):
            raise Conflict(
                f"{version.reference} cannot be made again here: template {name} has changed since. "
                "Check out the revision that made it."
            )
    if stored != today:
        differing = sorted(key for key in today if stored.get(key) != today[key])
        raise Conflict(
            f"{version.reference} cannot be made again here: {', '.join(differing)} differ "
            f"(this is generator version {GENERATOR_VERSION})."
        )
    return recipe


def reproduce(connection: Connection, version: PublishedVersion, progress: Progress) -> Generated:
    """The version's questions made again; nothing is stored."""
    return generate(connection, stored_recipe(connection, version), progress)
