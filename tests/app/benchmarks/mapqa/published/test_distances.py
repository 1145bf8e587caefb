"""Exact distances against the published keys: none is right over the ground, all are on the plane of Web Mercator."""

from math import hypot
from typing import Any

import pytest
from pyproj import Geod, Transformer

from app.benchmarks.mapqa.imported.loading import read_folder
from app.benchmarks.mapqa.published.rules import published_scorer
from tests.support.published_mapqa import RELEASE

GEOD = Geod(ellps="WGS84")
TO_PLANE = Transformer.from_crs(4326, 3857, always_xy=True)


def over_the_ground(one: Any, other: Any) -> float:
    return float(GEOD.inv(one["lon"], one["lat"], other["lon"], other["lat"])[2])


def on_the_plane(one: Any, other: Any) -> float:
    x, y = TO_PLANE.transform([one["lon"], other["lon"]], [one["lat"], other["lat"]])
    return hypot(x[0] - x[1], y[0] - y[1])


def test_an_exact_tool_user_is_right_by_no_published_distance() -> None:
    if not RELEASE.is_dir():
        pytest.skip(f"{RELEASE} is not here")
    asked = [one for one in read_folder(RELEASE).questions if one.template == "distance"]
    scorer = published_scorer("mapqa_distance")
    assert scorer is not None
    right = {over_the_ground: 0, on_the_plane: 0}
    for question in asked:
        for measure in right:
            metres = measure(*question.told["places"])
            right[measure] += scorer.judge(f"{metres:.2f} m", question.gold, None).value == 1.0
    assert len(asked) >= 20
    assert right == {over_the_ground: 0, on_the_plane: len(asked)}
