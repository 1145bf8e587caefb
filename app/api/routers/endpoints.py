"""GET /v1/endpoints and GET /v1/endpoints/{name}."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.access import Reader
from app.api.caching import tagged_json
from app.api.parameters import Cursor, Limit, Word
from app.api.schemas import refusals
from app.api.service import Service, ServiceOf
from app.predictions.endpoints import read_endpoint
from app.predictions.listing import EndpointCard, EndpointPage, list_cards, read_card

router = APIRouter(tags=["endpoints"])
Name = Annotated[Word, Path(description="what commands call it", examples=["local"])]


@router.get("/endpoints", response_model=EndpointPage, responses=refusals(304, 400, 401, 403, 429))
def get_endpoints(
    request: Request, service: ServiceOf, _: Reader, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """The endpoints that have a name, by name. Keys are nowhere."""
    position = service.cursors.read(request, cursor, (str,))
    with service.engine.connect() as connection:
        found = list_cards(connection, position[0] if position else None, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].name]) if len(found) > limit else None
    page = EndpointPage(endpoints=shown, next=further)
    return tagged_json(request, page, further, private=True, licensed=False)


@router.get("/endpoints/{name}", response_model=EndpointCard, responses=refusals(304, 401, 403, 404, 429))
def get_endpoint(request: Request, service: ServiceOf, caller: Reader, name: Name) -> Response:
    """An endpoint; to maintainers also its URL, the variable that names its key, and the last check's words."""
    with service.engine.connect() as connection:
        card = read_card(connection, name)
    if caller.may("maintainer") and service.maintainer is not None:
        card = with_address(service, card)
    return tagged_json(request, card, private=True, licensed=False)


def with_address(service: Service, card: EndpointCard) -> EndpointCard:
    """The card with what only maintainers see."""
    with service.changing() as connection:
        record = read_endpoint(connection, card.name)
    said = record.health["said"] if record.health else None
    return card.model_copy(update={"url": record.url, "key_variable": record.key_variable, "said": said})
