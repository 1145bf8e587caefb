"""Settings: read once at an entry point from the environment, frozen, passed down.

Environment variables win over the file of settings: `.local/env` of the checkout, which `make up` writes; or
`trigpoint/env` in the user's folder of settings, which `trigpoint init` writes where Trigpoint was installed by pip.
"""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.core.errors import SettingsError

PROJECT_ROOT = Path(__file__).resolve().parents[2]
"""The checkout; or the folder of installed packages, where templates and migrations lie beside `app` too."""
IS_CHECKOUT = (PROJECT_ROOT / "pyproject.toml").is_file()
SET_UP = "make up" if IS_CHECKOUT else "trigpoint init"
"""The command that makes the database and writes the file of settings."""


def _user_folder(variable: str, below_home: str) -> Path:
    """Trigpoint's folder as the XDG base directory specification places it."""
    return Path(os.environ.get(variable) or Path.home() / below_home) / "trigpoint"


def _default_local_dir() -> Path:
    return PROJECT_ROOT / ".local" if IS_CHECKOUT else _user_folder("XDG_DATA_HOME", ".local/share")


def settings_file() -> Path:
    """The file of settings that is read if it exists; `TRIGPOINT_ENV_FILE` names another one."""
    named = os.environ.get("TRIGPOINT_ENV_FILE")
    if named:
        return Path(named)
    return (PROJECT_ROOT / ".local" if IS_CHECKOUT else _user_folder("XDG_CONFIG_HOME", ".config")) / "env"


def _public_url(given: str | None) -> str | None:
    """The address without a slash at its end. Raises ValueError for one that nobody could follow."""
    if given is None:
        return None
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("it must look like https://HOST")
    return given.rstrip("/")


class Role(StrEnum):
    """The six database roles; each process gets the passwords of those it needs."""

    OWNER = "owner"
    WORKER = "worker"
    MAINTAINER = "maintainer"
    API = "api"
    READER = "reader"
    DASHBOARD = "dashboard"

    @property
    def login(self) -> str:
        """The role's name in PostgreSQL."""
        return f"trigpoint_{self.value}"


class Settings(BaseSettings):
    """Everything that differs between two installations."""

    model_config = SettingsConfigDict(
        env_prefix="TRIGPOINT_", frozen=True, extra="ignore", env_ignore_empty=True
    )

    database_url: str = Field(
        default="postgresql://127.0.0.1:5432/trigpoint",
        description="host, port and database, without credentials",
    )
    password_owner: SecretStr | None = Field(default=None, description="migrations and imports")
    password_worker: SecretStr | None = Field(default=None, description="generation, runs and scores")
    password_maintainer: SecretStr | None = Field(default=None, description="maintainers' requests")
    password_api: SecretStr | None = Field(default=None, description="REST and pages")
    password_reader: SecretStr | None = Field(default=None, description="model-written SQL")
    password_dashboard: SecretStr | None = Field(default=None, description="dashboard views")
    sandbox_url: str = Field(
        default="postgresql://127.0.0.1:5433",
        description="host and port of the sandbox, the PostgreSQL in which models' SQL runs",
    )
    password_sandbox: SecretStr | None = Field(default=None, description="filling the sandbox")
    sandbox_memory_mb: int = Field(
        default=2048, ge=1024, description="memory of the whole sandbox, as it is started"
    )
    redis_url: SecretStr | None = Field(default=None, description="broker, with its password")
    http_host: str = Field(default="127.0.0.1", description="where `trigpoint serve` listens")
    http_port: int = Field(default=8080, ge=0, le=65535, description="0 takes a free port")
    http_names: str = Field(
        default="",
        description="names by which clients of MCP reach the server, beside localhost and addresses; commas between",
    )
    public_url: Annotated[str | None, AfterValidator(_public_url)] = Field(
        default=None,
        description="where everybody reaches `trigpoint serve`; endpoints on other hosts get links to pictures",
    )
    upload_bytes: int = Field(
        default=1_000_000_000,
        ge=0,
        description="submitted answers that a server keeps on disk while it takes them",
    )
    lease_seconds: float = Field(
        default=60.0, gt=0, description="how long a batch is leased before it counts as lost"
    )
    sweep_seconds: float = Field(default=5.0, gt=0, description="how often a worker looks for expired leases")
    batch_size: int = Field(default=50, gt=0, description="number of questions in a lease")
    concurrency: int = Field(
        default=16,
        gt=0,
        description="number of questions that a worker works on at a time, with calls in flight or being committed",
    )
    first_calls: int = Field(
        default=2,
        gt=0,
        description="number of calls in flight at an endpoint at first; it grows as the endpoint answers",
    )
    request_timeout_seconds: float = Field(
        default=60.0,
        gt=0,
        description="seconds to wait for an answer of an endpoint at first; later as long as it needs",
    )
    tries: int = Field(
        default=5, gt=0, description="calls made for one answer before a question counts as an error"
    )
    backoff_seconds: float = Field(
        default=1.0, ge=0, description="wait after the first failed call; doubles each time"
    )
    geofabrik_url: str = Field(
        default="https://download.geofabrik.de", description="where region names are looked up"
    )
    cities_file: Path = Field(
        default=PROJECT_ROOT / "osm_import" / "cities.toml",
        description="which extract and which region make a city",
    )
    wikidata_url: str = Field(
        default="https://www.wikidata.org", description="where `trigpoint facts fetch` asks for statements"
    )
    nominatim_url: str | None = Field(
        default=None, description="the Nominatim server of `run rescore --geocoder nominatim`"
    )
    contact: str | None = Field(
        default=None,
        description="an email address or URL by which Wikidata and Nominatim can contact the maintainer",
    )
    local_dir: Path = Field(default_factory=_default_local_dir, description="downloads, logs and pid files")
    pg_bin: Path | None = Field(
        default=None, description="folder of PostgreSQL's programs; by default they are found by themselves"
    )
    osrm_bin: Path | None = Field(
        default=None, description="folder of OSRM's programs; by default where scripts/router puts them"
    )
    log_level: str = Field(default="info", description="debug, info, warning or error")

    @classmethod
    def load(cls) -> Self:
        """Read the environment and the file of settings.

        Raises SettingsError naming each variable that cannot be read.
        """
        dotenv = settings_file()
        try:
            return cls(_env_file=dotenv if dotenv.is_file() else None)
        except ValidationError as error:
            faults = "; ".join(
                f"TRIGPOINT_{'_'.join(map(str, fault['loc'])).upper()}: {fault['msg']}"
                for fault in error.errors()
            )
            raise SettingsError(f"Settings cannot be read: {faults}. See .env.example.") from error

    @property
    def http_names_known(self) -> frozenset[str]:
        """The names, in small letters, by which clients of MCP may reach `trigpoint serve`."""
        named = [name.strip().lower() for name in (self.http_host, *self.http_names.split(","))]
        return frozenset(("localhost", *filter(None, named)))

    def role_url(self, role: Role) -> str:
        """The SQLAlchemy URL of one role; raises SettingsError where its password is not given."""
        password: SecretStr | None = getattr(self, f"password_{role.value}")
        if password is None:
            raise SettingsError(
                f"TRIGPOINT_PASSWORD_{role.value.upper()} is not set, and this command works as {role.login}. "
                f"Run `{SET_UP}` (it writes {settings_file()}), or set the variable."
            )
        parts = urlsplit(self.database_url)
        if not parts.hostname or not parts.path.strip("/"):
            raise SettingsError("TRIGPOINT_DATABASE_URL must look like postgresql://HOST:PORT/DATABASE.")
        secret = quote(password.get_secret_value(), safe="")
        return f"postgresql+psycopg://{role.login}:{secret}@{parts.hostname}:{parts.port or 5432}{parts.path}"

    def sandbox_login(self, login: str, database: str | None = None) -> dict[str, Any]:
        """How psycopg reaches the sandbox as `trigpoint_reader` or `trigpoint_sandbox`; to our own database's copies.

        Raises SettingsError where the password or the address is not given.
        """
        name = f"password_{login.removeprefix('trigpoint_')}"
        password: SecretStr | None = getattr(self, name)
        if password is None:
            raise SettingsError(
                f"TRIGPOINT_{name.upper()} is not set, and models' SQL runs in the sandbox, which asks {login} for it. "
                f"Run `{SET_UP}` (it writes {settings_file()}), or set the variable."
            )
        parts = urlsplit(self.sandbox_url)
        if not parts.hostname:
            raise SettingsError("TRIGPOINT_SANDBOX_URL must look like postgresql://HOST:PORT.")
        return {
            "host": parts.hostname,
            "port": parts.port or 5432,
            "user": login,
            "password": password.get_secret_value(),
            "dbname": database or urlsplit(self.database_url).path.strip("/"),
        }

    def broker_url(self) -> str:
        """The Redis URL; raises SettingsError where it is not given."""
        if self.redis_url is None:
            raise SettingsError(
                f"TRIGPOINT_REDIS_URL is not set. Run `{SET_UP}` (it writes {settings_file()}), or set it."
            )
        return self.redis_url.get_secret_value()
