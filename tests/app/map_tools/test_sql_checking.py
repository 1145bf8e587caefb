"""The check of model-written SQL: every attack is refused, ordinary questions are not, and nothing takes long."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.map_tools.sql_checking import DEEPEST, check_sql, without_semicolon
from tests.app.map_tools.attacks import ATTACKS

VIEWS = ("pois", "parks", "lakes", "roads", "regions")
ORDINARY = [
    "select name from pois where subcategory = 'restaurant' limit 5",
    "select p.name, st_distance(p.geog, a.geog) as metres from pois p, pois a where a.name = 'Museum'"
    " and 'cafe' = any(p.subcategories) order by p.geog <-> a.geog limit 1;",
    "SELECT COUNT(*) FROM pois AS p JOIN regions r ON ST_Within(p.geom, r.geom) WHERE r.name ILIKE '%vaduz%'",
    "with a as (select geog from pois where name = 'Museum') select degrees(st_azimuth(a.geog, p.geog)) from pois p, a",
    "select sum(st_area(st_intersection(p.geom, r.geom)::geography)) from parks p, regions r where p.name is not null",
    "select name, count(*) filter (where ref is not null) over (partition by name) from roads where (tags ? 'lit')",
    "select extract(year from cast(tags ->> 'date' as date)), coalesce(name, 'x') from lakes where not exists (select 1)",
    "select * from (values (1, 'a'), (2, 'b')) as v (number, letter)",
    "with nearest (name, metres) as (select name, 1 from pois) select name from nearest",
    "select st_makepoint(9.5, 47.1)::geography(point, 4326), array[1, 2], row_number() over () from pois",
    "(select name from pois) union all (select name from parks) order by 1",
    "select column_name from information_schema.columns where table_name = 'pois'",
    "select srid from spatial_ref_sys where srid in (4326, 3857)",
    "select relname from pg_class join pg_catalog.pg_namespace n on n.oid = relnamespace",
    'select l.name from lakes l, lateral (select 1 as one) as o where l.tags @> \'{"a": "b"}\'::jsonb',
    "select case when admin_level between 4 and 6 then round(1.5) else -1 end, name || ' (x)' from regions",
    "select e'it''s', $$ f(x); $$, 'drop table x; --' from pois -- nearest",
]


@pytest.mark.parametrize("name", ATTACKS)
def test_every_attack_is_refused(name: str) -> None:
    started = time.monotonic()
    refusal = check_sql(ATTACKS[name].format(gold="trigpoint.gold", layer="osm_town_1.poi"), VIEWS)
    assert refusal is not None
    assert refusal.message
    assert refusal.kind in ("function", "relation", "syntax", "other")
    assert time.monotonic() - started < 2


def test_there_are_enough_of_them() -> None:
    assert len(ATTACKS) >= 60
    assert len(set(ATTACKS.values())) == len(ATTACKS)


@pytest.mark.parametrize("sql", ORDINARY)
def test_ordinary_questions_pass(sql: str) -> None:
    assert check_sql(sql, VIEWS) is None


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("select st_bearing(geog) from pois", "function"),
        ("select name from restaurants", "relation"),
        ("select name from osm_town_1.poi", "relation"),
        ("select name frm pois where", "syntax"),
        ("select 'open", "syntax"),
        ("", "syntax"),
        ("delete from pois", "other"),
    ],
)
def test_refusals_have_a_class(sql: str, kind: str) -> None:
    refusal = check_sql(sql, VIEWS)
    assert refusal is not None
    assert refusal.kind == kind


def test_another_snapshots_views_are_refused() -> None:
    assert check_sql("select 1 from reference_2.pois", VIEWS) is not None
    assert check_sql("select 1 from pois", ("parks",)) is not None


PIECES = (
    "(",
    "(select ",
    "array[",
    "case when true then ",
    "abs(",
    "not ",
    "- ",
    "exists (",
    "cast(",
    "x in (",
    "coalesce(1,",
)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=DEEPEST + 2))
def test_nothing_takes_long_to_refuse_or_allow(pieces: list[str]) -> None:
    ends = {
        "(": ")",
        "(select ": ")",
        "array[": "]",
        "case when true then ": " end",
        "abs(": ")",
        "exists (": ")",
    }
    ends |= {"cast(": " as int)", "x in (": ")", "coalesce(1,": ")"}
    sql = "select " + "".join(pieces) + "1" + "".join(ends.get(piece, "") for piece in reversed(pieces))
    started = time.monotonic()
    check_sql(sql, VIEWS)
    assert time.monotonic() - started < 2


@given(st.text(max_size=200))
def test_whatever_a_model_says_is_no_exception(text: str) -> None:
    check_sql(text, VIEWS)
    check_sql("select " + text, VIEWS)
    without_semicolon(text)


def test_a_semicolon_at_the_end_is_taken_off() -> None:
    assert without_semicolon("select 1; -- done") == "select 1"
    assert without_semicolon("select ';'") == "select ';'"
