#!/usr/bin/env bash
# Tests crates/sluice-linux, the services and the demo on it and its testbed where this machine can: Linux, clang, libelf's
# and zlib's headers. Says loudly what is missing. With SLUICE_LINUX=must, what is missing is an error.
# `build` builds the tests of the crates, `kernel` runs them alone, `command` tests the services as the command starts them,
# and `long` tests random packets, fifteen million.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    printf 'SKIPPED: sluice-linux, sluice-live, sluice-demo and sluice-testbed are not tested: %s\n' "$1" >&2
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

part=${1:-all}
if [ "$part" = long ]; then
    # Ten through the routers' program, and five through that of hosts for devices.
    export SLUICE_LINUX_PACKETS=10000000 SLUICE_LINUX_SECONDS=30
    "${CARGO:-cargo}" test --locked -p sluice-linux --test fast_path -- --nocapture at_random
    # A crowd that takes all of a machine.
    "${CARGO:-cargo}" test --locked -p sluice-linux --test live -- --ignored --nocapture at_once_over
    # A minute of options that no host writes, over two million.
    "${CARGO:-cargo}" test --locked -p sluice-linux --test live -- --nocapture garbled
    exit
fi
# Most tests wait for connections; those that need the machine to themselves take turns.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-4}
if [ "$part" != command ]; then
    tests=("${CARGO:-cargo}" test --locked -p sluice-linux -p sluice-live -p sluice-testbed -p sluice-demo)
    "${tests[@]}" --no-run
    [ "$part" != build ] || exit 0
    # Connections run in real time, beside whatever else the machine does. Without root it goes on as it is.
    nice -n -10 "${tests[@]}" -- --nocapture
fi
if [ "$part" != kernel ]; then
    # It takes the place of the command without the data plane, which other tests run.
    tests=("${CARGO:-cargo}" test --locked -p sluice-cli --features linux --test linux)
    "${tests[@]}" --no-run
    nice -n -10 "${tests[@]}" -- --nocapture
fi
