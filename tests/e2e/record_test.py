# SPDX-License-Identifier: MIT
"""Records programs with no GPU, and reads back what was recorded."""
import unittest

from harness import FEW_CALLS, TINY_DECODER, CommandTest


class Record(CommandTest):
    def assert_same_recordings(self, arch):
        for name in ("a", "b"):
            output, _ = self.record(f"{name}.compass", arch, TINY_DECODER, "--steps", "3", "--check")
            self.assertIn("check: ok", output, "the kernels computed something else")
        shown = [self.compass("show", f"{name}.compass")[0] for name in ("a", "b")]
        self.assertIn("reshape_and_cache", shown[0])
        self.assertEqual(shown[0], shown[1])

    def test_two_recordings_show_the_same_on_gfx950(self):
        self.assert_same_recordings("gfx950")

    def test_two_recordings_show_the_same_on_gfx942(self):
        self.assert_same_recordings("gfx942")

    def test_the_archive_is_private(self):
        self.record("a.compass", "gfx950", FEW_CALLS, "exit", "0")
        self.assertEqual((self.folder / "a.compass").stat().st_mode & 0o777, 0o600)

    def test_the_status_of_the_program_is_passed_on(self):
        self.record("a.compass", "gfx950", FEW_CALLS, "exit", "7", exit_code=7)
        self.compass("show", "a.compass")

    def test_a_killed_program_leaves_a_readable_recording(self):
        self.record("a.compass", "gfx950", FEW_CALLS, "kill", exit_code=128 + 9)
        shown, _ = self.compass("show", "a.compass")
        self.assertIn("fill", shown)

    def test_a_program_without_hip_calls_says_so(self):
        _, errors = self.record("a.compass", "gfx950", "/bin/true", exit_code=3)
        self.assertIn("no HIP call", errors)

    def test_a_missing_program_is_an_error(self):
        _, errors = self.record("a.compass", "gfx950", "./no-such-program", exit_code=2)
        self.assertIn("no-such-program", errors)

    def test_an_unknown_architecture_is_an_error(self):
        _, errors = self.record("a.compass", "gfx999", FEW_CALLS, "exit", "0", exit_code=2)
        self.assertIn("unknown architecture 'gfx999': expected gfx942 or gfx950", errors)


if __name__ == "__main__":
    unittest.main()
