"""Questions whose answer a program computes with a router: made, and proved again, with it; its absence is no fault."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from app.cli.verify import lines_of
from app.core.clock import SystemClock
from app.core.errors import Conflict, TemplateError
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions import reproducing
from app.questions.checking import check_provable
from app.questions.derivations.base import Row
from app.questions.generating import Generated, Recipe, generate
from app.questions.programs import NO_ROUTER, PROGRAMS, MapRouters, Program, ProgramRun
from app.questions.rederiving import rederive
from app.questions.refresh.rerunning import Rerunning
from app.questions.snapshots import find_snapshots
from app.questions.stored import StoredQuestion, load_questions
from app.questions.storing import store
from app.questions.terms import Known
from app.questions.verifying import verify
from app.routing.apart import TRIES, AskedAgain, RoutersApart
from app.routing.errors import RouterKeepsEnding, RouterLost
from app.routing.one_path import OnePathRouter
from app.routing.processes import find_process
from app.routing.results import Point
from app.templates.catalogue import Benchmark
from tests.support.routers import hang, own_routers
from tests.support.town import benchmarks, import_map, make_town

GSQA, KEY = "gsqa", ("gsqa", "by_road")
Run = Callable[[ProgramRun], Sequence[Sequence[Row]]]


def point_on_road(connection: Connection) -> Point:
    """Where the first edge for cars begins, on the map that the search path names."""
    lon, lat = connection.exec_driver_sql(
        "select st_x(st_startpoint(geom)), st_y(st_startpoint(geom)) from road_edge"
        " where car_forward_kmh is not null order by way_id, position limit 1"
    ).one()
    return lon, lat


def ask_router(run: ProgramRun) -> Sequence[Sequence[Row]]:
    """The SELECT's rows, once a router has answered; each question of a chunk is there, and has rows."""
    assert all(one.rows and "anchor" in one.binds for one in run.questions)
    router = run.routers.open(run.connection, run.snapshot, "car")
    point = point_on_road(run.connection)
    assert router.matrix([point], [point]) == [[0.0]]
    return [one.rows for one in run.questions]


def tell_less(run: ProgramRun) -> Sequence[Sequence[Row]]:
    """Without the first row: as if a road to the nearest place had been closed."""
    return [one.rows[1:] for one in run.questions]


@pytest.fixture
def teach(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], None]:
    """Has the program `by_road` of gsqa run the given function."""
    PROGRAMS.names(GSQA)
    return lambda run: monkeypatch.setitem(PROGRAMS.added, KEY, Program(run, ("car",)))


def with_program(name: str = KEY[1]) -> Benchmark:
    """Two templates of gsqa, of which T5 has a program."""
    whole = benchmarks()[GSQA]
    template = whole.templates["T5"]
    header = template.header.model_copy(update={"program": name})
    templates = {"T5": replace(template, header=header), "T6": whole.templates["T6"]}
    return replace(whole, templates=templates)


@pytest.fixture(scope="module")
def settings(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """A database with the town, and routers of its own."""
    folder = tmp_path_factory.mktemp("programs")
    made = make_database()
    import_map(made, make_town().write(folder / "town.osm"), "town")
    with own_routers(made, folder) as own:
        yield own


@pytest.fixture
def connection(settings: Settings) -> Iterator[Connection]:
    """As the worker; nothing that is written stays."""
    with connect(settings, Role.WORKER) as opened:
        yield opened


def make(connection: Connection, routers: MapRouters | None) -> Generated:
    engine = None if routers is None else routers.engine
    recipe = Recipe(with_program(), find_snapshots(connection, ["town"]), 1, 3, 3, 0.0, router=engine)
    return generate(connection, recipe, lambda *told: None, routers)


def stored(connection: Connection, made: Generated) -> list[StoredQuestion]:
    return list(load_questions(connection, store(connection, "by_road", 1, made, SystemClock())))


def test_without_a_router_its_templates_are_refused_and_others_go_on(
    connection: Connection, settings: Settings, teach: Callable[[Run], None]
) -> None:
    def fail(run: ProgramRun) -> Sequence[Sequence[Row]]:
        raise AssertionError("nothing is asked")

    teach(fail)
    nowhere = settings.model_copy(update={"osrm_bin": Path("/nowhere")})
    for routers in (None, RoutersApart(nowhere, Role.WORKER)):
        reports = make(connection, routers).reports
        assert reports["T5"].refused == {NO_ROUTER: reports["T5"].capacity}
        assert reports["T6"].selected > 0
    bare = [replace(one, layers=("poi", "region")) for one in find_snapshots(connection, ["town"])]
    assert not RoutersApart(settings, Role.WORKER).can_route(bare[0], "car")


def test_questions_are_proved_by_the_program_and_not_blamed_where_there_is_no_router(
    connection: Connection, settings: Settings, teach: Callable[[Run], None]
) -> None:
    teach(ask_router)
    said: list[str] = []
    routers = RoutersApart(settings, Role.WORKER, said.append)
    made = make(connection, routers)
    by_program = [one for one in made.records if one.template == "T5"]
    assert len(by_program) == 3
    assert {one.proof_kind for one in by_program} == {"program"}
    assert {one.proof_kind for one in made.records if one.template == "T6"} == {"sql"}
    assert len(said) == 1
    assert said[0].startswith("Opening the router for car on town@")
    questions = stored(connection, made)
    kinds = connection.exec_driver_sql(
        "select kind, count(*) as number from trigpoint.proof group by kind"
    ).all()
    assert {row.kind: row.number for row in kinds} == {"program": 3, "sql": 3}
    found = verify(connection, questions, lambda done: None, routers)
    assert found.proved
    assert found.stored_sql == {"agree": 6, "differ": 0}

    without = verify(connection, questions, lambda done: None)
    assert (without.no_router, without.failures, without.proved) == (3, [], False)
    assert without.stored_sql == {"agree": 3, "differ": 0}
    assert without.second_path == {"agree": 6, "differ": 0}
    assert lines_of("by_road@1", without)[-1].startswith(
        "Not all is proved: 3 questions are computed with a router"
    )

    teach(tell_less)
    changed = verify(connection, questions, lambda done: None, routers)
    ids = {one.id for one in questions if one.template == "T5"}
    assert {(one.id, one.path) for one in changed.failures} == {(one, "stored_sql") for one in ids}


def test_gold_is_derived_anew_by_the_program_alone(
    connection: Connection, settings: Settings, teach: Callable[[Run], None]
) -> None:
    teach(ask_router)
    routers = RoutersApart(settings, Role.WORKER)
    question = next(one for one in stored(connection, make(connection, routers)) if one.template == "T5")
    with pytest.raises(Conflict, match="there is none for town@"):
        rederive(connection, question)
    with pytest.raises(Conflict, match="gives on its map the answer that is stored"):
        rederive(connection, question, routers)


def test_a_version_is_made_again_with_the_router_that_made_it(
    connection: Connection,
    settings: Settings,
    teach: Callable[[Run], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    teach(ask_router)
    monkeypatch.setattr(reproducing, "find_benchmark", lambda name: with_program())
    routers = RoutersApart(settings, Role.WORKER)
    made = make(connection, routers)
    version = store(connection, "by_road", 1, made, SystemClock())
    again = reproducing.reproduce(connection, version, lambda *told: None, routers)
    assert [one.prompt_hash for one in again.records] == [one.prompt_hash for one in made.records]
    with pytest.raises(Conflict, match=r"its routes were found by OSRM v[\d.]+, and here is no router"):
        reproducing.reproduce(connection, version, lambda *told: None)


def test_a_refresh_ends_no_question_for_want_of_a_router(
    connection: Connection, settings: Settings, teach: Callable[[Run], None]
) -> None:
    teach(ask_router)
    routers = RoutersApart(settings, Role.WORKER)
    made = make(connection, routers)
    (map_,) = made.recipe.snapshots
    with pytest.raises(
        Conflict, match=r"3 questions of T5 are made with a router, and there is none for town@"
    ):
        Rerunning(connection, made.recipe, map_, map_, Known()).rerun(made.records)
    with_routers = Rerunning(connection, made.recipe, map_, map_, Known(), routers)
    assert {*with_routers.rerun(made.records).values()} == {None}


def test_a_router_whose_process_ends_is_asked_again(connection: Connection, settings: Settings) -> None:
    (snapshot,) = find_snapshots(connection, ["town"])
    use_schema(connection, snapshot.schema)
    point = point_on_road(connection)
    router = RoutersApart(settings, Role.WORKER).open(connection, snapshot, "car")
    (folder,) = (settings.local_dir / "router").glob("*/*/car")
    process = find_process(folder)
    assert process is not None
    hang(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    assert router.matrix([point], [point]) == [[0.0]]
    assert connection.in_transaction()


def test_a_router_that_keeps_ending_stops_the_command() -> None:
    class Ending(OnePathRouter):
        asked = 0

        def __init__(self) -> None:
            pass

        def matrix(self, starts: Sequence[Point], ends: Sequence[Point]) -> list[list[float | None]]:
            self.asked += 1
            raise RouterLost()

    router = Ending()
    with pytest.raises(RouterKeepsEnding):
        AskedAgain(router).matrix([(10.0, 50.0)], [(10.0, 50.0)])
    assert router.asked == TRIES


def test_a_program_that_the_benchmark_lacks_is_a_fault_of_the_template() -> None:
    with pytest.raises(TemplateError, match="program: gsqa has no program 'by_air'"):
        check_provable(with_program("by_air").templates["T5"])
