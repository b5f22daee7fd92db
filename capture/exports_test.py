#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recorder needs no library but libc and the loader, and exports the hooks and no more.

usage: exports_test.py LIBRARY HIP_API_DEF
"""
import re
import subprocess
import sys

PROCESS_CALLS = {"execl", "execle", "execlp", "execv", "execve", "execveat", "execvp", "execvpe",
                 "fexecve", "popen", "posix_spawn", "posix_spawnp", "system", "_exit", "_Exit"}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def main(library, api_file):
    needed = {m[1] for line in lines_of("readelf", "-dW", library)
              if (m := re.search(r"\(NEEDED\).*\[(.*)\]", line))}
    foreign = needed - {"libc.so.6", "ld-linux-x86-64.so.2"}
    exported = {line.split()[-1] for line in lines_of("nm", "-D", "--defined-only", library)}
    with open(api_file, encoding="utf-8") as file:
        hooked = set(re.findall(r"^HOOK\((\w+),", file.read(), re.MULTILINE))
    expected = hooked | PROCESS_CALLS | {"dlsym", "compass_annotate_v1", "compass_live_recorder_v1"}
    for name in sorted(foreign):
        print(f"needs {name}")
    for name in sorted(exported ^ expected):
        print(f"{'exports' if name in exported else 'does not export'} {name}")
    return 1 if foreign or exported != expected or not hooked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
