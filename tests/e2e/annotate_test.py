# SPDX-License-Identifier: MIT
"""What a Python program says of itself is in its recording, and in the findings."""
import json
import pathlib
import sys
import unittest

from harness import BUILD, CommandTest

PROGRAM = pathlib.Path(__file__).resolve().parent / "annotate_program.py"
MODULE = BUILD / "tests/hip_calls.co"


class Annotate(CommandTest):
    def run_case(self, case, exit_code=0, *options):
        return self.compass("run", "--arch", "gfx950", *options, "-o", "a.compass", "--",
                            sys.executable, PROGRAM, MODULE, case, exit_code=exit_code)

    def lines(self):
        shown, _ = self.compass("show", "a.compass")
        return [line.strip() for line in shown.splitlines()]

    def test_marks_stand_where_they_were_made(self):
        _, errors = self.run_case("engine")
        self.assertIn("checked 3 launches, unchecked 0\n", errors)
        self.assertNotIn("Warning", errors)
        lines = self.lines()
        self.assertIn("complete", lines)
        for line in ("kv device 1024 B role=kv-cache dtype=i32 shape=4x64",
                     "hidden device 512 B in device.0", "logits device 256 B in device.0"):
            self.assertIn(line, lines)
        marks = [line for line in lines if line.split(" ")[0] in (
            "declare_pool", "declare_sentinel", "sleep", "wake", "report", "allocate_block",
            "free_block", "step", "phase")]
        self.assertEqual(marks, [
            "declare_pool kv name=kv unit=block rows=4 row_bytes=256 reserved=0 said_by=runner",
            "declare_sentinel null role=write-index pool=kv unit=slot values=-1",
            "step 1 dummy real_rows=0 padded_rows=4",
            "phase warmup",
            "step 2 decode real_rows=3 padded_rows=4 requests=7,8,9 positions=5,6,7 may_end=0,0,1 "
            "output",
            "allocate_block hidden", "free_block hidden", "allocate_block logits",
            "report logits 256 B requests=7,8,9 ids=0,0,0",
            "sleep level=1 tag=kv", "wake tag=kv", "free_block logits"])
        launches = [line for line in lines if line.startswith("scale<<<")]
        self.assertEqual([line.partition("(")[2].partition(",")[0] for line in launches],
                         ["kv", "hidden", "logits"])
        checked, _ = self.compass("check", "a.compass")
        self.assertIn("checked 3 launches, unchecked 0\n", checked)

    def test_a_finding_names_the_block_and_its_segment(self):
        _, live = self.run_case("out_of_bounds", 1)
        checked, _ = self.compass("check", "a.compass", exit_code=1)
        for text in (live, checked):
            self.assertIn("scale reads past the end of logits (allocation 3)", text)
            self.assertIn("logits (allocation 3) + 256, 0 bytes past its end of 256, in device.0 "
                          "(allocation 1) + 1024, 0 bytes past its end of 1024\n", text)
        output, _ = self.compass("check", "a.compass", "--format", "json", exit_code=1)
        address = json.loads(output)["findings"][0]["places"][0]["address"]
        self.assertEqual((address["buffer"], address["segment"]),
                         ("logits (allocation 3)",
                          {"allocation": 1, "buffer": "device.0 (allocation 1)",
                           "offset_bytes": 1024, "buffer_bytes": 1024}))

    def test_blocks_are_no_bounds_of_their_own(self):
        _, live = self.run_case("beside_its_block")
        checked, _ = self.compass("check", "a.compass")
        for text in (live, checked):
            self.assertIn("checked 1 launch, unchecked 0\n", text)

    def test_a_program_that_only_marks_calls_no_hip(self):
        for command in (("run",), ("record", "--driverless", "-o", "b.compass")):
            for case, message in (("scheduler", "no HIP call was seen in"),
                                  ("asks", "HIP was called in")):
                with self.subTest(f"{command[0]} {case}"):
                    _, errors = self.compass(*command, "--arch", "gfx950", "--", sys.executable,
                                             PROGRAM, MODULE, case, exit_code=3)
                    self.assertIn(message, errors)

    def test_a_scheduler_does_not_hide_its_worker(self):
        script = " && ".join(f"{sys.executable} {PROGRAM} {MODULE} {case}"
                             for case in ("scheduler", "engine"))
        _, errors = self.compass("run", "--arch", "gfx950", "--", "/bin/sh", "-c", script)
        self.assertIn("checked 3 launches, unchecked 0\n", errors)
        self.compass("record", "--driverless", "--arch", "gfx950", "-o", "b.compass", "--",
                     "/bin/sh", "-c", script)
        checked, _ = self.compass("check", "b.compass")
        self.assertIn("checked 3 launches, unchecked 0\n", checked)


if __name__ == "__main__":
    unittest.main()
