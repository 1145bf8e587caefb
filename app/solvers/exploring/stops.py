"""What questions about stations ask for. Reads the parameters of the questions, never gold."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from app.agent_tools.georover.coordinates import LonLat
from app.core.errors import UsageError
from app.db.naming import snapshot_reference
from app.solvers.calls import AskedSnapshot
from app.solvers.queries import COUNT_OTHERS_THAN_STOPS, SNAPSHOTS_OF_QUESTIONS, STOPS_OF_QUESTIONS
from app.solvers.several_maps import refuse_several_maps


class Stop(NamedTuple):
    """What a question asks for: stations of the class `destination`, seen from `user`, near a place of the classes."""

    destination: str
    user: LonLat
    classes: frozenset[str]


def load_stops(connection: Connection, version_id: int) -> dict[str, Stop]:
    """By question, what it asks for."""
    rows = connection.execute(STOPS_OF_QUESTIONS, {"version_id": version_id})
    return {row.id: _stop_of(row.destination, row.place, row.classes) for row in rows}


def load_maps(connection: Connection, version_id: int) -> Mapping[str, AskedSnapshot]:
    """By question, the map on which its tools are called."""
    rows = connection.execute(SNAPSHOTS_OF_QUESTIONS, {"version_id": version_id})
    return {
        row.id: AskedSnapshot(snapshot_reference(row.name, row.data_timestamp), row.checksum) for row in rows
    }


def refuse_other_questions(connection: Connection, version_id: int) -> None:
    """Raise UsageError where questions of the version are about something else than stations, or about several maps."""
    found = connection.execute(COUNT_OTHERS_THAN_STOPS, {"version_id": version_id}).one()
    if found.others or not found.total:
        raise UsageError(
            f"{found.others} of {found.total} questions ask for something else than stations, and this solver knows "
            "nothing else. Use --solver tools or --solver react."
        )
    refuse_several_maps(connection, version_id)


def _stop_of(destination: str, place: str, classes: str) -> Stop:
    lon, lat, *_ = place.split(",")
    return Stop(destination, LonLat(float(lon), float(lat)), frozenset(classes.split(",")))
