"""Comparisons say which questions they speak for: the templates that there are, or new ones, or as an older test did."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.pairwise import compare_runs
from app.scores.new_templates import LEAST_TEMPLATES, TWO_WAY
from app.scores.pairs import TEST
from tests.support.command_line import trigpoint
from tests.support.factories import make_run, make_version, option_question
from tests.support.planted_secrets import make_key
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving

TEMPLATES = [
    *(
        "Calculate_Distance",
        "Calculate_Distance_Context",
        "Classify_POI",
        "Compare_Area_Size",
        "Compare_POI_Count",
    ),
    *("Compare_Type_Diversity", "Find_Cover_AOI", "Find_Nearest_POI", "Landuse_AOI", "Retrieve_Coordinates"),
]
EACH = 4
KEYS = ["ABCD"[i % 4] for i in range(EACH * len(TEMPLATES))]
ENOUGH = "New templates: how sure the difference is for other templates of the same kind."
TOO_FEW = "With fewer than 10 templates, nothing is said about new templates."


class Made(NamedTuple):
    settings: Settings
    client: httpx.Client
    good: int
    bad: int

    def rest(self, path: str) -> Any:
        return self.client.get(f"/v1{path}").raise_for_status().json()


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    """Ten templates of four questions; one run is right in all of them, the other in every third."""
    settings = make_database()
    questions = [option_question(i, i % 4, template=TEMPLATES[i // EACH]) for i in range(len(KEYS))]
    version = make_version(settings, questions, name="ten")
    third = [key if i % 3 == 0 else "D" if key == "A" else "A" for i, key in enumerate(KEYS)]
    bad, good = make_run(settings, version, third, "bad"), make_run(settings, version, KEYS, "good")
    for run in (bad, good):
        score(settings, run)
    headers = {"Authorization": f"Bearer {make_key(settings, 'reader')}"}
    with serving(settings) as address, patient_client(address) as client:
        client.headers.update(headers)
        yield Made(settings, client, good, bad)


def test_rest_gives_both_figures(made: Made) -> None:
    assert len(TEMPLATES) == LEAST_TEMPLATES
    found = made.rest("/datasets/ten/comparisons")
    assert (found["test"], found["new_templates_test"]) == (TEST, TWO_WAY)
    (pair,) = found["pairs"]
    new = pair["new_templates"]
    assert (pair["run"], pair["tied"], pair["templates"]) == (made.good, False, 10)
    assert new["low"] < pair["difference"] <= new["high"] <= 1
    assert new["p"] < 0.05
    turned = made.rest(f"/datasets/ten/comparisons/{made.bad}/{made.good}")
    (whole,) = [one for one in turned["scopes"] if one["scope"] == "all"]
    assert whole["new_templates"] == {"low": -new["high"], "high": -new["low"], "p": new["p"]}
    assert all(
        one["new_templates"] is None for one in turned["scopes"] if one["scope"].startswith("template:")
    )


def test_the_terminal_says_which_is_which(made: Made) -> None:
    done = trigpoint(made.settings, "compare", str(made.good), str(made.bad), COLUMNS="200")
    assert "new templates" in done.out
    assert "for the templates of this benchmark" in done.out
    assert ENOUGH in " ".join(done.out.split())
    one = trigpoint(
        made.settings,
        "compare",
        str(made.good),
        str(made.bad),
        "--scope",
        f"template:{TEMPLATES[0]}",
        COLUMNS="200",
    )
    assert TOO_FEW in " ".join(one.out.split())


def test_the_page_says_which_is_which(made: Made) -> None:
    page = made.client.get(f"/leaderboards/ten/compare?first={made.good}&second={made.bad}").text
    assert "95 % interval, new templates" in page
    assert ENOUGH in page
    assert TEST in page


def test_comparisons_of_the_former_test_are_read_and_named(made: Made) -> None:
    with connect(made.settings, Role.OWNER) as connection:
        statement = "update run_comparison set test = 1, new_low = null, new_high = null, new_p = null"
        connection.execute(text(statement))
        (pair,) = (found := compare_runs(connection, [made.good, made.bad])).pairs
        board = read_board(connection, "ten")
        connection.rollback()
    assert (found.test, board.test) == (TWO_WAY, TWO_WAY)
    assert pair.new_templates is None
    assert pair.p is not None
