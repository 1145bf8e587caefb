"""Binds in statements: found where they are binds, left alone in strings, comments, identifiers and casts."""

from hypothesis import given
from hypothesis import strategies as st

from app.templates.statements import as_batch, as_single, bind_positions, binds_of, with_binds

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
QUIET = st.text(st.characters(exclude_characters="'\"*/\\\0", exclude_categories=["Cs"]), max_size=12)
LEFT_ALONE = st.one_of(
    QUIET.map(lambda text: f"':x {text}'"),
    QUIET.map(lambda text: f'":x {text}"'),
    QUIET.map(lambda text: "-- :x " + " ".join(text.split()) + "\n"),
    QUIET.map(lambda text: f"/* :x {text}\n :y */"),
    NAMES.map(lambda name: f"a::{name}"),
    st.just("'it''s :x'"),
    st.just("a[1:2]"),
    st.just("50 % 7"),
)


@given(pieces=st.lists(st.one_of(LEFT_ALONE, NAMES.map(lambda name: f":{name}")), max_size=8))
def test_binds_are_told_from_the_rest(pieces: list[str]) -> None:
    body = " ".join(pieces)
    binds = [piece[1:] for piece in pieces if piece.startswith(":")]
    assert [name for name, _ in bind_positions(body)] == binds
    assert binds_of(body) == set(binds)
    for name, position in bind_positions(body):
        assert body[position:].startswith(f":{name}")
    rendered = with_binds(body, {name: f"<{name}>" for name in binds})
    assert rendered == " ".join(f"<{piece[1:]}>" if piece.startswith(":") else piece for piece in pieces)


def test_a_cast_of_a_bind() -> None:
    assert binds_of("select (:n)::integer, :m::text, x::date, now()::timestamp") == {"n", "m"}
    assert with_binds("select :m::text", {"m": "5"}) == "select 5::text"


def test_one_bind_begins_like_another() -> None:
    assert with_binds(":a :ab :abc", {"a": "1", "ab": "2", "abc": "3"}) == "1 2 3"


def test_the_two_forms() -> None:
    body = "select ':a', 5 % 2 as place where :a = :b"
    types = {"a": "text", "b": "integer"}
    assert as_single(body, types) == "select ':a', 5 %% 2 as place where %(a)s::text = %(b)s::integer"
    batch = as_batch(body, types)
    assert 'unnest(%(a)s::text[], %(b)s::integer[]) with ordinality as picked ("a", "b", pick_id)' in batch
    assert 'where picked."a" = picked."b"' in batch
    assert batch.endswith("order by picked.pick_id, answer.place")
