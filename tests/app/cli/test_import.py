"""`trigpoint import` and `trigpoint snapshots` as processes: stdout, stderr and exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.settings import PROJECT_ROOT, Settings

MAP = """<osm version="0.6">
<node id="1" version="1" lat="47.1" lon="9.5" timestamp="2020-01-07T00:00:00Z"><tag k="amenity" v="cafe"/></node>
<node id="2" version="1" lat="47.2" lon="9.6" timestamp="2020-01-06T00:00:00Z"/>
<way id="3" version="1" timestamp="2020-01-06T00:00:00Z"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way>
</osm>"""


def trigpoint(settings: Settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "TRIGPOINT_DATABASE_URL": settings.database_url,
        "TRIGPOINT_GEOFABRIK_URL": "http://127.0.0.1:9",
    }
    command = [sys.executable, "-c", "from app.cli.main import main; main()", *arguments]
    return subprocess.run(
        command, cwd=PROJECT_ROOT, env=environment, text=True, capture_output=True, timeout=120
    )


def test_import_and_list(database: Settings, tmp_path: Path) -> None:
    path = tmp_path / "Hamlet-latest.osm"
    path.write_text(MAP)
    assert "No snapshot is published yet" in trigpoint(database, "snapshots").stdout
    first = trigpoint(database, "import", str(path), "--json")
    assert first.returncode == 0, first.stderr
    (line,) = first.stdout.splitlines()
    answer = json.loads(line)
    assert answer["snapshot"] == "hamlet@2020-01-07T00:00:00Z"
    assert (answer["outline_source"], answer["published"]) == ("none", True)
    assert answer["layers"]["road"] == {"found": 1, "kept": 1, "repaired": 0, "rejected": 0}
    again = trigpoint(database, "import", str(path), "--json")
    assert json.loads(again.stdout) == answer
    assert "published under this name already" in again.stderr
    words = trigpoint(database, "import", str(path), "--name", "other")
    assert "© OpenStreetMap contributors" in words.stdout
    assert "Outline: unknown, so no area is marked as cut by the map's edge." in words.stdout
    listed = json.loads(trigpoint(database, "snapshots", "--json").stdout)["snapshots"]
    assert [one["name"] for one in listed] == ["hamlet", "other"]
    assert listed[0]["schema"] == answer["schema"]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["gone.osm.pbf"], 2, "There is no file gone.osm.pbf"),
        (["atlantis"], 1, "127.0.0.1:9 cannot be reached"),
        ([], 2, "Missing argument"),
    ],
)
def test_bad_sources_get_one_sentence(
    database: Settings, arguments: list[str], status: int, words: str
) -> None:
    done = trigpoint(database, "import", *arguments, "--json")
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
