"""Making fresh twins of a data set version: an ordinary version by the same templates, about other objects."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.core.errors import UsageError
from app.core.progress import Say
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.generate import GeneratedVersion, generate_version
from app.operations.recipe import check_name
from app.questions.generating import Progress as TellGenerated
from app.questions.generating import Recipe
from app.questions.reproducing import stored_recipe
from app.questions.twins import read_originals
from app.questions.versions import find_version


@dataclass(frozen=True)
class TwinsRequest:
    """What twins are made of."""

    dataset: str
    """`name` or `name@version`."""
    name: str
    """The data set of the twins."""
    maps: Sequence[str] = ()
    """Where they are about other maps: those; else the maps of the version."""
    seed: int | None = None
    """None for the number after the version's seed; for the same questions, the version's."""
    bank: int | None = None
    """None for the version's bank."""
    same_questions: bool = False
    """Whether the same questions are asked of the other maps, such as a permuted one."""


def make_twins(settings: Settings, request: TwinsRequest, say: Say, tell: TellGenerated) -> GeneratedVersion:
    """Make and publish the twins, or give the newest version of that name where this very recipe made it.

    Raises NotFound, UsageError, and Conflict where a template or a map is no longer the one that made the version.
    """
    check_name(request.name)
    if request.same_questions and not request.maps:
        raise UsageError("--same-questions asks them of another map: name it by --snapshot.")
    with connect(settings, Role.WORKER) as connection:
        version = find_version(connection, request.dataset)
        originals = read_originals(connection, version, same=request.same_questions)
        recipe = stored_recipe(connection, version)
    if version.name == request.name:
        raise UsageError(
            f"--out {request.name!r} is the data set of the originals. Give the twins a name of their own."
        )
    maps = request.maps or [one.reference for one in recipe.snapshots]
    return generate_version(
        settings,
        request.name,
        replace(
            _unhidden(recipe),
            originals=originals,
            seed=recipe.seed + (not request.same_questions) if request.seed is None else request.seed,
            bank=request.bank or recipe.bank,
        ),
        maps,
        say,
        tell,
    )


def _unhidden(recipe: Recipe) -> Recipe:
    """The recipe without hidden questions, and without what befell the version since it was first made."""
    return replace(
        recipe,
        hidden=0.0,
        secret_draws=False,
        secret=None,
        voided=(),
        corrected={},
        earlier=(),
        per_city=None,
    )
