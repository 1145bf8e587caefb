"""Which endpoint a request means; nothing is listening at these addresses, so a look at one of them would fail."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection, text

from app.core.clock import SystemClock
from app.core.errors import Conflict, EndpointUnavailable, NotFound, SettingsError, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.endpoints import (
    EndpointChoice,
    find_chat_endpoint,
    find_embedder,
    find_healthy,
    find_known,
    find_or_store,
)
from app.predictions.endpoints import EndpointSpec, add_endpoint
from app.predictions.runs import store_endpoint

URL = "http://127.0.0.1:9/v1"
NOT_SET = "TRIGPOINT_TEST_KEY_NOT_SET"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    return make_database().model_copy(update={"request_timeout_seconds": 1.0})


@pytest.fixture
def connection(settings: Settings) -> Iterator[Connection]:
    """With two endpoints: `local` by its name, and the model `seen` by its URL; gone after the test."""
    with connect(settings, Role.WORKER) as connection:
        now = SystemClock().now()
        add_endpoint(connection, EndpointSpec("local", URL, "small", body={"top_p": 0.5}), now)
        store_endpoint(connection, URL, "seen", None, now)
        yield connection
        connection.rollback()


def test_names_and_urls_that_are_known(connection: Connection) -> None:
    by_name = find_known(connection, EndpointChoice("local"))
    assert by_name is not None
    assert by_name.model == "small"
    by_url = find_known(connection, EndpointChoice(f"{URL}/chat/completions", "seen"))
    assert by_url is not None
    assert by_url.url == URL
    assert find_known(connection, EndpointChoice(by_url.name)) == by_url, "cards name it so"
    assert find_known(connection, EndpointChoice(URL)) is None, "which model it has, only a look tells"
    assert find_known(connection, EndpointChoice(URL, "seen", "OTHER_KEY")) is None
    with pytest.raises(NotFound, match="There is no endpoint 'nobody'"):
        find_known(connection, EndpointChoice("nobody"))
    with pytest.raises(UsageError, match="'local' is for the model 'small', not 'large'"):
        find_known(connection, EndpointChoice("local", "large"))


def test_only_an_unknown_url_is_looked_at(connection: Connection, settings: Settings) -> None:
    assert find_or_store(connection, settings, EndpointChoice("local", "ignored")).model == "small"
    assert find_or_store(connection, settings, EndpointChoice(URL, "seen")).model == "seen"
    with pytest.raises(EndpointUnavailable):
        find_or_store(connection, settings, EndpointChoice(URL, "unseen"))
    with pytest.raises(SettingsError, match=f"{NOT_SET} is not set; it should hold the endpoint's key"):
        find_or_store(connection, settings, EndpointChoice(URL, "unseen", NOT_SET))


def test_the_endpoint_of_embeddings(connection: Connection, settings: Settings) -> None:
    def find(choice: EndpointChoice, solver: str = "rag") -> object:
        return find_embedder(connection, settings, choice, solver)

    assert find(EndpointChoice(), "direct") is None
    with pytest.raises(UsageError, match="only for use with --embeddings URL"):
        find(EndpointChoice(None, "small"))
    with pytest.raises(UsageError, match="`direct` does not use embeddings"):
        find(EndpointChoice("local"), "direct")
    with pytest.raises(SettingsError, match="should hold the key for embeddings"):
        find(EndpointChoice(URL, key_variable=NOT_SET))


def test_what_calls_need_of_an_endpoint_that_is_not_stored(
    connection: Connection, settings: Settings
) -> None:
    connection.commit()
    stored = find_chat_endpoint(connection, settings, EndpointChoice("local"))
    assert (stored.url, stored.model, stored.body) == (URL, "small", {"top_p": 0.5})
    named = find_chat_endpoint(connection, settings, EndpointChoice("http://127.0.0.1:9/v1/", "any"))
    assert (named.url, named.model, named.body) == (URL, "any", None)


def test_over_rest_the_last_check_must_have_been_good(connection: Connection) -> None:
    with pytest.raises(Conflict, match="'local' was never checked: check it first"):
        find_healthy(connection, "local")
    note = text("update endpoint set health = cast(:health as jsonb) where name = 'local'")
    connection.execute(note, {"health": '{"state": "failed", "said": "", "guides": []}'})
    with pytest.raises(Conflict, match="The last check of the endpoint 'local' failed"):
        find_healthy(connection, "local")
    connection.execute(note, {"health": '{"state": "ok", "said": "", "guides": []}'})
    assert find_healthy(connection, "local").model == "small"
