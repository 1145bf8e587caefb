"""`trigpoint leaderboard`: boards beside one another in the terminal, as REST gives them."""

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.history import read_benchmark_board, read_history
from tests.support.command_line import trigpoint
from tests.support.explored import planted, store
from tests.support.factories import make_run, make_version, options_dataset
from tests.support.scored_runs import score


def test_boards_of_a_benchmark_and_of_versions(database: Settings) -> None:
    first = make_version(database, options_dataset(4), name="north")
    second = make_version(database, options_dataset(4), name="north", number=2, made_map=first.map)
    south = make_version(database, options_dataset(8), name="south", made_map=first.map)
    for version, label, answers in (
        (first, "steady", ["A", "B", "C", "D"]),
        (second, "steady", ["A", "B", "C", "A"]),
        (south, "steady", ["A", "B"] * 4),
        (south, "new", ["B"] * 8),
    ):
        score(database, make_run(database, version, answers, label))
    wide = trigpoint(database, "leaderboard", "south", "--benchmark", "--history", COLUMNS="100")
    tables = wide.out.split("\n\n")
    (by_version,) = (table for table in tables if "(rank) by version" in table)
    (by_dataset,) = (table for table in tables if "(rank) by data set" in table)
    assert [line.split() for line in by_version.splitlines()[2:]] == [
        ["new", "25.0", "(1)"],
        ["steady", "50.0", "(1)"],
    ]
    assert by_dataset.split("\n")[0].split()[-2:] == ["north@2", "south@1"]
    assert [line.split() for line in by_dataset.splitlines()[2:]] == [
        ["new", "–", "25.0", "(1)"],
        ["steady", "75.0", "(1)", "50.0", "(1)"],
    ]
    told = trigpoint(database, "leaderboard", "south", "--benchmark", "--history", "--json").json
    with connect(database, Role.API) as connection:
        benchmark = read_benchmark_board(connection, "urban_knowledge")
        assert told["benchmark_board"] == benchmark.model_dump(mode="json")
        assert told["history"] == read_history(connection, "south").model_dump(mode="json")
    assert "benchmark_board" not in trigpoint(database, "leaderboard", "south", "--json").json


def test_a_board_without_groups_says_so(database: Settings) -> None:
    episodes = [one for one in planted(each=2) if one.number % 3 == 0][:4]
    store(database, episodes)
    told = trigpoint(database, "leaderboard", "explored", "--by", "tier")
    assert "No scores by tier: all public questions are in one group, or in none." in told.out
    assert trigpoint(database, "leaderboard", "explored", "--by", "tier", "--json").json["groups"] == {}
    by_answer = trigpoint(database, "leaderboard", "explored", "--by", "answer_type").out
    assert "destinations" in by_answer
    assert "No scores by" not in by_answer
