"""What a picture's bytes depend on is known by name."""

import pytest

from app.core.errors import UsageError
from app.drawing import engine, fonts
from app.drawing.engine import VERSION, differing_versions, engine_versions
from app.drawing.frame import Frame


def test_versions_name_mapnik_and_every_font() -> None:
    now = engine_versions()
    assert now["mapnik"] == VERSION
    assert set(now) == {"style", "mapnik", "geos", "zlib", "machine", "fonts"}
    assert set(now["fonts"]) == set(fonts.load_fonts().files)
    assert differing_versions(now, now) == []


def test_what_differs_is_named() -> None:
    now = engine_versions()
    other = {
        **now,
        "mapnik": "4.1.0",
        "machine": "aarch64",
        "fonts": {**now["fonts"], "NotoSans-Regular.ttf": "0" * 64, "Old.ttf": "1"},
    }
    del other["fonts"]["NotoSansThai-Regular.ttf"]
    assert differing_versions(other, now) == [
        "mapnik was 4.1.0 and is 4.3.2",
        f"machine was aarch64 and is {now['machine']}",
        "the font NotoSans-Regular.ttf is another file",
        "the font NotoSansThai-Regular.ttf was not used",
        "the font Old.ttf is missing",
    ]


def test_a_machine_without_mapnik_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "find_version", lambda: None)
    engine.load_mapnik.cache_clear()
    with pytest.raises(
        UsageError, match=r"mapnik is not installed\. In a checkout, `scripts/visual` installs"
    ):
        engine.load_mapnik()


def test_a_machine_without_a_font_is_told_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "missing_fonts", lambda: ["NotoSansThai-Regular.ttf"])
    engine.load_mapnik.cache_clear()
    with pytest.raises(UsageError, match=r"1 font files are missing, such as NotoSansThai-Regular\.ttf"):
        engine.load_mapnik()


@pytest.mark.parametrize(
    "wrong", [{"zoom": 7}, {"zoom": 22}, {"width": 100}, {"height": 5000}, {"lat": 89.0}, {"lon": 181.0}]
)
def test_frames_that_cannot_be_drawn_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Frame(**{"lon": 9.5, "lat": 47.1, "zoom": 16, "width": 600, "height": 400, **wrong})  # type: ignore[arg-type]
