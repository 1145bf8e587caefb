"""Tool plans of questions, deduced from template and parameters: which calls of tools lead to the answer.

Nothing of them is stored, so that questions, ids and gold are as they were before there were plans. The anchor stands
in calls by its id: its name is in the text alone. What tools cannot answer is told with its reason.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from app.questions.derivations.plans import JSON, call, members, no_plan, plan, result
from app.questions.stored import StoredQuestion
from app.questions.tool_plans import Solved, deduces_plans

MOST_LISTED: Final = 20
"""Places that one call of the tool nearby lists."""
NOWHERE: Final = 1e12
"""The distance of a class that the map has nothing of: it is never the least."""
WITH_EXTENT: Final = frozenset({"park", "nature_reserve", "garden"})
"""Classes that tools measure to the nearest part of an area, and gold to its point."""
RARE: Final = frozenset({"art_gallery"})
"""Classes that belong to a category and that many maps have nothing of: tools refuse to look for these."""
_WAYS: Final[dict[str, Callable[["_Asked"], Mapping[str, JSON]]]] = {}


class _Asked:
    """The parameters of a question, as calls need them."""

    def __init__(self, question: StoredQuestion | Solved) -> None:
        self.gold, self.binds = question.gold, question.binds
        self.anchor = str(self.binds.get("anchor", ""))
        category = str(self.binds["category"])
        self.attributes: dict[str, str] = {}
        if question.template in NARROWED:
            kind, tag, values = category.split(",", 2)
            self.classes = [kind]
            self.attributes = {tag: values}
        else:
            self.classes = category.split(",")

    def nearby(self, **more: Any) -> list[JSON]:
        """A call for each class that counts."""
        attributes = {"attributes": self.attributes} if self.attributes else {}
        return [call("nearby", where=self.anchor, type=one, **attributes, **more) for one in self.classes]

    def nearest(self, field: str) -> JSON:
        """That field of the nearest of all places that the calls found; the calls are the first ones of the plan."""
        if len(self.classes) == 1:
            return result(0, "places", 0, field)
        said = [{**result(one, "places", 0, field), "else": ""} for one in range(len(self.classes))]
        metres = [
            {**result(one, "places", 0, "distance_m"), "else": NOWHERE} for one in range(len(self.classes))
        ]
        return {"$least": members(said, metres)}


NARROWED: Final = ("T2", "T6", "T14", "T18")
UNABLE: Final[Mapping[str, str]] = {
    **dict.fromkeys(("T3", "T4", "T9", "T10", "T15", "T16", "T19", "T20"), "no_tool_for_sectors"),
    **dict.fromkeys(("T7", "T8"), "facts_are_not_on_the_map"),
    **dict.fromkeys(("T11", "T12", "T27", "T28"), "no_tool_cuts_at_borders"),
}
"""Why tools do not answer the questions of a template."""


@deduces_plans("gsqa", lacking=UNABLE)
def plan_of(question: StoredQuestion | Solved) -> Mapping[str, JSON]:
    """The plan of a question, or why there is none."""
    if question.template not in _WAYS:
        return no_plan(UNABLE.get(question.template, "unanswerable"))
    asked = _Asked(question)
    if WITH_EXTENT.intersection(asked.classes):
        return no_plan("measured_to_the_edge")
    if RARE.intersection(asked.classes):
        return no_plan("class_may_be_missing")
    if any("|" in values for values in asked.attributes.values()):
        return no_plan("several_values_count")
    return _WAYS[question.template](asked)


def _way(*templates: str) -> Callable[[Any], Any]:
    def register(function: Callable[[_Asked], Mapping[str, JSON]]) -> Any:
        _WAYS.update(dict.fromkeys(templates, function))
        return function

    return register


@_way("T5", "T6")
def _nearest_name(asked: _Asked) -> Mapping[str, JSON]:
    return plan({"name": asked.nearest("name")}, *asked.nearby(limit=1))


@_way("T17", "T18")
def _nearest_location(asked: _Asked) -> Mapping[str, JSON]:
    return plan({"osm_key": asked.nearest("id")}, *asked.nearby(limit=1))


@_way("T26")
def _nearest_distance(asked: _Asked) -> Mapping[str, JSON]:
    return plan({"distance": asked.nearest("distance_m")}, *asked.nearby(limit=1))


@_way("T22")
def _nearest_azimuth(asked: _Asked) -> Mapping[str, JSON]:
    calls = [*asked.nearby(limit=1)]
    bearing = call("bearing", origin=asked.anchor, destination=asked.nearest("id"))
    return plan({"azimuth": result(len(calls), "degrees")}, *calls, bearing)


def _within(asked: _Asked, answer: Callable[[Sequence[JSON]], Mapping[str, JSON]]) -> Mapping[str, JSON]:
    """A plan that looks within the distance of the question."""
    calls = [*asked.nearby(radius_m=asked.binds["distance"], limit=MOST_LISTED)]
    return answer(calls)


@_way("T1", "T2")
def _name_in_range(asked: _Asked) -> Mapping[str, JSON]:
    """The nearest place, which is surely within the distance where any is."""
    return _within(asked, lambda calls: plan({"name": asked.nearest("name")}, *calls))


@_way("T13", "T14")
def _location_in_range(asked: _Asked) -> Mapping[str, JSON]:
    return _within(asked, lambda calls: plan({"osm_key": asked.nearest("id")}, *calls))


@_way("T25")
def _distance_in_range(asked: _Asked) -> Mapping[str, JSON]:
    return _within(asked, lambda calls: plan({"distance": asked.nearest("distance_m")}, *calls))


@_way("T21")
def _azimuth_in_range(asked: _Asked) -> Mapping[str, JSON]:
    def answer(calls: Sequence[JSON]) -> Mapping[str, JSON]:
        bearing = call("bearing", origin=asked.anchor, destination=asked.nearest("id"))
        return plan({"azimuth": result(len(calls), "degrees")}, *calls, bearing)

    return _within(asked, answer)


@_way("T23")
def _count_in_range(asked: _Asked) -> Mapping[str, JSON]:
    if len(asked.classes) > 1:
        return no_plan("one_place_may_have_several_classes")
    if asked.gold["count"] > MOST_LISTED:
        return no_plan("more_than_a_tool_lists")
    return _within(asked, lambda calls: plan({"count": {"$count": result(0, "places")}}, *calls))


@_way("T24")
def _count_in_region(asked: _Asked) -> Mapping[str, JSON]:
    if len(asked.classes) > 1:
        return no_plan("one_place_may_have_several_classes")
    calls = [call("places_in", area=asked.binds["region"], type=asked.classes[0])]
    return plan({"count": result(0, "total")}, *calls)
