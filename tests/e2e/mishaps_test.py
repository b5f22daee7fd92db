# SPDX-License-Identifier: MIT
"""Records programs that go wrong: nothing of what they asked for may be missing."""
import contextlib
import glob
import os
import pathlib
import re
import shlex
import signal
import sqlite3
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

    def test_two_processes_make_one_archive(self):
        _, errors = self.record("a.compass", "gfx950", MISHAPS, "divide")
        self.assertIn(" records of 2 processes to ", errors)
        self.assertEqual(self.compass("info", "a.compass")[0].count("program       mishaps\n"), 2)

    def test_nothing_runs_where_the_output_cannot_be_a_file(self):
        os.mkfifo(self.folder / "fifo")
        (self.folder / "link").symlink_to("/dev/null")
        for output, found in [("", "no name"), (".", "a directory"), ("fifo", "a FIFO"),
                              ("/dev/null", "a device"), ("link", "a device")]:
            said, errors = self.record(output, "gfx950", "/bin/echo", "ran", exit_code=2)
            self.assertEqual(said, "")
            self.assertIn(f"'{output}': expected a file to write, found {found}", errors)

    def test_a_journal_that_cannot_be_written_is_the_cause(self):
        for blocks, status, ends_with in [(0, 0, 2), (0, 7, 7)]:
            _, errors = self.record("a.compass", "gfx950", "/bin/sh", "-c",
                                    f"ulimit -f {blocks}; exec {FEW_CALLS} exit {status}",
                                    exit_code=ends_with)
            self.assertRegex(errors, "error: nothing is recorded: .*File too large")
            self.assertNotIn("no HIP call", errors)

    def test_signals_for_the_program_reach_it(self):
        for name in ["USR1", "USR2", "CONT"]:
            script = f"trap 'echo got; exit 5' {name}; echo ready; while :; do sleep 0.1; done"
            recorder = subprocess.Popen(
                [COMPASS, "record", "--driverless", "--arch", "gfx950", "-o", "a.compass", "--",
                 "/bin/sh", "-c", script], cwd=self.folder, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, encoding="utf-8")
            self.addCleanup(recorder.kill)
            self.assertEqual(recorder.stdout.readline(), "ready\n")
            recorder.send_signal(getattr(signal, f"SIG{name}"))
            self.assertEqual(recorder.communicate()[0], "got\n")
            self.assertEqual(recorder.returncode, 3)  # no HIP call

    def test_a_text_is_no_program(self):
        script = self.folder / "text"
        script.write_text("echo ran\n")
        script.chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.folder}:/bin:/usr/bin"}
        for name in ["text", "./text"]:
            said, errors = self.compass("record", "--driverless", "--arch", "gfx950", "-o", "a",
                                        "--", name, exit_code=2, env=environment)
            self.assertEqual(said, "")
            self.assertIn(f"cannot run '{name}': Exec format error", errors)
        self.compass("record", "--driverless", "--arch", "gfx950", "-o", "a", "--", "true",
                     exit_code=3, env=environment)

    def test_a_step_is_a_decimal_number(self):
        self.record("a.compass", "gfx950", FEW_CALLS, "exit", "0")
        for step, number in [("010", "10"), ("00", "0"), ("7", "7")]:
            _, errors = self.compass("show", "--step", step, "a.compass", exit_code=2)
            self.assertIn(f"has no step {number}:", errors)

    def test_names_do_not_drive_the_terminal(self):
        _, errors = self.compass("check", "a\x1b[31m\nb", exit_code=2)
        self.assertIn("a?[31m?b does not exist", errors)

    def test_a_recording_without_an_architecture_is_named(self):
        self.record("a.compass", "gfx950", FEW_CALLS, "exit", "0")
        with contextlib.closing(sqlite3.connect(self.folder / "a.compass")) as archive:
            archive.execute("UPDATE process SET message = x''")
            archive.commit()
        _, errors = self.compass("check", "a.compass", exit_code=2)
        self.assertIn("error: a.compass: unknown architecture ''", errors)

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

    def test_an_unknown_interface_is_refused_once(self):
        newer = self.folder / "newer"
        code = pathlib.Path(MISHAPS).read_bytes()
        self.assertIn(b"libamdhip64.so.7\0", code)
        newer.write_bytes(code.replace(b"libamdhip64.so.7\0", b"libamdhip64.so.8\0"))
        newer.chmod(0o755)
        _, errors = self.record("a.compass", "gfx950", newer, "stop", exit_code=3)
        said = [line for line in errors.splitlines() if line.startswith("compass-capture: ")]
        self.assertEqual(said, ["compass-capture: the program asks for libamdhip64.so.8; the "
                                "driverless runtime has the interfaces of HIP 5, 6 and 7"])

    def test_help_shows_where_the_program_goes(self):
        shown, _ = self.compass("record", "--help")
        self.assertIn("Usage: compass-capture record [OPTIONS] -o FILE -- PROGRAM [ARGS]\n", shown)
        self.assertIn("Exit codes: ", shown)
        self.assertIn(".journal-XXXXXX", self.compass("seal", "--help")[0].replace("\n", ""))


if __name__ == "__main__":
    unittest.main()
