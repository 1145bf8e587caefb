"""The workbench: pages on which maintainers write questions by hand."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.dashboard.signing_in import PATH, OfMaintainer

router = APIRouter(include_in_schema=False)


@router.get(PATH, response_class=HTMLResponse)
def show_workbench(signed: OfMaintainer) -> HTMLResponse:
    """What there is to be done."""
    return signed.show("workbench.html")
