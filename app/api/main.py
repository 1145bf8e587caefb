"""Assembles the service: settings in, an application out; nothing is built at import."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from app import __version__
from app.api import errors
from app.api.middleware import Surroundings
from app.api.routers import health, leaderboards
from app.core.settings import Role, Settings
from app.dashboard import pages
from app.db.engine import make_engine
from app.db.pools import SERVER_OVERFLOW, SERVER_POOL

DESCRIPTION = """Benchmarks made from OpenStreetMap, their data sets and leaderboards.

Everything generated from the map is © OpenStreetMap contributors, under the Open Database License 1.0."""


def create_app(settings: Settings) -> FastAPI:
    """The application; its one engine logs in as the api role, and is disposed when the application stops."""
    engine = make_engine(settings, Role.API, SERVER_POOL, overflow=SERVER_OVERFLOW)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        engine.dispose()

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
    app.state.engine = engine
    errors.install(app)
    app.add_middleware(Surroundings, on_error=errors.on_anything_else)
    for router in (health.router, leaderboards.router):
        app.include_router(router, prefix="/v1")
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    return app
