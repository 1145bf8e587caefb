"""What a restored database is compared by: each way in which it may differ is named."""

from app.backups.manifest import Measured, TableDigest, differences

STORED = Measured(
    tables={"a": TableDigest(rows=1000, digest="7"), "b": TableDigest(rows=0, digest="0")},
    structure=[("policy", "gold ours", "using true"), ("right", "SELECT on gold of trigpoint_worker", "")],
)


def test_equal() -> None:
    assert differences(STORED, STORED.model_copy(deep=True), same_server=True) == []


def test_every_difference_is_named() -> None:
    found = Measured(
        tables={"a": TableDigest(rows=999, digest="7"), "c": TableDigest(rows=0, digest="0")},
        structure=[("policy", "gold ours", "using false"), ("right", "SELECT on gold of public", "")],
    )
    assert differences(STORED, found, same_server=True) == [
        "table a has 999 rows instead of 1,000",
        "table b is missing",
        "table c is new",
        "policy gold ours is different",
        "right SELECT on gold of public is new",
        "right SELECT on gold of trigpoint_worker is missing",
    ]


def test_as_many_rows_but_others() -> None:
    found = STORED.model_copy(update={"tables": STORED.tables | {"a": TableDigest(rows=1000, digest="8")}})
    assert differences(STORED, found, same_server=True) == ["table a has other rows"]


def test_another_server_words_definitions_otherwise() -> None:
    words = [("policy", "gold ours", "using (true)"), STORED.structure[1]]
    assert differences(STORED, STORED.model_copy(update={"structure": words}), same_server=False) == []
    fewer = STORED.model_copy(update={"structure": words[1:]})
    assert differences(STORED, fewer, same_server=False) == ["policy gold ours is missing"]
