"""Wrong roads for the questions about a road in an area, on one map: roads that are keys of others of a neighbourhood.

Reads all questions of a neighbourhood, and which roads their roads meet, from the snapshot, once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.benchmarks.urban_knowledge.distractors.alike_keys import AlikeKeys, Asked
from app.benchmarks.urban_knowledge.distractors.queries import ROADS_MET
from app.benchmarks.urban_knowledge.distractors.roads import junction_grid
from app.core.names import bare_form
from app.questions.derivations import Case, Derived, derive
from app.questions.evidence import object_of
from app.questions.instantiate import ask_batch, types_used
from app.questions.picking import Pick, Tuple
from app.questions.shared_words import telling_words
from app.questions.strategies import Distractor, QuestionToFill, Row, Sources, Strategy, strategy

ROADS = 2
"""How many wrong roads a grid of junctions has."""


class NeighbourhoodRoads:
    """Draws wrong roads on the snapshot that the connection's search path names.

    The template's first parameter is the road in an area, with its neighbourhood (`option_kind`). What is asked about
    the road comes after; only questions that ask the same share their roads.
    """

    def __init__(self, sources: Sources) -> None:
        self._connection, self._template, self._seed = sources.connection, sources.template, sources.seed
        self._name, *_ = sources.choices
        self._offered = sources.choices[self._name]
        self._roads: dict[tuple[Any, ...], AlikeKeys] = {}

    def draw(self, picked: Tuple, count: int, excluded: set[str], question_id: str) -> list[Row] | str:
        """So many wrong roads as rows of `label` and `osm_key`, or the reason why the question cannot be fair."""
        stretch = picked.one(self._name)
        others = {name: bind for name, bind in picked.binds.items() if name != self._name}
        shared = (stretch.facts["option_kind"], *others.values(), count)
        if shared not in self._roads:
            asked = self._asked(stretch.facts["option_kind"], others)
            self._roads[shared] = AlikeKeys(asked, count, self._seed)
        return self._roads[shared].draw(stretch.value, excluded, question_id)

    def _asked(self, kind: str, others: Mapping[str, Any]) -> list[Asked]:
        """The questions of a neighbourhood that have a key, in the order of their subjects."""
        header = self._template.header
        picks = sorted(
            (pick for pick in self._offered if pick.facts["option_kind"] == kind),
            key=lambda pick: str(pick.value),
        )
        binds = [{self._name: pick.bind, **others, **header.constants} for pick in picks]
        body = self._template.body
        answers = ask_batch(self._connection, body, types_used(header, body), binds)
        cases = (
            Case(rows, bound, header.margins, header.limits, {self._name: pick.facts})
            for pick, bound, rows in zip(picks, binds, answers, strict=True)
        )
        derived = [derive(self._template.benchmark, header.derive, case) for case in cases]
        fit = [i for i, one in enumerate(derived) if one.refusal is None]
        subjects = {i: object_of(header.parameters[self._name], picks[i].value) for i in fit}
        met = self._met(sorted(set(subjects.values())))
        return [
            _asked_about(picks[i], _keys(derived[i], answers[i]), answers[i], met.get(subjects[i], []))
            for i in fit
        ]

    def _met(self, osm_keys: Sequence[str]) -> dict[str, Sequence[str]]:
        """The names of the roads that each road meets, by a key of the road; none where it meets no other."""
        rows = self._connection.exec_driver_sql(ROADS_MET, {"osm_keys": osm_keys})
        return {row.osm_key: row.names for row in rows}


def _keys(derived: Derived, rows: Sequence[Row]) -> dict[str, str]:
    """The roads that a key names, each with a key of its own: those at both ends of a road, or one."""
    if "cross_name" in rows[0]:
        return {row["cross_name"]: row["cross_key"] for row in (rows[0], rows[-1])}
    return {derived.gold["text"]: derived.gold["objects"][0]}


def _asked_about(pick: Pick, keys: Mapping[str, str], rows: Sequence[Row], met: Sequence[str]) -> Asked:
    own, told = bare_form(pick.facts["name"]), telling_words(pick.label)
    if rows[0].get("form") == "not_connected":
        connected = frozenset(bare_form(row["name"]) for row in rows if row["hop"] == 1)
        return Asked(pick.value, keys, frozenset({own}), connected, told)
    if len(keys) > 1:
        told = frozenset()  # each road of a pair stands in a wrong option too
    return Asked(pick.value, keys, frozenset({own, *map(bare_form, met)}), None, told)


class _OfNeighbourhood(Strategy):
    """What strategies share that draw roads of a neighbourhood."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._roads = NeighbourhoodRoads(sources)

    def _wrong_roads(self, question: QuestionToFill, count: int) -> list[Row] | str:
        return self._roads.draw(question.picked, count, question.own_names, question.id)


@strategy("urban_knowledge", "keyed_roads")
class KeyedRoads(_OfNeighbourhood):
    """The strategy `keyed_roads`."""

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Roads that are keys of other questions of the neighbourhood."""
        drawn = self._wrong_roads(question, count)
        return (
            drawn
            if isinstance(drawn, str)
            else [{"text": row["label"], "osm_key": row["osm_key"]} for row in drawn]
        )


@strategy("urban_knowledge", "junction_grid")
class JunctionGrid(_OfNeighbourhood):
    """The strategy `junction_grid`."""

    may_be_five = False

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Three pairs in which two wrong roads and those of the key stand."""
        drawn = self._wrong_roads(question, ROADS)
        return drawn if isinstance(drawn, str) else junction_grid(question.gold["names"], drawn)
