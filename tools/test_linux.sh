#!/usr/bin/env bash
# Tests crates/sluice-linux, the services on it and its testbed where this machine can: Linux, clang, libelf's
# and zlib's headers. Says loudly what is missing. With SLUICE_LINUX=must, what is missing is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    printf 'SKIPPED: sluice-linux, sluice-live and sluice-testbed are not tested: %s\n' "$1" >&2
    [ "${SLUICE_LINUX:-}" != must ] || exit 1
    exit 0
}

[ "$(uname -s)" = Linux ] || skip "this is no Linux"
clang=${CLANG:-$(compgen -c clang | grep -xE 'clang(-[0-9]+)?' | head -1 || true)}
[ -n "$clang" ] || skip "there is no clang (Debian's package: clang)"
for library in libelf zlib; do
    pkg-config --exists "$library" 2>/dev/null ||
        skip "there is no $library to build with (Debian's packages: pkg-config libelf-dev zlib1g-dev)"
done

kernel=("${CARGO:-cargo}" test --locked -p sluice-linux -p sluice-live -p sluice-testbed)
command=("${CARGO:-cargo}" test --locked -p sluice-cli --features linux --test linux)
"${kernel[@]}" --no-run
"${command[@]}" --no-run
# Connections run in real time, beside whatever else is tested. Without root it goes on as it is.
nice -n -10 "${kernel[@]}" -- --nocapture
nice -n -10 "${command[@]}" -- --nocapture
