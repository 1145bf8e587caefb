"""Questions about pictures on a real map: proved by SQL, by the second path and by what was drawn."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import shapely

from app.core.clock import SystemClock
from app.core.errors import Conflict, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.drawing.engine import engine_versions
from app.exports.versions import export_generated, export_published
from app.operations.recipe import GenerateRequest, draft_recipe
from app.operations.verify import verify_version
from app.questions.generating import Generated, Recipe, generate
from app.questions.gold import NO_ANSWER
from app.questions.image_sizes import read_image
from app.questions.pictures.engines import engine_of
from app.questions.pictures.proving import DRAWING
from app.questions.prompts import images_of
from app.questions.refusals import meaning
from app.questions.reproducing import reproduce
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verification import Verification
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from tests.support.town import benchmarks, import_map

NAME = "mapeval_visual"
EACH = 2
MAP = "manhattan"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], extracts: Path) -> Settings:
    """A database with a part of Manhattan."""
    file = extracts / "manhattan-part-2020-01-15.osm.pbf"
    if not file.is_file():
        pytest.skip(f"{file} is absent")
    made = make_database()
    import_map(made, file, MAP)
    return made


@pytest.fixture(scope="module")
def made(settings: Settings) -> Generated:
    """A few questions of each template."""
    benchmark = benchmarks()[NAME]
    with connect(settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, [MAP])
        recipe = Recipe(benchmark, maps, 3, EACH, EACH, 0.0, register="mixed", drawing=engine_of(benchmark))
        return generate(connection, recipe, lambda *told: None)


@pytest.fixture(scope="module")
def version(settings: Settings, made: Generated) -> PublishedVersion:
    """The questions, published."""
    with connect(settings, Role.WORKER) as connection:
        stored = store(connection, "visual", 1, made, SystemClock())
        connection.commit()
    return stored


def test_every_template_gives_questions_and_no_path_disagrees(made: Generated) -> None:
    assert [name for name, report in made.reports.items() if report.selected < EACH] == []
    refused = {reason for report in made.reports.values() for reason in report.refused}
    assert not refused & {"second_path_disagrees", "drawing_fails"}
    assert not [reason for reason in refused if meaning(reason, NAME) is None]


def test_prompts_show_a_picture_before_the_text(made: Generated) -> None:
    for record in made.records:
        assert [part["type"] for part in record.prompt] == ["image", "text"]
        assert record.picture is not None
        image = read_image(record.picture)
        assert (image.media_type, image.width, image.height) == ("image/png", 800, 600)
        assert record.options
        assert record.options[-1] == NO_ANSWER
        assert len(record.options) == 5
        assert (record.gold["text"] == NO_ANSWER) == (record.template == "Not_In_Picture")
    for template in benchmarks()[NAME].templates.values():
        assert min(len(texts) for texts in template.phrasings["en"].values()) >= 3, template.id


def test_questions_share_pictures(made: Generated) -> None:
    assert len(images_of(record.prompt for record in made.records)) < len(made.records)


def test_a_footprint_holds_the_whole_picture(made: Generated) -> None:
    record = made.records[0]
    frame = record.solutions[DRAWING]["record"]["frame"]
    assert record.footprint.area
    west, south, east, north = shapely.from_wkb(record.footprint.area).bounds
    assert west < frame["west"] < frame["east"] < east
    assert south < frame["south"] < frame["north"] < north


def checked(settings: Settings, version: PublishedVersion, **changed: object) -> Verification:
    """What verify finds where the first question of a kind is stored otherwise."""
    with connect(settings, Role.WORKER) as connection:
        first, *others = load_questions(connection, version)
        return verify(connection, [replace(first, **changed), *others], lambda done: None)  # type: ignore[arg-type]


def test_verify_proves_every_question_by_its_picture_too(
    settings: Settings, version: PublishedVersion
) -> None:
    result = checked(settings, version)
    assert result.failures == []
    assert result.drawing == {"agree": result.questions, "differ": 0}
    assert result.second_path["agree"] == result.stored_sql["agree"] == result.questions


def test_verify_finds_a_record_and_a_picture_that_were_changed(
    settings: Settings, version: PublishedVersion
) -> None:
    with connect(settings, Role.WORKER) as connection:
        first, *_ = load_questions(connection, version)
    told = first.solutions[DRAWING]
    emptied = {**told, "record": {**told["record"], "labels": []}}
    moved = {**told, "record": {**told["record"], "scale_bar": {**told["record"]["scale_bar"], "metres": 1}}}
    for solution, fault in (
        (emptied, "the picture does not tell it (not_drawn)"),
        (moved, "drawn again, it shows something else than was recorded"),
    ):
        result = checked(settings, version, solutions={DRAWING: solution})
        assert [(one.path, one.got) for one in result.failures] == [("drawing", fault)]
        assert result.drawing["differ"] == 1
    image, text = first.prompt
    other = checked(settings, version, prompt=[{**image, "sha256": "0" * 64}, text])
    assert "drawing" in {one.path for one in other.failures}


def test_a_version_is_made_again_to_the_byte(
    settings: Settings, made: Generated, version: PublishedVersion
) -> None:
    with connect(settings, Role.MAINTAINER) as connection:
        published = export_published(connection, version, with_gold=True, include_hidden=True)
        again = export_generated(
            connection, reproduce(connection, version, lambda *told: None), version.name, version.number
        )
    assert again == published
    pictures = [name for name in published if name.startswith("assets/")]
    assert len(pictures) == len(images_of(record.prompt for record in made.records))


def test_another_engine_is_refused_by_name(
    settings: Settings, version: PublishedVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {**engine_versions(), "mapnik": "5.0.0"}
    monkeypatch.setattr("app.questions.pictures.engines.engine_versions", lambda: here)
    said = r"drawn by another engine \(mapnik was 4\.\d\.\d and is 5\.0\.0\)\. Nothing is wrong with its questions\."
    with pytest.raises(Conflict, match=rf"visual@1 cannot be verified here: its pictures were {said}"):
        verify_version(settings, "visual", lambda *told: None)
    with (
        connect(settings, Role.MAINTAINER) as connection,
        pytest.raises(Conflict, match=rf"visual@1 cannot be made again here: its pictures were {said}"),
    ):
        reproduce(connection, version, lambda *told: None)


def test_without_mapnik_nothing_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise UsageError("Maps cannot be drawn here: the Python package mapnik is not installed.")

    monkeypatch.setattr("app.questions.pictures.engines.engine_versions", absent)
    with pytest.raises(UsageError, match="mapnik is not installed"):
        draft_recipe(GenerateRequest(NAME, "pictures"))
    assert draft_recipe(GenerateRequest("gsqa", "places")).drawing is None
