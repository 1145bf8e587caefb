"""Tasks for Inspect whose agent has the tools of a map: in sessions of a service, and on the same machine."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.exported import Export
from app.exports.tasks.inspect import inspect_files
from app.scores.submitted import score_submissions
from tests.app.exports.conftest import PUBLIC
from tests.support.command_line import TRIGPOINT, environment, export, generate, trigpoint
from tests.support.peers import ask_peer
from tests.support.processes import query, scalar
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing, switch
from tests.support.town import import_map, make_town
from tests.support.turns_endpoint import calling, in_turn, serving_turns

CHECKSUM = "select checksum from trigpoint.snapshot"
RUN = """
import importlib, json, os, sys
from inspect_ai import eval
from inspect_ai.model import get_model

told = json.loads(sys.argv[1])
os.environ |= told["environment"]
sys.path.insert(0, told["folder"])
task = getattr(importlib.import_module("task"), told["task"])()
model = get_model("openai-api/turns/turns", base_url=told["model"], api_key="none")
(log,) = eval(task, model=model, log_dir=told["logs"], log_format="eval", display="none", max_samples=2)
faults = [one.error.message for one in log.samples or [] if one.error] + [log.error.message if log.error else ""]
said = [[message.text for message in sample.messages if message.role == "tool"] for sample in log.samples or []]
print(json.dumps({"status": log.status, "log": log.location, "said": said, "faults": faults}))
"""


@pytest.mark.parametrize("form", ["jsonl", "lm-eval"])
def test_only_inspect_s_task_has_an_agent(datasets: Settings, tmp_path: Path, form: str) -> None:
    more = ("--format", form, "--with-gold", "--tools", "all", "--to", str(tmp_path))
    refused = trigpoint(datasets, "export", PUBLIC, *more)
    assert refused.status == 2
    assert f"--tools is only for the format inspect. {form} has no agents." in refused.err


def test_a_task_with_tools_names_each_question_s_map(datasets: Settings, tmp_path: Path) -> None:
    export(datasets, PUBLIC, tmp_path / "plain", "--format", "inspect", "--with-gold")
    files = export(
        datasets, PUBLIC, tmp_path / "tools", "--format", "inspect", "--with-gold", "--tools", "mapeval"
    )
    assert b'TOOL_SET = "mapeval"' in files["task.py"]
    assert b"solver=agent_with_map()," in files["task.py"]
    compile(files["task.py"], "task.py", "exec")
    rows = [json.loads(row) for row in files["questions.jsonl"].decode().splitlines()]
    assert all(row["snapshot"].startswith("town@") and row["dataset"] == f"{PUBLIC}@1" for row in rows)
    assert "TRIGPOINT_URL" in files["README.md"].decode()
    plain = [json.loads(row) for row in (tmp_path / "plain" / "questions.jsonl").read_text().splitlines()]
    assert plain == [{k: v for k, v in row.items() if k not in ("dataset", "snapshot")} for row in rows]
    unknown = trigpoint(
        datasets,
        "export",
        PUBLIC,
        "--format",
        "inspect",
        "--with-gold",
        "--tools",
        "none",
        "--to",
        str(tmp_path),
    )
    assert (unknown.status, "There is no set of tools" in unknown.err) == (2, True)


def test_a_question_without_a_map_has_no_tools(read: Callable[..., Export]) -> None:
    exported = read(PUBLIC, with_gold=True)
    without = replace(exported.questions[0], snapshots=[])
    with pytest.raises(UsageError, match="has no map on which tools could be called"):
        inspect_files(replace(exported, questions=[without], tool_set="all"))


@pytest.mark.long
def test_inspect_calls_tools_in_sessions_and_its_log_names_them(
    make_database: Callable[[], Settings], tmp_path: Path
) -> None:
    """The same call by Inspect over MCP and by curl's way is recorded alike; without a service, by `trigpoint mcp`."""
    settings = make_database().model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:9/0")})
    import_map(settings, make_town().write(tmp_path / "town.osm"), "town")
    options = ("--per-template", "1", "--bank", "2")
    assert generate(settings, "urban_knowledge", "town", "asked", *options).status == 0
    switch(settings, "town", True)
    folder = tmp_path / "task"
    files = export(settings, "asked", folder, "--format", "inspect", "--with-gold", "--tools", "all")
    count = len(files["questions.jsonl"].splitlines())
    call = ("place_search", {"query": "Museum Alpha"})
    turns = in_turn([calling(call), {"content": "A"}])
    told: dict[str, Any] = {
        "folder": str(folder),
        "logs": str(tmp_path / "logs"),
        "task": "trigpoint_asked_1",
    }
    with serving(settings) as address, patient_client(address) as client, serving_turns(turns) as model:
        model.usage = {"prompt_tokens": 30, "completion_tokens": 4, "total_tokens": 34}
        told["model"] = model.url
        client.headers.update(bearing(settings, "submitter", rate=10_000))
        key = client.headers["Authorization"].removeprefix("Bearer ")
        told["environment"] = {"TRIGPOINT_URL": address, "TRIGPOINT_KEY": key}
        done = ask_peer(RUN, json.dumps(told))
        assert done["status"] == "success", done["faults"]
        sessions = client.get("/v1/sessions").json()["sessions"]
        assert [(one["calls"], one["ended"]) for one in sessions] == [(1, "closed")] * count
        curled = _call_by_rest(client, sessions[0]["question"], call, scalar(settings, CHECKSUM))
        steps = _submit(settings, client, Path(done["log"]))
        told["environment"] = _at_this_machine(settings)
        locally = ask_peer(RUN, json.dumps(told))
    assert (locally["status"], locally["said"]) == ("success", done["said"]), locally["faults"]
    assert len(steps) == count
    assert {json.dumps([one.request, one.response], sort_keys=True) for one in steps} == {curled}
    assert all(one.detail["agent"]["tool_calls"] == 1 for one in steps)
    assert all(one.detail["stated"] == {"prompt_tokens": 60, "completion_tokens": 8} for one in steps)


def _at_this_machine(settings: Settings) -> dict[str, str]:
    """The environment in which the task starts `trigpoint mcp`."""
    variables = environment(settings)
    told = {name: value for name, value in variables.items() if name.startswith("TRIGPOINT_")}
    return told | {"TRIGPOINT_URL": "", "PATH": f"{TRIGPOINT.parent}:{variables['PATH']}"}


def _call_by_rest(
    client: httpx.Client, question: str, call: tuple[str, dict[str, Any]], checksum: str
) -> str:
    """The call in a session of its own, as it is stored."""
    made = client.post("/v1/sessions", json={"dataset": "asked", "question": question}).json()["session"]
    tool, arguments = call
    answer = client.post(f"/v1/sessions/{made}/tools/{tool}", json=arguments).json()
    request = {
        "tool": tool,
        "arguments": arguments,
        "set": "all",
        "snapshot": answer["snapshot"],
        "checksum": checksum,
        "tools_version": answer["tools_version"],
    }
    return json.dumps([request, {"sentence": answer["sentence"], "result": answer["result"]}], sort_keys=True)


def _submit(settings: Settings, client: httpx.Client, log: Path) -> list[Any]:
    """Submit a log; the steps of its run, each with the detail of its prediction."""
    address = "/v1/datasets/asked/submissions?format=inspect&name=inspected"
    submitted = client.post(address, content=log.read_bytes())
    assert submitted.status_code == 202, submitted.text
    with connect(settings, Role.WORKER) as connection:
        score_submissions(connection, SystemClock(), "test")
    found = client.get(submitted.headers["location"]).json()
    assert found["state"] == "scored", found
    return query(
        settings,
        "select step.request, step.response, prediction.detail from trigpoint.step inner join trigpoint.prediction"
        " using (run_id, question_revision, presentation_key, repeat) where step.run_id = :run",
        run=found["run"],
    )
