"""Figures of an agent that explores: of stored steps, through scoring, as REST, pages and the terminal show them."""

from collections import Counter
from collections.abc import Callable

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.agents import read_figures
from app.published.episodes import read_episode
from tests.support.explored import Planted, planted, store
from tests.support.factories import MadeVersion
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving

Made = tuple[Settings, MadeVersion, int, list[Planted]]


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    episodes = planted(each=2)
    version, run = store(settings, episodes)
    return settings, version, run, episodes


def test_tiers_are_cumulative_and_hidden_questions_count_in_none(made: Made) -> None:
    settings, _, run, episodes = made
    with connect(settings, Role.API) as connection:
        (found,) = read_figures(connection, [run])
    assert found.exploration is not None
    public = episodes[1:]
    tiers = {one.name: one for one in found.exploration.tiers}
    assert list(tiers) == ["< 10 km", "< 20 km", "no limit"]
    for name, numbers in (("< 10 km", {0}), ("< 20 km", {0, 1}), ("no limit", {0, 1, 2})):
        of_tier = [one for one in public if one.number % 3 in numbers]
        assert tiers[name].episodes == tiers[name].users == len(of_tier)
        counted = Counter(one.error for one in of_tier if one.error)
        assert tiers[name].errors == {error: counted[error] for error in tiers[name].errors}
        assert tiers[name].calls == pytest.approx(sum(len(one.steps) for one in of_tier) / len(of_tier))
    # Two kinds of episodes are right: one by its third station, one by its first.
    assert [one.score * len(public) for one in tiers["no limit"].hits] == pytest.approx([2, 2, 4])
    assert all(one.low <= one.score <= one.high for one in tiers["no limit"].hits)
    assert [one.name for one in found.exploration.densities] == ["mid"]
    assert found.right_answers == 4
    assert set(found.errors.values()) == {0}, "these episodes have classes of their own"


def test_scoring_again_writes_the_same_figures(made: Made) -> None:
    settings, _, run, _ = made
    everything = text("select * from episode_figures order by prediction_id")
    with connect(settings, Role.WORKER) as connection:
        before = connection.execute(everything).all()
    score(settings, run)
    with connect(settings, Role.WORKER) as connection:
        assert connection.execute(everything).all() == before
    assert len(before) == 35


def test_an_episode_says_what_went_wrong(made: Made) -> None:
    settings, version, run, episodes = made
    place = next(place for place, one in enumerate(episodes) if one.kind == "conflated")
    with connect(settings, Role.API) as connection:
        found, _ = read_episode(connection, run, version.questions[place])
    assert (found.outcome, found.errors) == ("wrong", ["factual_conflation"])
    assert found.read is not None
    assert [one["hit"] for one in found.read["stations"]] == [False, False, False]


def test_rest_and_pages_show_the_figures(made: Made) -> None:
    settings, version, run, episodes = made
    place = next(place for place, one in enumerate(episodes) if one.kind == "repeats")
    with serving(settings) as address, patient_client(address) as client:
        page = client.get(f"{address}/runs/{run}").text
        episode = client.get(f"{address}/runs/{run}/questions/{version.questions[place]}").text
    assert "Why episodes miss at 3" in page
    assert '<td class="number" data-cell="hits_3">' in page
    assert "The answer contradicts what was seen beside stations" in page
    assert 'data-cell="calls_used_up_by_repeats"' in episode
    assert "The calls were used up, a quarter or more of them by repeats." in episode
