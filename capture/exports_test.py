#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recorder needs no library but those of libc, none of whose functions is newer than glibc 2.28
has them, and exports the hooks and no more.

usage: exports_test.py LIBRARY HIP_API_DEF
"""
import re
import subprocess
import sys

PROCESS_CALLS = {"execl", "execle", "execlp", "execv", "execve", "execveat", "execvp", "execvpe",
                 "fexecve", "popen", "posix_spawn", "posix_spawnp", "system", "_exit", "_Exit"}


OUR_CALLS = {"dlsym", "compass_annotate_v1", "compass_live_recorder_v1", "rocprofiler_configure",
             "rocprofiler_set_api_table"}
LIBC = {"libc.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}
NEWEST_GLIBC = (2, 28)


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def needed_symbols(library):
    """The version and name of each symbol that others must define; no version: any."""
    for line in lines_of("readelf", "--dyn-syms", "-W", library):
        fields = line.split()
        if len(fields) > 7 and fields[6] == "UND":
            name, _, version = fields[7].partition("@")
            yield name, version.lstrip("@")


def is_too_new(version):
    library, _, number = version.partition("_")
    if not number or library != "GLIBC":
        return bool(version)
    if not re.fullmatch(r"\d+(\.\d+)*", number):
        return True
    return tuple(int(part) for part in number.split(".")) > NEWEST_GLIBC


def complaints_about(library, hooked):
    needed = {m[1] for line in lines_of("readelf", "-dW", library)
              if (m := re.search(r"\(NEEDED\).*\[(.*)\]", line))}
    yield from (f"needs {name}" for name in sorted(needed - LIBC))
    symbols = list(needed_symbols(library))
    if not any(version for _, version in symbols):
        yield "needs no symbol of libc: readelf's output is not understood"
    for name, version in sorted(symbols):
        if is_too_new(version):
            yield f"needs {name} of {version}: see capture/portability/old_glibc.cc"
    exported = {line.split()[-1] for line in lines_of("nm", "-D", "--defined-only", library)}
    expected = hooked | PROCESS_CALLS | OUR_CALLS
    for name in sorted(exported ^ expected):
        yield f"{'exports' if name in exported else 'does not export'} {name}"


def main(library, api_file):
    with open(api_file, encoding="utf-8") as file:
        hooked = set(re.findall(r"^HOOK\((\w+),", file.read(), re.MULTILINE))
    complaints = list(complaints_about(library, hooked)) if hooked else ["no hooks are listed"]
    print("\n".join(complaints), end="")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
