"""The benchmark of runs: its endpoint, what it finds missing or asked twice, its arithmetic, and what it says of peers."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import aiohttp
import pytest

from app.core.errors import UsageError
from perf import runs_peers
from perf.bench_runs import LARGE, SIDES, Measured, chosen_sides, growth, main
from perf.measuring import Watch
from perf.runs_endpoint import Connection, Paced, answer_to, compare, digest_of
from perf.runs_peers import PEERS, PINNED, Prompt, check_installed, write_tasks
from perf.runs_sides import Turn


def make_turn(wall: float, cpu: float, memory: float = 100.0, series: tuple[float, ...] = ()) -> Turn:
    return Turn(wall, cpu, memory, 1.0, 64, list(series), asking=8.4)


def test_what_is_asked_twice_never_or_by_mistake_is_found() -> None:
    wanted = {"a": 1, "b": 1, "c": 2}
    assert compare(wanted, {"a": 1, "b": 1, "c": 2}).is_whole
    assert compare(wanted, {"a": 1, "c": 2}) == (1, 0, 0)
    assert compare(wanted, {"a": 2, "b": 1, "c": 2}) == (0, 1, 0)
    assert compare(wanted, {"a": 1, "b": 1, "c": 1}) == (1, 0, 0)
    assert compare(wanted, {"a": 1, "b": 1, "c": 2, "d": 1}) == (0, 0, 1)
    assert not compare(wanted, {"a": 2, "c": 2}).is_whole


def test_the_endpoint_counts_prompts_and_forgets_them() -> None:
    async def ask() -> list[dict[str, object]]:
        paced, told = Paced(0.05), []
        server = await asyncio.get_running_loop().create_server(lambda: Connection(paced), "127.0.0.1", 0)
        base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, aiohttp.ClientSession(base) as client:
            for prompts in (["one", "two", " two\n"], ["three"]):
                for prompt in prompts:
                    body = {"model": "m", "messages": [{"role": "user", "content": prompt}]}
                    asked_at = time.monotonic()
                    async with client.post("/v1/chat/completions", json=body) as answer:
                        content = (await answer.json())["choices"][0]["message"]["content"]
                    assert content == answer_to(prompt)
                    assert time.monotonic() - asked_at > 0.045, "it answers after its time"
                async with client.get("/control/asked") as answer:
                    told.append(await answer.json())
                async with client.post("/control/forget") as answer:
                    assert answer.status == 200
            async with client.get("/v1/embeddings") as answer:
                assert answer.status == 404
        return told

    first, second = asyncio.run(ask())
    assert first["asked"] == {digest_of("one"): 1, digest_of("two"): 2}
    assert second == {"asked": {digest_of("three"): 1}, "in_flight": 1}


@pytest.mark.parametrize(
    ("instruction", "end"),
    [
        (
            "Answer with the azimuth alone, in degrees clockwise from true north, such as: 123 degrees.",
            " degrees",
        ),
        ("Answer with a number of square metres alone, such as: 12345 m2.", " m2"),
        ("Answer with a number of metres alone, such as: 1234 m.", " m"),
    ],
)
def test_answers_have_the_form_that_is_asked_for(instruction: str, end: str) -> None:
    prompt = f"How far is it?\n\n{instruction} If you do not know, answer: I do not know."
    assert answer_to(prompt).endswith(end)
    assert answer_to(prompt) == answer_to(prompt + "\n")


def test_figures_and_targets() -> None:
    measured = Measured(2000)
    measured.turns = {
        "warm": [make_turn(3.25, 2.0), make_turn(3.5, 4.0)],
        "inspect": [make_turn(50.0, 50.0)] * 2,
    }
    measured.large = make_turn(40.0, 20.0, 340.0, (50, 200, 210, 230, 240, 250, 250, 300, 900, 900))
    figures = measured.as_json()
    assert figures["ideal_s"] == 3.125
    assert figures["rounds"] == 2
    warm = figures["sides"]["warm"]
    assert warm["wall_s"] == {"median": 3.375, "min": 3.25, "max": 3.5, "rounds": [3.25, 3.5]}
    assert warm["over_ideal"]["median"] == 1.08
    assert warm["cpu_ms_a_request"]["median"] == 1.5
    assert figures["large"]["growth_mb"] == 25.0
    assert figures["targets"] == {"warm_wall": True, "warm_cpu": True, "memory": True, "flat": False}


def test_targets_are_missed_where_a_run_is_slow_or_dear() -> None:
    measured = Measured(2000)
    measured.turns = {"warm": [make_turn(3.6, 6.0)], "inspect": [make_turn(50.0, 50.0)]}
    measured.large = make_turn(40.0, 20.0, 351.0)
    assert measured.targets() == {"warm_wall": False, "warm_cpu": False, "memory": False, "flat": True}
    assert growth([1, 2, 3]) == 0.0


def test_sides_are_chosen_by_name() -> None:
    assert chosen_sides(None) == [*SIDES, LARGE]
    assert chosen_sides("trigpoint,inspect") == ["warm", "cold", LARGE, "inspect"]
    with pytest.raises(UsageError, match="no side osm2pgsql"):
        chosen_sides("warm,osm2pgsql")


def test_peers_that_are_not_installed_are_said_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runs_peers, "ENVIRONMENT", tmp_path)
    (tmp_path / "lib/python3.11/site-packages" / f"lm_eval-{PINNED['lm_eval']}.dist-info").mkdir(parents=True)
    with pytest.raises(UsageError, match="inspect_ai"):
        check_installed()
    assert main(["--only", "warm,inspect"]) == 2
    assert "scripts/peers" in capsys.readouterr().err


def test_what_peers_stored_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_peers, "PLACE", tmp_path / "peers")
    write_tasks([Prompt("one", "1"), Prompt("two\n\nlines", "2")])
    rows = (tmp_path / "peers" / "prompts.jsonl").read_text().splitlines()
    assert Counter(json.loads(row)["prompt"] for row in rows) == {"one": 1, "two\n\nlines": 1}
    logs = tmp_path / "logs" / "model"
    logs.mkdir(parents=True)
    (logs / "samples_runs_1.jsonl").write_text("{}\n{}\n")
    assert PEERS["lm_eval"].stored(tmp_path / "logs") == 2
    assert PEERS["inspect"].stored(tmp_path / "logs") == 0


def test_a_living_process_is_watched() -> None:
    burn = "import time; held = b'x' * 60_000_000\nprint(flush=True)\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with Watch([process.pid], os.getpid()) as watch:
            process.stdout.readline()
            until = time.monotonic() + 20
            while not watch.series and time.monotonic() < until:
                time.sleep(0.01)
        assert watch.spent.cpu >= 0.3
        assert watch.spent.memory > 60
        assert watch.series[0] > 60
        process.communicate("")
