"""Benchmarks: runs of 2,000 prompts at 100 ms, 64 in flight, beside lm-evaluation-harness and Inspect; and of 20,000.

All sides ask one scripted endpoint for the same prompts, in turn, in an order that turns round each round. Our side is
measured warm (a worker lives: from a run that is accepted to the commit of its last score, and beside it to the commit
of its boards) and cold (the whole command).
usage: scripts/bench-runs [--rounds R] [--only SIDES] [--install-peers]
"""

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from app.cli.output import line, say
from app.core.errors import TrigpointError, UsageError
from perf.cluster import Cluster, running_cluster
from perf.runs_data import SIZES, database_of_questions
from perf.runs_peers import PEERS, check_installed, install, write_tasks
from perf.runs_sides import (
    DELAY,
    IN_FLIGHT,
    Stage,
    Turn,
    counted,
    ideal_of,
    prompts_of,
    run_cold,
    run_peer,
    run_warm,
    stage_over,
    warm_worker,
)

OURS = ("warm", "cold")
SIDES = (*OURS, *PEERS)
LARGE = "large"
MEASURES: Mapping[str, Callable[[Turn], float]] = {
    "wall_s": lambda turn: turn.wall,
    "cpu_s": lambda turn: turn.cpu,
    "postgresql_cpu_s": lambda turn: turn.server_cpu,
    "memory_mb": lambda turn: turn.memory,
}
WARM_OVER_IDEAL, CPU_OF_INSPECT, MEMORY_MB, GROWTH_MB = 1.10, 0.10, 350.0, 20.0
"""The targets: wall over ideal, CPU a request over Inspect's, memory and its growth over the large data set."""

Prompts = Counter[str]


@dataclass
class Measured:
    """Every turn of every side over one data set, and the one over the large one."""

    requests: int
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    large: Turn | None = None

    @property
    def ideal(self) -> float:
        """Seconds that the endpoint needs at the least."""
        return ideal_of(self.requests)

    def side(self, name: str) -> dict[str, Any]:
        """A side's figures."""
        turns = self.turns[name]
        figures: dict[str, Any] = {key: _series([of(turn) for turn in turns]) for key, of in MEASURES.items()}
        figures["over_ideal"] = _series([turn.wall / self.ideal for turn in turns])
        figures["cpu_ms_a_request"] = _series([1000 * turn.cpu / self.requests for turn in turns])
        if all(turn.board for turn in turns):
            figures["board_s"] = _series([turn.board for turn in turns])
        return figures | {"most_in_flight": max(turn.most_in_flight for turn in turns)}

    def large_figures(self) -> dict[str, Any] | None:
        """The run over the large data set."""
        if self.large is None:
            return None
        requests, turn = SIZES[LARGE], self.large
        return {
            "requests": requests,
            "ideal_s": ideal_of(requests),
            **{key: round(of(turn), 3) for key, of in MEASURES.items()},
            "over_ideal": round(turn.wall / ideal_of(requests), 3),
            "cpu_ms_a_request": round(1000 * turn.cpu / requests, 3),
            "asking_s": round(turn.asking, 3),
            "board_s": round(turn.board, 3),
            "growth_mb": round(growth(turn.while_asking()), 1),
            "memory_mb_by_second": [round(value) for value in turn.series],
        }

    def targets(self) -> dict[str, bool]:
        """Which targets are met, of those that were measured."""
        found = {}
        sides = {name: self.side(name) for name in self.turns}
        if "warm" in sides:
            found["warm_wall"] = sides["warm"]["over_ideal"]["median"] <= WARM_OVER_IDEAL
        if "inspect" in sides:
            theirs = sides["inspect"]["cpu_ms_a_request"]["median"]
            for name in OURS:
                if name in sides:
                    ours = sides[name]["cpu_ms_a_request"]["median"]
                    found[f"{name}_cpu"] = ours <= CPU_OF_INSPECT * theirs
        if self.large is not None:
            found["memory"] = self.large.memory < MEMORY_MB
            found["flat"] = growth(self.large.while_asking()) <= GROWTH_MB
        return found

    def as_json(self) -> dict[str, Any]:
        """Every figure."""
        return {
            "benchmark": "runs",
            "requests": self.requests,
            "delay_s": DELAY,
            "in_flight": IN_FLIGHT,
            "ideal_s": self.ideal,
            "rounds": max((len(turns) for turns in self.turns.values()), default=0),
            "sides": {name: self.side(name) for name in self.turns},
            "large": self.large_figures(),
            "targets": self.targets(),
        }


def growth(series: Sequence[float]) -> float:
    """By how much the mean of the third quarter of a series lies above that of the second."""
    quarter = len(series) // 4
    if not quarter:
        return 0.0
    return statistics.fmean(series[2 * quarter : 3 * quarter]) - statistics.fmean(
        series[quarter : 2 * quarter]
    )


def _series(values: Sequence[float]) -> dict[str, Any]:
    return {
        "median": round(statistics.median(values), 3),
        "min": round(min(values), 3),
        "max": round(max(values), 3),
        "rounds": [round(value, 3) for value in values],
    }


def chosen_sides(only: str | None) -> list[str]:
    """The sides that are named; raises UsageError for one that there is not."""
    if only is None:
        return [*SIDES, LARGE]
    named: list[str] = []
    for name in only.split(","):
        named += [*OURS, LARGE] if name == "trigpoint" else [name]
    if absent := [name for name in named if name not in (*SIDES, LARGE)]:
        raise UsageError(
            f"There is no side {', '.join(absent)}. There are trigpoint, {', '.join([*SIDES, LARGE])}."
        )
    return named


def compare_sides(stage: Stage, sides: Sequence[str], rounds: int) -> dict[str, list[Turn]]:
    """Run every side `rounds` times over the small data set; each round turns the order round."""
    prompts = prompts_of(stage, "small")
    wanted = counted(prompts)
    write_tasks(prompts)
    turns: dict[str, list[Turn]] = {side: [] for side in sides}
    for number in range(rounds):
        for side in sides if number % 2 == 0 else reversed(sides):
            turn = take_turn(stage, side, wanted)
            turns[side].append(turn)
            over = turn.wall / ideal_of(len(prompts))
            board = f"board after {turn.board:.2f} s, " if turn.board else ""
            say(
                f"round {number + 1} of {rounds}, {side}: {turn.wall:.2f} s ({over:.2f} of ideal), {board}"
                f"CPU {1000 * turn.cpu / len(prompts):.2f} ms a request, PostgreSQL {turn.server_cpu:.2f} s, "
                f"{turn.memory:.0f} MB, at most {turn.most_in_flight} in flight"
            )
    return turns


def take_turn(stage: Stage, side: str, wanted: Prompts) -> Turn:
    """One run of a side; a warm worker has done one before, which is not counted."""
    if side == "cold":
        return run_cold(stage, "small", wanted)
    if side in PEERS:
        return run_peer(stage, side, wanted)
    with warm_worker(stage) as worker:
        run_warm(stage, "small", wanted, worker)
        return run_warm(stage, "small", wanted, worker)


def run_large(stage: Stage) -> Turn:
    """A run over the large data set by a worker that has just started, with its memory by second."""
    wanted = counted(prompts_of(stage, LARGE))
    with warm_worker(stage) as worker:
        turn = run_warm(stage, LARGE, wanted, worker)
    grown = growth(turn.while_asking())
    say(f"{SIZES[LARGE]:,} questions: {turn.wall:.1f} s, {turn.memory:.0f} MB, growth {grown:.0f} MB")
    return turn


def report(measured: Measured) -> None:
    """A person's reading of the figures."""
    figures = measured.as_json()
    line(
        f"{figures['requests']:,} prompts, ideal {figures['ideal_s']:.3f} s, medians of {figures['rounds']} rounds:"
    )
    for name, one in figures["sides"].items():
        over = one["over_ideal"]
        line(
            f"  {name:<8} {one['wall_s']['median']:7.2f} s, {over['median']:.2f} of ideal ({over['min']:.2f} to "
            f"{over['max']:.2f}), CPU {one['cpu_ms_a_request']['median']:6.2f} ms a request, "
            f"PostgreSQL {one['postgresql_cpu_s']['median']:5.2f} s, {one['memory_mb']['median']:5.0f} MB"
        )
    if large := figures["large"]:
        line(
            f"  {large['requests']:,} prompts: {large['wall_s']:.1f} s, asked for {large['asking_s']:.1f} s, ideal "
            f"{large['ideal_s']:.1f} s, CPU "
            f"{large['cpu_ms_a_request']:.2f} ms a request, {large['memory_mb']:.0f} MB, growth {large['growth_mb']} MB"
        )
    for target, met in figures["targets"].items():
        line(f"  target {target}: {'met' if met else 'missed'}")


def run_all(options: argparse.Namespace) -> dict[str, Any]:
    """Measure what the options ask for; gives the JSON of the last line."""
    if options.install_peers:
        install()
    chosen = chosen_sides(options.only)
    sides = [side for side in chosen if side != LARGE]
    if any(side in PEERS for side in sides):
        check_installed()
    measured = Measured(SIZES["small"])
    with running_cluster() as cluster:
        if sides:
            with stage_of(cluster, "small") as stage:
                measured.turns = compare_sides(stage, sides, options.rounds)
        if LARGE in chosen:
            with stage_of(cluster, LARGE) as stage:
                measured.large = run_large(stage)
    report(measured)
    return measured.as_json()


@contextmanager
def stage_of(cluster: Cluster, name: str) -> Iterator[Stage]:
    """A stage over a data set."""
    with database_of_questions(cluster, name) as database, stage_over(cluster, database) as stage:
        yield stage


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence. Exit 1 where a target that was measured is missed."""
    parser = argparse.ArgumentParser(prog="scripts/bench-runs", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side (5)")
    parser.add_argument(
        "--only", help=f"these sides alone: trigpoint (all of ours), {', '.join([*SIDES, LARGE])}"
    )
    parser.add_argument("--install-peers", action="store_true", help="make .local/peers first, by uv")
    options = parser.parse_args(arguments)
    try:
        if options.rounds < 1:
            raise UsageError("--rounds is 1 or more.")
        result = run_all(options)
    except TrigpointError as error:
        say(f"bench-runs: {error}")
        return error.exit_code
    line(json.dumps(result))
    return 0 if all(result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
