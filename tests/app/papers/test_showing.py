"""The tables of papers as people get them: the terminal, LaTeX, CSV, and their refusals."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.text import Text
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.papers.figures import blocks
from app.papers.latex import escape
from tests.support.command_line import Done, trigpoint
from tests.support.scored_runs import make_gsqa_board, make_knowledge_board

HOSTILE = r"=1+1 \input{/etc/passwd} 100% & $x_1^2$ ~#{}"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    """Runs 1 and 2 are of GS-QA, the second under a hostile name; the others of the Knowledge Module."""
    made = make_database()
    board = make_gsqa_board(made)
    assert list(board.runs.values()) == [1, 2]
    make_knowledge_board(made)
    with connect(made, Role.OWNER) as connection:
        connection.execute(text("update run set label = :label where id = 2"), {"label": HOSTILE})
        connection.commit()
    return made


def show(settings: Settings, *arguments: str, **variables: str) -> Done:
    return trigpoint(settings, "paper", *arguments, **variables)


def test_the_terminal_shows_both_kinds_of_rows_within_80_columns(settings: Settings) -> None:
    done = show(settings, "gsqa", "1", "2", COLUMNS="80")
    assert done.status == 0, done.err
    assert max(Text(line).cell_len for line in done.out.splitlines()) <= 80
    assert "Table 7, Attempted answers: share attempted; higher is better" in done.out
    assert re.search(r"^published +ST +0\.67", done.out, re.MULTILINE)
    assert re.search(r"^mine +run 1 +1\.00 {10,}1\.00", done.out, re.MULTILINE)
    assert re.search(r"^ +n +3 {10,}3 +3$", done.out, re.MULTILINE)
    assert re.search(r"^ +95 % +0\.44–1\.00", done.out, re.MULTILINE)
    assert "toy_gsqa@1 (map: village, 2 January 2026)" in done.out


def test_json_holds_the_same_cells(settings: Settings) -> None:
    done = show(settings, "gsqa", "1", "--table", "12", "--json")
    (table,) = done.json["tables"]
    mine = table["rows"][-1]
    assert (mine["kind"], mine["key"], mine["cells"]["T24"]["value"], mine["cells"]["T24"]["n"]) == (
        "mine",
        "1",
        0.0,
        3,
    )
    assert mine["cells"]["T23"] is None


def test_csv_guards_against_formulas_and_leaves_empty_cells_empty(settings: Settings) -> None:
    done = show(settings, "gsqa", "2", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(done.out)))
    names = {line["name"] for line in lines if line["kind"] == "mine"}
    assert names == {f"'{HOSTILE}"}
    t6 = next(
        line
        for line in lines
        if (line["measure"], line["row"], line["column"]) == ("F1 of the parsed answer", "M", "T6")
    )
    assert (t6["value"], t6["n"], t6["kind"]) == ("", "", "published")
    own = next(line for line in lines if line["kind"] == "mine" and line["column"] == "count")
    assert (own["table"], own["value"], own["n"], own["dataset"]) == ("7", "1.0", "3", "toy_gsqa@1")


def test_latex_escapes_hostile_names_and_is_balanced(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "tables.tex"
    done = show(settings, "gsqa", "1", "2", "--format", "latex", "--to", str(file), "--json")
    assert done.json == {"paper": "gsqa", "runs": [1, 2], "format": "latex", "file": str(file)}
    latex = file.read_text()
    assert r"\input" not in latex
    assert r"=1+1 \textbackslash{}input\{/etc/passwd\} 100\% \& \$x\_1\textasciicircum{}2\$" in latex
    for name in ("table", "tabular"):
        assert latex.count(rf"\begin{{{name}}}") == latex.count(rf"\end{{{name}}}") > 0
    for block in re.findall(r"\\begin\{tabular\}\{(.*?)\}(.*?)\\end\{tabular\}", latex, re.DOTALL):
        rows = [line for line in block[1].splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(block[0]) - 1}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("a\nb", "a b"),
        ("x\x00\u202ey", "x\ufffd\ufffdy"),
        (r"\end{table}", r"\textbackslash{}end\{table\}"),
        ("[1] *", "{[}1{]} {*}"),
    ],
)
def test_no_text_reaches_latex_as_a_command(given: str, wanted: str) -> None:
    assert escape(given) == wanted


def test_blocks_have_about_the_same_number_of_columns() -> None:
    assert [len(block) for block in blocks([str(i) for i in range(13)], 6)] == [5, 5, 3]
    assert blocks(["a"], 0) == [["a"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("gsqa", "1", "--table", "4"),
            "The paper gsqa has no table 4 here; there are: 7, 8, 9, 10, 11, 12, 13.",
        ),
        (("urban", "1"), "`trigpoint paper gsqa 1` shows it"),
        (("gsqa", "1", "--to", "x.csv"), "--to needs --format latex or --format csv."),
        (("gsqa", "1", "--format", "csv", "--json"), "give one, or add --to FILE"),
        (("gsqa", "1", "--format", "csv", "--to", "/nowhere/x.csv"), "cannot be written"),
        (
            ("chess", "1"),
            "There are no tables of a paper 'chess'; there are: evgeoqa, gsqa, mapeval, mapqa, spatial-agent, urban.",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(
    settings: Settings, arguments: tuple[str, ...], said: str
) -> None:
    done = show(settings, *arguments)
    assert done.status == 2
    assert said in " ".join(done.err.split())
