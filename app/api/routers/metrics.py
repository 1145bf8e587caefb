"""GET /metrics: for monitors on this machine, and for who bears a maintainer's key."""

from ipaddress import ip_address

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from app.api.access import Admitted
from app.api.service import ServiceOf
from app.core.errors import NotAllowed, NotKnown

router = APIRouter(include_in_schema=False)
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers of a proxy: who came through one is not on this machine."""


@router.get("/metrics")
def get_metrics(request: Request, service: ServiceOf, caller: Admitted) -> Response:
    """Requests of this server, queues, states, ages of maps, as Prometheus reads them."""
    if caller is None and not _is_local(request):
        raise NotKnown(
            "From elsewhere this needs a maintainer's API key: send `Authorization: Bearer KEY`. On the server's own "
            "machine, without a proxy, it needs none."
        )
    if caller is not None and not caller.may("maintainer"):
        raise NotAllowed(
            f"This needs a maintainer's key; {caller.prefix} is a {caller.role}'s.", "maintainer"
        )
    headers = {"Cache-Control": "no-store"}
    return Response(service.watch.text(), headers=headers, media_type=CONTENT_TYPE_LATEST)


def _is_local(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
