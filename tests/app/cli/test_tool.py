"""`trigpoint tool`: arguments as options, schemas, messages and exit states."""

import json
import os
from typing import Any

import pytest

from app.agent_tools.registry import all_tools, find_tool
from app.cli.tool import read_options
from app.core.errors import UsageError
from app.core.settings import PROJECT_ROOT
from tests.support.command_line import Done, trigpoint
from tests.support.town import Imported

PROGRAM = str(PROJECT_ROOT / ".venv" / "bin" / "trigpoint")


def run(town: Imported, *options: str) -> Done:
    return trigpoint(town.settings, "tool", *options)


def town_environment(town: Imported) -> dict[str, str]:
    return {
        "TRIGPOINT_ENV_FILE": os.environ["TRIGPOINT_ENV_FILE"],
        "TRIGPOINT_DATABASE_URL": town.settings.database_url,
        "TRIGPOINT_LOCAL_DIR": str(town.settings.local_dir),
    }


def test_a_tool_answers_in_words_or_as_json(town: Imported) -> None:
    key = town.key("Museum Alpha")
    done = run(town, "nearby", "--snapshot", "town", "--where", key, "--type", "restaurant", "--limit=1")
    assert (done.status, done.err) == (0, "")
    assert "1. Adler (" in done.out
    answer = json.loads(
        run(town, "place_search", "--snapshot", "town", "--json", "--query", "Museum Alpha").out
    )
    assert answer["result"]["hits"][0]["id"] == key
    assert answer["snapshot"] == "town@2024-05-06T07:08:09Z"
    assert answer["credit"].startswith("© OpenStreetMap contributors")


def test_a_tool_of_a_set_answers_in_the_words_of_the_set(town: Imported) -> None:
    options = ("--set", "mapeval", "--snapshot", "town", "--placeName", "Museum Alpha")
    assert run(town, "PlaceSearch", *options).out == f"{town.key('Museum Alpha')}\n"
    schemas = json.loads(run(town, "--schemas", "--set", "mapeval").out)
    assert schemas[0]["function"]["name"] == "PlaceSearch"


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["nearby", "--snapshot", "town", "--where", "n1"], 1, "trigpoint: nearby: give either a type or a keyword.\n"),
        (["teleport", "--snapshot", "town"], 1, "trigpoint: There is no tool 'teleport'."),
        (["prices", "--snapshot", "town"], 1, "trigpoint: prices is unavailable."),
        (["nearby", "--snapshot", "atlantis", "--where", "n1", "--type", "cafe"], 2, "no published snapshot 'atlantis'"),
        (["PlaceSearch", "--snapshot", "town", "--placeName", "a"], 1, "trigpoint: There is no tool 'PlaceSearch'."),
        (["--set", "satnav"], 2, "The sets are: all, calculator, georover, georover_10km, mapeval, mapeval_calculator, spatial_agent."),
        (["calculator", "--expression", "1"], 2, "Say which map: --snapshot NAME."),
        (["calculator", "1 + 1", "--snapshot", "town"], 2, "'1 + 1' is no option. Give arguments as --name value."),
    ],
)  # fmt: skip
def test_messages_say_what_to_do(town: Imported, options: list[str], status: int, said: str) -> None:
    done = run(town, *options)
    assert (done.status, done.out) == (status, "")
    assert said in done.err


def test_schemas_are_functions_of_a_chat_endpoint(town: Imported) -> None:
    described = json.loads(run(town, "--schemas").out)
    assert [one["function"]["name"] for one in described] == list(all_tools())
    for one in described:
        parameters = one["function"]["parameters"]
        assert (one["type"], parameters["type"], parameters["additionalProperties"]) == (
            "function",
            "object",
            False,
        )
        assert one["function"]["description"]
        assert all(field.get("description") for field in parameters["properties"].values())


@pytest.mark.parametrize(
    ("tool", "given", "read"),
    [
        ("nearby", ["--where", "n1", "--radius-m", "5.5"], {"where": "n1", "radius_m": 5.5}),
        (
            "nearby",
            ["--where=n1", '--attributes={"cuisine": "pizza"}'],
            {"where": "n1", "attributes": {"cuisine": "pizza"}},
        ),
        ("hours_overlap", ["--places", "n1", "--places", "n2"], {"places": ["n1", "n2"]}),
        ("hours_overlap", ["--places", '["n1", "n2"]'], {"places": ["n1", "n2"]}),
        ("plan_trip", ["--stops", "n1", "--stops", '{"place": "n2"}'], {"stops": ["n1", {"place": "n2"}]}),
        ("place_search", ["--query", "24"], {"query": "24"}),
        ("bearing", ["--names", "x"], {"names": "x"}),
    ],
)
def test_options_become_arguments(tool: str, given: list[str], read: dict[str, Any]) -> None:
    assert read_options(find_tool(tool), given) == read


def test_a_word_that_is_no_option_is_refused() -> None:
    with pytest.raises(UsageError, match="'n1' is no option"):
        read_options(find_tool("nearby"), ["n1"])
