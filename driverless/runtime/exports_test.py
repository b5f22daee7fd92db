#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each libamdhip64 exports every name of hip_api.tsv in its version node and nothing else, and brings
nothing but libc into a process.

usage: exports_test.py LIBCOMPASS_AUDIT HIP_API.TSV LIBAMDHIP64...
"""
import pathlib
import re
import subprocess
import sys
import unittest

AUDIT, API = sys.argv[1:3]
LIBRARIES = {pathlib.Path(library).name: library for library in sys.argv[3:]}
ALLOWED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def exported(library):
    lines = output_of("nm", "-D", "--defined-only", library).splitlines()
    return {line.split()[2] for line in lines if line.split()[1] != "A"}


def needed(library):
    return set(re.findall(r"NEEDED.*\[(.*)\]", output_of("readelf", "-d", library)))


class Exports(unittest.TestCase):
    def test_every_runtime_has_every_name_in_its_node(self):
        with open(API, encoding="utf-8") as lines:
            names = {"@@".join(line.split()) for line in lines if not line.startswith("#")}
        for name, library in LIBRARIES.items():
            with self.subTest(name):
                self.assertEqual(exported(library), names)

    def test_audit_library_has_its_two_entry_points(self):
        self.assertEqual(exported(AUDIT), {"la_version", "la_objsearch"})

    def test_nothing_but_libc_is_needed(self):
        for library in [AUDIT, *LIBRARIES.values()]:
            with self.subTest(library):
                self.assertLessEqual(needed(library), ALLOWED)

    def test_there_is_one_for_each_major_and_its_soname_says_which(self):
        self.assertEqual(set(LIBRARIES), {f"libamdhip64.so.{major}" for major in (5, 6, 7)})
        for name, library in LIBRARIES.items():
            with self.subTest(name):
                dynamic = output_of("readelf", "-d", library)
                self.assertEqual(re.findall(r"SONAME.*\[(.*)\]", dynamic), [name])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
