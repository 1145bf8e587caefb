"""A server of extracts on the loopback that publishes the town and its changes, and a data set that follows it."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import osmium

from app.core.settings import Settings
from tests.support.command_line import generate, trigpoint
from tests.support.http_server import Answer, Request, serving_http
from tests.support.town import BOX, make_town, poly_of

PBF = "/europe/toyland-latest.osm.pbf"
POLY = "/europe/toyland.poly"
UPDATES = "/europe/toyland-updates"
FIRST = 1100
TOWN = make_town()


def stamp(sequence: int) -> str:
    """The moment of a state: a day a sequence."""
    return f"2024-05-{sequence - FIRST + 7:02}T20:59:03Z"


@dataclass
class Source:
    """What the server has; `xml` is the region's map as of its newest state."""

    folder: Path
    url: str = ""
    sequence: int = FIRST
    xml: str = ""
    regions: tuple[str, ...] = ("toyland",)
    files: dict[str, bytes] = field(default_factory=dict)
    halved: set[str] = field(default_factory=set)
    """Paths of which half is sent, once."""
    asked: list[str] = field(default_factory=list)

    def answer(self, request: Request) -> Answer:
        self.asked.append(request.path)
        if request.path == "/index-v1-nogeom.json":
            return Answer(
                200, {}, json.dumps({"features": [self._region(name) for name in self.regions]}).encode()
            )
        body = self.files.get(request.path)
        if body is None:
            return Answer(404, {}, b"")
        if request.path in self.halved:
            self.halved.remove(request.path)
            return Answer(200, {}, body[: len(body) // 2])
        return Answer(200, {"ETag": f'"{hashlib.sha256(body).hexdigest()}"'}, body)

    def _region(self, name: str) -> dict[str, object]:
        pbf = f"https://download.geofabrik.de/europe/{name}-latest.osm.pbf"
        return {"properties": {"id": name, "urls": {"pbf": pbf}}}

    def publish_whole(self, followed: str = UPDATES) -> None:
        """The whole file, as of the newest state."""
        source, target = self.folder / "whole.osm", self.folder / "whole.osm.pbf"
        source.write_text(self.xml)
        header = osmium.io.Reader(str(source), osmium.osm.NOTHING).header()
        header.set("osmosis_replication_base_url", f"https://download.geofabrik.de{followed}")
        header.set("osmosis_replication_sequence_number", str(self.sequence))
        header.set("osmosis_replication_timestamp", stamp(self.sequence))
        with osmium.SimpleWriter(str(target), header=header, overwrite=True) as writer:
            for one in osmium.FileProcessor(str(source)):
                writer.add(one)
        self.files[PBF] = target.read_bytes()
        self.files[POLY] = poly_of(BOX).encode()
        self.files[PBF + ".md5"] = (
            f"{hashlib.md5(self.files[PBF], usedforsecurity=False).hexdigest()}  x".encode()
        )

    def publish_state(self) -> None:
        at = stamp(self.sequence).replace(":", "\\:")
        state = f"# of the minutely replication\ntimestamp={at}\nsequenceNumber={self.sequence}\n"
        self.files[f"{UPDATES}/state.txt"] = state.encode()

    def change(self, *edits: tuple[str, str | None]) -> str:
        """The next change file: things of these names get another, or are deleted (None); gives its path."""
        self.sequence += 1
        rows = []
        for name, to in edits:
            (found,) = re.findall(
                rf"<node [^>]*>(?:(?!</node>).)*v=\"{name}\"(?:(?!</node>).)*</node>", self.xml
            )
            newer = found.replace('version="1"', 'version="2"').replace(f'v="{name}"', f'v="{to}"')
            rows.append(f"<modify>{newer}</modify>" if to else f"<delete>{newer}</delete>")
            self.xml = self.xml.replace(found, newer if to else "")
        body = f'<?xml version="1.0"?><osmChange version="0.6">{"".join(rows)}</osmChange>'
        path = f"{UPDATES}/000/{self.sequence // 1000:03}/{self.sequence % 1000:03}.osc.gz"
        self.files[path] = gzip.compress(body.encode(), mtime=0)
        self.publish_state()
        return path

    def fetched(self, ending: str) -> int:
        """How often paths of that ending were asked for."""
        return sum(path.endswith(ending) for path in self.asked)


@contextmanager
def publishing(folder: Path) -> Iterator[Source]:
    """A server that has the town at its first state."""
    source = Source(folder, xml=TOWN.xml())
    source.publish_state()
    source.publish_whole()
    with serving_http(source.answer) as url:
        source.url = url
        yield source


def following(settings: Settings, source: Source, folder: Path) -> Settings:
    """The same settings, with this server of extracts and a folder of their own."""
    return settings.model_copy(update={"geofabrik_url": source.url, "local_dir": folder})


def add_schedule(settings: Settings, *more: str, name: str = "daily") -> None:
    """A schedule of the data set `town_gsqa` on the region's maps."""
    options = ("--dataset", "town_gsqa", "--region", "europe/toyland", "--json")
    done = trigpoint(settings, "schedule", "add", name, *options, *more)
    assert done.status == 0, done.err


def lay_followed(settings: Settings) -> None:
    """The first map of the region, imported as a schedule would have, and a small data set of it."""
    folder = settings.local_dir
    folder.mkdir(parents=True, exist_ok=True)
    with publishing(folder) as source:
        (folder / "toyland.osm.pbf").write_bytes(source.files[PBF])
        (folder / "toyland.poly").write_bytes(source.files[POLY])
        done = trigpoint(settings, "import", str(folder / "toyland.osm.pbf"), "--name", "toyland", "--json")
        assert done.status == 0, done.err
    done = generate(settings, "gsqa", "toyland", "town_gsqa", "--bank", "8", "--per-template", "3")
    assert done.status == 0, done.err
