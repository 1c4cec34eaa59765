#!/usr/bin/env bash
# Finds a Docker daemon that holds python:3.13-slim for the end-to-end tests; as root on Debian it makes one.
#
#   eval "$(tests/e2e/stack.sh)"     # prints `export` lines; progress goes to stderr
#   tests/e2e/stack.sh stop          # ends the daemon that an earlier call started
set -euo pipefail

cache=${XDG_CACHE_HOME:-$HOME/.cache}/agenttest-e2e
base=python:3.13-slim
bridge=agt$(cksum <<<"$cache" | cut -d ' ' -f 1)  # each daemon on a machine needs one of its own
own=unix://$cache/docker.sock

say() { echo "e2e: $*" >&2; }
die() { say "$*"; exit 1; }
answers() { DOCKER_HOST=$1 docker version >/dev/null 2>&1; }
quietly() { "$@" >"$cache/log" 2>&1 || { tail -n 20 "$cache/log" >&2; die "failed: $*"; }; }

main() {
    mkdir -p "$cache"
    exec 9>"$cache/lock" && flock 9     # one set-up at a time
    if [ "${1:-}" = stop ]; then stop; return; fi
    tools
    theirs || ours
}

tools() {  # what some tests need beside Docker; where it cannot be installed they say so
    local missing=()
    command -v npm >/dev/null || missing+=(nodejs npm)
    command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null || missing+=(chromium)
    [ ${#missing[@]} = 0 ] || ! aptable || install "${missing[@]}"
}

aptable() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

install() {
    say "installing $*"
    quietly apt-get update -q
    DEBIAN_FRONTEND=noninteractive quietly apt-get install -qy --no-install-recommends "$@"
}

theirs() {  # a contributor's own Docker, with the real image
    docker version >/dev/null 2>&1 && holds_base
}

holds_base() {
    docker image inspect $base >/dev/null 2>&1 || timeout 300 docker pull -q $base >/dev/null 2>&1
}

ours() {
    packages
    export DOCKER_HOST=$own
    answers "$own" || daemon
    holds_base || stand_in
    echo "export DOCKER_HOST='$DOCKER_HOST'"
}

packages() {
    local missing
    missing=$(for name in docker.io mmdebstrap iproute2 iptables ca-certificates; do
        dpkg -s $name >/dev/null 2>&1 || echo $name
    done)
    [ -n "$missing" ] || return 0
    aptable || die "no Docker daemon answers, and one can be set up here only as root on Debian"
    install $missing
}

daemon() {
    [ "$(id -u)" = 0 ] || die "no Docker daemon answers, and only root can start one"
    [ ${#own} -lt 107 ] || die "$cache is too long a path for a socket"
    say "starting dockerd"
    ip link show $bridge >/dev/null 2>&1 || ip link add $bridge type bridge
    ip link set $bridge up
    rm -f "$cache/pid" "$cache/docker.sock"
    setsid dockerd --host "$own" --bridge $bridge --pidfile "$cache/pid" --data-root "$cache/data" \
        --exec-root "$cache/exec" </dev/null >"$cache/dockerd.log" 2>&1 9>&- &
    for _ in $(seq 300); do answers "$own" && return; sleep 0.1; done
    tail -n 20 "$cache/dockerd.log" >&2
    die "dockerd did not start"
}

stand_in() {  # where no registry answers: Debian 13, whose python3 is 3.13, laid out as the official image
    local changes=(--change 'CMD ["python3"]' --change 'ENV LANG=C.UTF-8') name
    for name in PIP_INDEX_URL PIP_TRUSTED_HOST http_proxy https_proxy no_proxy; do
        [ -z "${!name:-}" ] || changes+=(--change "ENV $name=${!name}")
    done
    say "making a stand-in for $base"
    quietly mmdebstrap --variant=apt --include=ca-certificates,python3,python3-venv \
        --customize-hook='chroot "$1" python3 -m venv /usr/local' \
        --customize-hook='upload /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt' \
        trixie "$cache/base.tar"
    quietly docker import "${changes[@]}" --change 'ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt' "$cache/base.tar" $base
    rm "$cache/base.tar"
}

stop() {
    answers "$own" || return 0           # a stale pid may be another process by now
    kill "$(cat "$cache/pid")" && say "dockerd ended"
    ip link delete "$bridge" || true
}

main "$@"
