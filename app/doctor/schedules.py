"""Doctor: schedules that are stalled."""

from collections.abc import Iterator

from sqlalchemy.exc import DBAPIError

from app.core.clock import SystemClock
from app.core.errors import TrigpointError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.doctor.registry import Report, check, ok, warn
from app.schedules.schedules import list_schedules


@check(
    "schedules",
    "Look at `trigpoint schedule list`; run one by hand: `trigpoint schedule run NAME`, or pause it.",
)
def check_schedules(settings: Settings) -> Iterator[Report]:
    """Data sets that follow the map get newer maps. What else is wrong with the database others tell."""
    if settings.password_worker is None:
        return
    try:
        with connect(settings, Role.WORKER) as connection:
            found = list_schedules(connection, SystemClock().now())
    except (TrigpointError, DBAPIError):
        return
    alarms = [one.alarm for one in found if one.alarm is not None]
    for alarm in alarms:
        yield warn(alarm)
    if not alarms:
        yield ok(f"{len(found)} schedules, none is stalled")
