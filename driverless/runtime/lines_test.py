#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the driverless runtime says on stderr, and when.

usage: lines_test.py PROGRAM GFX950_CODE_OBJECT GFX942_CODE_OBJECT
"""
import os
import subprocess
import sys
import unittest

PROGRAM, GFX950, GFX942 = sys.argv[1:4]


def run(argument, arch="gfx950", **variables):
    environment = {k: v for k, v in os.environ.items() if k != "COMPASS_ARCH"}
    environment.update(variables)
    if arch is not None:
        environment["COMPASS_ARCH"] = arch
    done = subprocess.run([PROGRAM, argument], env=environment, capture_output=True, text=True,
                          check=True)
    return int(done.stdout), done.stderr


class Lines(unittest.TestCase):
    def test_no_architecture_is_said_once(self):
        self.assertEqual(run("count", arch=None), (
            100, "compass-capture: COMPASS_ARCH is not set; the driverless runtime has no device: "
                 "expected gfx942 or gfx950\n"))

    def test_unknown_architecture_is_said_once(self):
        self.assertEqual(run("count", arch="gfx000"), (
            100, "compass-capture: COMPASS_ARCH is 'gfx000'; the driverless runtime has no device: "
                 "expected gfx942 or gfx950\n"))

    def test_wrong_settings_are_said_once_with_the_right_ones(self):
        for variables, line in (
                ({"COMPASS_SET": "mem=8GiB"},
                 "COMPASS_SET: cannot set 'mem=8GiB': expected memory, lds, compute-units or clock, "
                 "each with = and a value"),
                ({"COMPASS_SET": "memory=8"},
                 "COMPASS_SET: cannot set memory to '8': expected bytes, or KiB, MiB, GiB or TiB, "
                 "from 1MiB to 1TiB"),
                ({"COMPASS_DEVICES": "65"},
                 "COMPASS_DEVICES: cannot have '65' devices: expected 1 to 64"),
                ({"COMPASS_DEVICES": "2", "HIP_VISIBLE_DEVICES": "2"},
                 "HIP_VISIBLE_DEVICES is '2', which leaves none of 2 declared devices")):
            with self.subTest(line):
                self.assertEqual(run("count", **variables), (100, f"compass-capture: {line}\n"))

    def test_what_is_not_implemented_is_said_once_by_name(self):
        self.assertEqual(run("unimplemented"), (
            801, "compass-capture: hipGLGetDevices is not implemented by the driverless runtime; "
                 f"{PROGRAM} gets hipErrorNotSupported\n"))

    def test_wrong_accesses_are_counted_at_the_end(self):
        self.assertEqual(run(GFX950), (
            0, "compass-capture: 2 launches accessed memory that they must not; "
               "'compass-capture check' shows where\n"))

    def test_code_for_another_architecture_is_named_once(self):
        self.assertEqual(run(GFX942), (
            209, "compass-capture: no code object for gfx950:sramecc+:xnack-; the fat binary has "
                 "gfx942\n"))

    def test_right_programs_are_silent(self):
        self.assertEqual(run("count"), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
