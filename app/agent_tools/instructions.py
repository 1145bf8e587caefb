"""Directions in words. A language is a file of sentences in the folder `languages`; the facts come from elsewhere."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from app.agent_tools.bearings import name_direction
from app.agent_tools.saying import say_length, say_time

FOLDER = Path(__file__).parent / "languages"
LANGUAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))


def _check_language(said: str) -> str:
    if said not in LANGUAGES:
        raise ValueError(f"the languages are {', '.join(LANGUAGES)}")
    return said


Language = Annotated[
    str, AfterValidator(_check_language), WithJsonSchema({"type": "string", "enum": list(LANGUAGES)})
]


class Landmark(BaseModel):
    """A place that one passes."""

    id: str
    name: str
    type: str
    side: str = Field(description="left or right, as one goes")
    distance_m: float = Field(description="from the road")
    after_m: float = Field(description="metres from the beginning of the step")


class RouteStep(BaseModel):
    """What one does at a point of the route, and the stretch of road that follows."""

    kind: str
    lat: float
    lon: float
    heading: float = Field(description="degrees clockwise from north in which one goes on, or arrives")
    degrees: float | None = Field(None, description="how much one turns: to the right where positive")
    exit: int | None = Field(None, description="which exit of a roundabout one takes; the first is 1")
    road: str | None = Field(None, description="the name of the road, else its number")
    side: str | None = Field(None, description="of the destination: left, right, ahead or behind")
    distance_m: float
    seconds: float
    landmarks: list[Landmark]
    said: str = Field("", description="the step in words")


class Names(BaseModel):
    """What the ends of a route are called, and how one travels."""

    origin: str
    destination: str
    mode: str


@cache
def load_language(language: str) -> Mapping[str, Any]:
    """The sentences of a language, one of LANGUAGES."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def say_step(step: RouteStep, names: Names, language: str) -> str:
    """A step in words: what one does, how long one goes on, what one passes."""
    words = load_language(language)
    told = words["steps"][_sentence_of(step)].format(
        direction=words["directions"][name_direction(step.heading, 8)],
        on=words["on"].format(road=step.road) if step.road else "",
        onto=words["onto"].format(road=step.road) if step.road else "",
        exit=step.exit,
        destination=names.destination,
    )
    further = [words["go_on"].format(length=say_length(step.distance_m))] if step.kind != "arrive" else []
    return " ".join([told, *further, *_say_passing(step.landmarks, words)])


def _say_passing(landmarks: Sequence[Landmark], words: Mapping[str, Any]) -> list[str]:
    """A sentence on the places that one passes, side by side as one comes to them; none where there are none."""
    beside: dict[str, list[str]] = {}
    for one in landmarks:
        beside.setdefault(one.side, []).append(one.name)
    told = [
        words["beside"].format(places=_listed(list(dict.fromkeys(names)), words), side=words["sides"][side])
        for side, names in beside.items()
    ]
    return [words["passing"].format(places=words["sides_apart"].join(told))] if told else []


def _listed(names: Sequence[str], words: Mapping[str, Any]) -> str:
    """`A, B and C`."""
    *others, last = names
    return str(words["two"].format(first=", ".join(others), last=last)) if others else last


def say_route(number: int | None, metres: float, seconds: float, names: Names, language: str) -> str:
    """What leads where and how long it takes; the number is None where there is one route only."""
    words = load_language(language)
    return str(words["only_route" if number is None else "route"]).format(
        number=number,
        origin=names.origin,
        destination=names.destination,
        mode=words["modes"][names.mode],
        time=say_time(seconds),
        length=say_length(metres),
    )


def _sentence_of(step: RouteStep) -> str:
    if step.kind == "roundabout" and step.exit is None:
        return "stay_on_roundabout"
    if step.kind == "arrive" and step.side:
        return f"arrive_{step.side}"
    return step.kind


def find_longest_road(steps: Sequence[RouteStep]) -> str | None:
    """The road that most of a route follows; None where none of its roads has a name or a number."""
    metres: dict[str, float] = {}
    for step in steps:
        if step.road is not None:
            metres[step.road] = metres.get(step.road, 0.0) + step.distance_m
    return max(metres, key=lambda road: metres[road], default=None)
