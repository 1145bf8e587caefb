"""A stored question's parameters found again among what a map offers. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.core.identity import canonical_json
from app.questions.picking import Pick, Space, Tuple, point_pick
from app.questions.text_forms import length_in_words


class Unbound(NamedTuple):
    """The parameter of which the map does not offer the question's value."""

    parameter: str


class Binder:
    """Finds values among the choices of one template on one map."""

    def __init__(self, space: Space) -> None:
        self._parameters = space.template.header.parameters
        self._choices = space.choices
        self._offered: dict[str, dict[str, Pick]] = {}

    def bind(self, parameters: Mapping[str, Any]) -> Tuple | Unbound:
        """The tuple of those parameters; distances and drawn points are taken as they are, whatever the map's
        bands and cells."""
        picks: dict[str, list[Pick]] = {}
        for name, parameter in self._parameters.items():
            if parameter.pick is None:
                continue  # a picture offers it, which is drawn later
            value = parameters[name]
            if parameter.type == "metres":
                picks[name] = [Pick(value, value, length_in_words(value))]
                continue
            if parameter.type == "point":
                picks[name] = [point_pick(value)]
                continue
            wanted = value if parameter.choose > 1 else [value]
            found = [self._of(name).get(_form(one)) for one in wanted]
            picks[name] = [pick for pick in found if pick is not None]
            if len(picks[name]) < len(wanted):
                return Unbound(name)
        return Tuple(picks)

    def _of(self, name: str) -> dict[str, Pick]:
        if name not in self._offered:
            self._offered[name] = {_form(pick.value): pick for pick in self._choices[name]}
        return self._offered[name]


def _form(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)
