"""What people call kinds of things, put in the words that the vocabulary knows."""

import re
from collections.abc import Callable, Mapping

DISHES: Mapping[str, str] = {
    "burgers": "burger",
    "cakes": "cake",
    "crêpes": "crêpe",
    "curries": "curry",
    "desserts": "dessert",
    "grilled food": "grill",
    "juices": "juice",
    "noodles": "noodle",
    "pancakes": "pancake",
    "pastries": "pastry",
    "salads": "salad",
    "soups": "soup",
    "steaks": "steak",
    "waffles": "waffle",
    **{
        name: name
        for name in (
            "barbecue",
            "breakfast",
            "chicken",
            "fish",
            "ice cream",
            "pasta",
            "pizza",
            "ramen",
            "seafood",
            "sushi",
            "tapas",
        )
    },
}
"""What a fast food place serves: the word of its cuisine."""

_SAID: Mapping[str, str | Callable[[re.Match[str]], str]] = {
    r"\bplace(s?) to eat\b": r"eating place\1",
    r"\b(restaurant|café|fast food place)(s?) serving regional food\b": r"regional-cuisine \1\2",
    r"\b(café|fast food place)(s?) serving ([A-Z][A-Za-z ]+) food\b": r"\3 \1\2",
    rf"\bfast food place(s?) serving ({'|'.join(DISHES)})\b": lambda said: (
        f"{DISHES[said[2]]} fast food place{said[1]}"
    ),
    r"\b(bagel|doughnut|fish-and-chips|kebab|sandwich) shop(s?)\b": r"\1 fast food place\2",
    r"\bsteakhouse(s?)\b": r"steak restaurant\1",
    r"\bhospital(s?) with an emergency department\b": r"hospital\1 with emergency service",
    r"\bnature reserve, national park or other protected area\b": (
        "area under protection (nature reserve, protected area or national park)"
    ),
    r"\bnature reserves, national parks and other protected areas\b": (
        "areas under protection (nature reserves, protected areas and national parks)"
    ),
    r"\blake, pond or other body of standing water\b": (
        "body of standing water (lake, pond, reservoir, basin or the like)"
    ),
    r"\blakes, ponds and other bodies of standing water\b": (
        "bodies of standing water (lakes, ponds, reservoirs, basins and the like)"
    ),
    r"\bwater \(lakes, ponds, rivers and the like\)": (
        "water (lakes, ponds, basins and the beds of rivers that are mapped as areas)"
    ),
    r"\bdrainage ditch(es)?\b": r"ditch\1",
    r"\bdrainage channel(s?)\b": r"drain\1",
    r"\b(waterways?)\b(?! \()": r"\1 (river, stream, canal, drain or ditch)",
}


def in_known_words(text: str) -> str:
    """The text with what people say in the words of the vocabulary."""
    for said, known in _SAID.items():
        text = re.sub(said, known, text)
    return text


_DESCRIBED: Mapping[str, str] = {
    r"run by ": "operator",
    r"owned by ": "owner",
    r"designed by ": "architect",
    r"formerly called ": "former name",
    r"that dates from ": "year of foundation or construction",
    r"that opened in ": "year of opening",
    r"with room for ": "capacity (number of places)",
    r"that lies ([\d.]+ m) above sea level": "elevation above sea level in metres",
    r"that is ([\d.]+ m) high": "height in metres",
    r"with (\d+) beds": "number of beds",
    r"with (\d+) floors": "number of floors",
    r"with (\d+) rooms": "number of rooms",
    r"with (\d+) seats": "number of seats",
}
"""What people say of a place in place of "whose … is …": the words, with a number in their middle if there is one."""


def _as_whose(words: str) -> Callable[[re.Match[str]], str]:
    return lambda told: f"{told[1]} whose {words} is {told[2] if told.re.groups > 1 else ''}"


def with_described_places(text: str) -> str:
    """The text with every place that is described called `the … whose … is …`."""
    for said, words in _DESCRIBED.items():
        text = re.sub(
            rf"\b([Tt]he (?:(?!\bthe\b)[^,;:?!])+?) {said}",
            _as_whose(words),
            text,
        )
    return text
