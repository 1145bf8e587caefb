"""The page /datasets/{dataset}/recheck: published keys computed again, those that are contradicted first."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.api.parameters import Dataset
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.questions.rechecking.checks import VERDICTS
from app.questions.rechecking.on_map import OUTCOMES
from app.questions.rechecking.report import read_recheck
from app.questions.versions import find_version

router = APIRouter(include_in_schema=False)


@router.get("/datasets/{dataset}/recheck", response_class=HTMLResponse)
def show_recheck(service: ServiceOf, dataset: Dataset) -> HTMLResponse:
    """Counts by kind of computation, the flagged questions with their working, then all others."""
    with reading(service) as connection:
        version = find_version(connection, dataset)
        found = read_recheck(connection, dataset)
    return page(
        "recheck.html",
        version=version,
        report=found,
        verdicts=VERDICTS,
        outcomes=OUTCOMES,
        flagged=[one for one in found.items if one.flagged],
        others=[one for one in found.items if not one.flagged],
    )
