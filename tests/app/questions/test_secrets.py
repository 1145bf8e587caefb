"""Options of a data set with hidden questions come from its secret: kept, never shown, needed to make a version again."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core import seeds
from app.core.clock import SystemClock
from app.core.errors import ProofError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.datasets import PUBLIC_DRAWS, describe_version
from app.questions import queries_versions
from app.questions.generating import Recipe
from app.questions.generating import generate as generate_version
from app.questions.secrets import find_secret, keep_secret
from app.questions.snapshots import find_snapshots
from app.questions.storing import canary, store
from app.questions.versions import find_version
from app.templates.catalogue import find_benchmark
from tests.support.command_line import export, generate, lines, trigpoint
from tests.support.town import import_map, make_town

FIRST = "town@2024-05-06T07:08:09Z"
SIZE = ("--per-template", "2", "--bank", "2")
HIDDEN = (*SIZE, "--hidden", "0.4")


@pytest.fixture(scope="module", autouse=True)
def some_templates() -> Iterator[None]:
    """Every third template: what holds of their questions holds of all, and these tests make dozens of versions."""
    whole = find_benchmark("urban_knowledge")
    some = replace(whole, templates=dict([*whole.templates.items()][::3]))
    with pytest.MonkeyPatch.context() as patch:
        for module in ("app.questions.reproducing", "app.operations.recipe"):
            patch.setattr(f"{module}.find_benchmark", lambda name: some)
        yield


@pytest.fixture(scope="module")
def town(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The toy town, and the town a year later with a hotel more; each test makes data sets of its own names."""
    settings, folder = make_database(), tmp_path_factory.mktemp("secrets")
    import_map(settings, make_town().write(folder / "town.osm"), "town")
    later = replace(make_town(), timestamp="2025-05-06T07:08:09Z")
    later.node((10.0, 50.05), tourism="hotel", name="Hotel New")
    import_map(settings, later.write(folder / "later.osm"), "town")
    return settings


def options_of(settings: Settings, dataset: str, folder: Path) -> dict[str, list[str]]:
    """The options of each question as a set, by its id."""
    found = lines(export(settings, dataset, folder / dataset))
    return {one["id"]: sorted(one["options"]) for one in found}


def secret_of(settings: Settings, name: str) -> str | None:
    with connect(settings, Role.WORKER) as connection:
        return find_secret(connection, name)


def forget_secret(settings: Settings, name: str, superuser_of: Callable[[Settings], str]) -> None:
    with psycopg.connect(superuser_of(settings)) as connection:
        connection.execute(
            "delete from trigpoint.dataset_secret using trigpoint.dataset where dataset.id = dataset_id and name = %s",
            (name,),
        )


def warnings_of(settings: Settings, dataset: str) -> list[str]:
    with connect(settings, Role.API) as connection:
        return describe_version(connection, find_version(connection, dataset)).warnings


def hide_as_before(settings: Settings, dataset: str, superuser_of: Callable[[Settings], str]) -> None:
    """Turn a version without hidden questions into one that was made before there were secrets."""
    with psycopg.connect(superuser_of(settings)) as connection:
        connection.execute("set session_replication_role = replica")
        row = connection.execute(
            "select dataset_version.id, seed, recipe from trigpoint.dataset_version"
            " join trigpoint.dataset on dataset.id = dataset_id where name = %s",
            (dataset,),
        ).fetchone()
        assert row is not None
        recipe = row[2] | {"hidden": 0.4}
        connection.execute(
            "update trigpoint.dataset_version set hidden_fraction = 0.4, recipe = %s, canary = %s where id = %s",
            (Jsonb(recipe), canary(dataset, 1, recipe), row[0]),
        )
        ids = connection.execute(
            "select id from trigpoint.question where version_id = %s", (row[0],)
        ).fetchall()
        hidden = [one for (one,) in ids if seeds.unit(row[1], "split", one) < 0.4]
        assert 0 < len(hidden) < len(ids)
        connection.execute(
            "update trigpoint.question set split = 'hidden' where version_id = %s and id = any(%s)",
            (row[0], hidden),
        )


def test_where_questions_are_hidden_options_are_drawn_from_a_secret(town: Settings, tmp_path: Path) -> None:
    for name in ("one", "other"):
        assert generate(town, "urban_knowledge", FIRST, name, *HIDDEN).status == 0
    for name in ("open", "open_too"):
        assert generate(town, "urban_knowledge", FIRST, name, *SIZE).status == 0
    assert options_of(town, "open", tmp_path) == options_of(town, "open_too", tmp_path)
    one, other = (options_of(town, name, tmp_path) for name in ("one", "other"))
    shared = one.keys() & other.keys()
    assert len([id_ for id_ in shared if one[id_] != other[id_]]) > len(shared) / 4
    assert secret_of(town, "one") != secret_of(town, "other")
    assert len(secret_of(town, "one") or "") == 64
    assert secret_of(town, "open") is None
    assert warnings_of(town, "one") == warnings_of(town, "open") == []


def test_it_is_made_once_and_shown_nowhere(town: Settings, tmp_path: Path) -> None:
    first = generate(town, "urban_knowledge", FIRST, "kept", *HIDDEN)
    secret = secret_of(town, "kept")
    assert secret is not None
    second = generate(town, "urban_knowledge", FIRST, "kept", *HIDDEN, "--seed", "5")
    third = trigpoint(town, "refresh", "kept", "--snapshot", "town", "--json")
    assert [first.json["version"], second.json["version"], third.json["to"]] == [1, 2, "kept@3"]
    assert secret_of(town, "kept") == secret
    said = [done.out + done.err for done in (first, second, third)]
    for number in (1, 2, 3):
        files = export(town, f"kept@{number}", tmp_path / str(number), "--with-gold", "--include-hidden")
        card = json.loads(files["dataset.json"])
        assert card["recipe"]["secret_draws"] is True
        said += [content.decode() for content in files.values()]
        done = trigpoint(town, "reproduce", f"kept@{number}", "--json")
        progress = [line for line in done.err.splitlines() if " on " in line]
        assert len(progress) == len(set(progress)), "progress says each template once"
        assert (done.status, done.json["identical"]) == (0, True), done.err
        said.append(done.out + done.err)
    assert not any(secret in one for one in said)
    with connect(town, Role.WORKER) as connection:
        rows = connection.execute(text("select recipe, canary from dataset_version")).all()
    assert secret not in str(rows)


def test_without_it_nothing_is_made_again_or_added(
    town: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    assert generate(town, "urban_knowledge", FIRST, "lost", *HIDDEN).status == 0
    forget_secret(town, "lost", superuser_of)
    done = trigpoint(town, "reproduce", "lost", "--json")
    assert (done.status, done.out) == (1, "")
    assert "lost@1 cannot be made again here" in done.err
    assert "secret" in done.err
    assert trigpoint(town, "verify", "lost").status == 0, "gold needs no secret"
    more = generate(town, "urban_knowledge", FIRST, "lost", *HIDDEN, "--seed", "5")
    assert (more.status, secret_of(town, "lost")) == (1, None)
    assert trigpoint(town, "refresh", "lost", "--snapshot", "town").status == 1


def test_the_same_secret_gives_the_same_bytes_in_another_database(
    town: Settings, make_database: Callable[[], Settings], tmp_path: Path
) -> None:
    elsewhere = make_database()
    import_map(elsewhere, make_town().write(tmp_path / "again.osm"), "town")
    assert generate(town, "urban_knowledge", FIRST, "same", *HIDDEN).status == 0
    secret, now = secret_of(town, "same"), SystemClock().now()
    assert secret is not None
    with connect(elsewhere, Role.WORKER) as connection:
        named = {"name": "same", "benchmark": "urban_knowledge", "now": now}
        connection.exec_driver_sql(queries_versions.INSERT_DATASET, named)
        keep_secret(connection, "same", secret, now)
        connection.commit()
    assert generate(elsewhere, "urban_knowledge", FIRST, "same", *HIDDEN).status == 0
    gold = ("--with-gold", "--include-hidden")
    assert export(town, "same", tmp_path / "here", *gold) == export(
        elsewhere, "same", tmp_path / "there", *gold
    )


def test_versions_made_before_stay_and_say_what_they_are(
    town: Settings, tmp_path: Path, superuser_of: Callable[[Settings], str]
) -> None:
    assert generate(town, "urban_knowledge", FIRST, "old", *SIZE).status == 0
    hide_as_before(town, "old", superuser_of)
    assert warnings_of(town, "old@1") == [PUBLIC_DRAWS]
    before = export(town, "old@1", tmp_path / "before", "--with-gold", "--include-hidden")
    assert trigpoint(town, "reproduce", "old@1").status == 0
    refreshed = trigpoint(town, "refresh", "old", "--snapshot", "town", "--json")
    assert (refreshed.status, refreshed.json["to"]) == (0, "old@2"), refreshed.err
    recipe = json.loads(export(town, "old@2", tmp_path / "later")["dataset.json"])["recipe"]
    assert recipe["secret_draws"] is True
    assert "secret_draws" not in recipe["earlier"][0]
    assert secret_of(town, "old") is not None
    assert warnings_of(town, "old@2") == [PUBLIC_DRAWS], "what was not drawn anew is as it was"
    for number in (1, 2):
        assert trigpoint(town, "reproduce", f"old@{number}").status == 0
        assert trigpoint(town, "verify", f"old@{number}").status == 0
    assert export(town, "old@1", tmp_path / "after", "--with-gold", "--include-hidden") == before
    anew = generate(town, "urban_knowledge", FIRST, "old", *HIDDEN, "--seed", "7")
    assert (anew.status, warnings_of(town, "old@3")) == (0, [])


def test_generating_over_a_version_made_before_says_what_is_known_of_it(
    town: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    assert generate(town, "urban_knowledge", FIRST, "over", *SIZE).status == 0
    hide_as_before(town, "over", superuser_of)
    done = generate(town, "urban_knowledge", FIRST, "over", *HIDDEN)
    assert (done.status, done.json["version"]) == (0, 2)
    assert "over@1 was made before options were drawn from a secret" in done.err


@pytest.mark.parametrize("role", [Role.API, Role.DASHBOARD, Role.READER])
def test_who_does_not_read_gold_does_not_read_it(town: Settings, role: Role) -> None:
    assert generate(town, "urban_knowledge", FIRST, "closed", *HIDDEN).status == 0
    with connect(town, role) as connection, pytest.raises(DBAPIError, match="permission denied"):
        connection.execute(text("select 1 from trigpoint.dataset_secret"))


def test_nobody_publishes_hidden_questions_by_public_draws(town: Settings) -> None:
    whole = find_benchmark("urban_knowledge")
    some: Mapping[str, Any] = {"Retrieve_POI_Name": whole.templates["Retrieve_POI_Name"]}
    with connect(town, Role.WORKER) as connection:
        recipe = Recipe(replace(whole, templates=some), find_snapshots(connection, [FIRST]), 0, 4, 4, 0.5)
        generated = generate_version(connection, recipe, lambda *told: None)
        with pytest.raises(ProofError, match="give a secret"):
            store(connection, "weak", 1, generated, SystemClock())


def test_a_secret_is_in_no_text_of_a_recipe() -> None:
    recipe = Recipe(find_benchmark("gsqa"), [], 0, 4, 4, 0.5, secret_draws=True, secret="a secret word")
    assert "a secret word" not in f"{recipe!r} {recipe.drawn!r} {recipe.as_json()}"
