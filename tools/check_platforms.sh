#!/usr/bin/env bash
# Compiles the command and the Python module for macOS and Windows as far as that needs no linker of
# theirs: every type and call exists there. Nothing is run. Says loudly which targets are not
# installed; with SLUICE_PLATFORMS=must, a missing one is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
for target in aarch64-apple-darwin x86_64-pc-windows-msvc; do
    if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
        printf 'SKIPPED: %s is not checked: rustup target add %s\n' "$target" "$target" >&2
        [ "${SLUICE_PLATFORMS:-}" != must ] || status=1
        continue
    fi
    # Python for that platform is not here; PyO3 needs none, and must not ask the one of this machine.
    env -u PYO3_PYTHON "${CARGO:-cargo}" clippy --locked -p sluice-cli -p sluice-py --target "$target" -- -D warnings
done
exit "$status"
