"""Canaries asked of models over HTTP: one that knows the rest, and one that does not; each is asked once."""

import json
from collections.abc import Callable
from pathlib import Path

from app.core.settings import Settings
from tests.support.command_line import trigpoint
from tests.support.factories import make_version, options_dataset
from tests.support.processes import Scripted, scalar


def test_a_model_that_knows_a_canary_is_told_from_one_that_does_not(
    database: Settings, endpoint: Callable[..., Scripted], tmp_path: Path
) -> None:
    versions = [make_version(database, options_dataset(2), name=name) for name in ("seen", "unseen")]
    canary, _ = (
        str(scalar(database, "select canary from dataset_version where id = :id", id=one.id))
        for one in versions
    )
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"contains": [canary[:13]], "answer": f"{canary[13:].upper()}`"}) + "\n")
    knowing, other = endpoint("written", "--answers", str(answers)), endpoint("garbage")
    for name, server, model in (("knowing", knowing, "written"), ("other", other, "garbage")):
        added = trigpoint(
            database, "endpoint", "add", name, "--url", server.url, "--model", f"scripted:{model}"
        )
        assert added.status == 0, added.err
    calls = [len(server.requests()) for server in (knowing, other)]

    def ask(name: str, *more: str) -> dict[str, bool]:
        asked = ("endpoint", "canary", name, "--dataset", "seen", "--dataset", "unseen", *more)
        done = trigpoint(database, *asked, "--json")
        assert done.status == 0, done.err
        return {one["dataset"]: one["knows"] for one in done.json["canaries"]}

    assert ask("knowing") == ask("knowing") == {"seen": True, "unseen": False}
    assert ask("other") == {"seen": False, "unseen": False}
    # The second time nothing was asked, since the answers are stored.
    assert [len(server.requests()) for server in (knowing, other)] == [calls[0] + 2, calls[1] + 2]
    assert ask("knowing", "--again") == {"seen": True, "unseen": False}
    assert len(knowing.requests()) == calls[0] + 4
    told = trigpoint(database, "endpoint", "canary", "knowing", "--dataset", "seen")
    assert "seen@1: the model knows the canary" in told.out
