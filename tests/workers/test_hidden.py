"""What is hidden stands in no log and in nothing that Redis holds, whatever server and workers do with it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import redis

from app.cli.local_worker import worker_environment
from app.core.settings import Role, Settings
from tests.support.command_line import trigpoint
from tests.support.planted_secrets import PLANTED, make_hidden
from tests.support.processes import PrivateRedis, Scripted, Workers, wait_until

COUNT = 24


@contextmanager
def serving_process(settings: Settings, log: Path) -> Iterator[str]:
    """`trigpoint serve` as a process of its own, with its log."""
    environment = worker_environment(settings) | {"TRIGPOINT_LOG_LEVEL": "debug"}
    for role in (Role.API, Role.MAINTAINER):
        secret = getattr(settings, f"password_{role.value}").get_secret_value()
        environment[f"TRIGPOINT_PASSWORD_{role.value.upper()}"] = secret
    command = [sys.executable, "-c", "from app.cli.main import main; main()", "serve", "--port", "0"]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, env=environment, stdout=stream, stderr=stream)
    try:
        address = wait_until(lambda: re.search(r"http://[\d.]+:\d+", log.read_text()), "the server")[0]
        yield address
    finally:
        process.terminate()
        process.wait()


def everything_in(broker: PrivateRedis) -> bytes:
    """All keys and all values of Redis, as it would write them to disk."""
    client = redis.Redis.from_url(broker.url)
    keys = client.keys("*")
    return b"\n".join([*keys, *(client.dump(key) or b"" for key in keys)])


def test_nothing_planted_in_logs_and_redis(
    quick: Settings,
    workers: Workers,
    broker: PrivateRedis,
    endpoint: Callable[..., Scripted],
    tmp_path: Path,
) -> None:
    hidden = make_hidden(quick, COUNT)
    watched = redis.Redis.from_url(broker.url)
    with watched.monitor() as monitor:  # every command that anybody sends to Redis from here on
        worker = workers.start()
        url = endpoint("first_option").url
        for solver in ("oracle", "direct"):
            more = () if solver == "oracle" else ("--endpoint", url, "--model", "scripted:first_option")
            done = trigpoint(quick, "evaluate", "half_hidden", "--solver", solver, *more, "--json")
            assert done.status == 0, done.err
        log = tmp_path / "serve.log"
        with serving_process(quick, log) as address, httpx.Client(base_url=address, timeout=30) as client:
            client.headers["Authorization"] = f"Bearer {hidden.keys['submitter']}"
            lines = [json.dumps({"id": one, "answer": "A"}) for one in hidden.version.questions]
            sent = client.post("/v1/datasets/half_hidden/submissions?name=mine", content="\n".join(lines))
            where = sent.headers["location"]
            wait_until(lambda: client.get(where).json()["state"] == "scored", "the score")
            client.get("/leaderboards/half_hidden")
            client.get(f"/datasets/half_hidden/questions/{hidden.version.questions[1]}")
        held = everything_in(broker)
        watched.set("the end of", PLANTED)
        commands = []
        for command in monitor.listen():
            commands.append(command["command"])
            if "the end of" in command["command"]:
                break
    assert len(commands) > 20
    assert PLANTED in commands.pop()
    assert not [one for one in commands if PLANTED in one]
    assert PLANTED.encode() not in held
    for file in (log, worker.log):
        told = file.read_text()
        assert "request" in told or "scored" in told
        assert PLANTED not in told
