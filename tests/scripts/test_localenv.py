"""The file of addresses and passwords: drawn once, kept, readable by its owner only; ports that are free."""

import socket
import stat
from pathlib import Path

import localenv


def test_passwords_are_drawn_once_and_differ(tmp_path: Path) -> None:
    file = tmp_path / "env"
    values = localenv.read(file)
    localenv.draw_passwords(values)
    localenv.set_addresses(values, 20001, 20002, 20003)
    localenv.write(file, values)

    again = localenv.read(file)
    localenv.draw_passwords(again)
    assert again == values
    passwords = [value for key, value in values.items() if key.startswith("TRIGPOINT_PASSWORD_")]
    assert len(passwords) == len(set(passwords)) == 10
    assert all(len(password) == 40 for password in passwords)


def test_only_its_owner_reads_the_file(tmp_path: Path) -> None:
    localenv.write(tmp_path / "env", {"A": "1"})
    assert stat.S_IMODE((tmp_path / "env").stat().st_mode) == 0o600


def test_lines_that_somebody_added_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("# mine\nMY_KEY=abc=def\nTRIGPOINT_HTTP_PORT=1\n")
    values = localenv.read(file)
    localenv.draw_passwords(values)
    localenv.set_addresses(values, 1, 2, 3)
    localenv.write(file, values)
    assert localenv.read(file)["MY_KEY"] == "abc=def"
    assert localenv.read(file)["TRIGPOINT_HTTP_PORT"] == "3"


def test_the_database_address_holds_no_password() -> None:
    values: dict[str, str] = {}
    localenv.draw_passwords(values)
    localenv.set_addresses(values, 20001, 20002, 20003)
    assert values["TRIGPOINT_DATABASE_URL"] == "postgresql://127.0.0.1:20001/trigpoint"
    assert localenv.port_of(values["TRIGPOINT_DATABASE_URL"]) == 20001
    assert localenv.port_of(values["TRIGPOINT_REDIS_URL"]) == 20002


def test_a_port_that_is_taken_is_passed_over(tmp_path: Path) -> None:
    first = localenv.free_port(tmp_path, set())
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", first))
        holder.listen()
        assert not localenv.is_free(first)
        assert localenv.free_port(tmp_path, set()) != first
    assert localenv.free_port(tmp_path, {first}) != first
