"""What models know of the canaries of data sets, stored with their endpoints: no canary is asked for twice."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.identity import canonical_json
from app.core.settings import Settings
from app.inference.canary_trials import CanaryAnswer, ask_canaries
from app.inference.chat import Endpoint
from app.inference.checking import read_key
from app.predictions import queries_endpoints as queries
from app.predictions.checks import patience_of
from app.predictions.endpoints import read_endpoint
from app.questions.versions import find_version


class KnownCanary(NamedTuple):
    """What a model said when it was asked for the canary of a version."""

    dataset: str
    version: int
    knows: bool
    said: str
    asked_at: str

    def as_json(self) -> dict[str, Any]:
        """As `endpoint canary --json` prints it."""
        return self._asdict()


def try_canaries(
    connection: Connection,
    name: str,
    datasets: Sequence[str],
    settings: Settings,
    clock: Clock,
    *,
    again: bool = False,
) -> list[KnownCanary]:
    """Ask the model of an endpoint to continue the canary of each version, and commit each answer as it comes.

    A canary that it was asked for before is not asked for again, unless `again`. Raises NotFound for an endpoint or a
    version that there is not, EndpointUnavailable where a call has no answer.
    """
    record = read_endpoint(connection, name)
    versions = [find_version(connection, one) for one in dict.fromkeys(datasets)]
    binds = {"versions": [one.id for one in versions]}
    canaries = {row.id: str(row.canary) for row in connection.execute(queries.CANARIES, binds)}
    answers: dict[str, Any] = connection.execute(queries.KNOWN_CANARIES, {"id": record.id}).scalar_one()
    wanted = [canary for canary in canaries.values() if again or canary not in answers]

    def keep(canary: str, answer: CanaryAnswer) -> None:
        told = {**answer._asdict(), "asked_at": clock.now().isoformat()}
        answers[canary] = told
        connection.execute(queries.NOTE_CANARY, {"id": record.id, "told": canonical_json({canary: told})})
        connection.commit()

    if wanted:
        endpoint = Endpoint(record.url, record.model, read_key(record.key_variable), record.body)
        ask_canaries(endpoint, wanted, patience_of(record.limits.as_json(), settings), keep)
    return [
        KnownCanary(
            one.name,
            one.number,
            **{key: answers[canaries[one.id]][key] for key in ("knows", "said", "asked_at")},
        )
        for one in versions
    ]
