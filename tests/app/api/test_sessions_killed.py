"""A server that is killed in the middle of calls: what was answered is stored, and what was stored is counted."""

import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

import httpx
import pytest

from tests.support.factories import MadeMap, MadeVersion, make_version, option_question
from tests.support.processes import query, scalar, start_trigpoint
from tests.support.tool_maps import bearing
from tests.support.town import Imported

CALLERS = 6
ROUNDS = 2


@pytest.fixture
def version(map_: Imported) -> MadeVersion:
    ((number, schema),) = query(
        map_.settings, "select id, schema_name from trigpoint.snapshot where name = 'tools'"
    )
    return make_version(map_.settings, [option_question(1)], name="killed", made_map=MadeMap(number, schema))


@contextmanager
def own_server(map_: Imported) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server as a process of its own, and its address."""
    process = start_trigpoint(map_.settings, "serve", "--port", "0")
    assert process.stderr is not None
    try:
        line = next(one for one in process.stderr if one.startswith("Trigpoint is at"))
        yield line.split("at ")[1].split()[0].rstrip("/."), process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.long
def test_what_was_answered_is_stored_and_what_was_stored_is_counted(
    map_: Imported, version: MadeVersion
) -> None:
    headers = bearing(map_.settings, "submitter", rate=100_000)
    answered: list[int] = []
    session = ""

    def call_on(address: str, began: Event) -> list[int]:
        """Call until the server is gone; the numbers that were answered."""
        numbers = []
        with httpx.Client(base_url=address, headers=headers, timeout=30) as client:
            try:
                while True:
                    number = len(numbers)
                    path = f"/v1/sessions/{session}/tools/place_search"
                    answer = client.post(path, json={"query": f"Krone {number}"})
                    if answer.status_code == 409:
                        return numbers
                    assert answer.status_code in (200, 404), answer.text
                    numbers.append(number)
                    began.set()
            except httpx.TransportError:
                return numbers

    for _ in range(ROUNDS):
        with own_server(map_) as (address, process), ThreadPoolExecutor(CALLERS) as pool:
            if not session:
                body: dict[str, Any] = {"dataset": "killed", "question": version.questions[0]}
                made = httpx.post(f"{address}/v1/sessions", json=body, headers=headers, timeout=30)
                session = made.json()["session"]
            began = Event()
            calls = [pool.submit(call_on, address, began) for _ in range(CALLERS)]
            assert began.wait(60)
            process.send_signal(signal.SIGKILL)
            answered.append(sum(len(one.result()) for one in calls))
        statement = f"from trigpoint.agent_session_call where session_id = '{session}'"
        stored = scalar(map_.settings, f"select count(*) {statement}")
        counted = scalar(map_.settings, f"select calls from trigpoint.agent_session where id = '{session}'")
        ordinals = [
            one.ordinal for one in query(map_.settings, f"select ordinal {statement} order by ordinal")
        ]
        assert counted == stored == len(ordinals)
        assert ordinals == list(range(stored))
        assert sum(answered) <= stored <= sum(answered) + CALLERS * len(answered)
