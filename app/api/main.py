"""Assembles the service: settings in, an application out; nothing is built at import."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles

from app import __version__
from app.api import errors
from app.api.access import admit, roles_of
from app.api.mcp_messages import receiving
from app.api.middleware import Surroundings
from app.api.openapi import describe, refuse_unknown_parameters
from app.api.routers import (
    analyses,
    assets,
    datasets,
    disputes,
    endpoints,
    episodes,
    health,
    imported,
    jobs,
    keys,
    leaderboards,
    mcp,
    metrics,
    papers,
    questions,
    reasoning,
    report_cards,
    run_control,
    runs,
    schedules,
    sessions,
    snapshots,
    submissions,
    templates,
    tools,
)
from app.api.service import Service
from app.api.session_calls import SessionCalls
from app.api.tool_calls import ToolCalls
from app.core.settings import Settings
from app.dashboard import pages

DESCRIPTION = """Benchmarks made from OpenStreetMap, their data sets and leaderboards.

Everything generated from the map is © OpenStreetMap contributors, under the Open Database License 1.0."""


def create_app(settings: Settings) -> FastAPI:
    """The application; it reads as the api role, and lets its connections go when it stops."""
    service = Service.start(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with receiving() as app.state.mcp:
            yield
        service.close()

    app = FastAPI(
        title="Trigpoint",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        license_info={"name": "ODbL 1.0", "url": "https://opendatacommons.org/licenses/odbl/1-0/"},
    )
    app.state.service = service
    app.state.engine = service.engine
    app.state.tool_calls = ToolCalls(service)
    app.state.session_calls = SessionCalls(app.state.tool_calls)
    describe(app)
    errors.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Surroundings, on_error=errors.on_anything_else, watch=service.watch)
    app.include_router(health.router, prefix="/v1")
    asked_well = [Depends(admit), Depends(refuse_unknown_parameters)]
    parts = (
        snapshots,
        tools,
        mcp,
        templates,
        datasets,
        imported,
        questions,
        assets,
        leaderboards,
        analyses,
        papers,
        endpoints,
        episodes,
        reasoning,
        runs,
        run_control,
        sessions,
        submissions,
        disputes,
        jobs,
        report_cards,
        schedules,
        keys,
    )
    for part in parts:
        app.include_router(part.router, prefix="/v1", dependencies=asked_well)
    app.state.roles = {
        (method, f"/v1{path}"): role
        for part in parts
        for (method, path), role in roles_of(part.router).items()
    }
    app.include_router(metrics.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    return app
