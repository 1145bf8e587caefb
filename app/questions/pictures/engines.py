"""The engine that draws pictures is part of a recipe: with another one, other pictures would come out."""

from collections.abc import Mapping
from typing import Any

from app.core.errors import Conflict
from app.drawing.engine import differing_versions, engine_versions
from app.templates.catalogue import Benchmark


def engine_of(benchmark: Benchmark) -> Mapping[str, Any] | None:
    """What the bytes of a benchmark's pictures depend on besides the map; None where its questions have none.

    Raises UsageError where mapnik or a font is not installed.
    """
    if all(template.header.picture is None for template in benchmark.templates.values()):
        return None
    return engine_versions()


def refuse_other_engine(reference: str, recipe: Mapping[str, Any], doing: str) -> None:
    """Raise Conflict where a version's pictures were drawn by another engine than is here, naming what differs.

    Raises UsageError where none is here.
    """
    then = recipe.get("drawing")
    if then is None:
        return
    found = differing_versions(then, engine_versions())
    if found:
        raise Conflict(
            f"{reference} cannot be {doing} here: its pictures were drawn by another engine ({'; '.join(found)}). "
            "Nothing is wrong with its questions."
        )
