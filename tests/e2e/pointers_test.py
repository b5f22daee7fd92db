# SPDX-License-Identifier: MIT
"""Programs that find HIP in different ways are recorded alike, over our runtime and over AMD's."""
import os
import subprocess
import unittest

from harness import BUILD, TIMEOUT_SECONDS, CommandTest

RUNTIMES = BUILD / "driverless/runtime"
AMDS = BUILD / "tests/pointers_amd"


def program(kind):
    return BUILD / f"tests/pointers{kind}"


class OverOurRuntime(CommandTest):
    def recording_of(self, name, *words):
        """What the program printed, and the normal form."""
        output, errors = self.record(f"{name}.compass", "gfx950", *words)
        self.assertNotIn("incomplete", errors)
        return output, self.compass("show", f"{name}.compass")[0]

    def test_each_call_is_recorded_once_whatever_pointer_it_goes_through(self):
        linked = self.recording_of("linked", program("_linked"), "linked")
        output, shown = linked
        self.assertIn("1 devices, 7 at 15, 0 at 16", output)
        self.assertIn("\ncomplete\n", shown)
        for line, count in (("  allocate ", 1), ("  copy ", 2), ("  fill ", 2), ("  free ", 1),
                            (" failed 1\n", 1)):
            self.assertEqual(shown.count(line), count, f"{line}\n{shown}")
        for major in (6, 7):
            runtime = RUNTIMES / f"libamdhip64.so.{major}"
            for way, where in (("looked-up", runtime), ("unseen", runtime)):
                with self.subTest(way=way, major=major):
                    self.assertEqual(self.recording_of(way, program(""), way, where), linked)
        with self.subTest("deep"):
            plugin = BUILD / "tests/libpointers_plugin.so"
            self.assertEqual(self.recording_of("deep", program(""), "deep", plugin), linked)

    def test_a_runtime_older_than_the_dispatch_table_has_none(self):
        runtime = RUNTIMES / "libamdhip64.so.5"
        output, _ = self.record("a.compass", "gfx950", program(""), "unseen", runtime, exit_code=3)
        self.assertIn("1 devices, 7 at 15, 0 at 16", output)


@unittest.skipUnless(AMDS.exists(), "AMD's libamdhip64 is not installed")
class OverAmdsRuntime(CommandTest):
    """There is no driver here: AMD's runtime refuses every call."""

    # Meson's tests find our runtime first.
    ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}

    def assert_recorded_unchanged(self, *words):
        alone = subprocess.run([*map(str, words)], capture_output=True, check=True, text=True,
                               stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS,
                               env=self.ENVIRONMENT).stdout
        self.assertIn("hipInit: hipErrorInvalidDevice, ", alone)
        output, errors = self.compass("record", "-o", "a.compass", "--", *words,
                                      env=self.ENVIRONMENT)
        self.assertEqual(output, alone)
        self.assertNotIn("no HIP call", errors)
        return self.compass("show", "a.compass")[0]

    def test_a_linked_program_gets_the_same_results_and_its_failures_are_recorded(self):
        shown = self.assert_recorded_unchanged(AMDS, "linked")
        self.assertEqual(shown.split("stream 0\n")[1].rstrip().splitlines(), [
            "    copy h2d host -> null 64 B failed 101",
            "    fill null with 0x07 16 B failed 101",
            "    copy d2h null -> host 64 B failed 101",
            "    fill null with 0x07 16 B failed 101",
        ])

    def test_a_program_that_opens_it_is_recorded_alike(self):
        linked = self.assert_recorded_unchanged(AMDS, "linked")
        opened = self.assert_recorded_unchanged(program(""), "looked-up", "libamdhip64.so.5")
        self.assertEqual(opened, linked)


if __name__ == "__main__":
    unittest.main()
