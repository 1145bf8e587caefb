"""Reproduce: a published version made again from its recipe, in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.facts.resolving import has_fact_set
from app.questions import queries_versions
from app.questions.dials import dials_of_json
from app.questions.drawing import OptionsWanted
from app.questions.generating import GENERATOR_VERSION, Generated, Progress, Recipe, generate
from app.questions.naming import LOCAL
from app.questions.pictures.engines import engine_of, refuse_other_engine
from app.questions.programs import MapRouters, UnopenedRouter
from app.questions.records import SnapshotRef
from app.questions.refresh.again import refresh_again
from app.questions.secrets import find_secret
from app.questions.snapshots import find_same_snapshots
from app.questions.text_forms import TextForm
from app.questions.twins import find_originals
from app.questions.versions import PublishedVersion
from app.templates.catalogue import find_benchmark


def stored_recipe(connection: Connection, version: PublishedVersion) -> Recipe:
    """The recipe of a version, with today's templates and maps.

    Raises Conflict where a template, a map or the generator is no longer the one that made the version.
    """
    stored: dict[str, Any] = connection.exec_driver_sql(
        queries_versions.RECIPE, {"version_id": version.id}
    ).scalar_one()
    refuse_other_engine(version.reference, stored, "made again")
    benchmark, only = find_benchmark(stored["benchmark"]), stored.get("only", ())
    if only:
        benchmark = benchmark.only(only)
    recipe = Recipe(
        benchmark=benchmark,
        snapshots=maps_of_recipe(connection, version, stored["snapshots"]),
        seed=stored["seed"],
        bank=stored["bank"],
        per_template=stored["per_template"],
        hidden=stored["hidden"],
        locale=stored["locale"],
        chosen=stored.get("chosen", {}),
        wanted=OptionsWanted(stored.get("variant"), stored.get("five_options", False)),
        names=stored.get("names", LOCAL),
        per_city=stored.get("per_city"),
        text_form=TextForm(**stored.get("text_form", {})),
        register=stored.get("register"),
        unanswerable=stored.get("unanswerable", {}).get("share", 0.0),
        only=only,
        shares=stored.get("shares", {}),
        voided=stored.get("voided", ()),
        corrected=stored.get("corrected", {}),
        earlier=stored.get("earlier", ()),
        secret_draws=stored.get("secret_draws", False),
        router=stored.get("router"),
        unopened=[UnopenedRouter(**one) for one in stored.get("unopened_routers", ())],
        drawing=engine_of(benchmark),
        originals=find_originals(connection, stored["twin_of"]) if "twin_of" in stored else None,
        dials=dials_of_json(stored.get("dials", {})),
        secret=_secret_of_recipe(connection, version, stored),
    )
    _refuse_two_forms(version, stored)
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


def _secret_of_recipe(
    connection: Connection, version: PublishedVersion, stored: Mapping[str, Any]
) -> str | None:
    """The data set's secret where the version, or one that it came from, was drawn from it; else None.

    Raises Conflict where it is not in this database.
    """
    if not any(one.get("secret_draws") for one in (stored, *stored.get("earlier", ()))):
        return None
    secret = find_secret(connection, version.name)
    if secret is None:
        raise Conflict(
            f"{version.reference} cannot be made again here: it has hidden questions, so its options were drawn from a "
            "secret of the data set, and that is not in this database. Restore a backup that holds it."
        )
    return secret


def _refuse_two_forms(version: PublishedVersion, stored: Mapping[str, Any]) -> None:
    """Raise Conflict where a question was corrected by another form of its template than made the others."""
    for question, by in stored.get("corrected", {}).items():
        made_by = stored["templates"].get(by["template"], {})
        if by["body_hash"] != made_by.get("body_hash"):
            raise Conflict(
                f"{version.reference} cannot be made again by any one revision: question {question} was corrected by "
                f"{by['template']} version {by['version']}, the others were made by version {made_by.get('version')}. "
                f"`trigpoint verify {version.reference}` proves each of them."
            )


def maps_of_recipe(
    connection: Connection, version: PublishedVersion, stored: Sequence[Mapping[str, str]]
) -> list[SnapshotRef]:
    """The maps that a recipe names, each with the set of facts that it had; raises Conflict where a set is absent."""
    found = []
    for snapshot, one in zip(find_same_snapshots(connection, stored), stored, strict=True):
        facts = one.get("facts")
        if facts is not None and not has_fact_set(connection, facts):
            raise Conflict(
                f"{version.reference} cannot be made again here: its facts about {snapshot.reference} are not in this "
                "database. Restore a backup that holds them."
            )
        found.append(replace(snapshot, facts=facts))
    return found


def _refuse_other_router(version: PublishedVersion, recipe: Recipe, routers: MapRouters | None) -> None:
    """Raise Conflict where routes would be found by another program than when the version was made."""
    here = None if routers is None else routers.engine
    if recipe.router is not None and recipe.router != here:
        raise Conflict(
            f"{version.reference} cannot be made again here: its routes were found by {recipe.router}, and here is "
            f"{here or 'no router'}. `trigpoint verify {version.reference}` proves its questions with any router."
        )


def reproduce(
    connection: Connection,
    version: PublishedVersion,
    progress: Progress,
    routers: MapRouters | None = None,
) -> Generated:
    """The version's questions made again; nothing is stored.

    One that was refreshed is made as it came about: generated on the first map, then refreshed from map to map.
    Raises Conflict where that cannot be done here.
    """
    recipe = stored_recipe(connection, version)
    _refuse_other_router(version, recipe, routers)
    routers = routers.without(recipe.unopened) if routers and recipe.router is not None else None
    if not recipe.earlier:
        return generate(connection, recipe, progress, routers)
    states: list[tuple[Sequence[SnapshotRef], Sequence[str], bool]] = [
        (
            maps_of_recipe(connection, version, one["snapshots"]),
            one["voided"],
            one.get("secret_draws", False),
        )
        for one in recipe.earlier
    ]
    (maps, voided, secret_draws), *later = [*states, (recipe.snapshots, recipe.voided, recipe.secret_draws)]
    first = replace(recipe, snapshots=maps, voided=voided, earlier=(), secret_draws=secret_draws)
    made = generate(connection, first, progress, routers)
    for maps, voided, secret_draws in later:
        made = refresh_again(connection, made, maps, voided, secret_draws, routers)
    return replace(made, recipe=recipe)
