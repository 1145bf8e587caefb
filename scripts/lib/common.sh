# Shared by every script: where the checkout is, how to speak to the person, which Python to use.
# Read with `. scripts/lib/common.sh` after ROOT is set; POSIX sh; writes nothing but messages on stderr.

LOCAL=$ROOT/.local
VENV=$ROOT/.venv

# say WORDS: one progress line.
say() { printf '==> %s\n' "$*" >&2; }

# fail WHAT WHAT_TO_DO: one clear sentence each, then leave.
fail() {
    printf 'error: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf '  what to do: %s\n' "$2" >&2
    exit 1
}

# find_python: prints the first interpreter that is 3.11 or newer. The distribution's own name comes first.
find_python() {
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.14; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# need_python: sets PYTHON or leaves with a sentence.
need_python() {
    PYTHON=$(find_python) || fail "Python 3.11 or newer was not found (python3 is $(python3 --version 2>&1))." \
        "install one, for example \`apt-get install python3.11 python3.11-venv\`, or name it: PYTHON=/path/to/python3.12 make demo"
    export PYTHON
}

# need_own_folder: the folders this project writes must belong to the person who runs it, or nothing can be repeated safely.
need_own_folder() {
    for folder in "$LOCAL" "$VENV"; do
        [ -e "$folder" ] || continue
        [ -O "$folder" ] || fail "$folder belongs to $(ls -ld "$folder" | awk '{print $3}'), and you are $(id -un)." \
            "run this as that user; or, to start afresh, \`make down\` and \`rm -rf .venv .local\` as that user, then run it again as you"
    done
    [ -w "$ROOT" ] || fail "$ROOT cannot be written by $(id -un)." "clone the repository into a folder of your own"
    mkdir -p "$LOCAL" && chmod 700 "$LOCAL" || fail "$LOCAL cannot be made." "free some disk space or check the folder's owner"
}

# need_space MEGABYTES: stops before a half-done step when the disk is nearly full.
need_space() {
    free_kb=$(df -Pk "$ROOT" | awk 'NR == 2 { print $4 }')
    [ "${free_kb:-0}" -ge $(($1 * 1024)) ] || fail "only $((free_kb / 1024)) MB are free under $ROOT, and $1 MB are needed." \
        "free some disk space and run it again; what is done already is kept"
}

# load_env: the addresses and passwords of the private services, where they exist; TRIGPOINT_ENV_FILE names others.
load_env() {
    env_file=${TRIGPOINT_ENV_FILE:-$LOCAL/env}
    [ ! -f "$env_file" ] || { set -a; . "$env_file"; set +a; }
}

# wait_for WHAT LOG CONDITION…: waits up to 30 s until the command succeeds.
wait_for() {
    what=$1 log=$2 tries=150
    shift 2
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "$what did not start within 30 seconds: $(tail -n 1 "$log" 2>/dev/null)" "read $log"
        sleep 0.2
    done
}
