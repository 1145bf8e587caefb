"""Worked reasoning about tours in several styles, right or with one planted fault. Seeded."""

import math
import random
from collections.abc import Callable, Mapping
from itertools import combinations, pairwise, permutations

from app.benchmarks.urban_reasoning.truth.sphere import wind_of
from tests.support.worked_reasoning import MARK, Chain, Values, Worked, drift, swap_digits, unmarked

PLACES = ("The Northall", "Trafalgar Square", "London Bridge", "London Eye", "Big Ben")
TOUR_FAULTS = ("digits", "sine", "swapped", "component", "position", "distance", "path", "order", "farthest")


def worked_tour(seed: int, fault: str | None = None) -> Worked:
    """A response to a question about a tour of five places."""
    chance = random.Random(f"tour {seed} {fault}")
    names = list(PLACES)
    chance.shuffle(names)
    legs = [(round(chance.uniform(0, 360), 2), round(chance.uniform(0.3, 5), 2)) for _ in range(4)]
    spoil, how = _spoiling(fault, chance)
    chain = _work_out(legs, Chain(spoil, how, chance.random() < 0.7))
    printing = _Printing(names, chain.shown, chance, fault, spoil)
    style, text = "", ""
    while not text or spoil not in (None, *printing.printed):
        style = chance.choice(sorted(STYLES))
        text = STYLES[style](printing)
    context = "\n".join(
        f"- From {one} to {other}: {leg[0]:.2f} degrees ({wind_of(leg[0])}), {leg[1]:.2f} km"
        for (one, other), leg in zip(pairwise(names), legs, strict=True)
    )
    question = f"In which order are {', '.join(names)} visited on the shortest tour?"
    text, place = unmarked(text)
    return Worked("PN", context, question, text, spoil or fault, fault, style, place)


def _spoiling(
    fault: str | None, chance: random.Random
) -> tuple[str | None, Callable[[float, Values], float] | None]:
    leg = chance.randint(1, 4)
    axis = chance.choice("xy")
    if fault == "digits":
        name = chance.choice((f"bearing{leg}", f"km{leg}"))
        return name, lambda value, _: swap_digits(value, 2, chance)
    if fault == "sine":
        return chance.choice((f"sin{leg}", f"cos{leg}")), lambda value, _: drift(value, chance)
    if fault == "swapped":
        other = {"x": "cos", "y": "sin"}[axis]
        return f"d{axis}{leg}", lambda _, values: values[f"km{leg}"] * values[f"{other}{leg}"]
    if fault == "component":
        return f"d{axis}{leg}", lambda value, _: -value
    if fault == "position":
        place = chance.randint(2, 4)
        return (
            f"{axis}{place}",
            lambda value, values: values[f"{axis}{place - 1}"] - values[f"d{axis}{place}"],
        )
    if fault == "distance":
        ends = chance.choice([pair for pair in combinations(range(5), 2) if pair[1] - pair[0] > 1])
        return f"distance_{ends[0]}{ends[1]}", lambda value, _: drift(value, chance)
    if fault == "path":
        return "path_0" + "".join(
            map(str, chance.choice(list(permutations(range(1, 5)))))
        ), lambda value, _: drift(value, chance)
    return None, None


def _work_out(legs: list[tuple[float, float]], chain: Chain) -> Chain:
    v = chain.values
    chain.set("x0", 0.0)
    chain.set("y0", 0.0)
    for leg, (bearing, km) in enumerate(legs, 1):
        chain.set(f"bearing{leg}", bearing)
        chain.set(f"km{leg}", km)
        chain.set(f"sin{leg}", math.sin(math.radians(v[f"bearing{leg}"])))
        chain.set(f"cos{leg}", math.cos(math.radians(v[f"bearing{leg}"])))
        chain.set(f"dx{leg}", v[f"km{leg}"] * v[f"sin{leg}"])
        chain.set(f"dy{leg}", v[f"km{leg}"] * v[f"cos{leg}"])
        for axis in "xy":
            chain.set(f"{axis}{leg}", v[f"{axis}{leg - 1}"] + v[f"d{axis}{leg}"])
    for one, other in combinations(range(5), 2):
        apart = math.hypot(v[f"x{one}"] - v[f"x{other}"], v[f"y{one}"] - v[f"y{other}"])
        chain.set(f"distance_{one}{other}", apart)
    for rest in permutations(range(1, 5)):
        order = (0, *rest)
        name = "path_" + "".join(map(str, order))
        chain.set(name, sum(v[f"distance_{min(pair)}{max(pair)}"] for pair in pairwise(order)))
    return chain


class _Printing:
    def __init__(
        self, names: list[str], values: Values, chance: random.Random, fault: str | None, spoil: str | None
    ) -> None:
        self.names, self.values, self.chance, self.fault = names, values, chance, fault
        self.printed: set[str] = set()
        self.spoil = spoil
        paths = sorted((name for name in values if name.startswith("path_")), key=lambda name: values[name])
        self.best = paths[0]
        others = [name for name in paths if name != self.best]
        self.listed = [self.best, *chance.sample(others, chance.choice((4, 7, 23)))]
        self.chosen = paths[2] if fault == "order" else self.best
        for needed in (self.chosen, spoil if fault == "path" else None):
            if needed and needed not in self.listed:
                self.listed.append(needed)
        chance.shuffle(self.listed)
        lengths = sorted(range(1, 5), key=lambda place: -values[f"distance_0{place}"])
        self.farthest = lengths[1 if fault == "farthest" else 0]
        self.digits = chance.choice((3, 4))

    def p(self, name: str, digits: int | None = None) -> str:
        """A number."""
        self.printed.add(name)
        mark = MARK if name == self.spoil else ""
        return mark + f"{self.values[name]:.{self.digits if digits is None else digits}f}"

    def order(self, name: str, join: str, letters: bool = False) -> str:
        """The places of an order."""
        return join.join(
            ("ABCDE"[int(one)] if letters else self.names[int(one)]) for one in name.removeprefix("path_")
        )

    def answer(self) -> str:
        """The answer's section."""
        return f"<answer>{self.order(self.chosen, '->')}</answer>"

    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of places."""
        return list(combinations(range(5), 2))

    def addends(self, name: str) -> str:
        """The distances along an order."""
        order = [int(one) for one in name.removeprefix("path_")]
        return " + ".join(self.p(f"distance_{min(pair)}{max(pair)}", 3) for pair in pairwise(order))


def _bullets(t: _Printing) -> str:
    lines = [
        f"Let {', '.join(f'{letter} = {name}' for letter, name in zip('ABCDE', t.names, strict=True))}.",
        "",
        "**1. Legs**",
    ]
    for leg, (one, other) in enumerate(pairwise("ABCDE"), 1):
        lines.append(
            f"- {one} → {other}: bearing {t.p(f'bearing{leg}', 2)}°, distance {t.p(f'km{leg}', 2)} km"
        )
    lines += ["", "**2. Components** (x east, y north)"]
    for leg, (one, other) in enumerate(pairwise("ABCDE"), 1):
        lines.append(f"- {one} → {other}:")
        for axis, function in (("x", "sin"), ("y", "cos")):
            lines.append(
                f"  - Δ{axis} = {t.p(f'km{leg}', 2)} × {function}({t.p(f'bearing{leg}', 2)}°) = {t.p(f'km{leg}', 2)} ×"
                f" {t.p(f'{function}{leg}')} = {t.p(f'd{axis}{leg}')} km"
            )
    lines += ["", "**3. Positions**", "- A: (0, 0)"]
    for place in range(1, 5):
        lines.append(f"- {'ABCDE'[place]}: ({t.p(f'x{place}')}, {t.p(f'y{place}')})")
    lines += ["", "**4. Distances**"]
    lines += [f"- {'ABCDE'[a]}{'ABCDE'[b]} = {t.p(f'distance_{a}{b}', 3)} km" for a, b in t.pairs()]
    lines.append(f"The farthest place from the start is {t.names[t.farthest]}.")
    lines += ["", "**5. Paths**"]
    lines += [f"- {t.order(one, '→', True)}: {t.addends(one)} = {t.p(one, 3)} km" for one in t.listed]
    lines.append(f"The shortest is {t.order(t.chosen, '→', True)}.")
    return "<reason>\n" + "\n".join(lines) + "\n</reason>\n" + t.answer()


def _table(t: _Printing) -> str:
    lines = ["| Leg | Bearing (°) | Distance (km) | Δx (km) | Δy (km) |", "|---|---|---|---|---|"]
    for leg, (one, other) in enumerate(pairwise(t.names), 1):
        lines.append(
            f"| {one} → {other} | {t.p(f'bearing{leg}', 2)} | {t.p(f'km{leg}', 2)} | {t.p(f'dx{leg}')} | {t.p(f'dy{leg}')} |"
        )
    lines += ["", "| Place | x (km) | y (km) |", "|---|---|---|", f"| {t.names[0]} | 0 | 0 |"]
    lines += [f"| {t.names[place]} | {t.p(f'x{place}')} | {t.p(f'y{place}')} |" for place in range(1, 5)]
    lines += ["", "| Pair | Distance (km) |", "|---|---|"]
    lines += [f"| {t.names[a]} – {t.names[b]} | {t.p(f'distance_{a}{b}', 3)} |" for a, b in t.pairs()]
    lines += [
        "",
        f"Farthest from the start: {t.names[t.farthest]}.",
        "",
        "| Order | Total (km) |",
        "|---|---|",
    ]
    lines += [f"| {t.order(one, ' → ')} | {t.p(one, 3)} |" for one in t.listed]
    return "<reason>\n" + "\n".join(lines) + "\n</reason>\n" + t.answer()


def _prose(t: _Printing) -> str:
    text = f"I put {t.names[0]} at the origin, with x to the east and y to the north. "
    for leg, (one, other) in enumerate(pairwise(t.names), 1):
        text += (
            f"The leg from {one} to {other} has a bearing of {t.p(f'bearing{leg}', 2)} degrees and a length of"
            f" {t.p(f'km{leg}', 2)} km, so its east component is {t.p(f'dx{leg}')} km and its north component is"
            f" {t.p(f'dy{leg}')} km. That puts {other} at ({t.p(f'x{leg}')}, {t.p(f'y{leg}')}). "
        )
    text += "\nThe distances are: "
    text += (
        "; ".join(f"{t.names[a]} to {t.names[b]} {t.p(f'distance_{a}{b}', 3)} km" for a, b in t.pairs())
        + ". "
    )
    text += f"The place farthest from the start is {t.names[t.farthest]}. "
    text += " ".join(f"The order {t.order(one, ', ')} has a total of {t.p(one, 3)} km." for one in t.listed)
    return f"<reason>{text}</reason>{t.answer()}"


def _symbols(t: _Printing) -> str:
    lines = [f"P{place} = {name}" for place, name in enumerate(t.names)]
    for leg in range(1, 5):
        lines.append(
            rf"$x_{leg} = x_{leg - 1} + {t.p(f'km{leg}', 2)}\sin({t.p(f'bearing{leg}', 2)}^\circ) = {t.p(f'x{leg}')}$, "
            rf"$y_{leg} = y_{leg - 1} + {t.p(f'km{leg}', 2)}\cos({t.p(f'bearing{leg}', 2)}^\circ) = {t.p(f'y{leg}')}$"
        )
    for a, b in t.pairs():
        lines.append(
            rf"$d(P{a}, P{b}) = \sqrt{{({t.p(f'x{b}')} - {t.p(f'x{a}')})^2 + ({t.p(f'y{b}')} - {t.p(f'y{a}')})^2}} = {t.p(f'distance_{a}{b}', 3)}$"
        )
    lines += [
        "-".join(f"P{one}" for one in name.removeprefix("path_")) + f": {t.p(name, 3)} km"
        for name in t.listed
    ]
    lines.append(f"Minimum: {t.p(t.chosen, 3)} km")
    return "<reason>\n" + "\n".join(lines) + "\n</reason>\n" + t.answer()


STYLES: Mapping[str, Callable[[_Printing], str]] = {
    "bullets": _bullets,
    "table": _table,
    "prose": _prose,
    "symbols": _symbols,
}
