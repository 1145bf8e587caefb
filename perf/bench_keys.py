"""Benchmarks: how many hidden answers can be worked out from what is public, by template.

Imports copies of Liechtenstein and Helsinki into a private cluster and makes questions of both benchmarks, half of them
hidden. One attacker draws again what public numbers decide (perf/replaying.py), another learns from public questions
that share no object with the hidden one, copies counted as originals (perf/learning.py, perf/learning_values.py).
Exit 1 where either is right by more than --margin above chance, or above what `random` is expected to have.

With `--benchmarks evgeoqa` it makes questions on Liechtenstein with planted charging stations. There the attacker names
the nearest stations of public keys (perf/learning_stations.py); who knows nothing names any three of these.
usage: scripts/bench-keys [--public-draws] [--benchmarks NAMES]
"""

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.cli.output import line, say
from app.core.clock import SystemClock
from app.core.errors import TrigpointError, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect, use_service_tables
from app.questions.drawing import OptionsWanted
from app.questions.generating import Generated, Recipe, generate
from app.questions.records import QuestionRecord
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from app.scores.aggregating import Part
from app.scores.expectations import Judged, expected_value
from app.scores.registry import get_scorer
from app.solvers.random import distributions
from app.templates.catalogue import find_benchmark
from osm_import.planting import plant
from perf.bench_attacks import BESIDE, digits_of, original_of
from perf.bench_import import find_file
from perf.bench_questions import NAME, import_copies, run_command, settings_of
from perf.cluster import running_cluster
from perf.copies import DEFAULT
from perf.learning import Known, guess_hidden
from perf.learning_stations import Stop, name_any, name_nearest
from perf.learning_values import Open, score_hidden
from perf.replaying import Posed, guess_again

SECRET = "0123456789abcdef" * 4
"""A secret that this benchmark alone knows, so that it gives the same figures again."""
HIDDEN = 0.5
GROUPS = 6
"""In how many parts hidden questions of a map are attacked, each by what shares no object with the part."""
BENCHMARKS = ("urban_knowledge", "gsqa")
STATIONS = "evgeoqa"
"""The benchmark whose answers are stations; it is attacked only if it is asked for."""
PLANTED = ("charging_station", 120, 1)
"""Class, number and seed of the stations on its map."""


@dataclass
class Attacked:
    """Hidden questions of one template, and what the attackers have of them: each a share of 1 a question."""

    replayed: list[float] = field(default_factory=list)
    learnt: list[float] = field(default_factory=list)
    free: list[float] = field(default_factory=list)
    """What one has who knows nothing: chance, or what `random` is expected to have."""

    def __add__(self, other: "Attacked") -> "Attacked":
        return Attacked(self.replayed + other.replayed, self.learnt + other.learnt, self.free + other.free)

    def as_json(self) -> dict[str, Any]:
        """Percentages with a decimal."""
        means = {name: _percent(values) for name, values in vars(self).items() if values}
        return {"n": len(self.free), **means}

    def over(self) -> float:
        """By how much the better attacker is above who knows nothing."""
        return max(math.fsum(values) / len(values) for values in (self.replayed, self.learnt) if values) - (
            math.fsum(self.free) / len(self.free)
        )


def _percent(values: Sequence[float]) -> float:
    return round(100 * math.fsum(values) / len(values), 1)


def objects_of(record: QuestionRecord, digits: int) -> frozenset[str]:
    """The map objects of a question: asked about, in gold, and in wrong options; copies count as originals."""
    told: list[Any] = [record.parameters, record.gold, record.distractors or []]
    return frozenset(original_of(key, digits) for key in _keys_in(told))


def _keys_in(told: Any) -> Iterable[str]:
    if isinstance(told, Mapping):
        told = [*told.values()]
    if isinstance(told, str):
        yield from (part for part in told.split() if part[:1] in ("n", "w", "r") and part[1:].isdecimal())
    elif isinstance(told, Sequence):
        for one in told:
            yield from _keys_in(one)


def attack_options(
    made: Mapping[str, Sequence[QuestionRecord]], seed: int, digits: int
) -> dict[str, Attacked]:
    """By template what both attackers have of hidden questions with options; `made` holds the questions of each map."""
    templates = find_benchmark("urban_knowledge").templates
    by_template: dict[str, list[Known]] = defaultdict(list)
    for place, records in made.items():
        for one in records:
            by_template[one.template].append(
                Known(
                    one.id,
                    one.template,
                    one.options or (),
                    one.gold["index"],
                    one.split == "hidden",
                    frozenset(f"{place} {key}" for key in objects_of(one, digits)),
                    place,
                )
            )
    found = {}
    for name in templates:
        ratio = templates[name].header.margins.get("length_ratio", 0.0)
        learnt = guess_hidden(by_template[name], seed, ratio, GROUPS)
        hidden = [one for one in by_template[name] if one.is_hidden]
        again = [guess_again(Posed(one.id, name, one.options), seed, ratio) for one in hidden]
        found[name] = Attacked(
            [float(guess == one.key) for guess, one in zip(again, hidden, strict=True)],
            [float(learnt[one.id] == one.key) for one in hidden],
            [1 / len(one.options) for one in hidden],
        )
        say(f"{name}: {found[name].as_json()}")
    return {name: one for name, one in found.items() if one.free}


def attack_values(
    made: Mapping[str, Sequence[QuestionRecord]], expected: Mapping[str, float], digits: int
) -> dict[str, Attacked]:
    """Likewise of hidden questions without options; `expected` is what `random` has of each. No draw makes these."""
    by_template: dict[str, list[Open]] = defaultdict(list)
    for place, records in made.items():
        for one in records:
            keys = frozenset(f"{place} {key}" for key in objects_of(one, digits))
            scorer, is_hidden = get_scorer(one.scorer), one.split == "hidden"
            by_template[one.template].append(
                Open(one.id, one.text, one.answer_type, one.gold, scorer, is_hidden, keys, place)
            )
    found = {}
    for name, questions in sorted(by_template.items(), key=lambda item: int(item[0][1:])):
        scores = score_hidden(questions, GROUPS)
        found[name] = Attacked([], [*scores.values()], [expected[id_] for id_ in scores])
        say(f"{name}: {found[name].as_json()}")
    return {name: one for name, one in found.items() if one.free}


def make(settings: Settings, name: str, place: str, each: int, options: argparse.Namespace) -> Generated:
    """So many questions a template of a benchmark on one map, half of them hidden."""
    with connect(settings, Role.WORKER) as connection:
        recipe = Recipe(
            find_benchmark(name),
            find_snapshots(connection, [place]),
            options.seed,
            each,
            each,
            HIDDEN,
            wanted=OptionsWanted("hard"),
            secret_draws=not options.public_draws,
            secret=None if options.public_draws else SECRET,
        )
        generated = generate(connection, recipe, lambda *told: None)
    say(f"{name} on {place}: {len(generated.records)} questions")
    return generated


def expect_random(settings: Settings, generated: Generated) -> dict[str, float]:
    """By hidden question the mean score of `random`, for which the version is written, and taken back."""
    recipe = replace(generated.recipe, secret_draws=True, secret=SECRET)
    with connect(settings, Role.WORKER) as connection:
        version = store(connection, "attacked", 1, replace(generated, recipe=recipe), SystemClock())
        use_service_tables(connection)
        answers = distributions(connection, version.id)
        connection.rollback()
    judged = [
        Judged(Part(one.id, one.template, True), get_scorer(one.scorer), one.gold, None)
        for one in generated.records
        if one.split == "hidden"
    ]
    return {one.part.question_id: expected_value(one, answers[one.part.question_id]) for one in judged}


def run(options: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """Make the questions and attack them; gives the JSON, and whether nobody has more than is allowed."""
    if not options.beside.is_file():
        raise UsageError(
            f"There is no file {options.beside}. Fetch it with scripts/extract, or name another."
        )
    with running_cluster() as cluster, cluster.fresh_database("bench_keys") as database:
        settings = settings_of(cluster, database)
        if STATIONS in options.benchmarks:
            return run_stations(settings, cluster.environment_of(database), options)
        digits = digits_of(find_file(options.copies))
        import_copies(cluster, database, options.copies)
        run_command(["import", str(options.beside), "--name", "beside"], cluster.environment_of(database))
        sizes = {"urban_knowledge": options.each, "gsqa": options.each_open}
        made = {
            name: {place: make(settings, name, place, sizes[name], options) for place in (NAME, "beside")}
            for name in options.benchmarks
        }
        expected: dict[str, float] = {}
        for one in made.get("gsqa", {}).values():
            expected |= expect_random(settings, one)
    result: dict[str, Any] = {"benchmark": "keys", "public_draws": options.public_draws, "seed": options.seed}
    sound = True
    for name, ones in made.items():
        records = {place: one.records for place, one in ones.items()}
        found = (
            attack_values(records, expected, digits)
            if name == "gsqa"
            else attack_options(records, options.seed, digits)
        )
        whole = sum(found.values(), Attacked())
        sound &= whole.over() <= options.margin
        result[name] = {
            "all": whole.as_json(),
            "templates": {template: one.as_json() for template, one in found.items()},
        }
    return result, sound


def run_stations(
    settings: Settings, environment: Mapping[str, str], options: argparse.Namespace
) -> tuple[dict[str, Any], bool]:
    """The same for the benchmark whose answers are stations, on a map of its own."""
    with TemporaryDirectory(prefix="bench-keys-") as folder:
        file = Path(folder) / "planted.osm.pbf"
        plant(DEFAULT, file, *PLANTED)
        run_command(["import", str(file), "--name", "planted"], environment)
    made = make(settings, STATIONS, "planted", options.each_open, options)
    attacked = attack_stations(made.records, options.seed)
    figures = {"all": attacked.as_json(), "templates": {}}
    result = {"benchmark": "keys", "seed": options.seed, STATIONS: figures}
    return result, attacked.over() <= options.margin


def attack_stations(records: Sequence[QuestionRecord], seed: int) -> Attacked:
    """What the attacker has of hidden questions for stations, and who names any three stations of public keys."""
    stops = [
        Stop(
            one.id,
            (one.gold["user"]["lon"], one.gold["user"]["lat"]),
            one.parameters["activity"],
            one.gold["stations"],
            one.split == "hidden",
        )
        for one in records
    ]
    golds = {one.id: (get_scorer(one.scorer), one.gold) for one in records}
    learnt, free = (
        [golds[id_][0].judge(answer, golds[id_][1], None).value for id_, answer in answers.items()]
        for answers in (name_nearest(stops), name_any(stops, seed))
    )
    return Attacked([], learnt, free)


def report(result: Mapping[str, Any]) -> None:
    """A person's reading of the figures."""
    for name in (one for one in (*BENCHMARKS, STATIONS) if one in result):
        line(f"{name}: template, hidden questions, drawn again %, learnt %, for nothing %")
        for template, one in [*result[name]["templates"].items(), ("all", result[name]["all"])]:
            line(f"  {template}: {one['n']}, {one.get('replayed', '-')}, {one['learnt']}, {one['free']}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence."""
    parser = argparse.ArgumentParser(prog="scripts/bench-keys", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--copies", type=int, default=4, help="copies of Liechtenstein in the map (4)")
    parser.add_argument(
        "--beside", type=Path, default=BESIDE, help=f"the other extract (.local/extracts/{BESIDE.name})"
    )
    parser.add_argument(
        "--each", type=int, default=300, help="questions a template and map that have options (300)"
    )
    parser.add_argument(
        "--each-open", type=int, default=40, help="questions a template and map that have none (40)"
    )
    parser.add_argument("--seed", type=int, default=3, help="of the data sets (3)")
    parser.add_argument(
        "--public-draws",
        action="store_true",
        help="draw options without a secret: what the attack is worth then",
    )
    parser.add_argument(
        "--benchmarks",
        type=lambda names: names.split(","),
        default=list(BENCHMARKS),
        help="of these (urban_knowledge,gsqa), or evgeoqa alone",
    )
    parser.add_argument("--margin", type=float, default=0.05, help="what attackers may have more (0.05)")
    options = parser.parse_args(arguments)
    try:
        result, sound = run(options)
    except TrigpointError as error:
        say(f"bench-keys: {error}")
        return error.exit_code
    report(result)
    line(json.dumps(result))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
