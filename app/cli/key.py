"""`trigpoint key …`: API keys: create, list, revoke. The key itself is printed once and stored nowhere."""

from datetime import timedelta
from typing import Annotated

import typer
from rich.text import Text

from app.access import keys
from app.access.audit import AT_THE_COMMAND_LINE, note
from app.cli.cells import cell
from app.cli.output import emit, say
from app.cli.tables import listing
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect

key = typer.Typer(help="API keys: create, list, revoke.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
Prefix = Annotated[str, typer.Argument(help="the eight characters after trig_")]


@key.command()
def create(
    name: Annotated[
        str | None,
        typer.Argument(help="the owner's name; with --replaces, by default the name of the old key"),
    ] = None,
    role: Annotated[
        str | None,
        typer.Option(
            help="reader, submitter or maintainer; with --replaces, by default the role of the old key"
        ),
    ] = None,
    days: Annotated[float, typer.Option(min=0.01, max=36500, help="days that the key is valid")] = 365.0,
    forever: Annotated[bool, typer.Option("--forever", help="valid until revoked")] = False,
    requests_per_minute: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            help="requests in any minute; by default 600, or with --replaces the number of the old key",
        ),
    ] = None,
    replaces: Annotated[
        str | None, typer.Option(metavar="PREFIX", help="the prefix of the key that this one replaces")
    ] = None,
    overlap_hours: Annotated[
        float, typer.Option(min=0, max=8760, help="with --replaces: how long the old key stays valid")
    ] = 24.0,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it. It is shown only once; only its hash is stored."""
    now = SystemClock().now()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        old = None if replaces is None else keys.find_key(connection, replaces)
        name, role = name or (old.name if old else None), role or (old.role if old else None)
        if name is None:
            raise UsageError("Give the name of the key's owner.")
        if role not in keys.ROLES:
            given = f"--role {role!r}: the" if role else "Give --role: the"
            raise UsageError(f"{given} roles are {', '.join(keys.ROLES)}.")
        rate = requests_per_minute or (old.requests_per_minute if old else keys.REQUESTS_PER_MINUTE)
        wanted = keys.Wanted(name, role, rate, None if forever else days)
        if old is None:
            token, made = keys.create_key(connection, wanted, now)
        else:
            overlap = timedelta(hours=overlap_hours)
            token, made = keys.replace_key(connection, old.prefix, wanted, now, overlap)
        told = {"name": name, "role": role, "replaces": replaces}
        note(connection, AT_THE_COMMAND_LINE, "key.create", made.prefix, now, told)
        connection.commit()
    say("This is the key. It is shown only now. Whoever has it acts as its owner:")
    emit({"key": token} | made.as_json(now), as_json, token)
    if made.replaces:
        say(f"The key {made.replaces} ends in {overlap_hours:g} hours, or at its own end if that is sooner.")


@key.command("list")
def list_(
    all_states: Annotated[bool, typer.Option("--all", help="also keys that expired or were revoked")] = False,
    as_json: AsJson = False,
) -> None:
    """List keys by their prefixes, the oldest first. The keys are never shown."""
    now = SystemClock().now()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = [one for one in keys.list_keys(connection) if all_states or one.state(now) == "valid"]
    table = listing("prefix", "name", "role", "state", "a minute", "expires", "replaces", right=["a minute"])
    for one in found:
        expires = f"{one.expires_at:%Y-%m-%d}" if one.expires_at else "never"
        cells = (one.prefix, one.name, one.role, one.state(now), cell(one.requests_per_minute), expires)
        table.add_row(*map(Text, (*cells, one.replaces or "")))
    emit({"keys": [one.as_json(now) for one in found]}, as_json, table)


@key.command()
def revoke(prefix: Prefix, as_json: AsJson = False) -> None:
    """End a key at once."""
    now = SystemClock().now()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        changed = keys.revoke_key(connection, prefix, now)
        if changed:
            note(connection, AT_THE_COMMAND_LINE, "key.revoke", prefix, now)
        connection.commit()
        revoked = keys.find_key(connection, prefix)
    say(f"The key {prefix} is revoked." if changed else f"The key {prefix} was revoked already.")
    emit(revoked.as_json(now), as_json)
