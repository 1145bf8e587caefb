"""Doctor: OSRM's programs, which compute routes."""

from collections.abc import Iterator

from app.core.settings import Settings
from app.doctor.registry import Report, check, ok, remedy, warn
from app.routing.programs import VERSION, find_version, program_folder

INSTALL = (
    "pip install --no-deps --only-binary=:all: --python-version 3.12 --implementation cp --abi abi3 --target DIR "
    f"osrm-bindings=={VERSION.removeprefix('v')}"
)


@check(
    "router",
    remedy(
        "Run `scripts/router`: it installs OSRM's programs into .venv.",
        f"Run `{INSTALL}`, and set TRIGPOINT_OSRM_BIN to DIR/osrm/bin.",
    ),
)
def check_router(settings: Settings) -> Iterator[Report]:
    """The programs are there, in the version that the project was tested with; without them routes take longer."""
    version = find_version(settings)
    if version is None:
        yield warn(
            f"OSRM's programs are not in {program_folder(settings)}: routes are computed by the slower Python router"
        )
    elif version != VERSION:
        yield warn(f"OSRM is {version}, tested with {VERSION}")
    else:
        yield ok(f"OSRM {version}")
