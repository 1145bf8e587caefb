"""Parameters of questions: every tuple that a template could take on a snapshot, counted, in a seeded order.

Reads the picks of a template; distances in metres. Tuples are decoded one by one, never held together.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection

from app.core import seeds
from app.core.errors import UsageError
from app.questions.labels import columns_in_words, everyday_label_of, label_of
from app.questions.text_forms import length_in_words, lon_lat_in_words
from app.templates.statements import PROVIDED, as_single
from app.templates.templates import LabelKind, Template


@dataclass(frozen=True)
class Pick:
    """One value of a parameter: how it is stored, how the SQL takes it, how a text names it, in one line."""

    value: Any
    bind: Any
    label: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    everyday: str | None = None
    """How an everyday text names it, where that is otherwise."""


@dataclass(frozen=True)
class Tuple:
    """One choice for every parameter; several picks where a parameter takes a set."""

    picks: Mapping[str, Sequence[Pick]]
    picture: Any = None
    """Of a question about a picture, the `Picture` that was drawn."""
    refusal: str | None = None
    """Why nothing is asked about it, where the picture says so."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The typed parameters as they are stored: all that the second path is told."""
        return {
            name: [pick.value for pick in picks] if len(picks) > 1 else picks[0].value
            for name, picks in self.picks.items()
        }

    @property
    def binds(self) -> dict[str, Any]:
        """The parameters as the SQL takes them."""
        return {
            name: ",".join(pick.bind for pick in picks) if len(picks) > 1 else picks[0].bind
            for name, picks in self.picks.items()
        }

    def one(self, name: str) -> Pick:
        """The pick of a parameter that takes one."""
        return self.picks[name][0]


@dataclass(frozen=True)
class Space:
    """All tuples of a template on a snapshot."""

    template: Template
    choices: Mapping[str, Sequence[Pick]]
    seed: int

    @property
    def missing(self) -> str | None:
        """Why no tuple can become a question: the first parameter for which the map has no value."""
        parameters = self.template.header.parameters
        for name, offered in self.choices.items():
            if len(offered) < parameters[name].choose:
                return parameters[name].none_means or f"no_{name}"
        return None

    @cached_property
    def sizes(self) -> list[int]:
        """How many choices each parameter has; a parameter without a value counts as one that is refused."""
        parameters = self.template.header.parameters
        return [
            max(1, math.comb(len(offered), parameters[name].choose)) for name, offered in self.choices.items()
        ]

    @property
    def capacity(self) -> int:
        """The number of distinct tuples, distances counted in their bands; of pictures, what is looked for in each."""
        picture = self.template.header.picture
        return math.prod(self.sizes) * (picture.questions if picture else 1)

    def tuples(self) -> Iterator[Tuple]:
        """Every tuple once, in an order that the seed decides; of pictures, every frame alone.

        All templates about pictures take frames in the same order, so that they share pictures.
        """
        template = self.template
        named = ("frames",) if template.header.picture else ("tuples", template.benchmark, template.id)
        for index in seeds.permutation(math.prod(self.sizes), self.seed, *named):
            yield self._decode(index)

    def _decode(self, index: int) -> Tuple:
        picks: dict[str, Sequence[Pick]] = {}
        for (name, offered), size in zip(self.choices.items(), self.sizes, strict=True):
            parameter = self.template.header.parameters[name]
            index, rank = divmod(index, size)
            chosen = [rank] if parameter.choose == 1 else combination(len(offered), parameter.choose, rank)
            picks[name] = [offered[i] for i in chosen]
        drawn = {
            name: [self._draw_distance(name, picks)]
            for name, parameter in self.template.header.parameters.items()
            if parameter.type == "metres"
        }
        return Tuple({**picks, **drawn})

    def _draw_distance(self, name: str, picks: Mapping[str, Sequence[Pick]]) -> Pick:
        band = picks[name][0]
        others = {other: [pick.value for pick in chosen] for other, chosen in picks.items()}
        low, high = float(band.facts["low"]), float(band.facts["high"])
        share = seeds.unit(self.seed, "distance", self.template.benchmark, self.template.id, others)
        metres = round_distance(low + share * (high - low), low)
        return Pick(metres, metres, length_in_words(metres))


def open_space(
    connection: Connection,
    template: Template,
    seed: int,
    outline: str | None,
    chosen: Mapping[str, str] = MappingProxyType({}),
    facts: str | None = None,
    read: dict[str, list[Pick]] | None = None,
) -> Space:
    """The space of a template on the snapshot that the connection's search path names.

    `outline` is the snapshot's outline as hexadecimal WKB, or None; `chosen` are values of parameters of type
    choice that stand in for their defaults; `facts` is the id of the map's set of facts, or None; `read` keeps what
    picks gave, by their statements, for the snapshot's other templates.
    Raises UsageError for a choice that the pick does not offer.
    """
    read = {} if read is None else read
    choices: dict[str, Sequence[Pick]] = {}
    for name, parameter in template.header.parameters.items():
        if parameter.pick is None:
            continue
        choices[name] = read_choices(connection, template, name, outline, facts, read)
        wanted = chosen.get(name, parameter.default)
        if wanted is not None and parameter.type == "point":
            choices[name] = _sampled(choices[name], name, wanted)
        elif wanted is not None:
            choices[name] = _only(choices[name], name, wanted)
        if parameter.most is not None:
            choices[name] = draw_points(choices[name], parameter.most, seed)
    return Space(template, choices, seed)


def draw_points(cells: Sequence[Pick], most: int, seed: int) -> list[Pick]:
    """A point in each of at most so many cells, which are drawn by their weights without putting one back.

    A cell has the facts `west`, `south`, `east`, `north` (degrees), `weight` (above 0) and `kind`, a word that the
    point keeps. The draw is that of Efraimidis and Spirakis (2006): the cells with the largest u^(1/weight).
    """
    drawn = sorted(
        cells,
        key=lambda one: (
            math.log(1 - seeds.unit(seed, "cell", one.value)) / one.facts["weight"],
            str(one.value),
        ),
    )
    return [_draw_point(one, seed) for one in reversed(drawn[-most:])]


def _draw_point(cell: Pick, seed: int) -> Pick:
    west, south, east, north = (float(cell.facts[side]) for side in ("west", "south", "east", "north"))
    lon = west + seeds.unit(seed, "lon", cell.value) * (east - west)
    lat = south + seeds.unit(seed, "lat", cell.value) * (north - south)
    return point_pick(f"{lon:.6f},{lat:.6f},{cell.facts['kind']}")


def point_pick(value: str) -> Pick:
    """The pick of a drawn point, `LON,LAT,KIND`; a text tells longitude and latitude."""
    lon, lat, _ = value.split(",")
    return Pick(value, value, lon_lat_in_words(lon, lat))


def read_choices(
    connection: Connection,
    template: Template,
    name: str,
    outline: str | None,
    facts: str | None,
    read: dict[str, list[Pick]],
) -> list[Pick]:
    """What the map offers for one parameter that has a pick, whatever is chosen; the others are as in `open_space`."""
    pick = template.header.parameters[name].pick
    assert pick, "a picture's values are not listed"
    statement, kind = (
        as_single(template.picks[pick], {"outline": "text", **PROVIDED}),
        template.pick_labels.get(pick),
    )
    if statement not in read:
        result = connection.exec_driver_sql(statement, {"outline": outline, "facts": facts})
        columns = list(result.keys())
        read[statement] = [_pick(dict(zip(columns, row, strict=True)), kind) for row in result.all()]
    return read[statement]


def _only(offered: Sequence[Pick], name: str, value: str) -> list[Pick]:
    found = [pick for pick in offered if pick.value == value]
    if not found:
        raise UsageError(f"{name}={value}: there are {', '.join(str(pick.value) for pick in offered)}.")
    return found


def _sampled(cells: Sequence[Pick], name: str, wanted: str) -> list[Pick]:
    """The cells of one way to draw points; a map may have no cells at all."""
    ways = sorted({str(cell.facts["sampling"]) for cell in cells})
    if cells and wanted not in ways:
        raise UsageError(f"{name}={wanted}: there are {', '.join(ways)}.")
    return [cell for cell in cells if cell.facts["sampling"] == wanted]


def _pick(row: dict[str, Any], kind: LabelKind | None) -> Pick:
    """The pick of a row, of which its facts stay; its label is its own, or of that kind."""
    everyday = everyday_label_of(kind, row) if kind else row.pop("everyday_label", None)
    label = label_of(kind, row) if kind else row.pop("label", row["value"])
    row |= columns_in_words(kind, row) if kind else {}
    value = row.pop("value")
    bind = row.pop("bind", value)
    return Pick(value, bind, _one_line(label), row, None if everyday is None else _one_line(everyday))


def _one_line(label: Any) -> str:
    return " ".join(str(label).split())


def combination(n: int, k: int, rank: int) -> list[int]:
    """The subset of size `k` of range(n) that stands at `rank` in lexicographic order."""
    chosen: list[int] = []
    for size in range(k, 0, -1):
        # Of the subsets of what follows, `left` stand at ours or behind it; those that begin at n - m or later are
        # comb(m, size), so ours begins where these are just as many.
        rest = n - (chosen[-1] + 1 if chosen else 0)
        left = math.comb(rest, size) - rank
        m = bisect_left(range(rest + 1), left, key=lambda m: math.comb(m, size))
        rank = math.comb(m, size) - left
        chosen.append(n - m)
    return chosen


def round_distance(metres: float, least: float) -> float:
    """Two significant digits, distances that people say: downwards, but not below `least`.

    So a distance stays in its band, and two bands never give the same.
    """
    step = 10.0 ** (math.floor(math.log10(metres)) - 1)
    rounded = math.floor(metres / step) * step
    return rounded if rounded >= least else math.ceil(least / step) * step
