"""Rules of Destination (PR): what words mean, and the candidate that is chosen."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from app.benchmarks.urban_reasoning.steps.checking import builds
from app.benchmarks.urban_reasoning.steps.context_text import way_and_candidates
from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.heading import heading_graph
from app.benchmarks.urban_reasoning.steps.places_named import PlaceNames
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Announced, Rules, Window
from app.benchmarks.urban_reasoning.steps.tokens import Token
from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.reasoning import BLIND, RIGHT, WRONG, Step

_LEG = re.compile(r"\b(?:leg|segment) ?#?(?P<number>[1-9])\b", re.IGNORECASE)
_WORDS = {
    "lat": r"(?:\b|(?<=[Δd]))lat(?:itude)?\b|φ",
    "lon": r"(?:\b|(?<=[Δd]))lon(?:gitude|g)?\b|λ",
    "diff": r"Δ|\bd(?:lat|lon)|differ|delta|change",
    "bearing": r"bearing|azimuth|heading|direction|degrees|angle|θ|\btheta",
    "distance": r"distance|dist\b|\bkm\b|kilomet|length|far\b|away|(?-i:\bd(?:_\d)?\s*$)",
    "off": r"\boff\b|differ|deviat|turn|apart|from the (?:last|final|overall)|misalign|relative",
    "overall": r"overall|whole|general|start to end|net\b",
    "last": r"\blast\b|\bfinal\b",
}  # fmt: skip
_COMPILED = {key: re.compile(pattern, re.IGNORECASE) for key, pattern in _WORDS.items()}


@builds("PR")
def heading_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """The rules of a way and its candidates."""
    way, candidates = way_and_candidates(context)
    if len(way) < 2 or not candidates:
        raise ValueError("the context has to tell a way and candidates")
    names = PlaceNames([place.name for place in (*way, *candidates)], response)
    if names.are_letters_default:
        names.letters = {}
    graph = heading_graph(way, candidates)
    inputs = frozenset(graph.given)
    keys = [
        *(f"w{number}" for number in range(len(way))),
        *(f"c{number}" for number in range(len(candidates))),
    ]
    pairs = [(f"lat_{key}", f"lon_{key}") for key in keys]
    pairs += [(name, name.replace("dlat", "dlon")) for name in graph.quantities if name.startswith("dlat_")]
    told = [place.name for place in candidates]
    return [
        Rules(
            graph, lambda symbol: (), _announced(names, len(way)), _claims(told, graph, len(way)), inputs, {}, pairs,
            by_words=True,
        )
    ]  # fmt: skip


def _announced(names: PlaceNames, points: int) -> Announced:
    def announced(token: Token, window: Window) -> Sequence[Sequence[str]]:
        near, subjects = window.before, []
        for text in (window.before, window.sentence, window.title, *window.above[:3]):
            subjects = _subjects(names, text, points)
            if subjects:
                break
        told = _features(names.without(near)) or _features(names.without(window.sentence))
        behind = _features(names.without(window.behind))
        told = told | behind & {"off", "last", "overall"} if told else behind
        return [[name for name in one if name] for one in _read(told, subjects, token, window)]

    return announced


def _features(text: str) -> set[str]:
    return {key for key, pattern in _COMPILED.items() if pattern.search(text)}


def _subjects(names: PlaceNames, text: str, points: int) -> list[str]:
    """What a text is about: legs by number or ends, candidates, the overall way, single points."""
    if found := list(_LEG.finditer(text)):
        number = int(found[-1]["number"])
        return [f"leg{number}"] if number < points else []
    places = [mention.place for mention in names.mentions(text)]
    if not places:
        return ["overall"] if re.search(r"overall|start to end", text, re.IGNORECASE) else []
    if places[-1] >= points:
        return [f"c{places[-1] - points}"]
    steps = [other for one, other in pairwise(places) if other == one + 1]
    if steps:
        return [f"leg{steps[-1]}", f"w{steps[-1]}"]
    if len(places) >= 2 and places[-2:] == [0, points - 1]:
        return ["overall"]
    return [f"w{places[-1]}"]


def _read(told: set[str], subjects: Sequence[str], token: Token, window: Window) -> Iterator[Sequence[str]]:
    lines = [one for one in subjects if not one.startswith("w")]
    points = [one for one in subjects if one[0] in "wc"]
    if token.unit in ("km", "m"):
        yield [f"distance_{one}" for one in lines]
        return
    axes = ["lat", "lon"] if window.slot is None else [("lat", "lon")[window.slot]]
    axes = [axis for axis in ("lat", "lon") if axis in told] or (axes if window.slot is not None else [])
    if "diff" in told and axes:
        yield [f"d{axis}_{one}" for axis in axes for one in lines]
        return
    if axes:
        yield [f"{axis}_{one}" for axis in axes for one in points]
        return
    candidates = [one for one in lines if one[0] == "c"]
    if "off" in told and candidates:
        which = (
            ("off_overall", "off_last")
            if "overall" in told and "last" not in told
            else ("off_last", "off_overall")
        )
        yield from ([f"{name}_{one}" for one in candidates] for name in (*which, "bearing"))
        return
    if "distance" in told and not token.unit and "bearing" not in told:
        yield [f"distance_{one}" for one in lines]
        return
    if "bearing" in told:
        yield [f"bearing_{one}" for one in lines]


def _claims(
    told: Sequence[str], graph: Graph, points: int
) -> Callable[[Plain, str, Sequence[Step]], Sequence[Step]]:
    def claims(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
        """The chosen candidate: the one least off the last heading, by the bearings that the text states."""
        section = answer_section(response)
        places = {mention.place for mention in mentions_in(section, told)}
        if len(places) != 1:
            return []
        chosen = places.pop()
        off = [_first(graph, f"off_last_c{number}") for number in range(len(told))]
        best = min(range(len(told)), key=lambda number: off[number])
        right = chosen == best
        position = response.rfind(section)
        return [
            Step(
                "choice",
                told[chosen],
                told[best],
                position,
                RIGHT if right else WRONG,
                None if right else BLIND,
            )
        ]

    return claims


def _first(graph: Graph, name: str) -> float:
    return next(iter(graph.candidates(name)), 180.0)
