# SPDX-License-Identifier: MIT
"""What the end-to-end tests share: they run the built programs as a user would.

The build folder comes from COMPASS_BUILD, else it is build/.
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

# Shells have what they run in the background ignore these, or nohup does, and so all that it starts.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    signal.signal(number, signal.SIG_DFL)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("COMPASS_BUILD", ROOT / "build")).resolve()
COMPASS = str(BUILD / "cli/compass-capture")
COMPARE_ACCESSES = str(BUILD / "tests/compare_accesses")
TINY_DECODER = str(BUILD / "fixtures/programs/tiny_decoder/tiny_decoder")
MISHAPS = str(BUILD / "fixtures/programs/mishaps/mishaps")
GRAPHS = str(BUILD / "fixtures/programs/graphs/graphs")
RELATIVES = str(BUILD / "fixtures/programs/relatives/relatives")
RULE_PAIRS = str(BUILD / "fixtures/programs/rule_pairs/rule_pairs")
MISTAKES = str(BUILD / "fixtures/programs/mistakes/mistakes")
FEW_CALLS = str(BUILD / "tests/few_calls")
STAGING = str(BUILD / "fixtures/programs/staging/staging")
PLAY_RESULTS = str(BUILD / "tests/play_results")
PRINT_CONTENTS = str(BUILD / "tests/print_contents")
PLAY_WITHOUT_CONTENT = str(BUILD / "tests/play_without_content")
DECODER = str(BUILD / "driverless/decode/compass-decode")
TIMEOUT_SECONDS = 300


class CommandTest(unittest.TestCase):
    """A test with an empty folder of its own in `self.folder`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compass(self, *words, exit_code=0, env=None):
        """Runs compass-capture, which must end with `exit_code`; what it printed on each stream."""
        done = subprocess.run([COMPASS, *map(str, words)], capture_output=True, cwd=self.folder,
                              stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS, check=False,
                              encoding="utf-8", env=env)
        self.assertEqual(done.returncode, exit_code,
                         f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    @staticmethod
    def judgement(report):
        """The lines of a report, without the one that says how the launches were run."""
        return [line for line in report.splitlines() if not line.startswith("compass-capture ")]

    def record(self, archive, arch, *program, exit_code=0):
        return self.compass("record", "--driverless", "--arch", arch, "-o", archive, "--", *program,
                            exit_code=exit_code)
