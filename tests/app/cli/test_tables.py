"""Tables in a terminal: no cell is cut or broken, whatever its width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from app.cli import tables

NAME = "mistralai/Mistral-7B-Instruct-v0.3-AWQ-2"
NARROWEST = 40
names = st.sampled_from(
    ["a", "gsqa", "T27", "東京大学", "organisation/model-70b", "n" * 36, "東" * 18, "é_9-." * 6]
)
sentences = st.lists(names, max_size=6).map(" ".join)
figures = st.sampled_from(["0", "12.5", "1,234,567"])


def _lines(table: Table, width: int) -> list[str]:
    return [line.plain for line in tables.lay_out(table, width)]


@given(st.data(), st.integers(NARROWEST, 200))
def test_no_line_is_too_long_and_every_name_is_whole(data: st.DataObject, width: int) -> None:
    kinds = data.draw(st.lists(st.sampled_from(["name", "figure", "sentence"]), min_size=1, max_size=9))
    of_kind = {"name": names, "figure": figures, "sentence": sentences}
    table = Table()
    for number, kind in enumerate(kinds):
        table.add_column(
            f"h{number}",
            justify="right" if kind == "figure" else "left",
            overflow="fold" if kind == "sentence" else "ellipsis",
        )
    rows = data.draw(st.lists(st.tuples(*(of_kind[kind] for kind in kinds)), min_size=1, max_size=4))
    for row in rows:
        table.add_row(*map(Text, row))
    lines = _lines(table, width)
    assert max(Text(line).cell_len for line in lines) <= width
    words = [word for line in lines for word in line.split()]
    for row in rows:
        for cell in row:
            for word in cell.split():
                words.remove(word)  # each cell is there once, and whole


def _wide(*headings: str | Text) -> Table:
    table = Table()
    for heading in headings:
        table.add_column(heading, justify="right")
    table.add_row(*("1.0" for _ in headings))
    return table


def test_names_that_head_columns_become_letters_with_an_explanation() -> None:
    other = NAME.replace("AWQ", "GPTQ")
    lines = _lines(_wide("score", Text(NAME), Text(other)), 80)
    assert lines[:3] == [f"A  {NAME}", f"B  {other}", "score    A    B"]


def test_the_widest_name_stands_above_its_row() -> None:
    table = tables.listing("run", "label", *("figures",) * 5, right=["figures"])
    table.add_row("12", NAME, *("1,000",) * 5)
    assert _lines(table, 80)[0] == "label"
    above, row = _lines(table, 80)[-2:]
    assert above == NAME
    assert row.split() == ["12", *["1,000"] * 5]


def test_a_table_of_many_columns_is_printed_as_records() -> None:
    headings = [f"quantity{number}" for number in range(12)]
    table = tables.listing(*headings)
    for row in ("a", "b"):
        table.add_row(*(f"{row}{number}" * 3 for number in range(12)))
    lines = _lines(table, 80)
    assert lines[0].split() == ["quantity0", "a0a0a0"]
    assert lines[12] == ""
    assert lines[13].split() == ["quantity0", "b0b0b0"]


@pytest.mark.parametrize("width", [20, 80])
def test_values_of_pairs_wrap_at_spaces_and_keep_long_words(width: int) -> None:
    address = "http://127.0.0.1:8000/" + "v" * 90
    lines = _lines(tables.pairs([("name", "a " * 60), ("URL", address), ("none", None)]), width)
    assert sum(address in line for line in lines) == 1
    assert "none" not in "".join(lines)
    assert all(len(line) <= max(width, 32) for line in lines if address not in line)


def test_pages_group_thousands_by_thin_spaces_and_terminals_by_commas() -> None:
    assert _lines(tables.pairs([("far", "12\u202f345\u202f678.5\u202fm")]), 80) == ["far  12,345,678.5 m"]


def test_signs_that_turn_text_about_are_written_out() -> None:
    assert _lines(tables.pairs([("name", "a\u202eb")]), 80) == ["name  a[U+202E]b"]
