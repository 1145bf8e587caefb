"""Set-up stage: runs a private PostgreSQL, Redis and sandbox for this checkout, or one of them inside a container.

Reads and writes .local/ (as root: /var/lib/trigpoint/<hash of the checkout's path>, linked from .local/, owned by the
users postgres and redis, since PostgreSQL refuses root). Invariant: they listen on 127.0.0.1 only, ask for a password,
and nothing that this checkout did not start is ever stopped.
With --for-tests they are others, under .local/test, whose data nobody misses.
usage: services.py start | stop | status | port [--for-tests], or services.py foreground postgres | redis | sandbox
"""

import fcntl
import sys
from pathlib import Path

import instances
import localenv
import sandbox
from instances import Place, SetupError


def current_place(*, for_tests: bool) -> Place:
    """Where the services of this checkout keep their data, and as whom they run."""
    checkout = Path(__file__).resolve().parents[2]
    local = checkout / ".local"
    return instances.place_of(checkout, local / "test" if for_tests else local, throwaway=for_tests)


def start(place: Place) -> None:
    """Starts what does not run; picks other ports where somebody else has taken ours."""
    env_file = place.local / "env"
    values = localenv.read(env_file)
    if not values and place.postgres.exists():
        instances.discard_orphans(place)
        sandbox.remove(place)
    localenv.draw_passwords(values)
    ports = {
        "postgres": localenv.port_of(values.get("TRIGPOINT_DATABASE_URL", "")),
        "redis": localenv.port_of(values.get("TRIGPOINT_REDIS_URL", "")),
        "sandbox": localenv.port_of(values.get("TRIGPOINT_SANDBOX_URL", "")),
        "http": int(values.get("TRIGPOINT_HTTP_PORT", "0")),
    }
    running = {
        "postgres": instances.postgres_pid(place),
        "redis": instances.redis_pid(place),
        "sandbox": sandbox.keeper_pid(place),
        "http": 0,
    }
    for name, port in ports.items():
        if running[name]:
            continue
        if port and not localenv.is_free(port) and name != "http":
            tell(f"port {port} of {name} was taken by another program: choosing another one")
            port = 0
        ports[name] = port or localenv.free_port(place.checkout, set(ports.values()))
    localenv.set_addresses(values, ports["postgres"], ports["redis"], ports["http"])
    localenv.set_sandbox_address(values, ports["sandbox"])
    localenv.write(env_file, values)
    if not running["postgres"]:
        tell(f"starting PostgreSQL on 127.0.0.1:{ports['postgres']} (data: {place.postgres})")
        instances.start_postgres(place, ports["postgres"], values["TRIGPOINT_PASSWORD_SUPERUSER"])
    if not running["redis"]:
        tell(f"starting Redis on 127.0.0.1:{ports['redis']}")
        instances.start_redis(place, ports["redis"], values["TRIGPOINT_PASSWORD_REDIS"])
    if not running["sandbox"]:
        tell(f"starting the sandbox of models' SQL on 127.0.0.1:{ports['sandbox']}")
        sandbox.stop(place)  # a server whose keeper was killed
        sandbox.start(place, ports["sandbox"], values)


def stop_all(place: Place) -> list[str]:
    """Stops what runs of ours; the names of those that ran."""
    stopped = ["the sandbox"] if sandbox.stop(place) else []
    return stopped + instances.stop_all(place)


def show_status(place: Place) -> int:
    """One line a service; 0 when all run."""
    pids = {
        "PostgreSQL": instances.postgres_pid(place),
        "Redis": instances.redis_pid(place),
        "sandbox": sandbox.keeper_pid(place),
    }
    for name, pid in pids.items():
        sys.stdout.write(f"{name}: {f'running, pid {pid}' if pid else 'not running'}\n")
    return 0 if all(pids.values()) else 1


def renew_http_port(place: Place) -> int:
    """The port for `trigpoint serve`: the one in .local/env, or another free one, written there, when it is taken."""
    env_file = place.local / "env"
    values = localenv.read(env_file)
    port = int(values.get("TRIGPOINT_HTTP_PORT", "0"))
    if not port or not localenv.is_free(port):
        port = localenv.free_port(place.checkout, set())
        values["TRIGPOINT_HTTP_PORT"] = str(port)
        localenv.write(env_file, values)
    return port


def tell(words: str) -> None:
    """One progress line."""
    sys.stderr.write(f"==> {words}\n")
    sys.stderr.flush()


def main(arguments: list[str]) -> int:
    """Runs one command; a failure prints what was wrong and what to do."""
    if arguments[:1] == ["foreground"] and len(arguments) == 2:
        import containers

        return containers.run(arguments[1])
    place = current_place(for_tests="--for-tests" in arguments)
    arguments = [argument for argument in arguments if argument != "--for-tests"]
    place.local.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(place.local / "services.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        match arguments:
            case ["start"]:
                start(place)
            case ["stop"]:
                for name in stop_all(place):
                    tell(f"stopped {name}")
                if place.throwaway:
                    instances.remove_data(place)
                    sandbox.remove(place)
            case ["status"]:
                return show_status(place)
            case ["port"]:
                sys.stdout.write(f"{renew_http_port(place)}\n")
            case _:
                sys.stderr.write((__doc__ or "").strip().splitlines()[-1] + "\n")
                return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SetupError as error:
        sys.stderr.write(f"error: {error.what}\n  what to do: {error.remedy}\n")
        sys.exit(1)
    except OSError as error:
        remedy = "see that the disk has room and that the folder is yours, then run it again"
        sys.stderr.write(f"error: {error}\n  what to do: {remedy}\n")
        sys.exit(1)
