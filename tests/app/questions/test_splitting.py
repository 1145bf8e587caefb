"""Questions that are hidden in one data set and public in another of the same map."""

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.splitting import Shared, split_otherwise
from app.questions.versions import find_version
from tests.support.factories import make_version, name_question


def test_gold_that_another_data_set_tells_is_counted(database: Settings) -> None:
    north = make_version(
        database,
        [name_question(0), name_question(1, split="hidden"), name_question(2, split="hidden")],
        name="north",
    )
    south = [name_question(0, split="hidden"), name_question(1), name_question(2, split="hidden")]
    make_version(database, south, name="south", made_map=north.map)
    make_version(database, [name_question(3, split="hidden")], name="west", made_map=north.map)
    with connect(database, Role.WORKER) as connection:
        found = {
            name: split_otherwise(connection, find_version(connection, name))
            for name in ("north", "south", "west")
        }
    assert found == {
        "north": [Shared("south@1", public_there=1, hidden_there=1)],
        "south": [Shared("north@1", public_there=1, hidden_there=1)],
        "west": [],
    }
