#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is built with AMD's own headers and linked with AMD's own library runs on ours, and what our
library says of errors is what AMD's says.

usage: hip_headers_test.py RUNTIME_DIR SUM
"""
import os
import pathlib
import subprocess
import sys
import unittest

RUNTIME, SUM = map(pathlib.Path, sys.argv[1:3])
AMDS_LIBRARY = "/usr/lib/x86_64-linux-gnu/libamdhip64.so.5"

ERROR_NAMES = """
import ctypes, sys
hip = ctypes.CDLL(sys.argv[1])
hip.hipGetErrorName.restype = ctypes.c_char_p
for number in range(1200):
    print(number, hip.hipGetErrorName(number).decode())
"""


def run(*command, **variables):
    return subprocess.run(list(map(str, command)), env=dict(os.environ, **variables),
                          capture_output=True, text=True, check=True).stdout


class HipHeaders(unittest.TestCase):
    def test_a_program_for_amds_library_runs_on_ours(self):
        for arch in ("gfx950", "gfx942"):
            with self.subTest(arch):
                self.assertEqual(
                    run(SUM, COMPASS_ARCH=arch, LD_AUDIT=str(RUNTIME / "libcompass_audit.so")),
                    f"3799379 on {arch}:sramecc+:xnack-\n")

    def test_errors_have_the_names_that_amds_library_gives_them(self):
        amds = run(sys.executable, "-c", ERROR_NAMES, AMDS_LIBRARY).splitlines()
        ours = run(sys.executable, "-c", ERROR_NAMES, RUNTIME / "libamdhip64.so.5").splitlines()
        self.assertGreater(sum("Unknown" not in line for line in amds), 70)
        # 911 and 912 are younger than AMD's library here.
        differing = [our for our, amd in zip(ours, amds, strict=True) if our != amd]
        self.assertEqual(differing, ["911 hipErrorInvalidChannelDescriptor",
                                     "912 hipErrorInvalidTexture"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
