"""API keys: what is stored, who is recognised, when a key ends, and the commands that make, list and end them."""

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from sqlalchemy import Connection

from app.access.audit import AT_THE_COMMAND_LINE, note, read_audit
from app.access.keys import (
    ROLES,
    Caller,
    Wanted,
    create_key,
    find_key,
    list_keys,
    recognise,
    replace_key,
    revoke_key,
)
from app.core.errors import Conflict, NotFound, NotKnown, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.command_line import trigpoint

NOW = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    return make_database()


@pytest.fixture
def maintainer(settings: Settings) -> Iterator[Connection]:
    with connect(settings, Role.MAINTAINER) as connection:
        yield connection


@pytest.fixture
def api(settings: Settings) -> Iterator[Connection]:
    with connect(settings, Role.API) as connection:
        yield connection


def make(maintainer: Connection, name: str = "Ada", days: float | None = 2.0) -> str:
    token, _ = create_key(maintainer, Wanted(name, "submitter", 60, days), NOW)
    maintainer.commit()
    return token


def prefix_of(token: str) -> str:
    return token.split("_")[1]


def test_a_key_is_recognised(maintainer: Connection, api: Connection) -> None:
    token = make(maintainer)
    caller = recognise(api, token, NOW)
    assert (caller.name, caller.role, caller.requests_per_minute) == ("Ada", "submitter", 60)
    assert caller.prefix == prefix_of(token)


def test_the_key_is_stored_nowhere(
    maintainer: Connection, superuser_of: Callable[[Settings], str], settings: Settings
) -> None:
    token = make(maintainer)
    with psycopg.connect(superuser_of(settings)) as connection:
        rows = connection.execute("select api_key::text, hash from trigpoint.api_key").fetchall()
        assert not any(token in row[0] or token.split("_", 2)[2] in row[0] for row in rows)
        assert hashlib.sha256(token.encode()).hexdigest() in {row[1] for row in rows}


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
        lambda token: token + "A",
        lambda token: token[:-1],
        lambda token: token.upper(),
        lambda token: token.replace("trig_", "", 1),
        lambda token: f" {token}",
        lambda token: token + "\n",
        lambda token: token + "\x00",
        lambda token: "trig_" + "0" * 8 + token[13:],
        lambda token: "' or true --",
        lambda token: "",
        lambda token: "trig_" + "٠" * 8 + token[13:],
    ],
    ids=[
        "other",
        "longer",
        "shorter",
        "upper",
        "bare",
        "blank",
        "line",
        "nul",
        "prefix",
        "sql",
        "none",
        "digits",
    ],
)
def test_another_is_not(maintainer: Connection, api: Connection, change: Callable[[str], str]) -> None:
    with pytest.raises(NotKnown, match="not known"):
        recognise(api, change(make(maintainer)), NOW)


def test_a_key_ends_when_it_is_to(maintainer: Connection, api: Connection) -> None:
    token = make(maintainer)
    assert recognise(api, token, NOW + 2 * DAY - timedelta(seconds=1))
    with pytest.raises(NotKnown, match="expired"):
        recognise(api, token, NOW + 2 * DAY)
    assert recognise(api, make(maintainer, days=None), NOW + 40_000 * DAY)


def test_a_revoked_key_opens_nothing(maintainer: Connection, api: Connection) -> None:
    token = make(maintainer)
    assert revoke_key(maintainer, prefix_of(token), NOW)
    assert not revoke_key(maintainer, prefix_of(token), NOW)
    maintainer.commit()
    with pytest.raises(NotKnown, match="revoked"):
        recognise(api, token, NOW)


def test_a_key_follows_another(maintainer: Connection, api: Connection) -> None:
    old = make(maintainer)
    new, stored = replace_key(maintainer, prefix_of(old), Wanted("Ada", "reader"), NOW, DAY)
    maintainer.commit()
    assert stored.replaces == prefix_of(old)
    assert recognise(api, old, NOW + DAY - timedelta(seconds=1)).role == "submitter"
    with pytest.raises(NotKnown, match="expired"):
        recognise(api, old, NOW + DAY)
    assert recognise(api, new, NOW + DAY).role == "reader"
    replace_key(maintainer, prefix_of(new), Wanted("Ada", "reader"), NOW, 9999 * DAY)
    assert find_key(maintainer, prefix_of(new)).expires_at == NOW + 365 * DAY, "an overlap never lengthens"


def test_an_ended_key_is_not_followed(maintainer: Connection) -> None:
    prefix = prefix_of(make(maintainer))
    with pytest.raises(Conflict, match="expired"):
        replace_key(maintainer, prefix, Wanted("Ada", "reader"), NOW + 9 * DAY, DAY)
    with pytest.raises(NotFound):
        replace_key(maintainer, "00000000", Wanted("Ada", "reader"), NOW, DAY)


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 101, "a\nb", "a\u202eb"], ids=["empty", "blank", "long", "line", "turned"]
)
def test_names_that_are_none(maintainer: Connection, name: str) -> None:
    with pytest.raises(UsageError, match="whose it is"):
        create_key(maintainer, Wanted(name, "reader"), NOW)


def test_roles_include_those_before() -> None:
    for place, role in enumerate(ROLES):
        allowed = [wanted for wanted in ROLES if Caller(1, 1, "x", "x", role, 1).may(wanted)]
        assert allowed == list(ROLES[: place + 1])


def test_the_record_is_read_newest_first(maintainer: Connection) -> None:
    for number in range(3):
        note(maintainer, AT_THE_COMMAND_LINE, "run.pause", str(number), NOW, {"n": number})
    first, second = read_audit(maintainer, None, 2)
    assert (first.subject, second.subject, first.key) == ("2", "1", None)
    assert read_audit(maintainer, second.id, 1)[0].detail == {"n": 0}


def test_commands(settings: Settings) -> None:
    made = trigpoint(settings, "key", "create", "Grace", "--role", "maintainer", "--json")
    assert made.status == 0, made.err
    token, prefix = made.json["key"], made.json["prefix"]
    assert (made.json["state"], made.json["replaces"]) == ("valid", None)
    after = trigpoint(settings, "key", "create", "--replaces", prefix, "--overlap-hours", "0", "--json").json
    assert (after["name"], after["role"], after["replaces"]) == ("Grace", "maintainer", prefix)
    shown = trigpoint(settings, "key", "list", "--all", "--json")
    states = {one["prefix"]: one["state"] for one in shown.json["keys"]}
    assert (states[prefix], states[after["prefix"]]) == ("expired", "valid")
    assert token not in shown.out
    assert trigpoint(settings, "key", "revoke", after["prefix"], "--json").json["state"] == "revoked"
    assert "already" in trigpoint(settings, "key", "revoke", after["prefix"]).err
    left = [one["prefix"] for one in trigpoint(settings, "key", "list", "--json").json["keys"]]
    assert after["prefix"] not in left
    with connect(settings, Role.MAINTAINER) as connection:
        actions = [(one.action, one.subject) for one in read_audit(connection, None, 3)]
        assert len(list_keys(connection)) > 2
    assert actions == [
        ("key.revoke", after["prefix"]),
        ("key.create", after["prefix"]),
        ("key.create", prefix),
    ]


def test_commands_that_say_too_little(settings: Settings) -> None:
    assert trigpoint(settings, "key", "create", "Ada").status == 2
    assert "--role" in trigpoint(settings, "key", "create", "Ada", "--role", "owner").err
    assert trigpoint(settings, "key", "revoke", "00000000").status == 2
