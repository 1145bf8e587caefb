"""Questions without an answer through commands: made, proved, made again, answered, scored, shown apart; not refreshed."""

from app.core.settings import Settings
from tests.support.command_line import generate, trigpoint
from tests.support.town import Imported, import_map

MAKE = ("--bank", "4", "--per-template", "2", "--unanswerable", "0.2", "--hidden", "0.4")


def test_questions_without_an_answer_from_map_to_board(database: Settings, town: Imported) -> None:
    settings = database
    import_map(settings, town.file, town.name)
    made = generate(settings, "gsqa", town.name, "without", *MAKE)
    assert made.status == 0, made.err
    assert made.json["unanswerable"] == 0.2
    verified = trigpoint(settings, "verify", "without", "--json")
    assert verified.status == 0, verified.out + verified.err
    again = trigpoint(settings, "reproduce", "without", "--json")
    assert again.status == 0, again.out + again.err
    refreshed = trigpoint(settings, "refresh", "without", "--snapshot", town.name)
    assert refreshed.status != 0
    assert "without an answer" in refreshed.err
    told = trigpoint(settings, "evaluate", "without", "--solver", "oracle", "--json")
    assert told.status == 0, told.err
    board = trigpoint(settings, "leaderboard", "without", "--by", "gold", "--json").json
    (group,) = board["groups"].values()
    assert list(board["groups"]) == ["unanswerable"]
    assert group["rows"][0]["score"] == 1.0
    assert (
        1
        <= group["rows"][0]["n"]
        < sum(
            report["unanswerable"]["selected"]
            for report in made.json["templates"].values()
            if "unanswerable" in report
        )
    )
