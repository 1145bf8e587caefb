"""Benchmarks: one run of agents over a data set, by a worker that lives or by Inspect's `react`, and what it cost.

Invariant: a cost is given only for a run whose every request was asked once, and whose every step is stored.
"""

import json
import shutil
import time
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import text

from app.core.clock import SystemClock
from app.core.errors import ServiceUnavailable
from app.core.settings import Role
from app.db.engine import connect
from app.predictions.messages import WORK, Messenger, make_celery
from app.predictions.planning import RunOptions, draft_run
from app.predictions.runs import find_endpoint, plan_run
from app.questions.versions import find_version
from app.solvers.agents.terms import AgentTerms, Manner
from perf.agents_model import CHAT_CALLS, TOOL_CALLS, wanted_of
from perf.bench_questions import NAME, run_command
from perf.cluster import FOLDER
from perf.measuring import Watch, measure
from perf.runs_endpoint import MODEL
from perf.runs_peers import PEERS, PLACE, Prompt, environment_of, inspect_command
from perf.runs_sides import ENDPOINT, IN_FLIGHT, IN_HAND, IS_COMPLETE, Stage, wait_for
from perf.serving import serving

STEPS = CHAT_CALLS + TOOL_CALLS
RATE = 1_000_000
"""Units of cost a minute of the key that Inspect calls tools with, so that no rate slows it down."""
STORED = text("""
select
    run.status,
    run.reasked,
    (select count(*) from prediction where prediction.run_id = run.id and prediction.state <> 'error') as ended,
    (select count(*) from step where step.run_id = run.id and step.state = 'done') as steps,
    (
        select count(*)
        from step
        where
            step.run_id = run.id
            and step.response -> 'error' is not null
    ) as refused,
    (
        select extract(epoch from max(step.answered_at) - min(step.sent_at))
        from step
        where step.run_id = run.id
    ) as asking
from run
where run.id = :run_id
""")
ASKED = text("select question_id from prediction where run_id = :run_id")
INSPECT_TASK = """\
from inspect_ai import Task, task
from inspect_ai.agent import react
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import exact
from inspect_ai.tool import mcp_server_http, mcp_tools


@task
def agents() -> Task:
    dataset = json_dataset({prompts!r}, FieldSpec(input="prompt", target="target"))
    server = mcp_server_http(url={url!r}, headers={{"Authorization": "Bearer {key}"}}, timeout=60)
    return Task(dataset=dataset, solver=react(tools=[mcp_tools(server)], submit=False), scorer=exact())
"""


class AgentTurn(NamedTuple):
    """What one run cost: seconds, CPU seconds (of its own processes, of PostgreSQL), megabytes.

    `refused` counts calls of tools that were errors, such as a point from which no road leads away.
    """

    episodes: int
    wall: float
    cpu: float
    server_cpu: float
    memory: float
    most_in_flight: int
    refused: int
    series: Sequence[float] = ()
    asking: float = 0.0


def accept_run(stage: Stage, name: str, episodes: int, manner: Manner) -> int:
    """Plan a run of the solver `tools` over so many questions, commit it; its id."""
    now = SystemClock().now()
    with connect(stage.settings, Role.WORKER) as connection:
        wanted = RunOptions(
            "tools",
            seed=stage.next_seed(),
            temperature=0.0,
            sample=episodes,
            agent=AgentTerms(manner=manner),
        )
        draft = draft_run(connection, find_version(connection, name), wanted)
        plan = draft.asking(connection, find_endpoint(connection, ENDPOINT))
        run_id = plan_run(connection, plan, now, stage.settings.batch_size).id
        connection.commit()
    return run_id


def run_agents(stage: Stage, name: str, episodes: int, worker: int, prompts: dict[str, str]) -> AgentTurn:
    """From a run that is accepted to its last prediction, by a worker that lives; Redis counts with the worker.

    `prompts` are the version's, by question.
    """
    stage.clear()
    messenger = Messenger(make_celery(stage.settings))
    run_id = accept_run(stage, name, episodes, "native")
    with Watch([worker, stage.redis], stage.cluster.postmaster) as watch:
        messenger.send(WORK)
        time.sleep(1.0)
        wait_for(stage, run_id, IS_COMPLETE)
    with connect(stage.settings, Role.WORKER) as connection:
        stored = connection.execute(STORED, {"run_id": run_id}).one()
        asked = connection.execute(ASKED, {"run_id": run_id}).scalars().all()
    if (stored.ended, stored.steps, stored.reasked) != (episodes, episodes * STEPS, 0):
        raise ServiceUnavailable(f"Run {run_id} of {episodes} episodes is not whole: {stored._asdict()}.")
    most = stage.check_asked(wanted_of(prompts[one] for one in asked), "the worker")
    spent = watch.spent
    return AgentTurn(
        episodes,
        spent.wall,
        spent.cpu,
        spent.server_cpu,
        spent.memory,
        most,
        stored.refused,
        watch.series,
        float(stored.asking),
    )


def run_inspect(stage: Stage, prompts: Sequence[Prompt], number: int) -> AgentTurn:
    """Inspect's `react` as a whole process, with the tools of `trigpoint serve` by MCP: its own CPU alone is counted.

    `number` is the turn's: each has a key of its own.
    """
    peer = PEERS["inspect"]
    shutil.rmtree(peer.logs, ignore_errors=True)
    stage.clear()
    create = ["key", "create", f"agents-{number}", "--role", "reader", "--requests-per-minute", str(RATE)]
    key = run_command(create, stage.environment).strip()
    with serving(stage.environment) as server:
        file = write_task(prompts, f"{server.address}/v1/snapshots/{NAME}/mcp", key)
        command = inspect_command(file, MODEL, IN_FLIGHT, peer.logs)
        command += ["--max-samples", str(IN_HAND), "--temperature", "0", "--no-fail-on-error"]
        environment, log = environment_of(peer, stage.url), FOLDER / "inspect-agents.log"
        cost = measure([[command]], environment, stage.cluster.postmaster, log)
    most = stage.check_asked(wanted_of(one.text for one in prompts), "Inspect")
    stored = peer.stored(peer.logs)
    if stored != len(prompts):
        raise ServiceUnavailable(f"Inspect stored {stored} samples, not {len(prompts)}: see {peer.logs}.")
    return AgentTurn(len(prompts), cost.wall, cost.cpu, cost.server_cpu, cost.memory, most, 0)


def write_task(prompts: Sequence[Prompt], url: str, key: str) -> str:
    """Write the prompts, and Inspect's task over them; its file."""
    PLACE.mkdir(parents=True, exist_ok=True)
    rows = PLACE / "agents.jsonl"
    told = (json.dumps({"prompt": one.text, "target": one.target}) for one in prompts)
    rows.write_text("".join(f"{row}\n" for row in told), encoding="utf-8")
    file = PLACE / "agents_task.py"
    file.write_text(INSPECT_TASK.format(prompts=str(rows), url=url, key=key), encoding="utf-8")
    return str(file)
