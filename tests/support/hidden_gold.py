"""What leads to hidden gold, planted as unique strings in made questions, and whoever finds them in exports, pages or REST."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import httpx

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.formats import FORMATS
from app.exports.versions import read_published
from app.questions.generating import Generated
from app.questions.records import QuestionRecord
from app.questions.storing import store
from app.questions.versions import PublishedVersion
from tests.support.planted_secrets import PLANTED, addresses, crawl, make_key
from tests.support.service import serving


def publish(settings: Settings, name: str, made: Generated) -> PublishedVersion:
    """The questions as version 1 of the data set."""
    with connect(settings, Role.WORKER) as connection:
        version = store(connection, name, 1, made, SystemClock())
        connection.commit()
    return version


def plant(record: QuestionRecord) -> QuestionRecord:
    """A hidden question with strings that nobody may see wherever its gold could be told from."""
    if record.split == "public":
        return record
    planted = {"planted": f"{PLANTED}_{record.id}"}
    return replace(
        record,
        gold={**record.gold, **planted},
        sql=f"select '{PLANTED}_sql'",
        binds={**record.binds, **planted},
        parameters={**record.parameters, **planted},
        second_path={**record.second_path, **planted},
        evidence=[*record.evidence, planted],
        solutions={kind: {**told, **planted} for kind, told in record.solutions.items()},
    )


def leaks(settings: Settings, name: str, made: Generated, forms: Sequence[str]) -> list[str]:
    """Publish the questions, and give the formats and addresses that tell what leads to hidden gold; none, if all is well."""
    version = publish(settings, name, replace(made, records=[plant(one) for one in made.records]))
    with connect(settings, Role.MAINTAINER) as connection:
        bare, open_gold, every = (
            read_published(connection, version, gold, told, with_places=gold)
            for gold, told in ((False, False), (True, False), (True, True))
        )
    telling = [form for form in forms if PLANTED.encode() in b"".join(FORMATS[form](open_gold).values())]
    assert PLANTED.encode() not in b"".join(FORMATS["jsonl"](bare).values())
    assert PLANTED.encode() in b"".join(FORMATS["jsonl"](every).values()), "the search finds what is planted"
    key = make_key(settings, "reader")
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        described = client.get("/v1/openapi.json").json()
        found = [
            one
            for one, raw in crawl(client, list(starts_of(described, name, made)), bearer(key))
            if PLANTED.encode() in raw
        ]
    return [*telling, *found]


def bearer(key: str) -> dict[str, str]:
    """The header that a key is sent in."""
    return {"Authorization": f"Bearer {key}"}


def starts_of(described: dict[str, object], name: str, made: Generated) -> Iterator[str]:
    """Addresses of the service and of its pages that tell about a data set and its questions."""
    for record in made.records:
        values = {"dataset": name, "question": record.id, "snapshot": record.snapshot.reference}
        paths = {
            path: operations
            for path, operations in described["paths"].items()  # type: ignore[attr-defined]
            if "{dataset}" in path and not {*_names(path)} - values.keys()
        }
        yield from addresses({"paths": paths}, values)
        yield f"/datasets/{name}/questions/{record.id}"
        yield f"/v1/datasets/{name}/questions/{record.id}?map=true"
    yield from (f"/datasets/{name}", f"/datasets/{name}/questions", f"/leaderboards/{name}")
    yield f"/v1/questions?dataset={name}&gold=true"


def _names(path: str) -> Iterator[str]:
    return (part.partition("}")[0] for part in path.split("{")[1:])
