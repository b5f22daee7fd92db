# SPDX-License-Identifier: MIT
"""What is said of a program is the same on every run: to the byte, wherever memory is and whatever the
environment holds; ids are the same after a rebuild too."""
import json
import os
import shutil
import subprocess
import sys
import unittest

import source_variants
from harness import (BUILD, COMPASS, MISTAKES, ROOT, RULE_PAIRS, TIMEOUT_SECONDS, TINY_DECODER,
                     CommandTest)

PROGRAMS = ROOT / "fixtures/programs"

# Of each rule one, and what could bring an address of the host's or an order of threads into a report.
CASES = {
    "out-of-bounds": (TINY_DECODER, "--steps", "4", "--fault", "out-of-bounds"),
    "out-of-bounds of host memory": (MISTAKES, "host-argument"),
    "out-of-bounds of a copy": (MISTAKES, "copy-too-long"),
    "index-width": (RULE_PAIRS, "index_wraps"),
    "use-after-free": (TINY_DECODER, "--steps", "4", "--fault", "freed-activation"),
    "uninit-read": (RULE_PAIRS, "uninit_exec"),
    "misaligned-access": (MISTAKES, "misaligned"),
    "pointer-provenance": (TINY_DECODER, "--steps", "4", "--fault", "tied-weights"),
    "nan-origin": (TINY_DECODER, "--steps", "4", "--fault", "context-length"),
    "resource-limits": (RULE_PAIRS, "too_much_lds"),
    "launch-ran": (RULE_PAIRS, "poison_is_reported"),
}

# Ways to run a command: what comes before it, and what its environment has besides.
WAYS = {
    "again": ((), {}),
    "addresses not randomised": (("setarch", "-R"), {}),
    "with a large environment": ((), {"COMPASS_TEST_PADDING": "x" * 50000}),
    "with a small environment": (("env", "-i", f"PATH={os.environ['PATH']}"), {}),
    "in another language": ((), {"LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"}),
}


class SameOutput(CommandTest):
    def output(self, command, way=((), {})):
        before, variables = way
        done = subprocess.run([*before, *map(str, command)], capture_output=True, cwd=self.folder,
                              stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS, check=False,
                              encoding="utf-8", env={**os.environ, **variables})
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout

    def reports(self, program, way=((), {})):
        """What each command says of one run of the program, by the command."""
        self.output((COMPASS, "record", "--driverless", "--arch", "gfx950", "-o", "a.compass", "--",
                     *program), way)
        said = {"explain": self.output((COMPASS, "explain", "a.compass", ""), way)}
        for form in ("text", "json"):
            said[f"check {form}"] = self.output((COMPASS, "check", "a.compass", "--format", form), way)
            self.output((COMPASS, "run", "--arch", "gfx950", "--format", form, "--report", "report",
                         "--", *program), way)
            said[f"run {form}"] = (self.folder / "report").read_text(encoding="utf-8")
        return said

    def test_of_two_checks_of_one_recording(self):
        program = CASES["nan-origin"]
        self.output((COMPASS, "record", "--driverless", "--arch", "gfx950", "-o", "a.compass", "--",
                     *program))
        for words in (("check",), ("check", "--format", "json"), ("explain", "")):
            command = (COMPASS, words[0], "a.compass", *words[1:])
            expected = self.output(command)
            for name, way in WAYS.items():
                with self.subTest(name, words=words):
                    self.assertEqual(self.output(command, way), expected)

    def test_of_two_runs_of_a_program(self):
        for case, program in CASES.items():
            expected = self.reports(program)
            self.assertIn(case.split()[0], expected["check text"])
            for name in ("addresses not randomised", "with a large environment"):
                for command, said in self.reports(program, WAYS[name]).items():
                    with self.subTest(case, way=name, command=command):
                        self.assertEqual(said, expected[command])

    def built(self, name, change, *flags):
        """`mistakes` of a changed source."""
        folder = self.folder / name
        folder.mkdir()
        shutil.copy(PROGRAMS / "mistakes/mistakes.hip", folder)
        source = folder / "mistakes.hip"
        text, _ = change(source.read_text(encoding="utf-8"))
        source.write_text(text, encoding="utf-8")
        subprocess.run([sys.executable, PROGRAMS / "build_hip.py", "--arch", "gfx950", "-I", PROGRAMS,
                        *flags, "-L", BUILD / "driverless/runtime", "-o", folder / "mistakes", source],
                       check=True, timeout=TIMEOUT_SECONDS)
        return folder / "mistakes"

    def findings(self, program, case):
        self.output((COMPASS, "record", "--driverless", "--arch", "gfx950", "-o", "a.compass", "--",
                     program, case))
        report = self.output((COMPASS, "check", "a.compass", "--format", "json"))
        return json.loads(report)["findings"]

    def test_of_ids_after_a_rebuild(self):
        builds = {
            "moved lines": self.built("moved", source_variants.with_comments),
            "-O1": self.built("less", lambda text: (text, 0), "--flag=-O1"),
            "-O0 of the host": self.built("host", source_variants.with_renamed_locals,
                                          "--host-flag=-O0"),
            "-O3 of the kernels": self.built("more", lambda text: (text, 0), "--device-flag=-O3"),
        }
        code = set()
        for case in ("uninit-index", "host-argument", "null-argument", "misaligned", "copy-too-long",
                     "free-twice"):
            expected = self.findings(MISTAKES, case)
            self.assertTrue(expected)
            for name, program in builds.items():
                with self.subTest(case, build=name):
                    found = self.findings(program, case)
                    self.assertEqual([(each["id"], each["statement"]) for each in found],
                                     [(each["id"], each["statement"]) for each in expected])
                    code.update(str(each["code"]) for each in found)
        self.assertGreater(len(code), 5, "the builds are to have other code")


if __name__ == "__main__":
    unittest.main()
