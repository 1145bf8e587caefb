"""Benchmarks: databases with 2,000 and 20,000 real, proved GS-QA questions for runs, made once and then restored.

Writes .local/bench/runs-NAME.dump: copies of Liechtenstein with a facts file, and a version, as pg_dump gives them.
Remove it to have them made anew; tables of an older dump are migrated.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
from psycopg import sql

from app.cli.output import say
from app.core.clock import SystemClock
from app.core.errors import ServiceUnavailable
from app.core.identity import canonical_json
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots_with_facts
from app.questions.storing import store
from app.questions.versions import find_version
from app.scores.profiles import TRIGPOINT
from app.scores.queries import UPSERT_EXPECTATIONS
from app.templates.catalogue import find_benchmark
from perf.bench_questions import prepare_map, run_command, settings_of
from perf.cluster import FOLDER, Cluster

SLOW = ("T12", "T24", "T28")
"""Templates left out, so that 25 are left: those that take long to make."""
SIZES = {"small": 2_000, "large": 20_000}
"""Questions by the name of a data set."""
COPIES = {"small": 3, "large": 10}
DATABASE = "bench_runs"


@contextmanager
def database_of_questions(cluster: Cluster, name: str) -> Iterator[str]:
    """A database that holds this data set, restored from its dump, which is made where there is none."""
    dump = FOLDER / f"runs-{name}.dump"
    with ExitStack() as stack:
        if not dump.is_file():
            say(f"Making {SIZES[name]:,} questions, once.")
            database = stack.enter_context(cluster.fresh_database(DATABASE))
            prepare_map(cluster, database, COPIES[name])
            make_version(settings_of(cluster, database), name, SIZES[name])
            part = dump.with_name(dump.name + ".part")
            kind = ["--format=custom", "--compress=1"]
            _program(cluster, "pg_dump", [f"--dbname={database}", *kind, f"--file={part}"])
            part.rename(dump)
        else:
            say(f"Restoring {SIZES[name]:,} questions.")
            database = stack.enter_context(_empty_database(cluster))
            _program(cluster, "pg_restore", ["--jobs=2", f"--dbname={database}", str(dump)])
            run_command(["migrate"], cluster.environment_of(database))
        leave_out_expectations(settings_of(cluster, database), name)
        with psycopg.connect(cluster.superuser_url_of(database), autocommit=True) as connection:
            connection.execute("analyze")
            connection.execute("checkpoint")
        yield database


def leave_out_expectations(settings: Settings, name: str) -> None:
    """Store a stand-in for what `random` scores on the version: that is worked out once a version."""
    with connect(settings, Role.WORKER) as connection:
        rows = [{"scope": "answer_type:none", "kind": "random", "value": 0.0, "n": SIZES[name]}]
        key = {
            "version_id": find_version(connection, name).id,
            "profile": TRIGPOINT.name,
            "profile_version": TRIGPOINT.version,
        }
        connection.execute(UPSERT_EXPECTATIONS, {**key, "rows": canonical_json(rows)})
        connection.commit()


def make_version(settings: Settings, name: str, size: int) -> None:
    """Generate and publish `size` questions, as many of each template; raises ServiceUnavailable where it cannot."""
    whole = find_benchmark("gsqa")
    chosen = {key: template for key, template in whole.templates.items() if key not in SLOW}
    each = size // len(chosen)
    with connect(settings, Role.WORKER) as connection:
        snapshots = find_snapshots_with_facts(connection, ["bench"])
        recipe = Recipe(replace(whole, templates=chosen), snapshots, 0, each, each, 0.0)
        generated = generate(connection, recipe, lambda *progress: None)
        if len(generated.records) != size:
            short = {key: one.selected for key, one in generated.reports.items() if one.selected < each}
            raise ServiceUnavailable(
                f"{len(generated.records)} questions were made, {size} are wanted: {short}."
            )
        store(connection, name, 1, generated, SystemClock())
        connection.commit()
    say(f"{name}: {size:,} questions.")


@contextmanager
def _empty_database(cluster: Cluster) -> Iterator[str]:
    """A database without anything, for pg_restore; dropped afterwards."""
    name = sql.Identifier(DATABASE)
    with psycopg.connect(cluster.superuser_url, autocommit=True) as connection:
        connection.execute(sql.SQL("drop database if exists {} with (force)").format(name))
        connection.execute(
            sql.SQL("create database {} template template0 owner trigpoint_owner").format(name)
        )
        try:
            yield DATABASE
        finally:
            connection.execute(sql.SQL("drop database if exists {} with (force)").format(name))


def _program(cluster: Cluster, name: str, options: list[str]) -> None:
    """Run pg_dump or pg_restore as the superuser."""
    environment: Mapping[str, str] = os.environ | {
        "PGPASSWORD": cluster.values["TRIGPOINT_PASSWORD_SUPERUSER"]
    }
    with psycopg.connect(cluster.superuser_url) as connection:
        host, port = connection.info.host, connection.info.port
    place = [f"--host={host}", f"--port={port}", "--username=postgres"]
    program = Path(_pg_bin()) / name
    done = subprocess.run(
        [program, *place, *options], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ServiceUnavailable(f"{name} failed: {done.stderr.strip().splitlines()[-1:]}")


def _pg_bin() -> str:
    found = subprocess.run(
        ["sh", str(PROJECT_ROOT / "scripts" / "lib" / "pg-bin")], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()
