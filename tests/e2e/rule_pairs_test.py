# SPDX-License-Identifier: MIT
"""Pairs for each rule: what breaks one is found, alone; its twin, and what only looks wrong, is not."""
import json
import os
import subprocess
import unittest

from harness import BUILD, COMPASS, DECODER, CommandTest

RULE_PAIRS = str(BUILD / "fixtures/programs/rule_pairs/rule_pairs")

# Rule, level, kernel, names of facets, and a part of what the end of the story says; cases that are
# not here break no rule.
UNWRITTEN = "nobody since it was allocated"
FOUND = {
    "uninit_address": ("uninit-read", "error", "gather", (), UNWRITTEN),
    "uninit_branch": ("uninit-read", "error", "branch", (), UNWRITTEN),
    "uninit_exec": ("uninit-read", "error", "exec", (), UNWRITTEN),
    "uninit_lds": ("uninit-read", "error", "lds_gather", (), None),
    "uninit_scratch": ("uninit-read", "error", "scratch_gather", (), None),
    "uninit_moved_address": ("uninit-read", "error", "gather", (), UNWRITTEN),
    "uninit_reallocated": ("uninit-read", "error", "gather", (), UNWRITTEN),
    "stray_read": ("pointer-provenance", "error", "read_at", (), "the launch itself"),
    "overflow": ("nan-origin", "warning", "multiply", (), "copy h2d"),
    "division_by_zero": ("nan-origin", "warning", "inverse", (), "copy h2d"),
    "negative_root": ("nan-origin", "warning", "root", (), "copy h2d"),
    "matrix_overflow": ("nan-origin", "warning", "matrix", (), "copy h2d"),
    "overflow_goes_on": ("nan-origin", "warning", "multiply", (), "copy h2d"),
    "index_wraps": ("out-of-bounds", "error", "row_32", ("index-width",), "the launch itself"),
    "index_does_not_wrap": ("out-of-bounds", "error", "row_64", (), "the launch itself"),
    "past_the_end": ("out-of-bounds", "error", "row_32", (), "the launch itself"),
    "before_the_start": ("out-of-bounds", "error", "row_32", (), "the launch itself"),
    "past_lds": ("out-of-bounds", "error", "dynamic_lds", (), "the launch itself"),
    "null_pointer": ("out-of-bounds", "error", "move", (), "the launch itself"),
    "misaligned_atomic": ("misaligned-access", "error", "add_at", (), "the launch itself"),
    "read_after_free": ("use-after-free", "error", "move", (), "the launch itself"),
    "too_much_lds": ("resource-limits", "error", "dynamic_lds", ("launch-ran",), None),
    "too_many_work_items": ("resource-limits", "error", "bounded", ("launch-ran",), None),
    "beyond_launch_bounds": ("resource-limits", "error", "bounded", ("launch-ran",), None),
    "empty_grid": ("launch-ran", "error", "bounded", (), None),
    "poison_is_reported": ("launch-ran", "error", "report", (), None),
}


class RulePairs(CommandTest):
    def listed(self):
        env = {**os.environ, "LD_LIBRARY_PATH": str(BUILD / "driverless/runtime"),
               "COMPASS_ARCH": "gfx950", "COMPASS_DECODER": DECODER}
        return subprocess.run([RULE_PAIRS], capture_output=True, check=True, encoding="utf-8",
                              env=env).stdout.split()

    def findings(self, exit_code, *words, program=()):
        done = subprocess.run([COMPASS, *words, "--fail-on", "warning", "--format", "json", *program],
                              capture_output=True, check=False, cwd=self.folder, encoding="utf-8")
        self.assertEqual(done.returncode, exit_code, done.stderr + done.stdout)
        report = json.loads(done.stdout)
        self.assertEqual(report["launches"]["unchecked"], 0)
        return report["findings"]

    def assert_found(self, case, findings):
        rule, level, kernel, facets, story = FOUND[case]
        self.assertEqual([(finding["rule"], finding["level"]) for finding in findings], [(rule, level)])
        finding = findings[0]
        self.assertRegex(finding["kernel"], rf"\b{kernel}\b")
        self.assertEqual([facet["name"] for facet in finding["facets"]], list(facets))
        if story is not None:
            self.assertIn(story, finding["story"][-1]["written_by"]["text"])
            self.assertTrue(finding["operands"])
            self.assertTrue(finding["code"])

    def test_each_case_is_what_it_says(self):
        cases = self.listed()
        self.assertLessEqual(set(FOUND), set(cases))
        self.assertGreater(len(cases), 2 * len(FOUND))
        for arch in ("gfx950", "gfx942"):
            for case in cases:
                with self.subTest(case, arch=arch):
                    exit_code = 1 if case in FOUND else 0
                    self.record("a.compass", arch, RULE_PAIRS, case)
                    checked = self.findings(exit_code, "check", "a.compass")
                    ran = self.findings(exit_code, "run", "--arch", arch, "--report", "/dev/stdout",
                                        program=("--", RULE_PAIRS, case))
                    self.assertEqual(ran, checked)
                    if case in FOUND:
                        self.assert_found(case, checked)
                    else:
                        self.assertEqual(checked, [])


if __name__ == "__main__":
    unittest.main()
