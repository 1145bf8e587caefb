"""Readings of questions without an answer about places within a distance: T1, T13, T21 and T25.

From any point of the anchor that may be meant, no point of any place comes so near, of the classes that are asked for
or may be taken for them.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from app.benchmarks.gsqa.readings.around import OTHER_MEASURES, View, is_known, read_view, those_near
from app.benchmarks.gsqa.readings.rules import AsFar, SameWithin
from app.benchmarks.gsqa.second_path.categories import classes_of
from app.benchmarks.gsqa.second_path.unanswerable import ALIKE_PLACES, UNANSWERABLE, widened
from app.questions.readings import Reading, readings
from app.questions.readings.grounds import grounds_of
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.nearby import place_of


def read_nothing(layers: Layers, parameters: Mapping[str, Any], answer: SecondAnswer) -> Reading:
    """Whether there is still no place, from another point of the anchor, or at another point of a place."""
    position, lon, lat = place_of(layers, parameters, "anchor")
    distance, grounds = float(parameters["distance"]), grounds_of(layers)
    wide = widened(classes_of(parameters), ALIKE_PLACES)
    radius = float(grounds.radii[position])
    reach = OTHER_MEASURES * distance + radius + 1.0
    near = those_near(layers, layers["poi"].points_of(wide).positions, position, distance)
    none = np.zeros(len(near), dtype=bool)
    # The layer of other places has no outlines, so one that is near any point of the anchor makes its point be told.
    known = is_known(layers, grounds, position, distance) and not layers["other_place"].points_of(
        wide
    ).within(lon, lat, reach)
    view = View(grounds, position, None, None, near, SameWithin(distance, none, none, AsFar()), known)
    return read_view(view, layers, reach)


for _template, _since in {"T1": 4, "T13": 3, "T21": 3, "T25": 3}.items():
    readings("gsqa", _template, since=_since, kind=UNANSWERABLE)(read_nothing)
