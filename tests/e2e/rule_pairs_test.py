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
    "uninit_lds": ("uninit-read", "error", "lds_gather", (), "nobody in this launch"),
    "uninit_scratch": ("uninit-read", "error", "scratch_gather", (), "nobody in this launch"),
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
    "uninit_in_two_steps": ("uninit-read", "error", "gather", (), UNWRITTEN),
    "uninit_in_a_graph": ("uninit-read", "error", "gather", (), UNWRITTEN),
    "stray_through_table": ("pointer-provenance", "error", "read_at_through", (), "copy h2d"),
    "logarithm_of_zero": ("nan-origin", "warning", "logarithm", (), "copy h2d"),
    "half_overflow": ("nan-origin", "warning", "to_half", (), "copy h2d"),
    "softmax_of_nothing": ("nan-origin", "warning", "softmax", (), "copy h2d"),
    "bytes_wrap": ("out-of-bounds", "error", "bytes_32", ("index-width",), "the launch itself"),
    "sum_wraps": ("out-of-bounds", "error", "sum_32", ("index-width",), "the launch itself"),
    "past_scratch": ("out-of-bounds", "error", "store_scratch", (), "the launch itself"),
    "pointer_to_nothing": ("out-of-bounds", "error", "move", (), "the launch itself"),
    "misaligned_long_atomic": ("misaligned-access", "error", "add_long_at", (), "the launch itself"),
    "poison_is_reported": ("launch-ran", "error", "report", (), None),
}

# Of some of them: how the statement and the address begin, where the story's last value lies, and
# the step of each writer.
SAID = {
    "uninit_in_two_steps": ("lets undefined bytes of move.out (allocation 2) decide an address",
                            "move.out (allocation 2) + 0 of 256 bytes", "move.in (allocation 1) + 0",
                            [1, None]),
    "uninit_in_a_graph": ("lets undefined bytes of gather.index ", "gather.index ", "gather.index ",
                          [None]),
    "uninit_lds": ("lets undefined bytes of LDS decide an address", "LDS + 252 of 256 bytes",
                   "LDS", [None]),
    "stray_through_table": ("reads device.1 (allocation 2), to which none of its arguments leads",
                            "device.1 (allocation 2) + 0 of 256 bytes",
                            "read_at_through.table (allocation 3) + 0", [None]),
    "half_overflow": ("makes infinity of finite numbers and stores it in to_half.out ",
                      "to_half.out ", "to_half.in ", [None]),
    "bytes_wrap": ("reads before the start of bytes_32.in ",
                   "bytes_32.in (allocation 1) - 2147483648, 2147483648 bytes before its start, of 64",
                   "arguments in, row = 65536, stride = 32768", [None]),
    "past_scratch": ("writes past the end of scratch", "scratch + 4194304, ",
                     "argument index = 0x100000 (1048576)", [None]),
    "past_lds": ("writes past the end of LDS", "LDS + 256, 0 bytes past its end of 256",
                 "argument index = 64", [None]),
    "pointer_to_nothing": ("reads memory through in, which points into no allocation",
                           "in + 0, in no allocation",
                            "argument in", [None]),
    "misaligned_long_atomic": ("updates misaligned bytes of add_long_at.counters ",
                               "add_long_at.counters (allocation 1) + 4 of 520 bytes",
                               "arguments offset_bytes = 4, counters", [None]),
}


def without_namespace(text):
    return text.replace("rule_pairs::", "")


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
        if kernel in ("row_32", "row_64"):  # not the nearest buffer, but the one that it indexes
            self.assertEqual(finding["places"][0]["argument"], "in")
        if story is not None:
            self.assertIn(story, finding["story"][-1]["written_by"]["text"])
            self.assertTrue(finding["operands"])
            self.assertTrue(finding["code"])

    def assert_said(self, case, finding):
        statement, address, source, steps = SAID[case]
        story = finding["story"]
        for expected, text in ((statement, finding["statement"]),
                               (address, finding["places"][0]["address"]["text"]),
                               (source, story[-1]["place"])):
            self.assertEqual(without_namespace(text)[:len(expected)], expected)
        self.assertEqual([link["written_by"]["step"] for link in story], steps)

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
                        if case in SAID:
                            self.assert_said(case, checked[0])
                    else:
                        self.assertEqual(checked, [])


if __name__ == "__main__":
    unittest.main()
