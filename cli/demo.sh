#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The main job, on a machine with no GPU: records the forward of a small model, shows the recording,
# and checks it; then the same with two seeded mistakes, which the check must find.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${COMPASS_BUILD:-build}"
bash tests/run.sh --build-only

build="$(cd "$build" && pwd)"
PATH="$build/cli:$build/fixtures/programs/tiny_decoder:$PATH"
work="$(mktemp -d)"
cd "$work"

heading() { printf '\n\033[1m%s\033[0m\n' "$*"; }
if [ ! -t 1 ] || [ -n "${NO_COLOR:-}" ]; then heading() { printf '\n%s\n' "$*"; }; fi

# Runs a command line, shows it, and ends the demo if its status is not the expected one.
expect() {
  local expected="$1" status=0
  shift
  printf '$ %s\n' "$*"
  "$@" || status=$?
  if [ "$status" -ne "$expected" ]; then
    echo "demo: expected exit $expected, was $status" >&2
    exit 1
  fi
}

record() {
  local archive="$1"
  shift
  expect 0 compass-capture record --driverless --arch gfx950 -o "$archive" -- tiny_decoder "$@"
}

heading "1. Record a small decoder on a declared MI355X (gfx950); its kernels run on this CPU"
record clean.compass --check

heading "2. What it asked of the device: the head of the recording"
printf '$ compass-capture show clean.compass | head -n 40\n'
compass-capture show clean.compass >clean.cir
head -n 40 clean.cir
printf '… %s lines in all; of a step:\n' "$(wc -l <clean.cir)"
sed -n '/^step 2 /,$p' clean.cir >step.cir
head -n 20 step.cir

heading "3. Check it: every access of every launch"
expect 0 compass-capture check clean.compass

heading "4. The same program with a padding row whose slot is just past the KV pool"
record out-of-bounds.compass --fault out-of-bounds
expect 1 compass-capture check out-of-bounds.compass

heading "5. The same program with logits that are freed before the sampler runs"
record use-after-free.compass --fault use-after-free
expect 1 compass-capture check use-after-free.compass

heading "Done: the clean run passed, and each mistake was found with its kernel, lane and buffer."
printf 'The recordings are kept in %s: clean.compass, out-of-bounds.compass, use-after-free.compass\n' "$work"
