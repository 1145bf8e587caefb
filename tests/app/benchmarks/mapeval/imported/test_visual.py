"""The visual file and its pictures as they are read: options out of one text, keys from 1, hostile paths refused."""

import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from app.benchmarks.mapeval.imported.option_strings import split_options
from app.core.errors import UsageError
from app.questions.assets import LARGEST
from app.questions.imported.formats import ImportedFiles, find_format
from tests.support.published_mapeval import RELEASE, bomb, picture, visual, write_visual

SAMPLE = RELEASE / "mapeval-visual-sample.json"


def read(folder: Path, items: list[Any], pictures: dict[str, bytes] | None = None) -> ImportedFiles:
    path, root = write_visual(folder, items, pictures)
    with_pictures = find_format("mapeval-visual").read_with_pictures
    assert with_pictures is not None
    return with_pictures(path, root)


def test_the_sample_of_the_release() -> None:
    if not SAMPLE.exists():
        pytest.skip(f"{SAMPLE} is not here: the authors' files are not part of the project")
    with_pictures = find_format("mapeval-visual").read_with_pictures
    assert with_pictures is not None
    files = with_pictures(SAMPLE, RELEASE)
    assert (len(files.questions), len(files.pictures), files.notes) == (12, 10, {"left_out": 2})
    assert ["item 7" in files.listed[0], "item 14" in files.listed[1]] == [True, True]
    assert with_pictures(SAMPLE, RELEASE / "VData").digest == files.digest
    assert [one.gold["index"] for one in files.questions] == [1, 1, 2, 0, 3, 3, 0, 2, 2, 2, 1, 2]


@pytest.mark.parametrize(
    ("text", "count", "options"),
    [
        ("1)Seven\n2)Three    3)Two\n4)Six", 4, ["Seven", "Three", "Two", "Six"]),
        ("1.Ten (10)\n2.Nine (9)", 2, ["Ten (10)", "Nine (9)"]),
        ("(1) 2.5 km (2) 3.5 km", 2, ["2.5 km", "3.5 km"]),
        ("1) 2.5 km 2) 3.5 km", 2, ["2.5 km", "3.5 km"]),
        ("1Foo\n2Bar", 2, ["Foo", "Bar"]),
        ("1. Foo\n1. Bar\n4. Baz", 3, ["Foo", "Bar", "Baz"]),
        ("Foo\nBar", 2, ["Foo", "Bar"]),
        ("12 km\n13 km", 2, ["12 km", "13 km"]),
        ("1 12\n2 13", 2, ["12", "13"]),
        ("1.Shadwell falcons\n2.Al4.Al", 4, None),
        ("1.St", 4, None),
        ("1)\n2)Two", 2, None),
        ("", 2, None),
    ],
)
def test_options_come_out_of_one_text(text: str, count: int, options: list[str] | None) -> None:
    assert split_options(text, count) == options


@given(
    st.lists(st.from_regex(r"[A-Za-z][A-Za-z ]{0,10}[a-z]", fullmatch=True), min_size=2, max_size=6),
    st.sampled_from(["{})", "{}. ", "({}) ", "{}"]),
    st.sampled_from(["\n", " \n", "\n\n"]),
)
def test_numbered_options_come_out_again(options: list[str], label: str, between: str) -> None:
    text = between.join(label.format(number) + one for number, one in enumerate(options, start=1))
    assert split_options(text, len(options)) == [one.strip() for one in options]


def test_keys_count_from_one_and_zero_means_unanswerable(tmp_path: Path) -> None:
    none = visual(answer="0", classification="unanswerable")
    files = read(tmp_path, [visual(), none])
    assert [(one.template, one.gold["index"], one.gold_kind) for one in files.questions] == [
        ("visual_counting", 1, "value"),
        ("visual_unanswerable", -1, "unanswerable"),
    ]
    assert len(files.pictures) == 1
    assert [part["type"] for part in files.questions[0].prompt] == ["image", "text"]


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (visual(options="1)One"), "cannot be taken apart into 2 options"),
        (visual(answer="3"), "its key is 3, and it has 2 options"),
        (visual(answer="two"), "`answer` is no whole number"),
        (visual(option_count="90"), "`option_count` is 90"),
        (visual(classification=None), "`classification` is no text"),
        (visual("Vdata/ID_2.PNG"), "there is no picture 'Vdata/ID_2.PNG'"),
    ],
)
def test_a_malformed_item_is_left_out_and_told(tmp_path: Path, item: dict[str, Any], said: str) -> None:
    files = read(tmp_path, [visual(), item])
    assert len(files.questions) == 1
    assert said in files.listed[0]
    assert "item 2" in files.listed[0]


@pytest.mark.parametrize(
    "path", ["../ID_1.PNG", "VData/../../x.png", "/etc/passwd", "C:/x.png", "VData\\ID_1.PNG", ""]
)
def test_a_path_that_leaves_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "ID_1.PNG").write_bytes(picture())
    with pytest.raises(UsageError, match="does not stay in the folder"):
        read(tmp_path, [visual(), visual(path)])


def test_links_are_not_followed(tmp_path: Path) -> None:
    path, root = write_visual(tmp_path, [visual("VData/ID_2.PNG")])
    (root / "VData" / "ID_2.PNG").symlink_to(root / "VData" / "ID_1.PNG")
    with_pictures = find_format("mapeval-visual").read_with_pictures
    assert with_pictures is not None
    with pytest.raises(UsageError, match=r"ID_2.PNG is a link"):
        with_pictures(path, root)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("ID_1.PNG", bomb(30_000, 30_000), "30,000 × 30,000 pixels"),
        ("ID_1.PNG", bomb(100, 100), "cut off or broken"),
        ("ID_1.PNG", picture()[:-30], "cut off or broken"),
        ("ID_1.PNG", b"<svg/>", "no PNG or JPEG"),
        ("ID_1.PNG", picture("JPEG"), "its name says PNG"),
        ("ID_1.gif", picture(), "its name does not end"),
        ("ID_1.PNG", picture(save_all=True, append_images=[]) + b"", ""),
    ],
)
def test_a_picture_that_cannot_be_read_is_told_by_its_file(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    items = [visual(f"Vdata/{name}")]
    if not said:
        assert len(read(tmp_path, items, {f"VData/{name}": content}).pictures) == 1
        return
    with pytest.raises(UsageError, match=said) as told:
        read(tmp_path, items, {f"VData/{name}": content})
    assert f"VData/{name}" in str(told.value)


def test_an_animated_picture_is_refused(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (4, 4), (shade, 0, 0)) for shade in (0, 200)]
    content = picture(size=(4, 4), save_all=True, append_images=frames)
    with pytest.raises(UsageError, match="animated"):
        read(tmp_path, [visual()], {"VData/ID_1.PNG": content})


def test_pictures_are_encoded_anew(tmp_path: Path) -> None:
    content = picture() + b"what a viewer does not show"
    (one,) = read(tmp_path, [visual()], {"VData/ID_1.PNG": content}).pictures
    assert b"viewer" not in one.content
    assert one.part.media_type == "image/png"


def test_a_picture_too_large_for_an_asset_becomes_a_jpeg(tmp_path: Path) -> None:
    noise = Image.frombytes("RGB", (1300, 1300), random.Random(7).randbytes(1300 * 1300 * 3))
    buffer = BytesIO()
    noise.save(buffer, "PNG")
    assert buffer.tell() > LARGEST
    (one,) = read(tmp_path, [visual()], {"VData/ID_1.PNG": buffer.getvalue()}).pictures
    assert (one.part.media_type, len(one.content) <= LARGEST) == ("image/jpeg", True)


def test_without_pictures_the_folder_is_asked_for(tmp_path: Path) -> None:
    path, _ = write_visual(tmp_path, [visual()])
    with pytest.raises(UsageError, match="--pictures"):
        find_format("mapeval-visual").read(path)
