"""The six roles: every SELECT and write that a role must not make is tried, table by table and column by column."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError

from app.core.errors import ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.tables import Base
from tests.support.factories import make_version, options_dataset
from tests.support.scored_runs import MadeBoard, make_knowledge_board

TABLES = sorted(table.name for table in Base.metadata.tables.values())
BY_QUESTION = ["footprint", "gold", "prediction", "proof", "step"]
# What the api role sees of no row at all: where options could be tried out, keys named, leases watched.
WITHHELD = {
    "imported_dataset": {"notes"},
    "question": {"revision"},
    "prediction": {"question_revision", "fencing_token"},
    "step": {"question_revision", "batch_id", "fencing_token", "reserved_prompt", "reserved_completion"}
    | {"engine"},
    "endpoint": {
        "url",
        "key_variable",
        "limits",
        "prices",
        "revision",
        "record",
        "health",
        "checked_at",
        "body",
    },
    "run": {"budget"}
    | {f"{kept}_{tokens}" for kept in ("spent", "reserved") for tokens in ("prompt", "completion")},
    "batch": set(Base.metadata.tables["trigpoint.batch"].columns.keys()),
    "dataset_secret": set(Base.metadata.tables["trigpoint.dataset_secret"].columns.keys()),
    # What leads to an answer tells the answer, of public questions too before they are read.
    "solution": set(Base.metadata.tables["trigpoint.solution"].columns.keys()),
    "asset": {"created_at"},
    "lineage": set(Base.metadata.tables["trigpoint.lineage"].columns.keys()),
    # What was decided of a hidden question may speak of its gold: the view dispute_seen leaves that out.
    "dispute": set(Base.metadata.tables["trigpoint.dispute"].columns.keys()),
    # Facts are gold of T7, of hidden questions too.
    **{
        table: set(Base.metadata.tables[f"trigpoint.{table}"].columns.keys())
        for table in ("fact", "map_fact", "wikidata_item")
    },
    # Addresses in answers to hidden questions too.
    "geocoded_address": set(Base.metadata.tables["trigpoint.geocoded_address"].columns.keys()),
    "embedding": set(Base.metadata.tables["trigpoint.embedding"].columns.keys()),
    # What changed on the map, which is closed as the map itself.
    **{
        table: set(Base.metadata.tables[f"trigpoint.{table}"].columns.keys())
        for table in ("snapshot_comparison", "snapshot_change")
    },
    # Marks and names of reviewers: public roles read aggregates of them.
    **{
        table: set(Base.metadata.tables[f"trigpoint.{table}"].columns.keys())
        for table in ("review_mark", "review_question", "review_sample")
    },
    # Whom to reach is for maintainers; answers of others are for nobody.
    "submission": {"contact", "digest", "owner"},
    "submission_answer": set(Base.metadata.tables["trigpoint.submission_answer"].columns.keys()),
    # What maintainers write tells keys, and is nobody's before it is published.
    **{
        table: set(Base.metadata.tables[f"trigpoint.{table}"].columns.keys())
        for table in ("draft", "draft_answer", "draft_evidence")
    },
    # What an agent asked and was answered is for whoever scores it.
    "agent_session_call": set(Base.metadata.tables["trigpoint.agent_session_call"].columns.keys()),
    # The endpoints that were asked, with how far that is.
    **{
        table: set(Base.metadata.tables[f"trigpoint.{table}"].columns.keys())
        for table in ("report_card", "report_card_entry")
    },
    # A key is recognised by a function that tells no hash; what maintainers did is for maintainers.
    **{
        table: set(Base.metadata.tables[f"trigpoint.{table}"].columns.keys())
        for table in ("api_key", "audit", "job", "page_session", "refresh_schedule", "sent_request")
    },
}
# Maintainers add lines and steer runs; what they change of a row are named columns, never its key.
ADDED_TO = {"review_mark", "review_question", "review_sample", "api_key", "audit"}
ADDED_TO |= {"endpoint", "run", "batch", "job", "refresh_schedule", "sent_request"}
ADDED_TO |= {"draft", "draft_answer", "draft_evidence", "page_session"}
# Answers are added by who may read none of them.
ADDED_TO_BY_THE_API = {"submission_answer", "sent_request"}
# What ended in an error is asked again, which takes the errors away.
TAKEN_FROM = {"prediction", "board_aggregate"}
COLUMNS = [
    (table, column.name) for table in TABLES for column in Base.metadata.tables[f"trigpoint.{table}"].columns
]
HOSTILE = [
    "select pg_sleep(0.01)",
    "select pg_sleep_for('10 milliseconds')",
    "select pg_sleep_until(now())",
    "select lo_create(0)",
    "select lo_from_bytea(0, 'x')",
    "select lo_import('/etc/passwd')",
    "select lo_export(1, '/tmp/x')",
    "select lo_unlink(1)",
    "select lo_get(1)",
    "select set_config('statement_timeout', '0', false)",
    "select pg_advisory_lock(1)",
    "select pg_try_advisory_lock(1)",
    "select pg_advisory_xact_lock_shared(1, 2)",
    "select pg_advisory_unlock_all()",
    "select pg_read_file('/etc/passwd')",
    "select st_estimatedextent('trigpoint', 'footprint', 'area')",
    "select pg_ls_dir('.')",
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/tmp/x'",
    "select * from pg_authid",
    "select pg_terminate_backend(pg_backend_pid() + 1)::text || (select rolpassword from pg_authid limit 1)",
]


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, MadeBoard]:
    settings = make_database()
    board = make_knowledge_board(settings)
    with connect(settings, Role.WORKER) as connection:
        run_id = board.runs["oracle"]
        connection.execute(
            text(
                "insert into step (run_id, batch_id, fencing_token, version_id, question_id, question_revision,"
                " presentation_key, repeat, ordinal, attempt, kind, state, request_hash, request, sent_at)"
                " select :run, 1, 1, version_id, id, revision, 'default', 0, 0, 0, 'chat', 'done', 'x', '{}', now()"
                " from question where version_id = :version"
            ),
            {"run": run_id, "version": board.version.id},
        )
        connection.commit()
    return settings, board


@pytest.fixture(scope="module")
def settings(made: tuple[Settings, MadeBoard]) -> Settings:
    return made[0]


@contextmanager
def refused() -> Iterator[None]:
    """The block is refused for want of a right, and for no other reason."""
    with pytest.raises(DBAPIError) as caught:
        yield
    assert isinstance(caught.value.orig, psycopg.errors.InsufficientPrivilege), caught.value.orig


def count(connection: Connection, statement: str) -> int:
    value: int = connection.execute(text(statement)).scalar_one()
    return value


def writable(connection: Connection) -> Connection:
    """Leave the read-only default of the role, as anyone with its password could."""
    connection.execute(text("set session characteristics as transaction read write"))
    connection.commit()
    return connection


# Nobody is more than a plain user


def test_no_role_is_super_or_owns_what_it_may_not(settings: Settings) -> None:
    with connect(settings, Role.OWNER) as connection:
        rows = connection.execute(
            text(
                "select rolname, rolsuper or rolcreaterole or rolcreatedb or rolreplication as mighty, rolbypassrls"
                " from pg_roles where rolname like 'trigpoint%'"
            )
        ).all()
        assert {row.rolname for row in rows} == {role.login for role in Role}
        assert not any(row.mighty for row in rows)
        # COPY into a table with row-level security needs it; the worker reads and writes all questions anyway.
        assert [row.rolname for row in rows if row.rolbypassrls] == ["trigpoint_worker"]
        assert (
            count(
                connection,
                "select count(*) from pg_auth_members m join pg_roles r on r.oid = m.member where r.rolname like 'trigpoint%'",
            )
            == 0
        )
        owners = connection.execute(
            text("select distinct tableowner from pg_tables where schemaname = 'trigpoint'")
        ).scalars()
        assert list(owners) == ["trigpoint_owner"]


def test_each_role_logs_in_as_itself(settings: Settings) -> None:
    for role in Role:
        with connect(settings, role) as connection:
            assert connection.execute(text("select session_user::text")).scalar_one() == role.login


@pytest.mark.parametrize("role", [Role.WORKER, Role.MAINTAINER, Role.API, Role.READER, Role.DASHBOARD])
@pytest.mark.parametrize(
    "statement",
    [
        "create table trigpoint.planted (x int)",
        "create table public.planted (x int)",
        "create schema planted",
        "drop table trigpoint.score",
        "alter table trigpoint.gold disable row level security",
        "drop policy public_questions_only on trigpoint.gold",
        "alter table trigpoint.question disable trigger all",
        "truncate trigpoint.run cascade",
        "set role trigpoint_owner",
        "create function trigpoint.planted() returns int language sql as 'select 1'",
        "insert into trigpoint.alembic_version values ('9999')",
        "update trigpoint.snapshot set state = 'published'",
    ],
)
def test_only_the_owner_changes_structure(settings: Settings, role: Role, statement: str) -> None:
    with connect(settings, role) as connection, refused():
        writable(connection).execute(text(statement))


@pytest.mark.parametrize("role", [Role.API, Role.READER, Role.DASHBOARD])
@pytest.mark.parametrize(
    "statement",
    [
        "select reltuples from pg_class",
        "select relpages from pg_class",
        "select * from pg_class",
        "select pg_class from pg_class",
        "select pg_relation_size(oid) from pg_class where relname = 'gold'",
        "select pg_relation_size(oid, 'main') from pg_class where relname = 'gold'",
        "select pg_table_size(oid) from pg_class where relname = 'gold'",
        "select pg_total_relation_size(oid) from pg_class where relname = 'gold'",
        "select pg_indexes_size(oid) from pg_class where relname = 'gold'",
        "select pg_database_size(current_database())",
    ],
)
def test_no_size_tells_how_much_is_hidden(settings: Settings, role: Role, statement: str) -> None:
    with connect(settings, role) as connection, refused():
        connection.execute(text(statement))


@pytest.mark.parametrize("role", [Role.API, Role.READER])
@pytest.mark.parametrize(
    "statement",
    [
        "select n_live_tup from pg_stat_user_tables",
        "select n_tup_ins from pg_stat_xact_user_tables",
        "select idx_tup_read from pg_stat_user_indexes",
        "select heap_blks_hit from pg_statio_user_tables",
        "select tup_inserted from pg_stat_database",
        "select pg_stat_get_live_tuples(oid) from pg_class where relname = 'gold'",
    ],
)
def test_no_counter_tells_how_much_is_hidden(settings: Settings, role: Role, statement: str) -> None:
    with connect(settings, role) as connection, refused():
        connection.execute(text(statement))


@pytest.mark.parametrize("role", [Role.API, Role.READER, Role.DASHBOARD])
def test_statistics_of_columns_tell_nothing_of_hidden_tables(settings: Settings, role: Role) -> None:
    with connect(settings, Role.OWNER) as owner:
        owner.execute(text("analyze trigpoint.gold, trigpoint.proof, trigpoint.score, trigpoint.submission"))
        owner.commit()
    with connect(settings, role) as connection:
        hidden = "('gold', 'proof', 'score', 'prediction', 'step', 'footprint', 'api_key', 'audit')"
        assert count(connection, f"select count(*) from pg_stats where tablename in {hidden}") == 0
        assert count(connection, f"select count(*) from pg_stats_ext where tablename in {hidden}") == 0
        assert count(connection, "select count(relname) from pg_class where relkind = 'r'") > 0, (
            "tools list tables"
        )


@pytest.mark.parametrize("role", [Role.WORKER, Role.MAINTAINER, Role.API, Role.DASHBOARD])
def test_rights_cannot_be_passed_on(settings: Settings, role: Role) -> None:
    """PostgreSQL may answer with a warning and grant nothing; what counts is what the reader then sees."""
    with connect(settings, role) as connection, suppress(DBAPIError):
        writable(connection).execute(
            text("grant select on trigpoint.gold, trigpoint.bi_board to trigpoint_reader")
        )
        connection.commit()
    with connect(settings, Role.OWNER) as connection:
        rights = connection.execute(
            text(
                "select has_any_column_privilege('trigpoint_reader', c.oid, 'select') from pg_class c where relname in ('gold', 'bi_board')"
            )
        ).scalars()
        assert list(rights) == [False, False]


# Reader: nothing of the service


@pytest.mark.parametrize("table", [*TABLES, "bi_board", "alembic_version"])
@pytest.mark.parametrize("statement", ["select * from {}", "select count(*) from {}", "delete from {}"])
def test_the_reader_sees_nothing_of_the_service(settings: Settings, table: str, statement: str) -> None:
    with connect(settings, Role.READER) as connection, refused():
        writable(connection).execute(text(statement.format(f"trigpoint.{table}")))


def test_the_reader_sees_nothing_of_a_snapshot_layer(made: tuple[Settings, MadeBoard]) -> None:
    settings, board = made
    for role in (Role.READER, Role.API, Role.DASHBOARD):
        with connect(settings, role) as connection, refused():
            connection.execute(text(f"select * from {board.version.map.schema}.poi"))


@pytest.mark.parametrize("role", [Role.READER, Role.API, Role.DASHBOARD])
@pytest.mark.parametrize("statement", HOSTILE)
def test_hostile_functions_are_refused(settings: Settings, role: Role, statement: str) -> None:
    with connect(settings, role) as connection, refused():
        writable(connection).execute(text(statement))


@pytest.mark.parametrize("role", [Role.READER, Role.API, Role.DASHBOARD, Role.MAINTAINER])
def test_no_temporary_tables(settings: Settings, role: Role) -> None:
    with connect(settings, role) as connection, refused():
        writable(connection).execute(text("create temporary table planted (x int)"))


@pytest.mark.parametrize("role", [Role.READER, Role.API, Role.DASHBOARD])
def test_transactions_are_read_only_by_default(settings: Settings, role: Role) -> None:
    with connect(settings, role) as connection:
        assert connection.execute(text("show transaction_read_only")).scalar_one() == "on"


def test_the_reader_has_a_time_limit(settings: Settings) -> None:
    with connect(settings, Role.READER) as connection:
        assert connection.execute(text("show statement_timeout")).scalar_one() == "30s"


# Dashboard: its views and no table; more in test_bi.py


@pytest.mark.parametrize("table", TABLES)
def test_the_dashboard_sees_no_table(settings: Settings, table: str) -> None:
    with connect(settings, Role.DASHBOARD) as connection, refused():
        connection.execute(text(f"select * from trigpoint.{table}"))


def test_the_dashboard_sees_its_views(settings: Settings) -> None:
    with connect(settings, Role.DASHBOARD) as connection:
        assert count(connection, "select count(*) from bi_board where scope_kind = 'all'") == 7


# API: columns that were granted, rows of public questions, no writes


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_the_api_sees_the_granted_columns_only(settings: Settings, table: str, column: str) -> None:
    statement = text(f"select {column} from trigpoint.{table} limit 1")
    with connect(settings, Role.API) as connection:
        if column in WITHHELD.get(table, ()):
            with refused():
                connection.execute(statement)
        else:
            connection.execute(statement)


@pytest.mark.parametrize("table", BY_QUESTION)
def test_the_api_sees_no_row_of_a_hidden_question(settings: Settings, table: str) -> None:
    hidden = f"select count(*) from {table} join question on question.version_id = {table}.version_id and question.id = {table}.question_id where question.split = 'hidden'"
    with connect(settings, Role.WORKER) as connection:
        everything = count(connection, f"select count(*) from {table}")
        if table != "footprint":
            assert count(connection, hidden) > 0, "the test's own data set has hidden questions"
    with connect(settings, Role.API) as connection:
        assert count(connection, hidden) == 0
        seen = count(connection, f"select count(version_id) from {table}")
        assert seen < everything or everything == 0
        assert seen > 0 or table == "footprint"


def test_the_api_sees_no_score_of_a_hidden_question(settings: Settings) -> None:
    join = "from score join prediction on prediction.id = score.prediction_id join question on question.version_id = prediction.version_id and question.id = prediction.question_id"
    with connect(settings, Role.WORKER) as connection:
        total = count(connection, "select count(*) from score")
        hidden = count(connection, f"select count(*) {join} where split = 'hidden'")
    with connect(settings, Role.API) as connection:
        assert hidden > 0
        assert count(connection, "select count(prediction_id) from score") == total - hidden
        assert count(connection, f"select count(*) {join} where split = 'hidden'") == 0


def test_the_api_cannot_count_hidden_rows_through_an_aggregate(settings: Settings) -> None:
    """A leaky function in WHERE must not be run on rows that the policy hides."""
    with connect(settings, Role.API) as connection:
        keys = (
            connection.execute(text("select question_id from gold where (value ->> 'index')::int >= 0"))
            .scalars()
            .all()
        )
        public = connection.execute(text("select id from question where split = 'public'")).scalars().all()
    assert set(keys) == set(public)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("role", [Role.API, Role.MAINTAINER, Role.DASHBOARD])
def test_no_writes_but_the_workers(settings: Settings, role: Role, table: str) -> None:
    column = next(iter(Base.metadata.tables[f"trigpoint.{table}"].columns)).name
    statements = [f"update trigpoint.{table} set {column} = default"]
    if role is not Role.MAINTAINER or table not in TAKEN_FROM:
        statements.append(f"delete from trigpoint.{table}")
    if table not in {Role.MAINTAINER: ADDED_TO, Role.API: ADDED_TO_BY_THE_API}.get(role, ()):
        statements.append(f"insert into trigpoint.{table} default values")
    for statement in statements:
        with connect(settings, role) as connection, refused():
            writable(connection).execute(text(statement))


@pytest.mark.parametrize("role", [Role.WORKER, Role.MAINTAINER, Role.API, Role.READER, Role.DASHBOARD])
def test_nobody_reads_the_hash_of_a_key(settings: Settings, role: Role) -> None:
    with connect(settings, role) as connection, refused():
        connection.execute(text("select hash from trigpoint.api_key"))


@pytest.mark.parametrize("role", [Role.WORKER, Role.MAINTAINER, Role.API, Role.READER, Role.DASHBOARD])
def test_nobody_reads_the_hash_of_a_session(settings: Settings, role: Role) -> None:
    with connect(settings, role) as connection, refused():
        connection.execute(text("select token_hash from trigpoint.page_session"))


@pytest.mark.parametrize("role", [Role.WORKER, Role.MAINTAINER, Role.READER, Role.DASHBOARD])
def test_only_the_api_tries_sessions(settings: Settings, role: Role) -> None:
    with connect(settings, role) as connection, refused():
        connection.execute(text("select * from trigpoint.known_page_session('x')"))


@pytest.mark.parametrize("role", [Role.WORKER, Role.MAINTAINER, Role.READER, Role.DASHBOARD])
def test_only_the_api_tries_keys(settings: Settings, role: Role) -> None:
    with connect(settings, role) as connection, refused():
        connection.execute(text("select * from trigpoint.known_key('x', 'y')"))


@pytest.mark.parametrize(
    "statement",
    [
        "update run set total = 1",
        "update run set spent_prompt = 0",
        "update endpoint set url = 'http://x'",
        "update endpoint set model = 'x'",
        "update step set response = '{}'",
        "update batch set fencing_token = 9",
        "update prediction set answer = 'A'",
        "update score set value = 1",
        "delete from run",
        "update api_key set role = 'maintainer'",
        "update api_key set hash = 'x'",
        "update audit set subject = 'x'",
        "delete from audit",
    ],
)
def test_the_maintainer_steers_and_rewrites_nothing(settings: Settings, statement: str) -> None:
    with connect(settings, Role.MAINTAINER) as connection, refused():
        connection.execute(text(statement))


def test_cards_of_endpoints_tell_no_address(settings: Settings) -> None:
    with connect(settings, Role.API) as connection:
        columns = set(connection.execute(text("select * from endpoint_card")).keys())
    assert not columns & {"url", "key_variable", "health", "said"}


def test_places_of_hidden_questions_are_not_found(settings: Settings) -> None:
    with connect(settings, Role.WORKER) as connection:
        public = set(connection.execute(text("select id from question where split = 'public'")).scalars())
        versions = connection.execute(text("select array_agg(id) from dataset_version")).scalar_one()
    asked = "select question_id from public_questions_about(:versions, null, null, null, null, 0, -1, 1000)"
    with connect(settings, Role.API) as connection:
        found = set(connection.execute(text(asked), {"versions": versions}).scalars())
    assert found <= public


def test_the_maintainer_reads_hidden_gold(settings: Settings) -> None:
    with connect(settings, Role.MAINTAINER) as connection:
        assert count(connection, "select count(*) from gold") == 48


# Published versions never change, for the worker neither


@pytest.mark.parametrize(
    "statement",
    [
        "update question set prompt = '[]'",
        "update question set split = 'public'",
        "delete from question",
        "update gold set value = '{\"index\": 0}'",
        "delete from gold",
        "update proof set sql = 'select 2'",
        "delete from proof",
        "update dataset_version set seed = 1",
        "update dataset_version set state = 'building'",
        "delete from dataset_version",
        "update dataset_snapshot set position = 7",
        "delete from dataset_snapshot",
        "insert into gold (version_id, question_id, key, is_default, value) select version_id, id, 'second', false, '{}' from question",
        "insert into footprint (version_id, question_id, classes, osm_keys, name_keys, fact_ids, uses_outline) select version_id, id, '{}', '{}', '{}', '{}', false from question",
        "insert into dataset_snapshot (version_id, position, snapshot_id) select version_id, 1, snapshot_id from dataset_snapshot",
    ],
)
@pytest.mark.parametrize("role", [Role.WORKER, Role.OWNER])
def test_a_published_version_never_changes(settings: Settings, role: Role, statement: str) -> None:
    with (
        connect(settings, role) as connection,
        pytest.raises(IntegrityError, match="published and never changes"),
    ):
        connection.execute(text(statement))


def test_no_question_enters_a_published_version(made: tuple[Settings, MadeBoard]) -> None:
    settings, _ = made
    with connect(settings, Role.WORKER) as connection, pytest.raises(IntegrityError, match="never changes"):
        connection.execute(
            text(
                "insert into question (version_id, id, position, template_id, template, template_version, snapshot_id, prompt,"
                " answer_type, scorer, split, locale, phrasing, prompt_hash, revision)"
                " select version_id, 'planted', 999, template_id, template, 1, snapshot_id, '[]', 'name', 'name', 'public',"
                " 'en', 0, 'x', 'x' from question limit 1"
            )
        )


def test_a_version_being_built_may_change(database: Settings) -> None:
    make_version(database, options_dataset(2), publish=False)
    with connect(database, Role.WORKER) as connection:
        connection.execute(text("update question set locale = 'de'"))
        connection.execute(text("delete from gold"))
        connection.execute(text("delete from dataset_version"))
        connection.commit()


def test_a_part_cannot_be_moved_out_of_a_published_version(database: Settings) -> None:
    """Moved by its key, gold would leave the version that is published for one that has the same question."""
    first = make_version(database, options_dataset(2))
    second = make_version(database, options_dataset(2), number=2, made_map=first.map, publish=False)
    for table in ("gold", "proof", "dataset_snapshot"):
        with connect(database, Role.WORKER) as connection:
            connection.execute(text(f"delete from {table} where version_id = :id"), {"id": second.id})
            with pytest.raises(IntegrityError, match="never changes"):
                connection.execute(text(f"update {table} set version_id = :id"), {"id": second.id})


# The database itself


@pytest.mark.parametrize("role", list(Role))
def test_no_role_enters_another_database_as_a_superuser(
    superuser_of: Callable[[Settings], str], settings: Settings, role: Role
) -> None:
    with psycopg.connect(superuser_of(settings)) as connection:
        for right in (
            "pg_read_server_files",
            "pg_write_server_files",
            "pg_execute_server_program",
            "pg_read_all_data",
        ):
            query = sql.SQL("select pg_has_role({}, {}, 'member')").format(role.login, right)
            assert connection.execute(query).fetchone() == (False,)


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.OWNER])
@pytest.mark.parametrize("database", ["postgres", "template1"])
def test_no_role_has_business_in_other_databases(settings: Settings, role: Role, database: str) -> None:
    elsewhere = settings.model_copy(
        update={"database_url": settings.database_url.rsplit("/", 1)[0] + f"/{database}"}
    )
    with pytest.raises(ServiceUnavailable, match="permission denied"), connect(elsewhere, role):
        pass


def test_the_worker_may_lock_and_set_what_it_needs(settings: Settings) -> None:
    with connect(settings, Role.WORKER) as connection:
        connection.execute(text("select pg_advisory_xact_lock(1)"))
        connection.execute(text("select set_config('work_mem', '8MB', true)"))
        connection.execute(text("create temporary table mine (x int) on commit drop"))
        with pytest.raises(ProgrammingError):
            connection.execute(text("select pg_sleep(0.01)"))


def test_databases_of_tests_have_the_rights_of_real_ones(
    superuser: str, template_database: str, settings: Settings
) -> None:
    """The template is made by bootstrap.sql as a real database is; its clones are given their rights by conftest."""
    clone = settings.database_url.rsplit("/", 1)[1]
    query = "select datacl::text[] from pg_database where datname = %s"
    with psycopg.connect(superuser) as connection:
        real, made = (connection.execute(query, [name]).fetchone() for name in (template_database, clone))
    assert real is not None
    assert made is not None
    assert sorted(made[0]) == sorted(real[0])
