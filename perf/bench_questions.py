"""Benchmarks: how fast GS-QA's questions are made and proved, by template and stage, on copies of Liechtenstein.

Imports the copies and a facts file into a private cluster with production's settings, makes a version, stores it and
verifies it; then asks each template's tuples one by one and as a batch, in turn, and looks at both plans. Another
benchmark gets no facts; --plant adds charging stations to the copies, for evgeoqa.
usage: scripts/bench-questions [--benchmark NAME] [--copies N | --scale] [--plant N] [--templates T1,T2] [--bank B]
       [--per-template P] [--rounds R]
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection

from app.cli.output import line, say
from app.core.clock import SystemClock
from app.core.errors import ImportFailed, TrigpointError, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions.generating import Generated, Recipe, generate
from app.questions.instantiate import ask_batch, ask_single, types_used
from app.questions.snapshots import find_snapshots_with_facts
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.text_registers import WANTED
from app.questions.verification import Verification
from app.questions.verifying import verify
from app.templates.catalogue import Benchmark, find_benchmark
from app.templates.phrasings import PRECISE
from app.templates.templates import Template
from osm_import.planting import plant
from perf.bench_import import SCALE, find_file
from perf.cluster import Cluster, running_cluster
from perf.copies import DEFAULT, make_facts, read_original
from perf.plans import plan_faults
from perf.serving import TRIGPOINT
from perf.stages import ALL, PROVING, Stages

NAME = "bench"
WITH_FACTS = "gsqa"
"""The benchmark whose questions are about facts."""
PLANTED = "charging_station"
PLANNED_TUPLES = 256
"""Tuples of the batch whose plan is looked at: as many as generation asks at once."""

Binds = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Forms:
    """Seconds for the same tuples of a template, round by round: each asked alone, and all at once."""

    tuples: int
    one_by_one: Sequence[float]
    batch: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """How many times longer one by one takes, round by round."""
        return [alone / together for alone, together in zip(self.one_by_one, self.batch, strict=True)]

    def as_json(self) -> dict[str, Any]:
        """Milliseconds a tuple, and the ratios."""
        scale = 1000 / self.tuples
        return {
            "tuples": self.tuples,
            "one_by_one_ms": round(statistics.median(self.one_by_one) * scale, 4),
            "batch_ms": round(statistics.median(self.batch) * scale, 4),
            "ratio": {
                "median": round(statistics.median(self.ratios), 3),
                "min": round(min(self.ratios), 3),
                "rounds": [round(ratio, 3) for ratio in self.ratios],
            },
        }


@dataclass
class Measured:
    """All figures of one map."""

    copies: int
    walls: dict[str, float]
    """Seconds of wall by step: import, generate, store, load, verify."""
    stages: Stages
    reports: Mapping[str, Mapping[str, Any]]
    """By template: capacity, accepted, selected, refused by reason."""
    verified: Mapping[str, Any]
    values: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By template and parameter: how many different values its questions have."""
    forms: dict[str, Forms] = field(default_factory=dict)
    plans: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """By template whose plans are faulty: what is wrong with each form."""

    @property
    def seconds(self) -> float:
        """Wall from the first tuple to the last proof."""
        return sum(seconds for step, seconds in self.walls.items() if step != "import")

    def template(self, name: str) -> dict[str, Any]:
        """The figures of one template."""
        stages = self.stages.of(name)
        proving = sum(stages.get(stage, 0.0) for stage in PROVING)
        making = sum(stages.values()) - proving
        report = self.reports[name]
        rates = {
            "accepted_a_second": _rate(report["accepted"], making),
            "proved_a_second": _rate(report["selected"], making + proving),
        }
        forms = {"forms": self.forms[name].as_json()} if name in self.forms else {}
        faults = {"plan_faults": self.plans[name]} if name in self.plans else {}
        values = {"values": self.values.get(name, {})}
        return {**report, **values, "seconds": _rounded(stages), **rates, **forms, **faults}

    def as_json(self) -> dict[str, Any]:
        """Every figure."""
        return {
            "copies": self.copies,
            "seconds": round(self.seconds, 3),
            "steps": _rounded(self.walls),
            "stages": _rounded(self.stages.of(ALL)),
            "questions": self.verified["questions"],
            "failures": len(self.verified["failures"]),
            "templates": {name: self.template(name) for name in self.reports},
        }

    @property
    def sound(self) -> bool:
        """Whether every question was proved and every plan is good."""
        return self.verified["questions"] > 0 and not self.verified["failures"] and not self.plans


def _rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in seconds.items()}


def _rate(questions: int, seconds: float) -> float:
    return round(questions / seconds, 2) if seconds > 0 else 0.0


def settings_of(cluster: Cluster, database: str) -> Settings:
    """Settings that lead the product's own code to a database of the cluster."""
    values = cluster.environment_of(database)
    return Settings.load().model_copy(
        update={
            "database_url": values["TRIGPOINT_DATABASE_URL"],
            **{
                f"password_{role.value}": SecretStr(values[f"TRIGPOINT_PASSWORD_{role.value.upper()}"])
                for role in (Role.WORKER, Role.MAINTAINER, Role.READER)
            },
        }
    )


def find_facts(copies: int) -> Path:
    """The facts file of that many copies, made once."""
    file = find_file(copies)
    facts = file.with_name(file.name.removesuffix(".osm.pbf") + ".facts.jsonl")
    if not facts.is_file():
        facts.write_text("".join(make_facts(copies, read_original(DEFAULT))), encoding="utf-8")
    return facts


def find_planted(copies: int, number: int) -> Path:
    """That many copies with so many charging stations planted on all of them together, made once."""
    source = find_file(copies)
    target = source.with_name(f"{source.name.removesuffix('.osm.pbf')}-planted-{number}.osm.pbf")
    if not target.is_file():
        plant(source, target, PLANTED, number, 1)
    return target


def prepare_map(cluster: Cluster, database: str, copies: int) -> float:
    """Import the copies and their facts; gives the seconds of the import."""
    seconds = import_copies(cluster, database, copies)
    run_command(["facts", "load", str(find_facts(copies))], cluster.environment_of(database))
    return seconds


def import_copies(cluster: Cluster, database: str, copies: int) -> float:
    """Import the copies; gives the seconds that this takes."""
    return import_file(cluster, database, find_file(copies))


def import_file(cluster: Cluster, database: str, file: Path) -> float:
    """Import a file; gives the seconds that this takes."""
    started = time.perf_counter()
    run_command(["import", str(file), "--name", NAME], cluster.environment_of(database))
    return time.perf_counter() - started


def run_command(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run `trigpoint ARGUMENTS` to its end; what it wrote to stdout. Raises ImportFailed where it fails."""
    done = subprocess.run(
        [TRIGPOINT, *arguments], env=dict(environment), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ImportFailed(f"trigpoint {arguments[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def measure_map(
    settings: Settings, benchmark: Benchmark, copies: int, options: argparse.Namespace
) -> Measured:
    """Make, store, load and verify a version of the map in that database; then compare forms and look at plans."""
    walls: dict[str, float] = {}
    stages = Stages()
    with stages.watching():
        with connect(settings, Role.WORKER) as connection:
            snapshots = find_snapshots_with_facts(connection, [NAME])
            recipe = Recipe(
                benchmark,
                snapshots,
                0,
                options.bank,
                options.per_template,
                0.0,
                register=options.register,
            )
            with _timed(walls, "generate"):
                generated = generate(connection, recipe, _teller())
            with _timed(walls, "store"):
                version = store(connection, NAME, 1, generated, SystemClock())
                connection.commit()
        with connect(settings, Role.MAINTAINER) as connection:
            with _timed(walls, "load"):
                questions = load_questions(connection, version)
            with _timed(walls, "verify"):
                verified = verify(connection, questions, lambda done: None)
    measured = Measured(
        copies,
        walls,
        stages,
        {name: one.as_json() for name, one in generated.reports.items()},
        asdict(verified),
        count_values(generated),
    )
    _say_failures(verified)
    with connect(settings, Role.WORKER) as connection:
        use_schema(connection, snapshots[0].schema)
        for name, binds in binds_by_template(generated).items():
            template = benchmark.templates[name]
            if faults := plan_faults(connection, template, binds[:PLANNED_TUPLES]):
                measured.plans[name] = faults
            if options.rounds:
                measured.forms[name] = compare_forms(
                    connection, template, binds[: options.tuples], options.rounds
                )
    return measured


@contextmanager
def _timed(walls: dict[str, float], step: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    walls[step] = time.perf_counter() - started
    say(f"{step}: {walls[step]:.1f} s")


def _teller() -> Callable[[str, str, int, int], None]:
    told: set[str] = set()

    def tell(snapshot: str, template: str, tried: int, accepted: int) -> None:
        if template not in told:
            told.add(template)
            say(f"{template} on {snapshot}")

    return tell


def _say_failures(verified: Verification) -> None:
    for failure in verified.failures[:5]:
        say(f"{failure.template} {failure.id} fails by {failure.path}: {failure.expected} / {failure.got}")


def count_values(generated: Generated) -> dict[str, dict[str, int]]:
    """By template and parameter: how many different values its questions have."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in generated.records:
        for name, value in record.parameters.items():
            found[record.template][name].add(json.dumps(value, sort_keys=True))
    return {
        template: {name: len(values) for name, values in parameters.items()}
        for template, parameters in found.items()
    }


def binds_by_template(generated: Generated) -> dict[str, Binds]:
    """The binds of every question, by template, as they are stored with its proof."""
    binds: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for record in generated.records:
        binds[record.template].append(record.binds)
    return dict(binds)


def compare_forms(connection: Connection, template: Template, binds: Binds, rounds: int) -> Forms:
    """Ask for the same tuples in both forms; each round turns the order round. One round before them is not counted."""
    types = types_used(template.header, template.body)

    def alone() -> None:
        for one in binds:
            ask_single(connection, template.body, types, one)

    def together() -> None:
        ask_batch(connection, template.body, types, binds)

    forms = {"one": alone, "batch": together}
    seconds: dict[str, list[float]] = {name: [] for name in forms}
    for number in range(rounds + 1):
        for name in forms if number % 2 else reversed(forms):
            started = time.perf_counter()
            forms[name]()
            if number:
                seconds[name].append(time.perf_counter() - started)
    return Forms(len(binds), seconds["one"], seconds["batch"])


def report(measured: Measured) -> None:
    """A person's reading of one map's figures."""
    figures = measured.as_json()
    steps = ", ".join(f"{step} {seconds:.1f} s" for step, seconds in figures["steps"].items())
    line(
        f"{measured.copies} copies: {figures['questions']} questions made and proved in {figures['seconds']:.1f} s "
        f"({steps}); {figures['failures']} failures"
    )
    shared = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in figures["stages"].items())
    line(f"  for all templates at once: {shared}")
    line("  template  accepted   refused  made/s  proved/s  one by one / batch  seconds by stage")
    for name, one in figures["templates"].items():
        forms = one.get("forms")
        ratio = f"{forms['ratio']['median']:.2f} (least {forms['ratio']['min']:.2f})" if forms else "-"
        stages = ", ".join(
            f"{stage} {seconds:.1f}" for stage, seconds in one["seconds"].items() if seconds > 0.05
        )
        line(
            f"  {name:<8}  {one['accepted']:>8}  {sum(one['refused'].values()):>8}  {one['accepted_a_second']:>6.1f}"
            f"  {one['proved_a_second']:>8.1f}  {ratio:<18}  {stages}"
        )
        for form, faults in one.get("plan_faults", {}).items():
            line(f"    plan of the form {form}: {', '.join(faults)}")


def growth(maps: Sequence[Measured]) -> dict[str, dict[str, float]]:
    """By template and number of copies: milliseconds of a question made and proved."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for measured in maps:
        for name, one in measured.reports.items():
            if one["selected"]:
                seconds = sum(measured.stages.of(name).values())
                found[name][str(measured.copies)] = round(1000 * seconds / one["selected"], 3)
    return dict(found)


def report_growth(by_template: Mapping[str, Mapping[str, float]]) -> None:
    """How a question's time grows with the map."""
    line("Milliseconds of a question made and proved, by copies:")
    for name, by_copies in by_template.items():
        line(f"  {name:<8}  " + "  ".join(f"x{copies} {each:8.2f}" for copies, each in by_copies.items()))


def chosen_benchmark(names: str | None, name: str = "gsqa") -> Benchmark:
    """A benchmark, or those of its templates that are named; raises UsageError for one that it lacks."""
    benchmark = find_benchmark(name)
    if names is None:
        return benchmark
    wanted = names.split(",")
    if absent := [one for one in wanted if one not in benchmark.templates]:
        raise UsageError(
            f"{name} has no template {', '.join(absent)}. There are {', '.join(benchmark.templates)}."
        )
    return replace(benchmark, templates={one: benchmark.templates[one] for one in wanted})


def _import(cluster: Cluster, database: str, copies: int, options: argparse.Namespace) -> float:
    if options.benchmark == WITH_FACTS:
        return prepare_map(cluster, database, copies)
    file = find_planted(copies, options.plant) if options.plant else find_file(copies)
    return import_file(cluster, database, file)


def run_all_maps(options: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """Measure the maps that the options ask for; gives the JSON of the last line, and whether all is sound."""
    benchmark = chosen_benchmark(options.templates, options.benchmark)
    maps = []
    with running_cluster() as cluster:
        for copies in SCALE if options.scale else (options.copies,):
            with cluster.fresh_database("bench_questions") as database:
                imported = _import(cluster, database, copies, options)
                say(f"{copies} copies: imported in {imported:.1f} s")
                measured = measure_map(settings_of(cluster, database), benchmark, copies, options)
                measured.walls = {"import": imported, **measured.walls}
                report(measured)
                maps.append(measured)
    by_copies = growth(maps)
    if len(maps) > 1:
        report_growth(by_copies)
    result = {
        "benchmark": "questions",
        "of": options.benchmark,
        "bank": options.bank,
        "per_template": options.per_template,
        "rounds": options.rounds,
        "copies": {str(one.copies): one.as_json() for one in maps},
        "growth_ms": by_copies,
    }
    return result, all(one.sound for one in maps)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence. Exit 1 where a question is not proved or a plan reads a layer whole."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench-questions", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--benchmark", default=WITH_FACTS, help=f"whose questions ({WITH_FACTS})")
    parser.add_argument("--copies", type=int, default=30, help="copies of Liechtenstein in the map (30)")
    parser.add_argument("--scale", action="store_true", help="1, 10 and 30 copies")
    parser.add_argument(
        "--plant", type=int, default=0, help="charging stations planted on the copies (0); not for gsqa"
    )
    parser.add_argument("--templates", help="only these, such as T1,T2 (all)")
    parser.add_argument("--bank", type=int, default=1000, help="accepted questions a template (1000)")
    parser.add_argument("--per-template", type=int, default=1000, help="questions a template taken (1000)")
    parser.add_argument(
        "--register", choices=WANTED, default=PRECISE, help=f"the register of the texts ({PRECISE})"
    )
    parser.add_argument("--rounds", type=int, default=5, help="turns of one by one and batch; 0 for none (5)")
    parser.add_argument(
        "--tuples",
        type=int,
        default=1000,
        help="tuples a turn (1000, about as many as generation asks at once)",
    )
    options = parser.parse_args(arguments)
    try:
        result, sound = run_all_maps(options)
    except TrigpointError as error:
        say(f"bench-questions: {error}")
        return error.exit_code
    line(json.dumps(result))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
