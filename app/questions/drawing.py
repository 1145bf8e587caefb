"""The wrong options of one template's questions on one map: by the wanted variant, and as many as are wanted.

Reads numbers that keys are drawn from, once, where the variant needs them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import Connection

from app.core.names import normal_form
from app.core.seeds import Seed
from app.questions.alike import TOO_FEW, AlikeOptions
from app.questions.alike_numbers import AlikeNumbers
from app.questions.alike_places import AlikePlaces
from app.questions.derivations.numerals import kilometres_text, metres_text
from app.questions.derivations.options import coordinates_text
from app.questions.distractors import Distractor, draw_distractors
from app.questions.distractors_roads import junction_grid
from app.questions.drawing_roads import NeighbourhoodRoads
from app.questions.picking import Pick, Tuple
from app.questions.records import SnapshotRef
from app.templates.header import Distractors
from app.templates.statements import PROVIDED, SQL_TYPES, as_single, binds_of
from app.templates.templates import Template

Row = Mapping[str, Any]
FIVE = 5
MEASURES = {"other_lengths": ("length", metres_text), "other_distances": ("distance", kilometres_text)}
"""By strategy: which part of gold is the number, and how it is written."""
NEIGHBOURING = ("junction_grid", "keyed_roads")
"""Strategies that draw among the keys of a neighbourhood."""
ROADS = 2
"""How many wrong roads a grid of junctions has."""


@dataclass(frozen=True)
class OptionsWanted:
    """How options are to be made, where a template leaves a choice."""

    variant: str | None = None
    """The variant, where a template has one of that name; else its first."""
    five: bool = False
    """Whether to show five options where the variant's strategy and the map give four wrong ones; else four."""
    secret: str | None = field(default=None, repr=False)
    """The data set's secret, where wrong options are drawn from it; else anybody can draw them again."""

    def drawn_from(self, seed: int) -> Seed:
        """What seeds the draws of wrong options: the secret with the seed, or the seed alone."""
        return seed if self.secret is None else f"{self.secret} {seed}"


FIRST_VARIANT = OptionsWanted()
"""What recipes mean that do not say how options are made."""


def _own_names(picked: Tuple) -> set[str]:
    """Normal forms of the names of what is asked about."""
    named = [pick.facts.get("name") for picks in picked.picks.values() for pick in picks]
    return {normal_form(name) for name in named if name}


def _said_around(rows: Sequence[Row]) -> set[str]:
    """Normal forms of what is right too, or misleads, by the rows of the template's SELECT."""
    covering = {normal_form(row["name"]) for row in rows if row.get("covers")}
    return covering | {normal_form(text) for row in rows for text in row.get("unfit") or ()}


def _counts(strategy: Distractors, five: bool) -> list[int]:
    """How many wrong options are tried to be had, one after the other."""
    if not five or not strategy.may_be_five:
        return [strategy.count]
    # among three numbers beside a key, those that could have had four would show that they are not it
    return [FIVE - 1] if strategy.reads_numbers else [FIVE - 1, strategy.count]


class Drawing:
    """Draws wrong options for one template on the snapshot that the connection's search path names."""

    def __init__(
        self,
        connection: Connection,
        snapshot: SnapshotRef,
        template: Template,
        strategy: Distractors,
        choices: Mapping[str, Sequence[Pick]],
        seed: Seed,
        five: bool,
    ) -> None:
        self._connection, self._snapshot, self._template = connection, snapshot, template
        self._strategy, self._choices, self._seed = strategy, choices, seed
        self._counts = _counts(strategy, five)

    @property
    def asks_pool(self) -> bool:
        """Whether each question has a pool of its own."""
        drawn_once = self._strategy.reads_numbers or self._strategy.strategy in NEIGHBOURING
        return self._strategy.pool is not None and not drawn_once

    @cached_property
    def refusal(self) -> str | None:
        """Why no question of this map can have its wrong options, where that can be told without asking any."""
        numbers = self._strategy.reads_numbers
        return TOO_FEW if numbers and not self._numbers.can_stand_together(min(self._counts) + 1) else None

    def draw(
        self,
        picked: Tuple,
        rows: Sequence[Row],
        pool: Sequence[Row],
        gold: Mapping[str, Any],
        question_id: str,
    ) -> list[Distractor] | str:
        """The wrong options of a question, or why there are none."""
        found: list[Distractor] | str = TOO_FEW
        for count in self._counts:
            found = self._draw(count, picked, rows, pool, gold, question_id)
            if found != TOO_FEW:
                break
        return found

    def is_unfair(self, picked: Tuple, rows: Sequence[Row], drawn: Sequence[Distractor]) -> bool:
        """Whether wrong options that were drawn before say what none may say that is drawn now."""
        if self._strategy.strategy in (*MEASURES, "other_places", "others"):
            return False
        excluded = _own_names(picked) | _said_around(rows)
        return any(normal_form(one["text"]) in excluded for one in drawn)

    def _draw(
        self,
        count: int,
        picked: Tuple,
        rows: Sequence[Row],
        pool: Sequence[Row],
        gold: Mapping[str, Any],
        question_id: str,
    ) -> list[Distractor] | str:
        own, covering = _own_names(picked), _said_around(rows)
        if self._strategy.strategy in MEASURES:
            return self._draw_numbers(count, gold, question_id)
        if self._strategy.strategy == "alike":
            (pick, *_), *_ = picked.picks.values()
            offered = pool if self.asks_pool else None
            return self._alike.draw(pick, gold["text"], offered, own | covering, count, question_id)
        if self._strategy.strategy == "other_places":
            return self._draw_places(count, picked, question_id)
        if self._strategy.strategy in NEIGHBOURING:
            return self._draw_roads(count, picked, gold, own, question_id)
        margins = self._template.header.margins
        strategy = self._strategy.model_copy(update={"count": count})
        found = draw_distractors(strategy, rows, pool, gold, own | covering, margins, self._seed, question_id)
        return TOO_FEW if found is None else found

    def _draw_numbers(self, count: int, gold: Mapping[str, Any], question_id: str) -> list[Distractor] | str:
        measure, written = MEASURES[self._strategy.strategy]
        drawn = self._numbers.draw(gold[measure], count, question_id)
        if isinstance(drawn, str):
            return drawn
        return [{"text": written(metres), "osm_key": None, measure: metres} for metres in drawn]

    def _draw_places(self, count: int, picked: Tuple, question_id: str) -> list[Distractor] | str:
        (pick, *_), *_ = picked.picks.values()
        drawn = self._places.draw(pick, count, question_id)
        if isinstance(drawn, str):
            return drawn
        return [
            {"text": coordinates_text(lon, lat), "osm_key": None, "lon": lon, "lat": lat}
            for lon, lat in drawn
        ]

    def _draw_roads(
        self, count: int, picked: Tuple, gold: Mapping[str, Any], excluded: set[str], question_id: str
    ) -> list[Distractor] | str:
        grid = self._strategy.strategy == "junction_grid"
        drawn = self._roads.draw(picked, ROADS if grid else count, excluded, question_id)
        if isinstance(drawn, str):
            return drawn
        if grid:
            return junction_grid(gold["names"], drawn)
        return [{"text": row["label"], "osm_key": row["osm_key"]} for row in drawn]

    @cached_property
    def _roads(self) -> NeighbourhoodRoads:
        return NeighbourhoodRoads(self._connection, self._template, self._choices, self._seed)

    @cached_property
    def _alike(self) -> AlikeOptions:
        picks = next(iter(self._choices.values()))
        return AlikeOptions(self._strategy, self._template.header.margins, picks, self._seed)

    @cached_property
    def _places(self) -> AlikePlaces:
        picks = next(iter(self._choices.values()))
        return AlikePlaces(picks, self._template.header.margins, self._seed)

    @cached_property
    def _numbers(self) -> AlikeNumbers:
        pool, margins = self._template.pool or "", self._template.header.margins
        bounds = {name: margins[name] for name in sorted(margins.keys() & binds_of(pool))}
        types = {"outline": "text", **PROVIDED, **dict.fromkeys(bounds, SQL_TYPES["number"])}
        binds = {"outline": self._snapshot.outline, "facts": self._snapshot.facts, **bounds}
        known = [float(row.value) for row in self._connection.exec_driver_sql(as_single(pool, types), binds)]
        return AlikeNumbers(known, margins, self._seed)
