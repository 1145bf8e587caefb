# Installing packages without waking anything: read by scripts/packages after common.sh.
# Needs root or sudo; leaves policy-rc.d as it was found, also when interrupted.

POLICY=/usr/sbin/policy-rc.d
MARK='trigpoint: no service starts while its set-up installs packages'

# privileged COMMAND...: runs it as root.
privileged() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

need_privilege() {
    [ "$(id -u)" = 0 ] && return 0
    by_hand="ask somebody who may to run: apt-get install $*"
    command -v sudo >/dev/null 2>&1 || fail "the packages $* are missing, you are not root, and there is no sudo." "$by_hand"
    sudo -n true 2>/dev/null && return 0
    [ -t 0 ] || fail "the packages $* are missing, and sudo asks for a password but there is no terminal." "$by_hand"
    say "sudo may ask for your password, to install packages"
    sudo -v || fail "sudo was refused." "$by_hand"
}

# hold_services: a policy that forbids starting services; an existing one is set aside.
hold_services() {
    release_services
    trap release_services EXIT
    trap 'release_services; exit 130' INT TERM HUP
    [ ! -e "$POLICY" ] || privileged mv "$POLICY" "$POLICY.before-trigpoint"
    printf '#!/bin/sh\n# %s\nexit 101\n' "$MARK" | privileged tee "$POLICY" >/dev/null
    privileged chmod 755 "$POLICY"
}

release_services() {
    if grep -qs "$MARK" "$POLICY"; then privileged rm -f "$POLICY"; fi
    if [ -e "$POLICY.before-trigpoint" ] && [ ! -e "$POLICY" ]; then privileged mv "$POLICY.before-trigpoint" "$POLICY"; fi
}

# apt ARGUMENTS...: quiet, never asking, waiting for another apt-get to end.
apt() {
    privileged env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l \
        apt-get -y -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >>"$APT_LOG" 2>&1
}

# no_main_cluster: PostgreSQL's package must not make and start a cluster of its own.
no_main_cluster() {
    conf=/etc/postgresql-common/createcluster.conf
    apt install --no-install-recommends postgresql-common || return 1
    grep -qs '^create_main_cluster *= *false' "$conf" \
        || echo 'create_main_cluster = false' | privileged tee -a "$conf" >/dev/null
}

# install_packages NAMES...
install_packages() {
    command -v apt-get >/dev/null 2>&1 || fail "the packages $* are missing, and this machine has no apt-get." \
        "install PostgreSQL 15 or newer with PostGIS 3.3 or newer, Redis 7 or newer and Python's venv with its own package manager; TRIGPOINT_PG_BIN may name PostgreSQL's bin folder"
    need_privilege "$@"
    APT_LOG=$(mktemp "${TMPDIR:-/tmp}/trigpoint-apt.XXXXXX")
    hold_services
    apt update || say "apt-get update did not succeed; going on with the package lists that are here"
    case " $* " in *" postgresql "*)
        no_main_cluster || apt_failed "$@" ;;
    esac
    apt install --no-install-recommends "$@" || apt_failed "$@"
    case " $* " in *" redis-server "*)
        # what we brought for a private instance must not start by itself at the next boot
        privileged systemctl disable redis-server.service >/dev/null 2>&1 \
            || privileged update-rc.d redis-server disable >/dev/null 2>&1 || true ;;
    esac
    release_services
    rm -f "$APT_LOG"
}

apt_failed() {
    tail -n 8 "$APT_LOG" >&2
    fail "apt-get could not install $* (its whole output: $APT_LOG)." \
        "check the network and the disk, try \`apt-get install $*\` by hand, then run this again"
}
