"""Answers that ended because the limit on tokens was reached are told of, with what to do, wherever a score is read."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.command_line import trigpoint
from tests.support.factories import FAILED, make_run, make_version, options_dataset
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving

ADVICE = "Ask again with a larger `--max-tokens`; without this option the endpoint's own limit holds, which may be small."


class Made(NamedTuple):
    settings: Settings
    client: httpx.Client
    short: int
    whole: int

    def page(self, path: str) -> str:
        text = self.client.get(path).raise_for_status().text
        return unescape(re.sub("<code[^>]*>|</code>", "`", text))

    def cli(self, *words: str) -> str:
        done = trigpoint(self.settings, *words, COLUMNS="400")
        assert done.status == 0, done.err
        return done.out


def _cut(settings: Settings, run: int, answers: int) -> None:
    """Mark the first answers of a run as its solver does, and score it."""
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text(
                "update prediction set detail = '{\"truncated\": true}' where id in"
                " (select id from prediction where run_id = :run and state = 'answered' order by id limit :answers)"
            ),
            {"run": run, "answers": answers},
        )
        connection.commit()
    score(settings, run)


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    """A run of which 5 answers of 8 were cut off, one of which none was, and an unfinished one with 2 of 7."""
    settings = make_database()
    version = make_version(settings, options_dataset(8), name="towns")
    runs = {}
    for label, answers, cut in (
        ("short", ["A"] * 8, 5),
        ("whole", ["B"] * 8, 0),
        ("failing", ["A"] * 7 + [FAILED], 2),
    ):
        status = "incomplete" if FAILED in answers else "complete"
        runs[label] = make_run(settings, version, answers, label, status=status)
        _cut(settings, runs[label], cut)
    with serving(settings) as address, patient_client(address) as client:
        yield Made(settings, client, runs["short"], runs["whole"])


def test_rest_counts_them_on_boards(made: Made) -> None:
    rows = made.client.get("/v1/leaderboards/towns").raise_for_status().json()["rows"]
    counted = {row["name"]: (row["truncated"], row["answers"]) for row in rows}
    assert counted == {"short": (5, 8), "whole": (0, 8), "failing": (2, 7)}


def test_boards_and_reports_tell_of_every_run_in_one_sentence(made: Made) -> None:
    for told in (
        made.page("/leaderboards/towns"),
        made.cli("leaderboard", "towns"),
        made.cli("report", "towns"),
    ):
        assert told.count(ADVICE) == 1
        (sentence,) = [line for line in told.splitlines() if ADVICE in line]
        for counted in ("5 of 8 answers of short", "2 of 7 answers of failing"):
            assert counted in sentence
        assert "whole" not in sentence


def test_a_run_tells_of_its_own(made: Made) -> None:
    for told in (made.page(f"/runs/{made.short}"), made.cli("run", "show", str(made.short))):
        assert told.count(ADVICE) == 1
        assert "5 of 8 answers. They are scored as they stand" in told
    for told in (made.page(f"/runs/{made.whole}"), made.cli("run", "show", str(made.whole))):
        assert "--max-tokens" not in told
