"""Second path: what a question's parameter `category` means: classes of places, or a class narrowed by a tag."""

import re
from collections.abc import Mapping

from app.questions.second_path.answering import Parameters, Refused, parameter

CATEGORIES: Mapping[str, frozenset[str]] = {
    **{
        klass: frozenset({klass})
        for klass in (
            "aquarium attraction cafe fast_food garden hospital hotel museum nature_reserve park restaurant stadium"
            " theme_park university viewpoint zoo"
        ).split()
    },
    "food": frozenset({"restaurant", "cafe", "fast_food"}),
    "gallery": frozenset({"art_gallery", "gallery"}),
}
"""Category: the classes that belong to it."""

_OFFERED = frozenset({"yes", "only"})
_SERVICES: Mapping[str, frozenset[str]] = {
    "takeaway": _OFFERED,
    "delivery": _OFFERED,
    "drive_through": _OFFERED,
    "outdoor_seating": frozenset({"yes", "terrace", "garden", "sidewalk", "pedestrian_zone", "patio"}),
}
_KINDS: Mapping[str, str] = {
    "museum": "museum",
    "restaurant": "cuisine",
    "cafe": "cuisine",
    "fast_food": "cuisine",
}
"""The tag whose every value narrows a class."""
_FILTER = re.compile(r"(?P<klass>[a-z_]+):(?P<tag>[a-z_]+)=(?P<value>[a-z_]+)")


def classes_of(parameters: Parameters) -> frozenset[str]:
    """The classes of the parameter `category`; raises Refused for one that does not exist."""
    category = parameter(parameters, "category", str)
    if category not in CATEGORIES:
        raise Refused("bad_parameters", parameter="category", found=category)
    return CATEGORIES[category]


def filter_of(parameters: Parameters) -> tuple[str, str, frozenset[str]]:
    """Class, tag and values that the narrowed `category` means; raises Refused for one that may not be asked."""
    category = parameter(parameters, "category", str)
    read = _FILTER.fullmatch(category)
    if read is None:
        raise Refused("bad_parameters", parameter="category", found=category)
    klass, tag, value = read["klass"], read["tag"], read["value"]
    if _KINDS.get(klass) == tag:
        return klass, tag, frozenset({value})
    if klass in ("restaurant", "cafe", "fast_food") and tag in _SERVICES and value == "yes":
        return klass, tag, _SERVICES[tag]
    if (klass, tag, value) == ("hospital", "emergency", "yes"):
        return klass, tag, frozenset({"yes"})
    raise Refused("bad_parameters", parameter="category", found=category)


def asked_classes(parameters: Parameters) -> frozenset[str]:
    """The classes that a question asks for: those of its category, the one that a tag narrows, or a class by itself."""
    category = parameter(parameters, "category", str)
    if ":" in category:
        return frozenset({filter_of(parameters)[0]})
    return CATEGORIES.get(category, frozenset({category}))
