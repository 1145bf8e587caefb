"""The page /datasets/{dataset}/churn: what became of questions from map to map, and which templates rot fastest."""

from functools import partial

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.api.parameters import Dataset
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.published.churn import Fates, read_churn
from app.published.templates import titles_of
from app.questions.refusals import ending_meaning
from app.questions.versions import find_version

router = APIRouter(include_in_schema=False)
PARTS = {
    "kept": "kept",
    "text_updated": "told otherwise, same answer",
    "gold_updated": "another answer",
    "replaced": "replaced by another question",
    "retired": "retired",
}
"""The parts of a bar from left to right: gold that stood, then gold that did not."""


@router.get("/datasets/{dataset}/churn", response_class=HTMLResponse)
def show_churn(service: ServiceOf, dataset: Dataset) -> HTMLResponse:
    """Bars and numbers by template, those whose gold went fastest first."""
    with reading(service) as connection:
        version = find_version(connection, dataset)
        found = read_churn(connection, dataset)
    return page(
        "churn.html",
        version=version,
        churn=found,
        titles=titles_of(version.benchmark),
        parts_of=parts_of,
        names=PARTS,
        meaning=partial(ending_meaning, benchmark=version.benchmark),
    )


def parts_of(fates: Fates) -> list[tuple[str, float, float]]:
    """Each part that there is: its name, where it begins and how wide it is, in hundredths of the bar."""
    parts, begin = [], 0.0
    for name in PARTS:
        width = 100 * getattr(fates, name) / fates.questions
        if width:
            parts.append((name, begin, width))
        begin += width
    return parts
