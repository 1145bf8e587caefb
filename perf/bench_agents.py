"""Benchmarks: agents' runs; an episode calls the model 10 times and tools 10 times, 64 calls in flight take 1 s each.

Beside the solver `tools`, Inspect's `react` asks the same endpoint and calls the same tools by MCP. The last line is
JSON.
usage: scripts/bench-runs --agents [--rounds R] [--episodes N] [--only trigpoint|inspect] [--memory]
"""

import argparse
import json
import os
import statistics
import sys
from collections.abc import Sequence
from typing import Any

from app.cli.output import line, say
from app.core.errors import TrigpointError, UsageError
from app.core.settings import Role
from app.db.engine import connect
from app.questions.versions import find_version
from app.solvers.base import QuestionView
from app.solvers.direct import prompt_text
from perf.agents_model import CHAT_CALLS
from perf.agents_sides import STEPS, AgentTurn, run_agents, run_inspect
from perf.bench_questions import NAME, run_command
from perf.bench_runs import growth
from perf.cluster import Cluster, running_cluster
from perf.runs_data import SIZES, database_of_questions
from perf.runs_peers import Prompt, check_installed
from perf.runs_sides import IN_FLIGHT, QUESTIONS, Stage, stage_over, warm_worker

DATA = "small"
DELAY, EPISODES = 1.0, 200
SHORT_DELAY, MANY = 0.1, SIZES[DATA]
"""What `--memory` runs: replies that come sooner, and every question of the data set."""
OVER_IDEAL, CPU_MS_A_STEP, GROWTH_MB = 1.10, 2.0, 20.0
"""The targets: wall over ideal, the worker's CPU a step beside router and PostgreSQL, growth of memory."""
SIDES = ("trigpoint", "inspect")


def ideal_of(episodes: int, delay: float) -> float:
    """Seconds that the calls of the model take with IN_FLIGHT of them always at the endpoint."""
    return episodes * CHAT_CALLS * delay / IN_FLIGHT


def figures_of(turns: Sequence[AgentTurn], delay: float) -> dict[str, Any]:
    """Medians over the turns of one side; `load` is the machine's, of the last minute."""
    episodes = turns[0].episodes
    ideal = ideal_of(episodes, delay)
    return {
        "episodes": episodes,
        "ideal_s": ideal,
        "wall_s": round(statistics.median(turn.wall for turn in turns), 2),
        "over_ideal": round(statistics.median(turn.wall for turn in turns) / ideal, 3),
        "cpu_ms_a_step": round(
            statistics.median(1000 * turn.cpu / (turn.episodes * STEPS) for turn in turns), 3
        ),
        "postgresql_cpu_ms_a_step": round(
            statistics.median(1000 * turn.server_cpu / (turn.episodes * STEPS) for turn in turns), 3
        ),
        "memory_mb": round(max(turn.memory for turn in turns), 1),
        "most_in_flight": max(turn.most_in_flight for turn in turns),
        "refused_calls": turns[-1].refused,
        "load": round(os.getloadavg()[0], 1),
    }


def prompts_of(stage: Stage) -> dict[str, Prompt]:
    """The prompts of the data set by question, as the first message of an agent holds them."""
    with connect(stage.settings, Role.WORKER) as connection:
        version = find_version(connection, DATA)
        rows = connection.execute(QUESTIONS, {"version_id": version.id}).all()
    views = [QuestionView(row.id, row.template, row.prompt, row.options, row.answer_type) for row in rows]
    return {view.id: Prompt(prompt_text(view), "") for view in views}


def measure_speed(stage: Stage, sides: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """By side, the figures of its turns; a worker has done a short run before, which opens its tools and its router."""
    prompts = prompts_of(stage)
    texts = {key: one.text for key, one in prompts.items()}
    found: dict[str, Any] = {}
    if "trigpoint" in sides:
        with warm_worker(stage) as worker:
            run_agents(stage, DATA, 10, worker, texts)
            turns = [run_agents(stage, DATA, options.episodes, worker, texts) for _ in range(options.rounds)]
        found["trigpoint"] = figures_of(turns, DELAY)
        report("trigpoint", found["trigpoint"])
    if "inspect" in sides:
        chosen = list(prompts.values())[: options.episodes]
        found["inspect"] = figures_of(
            [run_inspect(stage, chosen, number) for number in range(options.rounds)], DELAY
        )
        report("inspect", found["inspect"])
    return found


def measure_memory(stage: Stage) -> dict[str, Any]:
    """The memory of a worker that has just started, over every question of the data set."""
    texts = {key: one.text for key, one in prompts_of(stage).items()}
    with warm_worker(stage) as worker:
        turn = run_agents(stage, DATA, MANY, worker, texts)
    figures = figures_of([turn], SHORT_DELAY) | {
        "growth_mb": round(growth_of(turn), 1),
        "memory_mb_by_second": [round(value) for value in turn.series],
    }
    report("memory", figures)
    return figures


def growth_of(turn: AgentTurn) -> float:
    """Megabytes by which the mean of the third quarter of the asking lies above that of the second."""
    return growth(turn.series[: int(turn.asking)])


def targets_of(figures: dict[str, Any]) -> dict[str, bool]:
    """Which targets are met, of those that were measured."""
    found = {}
    if ours := figures["speed"].get("trigpoint"):
        found["wall"] = ours["over_ideal"] <= OVER_IDEAL
        found["cpu"] = ours["cpu_ms_a_step"] <= CPU_MS_A_STEP
    if memory := figures["memory"]:
        found["flat"] = memory["growth_mb"] <= GROWTH_MB
    return found


def report(name: str, one: dict[str, Any]) -> None:
    """A person's reading of the figures."""
    grown = f", growth {one['growth_mb']} MB" if "growth_mb" in one else ""
    say(
        f"{name}: {one['episodes']:,} episodes in {one['wall_s']:.2f} s ({one['over_ideal']:.2f} of ideal), CPU "
        f"{one['cpu_ms_a_step']:.2f} ms a step, PostgreSQL {one['postgresql_cpu_ms_a_step']:.2f} ms, "
        f"{one['memory_mb']:.0f} MB{grown}, at most {one['most_in_flight']} in flight, load {one['load']}"
    )


def run_all(options: argparse.Namespace) -> dict[str, Any]:
    """Measure what the options ask for; gives the JSON of the last line."""
    sides = SIDES if options.only is None else (options.only,)
    if "inspect" in sides and not options.memory:
        check_installed()
    figures: dict[str, Any] = {"benchmark": "agents", "speed": {}, "memory": None}
    with running_cluster() as cluster, database_of_questions(cluster, DATA) as database:
        prepare_router(cluster, database)
        delay = SHORT_DELAY if options.memory else DELAY
        try:
            with stage_over(cluster, database, delay, "--agents") as stage:
                if options.memory:
                    figures["memory"] = measure_memory(stage)
                else:
                    figures["speed"] = measure_speed(stage, sides, options)
        finally:
            run_command(["router", "stop"], cluster.environment_of(database))
    return figures | {"targets": targets_of(figures)}


def prepare_router(cluster: Cluster, database: str) -> None:
    """Build the router for cars, and open the tools to readers."""
    environment = cluster.environment_of(database)
    run_command(["router", "build", "--snapshot", NAME, "--mode", "car"], environment)
    run_command(["tool", "open", "--snapshot", NAME], environment)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence. Exit 1 where a target that was measured is missed."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench-runs --agents", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--rounds", type=int, default=1, help="turns of each side (1)")
    parser.add_argument("--episodes", type=int, default=EPISODES, help=f"episodes of a turn ({EPISODES})")
    parser.add_argument("--only", choices=SIDES, help="this side alone")
    parser.add_argument("--memory", action="store_true", help=f"{MANY:,} episodes, for the worker's memory")
    options = parser.parse_args(arguments)
    try:
        if options.rounds < 1 or not 1 <= options.episodes <= MANY:
            raise UsageError(f"--rounds is 1 or more, --episodes 1 to {MANY}.")
        result = run_all(options)
    except TrigpointError as error:
        say(f"bench-runs: {error}")
        return error.exit_code
    line(json.dumps(result))
    return 0 if all(result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
