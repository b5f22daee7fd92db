# SPDX-License-Identifier: MIT
"""Graphs, however they are made, are recorded with what they run and judged node by node."""
import re
import unittest

from harness import GRAPHS, CommandTest

# Case: launches of kernels in all.
CASES = {"captured": 2, "filling-nothing": 2, "by-hand": 1, "changed": 1, "cloned": 2,
         "nested": 2, "set": 2, "switched": 1, "updated": 4, "launch-captured": 2}


class Graph(CommandTest):
    def run_both(self, case, exit_code):
        """The report of `run`, which must be what `check` says of the archive."""
        self.compass("run", "--arch", "gfx950", "--report", "report", "-o", "a.compass", "--",
                     GRAPHS, case, exit_code=exit_code)
        report = (self.folder / "report").read_text(encoding="utf-8")
        checked, _ = self.compass("check", "a.compass", exit_code=exit_code)
        self.assertEqual(self.judgement(report), self.judgement(checked))
        self.assertNotIn("incomplete", report)
        return report

    def test_sound_graphs_are_silent_and_every_launch_counts(self):
        for case, launches in CASES.items():
            with self.subTest(case):
                report = self.run_both(f"sound-{case}", 0)
                self.assertRegex(report, rf"^checked {launches} launch(es)?, unchecked 0\n")

    def test_a_mistake_is_one_finding_at_its_node(self):
        for case in CASES:
            with self.subTest(case):
                report = self.run_both(case, 1)
                self.assertEqual(report.count("error: "), 1, report)
                self.assertIn("error: out-of-bounds: graphs::increment", report)
                self.assertIn("past the end of graphs::increment.arg0 ", report)
                self.assertRegex(report, r"launch +\d+, record \d+ \(node of record \d+\), "
                                         r"outside steps, phase replay\n")

    def test_the_normal_form_has_what_the_nodes_do(self):
        self.run_both("sound-captured", 0)
        shown, _ = self.compass("show", "a.compass")
        self.assertRegex(shown, r"begin_capture global\n")
        captured = shown[shown.index("phase captured"):]
        for line in (r"graphs::increment<<<1, 128>>>\(\S+, 64\)", "host_function",
                     r"fill \S+ with 0x01 256 B async", "end_capture graph 1",
                     r"instantiate_graph 1 graph=1 nodes=5 edges=", "launch_graph 1"):
            self.assertRegex(captured, line)

    def test_two_recordings_have_one_normal_form(self):
        texts = []
        for _ in range(2):
            self.run_both("sound-updated", 0)
            texts.append(self.compass("show", "a.compass")[0])
        self.assertEqual(*texts)

    def test_views_count_launches_as_reports_do(self):
        report = self.run_both("updated", 1)
        ordinal = int(re.search(r"launch +(\d+), record (\d+)", report)[1])
        rows, _ = self.compass("info", "a.compass")
        self.assertRegex(rows, r"4 +graphs::increment")
        self.assertLessEqual(ordinal, 4)


if __name__ == "__main__":
    unittest.main()
