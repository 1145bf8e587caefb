"""Tuples of templates about pictures: frames are drawn, and the benchmark says what to ask about what is seen."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from app.core.identity import canonical_json
from app.drawing.answers.labels import Unclear
from app.drawing.edges import FrameRefusal
from app.drawing.record import Record
from app.questions.picking import Pick, Space, Tuple
from app.questions.pictures.drawn import Picture, draw_picture
from app.questions.pictures.registers import Lot, Values, drawn_of
from app.questions.terms import Ground
from app.templates.header import Parameter
from app.templates.templates import Template

TRIES = 60
"""How many questions are looked at in each picture before it is given up."""
NOTHING = "nothing_to_ask"


def tuples_of_pictures(ground: Ground, space: Space) -> Iterator[Tuple]:
    """For each frame of the space, as many tuples as the template looks for; those that a picture lacks are refused."""
    picture = space.template.header.picture
    assert picture
    for framed in space.tuples():
        found = _draw(ground, space.template, framed)
        if isinstance(found, Tuple):
            yield from [found] * picture.questions
        else:
            yield from _questions(space, framed, found, picture.questions)


def bind_picture(
    ground: Ground, template: Template, framed: Tuple, parameters: Mapping[str, Any]
) -> Tuple | str:
    """A stored question's tuple on another map, of which `framed` has the frame; or the parameter that is gone."""
    found = _draw(ground, template, framed)
    if isinstance(found, Tuple):
        return found
    values = {name: value for name, value in parameters.items() if name != template.header.frame}
    return _with_values(template, framed, found, values)


def _draw(ground: Ground, template: Template, framed: Tuple) -> Picture | Tuple:
    """The picture of a tuple's frame, or the tuple with the reason for which there is none."""
    frame = template.header.frame
    assert frame
    told = str(framed.one(frame).value)
    found = draw_picture(ground.connection, ground.snapshot, told, ground.known.pictures)
    return replace(framed, refusal=found.reason) if isinstance(found, FrameRefusal) else found


def _questions(space: Space, framed: Tuple, picture: Picture, count: int) -> Iterator[Tuple]:
    template = space.template
    asked = drawn_of(template.benchmark, template.id)
    lot = Lot(space.seed, (template.benchmark, template.id, picture.frame))
    unclear: Counter[str] = Counter()
    seen: set[str] = set()
    for values in islice(asked.ask(picture.record, lot), TRIES):
        answer = asked.read(picture.record, values, None)
        if isinstance(answer, Unclear):
            unclear[answer.reason] += 1
            continue
        form = canonical_json(values)
        made = _with_values(template, framed, picture, values)
        if isinstance(made, Tuple) and form not in seen:
            seen.add(form)
            yield made
        if len(seen) == count:
            return
    reason = unclear.most_common(1)[0][0] if unclear else NOTHING
    yield from [replace(framed, refusal=reason)] * (count - len(seen))


def _with_values(template: Template, framed: Tuple, picture: Picture, values: Values) -> Tuple | str:
    """The tuple with its other parameters, or the name of the first that the picture does not show."""
    picks = dict(framed.picks)
    for name, parameter in template.header.parameters.items():
        if name == template.header.frame:
            continue
        value = values[name]
        found = [
            _pick(picture.record, parameter, one) for one in (value if isinstance(value, list) else [value])
        ]
        picks[name] = [one for one in found if one is not None]
        if len(picks[name]) < len(found):
            return name
    return Tuple(picks, picture)


def _pick(record: Record, parameter: Parameter, value: str) -> Pick | None:
    """A value with the words that name it in the picture: a label, the name of a road, or itself."""
    if parameter.layer is None:
        return Pick(value, value, value)
    if parameter.layer == "road":
        names = [one.name for one in record.roads if value in one.osm_keys and one.labelled]
    else:
        names = [one.name for one in record.labels if one.osm_key == value and one.whole]
    return Pick(value, value, " ".join(names[0].split()), {"name": names[0]}) if names else None
