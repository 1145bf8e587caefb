"""What a question says of names: the form asked, the scripts, and how well known the objects are that it names.

Set-based by layer; reads the snapshot that the connection's search path names. All of it is public: nothing is told of
an object that the question hides.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.names import normal_form
from app.core.scripts import script
from app.questions import queries
from app.questions.accepting import Accepted
from app.questions.evidence import Key, keys_of
from app.questions.picking import Pick, Tuple
from app.questions.second_path import Layers, TemplateVersion, named_as

LOCAL = "local"
FORMS = (LOCAL, "en", "both")
"""The tag `name`; the tag `name:en`; `name (name:en)`."""


class Named(NamedTuple):
    """An object as the map has it, names in one line; `english` where no other object of its layer is called so."""

    name: str
    english: str | None
    tags: int
    wikidata: bool


class Subject(NamedTuple):
    """An object that a question names, in a pick's label."""

    pick: Pick
    named: Named


@dataclass(frozen=True)
class Naming:
    """`names` is {form, script}; `popularity` a list of {wikidata, tags}, one an object; `picked` says the form."""

    names: dict[str, Any]
    popularity: list[dict[str, Any]] | None
    picked: Tuple
    english: Sequence[str] = ()


def name_objects(
    connection: Connection, accepted: Sequence[Accepted], form: str = LOCAL, layers: Layers | None = None
) -> list[Naming]:
    """How each question names its objects; a form other than local needs `layers`, for the second path.

    A question is asked in that form only where each object that it names has an English name which differs from the
    local one and is no other object's, and where the second path names them the same; else in the local one.
    """
    objects = _read(connection, accepted, with_english=form != LOCAL)
    return [_name(one, objects, form, layers) for one in accepted]


def _read(connection: Connection, accepted: Sequence[Accepted], with_english: bool) -> dict[Key, Named]:
    by_layer: dict[str, set[str]] = defaultdict(set)
    for one in accepted:
        for _, _, (layer, osm_key) in _objects(one):
            by_layer[layer].add(osm_key)
    found: dict[Key, Named] = {}
    for layer, keys in sorted(by_layer.items()):
        binds = {"osm_keys": sorted(keys)}
        english: dict[str, str] = {}
        if with_english:
            rows = connection.exec_driver_sql(queries.ENGLISH[layer], binds)
            english = {row.osm_key: row.english for row in rows}
        for row in connection.exec_driver_sql(queries.NAMED[layer], binds):
            own = english.get(row.osm_key)
            found[layer, row.osm_key] = Named(
                _one_line(row.name), own and _one_line(own), row.tags, row.wikidata
            )
    return found


def _objects(one: Accepted) -> list[tuple[str, Pick, Key]]:
    parameters = one.template.header.parameters
    return [
        (name, pick, key)
        for name, picks in one.picked.picks.items()
        for pick in picks
        for key in keys_of(parameters[name], pick.value)
    ]


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _name(one: Accepted, objects: Mapping[Key, Named], form: str, layers: Layers | None) -> Naming:
    known = [(name, pick, objects[key]) for name, pick, key in _objects(one) if key in objects]
    subjects = [Subject(pick, named) for name, pick, named in known if _tells(one, name, pick, named.name)]
    popularity = [{"wikidata": of.named.wikidata, "tags": of.named.tags} for of in subjects] or None
    words = None if form == LOCAL else _words(one, subjects, form, layers)
    if words is not None:
        picked = _renamed(one.picked, subjects, words)
        english = [subject.named.english or "" for subject in subjects]
        return Naming({"form": form, "script": scripts_of(words)}, popularity, picked, english)
    told: Sequence[str] = [subject.named.name for subject in subjects]
    if any(_is_asked_for(pick, named.name) for _, pick, named in known):
        told = one.options or ()  # of a place that is to be named, the options are names
    return Naming({"form": LOCAL, "script": scripts_of(told)}, popularity, one.picked)


def _tells(one: Accepted, parameter: str, pick: Pick, name: str) -> bool:
    """Whether the pick's label tells the object's name; a name that is asked for stays untold."""
    kind = one.template.header.parameters[parameter].type
    if kind == "group":
        return name in {_one_line(other) for other in pick.facts["names"]}
    if kind == "within":
        return f" {name} " in f" {pick.label} "  # the words between the two names are the pick's
    if kind == "described" or _is_asked_for(pick, name):
        return False
    return pick.label == name or pick.label.startswith(f"{name} (")


def _is_asked_for(pick: Pick, name: str) -> bool:
    return _one_line(pick.facts.get("option") or "") == name


def scripts_of(names: Sequence[str]) -> str | None:
    """The scripts of all letters of all names: `Latin`, `Arabic+Latin`; None where there are none."""
    found = {part for name in names for part in (script(name) or "").split("+") if part}
    return "+".join(sorted(found)) or None


def _words(one: Accepted, subjects: Sequence[Subject], form: str, layers: Layers | None) -> list[str] | None:
    """What names each subject in the form asked; None where the question is to be asked in the local one."""
    assert layers is not None, "the second path proves every form but the local one"
    words = []
    for _, named in subjects:
        if named.english is None or normal_form(named.english) == normal_form(named.name):
            return None
        words.append(named.english if form == "en" else f"{named.name} ({named.english})")
    asked = TemplateVersion(one.template.benchmark, one.template.id)
    return words if words and words == named_as(layers, asked, one.picked.parameters, form) else None


def _renamed(picked: Tuple, subjects: Sequence[Subject], words: Sequence[str]) -> Tuple:
    labels = {
        subject.pick.label: word + subject.pick.label.removeprefix(subject.named.name)
        for subject, word in zip(subjects, words, strict=True)
    }
    return Tuple(
        {
            name: [replace(pick, label=labels.get(pick.label, pick.label)) for pick in picks]
            for name, picks in picked.picks.items()
        }
    )
