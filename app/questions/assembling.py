"""From accepted questions to records: text, split, evidence and footprint, set-based by snapshot and layer."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from app.core import seeds
from app.core.names import normal_form
from app.questions import queries
from app.questions.accepting import Accepted
from app.questions.evidence import Key, evidence_keys, parameter_keys
from app.questions.naming import LOCAL, Naming, name_objects
from app.questions.phrasing import Wording, phrase, tell_derived, tell_points
from app.questions.programs import program_of
from app.questions.prompts import ContextPart, text_prompt
from app.questions.records import Footprint, QuestionRecord
from app.questions.second_path import Layers
from app.questions.text_forms import USUAL_FORM, TextForm
from app.templates.catalogue import Benchmark
from app.templates.phrasings import EVERYDAY, PRECISE


def assemble(
    connection: Connection,
    benchmark: Benchmark,
    accepted: Sequence[Accepted],
    seed: int,
    hidden: float,
    locale: str,
    form: str = LOCAL,
    layers: Layers | None = None,
    wanted: str | None = None,
    text_form: TextForm = USUAL_FORM,
) -> list[QuestionRecord]:
    """Records of questions that share one snapshot, which the connection's search path names.

    `form` and `layers` are those of `name_objects`, `wanted` is the register of texts, or None;
    `text_form` is the form of texts.
    """
    evidence = read_evidence(connection, (key for one in accepted for key in _keys(one)))
    areas = _areas(connection, accepted)
    namings = name_objects(connection, accepted, form, layers)
    records = []
    for one, area, naming in zip(accepted, areas, namings, strict=True):
        register = _register_of(one, wanted, locale, seed)
        picked = tell_derived(naming.picked, one.derived.labels)
        picked = tell_points(picked, one.reading.told, text_form.points) if one.reading else picked
        wording = Wording(locale, seed, register or PRECISE, text_form)
        number, text = phrase(benchmark, one.template, picked, wording, one.id)
        header = one.template.header
        sql, derive = one.template.proved_by(one.derived.gold_kind)
        records.append(
            QuestionRecord(
                id=one.id,
                template=one.template.id,
                template_version=header.version,
                variant=one.variant,
                snapshot=one.snapshot,
                prompt=_prompt_of(one, text),
                options=one.options,
                answer_type=header.answer_type,
                scorer=header.scorer,
                split="hidden" if seeds.unit(seed, "split", one.id) < hidden else "public",
                locale=locale,
                phrasing=number,
                gold=one.gold,
                sql=sql,
                binds=dict(one.binds),
                derive=derive,
                parameters=one.picked.parameters,
                evidence=[evidence[key] for key in _keys(one)],
                margin={
                    **one.derived.margin,
                    "outline": one.snapshot.outline_source if _uses_outline(one) else None,
                },
                distractors=one.distractors,
                second_path=one.second.as_json(),
                footprint=_footprint(one, area, naming),
                register=register,
                readings=one.reading.as_json() if one.reading else None,
                names=naming.names,
                popularity=naming.popularity,
                gold_kind=one.derived.gold_kind,
                gold_keys=one.derived.gold_keys,
                solutions=one.solutions,
                proof_kind="program" if program_of(header, one.derived.gold_kind) else "sql",
                picture=one.picked.picture and one.picked.picture.png,
            )
        )
    return records


def _prompt_of(one: Accepted, text: str) -> list[dict[str, Any]]:
    """The prompt: the picture or the context where the question has one, then its text."""
    parts: list[dict[str, Any]] = text_prompt(text)
    if one.context is not None:
        parts.insert(0, ContextPart(one.context.title, one.context.text).as_json())
    if one.picked.picture is not None:
        parts.insert(0, one.picked.picture.part.as_json())
    return parts


def _register_of(one: Accepted, wanted: str | None, locale: str, seed: int) -> str | None:
    """The register of one question; None where none is wanted, as in versions made before there were any."""
    if wanted in (None, PRECISE):
        return wanted
    template, reading = one.template, one.reading
    allowed = (
        not one.only_precise
        and reading is not None
        and reading.allows_everyday
        and EVERYDAY in template.phrasings[locale]
        and template.has_everyday_words(one.picked.parameters)
    )
    drawn = wanted == EVERYDAY or seeds.unit(seed, "register", one.id) < 0.5
    return EVERYDAY if allowed and drawn else PRECISE


def _uses_outline(one: Accepted) -> bool:
    return one.template.header.search != "none"


def _parameter_keys(one: Accepted) -> list[Key]:
    return parameter_keys(one.template.header, one.picked.parameters)


def _keys(one: Accepted) -> list[Key]:
    return evidence_keys(one.template.header, one.picked.parameters, one.derived.evidence, one.distractors)


def read_evidence(connection: Connection, keys: Iterable[Key]) -> dict[Key, dict[str, object]]:
    """Version and content hash of each of these objects that the map has."""
    by_layer: dict[str, set[str]] = defaultdict(set)
    for layer, osm_key in keys:
        by_layer[layer].add(osm_key)
    found: dict[Key, dict[str, object]] = {}
    for layer, osm_keys in sorted(by_layer.items()):
        for row in connection.exec_driver_sql(queries.EVIDENCE[layer], {"osm_keys": sorted(osm_keys)}):
            found[layer, row.osm_key] = {
                "layer": layer,
                "osm_key": row.osm_key,
                "version": row.osm_version,
                "content_hash": row.content_hash,
            }
    return found


def _areas(connection: Connection, accepted: Sequence[Accepted]) -> list[str | None]:
    """The ground of each question: its picture's, a circle around its anchor or a point, or its objects' own."""
    areas: list[str | None] = [one.picked.picture and one.picked.picture.area for one in accepted]
    around = [i for i, one in enumerate(accepted) if one.derived.radius is not None]
    circles = [i for i in around if accepted[i].derived.centre is None]
    if circles:
        anchors = [_parameter_keys(accepted[i])[0][1] for i in circles]
        radii = [accepted[i].derived.radius for i in circles]
        rows = connection.exec_driver_sql(queries.CIRCLES, {"osm_keys": anchors, "radii": radii})
        for i, row in zip(circles, rows, strict=True):
            areas[i] = row.area
    points = [(i, centre) for i in around if (centre := accepted[i].derived.centre) is not None]
    if points:
        asked = {
            "lons": [centre[0] for _, centre in points],
            "lats": [centre[1] for _, centre in points],
            "radii": [accepted[i].derived.radius for i, _ in points],
        }
        rows = connection.exec_driver_sql(queries.POINT_CIRCLES, asked)
        for (i, _), row in zip(points, rows, strict=True):
            areas[i] = row.area
    by_layer: dict[str, list[int]] = defaultdict(list)
    for i, one in enumerate(accepted):
        if one.derived.radius is None and one.picked.picture is None:
            by_layer[_parameter_keys(one)[0][0]].append(i)
    for layer, positions in sorted(by_layer.items()):
        keys = [",".join(key for _, key in _parameter_keys(accepted[i])) for i in positions]
        for i, row in zip(
            positions, connection.exec_driver_sql(queries.UNIONS[layer], {"osm_keys": keys}), strict=True
        ):
            areas[i] = row.area
    return areas


def _footprint(one: Accepted, area: str | None, naming: Naming) -> Footprint:
    header = one.template.header
    classes = {
        bind if ":" in bind else f"{header.requires[0]}:{bind}"
        for name, parameter in header.parameters.items()
        if parameter.has_classes
        for pick in one.picked.picks[name]
        for bind in str(pick.bind).split(",")[: 1 if parameter.type == "filter" else None]
        if one.picked.picture is None
    } or {f"{layer}:" for layer in header.requires if layer != "poi_area"}
    names = {
        pick.facts["name"] for picks in one.picked.picks.values() for pick in picks if pick.facts.get("name")
    }
    named_options = one.options if header.option_layer else None
    return Footprint(
        area=area,
        classes=sorted(classes),
        osm_keys=sorted({key for _, key in _keys(one)}),
        name_keys=sorted(
            {
                normal_form(name)
                for name in {*names, *(named_options or ()), *one.derived.names, *naming.english}
            }
        ),
        uses_outline=_uses_outline(one),
        fact_ids=sorted(one.derived.facts),
    )
