"""`trigpoint serve` and `trigpoint leaderboard` at the edges: taken ports, unknown data sets, strange addresses."""

import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from app.cli.serve import listen
from app.core.errors import Held, UsageError
from app.core.settings import PROJECT_ROOT, Settings
from tests.support.command_line import trigpoint


def test_a_taken_port_is_one_sentence(database: Settings) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        found = trigpoint(database, "serve", "--host", "127.0.0.1", "--port", str(port))
        assert found.status == 1
        assert found.err.strip().count("\n") == 0
        assert f"Port {port} at 127.0.0.1 is taken" in found.err
        with pytest.raises(Held):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"), [("no.such.host.invalid", 0), ("192.0.2.1", 0), ("127.0.0.1", 70000)]
)
def test_strange_addresses_are_refused(host: str, port: int) -> None:
    with pytest.raises(UsageError):
        listen(host, port)


def test_serve_says_where_it_is_and_stops_at_ctrl_c(database: Settings) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from app.cli.main import main; main()", "serve", "--port", "0"],
        cwd=PROJECT_ROOT,
        env={**os.environ, "TRIGPOINT_DATABASE_URL": database.database_url},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    address = re.search(r"http://127\.0\.0\.1:[0-9]+/", line)
    assert address, line
    assert httpx.get(f"{address[0]}v1/health", timeout=30).status_code == 200
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=30)[1]
    assert "Traceback" not in rest
    assert process.returncode in (0, 130)


def test_no_database_is_one_sentence(database: Settings) -> None:
    nowhere = database.model_copy(update={"database_url": "postgresql://127.0.0.1:9/trigpoint"})
    for command in (["serve", "--port", "0"], ["leaderboard", "toy"]):
        found = trigpoint(nowhere, *command)
        assert found.status == 1
        assert "make up" in found.err
        assert "Traceback" not in found.err


def test_an_unknown_data_set_exits_2(database: Settings) -> None:
    found = trigpoint(database, "leaderboard", "nope", "--json")
    assert (found.status, found.out) == (2, "")
    assert "trigpoint generate" in found.err
