#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and runs the tests. With --build-only it stops after the build.
# What is there already is not done again. The build folder is $COMPASS_BUILD, else build/.
set -euo pipefail
case "${1:-}" in
  '' | --build-only) ;;
  *)
    echo "usage: tests/run.sh [--build-only]" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")/.."
build="${COMPASS_BUILD:-build}"

say() { printf '%s\n' "== $*"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
  local installed
  installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')"
  grep -v '^#' tests/packages.txt | grep -vxF "$installed" || true
}

install_packages() {
  local missing
  missing="$(missing_packages)"
  [ -n "$missing" ] || return 0
  say "installing" $missing
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086  # one word a package
  if ! as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1; then
    say "the package lists are old: updating them"
    as_root apt-get update -qq
    # shellcheck disable=SC2086
    as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
  fi
}

build_all() {
  if [ ! -f "$build/build.ninja" ]; then
    say "configuring $build/"
    local compiler="${CXX:-g++}"
    if command -v ccache >/dev/null && [ "${compiler#ccache}" = "$compiler" ]; then
      compiler="ccache $compiler"
    fi
    local log
    log="$(mktemp)"
    CXX="$compiler" meson setup "$build" >"$log" 2>&1 || { cat "$log"; return 1; }
    rm -f "$log"
  fi
  say "building $build/cli/compass-capture and the tests"
  ninja -C "$build" --quiet
}

# The counts are meson's, whose tests are whole programs.
run_tests() {
  local log="$build/meson-logs/run.log" status=0
  say "testing"
  meson test -C "$build" --no-rebuild --print-errorlogs | tee "$log" || status=$?
  count() { sed -n "s/^$1: *\([0-9]*\).*/\1/p" "$log" | tail -n 1 | grep . || echo 0; }
  local passed=$(($(count 'Ok') + $(count 'Expected Fail')))
  local failed=$(($(count 'Fail') + $(count 'Unexpected Pass') + $(count 'Timeout')))
  local skipped
  skipped="$(count 'Skipped')"
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  printf '\n%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

export LLVM_CONFIG="${LLVM_CONFIG:-llvm-config-22}"
install_packages
build_all
if [ "${1:-}" != --build-only ]; then
  say "testing what reads other people's bytes under sanitizers, in build-sanitize/"
  bash tests/sanitize.sh
  run_tests
fi
