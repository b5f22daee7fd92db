# SPDX-License-Identifier: MIT
"""Records programs that go wrong: nothing of what they asked for may be missing."""
import glob
import os
import pathlib
import re
import shlex
import signal
import subprocess
import time
import unittest

from harness import COMPASS, FEW_CALLS, MISHAPS, TINY_DECODER, CommandTest


class Mishaps(CommandTest):
    def record_mishap(self, what):
        output, errors = self.record("a.compass", "gfx950", MISHAPS, what)
        return output, errors, self.compass("show", "a.compass")[0]

    def test_a_launch_that_cannot_end_fails_when_the_host_waits(self):
        output, errors, shown = self.record_mishap("stop")
        self.assertEqual(output, "launch 0\nsynchronize 719\nlaunch 0\ncopy 719\n")
        self.assertIn("a launch could not run to its end: kernel ", errors)
        self.assertRegex(shown, r"unsupported<<<1, 64>>>\(\S+\)\n")
        self.assertRegex(shown, r"store<<<1, 64>>>\(\S+\)\n")
        self.assertRegex(shown, r"copy d2h \S+ -> host 4 B failed 719\n")
        checked, _ = self.compass("check", "a.compass", exit_code=3)
        self.assertIn("unsupported", checked)

    def shown_so_far(self):
        folder, = glob.glob(f"{self.folder}/a.compass.journal-*")
        sealed = subprocess.run([COMPASS, "seal", folder, "-o", "so_far.compass"], check=False,
                                cwd=self.folder, capture_output=True)
        return self.compass("show", "so_far.compass")[0] if sealed.returncode == 0 else ""

    def start_hanging(self):
        """Records until an endless launch runs; the recorder, and the program's process id."""
        recorder = subprocess.Popen(
            [COMPASS, "record", "--driverless", "--arch", "gfx950", "-o", "a.compass", "--",
             MISHAPS, "hang"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8")
        self.addCleanup(recorder.communicate)
        self.addCleanup(recorder.kill)
        program = int(recorder.stdout.readline().split()[1])
        while "endless<<<" not in self.shown_so_far():
            self.assertIsNone(recorder.poll(), "the launch must not end")
            time.sleep(0.1)
        return recorder, program

    def test_an_endless_launch_is_recorded_when_the_program_is_killed(self):
        recorder, program = self.start_hanging()
        os.kill(program, signal.SIGKILL)
        recorder.communicate()
        self.assertEqual(recorder.returncode, 128 + 9)
        self.assertIn("endless<<<1, 64>>>", self.compass("show", "a.compass")[0])

    def test_a_folder_of_journals_is_sealed_when_the_recorder_is_killed(self):
        recorder, program = self.start_hanging()
        recorder.kill()
        os.kill(program, signal.SIGKILL)
        folder, = glob.glob(f"{self.folder}/a.compass.journal-*")
        self.compass("seal", folder, "-o", "a.compass")
        self.assertIn("endless<<<1, 64>>>", self.compass("show", "a.compass")[0])

    def test_what_failed_is_recorded_with_its_status(self):
        output, _, shown = self.record_mishap("fail")
        self.assertEqual(output, "launch 9\nlaunch 9\ncopy 1\nfill 1\nfree 1\nfree 0\ncopy 1\n"
                                 "free 1\n")
        failed = [line.strip() for line in shown.splitlines() if " failed " in line]
        self.assertEqual(failed, [
            "store<<<0, 64>>>(store.arg0) failed 9",
            "copy h2d host -> store.arg0 260 B failed 1",
            "fill store.arg0 with 0x00 260 B failed 1",
            "free store.arg0 failed 1",
            "copy d2h store.arg0 (freed) -> host 256 B failed 1",
            "free store.arg0 failed 1"])
        self.assertIn("6 of them failed", self.compass("info", "a.compass")[0])

    def test_two_processes_are_refused_with_a_command_for_each(self):
        _, errors = self.record("a.compass", "gfx950", MISHAPS, "divide", exit_code=2)
        self.assertTrue(errors.startswith("compass-capture: error: 2 processes called HIP"), errors)
        commands = re.findall(r"^  (compass-capture seal .*)$", errors, re.MULTILINE)
        self.assertEqual(len(commands), 2)
        for command in commands:
            words = shlex.split(command, comments=True)
            self.compass(*words[1:])
            self.assertIn("program       mishaps\n", self.compass("info", words[-1])[0])

    def test_nothing_runs_where_the_output_cannot_be_a_file(self):
        os.mkfifo(self.folder / "fifo")
        (self.folder / "link").symlink_to("/dev/null")
        for output, found in [("", "no name"), (".", "a directory"), ("fifo", "a FIFO"),
                              ("/dev/null", "a device"), ("link", "a device")]:
            said, errors = self.record(output, "gfx950", "/bin/echo", "ran", exit_code=2)
            self.assertEqual(said, "")
            self.assertIn(f"'{output}': expected a file to write, found {found}", errors)

    def test_a_link_is_written_through(self):
        (self.folder / "a.compass").symlink_to("b.compass")
        self.record_mishap("stop")
        self.assertTrue((self.folder / "a.compass").is_symlink())
        self.compass("info", "b.compass")

    def test_journals_that_are_kept_come_with_the_command_that_seals_them(self):
        script = f"{FEW_CALLS} exit 0; mkdir a.compass"
        _, errors = self.record("a.compass", "gfx950", "/bin/sh", "-c", script, exit_code=2)
        self.assertTrue(errors.startswith("compass-capture: error: "), errors)
        command, = re.findall(r"^  (compass-capture seal .*)$", errors, re.MULTILINE)
        (self.folder / "a.compass").rmdir()
        self.compass(*shlex.split(command)[1:])
        self.compass("info", "a.compass")

    def test_a_missing_runtime_is_said(self):
        program = [COMPASS, "record", "-o", "a.compass", "--", TINY_DECODER]
        environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
        done = subprocess.run(program, cwd=self.folder, capture_output=True, encoding="utf-8",
                              env=environment, check=False)
        if done.returncode == 0:
            self.skipTest("there is a HIP runtime here")
        self.assertEqual(done.returncode, 3)
        self.assertIn("compass-capture: error: no HIP runtime was found here: add --driverless "
                      "--arch gfx950", done.stderr)

    def test_an_older_interface_is_refused_once(self):
        older = self.folder / "older"
        code = pathlib.Path(MISHAPS).read_bytes()
        self.assertIn(b"libamdhip64.so.7\0", code)
        older.write_bytes(code.replace(b"libamdhip64.so.7\0", b"libamdhip64.so.6\0"))
        older.chmod(0o755)
        _, errors = self.record("a.compass", "gfx950", older, "stop", exit_code=3)
        said = [line for line in errors.splitlines() if line.startswith("compass-capture: ")]
        self.assertEqual(said, ["compass-capture: the program asks for libamdhip64.so.6; only HIP "
                                "7's interface is offered"])

    def test_help_shows_where_the_program_goes(self):
        shown, _ = self.compass("record", "--help")
        self.assertIn("Usage: compass-capture record [OPTIONS] -o FILE -- PROGRAM [ARGS]\n", shown)
        self.assertIn("Exit codes: ", shown)
        self.assertIn(".journal-XXXXXX", self.compass("seal", "--help")[0].replace("\n", ""))


if __name__ == "__main__":
    unittest.main()
