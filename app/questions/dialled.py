"""Whether questions that are being made are as hard as a recipe wants them. Reads the snapshot of the search path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.questions import queries
from app.questions.derivations import Derived
from app.questions.dials import Dials, Point, hops_of, kilometres_apart, places_offered
from app.questions.strategies import Distractor
from app.questions.terms import Ground
from app.questions.tool_plans import Solved, solutions_of
from app.templates.templates import Template

BEYOND = ("no_hops", "other_hops", "other_region", "no_nearness", "other_nearness")
"""Why questions are refused that are not as hard as is wanted."""
IN_VAIN, MOST_IN_VAIN = "dials_in_vain", 4000
"""Of so many questions beyond the ranges, where not one lay within: the others of the template are not tried."""


def are_in_vain(refused: Mapping[str, int]) -> bool:
    """Whether so many questions lay beyond the ranges that a template without any is given up."""
    return sum(refused.get(reason, 0) for reason in BEYOND) >= MOST_IN_VAIN


@dataclass(frozen=True)
class Dialled:
    """The dials of a recipe, for one template on one map."""

    ground: Ground
    template: Template
    dials: Dials

    def refuses(self, derived: Derived, binds: Mapping[str, Any]) -> str | None:
        """Why a question that has its gold is none of those wanted, as far as that is known before it has options."""
        hops = self._hops_of(derived, binds) if self.dials.hops else None
        return self.dials.refuses(hops, derived.radius)

    def _hops_of(self, derived: Derived, binds: Mapping[str, Any]) -> int | None:
        """Calls of its plan, stored or deduced."""
        template = self.template
        asked = Solved(
            template.benchmark, template.id, derived.gold, derived.gold_kind, binds, derived.solutions
        )
        return hops_of(solutions_of(asked))

    def refuses_options(self, gold: Mapping[str, Any], distractors: Sequence[Distractor]) -> str | None:
        """Why the options do not lie as far apart as is wanted; None where they do, or nothing is."""
        if self.dials.nearness_km is None:
            return None
        keys = places_offered(gold, distractors) or ()
        points = [point for key in keys if (point := self._points.get(key))]
        apart = kilometres_apart(points) if keys and len(points) == len(keys) else None
        return self.dials.nearness_km.refuses(apart, "nearness")

    @property
    def _points(self) -> Mapping[str, Point]:
        """By osm_key, a point of each object of the layer of the options; read once for a map."""
        layer, known = str(self.template.header.option_layer), self.ground.known.points
        if layer not in known:
            rows = self.ground.connection.exec_driver_sql(queries.POINTS[layer])
            known[layer] = {row.osm_key: (row.lon, row.lat) for row in rows}
        return known[layer]
