"""The files of MapQA's authors as they are read: answers parted, faults told by line, keys computed again."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.benchmarks.mapqa.imported.coordinates import Spot, ground_metres, plane_metres
from app.benchmarks.mapqa.rechecks.checking import check_key
from app.core.errors import UsageError
from app.questions.imported.formats import ImportedFiles, find_format
from app.questions.rechecking.checks import Finding, KeyedQuestion, find_checker
from app.scores.registry import get_scorer
from tests.support.published_mapqa import RELEASE, ROWS, write_release


def read(folder: Path) -> ImportedFiles:
    return find_format("mapqa").read(folder)


def recheck(files: ImportedFiles) -> Mapping[str, Finding]:
    """The finding of each question, by its key."""
    check = find_checker("mapqa", "mapqa")
    assert check is not None
    return {
        one.key: check(
            KeyedQuestion(
                one.key,
                one.key,
                one.template,
                str(one.prompt[-1]["text"]),
                None,
                None,
                one.gold,
                "value",
                one.told,
            )
        )
        for one in files.questions
    }


@pytest.fixture
def region(tmp_path: Path) -> Path:
    return write_release(tmp_path / "wales")


def test_answers_are_parted_at_semicolons_with_a_blank_alone(region: Path) -> None:
    gold = {one.key: one.gold for one in read(region).questions}
    assert gold["wales/adjacent/1"] == {"members": ["Bread", "Butter"]}
    assert gold["wales/amenities/1"] == {"names": ["courthouse;library"]}
    assert gold["wales/amenities_around/1"] == {"members": []}
    assert gold["wales/amenities_around/2"] == {"members": ["bar", "cafe"]}
    assert gold["wales/amenities_around_specific/7"] == {"members": ["Bread;Butter"]}
    assert gold["wales/distance/1"] == {"distance": 14990.55}
    assert gold["wales/intersection/0"] == {"names": ["Bread"]}


def test_faults_are_told_where_they_are(region: Path) -> None:
    files = read(region)
    assert files.notes == {
        "coordinates_exchanged": 2,
        "metres_as_degrees": 3,
        "coordinates_repeated": 1,
        "place_far_away": 1,
        "unnamed_answer": 1,
        "header_lacks_id": 1,
        "empty_answer": 1,
        "malformed_answer": 1,
    }
    told = "\n".join(files.listed)
    assert "amenities_around_dataset.csv, line 2: ID 1, 'Old Mill': latitude -88.00000" in told
    assert "direction_nearest_dataset.csv, line 4: ID 3 has no answer" in told
    assert "adjacent_dataset.csv, line 3: ID 4: 'New Bridge' lies 1" in told
    assert "compare-closer.csv, line 3: ID 2. The places have the coordinates of another" in told


def test_places_stand_in_degrees_however_they_are_written(region: Path) -> None:
    told = {one.key: one.told["places"][0] for one in read(region).questions}
    for key, written in (
        ("wales/adjacent/1", "degrees"),
        ("wales/amenities_around/1", "exchanged"),
        ("wales/direction_nearest/1", "metres"),
    ):
        place = told[key]
        assert (place["lon"], place["lat"]) == pytest.approx((-88.0, 42.0), abs=1e-6)
        assert place["written"] == written


def test_keys_are_computed_again(region: Path) -> None:
    found = recheck(read(region))
    verdicts = {key.removeprefix("wales/"): one.verdict for key, one in found.items()}
    assert verdicts == {
        "adjacent/1": "agrees",
        "adjacent/4": "contradicts",
        "amenities/1": "cannot be checked",
        "amenities_around/1": "cannot be checked",
        "amenities_around/2": "cannot be checked",
        "amenities_around_specific/7": "agrees",
        "compare_closer/1": "contradicts",
        "compare_closer/2": "agrees",
        "direction_nearest/1": "cannot be checked",
        "direction_nearest/2": "contradicts",
        "distance/1": "contradicts",
        "intersection/0": "cannot be checked",
        "nearest_amenity/1": "cannot be checked",
    }
    assert "that of the plane, 1.35" in found["wales/distance/1"].working
    assert "named last" in found["wales/compare_closer/1"].working
    assert "New Bridge does not lie south of Old Mill" in found["wales/direction_nearest/2"].working


def test_the_layout_of_the_release_is_found(tmp_path: Path) -> None:
    write_release(tmp_path / "llm" / "wales" / "question-answer")
    write_release(tmp_path / "llm" / "kent" / "question-answer")
    regions = Counter(one.key.partition("/")[0] for one in read(tmp_path).questions)
    assert regions == {"wales": 13, "kent": 13}


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("adjacent_dataset.csv", "ID,Answer\n1,x\n", "line 1: the columns are 'ID,Answer'"),
        ("adjacent_dataset.csv", "ID,Question,Answer\n1,x\n", "line 2: it has 2 columns, not 3"),
        ("adjacent_dataset.csv", 'ID,Question,Answer\n1,"x,y\n', "it is not CSV"),
        (
            "adjacent_dataset.csv",
            "ID,Question,Answer\n1,a,b\n1,c,d\n",
            "line 3: a line before it has the ID '1'",
        ),
        ("adjacent_dataset.csv", "ID,Question,Answer\n1, ,b\n", "line 2: there is no question"),
        ("adjacent_dataset.csv", "ID,Question,Answer\n1,a\0,b\n", "line 2"),
        ("adjacent_dataset.csv", 'ID,Question,Answer\n"a\x1b",x,b\n', "its ID is not a short printable word"),
        (
            "adjacent_dataset.json",
            '{"1": {"X": {"latitude": 1, "longitude": 2, "osm_id": 1e400}}}',
            "1.X.osm_id is no id of OpenStreetMap",
        ),
        ("adjacent_dataset.json", "[1]", "the whole is not an object with the places"),
        ("adjacent_dataset.json", '{"1": {"X": 3}}', "1.X is not an object"),
        ("adjacent_dataset.json", '{"1": {"X": {"latitude": "x"}}}', "1.X.latitude is a text, not a number"),
    ],
)
def test_malformed_files_are_refused_with_their_place(
    region: Path, file: str, content: str, said: str
) -> None:
    (region / file).write_text(content)
    with pytest.raises(UsageError) as refused:
        read(region)
    assert said in str(refused.value)
    assert file in str(refused.value)


def test_a_file_without_its_places_is_refused(region: Path) -> None:
    (region / "distance_dataset.json").unlink()
    with pytest.raises(UsageError, match=r"distance_dataset\.json, is not beside it"):
        read(region)


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no questions of MapQA"):
        read(tmp_path)
    with pytest.raises(UsageError, match="is no folder"):
        read(tmp_path / "nothing")


def test_numbers_beyond_the_earth_are_told(tmp_path: Path) -> None:
    rows = {**ROWS, "amenities_dataset": [("1", "What amenity is X?", "bar", [("X", 1, 200.0, 300.0)])]}
    files = read(write_release(tmp_path / "wales", rows))
    assert files.notes["place_nowhere"] == 1


@pytest.fixture(scope="module")
def sample() -> ImportedFiles:
    if not RELEASE.exists():
        pytest.skip(f"{RELEASE} is not here: the authors' files are not part of the project")
    return read(RELEASE)


def test_the_samples_have_every_fault_where_it_occurs(sample: ImportedFiles) -> None:
    """All anchors of amenities_around and direction_nearest, all rows of compare_closer but the first of each region."""
    by_type = Counter(one.template for one in sample.questions)
    assert sample.notes["coordinates_exchanged"] == by_type["amenities_around"] == 28
    empty = sample.notes["empty_answer"]
    assert sample.notes["metres_as_degrees"] == by_type["direction_nearest"] + empty == 29
    assert sample.notes["coordinates_repeated"] == by_type["compare_closer"] - 2 == 24
    assert empty == sample.notes["unnamed_answer"] == 7
    assert sample.notes["header_lacks_id"] == 2
    for name in ("exchanged", "metres"):
        allowed = {"exchanged": "amenities_around", "metres": "direction_nearest"}[name]
        places = [(one.template, place) for one in sample.questions for place in one.told["places"]]
        assert {kind for kind, place in places if place["written"] == name} == {allowed}


def test_published_distances_are_those_of_the_plane(sample: ImportedFiles) -> None:
    found = recheck(sample)
    distances = [one for key, one in found.items() if "/distance/" in key]
    assert len(distances) == 26
    assert all(one.verdict == "contradicts" and "that of the plane" in one.working for one in distances)


def test_an_exact_tool_user_is_right_by_no_published_distance(sample: ImportedFiles) -> None:
    """The same user, who measures on the plane of Web Mercator, is right by all of them."""
    judge = get_scorer("mapqa_distance").judge
    asked = [one for one in sample.questions if one.template == "distance"]
    measured = {"ground": ground_metres, "plane": plane_metres}
    right = {
        name: sum(
            judge(f"{measure(*(_spot(place) for place in one.told['places'])):.2f} m", one.gold, None).value
            for one in asked
        )
        for name, measure in measured.items()
    }
    assert right == {"ground": 0, "plane": len(asked)}


def _spot(place: Mapping[str, Any]) -> Spot:
    return Spot(place["lon"], place["lat"], place["written"])


def test_published_comparisons_are_keyed_by_the_place_named_last(sample: ImportedFiles) -> None:
    keyed = [one for one in sample.questions if one.template == "compare_closer"]
    assert all(str(one.prompt[-1]["text"]).rstrip("?").endswith(one.gold["names"][0]) for one in keyed)


@pytest.mark.parametrize(
    ("text", "north", "verdict"),
    [
        ("What shop is beside Mill?", 0.0006, "cannot be checked"),
        ("What shop is beside Mill?", 0.0106, "contradicts"),
        ("Which shops are within 50m of Mill?", 0.0006, "contradicts"),
        ("What shop is beside Mill?", 0.0002, "agrees"),
    ],
)
def test_beside_without_a_number_may_mean_areas_that_touch(text: str, north: float, verdict: str) -> None:
    places = [
        {"name": name, "lon": -88.0, "lat": 42.0 + up, "written": "degrees"}
        for name, up in (("Mill", 0.0), ("Shop", north))
    ]
    gold = {"members": ["Shop"]}
    question = KeyedQuestion("1", "x/adjacent/1", "adjacent", text, None, None, gold, "", {"places": places})
    assert check_key(question).verdict == verdict
