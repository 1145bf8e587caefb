"""A database in which tools can be called on one map over the network and not on another, and keys for it."""

from pathlib import Path

from app.access.keys import KeyRole, Wanted, create_key
from app.agent_tools.opened import set_open
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.app.agent_tools.conftest import make_tool_town
from tests.support.town import Imported, import_map


def import_open_and_closed(settings: Settings, folder: Path) -> Imported:
    """The town of tools as the map `tools`, which is open, and again as `closed`."""
    toy = make_tool_town()
    file = toy.write(folder / "tools.osm")
    import_map(settings, file, "tools")
    import_map(settings, file, "closed")
    switch(settings, "tools", True)
    return Imported(settings, "tools", file, toy)


def switch(settings: Settings, name: str, is_open: bool) -> bool:
    """Open a map, or close it; whether that changed anything."""
    with connect(settings, Role.MAINTAINER) as connection:
        _, changed = set_open(connection, name, is_open)
        connection.commit()
    return changed


def bearing(
    settings: Settings, role: KeyRole = "reader", rate: int = 600, days: float = 1.0
) -> dict[str, str]:
    """The header that bears a new key."""
    with connect(settings, Role.MAINTAINER) as connection:
        token, _ = create_key(connection, Wanted("Ada", role, rate, days), SystemClock().now())
        connection.commit()
    return {"Authorization": f"Bearer {token}"}
