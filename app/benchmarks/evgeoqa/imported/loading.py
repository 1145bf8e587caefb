"""The authors' records → questions with gold, and the faults that are repaired, told by record. Registers `evgeoqa`."""

from collections import Counter
from pathlib import Path
from typing import Any

from app.benchmarks.evgeoqa.distances import geodesic_m
from app.benchmarks.evgeoqa.imported.files import PublishedRecord, PublishedStation, read_records
from app.benchmarks.evgeoqa.tiers import moves_needed, tier_of
from app.core.identity import digest
from app.questions.imported.formats import ImportedFiles, ImportedQuestion, PublishedFormat, register_format
from app.questions.prompts import text_prompt

BENCHMARK = "evgeoqa"
ANSWER_TYPE = "destinations"
SCORER = "hits"
LICENCE = {
    "name": "licence not stated by its authors",
    "attribution": "stations of the State Grid Corporation of China, places of Gaode (Amap); by the authors of EVGeoQA",
    "url": "https://github.com/kg-bnu/EVGeoQA",
}
FRAME = "GCJ-02"
"""Of all coordinates of the release."""
WORDS = {
    "stray_text": "an empty text stands between two fields, so that the file is no JSON; it is left out",
    "blank_behind_slot": "the kind of place that is asked for ends with a blank; it is left out",
}


def read_file(path: Path) -> ImportedFiles:
    """Every question of the file. Raises UsageError with file and place at the first fault that ends the loading."""
    file, records = read_records(path)
    strays = f"{path}: an empty text between two fields is left out, {file.repairs:,} ×"
    notes: Counter[str] = Counter({"stray_text": file.repairs})
    notes["blank_behind_slot"] = sum(one.has_blank for one in records)
    return ImportedFiles(
        [_question(one) for one in records],
        (),
        {name: notes[name] for name in WORDS if notes[name]},
        digest("evgeoqa file", [file.digest]),
        listed=[strays] if file.repairs else [],
    )


def _question(record: PublishedRecord) -> ImportedQuestion:
    return ImportedQuestion(
        key=record.id,
        template=record.type,
        dimension=record.type,
        prompt=text_prompt(_asked(record)),
        answer_type=ANSWER_TYPE,
        scorer=SCORER,
        gold=gold_of(record),
        told={
            "slot": record.slot,
            "location": record.location,
            "frame": FRAME,
            "user": {"lon": record.user.lon, "lat": record.user.lat},
            "stations": [_told(one) for one in record.stations],
        },
    )


def _asked(record: PublishedRecord) -> str:
    """The question as published, and where it is asked, which the published prompts name beside it."""
    where = f"longitude {record.user.lon!r}, latitude {record.user.lat!r} ({FRAME})"
    return f"{record.text}\n{record.location}: {where}"


def gold_of(record: PublishedRecord) -> dict[str, Any]:
    """Gold in the form of our own questions. Stations are known by the ids of the release, not of OpenStreetMap."""
    metres = [geodesic_m(record.user.lon, record.user.lat, one.at.lon, one.at.lat) for one in record.stations]
    return {
        "stations": [
            {
                "osm_key": one.id,
                "osm_keys": [one.id],
                "name": one.name,
                "lon": one.at.lon,
                "lat": one.at.lat,
                "geodesic_m": far,
                "drive_m": None,
                "activity": {"osm_key": None, "name": one.poi_name, "class": one.poi_type, "metres": None},
            }
            for one, far in zip(record.stations, metres, strict=True)
        ],
        "tier": tier_of(metres[0]),
        "need_moves": moves_needed(metres[0]),
        "user": {"lon": record.user.lon, "lat": record.user.lat},
        "density": None,
    }


def _told(station: PublishedStation) -> dict[str, Any]:
    """What the recheck reads: the station as published."""
    return {
        "id": station.id,
        "name": station.name,
        "lon": station.at.lon,
        "lat": station.at.lat,
        "km": station.km,
        "poi_type": station.poi_type,
        "poi_name": station.poi_name,
        "similarity": station.similarity,
    }


register_format(PublishedFormat(BENCHMARK, BENCHMARK, WORDS, LICENCE, read_file))
