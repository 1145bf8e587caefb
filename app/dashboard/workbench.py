"""The workbench: which questions are being written by hand, and by whom; a new one is begun here."""

import json
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import Connection

from app.agent_tools.opened import find_open_map
from app.api.parameters import Dataset
from app.core.errors import TrigpointError
from app.dashboard.signing_in import PATH, PRIVATE, Noted, OfMaintainer, SentForm, SignedIn
from app.jobs.jobs import Job, list_jobs
from app.jobs.kinds import Kind, PublishWritten, message_of
from app.operations.ask_for_job import ask_for_job
from app.operations.recipe import check_name
from app.questions.versions import find_version
from app.reviews.agreement import Agreement
from app.workbench.agreeing import agreement_of
from app.workbench.exporting import export_written
from app.workbench.forms import find_form, written_benchmarks
from app.workbench.listing import WrittenVersion, list_versions, maps_for_drafts
from app.workbench.records import Draft, list_drafts, names_of
from app.workbench.writing import begin_draft

router = APIRouter(include_in_schema=False)
KIND: Kind = "publish_written"
MOST_JOBS = 200
"""Jobs of all kinds that are looked through for the last one of each data set."""
DraftId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


class Collection(NamedTuple):
    """What is written for one data set, and what of it is published; the newest version first."""

    dataset: str
    drafts: Sequence[Draft]
    agreement: Agreement | None
    versions: Sequence[WrittenVersion]
    job: Job | None
    """The last one that was to publish it."""

    @property
    def agreed(self) -> int:
        """How many questions can be published."""
        return sum(one.state == "agreed" for one in self.drafts)


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


@router.post(f"{PATH}/datasets/{{dataset}}/publish")
def post_publish(signed: OfMaintainer, _: SentForm, dataset: Dataset) -> RedirectResponse:
    """Have a worker publish the questions of a data set on which people agree. Raises NotFound where there is none."""

    def ask(connection: Connection, now: datetime) -> Noted:
        arguments = PublishWritten(dataset=dataset).model_dump(mode="json")
        job = ask_for_job(connection, KIND, arguments, signed.session.caller.id, now)
        return Noted(None, "workbench.publish", dataset, {"job": job.job})

    signed.change(ask)
    signed.service.wake(message_of(KIND))
    return RedirectResponse(PATH, 303, headers=PRIVATE)


@router.get(f"{PATH}/datasets/{{dataset}}/export")
def get_export(signed: OfMaintainer, dataset: Dataset) -> Response:
    """A published version as a file in the form of its benchmark's authors. Raises NotFound."""

    def export(connection: Connection) -> tuple[str, list[dict[str, Any]]]:
        version = find_version(connection, dataset)
        return f"{version.name}-{version.number}.json", export_written(connection, version)

    name, items = signed.read(export)
    content = json.dumps(items, ensure_ascii=False, indent=1) + "\n"
    kept_as = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, headers=PRIVATE | kept_as, media_type="application/json")


def _page(signed: SignedIn, status: int = 200, fault: str = "", dataset: str = "") -> HTMLResponse:
    collections, names = signed.read(_read_all)
    return signed.show(
        "workbench.html",
        status,
        collections=collections,
        maps=signed.read(maps_for_drafts),
        names=names,
        benchmarks=written_benchmarks(),
        fault=fault,
        dataset=dataset,
    )


def _read_all(connection: Connection) -> tuple[list[Collection], dict[int, str]]:
    drafts = list_drafts(connection)
    return _collections(connection, drafts), names_of(connection, drafts)


def _collections(connection: Connection, everything: Sequence[Draft]) -> list[Collection]:
    versions = list_versions(connection)
    drafts = {name: list(found) for name, found in groupby(everything, lambda one: one.dataset)}
    jobs = {
        one.arguments["dataset"]: one
        for one in reversed(list_jobs(connection, None, MOST_JOBS))
        if one.kind == KIND
    }
    return [
        Collection(
            name,
            drafts.get(name, []),
            agreement_of(drafts.get(name, [])),
            versions.get(name, []),
            jobs.get(name),
        )
        for name in sorted({*drafts, *versions})
    ]
