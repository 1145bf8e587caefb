"""Benchmarks: how often a guess without a map is right, by template of a benchmark with options.

Imports copies of Liechtenstein, and Helsinki or other maps, into a private cluster and makes questions of them, with
one seed after the other (which draws other options, and other tuples where there are more), until there are enough;
then tries the ten attacks of `options_only` and those of perf/attacks.py, chosen on one half and tested on the other.
Exit 1 where the best of the ten may be right more often than chance by --above. That a question cannot be answered is
no option here: attackers know that it is hardly ever right. usage: scripts/bench-attacks [--templates A,B]
"""

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import osmium

from app.cli.output import line, say
from app.core.errors import BadExtract, Conflict, TrigpointError, UsageError
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.questions.dials import read_dials
from app.questions.drawing import OptionsWanted
from app.questions.generating import Recipe, generate
from app.questions.gold import NO_ANSWER, VALUE
from app.questions.pictures.engines import engine_of
from app.questions.prompts import prompt_as_text
from app.questions.records import QuestionRecord
from app.questions.snapshots import find_snapshots
from app.questions.text_registers import MIXED, WANTED
from app.routing.apart import RoutersApart
from app.routing.processes import stop_routers
from app.templates.catalogue import Benchmark
from perf.attacks import (
    Shown,
    guess_by_each,
    guess_by_more,
    guess_ten,
    halves_of,
    hits_of,
    hits_of_best,
    position_p_value,
    rate_of,
)
from perf.bench_import import find_file
from perf.bench_questions import NAME, chosen_benchmark, import_copies, run_command, settings_of
from perf.cluster import running_cluster
from perf.unproved import without_proofs

BESIDE = PROJECT_ROOT / ".local" / "extracts" / "Helsinki.osm.pbf"
"""What `scripts/extract` fetches: the second map."""
OSM_KEY = re.compile(r"[nwr]\d+")
INTERVAL = "upper end of Wilson's two-sided 95 % interval"


@dataclass
class Made:
    """Questions of one template, and what became of the tuples that were tried."""

    shown: list[Shown] = field(default_factory=list)
    capacity: int = 0
    """Of one seed."""
    seeds: int = 0
    refused: Counter[str] = field(default_factory=Counter)


def original_of(osm_key: str, digits: int) -> str:
    """The object that a copy is of: n12345678901 is the first copy of n2345678901, with 10 digits."""
    return f"{osm_key[0]}{int(osm_key[1:][-digits:])}"


def digits_of(file: Path) -> int:
    """How many digits of a copy's ids are the original's: the first object of the file is of the first copy."""
    for first in osmium.FileProcessor(str(file)):
        return len(str(first.id)) - 1
    raise BadExtract(f"{file.name} holds no objects.")


def shown_of(record: QuestionRecord, seed: int, digits: int) -> Shown:
    """A question as attackers see it; its subject is that of the original, or the key where it is of several.

    That of a question about a picture is the picture's frame.
    """
    value = next(iter(record.parameters.values()))
    keys = value.split() if isinstance(value, str) else value
    asked = " ".join(sorted(original_of(key, digits) if OSM_KEY.fullmatch(key) else key for key in keys))
    right = record.gold.get("objects")
    subject = original_of(right[0], digits) if right and not isinstance(value, str) else asked
    options = [one for one in record.options or () if one != NO_ANSWER]
    text = prompt_as_text(record.prompt)
    return Shown(f"{record.id} {seed}", text, options, record.gold["index"], subject, asked)


def make_questions(
    settings: Settings, benchmark: Benchmark, options: argparse.Namespace, digits: int
) -> dict[str, Made]:
    """By template as many questions as are wanted, or all that the map gives with so many seeds."""
    made: dict[str, Made] = {name: Made() for name in benchmark.templates}
    short = set(made)
    for seed in range(options.seeds):
        if short:
            _add_questions(settings, _only(benchmark, short), made, options, seed, digits)
        short = {name for name in short if 0 < len(made[name].shown) < options.questions}
    return made


def _only(benchmark: Benchmark, names: set[str]) -> Benchmark:
    return replace(
        benchmark, templates={name: one for name, one in benchmark.templates.items() if name in names}
    )


def _add_questions(
    settings: Settings,
    benchmark: Benchmark,
    made: dict[str, Made],
    options: argparse.Namespace,
    seed: int,
    digits: int,
) -> None:
    wanted = options.questions
    with connect(settings, Role.WORKER) as connection:
        snapshots = find_snapshots(connection, [NAME, *_named(options.beside)])
        recipe = Recipe(
            benchmark,
            snapshots,
            seed,
            math.ceil(wanted / len(snapshots)),
            wanted,
            0.0,
            wanted=OptionsWanted(options.variant),
            register=None if options.unproved else options.register,
            drawing=engine_of(benchmark),
            dials=read_dials(None, None, options.nearness_km, None),
        )
        routers = RoutersApart(settings, Role.WORKER)
        try:
            with without_proofs() if options.unproved else nullcontext():
                generated = generate(connection, recipe, lambda *progress: None, routers)
        except Conflict as none:
            say(str(none))
            return
    for name, report in generated.reports.items():
        made[name].capacity, made[name].seeds = report.capacity, seed + 1
        made[name].refused.update(report.refused)
    for record in generated.records:
        if record.gold_kind == VALUE and len(shown := made[record.template].shown) < wanted:
            shown.append(shown_of(record, seed, digits))
    say(f"seed {seed}: " + ", ".join(f"{name} {len(made[name].shown)}" for name in generated.reports))


def _named(beside: Sequence[Path]) -> dict[str, Path]:
    """The maps beside the copies, by the names that they are imported under."""
    return {f"beside_{number}": file for number, file in enumerate(beside, 1)}


@contextmanager
def _own_routers(settings: Settings) -> Iterator[Settings]:
    """The settings with a folder of their own for routers, which end with the block."""
    with TemporaryDirectory() as folder:
        own = settings.model_copy(update={"local_dir": Path(folder)})
        try:
            yield own
        finally:
            stop_routers(own)


def attack(made: Made, above: float) -> dict[str, Any]:
    """The figures of one template; only counts where it has fewer than 20 questions.

    Attacks compare options by their places: where numbers of options differ, the most frequent number counts.
    """
    ((size, _), *_) = Counter(len(one.options) for one in made.shown).most_common(1) or [(0, 0)]
    shown = [one for one in made.shown if len(one.options) == size]
    limit = above + 1 / max(size, 1)
    counts = {
        "n": len(shown),
        "options": size,
        "subjects": len({one.subject for one in shown}),
        "seeds": made.seeds,
        "tuples": made.capacity,
        "refused": dict(made.refused.most_common()),
        "limit": round(limit, 4),
    }
    if len(shown) < 20:
        return {**counts, "passes": None}
    subjects = [one.subject for one in shown]
    halves = halves_of(shown)
    ten = {name: hits_of(shown, guesses) for name, guesses in guess_by_each(shown, halves).items()}
    more = {name: hits_of(shown, guesses) for name, guesses in guess_by_more(shown, halves).items()}
    best_of_ten, by = hits_of_best(ten, halves)
    best = rate_of(best_of_ten, subjects)
    best_of_all, names = hits_of_best({**ten, **more}, halves)
    guesses, used = guess_ten(shown)
    solver = rate_of(hits_of(shown, guesses), subjects)
    return {
        **counts,
        "best_of_ten": {"by": by, **best.as_json()},
        "options_only": {"by": dict(used.most_common()), **solver.as_json()},
        "best_of_all": {"by": names, **rate_of(best_of_all, subjects).as_json()},
        "ten": {name: round(sum(hits) / len(shown), 4) for name, hits in ten.items()},
        "more": {name: round(sum(hits) / len(shown), 4) for name, hits in more.items()},
        "positions": dict(sorted(Counter(one.key for one in shown).items())),
        "positions_p": round(position_p_value(shown), 4),
        "passes": best.bound <= limit,
    }


def report(figures: Mapping[str, Mapping[str, Any]], wanted: int) -> None:
    """A person's reading of the figures."""
    line(
        f"template: n (subjects; effective n), best of ten, {INTERVAL}, the same by subjects; best of all attacks"
    )
    for name, one in figures.items():
        if one["passes"] is None:
            line(f"  {name}: {one['n']} questions are too few; refused: {one['refused']}")
            continue
        ten, every = one["best_of_ten"], one["best_of_all"]
        above = "" if one["passes"] else f"  ABOVE {100 * one['limit']:.1f} %"
        fewer = "" if one["n"] >= wanted else f" (all of {one['tuples']} tuples, {one['seeds']} seeds)"
        line(
            f"  {name}: {one['n']}{fewer} ({one['subjects']}; {ten['effective_n']}), "
            f"{100 * ten['rate']:.1f} % by {' or '.join(dict.fromkeys(ten['by']))}, {100 * ten['upper_95']:.1f} %, "
            f"{100 * ten['clustered_upper_95']:.1f} %; {100 * every['rate']:.1f} % by "
            f"{' or '.join(dict.fromkeys(every['by']))}, {100 * every['upper_95']:.1f} %; "
            f"key positions p {one['positions_p']:.3f}{above}"
        )
    failing = [name for name, one in figures.items() if one["passes"] is False]
    line(f"Above the limit: {', '.join(failing) or 'none'}.")


def run(options: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """Make the questions that the options ask for and attack them; gives the JSON, and whether all stay below."""
    benchmark = chosen_benchmark(options.templates, options.benchmark)
    options.beside = [BESIDE] if options.beside is None else options.beside
    for file in options.beside:
        if not file.is_file():
            raise UsageError(f"There is no file {file}. Fetch it with scripts/extract, or name another.")
    digits = digits_of(find_file(options.copies))
    with running_cluster() as cluster, cluster.fresh_database("bench_attacks") as database:
        say(f"{options.copies} copies: imported in {import_copies(cluster, database, options.copies):.1f} s")
        for name, file in _named(options.beside).items():
            run_command(["import", str(file), "--name", name], cluster.environment_of(database))
        with _own_routers(settings_of(cluster, database)) as settings:
            made = make_questions(settings, benchmark, options, digits)
    figures = {name: attack(one, options.above) for name, one in made.items()}
    report(figures, options.questions)
    result = {
        "benchmark": "attacks",
        "of": options.benchmark,
        "copies": options.copies,
        "beside": [file.name for file in options.beside],
        "variant": options.variant,
        "nearness_km": options.nearness_km,
        "unproved": options.unproved,
        "questions": options.questions,
        "above": options.above,
        "interval": INTERVAL,
        "templates": figures,
    }
    return result, all(one["passes"] is not False for one in figures.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench-attacks", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--benchmark", default="urban_knowledge", help="a benchmark with options (urban_knowledge)"
    )
    parser.add_argument("--copies", type=int, default=1, help="copies of Liechtenstein in the map (1)")
    beside = parser.add_mutually_exclusive_group()
    beside.add_argument(
        "--beside",
        type=Path,
        action="append",
        help=f"an extract beside them; may be given several times (.local/extracts/{BESIDE.name})",
    )
    beside.add_argument(
        "--alone", dest="beside", action="store_const", const=[], help="no extract beside them"
    )
    parser.add_argument(
        "--seeds", type=int, default=100, help="seeds tried where the maps give too few (100)"
    )
    parser.add_argument("--questions", type=int, default=4000, help="questions a template (4000)")
    parser.add_argument("--templates", help="only these, such as Query_Length,Landuse_AOI (all)")
    parser.add_argument(
        "--variant", choices=("hard", "published"), default="hard", help="how options are made (hard)"
    )
    parser.add_argument(
        "--register", choices=WANTED, default=MIXED, help=f"the register of the texts ({MIXED})"
    )
    parser.add_argument("--nearness-km", help="only options that lie so many km apart, MIN-MAX (any)")
    parser.add_argument(
        "--unproved",
        action="store_true",
        help="leave out proofs, contexts and registers, for larger samples: what proofs refuse is attacked, too",
    )
    parser.add_argument(
        "--above", type=float, default=0.05, help="how far above chance the bound may be (0.05)"
    )
    options = parser.parse_args(arguments)
    try:
        result, sound = run(options)
    except TrigpointError as error:
        say(f"bench-attacks: {error}")
        return error.exit_code
    line(json.dumps(result))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
