"""GET /v1/key: the key that the request bears; GET /v1/audit: what maintainers did."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.access.audit import read_audit
from app.api.access import Maintainer, Reader
from app.api.caching import tagged_json
from app.api.schemas import AuditEntry, AuditPage, OwnKey, refusals
from app.api.service import ServiceOf

router = APIRouter(tags=["keys"])


@router.get("/key", response_model=OwnKey, responses=refusals(401, 429))
def get_key(request: Request, caller: Reader) -> Response:
    """The key that this request bears: its prefix, name, role, and how often it may ask."""
    shown = OwnKey(
        prefix=caller.prefix,
        name=caller.name,
        role=caller.role,
        requests_per_minute=caller.requests_per_minute,
    )
    return tagged_json(request, shown, private=True, licensed=False)


@router.get("/audit", response_model=AuditPage, responses=refusals(400, 401, 403, 429, 501))
def get_audit(
    request: Request,
    service: ServiceOf,
    _: Maintainer,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: str | None = None,
) -> Response:
    """What maintainers did, over REST and at the command line, the newest first."""
    position = service.cursors.read(request, cursor, (int,))
    with service.changing() as connection:
        found = read_audit(connection, position[0] if position else None, limit + 1)
    entries = found[:limit]
    further = service.cursors.make(request, [entries[-1].id]) if len(found) > limit else None
    page = AuditPage(entries=[AuditEntry(**vars(one)) for one in entries], next=further)
    return tagged_json(request, page, further, private=True, licensed=False)
