"""The authors' folder → questions with gold, and the faults of its rows told by file and line. Registers `mapqa`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.benchmarks.mapqa.imported.coordinates import (
    DEGREES,
    EXCHANGED,
    METRES,
    NOWHERE,
    Centre,
    Spot,
    centre_of,
    locate,
    plane_metres,
)
from app.benchmarks.mapqa.imported.files import CsvRow, Entity, QuestionFile, find_question_files
from app.benchmarks.mapqa.imported.gold import KINDS, gold_of, members_of
from app.core.errors import UsageError
from app.core.identity import digest
from app.core.strict_json import shown_name
from app.questions.imported.formats import ImportedFiles, ImportedQuestion, PublishedFormat, register_format
from app.questions.prompts import text_prompt

BENCHMARK = "mapqa"
LICENCE = {
    "name": "licence not stated by its authors",
    "attribution": "map data © OpenStreetMap contributors, ODbL 1.0",
    "url": "https://opendatacommons.org/licenses/odbl/1-0/",
}
ELSEWHERE_M = 1000.0
"""Metres of Web Mercator beyond which a place that is said to lie within 50 is another one of the same name."""
WORDS = {
    "coordinates_exchanged": "latitude and longitude are exchanged; they are read the right way round",
    "metres_as_degrees": "metres of Web Mercator stand under latitude and longitude; they are read as such",
    "place_nowhere": "latitude and longitude of a place are neither degrees nor metres on the earth",
    "without_places": "the file of places has nothing under the question's ID",
    "places_missing": "a name of the answer is not among the question's places",
    "coordinates_repeated": "the places have the coordinates of another question's places",
    "place_far_away": "a place that is said to be next to another lies elsewhere: it has the same name",
    "unnamed_answer": "a place of the answer has no name, and `null` stands for it",
    "header_lacks_id": "the header lacks the column ID, which the rows have",
    "empty_answer": "the answer is empty; the question is left out",
    "malformed_answer": "the answer is no number of metres; the question is left out",
}


@dataclass
class _Loading:
    """What was read so far."""

    known: Mapping[int, Spot]
    """Where places are, by their id in OpenStreetMap, from the files whose coordinates can be trusted."""
    questions: list[ImportedQuestion] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    listed: list[str] = field(default_factory=list)

    def take(self, file: QuestionFile, centre: Centre | None) -> None:
        """Read the questions of one file."""
        if file.lacks_id:
            self._note("header_lacks_id", file, 1, "the columns are Question and Answer, and rows have three")
        seen: set[tuple[tuple[float, float], ...]] = set()
        for row in file.rows:
            entities = file.entities(row.number)
            spots = [] if entities is None else [locate(one, centre) for one in entities]
            self._note_places(file, row, entities, spots, seen)
            if file.type == "compare_closer" and entities:
                seen.add(tuple((one.latitude, one.longitude) for one in entities))
            gold = self._gold(file, row)
            if gold is not None:
                self.questions.append(self._question(file, row, gold, entities or [], spots))

    def _gold(self, file: QuestionFile, row: CsvRow) -> dict[str, Any] | None:
        if not row.answer:
            self._note("empty_answer", file, row.line, f"{_called(row)} has no answer")
            return None
        gold = gold_of(file.type, row.answer)
        if gold is None:
            self._note("malformed_answer", file, row.line, f"{_called(row)}: {shown_name(row.answer)}")
        return gold

    def _note_places(
        self,
        file: QuestionFile,
        row: CsvRow,
        entities: Sequence[Entity] | None,
        spots: Sequence[Spot],
        seen: set[tuple[tuple[float, float], ...]],
    ) -> None:
        if entities is None:
            self._note("without_places", file, row.line, _called(row))
            return
        written = {one.written for one in spots}
        for name, kind in (
            ("coordinates_exchanged", EXCHANGED),
            ("metres_as_degrees", METRES),
            ("place_nowhere", NOWHERE),
        ):
            if kind in written:
                first = next(one for one, spot in zip(entities, spots, strict=True) if spot.written == kind)
                self._note(
                    name,
                    file,
                    row.line,
                    f"{_called(row)}, {shown_name(first.name)}: latitude {first.latitude:.5f}, longitude "
                    f"{first.longitude:.5f}",
                )
        if tuple((one.latitude, one.longitude) for one in entities) in seen:
            self._note("coordinates_repeated", file, row.line, _called(row))
        self._note_answer(file, row, entities, spots)

    def _note_answer(
        self, file: QuestionFile, row: CsvRow, entities: Sequence[Entity], spots: Sequence[Spot]
    ) -> None:
        if file.type in ("amenities", "amenities_around", "distance") or not entities:
            return
        names = members_of(row.answer) if KINDS[file.type].is_set else [row.answer] if row.answer else []
        known = {one.name for one in entities}
        if "null" in known or "null" in names:
            self._note("unnamed_answer", file, row.line, _called(row))
        lacking = [name for name in names if name not in known]
        if lacking:
            self._note("places_missing", file, row.line, f"{_called(row)}: {shown_name(lacking[0])}")
        if file.type in ("adjacent", "amenities_around_specific"):
            away = [
                (plane_metres(spots[0], spot), one.name)
                for one, spot in zip(entities[1:], spots[1:], strict=True)
            ]
            far = [(metres, name) for metres, name in away if metres > ELSEWHERE_M]
            if far:
                metres, name = max(far)
                self._note(
                    "place_far_away",
                    file,
                    row.line,
                    f"{_called(row)}: {shown_name(name)} lies {metres:,.0f} m of Web Mercator away",
                )

    def _note(self, name: str, file: QuestionFile, line: int, said: str) -> None:
        self.notes[name] += 1
        self.listed.append(f"{file.path}, line {line:,}: {said}. {WORDS[name][0].upper()}{WORDS[name][1:]}")

    def _question(
        self,
        file: QuestionFile,
        row: CsvRow,
        gold: dict[str, Any],
        entities: Sequence[Entity],
        spots: Sequence[Spot],
    ) -> ImportedQuestion:
        kind = KINDS[file.type]
        if file.type == "compare_closer":
            spots = [self.known.get(one.osm_id, Spot(0.0, 0.0, NOWHERE)) for one in entities]
        places = [
            {
                "name": one.name,
                "osm_id": one.osm_id,
                "lon": spot.lon,
                "lat": spot.lat,
                "written": spot.written,
            }
            for one, spot in zip(entities, spots, strict=True)
        ]
        return ImportedQuestion(
            key=f"{file.region}/{file.type}/{row.number}",
            template=file.type,
            dimension=file.type,
            prompt=text_prompt(row.question),
            answer_type=kind.answer_type,
            scorer=kind.scorer,
            gold=gold,
            told={"region": file.region, "type": file.type, "id": row.number, "places": places},
        )


def _called(row: CsvRow) -> str:
    return f"ID {row.number}"


def _places_of(file: QuestionFile) -> list[Entity]:
    return [one for row in file.rows for one in file.entities(row.number) or []]


def read_folder(root: Path) -> ImportedFiles:
    """Every question of the folder. Raises UsageError with file and line at the first fault that ends the loading."""
    files = find_question_files(root)
    centres = {
        region: centre_of([one for file in files if file.region == region for one in _places_of(file)])
        for region in {file.region for file in files}
    }
    known: dict[int, Spot] = {}
    for file in files:
        if file.type != "compare_closer":
            for one in _places_of(file):
                spot = locate(one, centres[file.region])
                if spot.written != NOWHERE:
                    known.setdefault(one.osm_id, spot._replace(written=DEGREES))
    loading = _Loading(known)
    for file in files:
        loading.take(file, centres[file.region])
    if not loading.questions:
        raise UsageError(f"{root}: no question of it can be scored; nothing is loaded.")
    return ImportedFiles(
        loading.questions,
        (),
        {name: loading.notes[name] for name in WORDS if loading.notes[name]},
        digest("mapqa files", [[file.region, file.type, file.digest] for file in files]),
        listed=loading.listed,
    )


register_format(PublishedFormat("mapqa", BENCHMARK, WORDS, LICENCE, read_folder))
