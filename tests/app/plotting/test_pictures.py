"""Pictures: their numbers are the board's, their bytes the same twice, whatever models are called."""

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from sqlalchemy import text

from app.core.identity import digest
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting as words
from app.leaderboard.board import Kind, read_board
from app.leaderboard.models import Board, Row, Section
from app.leaderboard.offsets import Bin, Panel, Spread, bins_of, read_offsets, spread_of
from app.plotting.canvas import render
from app.plotting.heatmap import draw_heatmap
from app.plotting.names import MOST_CELLS, fitted, names_of
from app.plotting.pictures import PICTURES, picture
from app.plotting.radar import draw_radar
from tests.support.command_line import TRIGPOINT, environment, trigpoint
from tests.support.factories import azimuth_question, make_run, make_version
from tests.support.scored_runs import KNOWLEDGE, make_gsqa_board, make_knowledge_board, score

HOSTILE = (
    "<b>bold</b> & \"quoted\" 'twice' ]]>",
    "org/" + "very-long-" * 200 + "name-2b-instruct",
    "\u202emodel \u05de\u05d5\u05d3\u05dc \u0646\u0645\u0648\u0630\u062c",
    "🦙🚀 llama 🧭",
    "$\\frac{1}{0}$ $x^",
    "Z\u0300\u0301\u0302\u0303\u0304\u0305a\u0300\u0301\u0302l",
    "模型" * 30,
    "\ufffe\x0b\U0001fffe",
    "%s {} {0} \\",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
)
NUMBER = re.compile(r"\d+\.\d|–")


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    """Both toy boards; each template of the first is a dimension of its own."""
    made = make_database()
    with connect(made, Role.WORKER) as connection:
        for name in KNOWLEDGE:
            connection.execute(
                text(
                    "insert into template (benchmark, name, version, body_hash, header, body) values"
                    " ('urban_knowledge', :name, 1, :hash, jsonb_build_object('dimension', cast(:name as text)), '')"
                ),
                {"name": name, "hash": digest("urban_knowledge", name)},
            )
        connection.commit()
    make_knowledge_board(made)
    make_gsqa_board(made)
    return made


def read(settings: Settings, dataset: str = "toy_knowledge", by: Kind | None = "dimension") -> Board:
    with connect(settings, Role.API) as connection:
        return read_board(connection, dataset, by)


def texts(svg: Path | bytes) -> list[str]:
    content = svg.read_bytes() if isinstance(svg, Path) else svg
    return [
        "".join(one.itertext()).strip()
        for one in ElementTree.fromstring(content).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314
    ]


def draw(settings: Settings, tmp_path: Path, what: str, dataset: str = "toy_knowledge") -> list[str]:
    done = trigpoint(settings, "plot", what, dataset, "--to", str(tmp_path / "it.svg"), "--json")
    assert done.status == 0, done.err
    size = (tmp_path / "it.svg").stat().st_size
    assert done.json == {
        "dataset": dataset,
        "version": 1,
        "picture": what,
        "file": str(tmp_path / "it.svg"),
        "bytes": size,
    }
    return texts(tmp_path / "it.svg")


def with_names(board: Board, names: tuple[str, ...]) -> Board:
    """The board, with its first rows called so, there and in every section."""
    called = dict(zip([row.run for row in board.rows], names))

    def rename(rows: list[Row]) -> list[Row]:
        return [row.model_copy(update={"name": called.get(row.run, row.name)}) for row in rows]

    def sections(kind: str) -> dict[str, object]:
        return {
            name: one.model_copy(update={"rows": rename(one.rows)})
            for name, one in getattr(board, kind).items()
        }

    return board.model_copy(
        update={"rows": rename(board.rows), "templates": sections("templates"), "groups": sections("groups")}
    )


# Numbers


def test_a_board_has_the_boards_numbers(settings: Settings, tmp_path: Path) -> None:
    found, board = draw(settings, tmp_path, "board"), read(settings)
    told = [
        f"{words.percent(row.score)} ({words.interval(row)})" for row in board.rows if row.score is not None
    ]
    assert [one for one in found if re.match(r"\d+\.\d \(", one)] == told
    names = list(names_of(board.rows, MOST_CELLS).values())
    assert [one for one in found if one in names] == names
    ranks = [words.rank(row) for row in board.rows]
    assert [one for one in found if one in {"–", *"123456789"}] == ranks
    assert "toy_knowledge@1" in found
    assert any(one.startswith("44 questions without 4 hidden ones") for one in found)
    assert "© OpenStreetMap contributors, ODbL 1.0" in found
    assert "Dashed: chance, 25.0 %. Dotted: expected of random, 25.0 %." in found


def test_runs_with_errors_are_marked_and_not_ranked(settings: Settings, tmp_path: Path) -> None:
    found = draw(settings, tmp_path, "board")
    assert "incomplete, 2 error, 6 missing" in found
    assert "running, 44 missing" in found
    assert any("broken <b>model</b> (incomplete)" in one for one in draw(settings, tmp_path, "heatmap"))


@pytest.mark.parametrize("draw_picture", [draw_heatmap, draw_radar])
def test_numbers_of_a_sample_are_said_to_stand_on_it(
    settings: Settings, draw_picture: Callable[[Board, int], Figure]
) -> None:
    board = read(settings)
    said = "asked a sample of 5 questions; its numbers cover only these."

    def told(shown: Board) -> str:
        return " ".join(one.get_text() for one in draw_picture(shown, 8).findobj(Text)).replace("\n", " ")

    assert said not in told(board)
    first = board.rows[0].model_copy(update={"sample": 5, "n": 5})
    assert said in told(board.model_copy(update={"rows": [first, *board.rows[1:]]}))


def test_a_heat_map_has_the_numbers_of_templates(settings: Settings, tmp_path: Path) -> None:
    found, board = draw(settings, tmp_path, "heatmap"), read(settings)
    runs = [row.run for row in board.rows if row.score is not None]
    sections = [board.rows, *(one.rows for one in board.templates.values())]
    expected = [words.percent({row.run: row for row in rows}[run].score) for rows in sections for run in runs]
    assert [one for one in found if NUMBER.fullmatch(one)] == expected
    assert [one for one in found if one in board.templates] == list(board.templates)
    assert (found.count("12"), found.count("8")) == (3, 1)


def test_a_radar_has_the_numbers_of_dimensions(settings: Settings, tmp_path: Path) -> None:
    found, board = draw(settings, tmp_path, "radar"), read(settings)
    shown = [row for row in board.rows if row.score is not None]
    expected = [
        words.percent(score)
        for row in shown[:6]
        for score in [
            row.score,
            *({one.run: one for one in section.rows}[row.run].score for section in board.groups.values()),
        ]
    ]
    assert [one for one in found if NUMBER.fullmatch(one)] == expected
    starred = "Find_Nearest_POI*"
    assert found.count(starred) == (2 if board.groups["Find_Nearest_POI"].left_out else 0)


def test_errors_are_what_scorers_stored(settings: Settings, tmp_path: Path) -> None:
    """Three directions 0°, 119.5° and 239°, all 76 m away: answered exactly, and by north-east, 130 and 239."""
    board = read(settings, "toy_gsqa")
    with connect(settings, Role.API) as connection:
        (panel,) = read_offsets(connection, board)
    assert (panel.scorer, panel.bins) == ("angle", [Bin(76.0, 76.0, 76.0, 3)])
    by_name = {row.name: panel.runs[row.run] for row in board.rows}
    assert by_name["oracle"] == [Spread(3, 0.0, 0.0, 0.0)]
    (found,) = by_name["toy model"]
    assert found is not None
    assert (found.n, found.median, found.low) == (3, 10.5, 5.25)
    shown = draw(settings, tmp_path, "error", "toy_gsqa")
    assert "directions: error in °" in shown
    assert [one for one in shown if one.startswith(("76 m", "n 3"))] == ["76 m", "n 3"]


def test_answers_to_hidden_questions_are_in_no_error(database: Settings) -> None:
    questions = [azimuth_question(i, 10.0 * i, split="hidden" if i % 2 else "public") for i in range(12)]
    version = make_version(database, questions, name="part")
    answers: list[object] = [f"{10 * i + (90 if i % 2 else 2)} degrees" for i in range(12)]
    score(database, make_run(database, version, answers))
    with connect(database, Role.API) as connection:
        (panel,) = read_offsets(connection, read_board(connection, "part"))
    assert [one.questions for one in panel.bins] == [6]
    (spreads,) = panel.runs.values()
    assert spreads[0] is not None
    assert (spreads[0].n, round(spreads[0].median, 6), round(spreads[0].high, 6)) == (6, 2.0, 2.0)


@pytest.mark.parametrize(
    ("metres", "counts"),
    [
        ([5.0], [1]),
        ([5.0] * 40, [40]),
        (range(1, 10), [9]),
        (range(1, 21), [5, 5, 5, 5]),
        ([1.0] * 19 + [9.0], [19, 1]),
    ],
    ids=["one", "equal", "few", "twenty", "one apart"],
)
def test_bins_part_questions_about_evenly(metres: list[float], counts: list[int]) -> None:
    bins = bins_of(list(metres))
    assert [one.questions for one in bins] == counts
    assert all(one.nearest <= one.middle <= one.farthest for one in bins)
    assert all(one.farthest < other.nearest for one, other in pairwise(bins))


def test_spreads() -> None:
    assert spread_of([]) is None
    assert spread_of([3.0]) == Spread(1, 3.0, 3.0, 3.0)
    assert spread_of([0.0, 1.0, 2.0, 3.0, 4.0]) == Spread(5, 2.0, 1.0, 3.0)


# Bytes


@pytest.mark.parametrize("what", list(PICTURES))
def test_the_same_bytes_twice(settings: Settings, what: str) -> None:
    board = read(settings, "toy_gsqa" if what == "error" else "toy_knowledge")
    with connect(settings, Role.API) as connection:
        panels = read_offsets(connection, board)
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG"))[: 2 if what == "board" else 1]:
        first = picture(what, board, panels, 6, kind)  # type: ignore[arg-type]
        assert first.startswith(start)
        assert picture(what, board, panels, 6, kind) == first  # type: ignore[arg-type]


def test_another_process_elsewhere_gives_the_same_bytes(settings: Settings, tmp_path: Path) -> None:
    draw(settings, tmp_path, "board")
    style = tmp_path / "matplotlibrc"
    style.write_text("font.size: 30\naxes.facecolor: red\nsvg.hashsalt: other\n")
    other = environment(settings) | {"HOME": str(tmp_path), "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7"}
    other |= {"MATPLOTLIBRC": str(style), "PATH": os.environ["PATH"]}
    subprocess.run(
        [TRIGPOINT, "plot", "board", "toy_knowledge", "--to", tmp_path / "other.svg"], check=True, env=other
    )
    assert (tmp_path / "other.svg").read_bytes() == (tmp_path / "it.svg").read_bytes()


def test_only_this_command_loads_matplotlib() -> None:
    code = (
        "import sys; sys.argv = ['trigpoint', 'plot', '--help']\nfrom app.cli.main import build_application\n"
    )
    code += "build_application(['plot'])\nassert 'matplotlib' not in sys.modules"
    subprocess.run([TRIGPOINT.parent / "python", "-c", code], check=True)


# Names


@pytest.mark.parametrize("what", list(PICTURES))
@pytest.mark.filterwarnings("error")
def test_hostile_names_stay_in_the_picture(settings: Settings, what: str) -> None:
    board = read(settings, "toy_gsqa" if what == "error" else "toy_knowledge")
    with connect(settings, Role.API) as connection:
        panels = read_offsets(connection, board)
    for start in range(0, len(HOSTILE), len(board.rows)):
        hostile = with_names(board, HOSTILE[start:])
        drawn = render(lambda: _inside(PICTURES[what](hostile, panels, 6)), "x", "y", "svg")  # noqa: B023
        told = " ".join(texts(drawn))
        assert "<script" not in told
        assert "\u202e" not in told
        assert len(told) < 4000


def _inside(figure: Figure) -> Figure:
    """The figure, none of whose texts leaves it."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    width, height = figure.bbox.size
    for one in figure.findobj(Text):
        if isinstance(one, Text) and one.get_text() and one.get_visible():
            box = one.get_window_extent(renderer)
            assert box.x0 >= -1 and box.x1 <= width + 1, (one.get_text(), box)  # noqa: PT018
            assert box.y0 >= -1 and box.y1 <= height + 1, (one.get_text(), box)  # noqa: PT018
    return figure


@pytest.mark.parametrize("what", list(PICTURES))
@pytest.mark.parametrize("runs", [2, 40])
def test_long_names_are_whole_and_no_label_lies_over_another(
    settings: Settings, what: str, runs: int
) -> None:
    board, panels = _many(settings, "toy_gsqa" if what == "error" else "toy_knowledge", runs)
    figure = _inside(PICTURES[what](board, panels, 8 if what in ("radar", "error") else 12))
    renderer = FigureCanvasAgg(figure).get_renderer()
    shown = [one for one in figure.findobj(Text) if isinstance(one, Text) and one.get_visible()]
    told = [one.get_text() for one in shown]
    for row in board.rows[: min(runs, 8)]:
        assert row.score is None or any(row.name in one for one in told), row.name
    boxes = [
        one.get_window_extent(renderer) for one in shown if one.get_text().strip() and not one.get_rotation()
    ]
    for box, other in combinations(boxes, 2):
        wide = min(box.x1, other.x1) - max(box.x0, other.x0)
        high = min(box.y1, other.y1) - max(box.y0, other.y0)
        assert min(wide, high) < 3, (box, other)


def _many(settings: Settings, dataset: str, runs: int) -> tuple[Board, list[Panel]]:
    """A board of so many runs with names of 40 letters, all like its best one but for its last."""
    board = read(settings, dataset)
    with connect(settings, Role.API) as connection:
        panels = read_offsets(connection, board)
    best, last = board.rows[0], board.rows[-1]

    def rows(found: list[Row]) -> list[Row]:
        like = next(row for row in found if row.run == best.run)
        worst = next(row for row in found if row.run == last.run)
        made = [like.model_copy(update={"run": run}) for run in range(runs - 1)]
        return [
            row.model_copy(update={"name": f"organisation/model-3.1-instruct-4bit-{row.run:03}"})
            for row in [*made, worst.model_copy(update={"run": 999})]
        ]

    def sections(found: dict[str, Section]) -> dict[str, Section]:
        return {name: one.model_copy(update={"rows": rows(one.rows)}) for name, one in found.items()}

    many = board.model_copy(
        update={
            "rows": rows(board.rows),
            "templates": sections(board.templates),
            "groups": sections(board.groups),
        }
    )
    spreads = [replace(one, runs={row.run: one.runs[best.run] for row in many.rows}) for one in panels]
    return many, spreads


def test_names_are_cut_in_the_middle_and_told_apart() -> None:
    assert fitted("meta/llama-3-70b-instruct", 15) == "meta/l…nstruct"
    assert fitted("short", 15) == "short"
    assert fitted("", 9) == "–"
    assert fitted("模型" * 10, 9) == "模型…模型"
    rows = [
        _row(f"a-very-long-name-of-{middle}-and-its-end", run) for run, middle in ((3, "one"), (12, "two"))
    ]
    assert names_of(rows, 15) == {3: "a-very…s-end #3", 12: "a-ver…s-end #12"}


def _row(name: str, run: int) -> Row:
    return Row.model_validate(
        {
            "rank": None,
            "name": name,
            "solver": "direct",
            "run": run,
            "status": "complete",
            "n": 1,
            "states": {},
        }
        | dict.fromkeys(("score", "low", "high"))
    )


# Refusals


@pytest.mark.parametrize("name", ["it.pdf", "it", "svg", "it.svg.gz", "nowhere/it.svg"])
def test_bad_files_are_refused(settings: Settings, tmp_path: Path, name: str) -> None:
    done = trigpoint(settings, "plot", "board", "toy_knowledge", "--to", str(tmp_path / name))
    assert (done.status, done.out) == (2, "")
    assert re.search(r"\.svg or \.png|there is no folder", done.err)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_drawn_is_said(database: Settings, tmp_path: Path) -> None:
    version = make_version(database, [azimuth_question(i, 10.0 * i) for i in range(3)], name="bare")

    def told(what: str) -> str:
        done = trigpoint(database, "plot", what, "bare", "--to", str(tmp_path / "it.png"))
        assert done.status == 2
        return done.err

    assert all("bare@1 has no run yet" in told(what) for what in PICTURES)
    make_run(database, version, [], status="running")
    assert all("No run of bare@1 has a score" in told(what) for what in ("heatmap", "radar", "error"))
    done = trigpoint(database, "plot", "board", "bare", "--to", str(tmp_path / "it.png"))
    assert done.status == 0, "a board shows how far runs are"
    score(database, make_run(database, version, ["?"] * 3, "unread"))
    assert "too few dimensions for a radar (none)" in told("radar")
    assert (
        "There is no published data set"
        in trigpoint(database, "plot", "board", "none", "--to", str(tmp_path / "it.png")).err
    )
