"""Benchmarks: the import against osm2pgsql on the same server: rows, sums, wall, CPU, memory.

Runs both sides in turn, each into a fresh database of a private cluster with production's settings, alternating who
goes first. Prints a report; its last line is one JSON object. What it measures is the real command in a child process.
usage: scripts/bench-import [--copies N] [--rounds R] [--only-five | --sides NAMES] [--scale | --single]
"""

import argparse
import fcntl
import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from app.cli.output import line, say
from app.core.errors import TrigpointError, UsageError
from osm_import.importing import ALL_LAYERS
from osm_import.tag_tables import NETWORK_LAYERS
from perf.cluster import FOLDER, Cluster, running_cluster
from perf.copies import DEFAULT, make_copies
from perf.measuring import Cost, measure
from perf.osm2pgsql import peer
from perf.serving import TRIGPOINT

OURS_FIVE = ["import", "--layers", ",".join(peer.LAYERS)]
"""Our side with the peer's five layers only."""
OURS_ALL = ["import"]
"""Our side with everything: addresses, areas of interest, shared nodes of roads as well."""
OURS_PLAIN = ["import", "--layers", ",".join(layer for layer in ALL_LAYERS if layer not in NETWORK_LAYERS)]
"""Our side with everything but the road network, which tells what that costs."""
SCALE = (1, 10, 30)
SUMS = "select count(*), coalesce(sum(st_area(geog)), 0), coalesce(sum(st_length(geog)), 0) from {}.{}"
AGREE = 1e-6

Sums = dict[str, tuple[int, float, float]]


@dataclass
class Run:
    """One side's turn in one round."""

    cost: Cost
    sums: Sums
    """By layer: rows, square metres, metres."""


@dataclass
class Comparison:
    """All rounds over one file."""

    file: Path
    runs: dict[str, list[Run]] = field(default_factory=dict)

    def ratios(self, side: str) -> dict[str, list[float]]:
        """Our cost over the peer's, round by round; memory and PostgreSQL's CPU too."""
        pairs = list(zip(self.runs[side], self.runs["peer"], strict=True))
        measures: dict[str, Callable[[Cost], float]] = {
            "wall": lambda cost: cost.wall,
            "cpu": lambda cost: cost.cpu,
            "server_cpu": lambda cost: cost.server_cpu,
            "all_cpu": lambda cost: cost.cpu + cost.server_cpu,
            "memory": lambda cost: cost.memory,
        }
        return {
            name: [value(ours.cost) / value(theirs.cost) for ours, theirs in pairs]
            for name, value in measures.items()
        }

    def differences(self, side: str) -> dict[str, dict[str, float]]:
        """By layer: rows more than the peer's, and relative differences of area and length."""
        ours, theirs = self.runs[side][0].sums, self.runs["peer"][0].sums
        return {
            layer: {
                "rows": ours[layer][0] - theirs[layer][0],
                "area": _relative(ours[layer][1], theirs[layer][1]),
                "length": _relative(ours[layer][2], theirs[layer][2]),
            }
            for layer in peer.LAYERS
        }

    def as_json(self) -> dict[str, Any]:
        """Every figure, with medians."""
        sides = {
            side: {
                "wall_s": _series([run.cost.wall for run in runs]),
                "cpu_s": _series([run.cost.cpu for run in runs]),
                "postgresql_cpu_s": _series([run.cost.server_cpu for run in runs]),
                "memory_mb": _series([run.cost.memory for run in runs]),
                "layers": {
                    layer: {"rows": rows, "area_m2": round(area, 3), "length_m": round(length, 3)}
                    for layer, (rows, area, length) in runs[0].sums.items()
                },
            }
            for side, runs in self.runs.items()
        }
        compared = [side for side in self.runs if side != "peer"] if "peer" in self.runs else []
        return {
            "file": self.file.name,
            "bytes": self.file.stat().st_size,
            "sides": sides,
            "ratios": {
                side: {name: _series(values) for name, values in self.ratios(side).items()}
                for side in compared
            },
            "differences": {side: self.differences(side) for side in compared},
        }


def compare(cluster: Cluster, file: Path, sides: Sequence[str], rounds: int) -> Comparison:
    """Run every side `rounds` times over one file; each round turns the order round."""
    comparison = Comparison(file, {side: [] for side in sides})
    for number in range(rounds):
        for side in sides if number % 2 == 0 else reversed(sides):
            run = SIDES[side](cluster, file)
            comparison.runs[side].append(run)
            cost = run.cost
            say(
                f"round {number + 1} of {rounds}, {file.name}, {side}: {cost.wall:.2f} s, CPU {cost.cpu:.2f} s, "
                f"PostgreSQL {cost.server_cpu:.2f} s, {cost.memory:.0f} MB"
            )
    return comparison


def run_peer(cluster: Cluster, file: Path) -> Run:
    """osm2pgsql, then the same indexes as ours by one psql a layer."""
    with cluster.fresh_database("bench_peer") as database:
        environment = peer.load_environment(cluster.owner_url_of(database), peer.write_tables())
        stages = [[peer.load_command(file)], peer.index_commands(FOLDER)]
        cost = measure(stages, environment, cluster.postmaster, FOLDER / "peer.log")
        return Run(cost, read_sums(cluster.superuser_url_of(database), "public"))


def run_ours(cluster: Cluster, file: Path, arguments: Sequence[str]) -> Run:
    """The import as anybody runs it."""
    with cluster.fresh_database("bench_ours") as database:
        command = [TRIGPOINT, *arguments, str(file), "--name", "bench", "--json"]
        log = FOLDER / "ours.log"
        cost = measure([[command]], cluster.environment_of(database), cluster.postmaster, log)
        schema = json.loads(cost.output)["schema"]
        return Run(cost, read_sums(cluster.superuser_url_of(database), schema))


def run_five(cluster: Cluster, file: Path) -> Run:
    """Our side with the peer's layers."""
    return run_ours(cluster, file, OURS_FIVE)


def run_all(cluster: Cluster, file: Path) -> Run:
    """Our side with all layers."""
    return run_ours(cluster, file, OURS_ALL)


def run_plain(cluster: Cluster, file: Path) -> Run:
    """Our side with all layers but the road network."""
    return run_ours(cluster, file, OURS_PLAIN)


SIDES: dict[str, Callable[[Cluster, Path], Run]] = {
    "peer": run_peer,
    "five": run_five,
    "all": run_all,
    "plain": run_plain,
}


def read_sums(url: str, schema: str) -> Sums:
    """Rows, areas and lengths of the five layers."""
    with psycopg.connect(url) as connection:
        sums = {}
        for layer in peer.LAYERS:
            query = sql.SQL(SUMS).format(sql.Identifier(schema), sql.Identifier(layer))
            rows, area, length = connection.execute(query).fetchone() or (0, 0.0, 0.0)
            sums[layer] = (int(rows), float(area), float(length))
        return sums


def report(comparison: Comparison) -> None:
    """A person's reading of one file's figures."""
    figures = comparison.as_json()
    line(f"{figures['file']} ({figures['bytes'] / 1e6:.1f} MB), median of each side:")
    for side, costs in figures["sides"].items():
        wall, cpu, server, memory = (
            costs[key]["median"] for key in ("wall_s", "cpu_s", "postgresql_cpu_s", "memory_mb")
        )
        line(f"  {side:<5} {wall:7.2f} s  CPU {cpu:7.2f} s  PostgreSQL {server:6.2f} s  {memory:5.0f} MB")
    for side, ratios in figures["ratios"].items():
        words = ", ".join(
            f"{name} {values['median']:.2f} ({min(values['rounds']):.2f} to {max(values['rounds']):.2f})"
            for name, values in ratios.items()
        )
        line(f"  {side} / peer: {words}")
        for layer, difference in figures["differences"][side].items():
            off = max(abs(difference["area"]), abs(difference["length"]))
            same = not difference["rows"] and off <= AGREE
            sums = f"rows {difference['rows']:+}, sums off by {off:.1e}"
            line(f"    {layer:<7} {'same rows and sums' if same else sums}")


def _series(values: Sequence[float]) -> dict[str, Any]:
    return {
        "median": round(statistics.median(values), 3),
        "max": round(max(values), 3),
        "rounds": [round(value, 3) for value in values],
    }


def _relative(ours: float, theirs: float) -> float:
    return (ours - theirs) / theirs if theirs else float(ours != 0)


def find_file(copies: int) -> Path:
    """That many copies of the default extract, made once, by one process even where several ask for them."""
    if not DEFAULT.is_file():
        raise UsageError(f"There is no file {DEFAULT}, which the benchmark copies.")
    file = FOLDER / f"{DEFAULT.name.removesuffix('.osm.pbf')}-x{copies}.osm.pbf"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "copies.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.is_file():
            make_copies(copies, DEFAULT, file)
    return file


def run_all_files(options: argparse.Namespace) -> Mapping[str, Any]:
    """Compare over the files that the options ask for; gives the JSON of the last line."""
    sides = options.sides.split(",")
    if unknown := set(sides) - SIDES.keys():
        raise UsageError(f"There is no side {', '.join(sorted(unknown))}. Sides are {', '.join(SIDES)}.")
    peer.find_program()
    if options.single:
        files = {"single": DEFAULT}
    elif options.scale:
        files = {str(copies): find_file(copies) for copies in SCALE}
    else:
        files = {str(options.copies): find_file(options.copies)}
    results = {}
    with running_cluster() as cluster:
        for name, file in files.items():
            comparison = compare(cluster, file, sides, options.rounds)
            report(comparison)
            results[name] = comparison.as_json()
    return {"benchmark": "import", "rounds": options.rounds, "copies": results}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence."""
    parser = argparse.ArgumentParser(prog="scripts/bench-import", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--copies", type=int, default=30, help="copies of Liechtenstein in the map (30)")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each side (7)")
    parser.add_argument("--sides", default="peer,five,all", help="who runs (peer,five,all)")
    parser.add_argument("--only-five", dest="sides", action="store_const", const="peer,five")
    parser.add_argument("--scale", action="store_true", help="1, 10 and 30 copies")
    parser.add_argument("--single", action="store_true", help="one real Liechtenstein, start-up included")
    options = parser.parse_args(arguments)
    try:
        result = run_all_files(options)
    except TrigpointError as error:
        say(f"bench-import: {error}")
        return error.exit_code
    line(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
