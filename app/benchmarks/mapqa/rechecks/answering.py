"""What a snapshot has around the places of one published question → what became of the published answer. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.benchmarks.mapqa.imported.coordinates import Spot, ground_metres, plane_metres
from app.benchmarks.mapqa.rechecks.asked import Asked
from app.benchmarks.mapqa.rechecks.matching import MapObject, Match, Wanted, form_of, same_name
from app.questions.rechecking.checks import KeyedQuestion
from app.questions.rechecking.on_map import CHANGED, GONE, STILL, UNMATCHED, MapFinding

BESIDE_M, AMENITIES_M = 50.0, 100.0
"""Metres of Web Mercator within which the published answers lie."""
MOVED_M = 5.0
"""Metres that a place may lie elsewhere and still be as near as it was."""
TIED_M = 1.0
SAME_SHARE = 0.01
"""A distance that differs by less is the published one."""


class Around(NamedTuple):
    """What lies near an anchor; metres of Web Mercator."""

    key: str
    is_anchor: bool
    name: str | None
    amenity: str | None
    kinds: frozenset[str]
    metres: float


class Nearest(NamedTuple):
    """One of the nearest places of a kind; metres of Web Mercator."""

    key: str
    name: str | None
    metres: float


class Told(NamedTuple):
    """A question with what its words ask for, and its places with what became of them."""

    question: KeyedQuestion
    asked: Asked
    places: Sequence[tuple[Wanted, Match]]

    @property
    def anchor(self) -> MapObject | None:
        """The object of the place that the files name first."""
        return self.places[0][1].found if self.places else None


class _Seen(NamedTuple):
    crossing: Any
    nearest: Sequence[Nearest]
    around: Sequence[Around]
    kept: frozenset[str]


def answer_one(
    told: Told, crossing: Any, nearest: Sequence[Nearest], around: Sequence[Around], kept: frozenset[str]
) -> MapFinding:
    """The finding for one question. `kept`: the amenities of which snapshots keep every one."""
    if not told.places:
        return MapFinding(UNMATCHED, "The files do not tell where its places are.", is_elsewhere=True)
    if all(match.is_outside or match.is_lost for _, match in told.places):
        return MapFinding(UNMATCHED, f"{told.places[0][1].why}.", is_elsewhere=True)
    answer = ANSWERS.get(told.question.template)
    if answer is None:
        return MapFinding(UNMATCHED, "Questions of its type are not answered from maps.")
    return answer(told, _Seen(crossing, nearest, around, kept))


def _unmatched(match: Match) -> MapFinding:
    return MapFinding(GONE if match.is_gone else UNMATCHED, f"{match.why}.")


def _lacking(told: Told) -> MapFinding | None:
    """The finding where a place of the question has no object; None where each has one."""
    missing = [match for _, match in told.places if match.found is None]
    return _unmatched(missing[0]) if missing else None


def _distance(told: Told, seen: _Seen) -> MapFinding:
    lacking = _lacking(told)
    if lacking is not None:
        return lacking
    spots = _spots(told)
    if len(spots) != 2:
        return MapFinding(UNMATCHED, f"The files have {len(spots)} places for it, not 2.")
    plane, ground = plane_metres(*spots), ground_metres(*spots)
    key = float(told.question.gold["distance"])
    working = (
        f"It is {plane:,.2f} m on the plane of Web Mercator, and {ground:,.2f} m over the ground; the key is "
        f"{key:,.2f} m."
    )
    is_same = any(abs(key - metres) <= SAME_SHARE * key for metres in (plane, ground))
    return MapFinding(STILL if is_same else CHANGED, working)


def _closer(told: Told, seen: _Seen) -> MapFinding:
    lacking = _lacking(told)
    if lacking is not None:
        return lacking
    (key,) = told.question.gold["names"]
    spots, names = _spots(told), [wanted.name for wanted, _ in told.places]
    if len(spots) != 3 or key not in names[1:]:
        return MapFinding(UNMATCHED, "The places of the question are not an anchor and two others.")
    metres = {name: ground_metres(spots[0], spot) for name, spot in zip(names[1:], spots[1:], strict=True)}
    near = min(metres, key=metres.__getitem__)
    said = " and ".join(f"{name} {far:,.0f} m" for name, far in metres.items())
    working = f"From {names[0]} it is to {said}; the key is {key}."
    return MapFinding(STILL if metres[key] <= metres[near] + TIED_M else CHANGED, working)


def _spots(told: Told) -> list[Spot]:
    return [match.found.spot for _, match in told.places if match.found is not None]


def _amenity(told: Told, seen: _Seen) -> MapFinding:
    if told.anchor is None:
        return _unmatched(told.places[0][1])
    (key,) = told.question.gold["names"]
    now = told.anchor.amenity
    working = f"{told.anchor.name} ({told.anchor.key}) is {now or 'no amenity'}; the key is {key}."
    return MapFinding(STILL if now == key else CHANGED, working)


def _nearest(told: Told, seen: _Seen) -> MapFinding:
    if told.anchor is None:
        return _unmatched(told.places[0][1])
    return _first_of(told, seen, told.anchor.name or told.places[0][0].name, told.places[1:])


def _at_crossing(told: Told, seen: _Seen) -> MapFinding:
    roads, crossing = told.asked.roads, seen.crossing
    if roads is None or crossing is None:
        return _not_read()
    called = " and ".join(roads)
    if crossing.nodes > 1:
        return MapFinding(UNMATCHED, f"{called} meet at {crossing.nodes} nodes.")
    if not crossing.nodes:
        why = "do not meet on the map" if crossing.has_both else "are not both names of roads on the map"
        return MapFinding(UNMATCHED, f"{called} {why}.")
    return _first_of(told, seen, called, told.places)


def _not_read() -> MapFinding:
    return MapFinding(UNMATCHED, "Its words are not those of the published wordings.")


def _first_of(told: Told, seen: _Seen, where: str, answers: Sequence[tuple[Wanted, Match]]) -> MapFinding:
    """What became of an answer that is the nearest of its kind to `where`."""
    (key,) = told.question.gold["names"]
    if not told.asked.kinds:
        return _not_read()
    answer = next((match for wanted, match in answers if wanted.name == key), None)
    if answer is not None and answer.is_outside:
        return MapFinding(UNMATCHED, f"{answer.why}.")
    gone = f" {answer.why}." if answer is not None and answer.found is None else ""
    side = f" {told.asked.direction} of it" if told.asked.direction else ""
    kind = min(told.asked.kinds)
    if not seen.nearest:
        return MapFinding(GONE if gone else UNMATCHED, f"The map has no {kind} near {where}{side}.{gone}")
    first = seen.nearest[0]
    tied = [one for one in seen.nearest if one.metres <= first.metres + TIED_M]
    if any(same_name(one.name, key) for one in tied):
        return MapFinding(STILL, f"{key} is the nearest {kind} to {where}{side}, {first.metres:,.0f} m away.")
    called = first.name or f"one without a name ({first.key})"
    return MapFinding(
        CHANGED,
        f"The nearest {kind} to {where}{side} is {called}, {first.metres:,.0f} m away, not {key}.{gone}",
    )


def _beside(told: Told, seen: _Seen) -> MapFinding:
    """Named places of a kind around the anchor, which is none of them, nor is what has its name."""
    if not told.asked.kinds:
        return _not_read()
    anchor = told.anchor
    if anchor is None:
        return _unmatched(told.places[0][1])
    there = {
        form_of(one.name): one
        for one in reversed(seen.around)
        if one.name
        and not one.is_anchor
        and not same_name(one.name, anchor.name)
        and not one.kinds.isdisjoint(told.asked.kinds)
    }
    published = _published_metres(told)
    keys = {form_of(name): name for name in told.question.gold["members"]}
    far = [name for form, name in keys.items() if published.get(form, 0.0) > AMENITIES_M]
    if far:
        return MapFinding(UNMATCHED, f"The place that the files give for {far[0]} is not near {anchor.name}.")
    within = {form: max(BESIDE_M, published.get(form, 0.0)) + MOVED_M for form in keys}
    lost = [name for form, name in keys.items() if form not in there or there[form].metres > within[form]]
    new = [
        one.name or "" for form, one in there.items() if form not in keys and one.metres < BESIDE_M - MOVED_M
    ]
    return _compared(lost, new, f"around {anchor.name}")


def _published_metres(told: Told) -> dict[str, float]:
    """By the form of a name: how far its place lies from the anchor's in the files, metres of Web Mercator."""
    anchor = told.places[0][0].spot
    return {
        form_of(wanted.name): plane_metres(anchor, wanted.spot)
        for wanted, _ in told.places[1:]
        if anchor is not None and wanted.spot is not None
    }


def _amenities_around(told: Told, seen: _Seen) -> MapFinding:
    anchor = told.anchor
    if anchor is None:
        return _unmatched(told.places[0][1])
    metres = {one.amenity: one.metres for one in reversed(seen.around) if one.amenity}
    keys = set(told.question.gold["members"])
    left_out = sorted(keys - seen.kept)
    lost = sorted(kind for kind in keys & seen.kept if metres.get(kind, float("inf")) > AMENITIES_M + MOVED_M)
    new = sorted(
        kind
        for kind, far in metres.items()
        if kind not in keys and kind in seen.kept and far < AMENITIES_M - MOVED_M
    )
    found = _compared(lost, new, f"around {anchor.name}")
    if not left_out:
        return found
    told_out = f"{found.working} Not compared, as the map has no place of that kind: {', '.join(left_out)}."
    if len(left_out) == len(keys) and not new:
        return MapFinding(UNMATCHED, told_out)
    return found._replace(working=told_out)


def _compared(lost: Sequence[str], new: Sequence[str], where: str) -> MapFinding:
    if not lost and not new:
        return MapFinding(STILL, f"The map has the same {where}.")
    parts = [
        *([f"no longer {', '.join(lost)}"] if lost else []),
        *([f"{', '.join(new)}, which the key lacks"] if new else []),
    ]
    return MapFinding(CHANGED, f"The map has {'; and '.join(parts)}, {where}.")


ANSWERS: Mapping[str, Callable[[Told, _Seen], MapFinding]] = {
    "adjacent": _beside,
    "amenities": _amenity,
    "amenities_around": _amenities_around,
    "amenities_around_specific": _beside,
    "compare_closer": _closer,
    "direction_nearest": _nearest,
    "distance": _distance,
    "intersection": _at_crossing,
    "nearest_amenity": _nearest,
}
