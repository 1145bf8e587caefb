"""A backup's file: who may read it, that it is whole or not there, and that damage is told in a sentence."""

import random
import stat
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from app.backups.archive import Writer, new_file, open_archive
from app.core.errors import BadBackup, Conflict, Held, UsageError
from app.core.progress import Silent
from tests.app.backups.conftest import BackedUp, rewrite

MUTATIONS = 150


def read(path: Path) -> tuple[Any, bytes]:
    """Manifest and dump, as a restore takes them."""
    with open_archive(path) as archive:
        archive.check(Silent())
        return archive.manifest, b"".join(archive.chunks())


# --- writing ----------------------------------------------------------------------------------------------------


def test_nobody_else_reads_it_at_any_time(tmp_path: Path) -> None:
    path, partial = tmp_path / "x.backup", tmp_path / "x.backup.partial"
    partial.touch(0o644)  # what a killed backup left, with wrong rights
    with new_file(path) as stream:
        stream.write(b"whole")
        assert stat.S_IMODE(partial.stat().st_mode) == 0o600
        assert not path.exists()
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"whole", 0o600)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError])
def test_what_fails_leaves_nothing(tmp_path: Path, fault: type[BaseException]) -> None:
    def write_half() -> None:
        with new_file(tmp_path / "x.backup") as stream:
            stream.write(b"half")
            raise fault

    with pytest.raises(fault):
        write_half()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.backup"
    path.write_text("precious")
    with pytest.raises(Conflict, match="already exists, and a backup never replaces a file"), new_file(path):
        pass
    late = tmp_path / "late.backup"
    with pytest.raises(Conflict, match="already exists"), new_file(late):
        late.write_text("precious")
    assert (path.read_text(), late.read_text()) == ("precious", "precious")
    assert sorted(tmp_path.iterdir()) == [late, path]


def test_two_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "x.backup"
    with new_file(path) as stream:
        stream.write(b"first")
        with pytest.raises(Held, match="Another backup is writing"), new_file(path):
            pass
    assert path.read_bytes() == b"first"


def test_dumps_of_many_gigabytes_have_room(
    backed_up: BackedUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a limit of a kilobyte instead of four gigabytes, this dump needs the large form of the ZIP."""
    manifest, dump = read(backed_up.file)
    with monkeypatch.context() as patch, new_file(tmp_path / "x.backup") as stream, Writer(stream) as writer:
        patch.setattr(zipfile, "ZIP64_LIMIT", 1000)
        written = writer.write_dump(BytesIO(dump), Silent())
        writer.finish(manifest)
    assert written == (manifest.dump_sha256, len(dump))
    assert b"PK\x06\x06" in (tmp_path / "x.backup").read_bytes()
    assert read(tmp_path / "x.backup") == (manifest, dump)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "x.backup.partial").symlink_to(victim)
    with pytest.raises(UsageError, match="cannot be written"), new_file(tmp_path / "x.backup"):
        pass
    assert victim.read_text() == "precious"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(UsageError, match="cannot be written: No such file"),
        new_file(tmp_path / "no" / "x.backup"),
    ):
        pass


# --- reading ----------------------------------------------------------------------------------------------------


def test_flipped_bits_are_found_or_harmless(backed_up: BackedUp, tmp_path: Path) -> None:
    """Seeded; half of the flips hit the manifest and the ZIP's directory, which are small beside the dump."""
    sound, whole = read(backed_up.file), backed_up.file.read_bytes()
    chance, refused = random.Random(20261121), []
    damaged = tmp_path / "damaged.backup"
    for number in range(MUTATIONS):
        copy = bytearray(whole)
        reach = len(copy) if number % 2 else 1200
        copy[-1 - chance.randrange(reach)] ^= 1 << chance.randrange(8)
        damaged.write_bytes(copy)
        try:
            assert read(damaged) == sound
        except BadBackup as error:
            refused.append(str(error))
    assert len(refused) > MUTATIONS / 2
    assert {said.split(" ")[0] for said in refused} == {str(damaged)}


@pytest.mark.parametrize("kept", [0, 1, 21, 22, 1000, 0.5, 0.999, -1])
def test_a_file_cut_short(backed_up: BackedUp, tmp_path: Path, kept: float) -> None:
    whole = backed_up.file.read_bytes()
    cut = tmp_path / "cut.backup"
    cut.write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    with pytest.raises(
        BadBackup, match=r"is not a backup made by `trigpoint backup`, or it is damaged \(.+\)\."
    ):
        read(cut)


def test_foreign_files(tmp_path: Path) -> None:
    page = tmp_path / "page.backup"
    page.write_text("<html>not here</html>")
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("letter.txt", "Dear all")
    with pytest.raises(BadBackup, match="is not a backup"):
        read(page)
    with pytest.raises(BadBackup, match="is a ZIP, but no backup"):
        read(other)
    for missing in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            read(missing)


def test_a_dump_that_is_another_one(backed_up: BackedUp, tmp_path: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["dump_sha256"] = "0" * 64

    with pytest.raises(BadBackup, match="its dump is not the one that its manifest names"):
        read(rewrite(backed_up.file, tmp_path / "x", change))


def test_a_newer_format(backed_up: BackedUp, tmp_path: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["trigpoint_backup"] = 2
        manifest["trigpoint"] = "9.9"
        del manifest["measured"]

    with pytest.raises(BadBackup, match=r"made by Trigpoint 9\.9, whose backups this one cannot read"):
        read(rewrite(backed_up.file, tmp_path / "x", change))


@pytest.mark.parametrize("key", ["measured", "revision", "trigpoint_backup"])
def test_a_manifest_that_lacks_something(backed_up: BackedUp, tmp_path: Path, key: str) -> None:
    with pytest.raises(BadBackup, match="damaged"):
        read(rewrite(backed_up.file, tmp_path / "x", lambda manifest: manifest.pop(key)))
