"""A restored database is the one that was backed up, protections included; one that is not is never there. Real kills."""

import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError

from app.backups import writing
from app.backups.restoring import restore
from app.backups.writing import backup
from app.core.clock import ManualClock
from app.core.errors import BackupFailed
from app.core.progress import Silent
from app.core.settings import Role, Settings
from app.db import migrating
from app.db.engine import connect
from app.db.programs import find_programs
from app.questions.secrets import find_secret
from tests.app.backups.conftest import At, BackedUp, rewrite, wait_for_nobody
from tests.support.command_line import export, trigpoint
from tests.support.factories import MADE_AT, VILLAGE, make_map
from tests.support.processes import start_trigpoint, wait_for_stage

Ask = Callable[[Settings, str], list[Any]]


@pytest.fixture(scope="module")
def restored(backed_up: BackedUp, make_database: Callable[[], Settings]) -> Settings:
    """A second database, restored from the backup of the first; only to be read."""
    settings = make_database()
    done = trigpoint(settings, "restore", str(backed_up.file))
    assert done.status == 0, done.err
    return settings


# --- what comes back --------------------------------------------------------------------------------------------


def test_every_row_and_definition_comes_back(
    backed_up: BackedUp, restored: Settings, script_of: Callable[[Settings], list[str]]
) -> None:
    script = script_of(backed_up.settings)
    assert any("CREATE TRIGGER published_is_immutable" in line for line in script)
    assert script_of(restored) == script


def test_reviews_come_back(backed_up: BackedUp, restored: Settings) -> None:
    before, after = (
        trigpoint(settings, "review", "show", "knowledge", "--json").json
        for settings in (backed_up.settings, restored)
    )
    assert after == before
    assert after["review"]["wrong"]["found"] == 20


@pytest.mark.long
def test_exports_have_the_same_bytes(backed_up: BackedUp, restored: Settings, tmp_path: Path) -> None:
    for name in ("toy", "knowledge"):
        options = ("--with-gold", "--include-hidden")
        before = export(backed_up.settings, name, tmp_path / "before", *options)
        assert export(restored, name, tmp_path / "after", *options) == before
        assert trigpoint(restored, "verify", name).status == 0
        assert trigpoint(restored, "reproduce", name).status == 0


def test_what_it_says(backed_up: BackedUp, database: Settings, ask: Ask) -> None:
    told = trigpoint(database, "restore", str(backed_up.file), "--json").json
    counts = {
        name: trigpoint(backed_up.settings, "verify", name, "--json").json["questions"]
        for name in ("knowledge@1", "toy@1")
    }
    assert min(counts.values()) > 5
    assert told["versions"] == [
        {"reference": name, "identical": True, "questions": count, "failures": 0}
        for name, count in counts.items()
    ]
    there = "select count(*) from pg_tables where schemaname = 'trigpoint' or schemaname like 'osm%'"
    assert ask(backed_up.settings, there) == [(told["tables"],)]
    assert told["snapshots"] == ["town@2024-05-06T07:08:09Z"]


def test_hidden_gold_stays_hidden(restored: Settings) -> None:
    per_split = "select split, count(*) from question group by split"
    with connect(restored, Role.MAINTAINER) as connection:
        counts = dict(connection.execute(text(per_split)).all())
        assert min(counts["public"], counts["hidden"]) > 0
        assert connection.execute(text("select count(*) from gold")).scalar_one() == sum(counts.values())
    with connect(restored, Role.API) as connection:
        for table in ("gold", "proof"):
            seen = connection.execute(text(f"select count(version_id) from {table}")).scalar_one()
            assert seen == counts["public"]
        with pytest.raises(ProgrammingError, match="permission denied"):
            connection.execute(text("select revision from question"))
    for role, table in ((Role.READER, "trigpoint.gold"), (Role.DASHBOARD, "trigpoint.gold")):
        with (
            connect(restored, role) as connection,
            pytest.raises(ProgrammingError, match="permission denied"),
        ):
            connection.execute(text(f"select * from {table}"))
    with connect(restored, Role.READER) as connection:
        assert connection.execute(text("select count(*) from reference_1.pois")).scalar_one() > 0
        with pytest.raises(ProgrammingError, match="permission denied"):
            connection.execute(text("select * from osm_town_20240506_1.poi"))


def test_the_secret_of_a_data_set_comes_back(backed_up: BackedUp, restored: Settings) -> None:
    """Without it, nothing of hidden questions could be reproduced or refreshed."""
    secrets = []
    for settings in (backed_up.settings, restored):
        with connect(settings, Role.WORKER) as connection:
            secrets.append(find_secret(connection, "knowledge"))
    assert secrets[0] is not None
    assert secrets[0] == secrets[1]
    for role in (Role.API, Role.READER, Role.DASHBOARD):
        with (
            connect(restored, role) as connection,
            pytest.raises(ProgrammingError, match="permission denied"),
        ):
            connection.execute(text("select * from trigpoint.dataset_secret"))


@pytest.mark.parametrize("role", [Role.WORKER, Role.OWNER])
@pytest.mark.parametrize(
    "statement",
    ["update gold set value = '{}'", "delete from question", "update dataset_version set state = 'building'"],
)
def test_published_versions_still_never_change(restored: Settings, role: Role, statement: str) -> None:
    with connect(restored, role) as connection, pytest.raises(IntegrityError, match="never changes"):
        connection.execute(text(statement))


@pytest.mark.long
def test_work_goes_on(backed_up: BackedUp, database: Settings, tmp_path: Path) -> None:
    """Numbers go on where they were: a new version and a new map do not meet old ids."""
    assert trigpoint(database, "restore", str(backed_up.file), "--no-verify").status == 0
    recipe = ("--snapshot", "town", "--bank", "3", "--per-template", "2", "--out", "toy", "--json")
    assert trigpoint(database, "generate", "gsqa", *recipe).json["version"] == 2
    migrating.check(database)
    again = trigpoint(database, "backup", str(tmp_path / "again.backup"), "--json").json
    assert again["versions"] == ["knowledge@1", "toy@1", "toy@2"]


def test_an_import_that_ran_is_failed_and_its_rows_stay_away(
    database: Settings, make_database: Callable[[], Settings], tmp_path: Path, ask: Ask
) -> None:
    made = make_map(database)
    columns = "name, schema_name, state, source, checksum, layer_schema_version, created_at"
    ask(
        database,
        f"insert into trigpoint.snapshot (id, {columns}) overriding system value select id + 1,"
        " name, 'osm_half_20240506_2', 'importing', source, checksum, layer_schema_version, created_at"
        " from trigpoint.snapshot",
    )
    ask(database, "create schema osm_half_20240506_2; create table osm_half_20240506_2.poi (x int)")
    backup(database, tmp_path / "x.backup", ManualClock(MADE_AT), Silent())
    target = make_database()
    assert trigpoint(target, "restore", str(tmp_path / "x.backup")).status == 0
    assert ask(target, "select state from trigpoint.snapshot order by id") == [("published",), ("failed",)]
    schemas = "select nspname::text from pg_namespace where nspname like 'osm%'"
    assert ask(target, schemas) == [(made.schema,)]


def test_a_held_map_is_still_held(
    database: Settings, make_database: Callable[[], Settings], tmp_path: Path, ask: Ask
) -> None:
    """And what somebody else made in these schemas, as a superuser may, is the owner's from then on."""
    made = make_map(database)
    ask(database, f"update trigpoint.snapshot set state = 'held'; create schema reference_{made.id}")
    assert trigpoint(database, "backup", str(tmp_path / "x.backup")).status == 0
    target = make_database()
    assert trigpoint(target, "restore", str(tmp_path / "x.backup")).status == 0
    assert trigpoint(target, "snapshot", "publish", made.schema).status == 0
    with connect(target, Role.MAINTAINER) as connection:
        assert connection.exec_driver_sql(f"select count(*) from {made.schema}.poi").scalar() == len(VILLAGE)


def test_the_role_that_proves_is_asked_for_first(
    backed_up: BackedUp, empty: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIGPOINT_ENV_FILE", "/nowhere")
    monkeypatch.setenv(
        "TRIGPOINT_PASSWORD_OWNER", str(empty.password_owner and empty.password_owner.get_secret_value())
    )
    done = trigpoint(empty, "restore", str(backed_up.file))
    assert (done.status, "TRIGPOINT_PASSWORD_MAINTAINER is not set" in done.err) == (2, True)


def test_a_database_without_any_table(backed_up: BackedUp, database: Settings, ask: Ask) -> None:
    ask(database, "drop schema trigpoint cascade")
    done = trigpoint(database, "restore", str(backed_up.file), "--no-verify")
    assert (done.status, "toy@1: same bytes; not proved again" in done.out) == (0, True)


def test_an_older_backup_is_migrated(
    database: Settings,
    make_database: Callable[[], Settings],
    tmp_path: Path,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    script_of: Callable[[Settings], list[str]],
) -> None:
    target = make_database()
    newest = script_of(target)
    ask(database, "drop schema trigpoint cascade")
    command.upgrade(migrating.alembic_config(database), "0051")
    monkeypatch.setattr(writing, "_check_revision", lambda connection, settings: "0051")
    backup(database, tmp_path / "old.backup", ManualClock(MADE_AT), Silent())
    done = trigpoint(target, "restore", str(tmp_path / "old.backup"))
    assert (done.status, "migrating" in done.err) == (0, True), done.err
    assert script_of(target) == newest


def test_an_export_that_differs_is_told(backed_up: BackedUp, database: Settings, tmp_path: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["versions"]["toy@1"]["questions.jsonl"] = "0" * 64

    done = trigpoint(database, "restore", str(rewrite(backed_up.file, tmp_path / "x", change)))
    assert done.status == 1
    assert "toy@1: its export has OTHER bytes" in done.out
    assert re.search(r"knowledge@1: same bytes; \d+ questions proved", done.out)


# --- what is refused; `empty` looks afterwards that nothing was changed --------------------------------------------


def test_what_is_there_is_not_replaced(
    backed_up: BackedUp, restored: Settings, script_of: Callable[[Settings], list[str]]
) -> None:
    before = script_of(restored)
    done = trigpoint(restored, "restore", str(backed_up.file))
    assert done.status == 1
    assert "is not empty: there are rows or maps in trigpoint.dataset, trigpoint.dataset_s" in done.err
    assert " more. A restore replaces nothing; give it an empty database" in done.err
    assert script_of(restored) == before


def test_one_row_is_enough(backed_up: BackedUp, database: Settings, ask: Ask) -> None:
    ask(
        database,
        "insert into trigpoint.dataset (name, benchmark, created_at) values ('mine', 'gsqa', '2026-01-01')",
    )
    done = trigpoint(database, "restore", str(backed_up.file))
    assert (done.status, "in trigpoint.dataset. A restore" in done.err) == (1, True)
    assert ask(database, "select name from trigpoint.dataset") == [("mine",)]


def test_who_uses_the_database_is_not_cut_off(
    backed_up: BackedUp, empty: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    with psycopg.connect(superuser_of(empty)) as other:
        other.execute("lock table trigpoint.run in row exclusive mode")
        done = trigpoint(empty, "restore", str(backed_up.file))
    assert (done.status, "Somebody is using this database" in done.err) == (1, True)


def test_two_restores_do_not_meet(
    backed_up: BackedUp, empty: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    with psycopg.connect(superuser_of(empty)) as other:
        other.execute("select pg_advisory_xact_lock(hashtextextended('trigpoint restore', 0))")
        done = trigpoint(empty, "restore", str(backed_up.file))
    assert (done.status, "Another restore into this database is running" in done.err) == (1, True)


def test_a_server_that_is_not_prepared(backed_up: BackedUp, database: Settings, ask: Ask) -> None:
    ask(database, "drop extension pg_trgm cascade")
    done = trigpoint(database, "restore", str(backed_up.file))
    assert (done.status, "lacks extension pg_trgm, which are not part of a backup" in done.err) == (2, True)
    assert "scripts/bootstrap DATABASE" in done.err


def tampered(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest.update({key: value})


def other_gold(manifest: dict[str, Any]) -> None:
    manifest["measured"]["tables"]["trigpoint.gold"]["digest"] = "1"


def more_policies(manifest: dict[str, Any]) -> None:
    manifest["measured"]["structure"].append(["policy", "trigpoint.gold nobody", "x"])


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        (
            tampered("revision", "9999"),
            1,
            "holds tables of revision 9999, made by Trigpoint 0.1.0; this one knows",
        ),
        (tampered("postgresql_major", 99), 2, "Restore it on a server that is not older"),
        (
            other_gold,
            1,
            "is not what was backed up: table trigpoint.gold has other rows. Nothing was restored.",
        ),
        (more_policies, 1, "is not what was backed up: policy trigpoint.gold nobody is missing"),
        (tampered("dump_sha256", "0"), 1, "its dump is not the one that its manifest names"),
    ],
)
def test_what_is_not_as_it_says_is_not_restored(
    backed_up: BackedUp,
    empty: Settings,
    tmp_path: Path,
    change: Callable[[dict[str, Any]], None],
    status: int,
    said: str,
) -> None:
    done = trigpoint(empty, "restore", str(rewrite(backed_up.file, tmp_path / "x", change)))
    assert (done.status, said in done.err) == (status, True), done.err
    assert "Traceback" not in done.err


def test_a_statement_that_the_server_refuses(
    backed_up: BackedUp, empty: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of the dump, behind whole tables; the row that stands beside the error is not repeated."""
    real = find_programs(Settings.load(), 15)
    for name in ("pg_dump", "psql"):
        (tmp_path / name).symlink_to(real / name)
    (tmp_path / "pg_restore").write_text(
        f'#!/bin/sh\n"{real}/pg_restore" "$@" | sed "s/^ADD CONSTRAINT.*gold.*/ADD nonsense;/; s/CREATE TRIGGER/CREATE ROGUE/"\n'
    )
    (tmp_path / "pg_restore").chmod(0o755)
    monkeypatch.setenv("TRIGPOINT_PG_BIN", str(tmp_path))
    done = trigpoint(empty, "restore", str(backed_up.file))
    assert done.status == 1
    assert (
        'PostgreSQL refused a statement of the restore (syntax error at or near "ROGUE"). Nothing' in done.err
    )


# --- killed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["restoring", "comparing", "analyzing"])
def test_a_server_that_ends_the_session(backed_up: BackedUp, empty: Settings, ask: Ask, stage: str) -> None:
    end = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()"
    with pytest.raises(
        BackupFailed, match=r"\(terminating connection due to .* command\)\. Nothing was restored"
    ):
        restore(empty, backed_up.file, At(stage, lambda: ask(empty, end)))


@pytest.mark.parametrize(
    ("how", "stage", "seed"),
    [
        (signal.SIGKILL, "restoring", 0),
        *(
            pytest.param(how, stage, seed, marks=pytest.mark.long)
            for how, stage, seed in (
                (signal.SIGINT, "restoring", 7),
                (signal.SIGKILL, "checksum", None),
                (signal.SIGKILL, "restoring", None),
                (signal.SIGKILL, "restoring", 1),
                (signal.SIGKILL, "comparing", None),
                (signal.SIGINT, "restoring", None),
                (signal.SIGTERM, "restoring", None),
            )
        ),
    ],
)
def test_a_killed_restore_leaves_the_database_as_it_was(
    backed_up: BackedUp,
    database: Settings,
    ask: Ask,
    script_of: Callable[[Settings], list[str]],
    how: signal.Signals,
    stage: str,
    seed: int | None,
) -> None:
    before = script_of(database)
    process = start_trigpoint(database, "restore", str(backed_up.file), "--no-verify")
    wait_for_stage(process, stage)
    if seed is not None:
        time.sleep(random.Random(seed).uniform(0, 0.5))  # somewhere within the half second that it takes
    process.send_signal(how)
    process.communicate()
    wait_for_nobody(database, ask)
    after = script_of(database)
    if after != before:
        assert seed is not None, "it was killed before it could be done"
        assert after == script_of(backed_up.settings)
    else:
        assert trigpoint(database, "restore", str(backed_up.file)).status == 0
    if after == before:
        assert process.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[how]


@pytest.mark.long
def test_a_restore_is_seen_whole_or_not_at_all(backed_up: BackedUp, database: Settings, ask: Ask) -> None:
    """A reader that asks all the time sees an empty table, waits, and then sees everything."""
    process = start_trigpoint(database, "restore", str(backed_up.file), "--no-verify")
    seen = set()
    while process.poll() is None:
        with connect(database, Role.WORKER) as connection:
            try:
                seen.add(connection.execute(text("select count(*) from gold")).scalar_one())
            except DBAPIError as error:
                seen.add(str(error.orig))
    process.communicate()
    assert process.returncode == 0
    ((whole,),) = ask(backed_up.settings, "select count(*) from trigpoint.gold")
    assert seen <= {0, whole}
