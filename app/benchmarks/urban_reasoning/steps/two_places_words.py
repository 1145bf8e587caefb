"""What symbols and words mean in responses about two places (DS and DR)."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from app.benchmarks.urban_reasoning.steps.rules import Announced, Window
from app.benchmarks.urban_reasoning.steps.tokens import Token

FAMILIES: Mapping[str, Sequence[str]] = {
    name: family
    for family in (
        *((f"{axis}{place}_deg", f"{axis}{place}_rad") for axis in ("lat", "lon") for place in (1, 2)),
        ("dlat_deg", "dlat_rad"),
        ("dlon_deg", "dlon_rad"),
        ("half_dlat", "half_dlat_deg"),
        ("half_dlon", "half_dlon_deg"),
        ("mean_lat_deg", "mean_lat_rad"),
        ("theta_rad", "theta_deg", "bearing"),
    )
    for name in family
}
"""Quantities that one symbol can mean, in degrees or radians."""
_PLACES = {
    **dict.fromkeys("1 a p1 start from origin o begin".split(), "1"),
    **dict.fromkeys("2 b p2 end to dest destination target".split(), "2"),
}
_SYMBOL = re.compile(
    r"(?P<fn>sin|cos)?(?P<d>d|Δ|delta|diff)?(?P<axis>lat|lon)"
    r"(?P<unit>deg|rad)?(?P<place>1|2|a|b|start|end|origin|destination|dest|from|to)?(?P<unit2>deg|rad)?(?P<diff>diff)?"
)
_DISTANCE = {
    "a": ("a",), "hav": ("a",), "h": ("a",), "c": ("c",), "Δσ": ("c",), "σ": ("c",), "δ": ("c",),
    "d": ("distance_km",), "D": ("distance_km",), "dist": ("distance_km",),
    "R": ("radius_km",), "r": ("radius_km",),
}  # fmt: skip
_DIRECTION = {
    "y": ("y",), "Y": ("y",), "x": ("x",), "X": ("x",),
    **dict.fromkeys(
        ("θ", "theta", "β", "beta", "brng", "α", "ψ", "bearing", "azimuth", "Bearing", "Azimuth"),
        FAMILIES["bearing"],
    ),
    **dict.fromkeys(("θ_rad", "theta_rad", "θrad", "bearing_rad", "brng_rad"), ("theta_rad",)),
    **dict.fromkeys(("θ_deg", "theta_deg", "θdeg", "bearing_deg", "brng_deg"), ("theta_deg", "bearing")),
}  # fmt: skip


def names_of(task: str, swapped: bool, letters: Mapping[str, str]) -> Callable[[str], Sequence[str]]:
    """The function from a symbol to the quantities that it can mean. `letters`: what a text calls the places."""
    own = _DISTANCE if task == "DS" else _DIRECTION

    @cache
    def names(symbol: str) -> Sequence[str]:
        if symbol in own:
            return own[symbol]
        return _coordinate(symbol, swapped, letters)

    return names


def _coordinate(symbol: str, swapped: bool, letters: Mapping[str, str]) -> Sequence[str]:
    text = symbol.replace("Δ", "d") if symbol != "Δ" else symbol
    stem, _, suffix = text.rpartition("_")
    if stem and suffix in letters:
        text = stem + letters[suffix]
    text = text.lower().replace("_", "")
    for long, short in (
        ("latitude", "lat"), ("longitude", "lon"), ("long", "lon"), ("lng", "lon"), ("phi", "lat"), ("φ", "lat"),
        ("lambda", "lon"), ("lam", "lon"), ("λ", "lon"),
    ):  # fmt: skip
        text = text.replace(long, short)
    found = _SYMBOL.fullmatch(text)
    if not found:
        return _mean(text)
    axis, place = found["axis"], _PLACES.get(found["place"] or "", "")
    if swapped and place:
        place = "2" if place == "1" else "1"
    unit = found["unit"] or found["unit2"]
    if found["d"] or found["diff"]:
        if place:
            return ()
        name = f"d{axis}"
        if found["fn"]:
            return (f"{found['fn']}_dlon",) if axis == "lon" else ()
    elif place:
        name = f"{axis}{place}"
        if found["fn"]:
            return (f"{found['fn']}_lat{place}",) if axis == "lat" else ()
    else:
        return ()
    return (f"{name}_{unit}",) if unit else (f"{name}_deg", f"{name}_rad")


def _mean(text: str) -> Sequence[str]:
    return FAMILIES["mean_lat_deg"] if text in ("latm", "latmean", "latavg", "meanlat", "avglat") else ()


_WORDS = {
    "lat": r"\blat(?:itudes?|s)?\b|[φ]|\blat[\d_]",
    "lon": r"\blon(?:gitudes?|g|s)?\b|\blng\b|[λ]|\blon[\d_]",
    "first": r"\b(?:first|start(?:ing)?|origin|(?:place|point) [1A])\b|(?-i:\bA\b)|[φλ]_?[1A]\b|\bl(?:at|on)_?[1a]\b",
    "second": r"\b(?:second|end(?:ing)?|destination|target|(?:place|point) [2B])\b|(?-i:\bB\b)|[φλ]_?[2B]\b"
    r"|\bl(?:at|on)_?[2b]\b",
    "diff": r"differ|delta|Δ|\bapart\b|minus|subtract|change in|\bgap\b|separat|\bd(?:lat|lon)",
    "half": r"\bhal(?:f|ves|ving|ved)|/ ?2\b|divided by (?:two|2)",
    "sin": r"\bsin(?:e|es|us)?\b|sin(?=[φλΔ(^])",
    "cos": r"\bcos(?:ine|ines|inus)?\b|cos(?=[φλΔ(^])",
    "square": r"squar|\^ ?2",
    "root": r"\broot\b|sqrt",
    "product": r"product|multipl|\btimes\b",
    "rad": r"radian|\brad\b",
    "deg": r"degree|°|\bdeg\b",
    "a": r"haversine (?:term|value|quantity|a\b|of)|value of a\b|\bterm a\b"
    r"|(?-i:(?:^|[\s(*_])a(?=[\s)*_,]*(?::|(?:is|comes|equals|becomes|then|therefore|works|value)\b|$)))|half[- ]chord",
    "c": r"central angle|angular (?:distance|separation)|(?-i:\bc\b)|\barc\b",
    "distance": r"distance|kilomet|\bkm\b|far apart|\bapart\b|answer",
    "y": r"(?-i:\b[yY]\b)|east(?:ward|erly)? (?:component|part|term)|numerator|first argument",
    "x": r"(?-i:\b[xX]\b)|north(?:ward|erly)? (?:component|part|term)|denominator|second argument",
    "bearing": r"bearing|azimuth|heading|\bangle\b|\btheta\b|θ|atan2|arctan",
    "mean": r"\bmean\b|average|midpoint|mid-lat",
    "radius": r"radius|(?-i:\bR\b)",
    "part": r"\b(?:term|part|contribution|piece|summand)\b",
    "ratio": r"\bratio\b|quotient",
    "complement": r"1 ?- ?a\b|one minus",
}  # fmt: skip
_COMPILED = {key: re.compile(pattern, re.IGNORECASE) for key, pattern in _WORDS.items()}


def announced_by(task: str, swapped: bool, aliases: Mapping[str, str]) -> Announced:
    """The function from a number and the words around it to the quantities that they announce."""

    def announced(token: Token, window: Window) -> Sequence[Sequence[str]]:
        marked = _mark(_BELONGING.sub("", window.before), aliases)
        told = _features(marked)
        behind = _features(_mark(window.behind, aliases))
        title = _features(_mark(window.title, aliases))
        sentence = _features(_mark(window.sentence, aliases))
        if not told & _KINDS and behind & _KINDS and _OF.match(window.behind):
            told |= behind
        if not told & {"first", "second"}:
            told |= _last_place(window.before, window.sentence, aliases) or title & {"first", "second"}
        inherited = sentence & _INHERITED | (
            {_last_axis(window.sentence)} if not told & {"lat", "lon"} else set()
        )
        readings = [told | title, told | inherited, told] if told & _KINDS else [sentence, told | title]
        if told & _KINDS <= {"square"} and window.last.startswith("sin_half_"):
            return [[window.last.replace("sin_", "sin2_")]]
        return [_names(task, _with_unit(one, token), token, swapped) for one in readings]

    return announced


def _with_unit(told: set[str], token: Token) -> set[str]:
    return told - {"deg", "rad"} | {token.unit} if token.unit in ("deg", "rad") else told


_OF = re.compile(r"\W{0,3}(?:rad\w*|°)?\s?(?:of|for|in|as)\b")
"""How words begin that tell behind a number what it is."""
_BELONGING = re.compile(r"^\W{0,3}(?:rad\w*|°)?\s?(?:of|for|in|as)\s[^,;.]{0,40}?(?:\band\b|,)")
"""Such words behind the number before."""
_INHERITED = frozenset({"sin", "cos", "diff", "half", "square", "rad", "deg"})
"""What an earlier part of a sentence can say of a number further on."""
SMALL = 0.05
"""Radians up to which an angle that is called a latitude or longitude can be a difference."""
_KINDS = frozenset(_WORDS) - {"first", "second", "deg", "rad", "part"}


def _mark(text: str, aliases: Mapping[str, str]) -> str:
    for name, place in aliases.items():
        text = text.replace(name, f" §{place} ")
    return text


def _features(text: str) -> set[str]:
    return (
        {key for key, pattern in _COMPILED.items() if pattern.search(text)}
        | ({"first"} if "§1" in text else set())
        | ({"second"} if "§2" in text else set())
    )


def _last_axis(sentence: str) -> str:
    places = {
        axis: max([found.end() for found in _COMPILED[axis].finditer(sentence)], default=-1)
        for axis in ("lat", "lon")
    }
    return max(places, key=lambda axis: places[axis]) if max(places.values()) >= 0 else ""


def _last_place(before: str, sentence: str, aliases: Mapping[str, str]) -> set[str]:
    text = _mark(sentence, aliases)
    places = {
        key: max([found.end() for found in _COMPILED[key].finditer(text)] + [text.rfind(mark)])
        for key, mark in (("first", "§1"), ("second", "§2"))
    }
    last = max(places, key=lambda key: places[key])
    return {last} if places[last] >= 0 else set()


def _names(task: str, told: set[str], token: Token, swapped: bool) -> Sequence[str]:
    axes = [axis for axis in ("lat", "lon") if axis in told]
    places = [number for number, key in (("1", "first"), ("2", "second")) if key in told]
    if swapped:
        places = ["2" if place == "1" else "1" for place in places]
    if token.unit in ("km", "m"):
        return ["distance_km"] if task == "DS" and "distance" in told and "radius" not in told else []
    names = _of_functions(task, told, axes, places) or _of_results(task, told)
    if names is not None:
        return names
    if "mean" in told:
        return list(FAMILIES["mean_lat_deg"]) if task == "DS" else []
    if "diff" in told:
        kind = "half_d" if "half" in told else "d"
        found = [
            name
            for axis in axes
            for name in FAMILIES.get(f"{kind}{axis}_deg", FAMILIES.get(f"{kind}{axis}", ()))
        ]
    else:
        found = [
            f"{axis}{place}_{unit}" for axis in axes for place in places or "12" for unit in ("deg", "rad")
        ]
    if "diff" not in told and token.unit == "rad" and abs(token.value) < SMALL:
        found += [f"d{axis}_rad" for axis in axes]
    if len(axes) == 2 and token.unit == "" and not told & {"deg", "rad"}:
        return found
    unit = (
        "rad" if "rad" in told and "deg" not in told else "deg" if "deg" in told and "rad" not in told else ""
    )
    return [name for name in found if not unit or name.endswith(unit)]


def _of_functions(
    task: str, told: set[str], axes: Sequence[str], places: Sequence[str]
) -> Sequence[str] | None:
    functions = [name for name in ("sin", "cos") if name in told]
    if len(functions) != 1:
        return [] if functions else None
    function = functions[0]
    if "product" in told:
        return ["cos_product"] if function == "cos" and task == "DS" else []
    if "diff" in told or "half" in told:
        if task == "DR":
            return [f"{function}_dlon"] if "half" not in told and "lat" not in axes else []
        if "cos" in told:
            return ["cos_dlon"] if axes == ["lon"] and "half" not in told else []
        kind = "sin2_half_d" if "square" in told else "sin_half_d"
        return [kind + axis for axis in axes]
    return [f"{function}_lat{place}" for place in places or "12"] if axes != ["lon"] else []


def _of_bearings(told: set[str]) -> Sequence[str] | None:
    if {"x", "y"} <= told:
        return ["y", "x"]
    if "bearing" in told and not told & {"x", "y", "lat", "lon"}:
        if "deg" in told and "rad" not in told:
            return ["theta_deg", "bearing"]
        return ["theta_rad"] if "rad" in told and "deg" not in told else list(FAMILIES["bearing"])
    if "ratio" in told:
        return ["ratio"]
    return ["y"] if "y" in told else ["x"] if "x" in told else None


def _of_results(task: str, told: set[str]) -> Sequence[str] | None:
    if "root" in told:
        return [] if task == "DR" else ["sqrt_one_minus_a"] if "complement" in told else ["sqrt_a"]
    if task == "DR":
        return _of_bearings(told)
    if "radius" in told and not told & {"lat", "lon", "c", "a"}:
        return []
    if "part" in told and "diff" not in told and told & {"lat", "lon"} and not told >= {"lat", "lon"}:
        return ["lon_term"] if "lon" in told else ["sin2_half_dlat"]
    if (
        "part" in told
        and not told & {"diff", "lat", "lon", "a", "c"}
        and len(told & {"first", "second"}) == 1
    ):
        return ["lon_term"] if "second" in told else ["sin2_half_dlat"]
    if "complement" in told:
        return ["one_minus_a"]
    if "c" in told and not told & {"lat", "lon"}:
        return ["half_c"] if "half" in told else ["c"]
    if "a" in told and not told & {"lat", "lon", "distance"}:
        return ["a"]
    return None
