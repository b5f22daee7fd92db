#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libamdhip64 exports every name of hip_api.tsv in its version node and nothing else, and brings
nothing but libc into a process.

usage: exports_test.py LIBAMDHIP64 LIBCOMPASS_AUDIT HIP_API.TSV
"""
import re
import subprocess
import sys
import unittest

LIBRARY, AUDIT, API = sys.argv[1:4]
ALLOWED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def exported(library):
    lines = output_of("nm", "-D", "--defined-only", library).splitlines()
    return {line.split()[2] for line in lines if line.split()[1] != "A"}


def needed(library):
    return set(re.findall(r"NEEDED.*\[(.*)\]", output_of("readelf", "-d", library)))


class Exports(unittest.TestCase):
    def test_runtime_has_every_name_in_its_node(self):
        with open(API, encoding="utf-8") as lines:
            names = {"@@".join(line.split()) for line in lines if not line.startswith("#")}
        self.assertEqual(exported(LIBRARY), names)

    def test_audit_library_has_its_two_entry_points(self):
        self.assertEqual(exported(AUDIT), {"la_version", "la_objsearch"})

    def test_nothing_but_libc_is_needed(self):
        self.assertLessEqual(needed(LIBRARY), ALLOWED)
        self.assertLessEqual(needed(AUDIT), ALLOWED)

    def test_soname_is_that_of_hip_7(self):
        self.assertRegex(output_of("readelf", "-d", LIBRARY), r"SONAME.*\[libamdhip64\.so\.7\]")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
