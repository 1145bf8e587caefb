"""The workbench: which questions are being written by hand, and by whom; a new one is begun here."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy import Connection

from app.agent_tools.opened import find_open_map
from app.core.errors import TrigpointError
from app.dashboard.signing_in import PATH, PRIVATE, Noted, OfMaintainer, SentForm, SignedIn
from app.db.naming import map_date
from app.operations.recipe import check_name
from app.reviews.agreement import Agreement
from app.workbench.agreeing import agreement_of
from app.workbench.forms import find_form, written_benchmarks
from app.workbench.listing import WrittenVersion, list_versions, maps_for_drafts
from app.workbench.records import Draft, list_drafts
from app.workbench.writing import begin_draft

router = APIRouter(include_in_schema=False)
DraftId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


class Collection(NamedTuple):
    """What is written for one data set, and what of it is published; the newest version first."""

    dataset: str
    drafts: Sequence[Draft]
    agreement: Agreement | None
    versions: Sequence[WrittenVersion]


@router.get(PATH, response_class=HTMLResponse)
def show_workbench(signed: OfMaintainer) -> HTMLResponse:
    """All drafts, by data set."""
    return _page(signed)


@router.post(f"{PATH}/drafts", response_class=HTMLResponse)
def post_drafts(signed: OfMaintainer, sent: SentForm) -> HTMLResponse:
    """Begin a draft, and go to its page."""

    def begin(connection: Connection, now: datetime) -> Noted:
        dataset = sent.get("dataset", "").strip()
        check_name(dataset)
        form = find_form(sent.get("benchmark", ""))
        snapshot = find_open_map(connection, sent.get("snapshot", ""))
        id_ = begin_draft(connection, signed.session.caller, form, dataset, snapshot, now)
        return Noted(id_, "draft.begin", id_, {"dataset": dataset, "snapshot": snapshot.reference})

    try:
        id_ = signed.change(begin)
    except TrigpointError as error:
        return _page(signed, 409, str(error), sent.get("dataset", ""))
    return RedirectResponse(f"{PATH}/drafts/{id_}", 303, headers=PRIVATE)  # type: ignore[return-value]


def _page(signed: SignedIn, status: int = 200, fault: str = "", dataset: str = "") -> HTMLResponse:
    collections, maps = signed.read(
        lambda connection: (_collections(connection), maps_for_drafts(connection))
    )
    return signed.show(
        "workbench.html",
        status,
        collections=collections,
        maps=maps,
        benchmarks=written_benchmarks(),
        fault=fault,
        dataset=dataset,
        date=map_date,
    )


def _collections(connection: Connection) -> list[Collection]:
    versions = list_versions(connection)
    drafts = {name: list(found) for name, found in groupby(list_drafts(connection), lambda one: one.dataset)}
    return [
        Collection(name, drafts.get(name, []), agreement_of(drafts.get(name, [])), versions.get(name, []))
        for name in sorted({*drafts, *versions})
    ]
