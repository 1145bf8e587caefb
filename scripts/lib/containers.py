"""Set-up stage, inside a container: becomes PostgreSQL, Redis or the sandbox, with the same settings as the local way.

Reads passwords from the environment, writes /var/lib/trigpoint (a volume) and /tmp. Invariant: runs as an ordinary
user; PostgreSQL listens to others only after the roles and the database are there, and never to the superuser's name.
"""

import os
import subprocess
import sys
from pathlib import Path

import instances
import localenv
import sandbox
from instances import Place, SetupError

DATA = Path("/var/lib/trigpoint")
CHECKOUT = Path(__file__).resolve().parents[2]
PREPARING_PORT = 5433  # while roles are made; the health check asks 5432
OTHERS = """
# from other containers: the roles of the service on its database; never the superuser
host all postgres all reject
host trigpoint all all scram-sha-256
"""
OTHERS_OF_SANDBOX = """
# from other containers: who fills it, and models' SQL; never the superuser
host all trigpoint_sandbox,trigpoint_reader all scram-sha-256
"""


def run(name: str) -> int:
    """Replaces this process by the server; returns only when the name is unknown."""
    if name == "postgres":
        run_postgres(Place(CHECKOUT, DATA, DATA, None, None))
    if name == "redis":
        run_redis()
    if name == "sandbox":
        run_sandbox(Place(CHECKOUT, DATA, DATA, None, None))
    sys.stderr.write("usage: services.py foreground postgres | redis | sandbox\n")
    return 2


def run_postgres(place: Place) -> None:
    """Makes the cluster if need be, runs bootstrap.sql on a private port, then serves on 5432."""
    password = required("TRIGPOINT_PASSWORD_SUPERUSER")
    for role in localenv.ROLES:
        required(f"TRIGPOINT_PASSWORD_{role.upper()}")
    instances.start_postgres(place, PREPARING_PORT, password)
    url = f"postgresql://postgres:{password}@127.0.0.1:{PREPARING_PORT}/postgres"
    script = str(CHECKOUT / "scripts" / "bootstrap")
    made = subprocess.run(["sh", script], env=os.environ | {"TRIGPOINT_SUPERUSER_URL": url}, check=False)
    instances.stop_postgres(place)
    if made.returncode:
        raise SetupError(
            "The roles could not be made.",
            "compare the passwords in .env with those the volume was made with",
        )
    (place.postgres / "trigpoint.conf").write_text(instances.postgres_settings("*", 5432))
    let_others_in(place.postgres, OTHERS)
    forget_passwords()
    program = instances.postgres_program("postgres")
    os.execv(program, [program, "-D", str(place.postgres)])


def let_others_in(folder: Path, rules: str) -> None:
    """Adds who may log in from other containers, once."""
    file = folder / "pg_hba.conf"
    if rules not in file.read_text():
        file.write_text(file.read_text() + rules)


def forget_passwords() -> None:
    """What becomes of this process has no password in its environment."""
    for secret in [key for key in os.environ if key.startswith("TRIGPOINT_PASSWORD")]:
        del os.environ[secret]


def run_sandbox(place: Place) -> None:
    """Makes the sandbox and its roles on a private port, then becomes its keeper, which serves on 5432."""
    for name in ("SANDBOX_SUPERUSER", "SANDBOX", "READER"):
        required(f"TRIGPOINT_PASSWORD_{name}")
    sandbox.start(place, PREPARING_PORT, os.environ)
    sandbox.stop(place)
    megabytes = sandbox.megabytes_of(os.environ)
    sandbox.write_settings(place, "*", 5432, megabytes)
    let_others_in(place.sandbox, OTHERS_OF_SANDBOX)
    forget_passwords()
    command = sandbox.keeper_command(place, megabytes)
    os.execv(command[0], command)


def run_redis() -> None:
    """Writes the settings where only Redis reads them, then serves on 6379."""
    folder = Path("/tmp/redis")  # noqa: S108 - a tmpfs of this container alone
    folder.mkdir(mode=0o700, exist_ok=True)
    conf = folder / "redis.conf"
    conf.unlink(missing_ok=True)
    with os.fdopen(os.open(conf, os.O_WRONLY | os.O_CREAT, 0o600), "w") as handle:
        handle.write(instances.redis_settings(folder, "0.0.0.0", 6379, required("TRIGPOINT_PASSWORD_REDIS")))  # noqa: S104
    os.execvp("redis-server", ["redis-server", str(conf)])


def required(name: str) -> str:
    """The value of a variable that must be set."""
    value = os.environ.get(name, "")
    if not value:
        raise SetupError(
            f"{name} is not set.", "run scripts/compose-env, which writes .env, then start again"
        )
    return value
