#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds what reads bytes that others have made with clang's address and undefined-behaviour
# sanitizers, and runs its tests and fuzz replays. The build folder is $COMPASS_SANITIZE_BUILD, else
# build-sanitize/.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${COMPASS_SANITIZE_BUILD:-build-sanitize}"
tests=(ir journal ir_code_object ir_archive ir_text code_object decode machine
       fuzz_fat_binary fuzz_code_object fuzz_decode fuzz_journal fuzz_archive)
targets=(ir/ir_test ir/journal/journal_test ir/code_object/ir_code_object_test
         ir/archive/ir_archive_test ir/text/ir_text_test driverless/code_object/code_object_test
         driverless/decode/decode_test driverless/machine/machine_test)
for name in fat_binary code_object decode journal archive; do
  targets+=("tests/fuzz/${name}_replay")
done

export LLVM_CONFIG="${LLVM_CONFIG:-llvm-config-22}"
if [ ! -f "$build/build.ninja" ]; then
  compiler=clang++-22
  if command -v ccache >/dev/null; then compiler="ccache $compiler"; fi
  CXX="$compiler" meson setup "$build" -Db_sanitize=address,undefined -Db_lundef=false \
    -Doptimization=1 -Dwerror=false >/dev/null
fi
# Tests find their inputs by name: build those with the programs.
mapfile -t inputs < <(ninja -C "$build" -t targets all | sed -n 's/^\(ir\/code_object\/.*\.co\): .*/\1/p')
ninja -C "$build" --quiet "${targets[@]}" "${inputs[@]}" driverless/decode/compass-decode

# A finding must fail its test, not only be printed.
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export ASAN_OPTIONS=allocator_may_return_null=0:detect_stack_use_after_return=1
meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 4 "${tests[@]}"
