"""The files of Grafana's dashboards: nothing without a title, one data source, no password. Their SQL: tests/app/db/test_bi.py."""

import re
from itertools import combinations
from typing import Any

import pytest
import yaml

from tests.support.grafana import BOARDS, FOLDER, read_board

SOURCES = yaml.safe_load((FOLDER / "provisioning/datasources/trigpoint.yaml").read_text())["datasources"]
PROVIDERS = yaml.safe_load((FOLDER / "provisioning/dashboards/trigpoint.yaml").read_text())["providers"]


def sources_named(value: Any) -> set[tuple[str, str]]:
    """Every data source that a part of a dashboard names."""
    if isinstance(value, list):
        return {found for one in value for found in sources_named(one)}
    if not isinstance(value, dict):
        return set()
    own = {(value["datasource"]["type"], value["datasource"]["uid"])} if "datasource" in value else set()
    return own | {found for one in value.values() for found in sources_named(one)}


@pytest.mark.parametrize("name", BOARDS)
def test_everything_has_a_title_and_says_what_it_shows(name: str) -> None:
    board = read_board(name)
    assert board["uid"] == f"trigpoint-{name}"
    assert board["title"].strip()
    assert board["description"].endswith(".")
    assert board["panels"]
    for panel in board["panels"]:
        assert panel["title"].strip()
        assert panel["description"].endswith("."), panel["title"]
        (target,) = panel["targets"]
        assert target["rawSql"].startswith("select "), panel["title"]
    titles = [panel["title"] for panel in board["panels"]]
    assert len(set(titles)) == len(titles)
    assert [panel["id"] for panel in board["panels"]] == [*range(1, len(titles) + 1)]


@pytest.mark.parametrize("name", BOARDS)
def test_panels_lie_on_the_grid_and_none_covers_another(name: str) -> None:
    places = [panel["gridPos"] for panel in read_board(name)["panels"]]
    assert all(one["x"] >= 0 and one["x"] + one["w"] <= 24 for one in places)
    for one, other in combinations(places, 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        above = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or above, (name, one, other)


@pytest.mark.parametrize("name", BOARDS)
def test_a_dashboard_asks_the_one_data_source_and_refreshes_at_most_once_a_minute(name: str) -> None:
    board = read_board(name)
    assert sources_named(board) == {(SOURCES[0]["type"], SOURCES[0]["uid"])}
    assert board["refresh"] == "1m"


def test_the_data_source_is_the_role_of_bi_tools_and_its_password_comes_from_the_environment() -> None:
    (source,) = SOURCES
    assert source["user"] == "trigpoint_dashboard"
    assert source["secureJsonData"] == {"password": "$TRIGPOINT_PASSWORD_DASHBOARD"}
    assert source["editable"] is False
    words = " ".join(path.read_text() for path in FOLDER.rglob("*") if path.is_file())
    assert set(re.findall(r"\$(\w*PASSWORD\w*)", words)) == {"TRIGPOINT_PASSWORD_DASHBOARD"}


def test_containers_give_grafana_the_files_and_the_names_that_they_ask_for() -> None:
    compose = yaml.safe_load((FOLDER.parents[1] / "docker-compose.yml").read_text())
    grafana = compose["services"]["grafana"]
    asked = set(
        re.findall(r"\$(TRIGPOINT_\w+)", (FOLDER / "provisioning/datasources/trigpoint.yaml").read_text())
    )
    assert asked == {name for name in grafana["environment"] if name.startswith("TRIGPOINT_")}
    mounted = dict(volume.split(":")[:2] for volume in grafana["volumes"])
    assert mounted["./dashboards/grafana/provisioning"] == "/etc/grafana/provisioning"
    assert mounted["./dashboards/grafana/boards"] == PROVIDERS[0]["options"]["path"]
