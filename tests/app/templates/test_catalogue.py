"""The loader: the checkout's benchmarks load; every malformed file stops it with file and line."""

import re
import shutil
from pathlib import Path

import pytest

from app.core.errors import NotFound, TemplateError
from app.templates.catalogue import TEMPLATES_FOLDER, find_benchmark, load_benchmarks

TEMPLATE = """/*
id: X1
version: 1
title: a title
answer_type: name
scorer: name
dimension: nearest
parameters:
  anchor: {type: object, layer: poi, pick: things}
  category: {type: class, pick: kinds}
derive: nearest_name
phrasings: asking
constants: {reach: 5}
requires: [poi]
search: circle
*/
-- a remark with :nothing in it
select
    row_number() over (order by poi.osm_key) as place,
    'a :quoted bind' as remark,
    poi.osm_key::text
from poi
where
    poi.osm_key = :anchor
    and poi.class = :category
    and 5 < :reach
order by place
"""
PICK = "-- values\nselect poi.osm_key as value\nfrom poi\norder by poi.osm_key\n"
PHRASINGS = 'en:\n  precise:\n    - "Which {category} is near {anchor}?"\n    - "Near {anchor}, which {category_plural}?"\n'
HEADER, _, BODY = TEMPLATE.partition("*/\n")
SHARING = HEADER.replace("derive:", "select: shared\nderive:") + "*/\n"
BENCHMARK = """name = "toy"
title = "A toy"
version = 1
templates = ["X1"]
metric = "accuracy"
direction = "higher"
temperature = 0.0

[words.en.category]
cafe = "café"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound benchmark of one template."""
    files = {
        "X1.sql": TEMPLATE,
        "picks/things.sql": PICK,
        "picks/kinds.sql": PICK,
        "phrasings/asking.yaml": PHRASINGS,
        "benchmark.toml": BENCHMARK,
    }
    for name, content in files.items():
        path = tmp_path / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def refusal(folder: Path) -> str:
    with pytest.raises(TemplateError) as refused:
        load_benchmarks(folder)
    return str(refused.value).removeprefix(f"{folder}/toy/")


def test_the_checkouts_benchmarks_load() -> None:
    found = load_benchmarks()
    assert sorted(found) == [
        "evgeoqa",
        "gsqa",
        "map_tools_check",
        "mapeval",
        "mapeval_visual",
        "mapqa",
        "urban_knowledge",
        "urban_reasoning",
    ]
    gsqa = list(found["gsqa"].templates)
    assert gsqa == sorted(gsqa, key=lambda name: int(name[1:]))
    assert len(found["urban_knowledge"].templates) >= 4


def test_an_unknown_benchmark(folder: Path) -> None:
    with pytest.raises(NotFound, match=r"no benchmark 'atlantis'; there are: toy\."):
        find_benchmark("atlantis", folder)
    with pytest.raises(TemplateError, match="the folder of templates is absent"):
        load_benchmarks(folder / "nowhere")


def test_a_sound_one_loads(folder: Path) -> None:
    template = load_benchmarks(folder)["toy"].templates["X1"]
    assert template.header.constants == {"reach": 5}
    assert template.body.startswith("-- a remark")
    assert template.picks == {"things": PICK.strip(), "kinds": PICK.strip()}


def test_an_object_that_is_named_by_its_class_has_an_article(folder: Path) -> None:
    before = load_benchmarks(folder)["toy"].templates["X1"]
    texts, template = folder / "toy/phrasings/asking.yaml", folder / "toy/X1.sql"
    texts.write_text(PHRASINGS.replace("near {anchor}?", "near {a_anchor}?"))
    with pytest.raises(TemplateError, match="a_anchor} is not a parameter of X1"):
        load_benchmarks(folder)
    template.write_text(TEMPLATE.replace("pick: things}", "pick: things, named_by_class: true}"))
    assert "{a_anchor}" in load_benchmarks(folder)["toy"].templates["X1"].phrasings["en"]["precise"][0]
    assert "named_by_class" not in before.header.as_json()["parameters"]["anchor"], "others keep their hash"


def test_the_body_hash_changes_with_every_part(folder: Path) -> None:
    def body_hash() -> str:
        return load_benchmarks(folder)["toy"].templates["X1"].body_hash

    hashes = [body_hash()]
    for name, old, new in (
        ("X1.sql", "version: 1", "version: 2"),
        ("X1.sql", "5 < :reach", "6 < :reach"),
        ("picks/things.sql", "from poi", "from aoi as poi"),
        ("phrasings/asking.yaml", "is near", "lies near"),
    ):
        path = folder / "toy" / name
        path.write_text(path.read_text().replace(old, new))
        hashes.append(body_hash())
    assert len(set(hashes)) == 5


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("scorer: name", "scorer: [name", "X1.sql:7: the YAML cannot be read"),
        ("scorer: name", "scorer: na\x07me", "X1.sql:6: the YAML cannot be read"),
        ("scorer: name", "scorer: name\nscorer: angle", "X1.sql:7: 'scorer' stands here twice"),
        ("scorer: name", "scorer: name\ncolour: red", "X1.sql:7: colour: Extra inputs"),
        ("scorer: name\n", "", "X1.sql:1: scorer: Field required"),
        ("version: 1", "version: zero", "X1.sql:3: version: Input should be a valid integer"),
        ("version: 1", "version: 0", "X1.sql:3: version:"),
        ("answer_type: name", "answer_type: poem", "X1.sql:5: answer_type:"),
        ("answer_type: name", "answer_type: option", "X1.sql:1: header: Value error, answer_type option and distractors"),
        ("{type: class, pick: kinds}", "{type: class, pick: kinds, size: 3}", "X1.sql:10: parameters.category.size:"),
        ("{type: class, pick: kinds}", "{type: colour, pick: kinds}", "X1.sql:10: parameters.category.type:"),
        ("{type: object, layer: poi, pick: things}", "{type: object, pick: things}", "X1.sql:9: parameters.anchor: Value error, type object needs a layer"),
        ("requires: [poi]", "requires: [poi, moon]", "X1.sql:14: requires.1:"),
        ("id: X1", "id: x 1", "X1.sql:2: id:"),
        ("id: X1", "id: X2", "X1.sql:2: X2 is not among the templates"),
        ("pick: kinds", "pick: nothing", "X1.sql:10: picks/nothing.sql is named here and does not exist"),
        ("phrasings: asking", "phrasings: telling", "X1.sql:12: phrasings/telling.yaml is named here"),
        ("/*\nid", "id", "X1.sql:1: a template starts with a comment"),
        ("*/\n", "\n", "X1.sql:1: a template starts with a comment"),
        (":reach", ":reech", "X1.sql:26: :reech is not declared; there are: anchor, category, facts, reach"),
        (":anchor", ":anchors", "X1.sql:24: :anchors is not declared"),
        ("    and poi.class = :category\n", "", "X1.sql:10: the SELECT does not use :category"),
        ("from poi", "frm poi (", "X1.sql:22: the SQL cannot be read"),
        ("'a :quoted bind'", "'a :quoted bind", "X1.sql:16: the SQL cannot be read"),
        ("select\n", "select (;\n", "X1.sql:18: the SQL cannot be read"),
        ("order by place\n", "order by place;\nselect 2 as place order by place", "X1.sql:28: one SELECT is wanted here, and nothing after"),
        ("order by place\n", "order by place;\n\n-- done\ndelete from poi", "X1.sql:30: one SELECT is wanted here, and nothing after"),
        ("order by place\n", "", "X1.sql:18: the SELECT has no ORDER BY"),
        (") as place", ") as position", "X1.sql:18: the SELECT has no column `place`"),
        ("from poi\n", "into kept from poi\n", "X1.sql:18: one SELECT is wanted here that changes"),
        ("order by place\n", "order by place for update", "X1.sql:18: one SELECT is wanted here that changes"),
        ("select\n    row", "with gone as (delete from poi returning osm_key) select\n    row", "X1.sql:18: one SELECT is wanted here that changes"),
    ],
)  # fmt: skip
def test_a_malformed_template(folder: Path, old: str, new: str, expected: str) -> None:
    path = folder / "toy" / "X1.sql"
    assert TEMPLATE.count(old) >= 1
    path.write_text(TEMPLATE.replace(old, new, 1))
    assert refusal(folder).startswith(expected)


@pytest.fixture
def sharing(folder: Path) -> Path:
    """A sound benchmark whose template takes its SELECT from a file of selects/."""
    (folder / "toy" / "selects").mkdir()
    (folder / "toy" / "selects" / "shared.sql").write_text(BODY)
    (folder / "toy" / "X1.sql").write_text(SHARING)
    return folder


def test_a_template_may_share_its_select(sharing: Path) -> None:
    """It is then what it would be with a body of its own, to the hash; others may share the same SELECT."""
    toy = sharing / "toy"
    shared = load_benchmarks(sharing)["toy"].templates["X1"]
    (toy / "X2.sql").write_text(SHARING.replace("id: X1", "id: X2"))
    (toy / "benchmark.toml").write_text(BENCHMARK.replace('["X1"]', '["X1", "X2"]'))
    assert load_benchmarks(sharing)["toy"].templates["X2"].body == shared.body
    for path in (toy / "X2.sql", toy / "selects" / "shared.sql"):
        path.unlink()
    (toy / "benchmark.toml").write_text(BENCHMARK)
    (toy / "X1.sql").write_text(TEMPLATE)
    alone = load_benchmarks(sharing)["toy"].templates["X1"]
    assert (alone.body, alone.body_hash, alone.header.as_json()) == (
        shared.body,
        shared.body_hash,
        shared.header.as_json(),
    )


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("X1.sql", SHARING + BODY, "X1.sql:18: nothing may follow a header that names a `select`"),
        ("X1.sql", SHARING + "\n-- a remark\n", "X1.sql:19: nothing may follow a header that names a `select`"),
        ("X1.sql", TEMPLATE, "selects/shared.sql:1: no template uses this file"),
        ("X1.sql", SHARING.replace("select: shared", "select: other"), "X1.sql:11: selects/other.sql is named here and does not exist"),
        ("X1.sql", SHARING.replace("select: shared", "select: ../shared"), "X1.sql:11: select: String should match"),
        ("X1.sql", SHARING.replace("reach: 5", "reach: 5, spare: 1"), "X1.sql:14: no SELECT uses :spare"),
        ("X1.sql", SHARING.replace("{reach: 5}", "{}"), "selects/shared.sql:10: :reach is not declared by X1.sql; there are: anchor, category, facts"),
        ("selects/shared.sql", BODY.replace("    and poi.class = :category\n", ""), "X1.sql:10: the SELECT does not use :category"),
        ("selects/shared.sql", BODY.replace(":anchor", ":anchors"), "selects/shared.sql:8: :anchors is not declared by X1.sql; there are: anchor, category, facts, reach"),
        ("selects/shared.sql", BODY + ";\nselect 2 as place order by place", "selects/shared.sql:13: one SELECT is wanted here, and nothing after"),
        ("selects/shared.sql", BODY.replace("order by place\n", ""), "selects/shared.sql:2: the SELECT has no ORDER BY"),
        ("selects/shared.sql", BODY.replace("as place", "as position"), "selects/shared.sql:2: the SELECT has no column `place`"),
        ("selects/shared.sql", BODY.replace("from poi", "frm poi ("), "selects/shared.sql:6: the SQL cannot be read"),
        ("selects/shared.sql", "", "selects/shared.sql:1: one SELECT is wanted here that changes and locks nothing"),
        ("selects/spare.sql", BODY, "selects/spare.sql:1: no template uses this file"),
        ("selects/shared.yaml", "x: 1", "selects/shared.yaml:1: no template uses this file"),
    ],
)  # fmt: skip
def test_a_malformed_shared_select(sharing: Path, name: str, content: str, expected: str) -> None:
    (sharing / "toy" / name).write_text(content)
    assert refusal(sharing).startswith(expected)


def test_a_shared_select_that_is_not_utf8(sharing: Path) -> None:
    path = sharing / "toy" / "selects" / "shared.sql"
    path.write_bytes(b"-- a\n-- \xff\n" + BODY.encode())
    assert refusal(sharing).startswith("selects/shared.sql:2: the file is not UTF-8")


@pytest.mark.parametrize(
    "body", ["delete from poi where osm_key = :anchor and class = :category", "drop table poi", ""]
)
def test_a_body_that_is_no_select(folder: Path, body: str) -> None:
    header = TEMPLATE.partition("*/")[0]
    (folder / "toy" / "X1.sql").write_text(f"{header}*/\n\n{body}\n")
    line = 18 if body else 16
    assert refusal(folder).startswith(
        f"X1.sql:{line}: one SELECT is wanted here that changes and locks nothing"
    )


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("picks/things.sql", PICK.replace("order by poi.osm_key\n", ""), "picks/things.sql:2: the SELECT has no ORDER BY"),
        ("picks/things.sql", PICK.replace("as value", "as key"), "picks/things.sql:2: the SELECT has no column `value`"),
        ("picks/things.sql", PICK.replace("from poi", "from poi where :size > 1"), "picks/things.sql:3: :size is not declared; there are: facts, outline"),
        ("picks/things.sql", "delete from poi", "picks/things.sql:1: one SELECT"),
        ("picks/spare.sql", PICK, "picks/spare.sql:1: no template uses this file"),
        ("picks/things.yaml", "x: 1", "picks/things.yaml:1: no template uses this file"),
        ("picks/things", "", "picks/things:1: no template uses this file"),
        ("distractors/spare.sql", PICK, "distractors/spare.sql:1: no template uses this file"),
        ("phrasings/spare.yaml", PHRASINGS, "phrasings/spare.yaml:1: no template uses this file"),
        ("phrasings/asking.yaml", "en: [", "phrasings/asking.yaml:1: the YAML cannot be read"),
        ("phrasings/asking.yaml", "", "phrasings/asking.yaml:1: lists of texts for each locale"),
        ("phrasings/asking.yaml", "- a\n", "phrasings/asking.yaml:1: lists of texts for each locale"),
        ("phrasings/asking.yaml", PHRASINGS + "fi: moi\n", "phrasings/asking.yaml:5: fi: a list of texts is wanted under precise"),
        ("phrasings/asking.yaml", PHRASINGS + "fi: []\n", "phrasings/asking.yaml:5: fi: a list of texts is wanted under precise"),
        ("phrasings/asking.yaml", PHRASINGS.replace("precise", "everyday"), "phrasings/asking.yaml:1: en: a list of texts is wanted under precise"),
        ("phrasings/asking.yaml", PHRASINGS + "  plain:\n    - a\n", "phrasings/asking.yaml:1: en: a list of texts is wanted under precise"),
        ("phrasings/asking.yaml", PHRASINGS + "  note: []\n", "phrasings/asking.yaml:5: en.note: a text is wanted"),
        ("phrasings/asking.yaml", PHRASINGS + '  note: " Far off."\n', "phrasings/asking.yaml:3: two blanks"),
        ("phrasings/asking.yaml", PHRASINGS + '  note: "In {colour}."\n', "phrasings/asking.yaml:3: {colour} is not a parameter of X1"),
        ("phrasings/asking.yaml", PHRASINGS + "  everyday: []\n", "phrasings/asking.yaml:5: en.everyday: a list of texts is wanted"),
        ("phrasings/asking.yaml", PHRASINGS + '  everyday:\n    - "What is near {anchor}?"\n', "phrasings/asking.yaml:6: the text does not name {category}"),
        ("phrasings/asking.yaml", PHRASINGS.replace("{category_plural}", "{colour}"), "phrasings/asking.yaml:4: {colour} is not a parameter of X1"),
        ("phrasings/asking.yaml", PHRASINGS.replace("{category_plural}", "places"), "phrasings/asking.yaml:4: the text does not name {category}"),
        ("phrasings/asking.yaml", PHRASINGS.replace("{anchor}, ", "{anchor}}, "), "phrasings/asking.yaml:4: braces that do not pair"),
        ("phrasings/asking.yaml", PHRASINGS.replace("{anchor}, ", "{anchor!r}, "), "phrasings/asking.yaml:4: {anchor} is not a parameter of X1, written plainly"),
        ("phrasings/asking.yaml", PHRASINGS.replace("{anchor}, ", "{anchor.name}, "), "phrasings/asking.yaml:4: {anchor.name} is not"),
        ("phrasings/asking.yaml", PHRASINGS.replace("{anchor}, ", "{}, "), "phrasings/asking.yaml:4: {} is not"),
        ("phrasings/asking.yaml", PHRASINGS.replace("near {anchor}?", "near  {anchor}?"), "phrasings/asking.yaml:3: two blanks"),
        ("benchmark.toml", BENCHMARK.replace("version = 1", "version = "), "benchmark.toml:3: the TOML cannot be read"),
        ("benchmark.toml", BENCHMARK + '[words.en.other\n', "benchmark.toml:11: the TOML cannot be read"),
        ("benchmark.toml", BENCHMARK + 'x = """', "benchmark.toml:11: the TOML cannot be read"),
        ("benchmark.toml", BENCHMARK.replace("direction", "colour"), "benchmark.toml:1: direction: Field required"),
        ("benchmark.toml", BENCHMARK.replace('direction = "higher"', 'direction = "up"'), "benchmark.toml:6: direction:"),
        ("benchmark.toml", BENCHMARK.replace("temperature = 0.0", "temperature = 0.0\ncolour = 1"), "benchmark.toml:8: colour: Extra inputs"),
        ("benchmark.toml", BENCHMARK.replace('cafe = "café"', "cafe = 3"), "benchmark.toml:10: words.en.category.cafe"),
        ("benchmark.toml", BENCHMARK.replace('["X1"]', '["X1", "X2"]'), "benchmark.toml:4: no .sql file of this folder has the id X2"),
        ("benchmark.toml", BENCHMARK.replace('["X1"]', '["X1", "X1"]'), "benchmark.toml:4: X1 is named twice"),
        ("benchmark.toml", BENCHMARK + "[shares]\nX1 = 0.6\n", "benchmark.toml:12: shares.X1: Input should be less"),
        ("benchmark.toml", BENCHMARK + "[shares]\nX2 = 0.1\n", "benchmark.toml:12: X2 is not among the templates"),
        ("benchmark.toml", BENCHMARK.replace('name = "toy"', 'name = "joy"'), "benchmark.toml:1: the benchmark is named 'joy', its folder 'toy'"),
        ("X2.sql", TEMPLATE, "X2.sql:2: X1 is the id of X1.sql already"),
        ("X2.sql", TEMPLATE.replace("id: X1", "id: X2"), "X2.sql:2: X2 is not among the templates"),
    ],
)  # fmt: skip
def test_a_malformed_part(folder: Path, name: str, content: str, expected: str) -> None:
    path = folder / "toy" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    assert refusal(folder).startswith(expected)


@pytest.mark.parametrize("name", ["X1.sql", "picks/things.sql", "phrasings/asking.yaml", "benchmark.toml"])
def test_a_file_that_is_not_utf8(folder: Path, name: str) -> None:
    path = folder / "toy" / name
    rows = path.read_bytes().split(b"\n")
    rows[1] += b" # \xff"
    path.write_bytes(b"\n".join(rows))
    assert refusal(folder).startswith(f"{name}:2: the file is not UTF-8")


def test_a_pool_needs_its_columns(tmp_path: Path) -> None:
    copy = tmp_path / "urban_knowledge"
    shutil.copytree(TEMPLATES_FOLDER / "urban_knowledge", copy)
    pool = copy / "distractors" / "near_aois.sql"
    pool.write_text(pool.read_text().replace("near.name as label", "near.name as text"))
    with pytest.raises(TemplateError, match=r"near_aois\.sql:\d+: the SELECT has no column `label`"):
        load_benchmarks(tmp_path)
    pool.unlink()
    with pytest.raises(
        TemplateError, match=r"Find_Cover_AOI\.sql:\d+: distractors/near_aois\.sql is named here"
    ):
        load_benchmarks(tmp_path)


VARIANTS = "answer_type: option\nvariants:\n  published: {strategy: others, layer: poi}\n  hard: {strategy: pool, layer: poi, pool: wrong}"
POOL = "select 1 as place, '' as pool_group, :anchor as osm_key, :category as label\norder by place\n"


def test_variants_are_offered_by_name(folder: Path) -> None:
    path = folder / "toy" / "X1.sql"
    plain = load_benchmarks(folder)["toy"]
    assert plain.variants == []
    assert plain.templates["X1"].header.as_json()["variants"] == ["default"]
    assert plain.templates["X1"].header.variant_for("hard") == "default"
    path.write_text(TEMPLATE.replace("answer_type: name", VARIANTS))
    (folder / "toy" / "distractors").mkdir()
    (folder / "toy" / "distractors" / "wrong.sql").write_text(POOL)
    toy = load_benchmarks(folder)["toy"]
    header = toy.templates["X1"].header
    assert toy.variants == ["hard", "published"]
    assert [header.variant_for(name) for name in (None, "hard", "soft")] == ["published", "hard", "published"]
    assert [header.strategy_of(name).strategy for name in header.variants] == ["others", "pool"]
    assert (header.pool, header.option_layer) == ("wrong", "poi")
    assert type(header).model_validate(header.as_json()) == header
    hashes = {plain.templates["X1"].body_hash, toy.templates["X1"].body_hash}
    path.write_text(path.read_text().replace("strategy: others", "strategy: coordinate_corners"))
    assert len({*hashes, load_benchmarks(folder)["toy"].templates["X1"].body_hash}) == 3


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("layer: poi, pool", "layer: aoi, pool", "X1.sql:1: header: Value error, the variants of a template share one pool file and one layer"),
        ("answer_type: option", "answer_type: name", "X1.sql:1: header: Value error, answer_type option and distractors go together"),
        ("answer_type: option", "answer_type: option\ndistractors: {strategy: others}", "X1.sql:1: header: Value error, distractors stand beside the one variant"),
        ("hard: {strategy: pool, layer: poi, pool: wrong}", "hard:", "X1.sql:1: header: Value error, distractors stand beside the one variant"),
        ("pool: wrong", "pool: gone", "X1.sql:8: distractors/gone.sql is named here and does not exist"),
    ],
)  # fmt: skip
def test_malformed_variants(folder: Path, old: str, new: str, expected: str) -> None:
    path = folder / "toy" / "X1.sql"
    text = TEMPLATE.replace("answer_type: name", VARIANTS)
    assert old in text
    path.write_text(text.replace(old, new))
    (folder / "toy" / "distractors").mkdir()
    (folder / "toy" / "distractors" / "wrong.sql").write_text(POOL)
    assert refusal(folder).startswith(expected)


def test_a_folder_without_benchmark_toml_is_none(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes" / "X9.sql").write_text("nonsense")
    assert list(load_benchmarks(folder)) == ["toy"]


@pytest.mark.parametrize(
    "path",
    sorted(path for path in TEMPLATES_FOLDER.rglob("*.sql") if not path.read_text().endswith("*/\n")),
    ids=lambda path: path.name,
)
def test_no_file_of_ours_could_lose_its_order_by(path: Path, tmp_path: Path) -> None:
    """Every SELECT of the checkout, with its last ORDER BY taken away, is refused by name."""
    copy = tmp_path / path.relative_to(TEMPLATES_FOLDER).parts[0]
    shutil.copytree(TEMPLATES_FOLDER / copy.name, copy)
    mine = copy / path.relative_to(TEMPLATES_FOLDER / copy.name)
    text = mine.read_text()
    mine.write_text(re.sub(r"\norder by [^\n]*", "", text))
    assert mine.read_text() != text
    with pytest.raises(TemplateError, match=rf"{mine.name}:\d+: the SELECT has no ORDER BY"):
        load_benchmarks(tmp_path)


def test_kinds_of_ground_mean_the_same_everywhere() -> None:
    """T11 asks for less than T27 (no rivers, not all water at once), and what both ask for has one meaning."""

    def kinds(pick: str) -> set[str]:
        text = " ".join((TEMPLATES_FOLDER / "gsqa" / "picks" / f"{pick}.sql").read_text().split())
        return set(re.findall(r"\( ?('\w+', '(?:[^()])+') ?\)", text))

    assert len(kinds("ground")) == 20
    assert {row.partition(",")[0] for row in kinds("surface") - kinds("ground")} == {
        "'river'",
        "'stream'",
        "'water'",
    }
    assert kinds("ground") < kinds("surface")


def test_a_note_follows_every_precise_text_and_no_everyday_one(folder: Path) -> None:
    everyday = "{a_category} near {anchor}, please"
    note = "Distances are straight lines."
    (folder / "toy" / "phrasings" / "asking.yaml").write_text(
        PHRASINGS + f'  note: "{note}"\n  everyday:\n    - "{everyday}"\n'
    )
    texts = load_benchmarks(folder)["toy"].templates["X1"].phrasings["en"]
    assert texts["precise"] == [
        f"Which {{category}} is near {{anchor}}? {note}",
        f"Near {{anchor}}, which {{category_plural}}? {note}",
    ]
    assert texts["everyday"] == [everyday]
