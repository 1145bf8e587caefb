"""Suites as files: those that are shipped can be asked, and a faulty one names file and line."""

from pathlib import Path

import pytest

from app.core.errors import NotFound, TemplateError
from app.report_cards.suites import find_suite, read_suite, suite_names
from app.report_cards.variants import read_key

HEAD = 'name = "mine"\nsentence = "A few questions."\n'
ENTRY = '\n[[entries]]\nbenchmark = "gsqa"\nsolver = "direct"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def test_shipped_suites_can_be_asked() -> None:
    assert suite_names() == ["geo-full", "geo-lite"]
    for name in suite_names():
        suite = find_suite(name)
        assert suite.name == name
        assert any(one.calls_tools for one in suite.entries)
        assert {one.solver for one in suite.entries if not one.calls_tools} == {"direct"}


def test_a_suite_is_the_same_by_what_it_asks(tmp_path: Path) -> None:
    first = read_suite(written(tmp_path, HEAD + ENTRY + "per_template = 3\n"))
    renamed = read_suite(
        written(tmp_path, HEAD.replace("mine", "other") + ENTRY + "per_template = 3\n# a remark\n")
    )
    larger = read_suite(written(tmp_path, HEAD + ENTRY + "per_template = 4\n"))
    assert first.content_hash == renamed.content_hash != larger.content_hash
    assert find_suite(str(tmp_path / "mine.toml")) == larger
    (entry,) = first.entries
    assert (entry.name, entry.tool_set) == ("gsqa/direct", None)


def test_entries_that_make_the_same_questions_share_them(tmp_path: Path) -> None:
    tools = '\n[[entries]]\nbenchmark = "gsqa"\nsolver = "tools"\nsteps = 9\n'
    direct, agent = read_suite(written(tmp_path, HEAD + ENTRY + tools)).entries
    assert direct.questions_hash == agent.questions_hash
    assert (agent.name, agent.tool_set) == ("gsqa/tools", "all")
    assert agent.terms is not None
    assert agent.terms.steps == 9


def test_forms_and_twins_are_parts_of_their_own(tmp_path: Path) -> None:
    more = 'forms = ["coordinates", "paraphrase"]\nfresh = "map:helsinki"\n'
    plain, asked = (read_suite(written(tmp_path, HEAD + ENTRY + one)) for one in ("", more))
    assert [one.key for one in plain.parts] == ["gsqa/direct"]
    assert [one.key for one in asked.parts] == [
        "gsqa/direct",
        "gsqa/direct:paraphrase",
        "gsqa/direct:coordinates",
        "gsqa/direct:fresh",
    ]
    assert [read_key(one.key) for one in asked.parts[:2]] == [
        ("gsqa/direct", None),
        ("gsqa/direct", "paraphrase"),
    ]
    assert asked.entries[0].questions_hash == plain.entries[0].questions_hash
    assert plain.content_hash != asked.content_hash


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + ENTRY.replace("gsqa", "gsq"), 5, "there is no benchmark 'gsq'"),
        (HEAD + ENTRY.replace("direct", "magic"), 6, "there is no solver 'magic'"),
        (HEAD + ENTRY + "per_templat = 2\n", 7, "not permitted"),
        (HEAD + ENTRY + 'templates = ["T99"]\n', 4, "no template of gsqa 'T99'"),
        (HEAD + ENTRY + "steps = 3\n", 4, "calls no tools; remove steps"),
        (HEAD + ENTRY + 'version = "x@1"\nbank = 3\n', 4, "remove bank"),
        (HEAD + ENTRY + 'forms = ["aloud"]\n', 7, "'paraphrase', 'order', 'units' or 'coordinates'"),
        (HEAD + ENTRY + "forms_sample = 9\n", 4, "name `forms`"),
        (HEAD + ENTRY + 'fresh = "elsewhere"\n', 7, "map:"),
        (HEAD + ENTRY + 'fresh = "other_objects"\nsample = 9\n', 4, "remove sample or fresh"),
        (HEAD + ENTRY + ENTRY, 1, "two entries have the key gsqa/direct"),
        (HEAD, 1, "entries: Field required"),
        (HEAD + "[[entries]\n", 3, "cannot be read"),
        (HEAD + ENTRY + 'bank = "5"\n', 7, "valid integer"),
        (HEAD + ENTRY + "bank = true\n", 7, "valid integer"),
        (HEAD + ENTRY + "max_tokens = 99999999999999999999\n", 7, "less than or equal to"),
        (HEAD + ENTRY.replace("direct", "tools") + 'money = "much"\n', 4, "'much' is not an amount of money"),
        (HEAD + ENTRY.replace("direct", "tools") + "steps = 9999\n", 4, "1 to 400 steps"),
        (HEAD + ENTRY.replace("direct", "georover") + 'tools = "all"\nsteps = 0\n', 8, "greater than"),
        (HEAD.replace("A few", "A \\u0000 few") + ENTRY, 2, "must be printable"),
        (HEAD + ENTRY.replace("\n", "\n  ") + '"bank" = 0\n', 7, "greater than or equal to 1"),
        (HEAD + ENTRY + "bank = " + "[" * 5_000 + "\n", 7, "nested too deeply"),
        (HEAD + ENTRY + "bank = " + "9" * 5_000 + "\n", 7, "too many digits"),
        (HEAD + ENTRY + "#" * 100_000, 1, "at most 100,000 bytes"),
    ],
    ids=lambda value: str(value)[-40:],
)
def test_a_fault_names_file_and_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(TemplateError) as refused:
        read_suite(path)
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert words in str(refused.value)


def test_a_suite_that_there_is_not_is_named() -> None:
    with pytest.raises(NotFound, match="no suite 'geo'; there are: geo-full, geo-lite"):
        find_suite("geo")
    with pytest.raises(NotFound, match=r"no file \./geo.toml"):
        find_suite("./geo.toml")
    with pytest.raises(NotFound, match="There is no file"):
        find_suite("./" + "x" * 5_000)
