"""Data sets that others published, for maintainers: listed, and opened to everybody."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.api.access import Maintainer
from app.api.caching import tagged_json
from app.api.changing import Change, Done
from app.api.parameters import Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.questions.imported.opening import OPENED, ImportedDatasetEntry, list_imported, open_dataset

router = APIRouter(tags=["imported data sets"], route_class=StrictRoute)


class ImportedDatasetPage(BaseModel):
    """Every imported data set, by name."""

    imported: list[ImportedDatasetEntry]


ImportedName = Annotated[Word, Path(description="an imported data set", examples=["gsqa_published"])]


class NewOpening(BaseModel):
    """Under which licence a data set is opened."""

    model_config = ConfigDict(
        extra="forbid",
        str_max_length=200,
        json_schema_extra={"examples": [{"licence": "CC-BY-4.0, as its authors told us"}]},
    )

    licence: str = Field(description="the licence that allows it, in one line")


@router.get("/imported", response_model=ImportedDatasetPage, responses=refusals(304, 401, 403, 429, 501))
def get_imported(request: Request, service: ServiceOf, _: Maintainer) -> Response:
    """The data sets that were loaded from the files of others, and whether everybody sees them."""
    with service.changing() as connection:
        page = ImportedDatasetPage(imported=list_imported(connection))
    return tagged_json(request, page, private=True, licensed=False)


@router.post(
    "/imported/{name}/open",
    response_model=ImportedDatasetEntry,
    responses=refusals(400, 401, 403, 404, 408, 409, 413, 422, 429, 501),
)
def post_open(change: Change, name: ImportedName, asked: NewOpening) -> Response:
    """Let everybody see an imported data set. Opening it again under the same licence changes nothing."""

    def work(connection: Connection, now: datetime) -> Done:
        found = open_dataset(connection, name, asked.licence, now)
        return Done(200, found, OPENED, f"data set {name}", detail={"licence": asked.licence})

    return change.make(asked, work)
