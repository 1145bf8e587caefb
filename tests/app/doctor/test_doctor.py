"""The doctor on a healthy installation, and on one fault after the other; each fault says how to mend it."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from app.core.settings import Settings
from app.doctor import Finding, State, endpoints, environment, examine, registry


def with_fault(settings: Settings, name: str, **changes: object) -> Finding:
    """The one finding that a changed setting leads to; it must fail and say how to mend."""
    faults = [f for f in examine(settings.model_copy(update=changes), name) if f.state is State.FAIL]
    assert len(faults) == 1
    assert faults[0].remedy
    return faults[0]


def test_a_healthy_installation_has_nothing_to_mend(database: Settings) -> None:
    findings = examine(database)
    assert [finding for finding in findings if finding.state is State.FAIL] == []
    assert {finding.name for finding in findings} == {check.name for check in registry.CHECKS}


def test_no_finding_shows_a_password(database: Settings) -> None:
    secrets = [value.get_secret_value() for _, value in database if isinstance(value, SecretStr)]
    words = json.dumps([str(finding) for finding in examine(database)])
    passwords = [secret.rpartition("@")[0].rpartition(":")[2] or secret for secret in secrets]
    assert passwords
    assert not [password for password in passwords if password in words]


def test_a_wrong_password_fails_the_role(database: Settings) -> None:
    fault = with_fault(database, "roles", password_api=SecretStr("wrong"))
    assert "trigpoint_api" in fault.said


def test_a_server_that_is_down_fails_every_database_check(database: Settings) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        down = database.model_copy(
            update={"database_url": f"postgresql://127.0.0.1:{closed.getsockname()[1]}/trigpoint"}
        )
        states = {finding.name: finding.state for finding in examine(down)}
    assert [states[name] for name in ("roles", "database versions", "extensions", "migrations")] == [
        State.FAIL
    ] * 4


def test_programs_for_backups_are_looked_for(database: Settings, tmp_path: Path) -> None:
    (found,) = examine(database, "backups")
    assert (found.state, "pg_dump, pg_restore and psql are in /" in found.said) == (State.OK, True)
    (missing,) = examine(database.model_copy(update={"pg_bin": tmp_path}), "backups")
    assert (missing.state, "are needed here (none was found)" in missing.said) == (State.WARN, True)
    assert "postgresql-client" in str(missing.remedy)


def test_a_missing_extension_is_named(database: Settings, superuser_of: Callable[[Settings], str]) -> None:
    with psycopg.connect(superuser_of(database), autocommit=True) as connection:
        connection.execute("drop extension pg_trgm cascade")
    assert with_fault(database, "extensions").said == "pg_trgm is not in the database"


def test_tables_behind_the_newest_revision_fail(
    database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    with psycopg.connect(superuser_of(database), autocommit=True) as connection:
        connection.execute("update trigpoint.alembic_version set version_num = '0001'")
    assert "the tables are at 0001" in with_fault(database, "migrations").said


def test_redis_that_is_down_fails_queue_and_workers(database: Settings) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = SecretStr(f"redis://:secret@127.0.0.1:{closed.getsockname()[1]}/0")
        assert "secret" not in with_fault(database, "redis", redis_url=url).said
        with_fault(database, "workers", redis_url=url)


def test_a_port_held_by_a_stranger_fails(database: Settings) -> None:
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = stranger.getsockname()[1]
        stranger.settimeout(0)
        assert str(port) in with_fault(database, "http port", http_host="127.0.0.1", http_port=port).said


def test_pins_are_compared_by_version_and_platform(tmp_path: Path) -> None:
    lock = tmp_path / "core.txt"
    lock.write_text(
        "one==1.0 \\\n    --hash=sha256:00\ntwo==2.0 ; python_full_version < '3.12' \\\n"
        "two==2.1 ; python_full_version >= '3.12' \\\nonly-windows==3.0 ; sys_platform == 'win32' \\\n"
    )
    pins = environment.read_pins(lock)
    assert environment.compare_pins(pins, {"one": "1.0", "two": "2.1"}) == []
    assert environment.compare_pins(pins, {"two": "9"}) == ["one is missing", "two is 9, pinned 2.0 or 2.1"]


class _Handler(BaseHTTPRequestHandler):
    """Answers /json/models, refuses /closed/models, and shows a web page elsewhere."""

    def do_GET(self) -> None:
        self.send_response(401 if self.path.startswith("/closed") else 200)
        self.send_header("Content-Type", "application/json" if self.path.startswith("/json") else "text/html")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


def test_an_endpoint_is_told_from_a_web_page_a_closed_door_and_nothing(server: str) -> None:
    assert endpoints.ask(f"{server}/json", "") is None
    assert "text/html" in str(endpoints.ask(f"{server}/page", ""))
    assert "refuses the key" in str(endpoints.ask(f"{server}/closed", "wrong"))
    assert "does not answer" in str(endpoints.ask("http://127.0.0.1:9/v1", ""))
    assert endpoints.ask("file:///etc/passwd", "") == "not an http URL"


def test_two_checks_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two checks are called 'python'"):
        registry.check("python", "again")(environment.check_python)


def test_absent_programs_of_the_router_are_a_note(database: Settings, tmp_path: Path) -> None:
    (found,) = examine(database.model_copy(update={"osrm_bin": tmp_path}), "router")
    assert (found.state, found.remedy is None) == (State.WARN, False)
    assert "routes are computed by the slower Python router" in found.said
