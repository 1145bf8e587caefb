"""The gate before the switch: which counts and which contents it holds; and that held means held."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import ProgrammingError

from app.core.clock import ManualClock
from app.core.errors import Conflict, ImportHeld, NotFound
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import.gating import FEWER_KEPT, MORE_REJECTS, judge, judge_contents
from osm_import.importing import ImportResult, import_extract
from osm_import.keeping import drop_snapshot, publish_held
from osm_import.measuring import LayerFigures, SharedGround
from osm_import.progress import Silent
from tests.support.command_line import trigpoint

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def layer(found: int, rejected: int) -> dict[str, int]:
    return {"found": found, "kept": found - rejected, "repaired": 0, "rejected": rejected}


counts = st.integers(0, 10**9).flatmap(
    lambda found: st.integers(0, found).map(lambda rejected: layer(found, rejected))
)
layers = st.dictionaries(st.sampled_from(["poi", "park", "road", "region"]), counts)


# --- the judgement ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "now", "phrase"),
    [
        ((1000, 10), (1000, 40), "poi: 40 of 1,000 rejected (4.0%), before 10 of 1,000 (1.0%)"),
        ((1000, 10), (1000, 20), None),  # twice as much is the border
        ((1000, 10), (1000, 29), None),  # 19 more than before
        ((1000, 10), (1000, 30), "poi: 30 of 1,000 rejected (3.0%), before 10 of 1,000 (1.0%)"),
        ((10_000, 10), (10_000, 109), None),  # under one point more
        ((10_000, 10), (10_000, 111), "poi: 111 of 10,000 rejected (1.1%), before 10 of 10,000 (0.1%)"),
        ((1000, 400), (1000, 700), None),  # less than twice as much
        ((20, 0), (20, 19), None),  # a hamlet
        ((20, 0), (30, 20), "poi: 20 of 30 rejected (66.7%), before 0 of 20 (0.0%)"),
        ((1000, 10), (100_000, 1000), None),  # the map grew, its rate did not
        ((0, 0), (1000, 500), None),  # nothing to compare with
        ((100, 0), (49, 0), "poi: 49 kept, before 100"),
        ((100, 0), (50, 0), None),
        ((21, 0), (2, 0), None),  # 19 fewer
        ((22, 0), (2, 0), "poi: 2 kept, before 22"),
    ],
)
def test_where_the_borders_lie(last: tuple[int, int], now: tuple[int, int], phrase: str | None) -> None:
    assert judge({"poi": layer(*last)}, {"poi": layer(*now)}) == ([phrase] if phrase else [])


def test_a_layer_that_is_gone_altogether() -> None:
    assert judge({"poi": layer(100, 0), "park": layer(30, 0)}, {"park": layer(30, 0)}) == [
        "poi: 0 kept, before 100"
    ]


@given(layers)
def test_the_same_map_again_passes(last: dict[str, Any]) -> None:
    assert judge(last, last) == []


@given(layers, st.integers(1, 1000))
def test_the_same_map_so_many_times_as_large_passes(last: dict[str, Any], times: int) -> None:
    grown = {name: {key: count * times for key, count in one.items()} for name, one in last.items()}
    assert judge(last, grown) == []


@given(layers, layers)
def test_a_map_with_fewer_rejects_and_more_rows_passes(last: dict[str, Any], more: dict[str, Any]) -> None:
    better = {
        name: layer(
            one["found"] + more.get(name, layer(0, 0))["kept"],
            one["rejected"] // 2,
        )
        for name, one in last.items()
    }
    assert judge(last, better) == []


@given(layers, layers)
def test_every_phrase_names_a_layer_that_lost_many(last: dict[str, Any], now: dict[str, Any]) -> None:
    phrases = judge(last, now)
    assert phrases == sorted(phrases, key=lambda phrase: phrase.split(":")[0])
    for phrase in phrases:
        name = phrase.split(":")[0]
        before, after = last[name], now.get(name, layer(0, 0))
        assert (
            after["rejected"] >= MORE_REJECTS
            if "rejected" in phrase
            else before["kept"] - after["kept"] >= FEWER_KEPT
        )


@given(layers, layers, st.sampled_from(["poi", "park", "road", "region"]), st.integers(0, 10**6))
def test_worse_is_never_judged_better(
    last: dict[str, Any], now: dict[str, Any], name: str, worse: int
) -> None:
    """Objects that were kept and are rejected instead never open the gate."""
    before = now.get(name, layer(0, 0))
    moved = min(worse, before["kept"])
    after = {**now, name: layer(before["found"], before["rejected"] + moved)}
    assert len(judge(last, after)) >= len(judge(last, now))


# --- what the maps hold ---------------------------------------------------------------------------------------------

SAME = SharedGround("outlines", 100.0, 100.0, 100.0)


def figures(**changed: Any) -> LayerFigures:
    usual: dict[str, Any] = {
        "rows": 100, "km2": 10.0, "km": 0.0, "classes": {"park": 60, "garden": 40},
        "named": 80, "top_name": "Anlage", "top_named": 4,
    }  # fmt: skip
    return LayerFigures(**{**usual, **changed})


@pytest.mark.parametrize(
    ("now", "phrases"),
    [
        (figures(), []),
        (figures(classes={"park": 60, "garden": 20}), []),  # half is the border
        (figures(classes={"park": 60, "garden": 19}), ["park: 19 of class garden, before 40"]),
        (
            figures(classes={"lawn": 100}),
            ["park: 0 of class park, before 60", "park: 0 of class garden, before 40"],
        ),
        (figures(top_name="X", top_named=23), []),  # 19 more than at the last share
        (
            figures(top_name="X", top_named=80),
            ["park: 80 of 80 named rows are called 'X' (100%), before 4 of 80 'Anlage' (5%)"],
        ),
        (figures(named=39, top_named=2), ["park: 39 rows have a name, before 80"]),
        (figures(km2=5.0), []),
        (figures(km2=4.9), ["park: 4.9 km², before 10.0"]),
        (figures(km2=30.0), []),
        (figures(km2=31.0), ["park: 31.0 km², before 10.0"]),
        (figures(rows=300, km2=80.0, classes={"park": 200, "garden": 100}), []),  # it grew with its rows
    ],
)
def test_where_the_borders_of_contents_lie(now: LayerFigures, phrases: list[str]) -> None:
    assert judge_contents({"park": figures()}, {"park": now}, SAME) == phrases


def test_a_third_of_the_rows_of_each_layer() -> None:
    last = {layer: figures(rows=200) for layer in ("park", "water")}
    now = {layer: figures(rows=130) for layer in ("park", "water")}
    assert judge_contents(last, now, SAME) == ["260 rows in all layers, before 400 (65%)"]


@pytest.mark.parametrize(
    ("ground", "phrases"),
    [
        (SharedGround("outlines", 100.0, 90.0, 90.0), []),
        (
            SharedGround("outlines", 100.0, 80.0, 80.0),
            ["covers 80.0 of the 100.0 km² that the last map covers (80%)"],
        ),
        (SharedGround("boxes", 100.0, 80.0, 80.0), []),
        (SharedGround("outlines", 100.0, 200.0, 100.0), []),
        (
            SharedGround("outlines", 100.0, 250.0, 100.0),
            ["150.0 of its 250.0 km² lie beyond the last map (60%)"],
        ),
        (SharedGround("boxes", 0.0, 0.0, 0.0), []),
    ],
)
def test_where_the_borders_of_the_ground_lie(ground: SharedGround, phrases: list[str]) -> None:
    assert judge_contents({}, {}, ground) == phrases


HALVES = {"cafe": 30, "bank": 30}


def city(
    west: float = 9.0, classes: dict[str, int] = HALVES, name: str | None = None, rows: int = 8
) -> list[str]:
    """Sixty places in rows of eight, and a road along each row; of `rows` rows."""
    kinds = [kind for kind, number in classes.items() for _ in range(number)]
    lines = []
    for number, kind in enumerate(kinds[: rows * 8]):
        east, north = west + 0.001 * (number % 8 + 1), 47 + 0.001 * (number // 8 + 1)
        called = name or f"{kind.title()}{number}"
        lines.append(f"n{500 + number} v1 x{east:.7f} y{north:.7f} Tamenity={kind},name={called}")
    for row in range(rows):
        north = 47.0005 + 0.001 * row
        ends = [f"n{700 + 2 * row + end} v1 x{west + 0.008 * end:.7f} y{north:.7f}" for end in (0, 1)]
        lines += [*ends, f"w{700 + row} v1 Thighway=service Nn{700 + 2 * row},n{701 + 2 * row}"]
    return lines


@pytest.mark.parametrize(
    ("options", "box", "said"),
    [
        ({"classes": {"cafe": 30}}, None, ["poi: 0 of class bank, before 30"]),
        ({"classes": {"cafe": 30, "pub": 30}}, None, ["poi: 0 of class bank, before 30"]),
        (
            {"name": "Owned"},
            None,
            ["60 of 60 named rows are called 'Owned' (100%), before 1 of 60 'Bank30' (2%)"],
        ),
        (
            {"rows": 3},
            (9, 47, 9.009, 47.0035),
            ["poi: 24 kept, before 60", "km² that the last map covers (39%)"],
        ),
        (
            {"west": 19.0},
            (19, 47, 19.009, 47.009),
            ["covers 0.0 of the 0.7 km²", "lie beyond the last map (100%)"],
        ),
    ],
    ids=["class-deleted", "class-retagged", "one-name", "truncated", "foreign"],
)
def test_vandalism_and_wrong_files_are_held(
    options: dict[str, Any],
    box: tuple[float, ...] | None,
    said: list[str],
    write_map: Callable[..., Path],
    database: Settings,
    query: Callable[[str], list[Any]],
) -> None:
    usual = (9, 47, 9.009, 47.009)
    for day, lines, bounds in ((6, city(), usual), (7, city(**options), box or usual)):
        file = write_map(*lines, box=bounds, grid=False, timestamp=f"2024-05-{day:02}T07:08:09Z")
        done = trigpoint(database, "import", str(file), "--name", "city", "--json")
        assert done.status == day - 6, done.err
    for phrase in said:
        assert phrase in done.err
    assert query(STATES) == [("published",), ("held",)]


def test_a_city_that_grew_passes(
    write_map: Callable[..., Path], database: Settings, query: Callable[[str], list[Any]]
) -> None:
    more = city(classes={"cafe": 32, "bank": 29, "pub": 3})
    for day, lines in ((6, city()), (7, more)):
        file = write_map(
            *lines, box=(9, 47, 9.009, 47.009), grid=False, timestamp=f"2024-05-{day:02}T07:08:09Z"
        )
        import_extract(database, str(file), "city", ManualClock(NOW), Silent())
    assert query(STATES) == [("published",), ("published",)]


# --- an import that is held ----------------------------------------------------------------------------------------


class Town:
    """Three dozen parks on the grid; of some the ring is open."""

    def __init__(self, write_map: Callable[..., Path], settings: Settings) -> None:
        self.write_map, self.settings = write_map, settings

    def file(self, broken: int, parks: int = 36, day: int = 6, cafe: str = "Cafe") -> Path:
        corners = [(x, y) for x in range(1, 7) for y in range(1, 7)][:parks]
        lines = [f"n500 v1 x9.0015 y47.0015 Tamenity=cafe,name={cafe}"]
        for number, (x, y) in enumerate(corners):
            ring = f"n{x}{y},n{x + 1}{y},n{x + 1}{y + 1}" + ("" if number < broken else f",n{x}{y}")
            lines.append(f"w{number + 1} v1 Tleisure=park,name=Park{number} N{ring}")
        return self.write_map(*lines, name=f"parks-{broken}-{parks}-{day}-{cafe}.osm.pbf", day=day)

    def load(self, **options: Any) -> ImportResult:
        return import_extract(self.settings, str(self.file(**options)), "parks", ManualClock(NOW), Silent())


@pytest.fixture
def parks(write_map: Callable[..., Path], database: Settings) -> Town:
    def dated(*lines: str, name: str, day: int) -> Path:
        return write_map(*lines, name=name, timestamp=f"2024-05-{day:02}T07:08:09Z")

    return Town(dated, database)


@pytest.fixture
def query(superuser_of: Callable[[Settings], str], database: Settings) -> Callable[[str], list[Any]]:
    def ask(statement: str) -> list[Any]:
        with psycopg.connect(superuser_of(database)) as connection:
            return connection.execute(statement).fetchall()

    return ask


STATES = "select state from trigpoint.snapshot order by id"


def may_read(settings: Settings, schema: str) -> tuple[bool, bool]:
    """Whether the worker reads the layers, and the reader the views."""
    reference = "reference_" + schema.rsplit("_", 1)[1]
    return _reads(settings, Role.WORKER, f"{schema}.poi"), _reads(settings, Role.READER, f"{reference}.pois")


def _reads(settings: Settings, role: Role, relation: str) -> bool:
    with connect(settings, role) as connection:
        try:
            connection.exec_driver_sql(f"select 1 from {relation}")
        except ProgrammingError as error:
            if not isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
                raise
            return False
    return True


def test_a_jump_is_held_then_published(parks: Town, query: Callable[[str], list[Any]]) -> None:
    first = parks.load(broken=1, day=6)
    with pytest.raises(ImportHeld) as held:
        parks.load(broken=30, day=7)
    said = str(held.value)
    assert (
        "parks@2024-05-07T07:08:09Z is held and nothing was switched: against parks@2024-05-06T07:08:09Z"
        in said
    )
    assert "park: 30 of 36 rejected (83.3%), before 1 of 36 (2.8%)" in said
    assert "park: 6 kept, before 35" in said
    ((schema,),) = query("select schema_name from trigpoint.snapshot where state = 'held'")
    assert f"Look into {schema}.reject, then" in said
    assert "`trigpoint snapshot publish parks@2024-05-07T07:08:09Z`" in said
    assert query(f"select count(*) from {schema}.reject where layer = 'park'") == [(30,)]
    assert may_read(parks.settings, first.schema) == (True, True)
    assert may_read(parks.settings, schema) == (False, False)

    with pytest.raises(ImportHeld, match="was imported already and is held as parks@2024-05-07"):
        parks.load(broken=30, day=7)
    assert query(STATES) == [("published",), ("held",)]

    done = trigpoint(parks.settings, "snapshots", "--json")
    assert [one["snapshot"] for one in done.json["snapshots"]] == ["parks@2024-05-06T07:08:09Z"]
    assert "parks@2024-05-07T07:08:09Z is held" in done.err

    published = publish_held(parks.settings, "parks@2024-05-07T07:08:09Z", ManualClock(NOW))
    assert published.schema == schema
    assert query("select state, published_at from trigpoint.snapshot order by id") == [("published", NOW)] * 2
    assert may_read(parks.settings, schema) == (True, True)
    with pytest.raises(Conflict, match="is published, not held"):
        publish_held(parks.settings, "parks@2024-05-07T07:08:09Z", ManualClock(NOW))
    assert parks.load(broken=30, day=7).reused


def test_a_newer_map_passes_beside_a_held_one_and_says_so(
    parks: Town, query: Callable[[str], list[Any]]
) -> None:
    parks.load(broken=1, day=6)
    with pytest.raises(ImportHeld):
        parks.load(broken=30, day=7)
    file = parks.file(broken=0, day=8)
    done = trigpoint(parks.settings, "import", str(file), "--name", "parks", "--json")
    assert (done.status, done.json["snapshot"]) == (0, "parks@2024-05-08T07:08:09Z")
    assert "parks@2024-05-07T07:08:09Z is held" in done.err
    assert query(STATES) == [("published",), ("held",), ("published",)]


def test_the_command_says_what_is_held_and_exits_1(parks: Town) -> None:
    parks.load(broken=1, day=6)
    done = trigpoint(parks.settings, "import", str(parks.file(broken=30, day=7)), "--name", "parks", "--json")
    assert (done.status, done.out) == (1, "")
    assert "park: 30 of 36 rejected" in done.err
    shown = trigpoint(parks.settings, "snapshot", "publish", "parks", "--json")
    assert shown.json["snapshot"] == "parks@2024-05-07T07:08:09Z"


def test_a_held_map_is_dropped_and_may_be_imported_again(
    parks: Town, query: Callable[[str], list[Any]]
) -> None:
    parks.load(broken=1, day=6)
    with pytest.raises(ImportHeld):
        parks.load(broken=30, day=7)
    drop_snapshot(parks.settings, "parks@2024-05-07T07:08:09Z")
    assert query("select count(*) from pg_namespace where nspname ~ '^(osm|reference)_'") == [(2,)]
    with pytest.raises(ImportHeld):
        parks.load(broken=30, day=7)
    assert query(STATES) == [("published",), ("dropped",), ("held",)]


def test_an_older_map_is_judged_by_what_is_older_still(
    parks: Town, query: Callable[[str], list[Any]]
) -> None:
    parks.load(broken=1, day=20)
    parks.load(broken=30, day=2)  # the first of its time: nothing to compare with
    parks.load(broken=30, day=3, cafe="Other")  # as bad as the one before it
    with pytest.raises(ImportHeld, match="against parks@2024-05-20"):
        parks.load(broken=30, day=21)
    assert query(STATES) == [("published",), ("published",), ("published",), ("held",)]


def test_maps_of_another_name_do_not_matter(parks: Town) -> None:
    parks.load(broken=1, day=6)
    file = parks.file(broken=30, day=7)
    assert not import_extract(parks.settings, str(file), "other", ManualClock(NOW), Silent()).reused


def test_nothing_held_to_publish(parks: Town) -> None:
    with pytest.raises(NotFound, match="There is no held snapshot 'parks'"):
        publish_held(parks.settings, "parks", ManualClock(NOW))
    done = trigpoint(parks.settings, "snapshot", "publish", "parks")
    assert done.status == 2
    assert "snapshots --all" in done.err
