"""Making a data set version from a benchmark and one or more maps; a second path proves every question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.progress import Say
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Progress as TellGenerated
from app.questions.generating import Recipe, generate
from app.questions.programs import UnopenedRouter
from app.questions.records import SnapshotRef
from app.questions.secrets import secret_for
from app.questions.snapshots import find_snapshots, find_snapshots_with_facts, refuse_old_layers
from app.questions.splitting import Shared, split_otherwise
from app.questions.storing import newest_of, store
from app.questions.versions import PublishedVersion, template_reports
from app.routing.apart import RoutersApart
from app.templates.catalogue import Benchmark


@dataclass(frozen=True)
class GeneratedVersion:
    """A version, whether it is new, and what became of each template's tuples."""

    version: PublishedVersion
    recipe: Recipe
    reports: Mapping[str, Any]
    is_new: bool
    questions: int = 0
    hidden: int = 0
    shared: Sequence[Shared] = ()
    """Other versions that hide what this one tells, or tell what it hides; of a new version."""

    def as_json(self) -> dict[str, Any]:
        """As `generate --json` prints it."""
        return {
            "dataset": self.version.name,
            "version": self.version.number,
            "snapshots": [one.reference for one in self.recipe.snapshots],
            "seed": self.recipe.seed,
            "variant": self.recipe.wanted.variant,
            "five_options": self.recipe.wanted.five,
            "register": self.recipe.register,
            "unanswerable": self.recipe.unanswerable,
            **({"dials": dials} if (dials := self.recipe.dials.as_json()) else {}),
            **({"twin_of": self.recipe.originals.reference} if self.recipe.originals else {}),
            "templates": self.reports,
        }


def generate_version(
    settings: Settings,
    name: str,
    recipe: Recipe,
    maps: Sequence[str],
    say: Say,
    tell: TellGenerated,
) -> GeneratedVersion:
    """Make and publish the data set's next version on `maps`, or give the newest where this very recipe made it.

    `say` hears beforehand what the maps or the version before bring with them, `tell` how far each template is.
    Raises NotFound, UsageError, Conflict.
    """
    with connect(settings, Role.WORKER) as connection:
        routers = RoutersApart(settings, Role.WORKER, say)
        recipe = replace(
            recipe,
            snapshots=_find_maps(connection, recipe.benchmark, maps, say),
            router=_find_router(recipe.benchmark, routers, say),
        )
        return _find_or_make(connection, name, recipe, say, tell, routers)


def _find_or_make(
    connection: Connection,
    name: str,
    recipe: Recipe,
    say: Say,
    tell: TellGenerated,
    routers: RoutersApart,
) -> GeneratedVersion:
    newest = newest_of(connection, name, recipe.benchmark.name)
    if recipe.hidden > 0:
        recipe = replace(recipe, secret_draws=True, secret=secret_for(connection, name))
    if newest:
        recipe = _without_voided(recipe, newest[1])
        _say_of_public_draws(*newest, say)
    if newest and _stands(recipe, newest[1], routers):
        version = newest[0]
        return GeneratedVersion(version, recipe, template_reports(connection, version), is_new=False)
    generated = generate(connection, recipe, tell, routers)
    recipe = replace(recipe, unopened=routers.unopened)
    generated = replace(generated, recipe=recipe)
    version = store(connection, name, newest[0].number + 1 if newest else 1, generated, SystemClock())
    connection.commit()
    return GeneratedVersion(
        version,
        recipe,
        {key: report.as_json() for key, report in generated.reports.items()},
        is_new=True,
        questions=len(generated.records),
        hidden=sum(record.split == "hidden" for record in generated.records),
        shared=split_otherwise(connection, version),
    )


def _stands(recipe: Recipe, newest: Mapping[str, Any], routers: RoutersApart) -> bool:
    """Whether this very recipe made the newest version, and no router that failed then can be opened now."""
    failed = [UnopenedRouter(**one) for one in newest.get("unopened_routers", ())]
    if replace(recipe, unopened=failed).as_json() != newest:
        return False
    maps = {one.reference: one for one in recipe.snapshots}
    return not any(routers.can_route(maps[one.map], one.mode) for one in failed)


def _without_voided(recipe: Recipe, newest: Mapping[str, Any]) -> Recipe:
    """What errata left out of the newest version stays out of the next; what they corrected is made anew, as all is."""
    recipe = replace(recipe, voided=newest.get("voided", ()))
    same = replace(recipe, corrected=newest.get("corrected", {}))
    return same if same.as_json() == newest else recipe


def _say_of_public_draws(version: PublishedVersion, recipe: Mapping[str, Any], say: Say) -> None:
    """Say what became public by an earlier version: a secret of today hides the same keys no more."""
    if recipe["hidden"] > 0 and not recipe.get("secret_draws"):
        say(
            f"{version.reference} was made before options were drawn from a secret, so the keys of its hidden "
            "questions can be worked out, also where this version asks them again. With another --seed, other "
            "questions are asked, if the map has enough of them."
        )


def _find_router(benchmark: Benchmark, routers: RoutersApart, say: Say) -> str | None:
    """The program that finds routes, where a template needs one; says so where it is not installed."""
    templates = [name for name, template in benchmark.templates.items() if template.header.program]
    if templates and routers.engine is None:
        say(
            f"{', '.join(templates)}: the router OSRM is not installed, so all their questions are refused "
            "(no_router). "
            "`scripts/router` installs it."
        )
    return routers.engine if templates else None


def _find_maps(
    connection: Connection, benchmark: Benchmark, maps: Sequence[str], say: Say
) -> list[SnapshotRef]:
    """The maps, with their facts where a template stands on any; says which have none, and what that means."""
    templates = ", ".join(name for name, template in benchmark.templates.items() if template.uses_facts)
    found = find_snapshots(connection, maps)
    refuse_old_layers(found)
    if not templates:
        return found
    found = find_snapshots_with_facts(connection, maps)
    for one in found:
        if one.facts is None:
            say(
                f"{templates}: no external facts are known of {one.reference}, so all their questions are refused "
                "(no_facts). `trigpoint facts load FILE` or `trigpoint facts fetch` brings some."
            )
    return found
