#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The main job, on a machine with no GPU, in one screen: records the forward of a small model, shows
# a step of the recording, and checks it; then the same with a mistake, which the check must find.
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

# Shows a command line and runs it, ends the demo if its status is not the expected one, and keeps
# what it prints in printed.txt.
expect() {
  local expected="$1" status=0
  shift
  printf '$ %s\n' "$*"
  "$@" >printed.txt || status=$?
  if [ "$status" -ne "$expected" ]; then
    cat printed.txt >&2
    echo "demo: expected exit $expected, was $status" >&2
    exit 1
  fi
}

# Records, and shows of what is printed only the lines that match; all of it if it fails.
record() {
  local archive="$1" lines="$2"
  shift 2
  printf '$ compass-capture record --driverless --arch gfx950 -o %s -- tiny_decoder %s\n' "$archive" "$*"
  if ! compass-capture record --driverless --arch gfx950 -o "$archive" -- tiny_decoder "$@" >record.txt 2>&1; then
    cat record.txt >&2
    exit 1
  fi
  grep -e "$lines" record.txt
}

heading "1. Record a small decoder on a declared MI355X (gfx950): no GPU, no driver, its kernels run on this CPU"
record clean.compass 'check:\|recorded' --check

heading "2. What it asked of the device, as text that is the same on every run: a launch of a decode"
expect 0 compass-capture show clean.compass --step 4
sed -n '/^step 4 /,$p' printed.txt | cut -c 1-150 >step.cir
head -n 1 step.cir
printf '    …\n'
grep -A 1 -m 1 'reshape_and_cache<' step.cir
printf '    … %s lines in all\n' "$(wc -l <step.cir)"

heading "3. Check it: every access of every launch"
expect 0 compass-capture check clean.compass
cat printed.txt

heading "4. The same with a mistake: padding rows of a decode have a slot just past the KV pool"
record fault.compass recorded --fault out-of-bounds
expect 1 compass-capture check fault.compass
head -n 1 printed.txt
printf '    … its details, %s lines\n' "$(grep -c '^    ' printed.txt)"
tail -n 2 printed.txt

heading "5. How it came about"
id="$(sed -n '1s/.*\[\(.*\)\]$/\1/p' printed.txt)"
expect 0 compass-capture explain fault.compass "$id"
sed 1,2d printed.txt | grep -v '^$'

heading "Exit 1: the mistake was found with its kernel, lane, buffer and origin; the clean run passed."
printf 'The recordings are kept in %s: clean.compass, fault.compass\n' "$work"
