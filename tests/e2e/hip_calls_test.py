# SPDX-License-Identifier: MIT
"""Every family of calls is recorded and judged, under `run` as by `check`."""
import pathlib
import sys
import unittest

from harness import BUILD, CommandTest

PROGRAM = pathlib.Path(__file__).resolve().parent / "hip_calls_program.py"
MODULE = BUILD / "tests/hip_calls.co"


class HipCalls(CommandTest):
    def reports_of(self, case, exit_code=0):
        """What `run` and `check` say of the case, but for how it was run, and the normal form."""
        self.compass("run", "--arch", "gfx950", "--report", "report", "-o", "a.compass", "--",
                     sys.executable, PROGRAM, MODULE, case, exit_code=exit_code)
        ran = self.judgement((self.folder / "report").read_text(encoding="utf-8"))
        checked, _ = self.compass("check", "a.compass", exit_code=exit_code)
        shown, _ = self.compass("show", "--full", "a.compass")
        return ran, self.judgement(checked), shown

    def assert_clean(self, case, launches):
        ran, checked, shown = self.reports_of(case)
        plural = "" if launches == 1 else "es"
        self.assertEqual(ran[0], f"checked {launches} launch{plural}, unchecked 0")
        self.assertRegex("\n".join(ran[1:]), r"\Afidelity: \d+ instructions: \d+ exact\Z")
        self.assertEqual(checked, ran)
        self.assertTrue(shown.startswith("compass normal form 3\n"))
        self.assertIn("\narchitecture gfx950\ncomplete\n", shown)
        return shown

    def assert_finding(self, case, rule):
        ran, checked, shown = self.reports_of(case, exit_code=1)
        self.assertEqual(ran, checked)
        text = "\n".join(ran)
        self.assertTrue(text.startswith(f"error: {rule}: "), text)
        self.assertEqual(text.count("error: "), 1, text)
        return text, shown

    def test_launches_of_modules(self):
        shown = self.assert_clean("module", 4)
        self.assertEqual(shown.count("scale<<<2, 64>>>("), 4)
        self.assertEqual(shown.count(") cooperative"), 1)
        self.assertIn("unload_code_object 1", shown)

    def test_a_launch_of_a_module_that_leaves_its_memory(self):
        text, _ = self.assert_finding("module_out_of_bounds", "out-of-bounds")
        self.assertIn("0 bytes past its end of 400", text)

    def test_the_per_thread_stream(self):
        shown = self.assert_clean("per_thread", 1)
        self.assertIn("synchronize stream", shown)

    def test_memory_in_stream_order(self):
        shown = self.assert_clean("stream_ordered", 2)
        self.assertEqual(shown.count(" async\n"), 6)

    def test_a_use_of_memory_that_was_freed_in_stream_order(self):
        self.assert_finding("use_after_stream_ordered_free", "use-after-free")

    def test_copies_and_fills_of_rows(self):
        ran, checked, shown = self.reports_of("rows", exit_code=3)
        self.assertEqual(ran, checked)
        self.assertIn("96 B in 4 rows, pitch 24 -> 64\n", shown)
        self.assertIn("96 B in 4 rows, pitch 64 -> 24 async\n", shown)
        self.assertIn("with 0x07 16 B in 2 rows, pitch 64\n", shown)

    def test_a_copy_of_too_many_rows_is_one_finding_a_side(self):
        ran, checked, _ = self.reports_of("rows_out_of_bounds", exit_code=1)
        self.assertEqual(ran, checked)
        text = "\n".join(ran)
        self.assertEqual(text.count("error: out-of-bounds: "), 2, text)

    def test_variables_of_a_module(self):
        shown = self.assert_clean("symbols", 2)
        self.assertIn("table global 16 B", shown)
        self.assertIn("scale<<<1, 64>>>(table, ", shown)

    def test_variables_of_linked_code(self):
        shown = self.assert_clean("linked_symbols", 1)
        self.assertIn("copy h2d host -> table[+8] 8 B\n", shown)
        self.assertIn("copy d2h table[+12] -> host 4 B\n", shown)

    def test_a_fill_beyond_a_variable(self):
        text, _ = self.assert_finding("symbol_too_long", "out-of-bounds")
        self.assertIn("table", text)

    def test_values_that_streams_write_and_wait_for(self):
        ran, checked, shown = self.reports_of("stream_values", exit_code=3)
        self.assertEqual(ran, checked)
        self.assertIn("with 0x0000000100000002 8 B async", shown)
        self.assertIn(" eq 0x00000002 mask 0x000000ff\n", shown)

    def test_every_kind_of_memory(self):
        _, errors = self.compass("run", "--arch", "gfx950", "-o", "a.compass", "--",
                                 sys.executable, PROGRAM, MODULE, "memory_kinds")
        self.assertIn("checked 3 launches, unchecked 0\n", errors)
        shown, _ = self.compass("show", "--full", "a.compass")
        self.assertIn(" managed 256 B", shown)
        self.assertIn(" device 1024 B", shown)
        self.assertEqual(shown.count(" pinned 256 B"), 2)

    def test_a_reset_of_the_device_frees_its_memory(self):
        shown = self.assert_clean("device_reset", 2)
        self.assertEqual(shown.count("  free "), 2)

    def test_calls_that_ask_for_several_things(self):
        shown = self.assert_clean("batches", 2)
        self.assertEqual(shown.count("copy d2d "), 2)

    def test_functions_that_the_runtime_hands_out(self):
        shown = self.assert_clean("entry_point", 1)
        self.assertIn("with 0x00000001 256 B", shown)

    def test_a_call_that_is_not_recorded_is_named_once(self):
        _, errors = self.compass("run", "--arch", "gfx950", "--", sys.executable, PROGRAM, MODULE,
                                 "not_recorded", "libamdhip64.so.5", exit_code=3)
        said = "the recording is incomplete: hipMemsetD32 is not recorded\n"
        # When it was called, and in the report.
        self.assertEqual(errors.count(said), 2, errors)


if __name__ == "__main__":
    unittest.main()
