"""GET /v1/health."""

from fastapi import APIRouter, Request

from app import __version__
from app.api.schemas import Health, refusals
from app.leaderboard.board import check_alive

router = APIRouter(tags=["health"])


@router.get("/health", responses=refusals())
def get_health(request: Request) -> Health:
    """Whether the service and its database answer."""
    with request.app.state.engine.connect() as connection:
        check_alive(connection)
    return Health(version=__version__)
