"""Whether an endpoint sees the pictures of a data set, before a run asks it about them."""

from sqlalchemy import Connection

from app.core.errors import Conflict, EndpointRefused
from app.core.settings import Settings
from app.inference.abilities import PICTURES, Finding, found_ability
from app.inference.chat import Endpoint
from app.inference.checking import read_key
from app.inference.probing import sees_pictures
from app.predictions.checks import note_ability, patience_of
from app.predictions.endpoints import EndpointRecord, read_endpoint
from app.predictions.runs import EndpointRow, shows_pictures
from app.questions.versions import PublishedVersion


def check_sight(
    connection: Connection, settings: Settings, version: PublishedVersion, endpoint: EndpointRow
) -> None:
    """Raise EndpointRefused where questions show pictures and the endpoint does not see them.

    What its last check found counts. An endpoint that was never looked at, or of which it was not found out, is looked
    at now; what is found is noted in its last check and committed, if there is one. Where it is not found out again,
    the run may begin: its calls tell.
    """
    if not shows_pictures(connection, version.id):
        return
    record = read_endpoint(connection, endpoint.name)
    known = found_ability(record.health, PICTURES)
    finding = Finding(known) if known in ("yes", "no") else _look(connection, settings, record)
    if finding.found == "no":
        raise EndpointRefused(f"{_blind(version, record)} {finding.remark or ''}".strip())


def refuse_blind(connection: Connection, version: PublishedVersion, endpoint: EndpointRow) -> None:
    """Raise Conflict where questions show pictures, and the last check did not find that the endpoint sees them.

    Nobody is called.
    """
    if not shows_pictures(connection, version.id):
        return
    record = read_endpoint(connection, endpoint.name)
    known = found_ability(record.health, PICTURES)
    if known == "no":
        raise Conflict(_blind(version, record))
    if known is None:
        raise Conflict(
            f"Questions of {version.reference} show pictures, and the last check of the endpoint {record.name!r} did "
            "not look whether it sees them: check it again."
        )


def _blind(version: PublishedVersion, record: EndpointRecord) -> str:
    return (
        f"Questions of {version.reference} show pictures, and the endpoint {record.name!r} does not see them. Nothing "
        "was made; ask an endpoint that does, or check this one again after you have changed it."
    )


def _look(connection: Connection, settings: Settings, record: EndpointRecord) -> Finding:
    endpoint = Endpoint(record.url, record.model, read_key(record.key_variable), record.body)
    finding = sees_pictures(endpoint, patience_of(record.limits.as_json(), settings))
    if record.health is not None:
        note_ability(connection, record, PICTURES, finding.found)
        connection.commit()
    return finding
