# SPDX-License-Identifier: MIT
"""Runs programs with no GPU under `run`: it says what `check` says of a recording of the same run."""
import json
import os
import signal
import subprocess
import unittest

from harness import COMPASS, FEW_CALLS, MISHAPS, MISTAKES, TINY_DECODER, CommandTest


class Run(CommandTest):
    def compass_run(self, *words, arch="gfx950", exit_code=0):
        return self.compass("run", "--arch", arch, *words, exit_code=exit_code)

    def assert_as_check_says(self, report, exit_code):
        """`report` is of the run that made the archive a.compass."""
        checked, _ = self.compass("check", "a.compass", exit_code=exit_code)
        self.assertEqual(self.judgement(report), self.judgement(checked))

    def report_of(self, *words, exit_code=0, **options):
        self.compass_run("--report", "report", *words, exit_code=exit_code, **options)
        return (self.folder / "report").read_text(encoding="utf-8")

    def test_a_clean_program_is_silent_but_for_the_count(self):
        for arch in ("gfx950", "gfx942"):
            with self.subTest(arch):
                output, errors = self.compass_run("--fail-on", "warning", "--", TINY_DECODER,
                                                  "--steps", "3", "--check", arch=arch)
                self.assertIn("check: ok", output)
                self.assertRegex(errors, r"^checked [1-9]\d* launches, unchecked 0\n"
                                         rf"compass-capture \S+, tiny_decoder ran on {arch}\n"
                                         r"fidelity: \d+ instructions: \d+ exact, .*\n$")

    def test_findings_are_those_of_check(self):
        for fault, rule in (("out-of-bounds", "out-of-bounds"), ("use-after-free", "use-after-free")):
            with self.subTest(fault):
                report = self.report_of("-o", "a.compass", "--", TINY_DECODER, "--steps", "3",
                                        "--fault", fault, exit_code=1)
                self.assertTrue(report.startswith(f"error: {rule}: tiny_decoder::"), report)
                self.assertEqual(report.count("error: "), 1)
                self.assert_as_check_says(report, 1)

    def test_every_mistake_is_judged_as_check_judges_it(self):
        for case, exit_code in {"none": 0, "uninit-index": 1, "uninit-table": 0,
                                "null-argument": 1, "host-argument": 1, "misaligned": 1,
                                "copy-too-long": 1, "copy-after-free": 1, "fill-after-free": 1,
                                "free-twice": 1}.items():
            with self.subTest(case):
                report = self.report_of("-o", "a.compass", "--", MISTAKES, case,
                                        exit_code=exit_code)
                self.assert_as_check_says(report, exit_code)

    def test_what_a_recording_does_not_keep_is_known_while_it_runs(self):
        for case in ("large-index", "pinned-index"):
            with self.subTest(case):
                report = self.report_of("--", MISTAKES, case)
                self.assertRegex(report, r"^checked [1-9] launch(es)?, unchecked 0\n")

    def test_the_status_of_the_program_wins(self):
        self.compass_run("--", FEW_CALLS, "exit", "7", exit_code=7)

    def test_a_program_without_launches_is_no_pass(self):
        _, errors = self.compass_run("--", FEW_CALLS, "exit", "0", exit_code=3)
        self.assertIn("checked 0 launches", errors)

    def test_a_program_without_hip_calls_is_named_so(self):
        _, errors = self.compass_run("--", "/bin/true", exit_code=3)
        self.assertIn("no HIP call", errors)
        self.assertNotIn("checked", errors)

    def test_a_missing_program_is_an_error(self):
        _, errors = self.compass_run("--", "./no-such-program", exit_code=2)
        self.assertIn("no-such-program", errors)

    def test_an_unknown_architecture_is_an_error(self):
        _, errors = self.compass_run("--", FEW_CALLS, arch="gfx999", exit_code=2)
        self.assertIn("unknown architecture 'gfx999': expected gfx942 or gfx950", errors)

    def test_what_is_declared_is_checked_before_the_program_starts(self):
        for words, message in ((["--set", "mem=1"], "expected memory, lds, compute-units or clock"),
                               (["--set", "memory=lots"], "cannot set memory to 'lots'"),
                               (["--devices", "0"], "expected 1 to 64")):
            with self.subTest(words):
                output, errors = self.compass_run(*words, "--", TINY_DECODER, exit_code=2)
                self.assertEqual(output, "")
                self.assertIn(message, errors)

    def test_the_program_follows_whatever_is_declared(self):
        for words in (["--set", "memory=8GiB", "--set", "compute-units=64"], ["--devices", "2"],
                      ["--copies", "late"], ["--set", "memory=8GiB"]):
            with self.subTest(words):
                output, _ = self.compass_run(*words, "--", TINY_DECODER, "--steps", "3", "--check")
                self.assertIn("check: ok", output)

    def test_a_killed_program_gets_its_report(self):
        _, errors = self.compass_run("--", FEW_CALLS, "kill", exit_code=128 + 9)
        self.assertIn("checked 0 launches", errors)
        self.assertIn("the process did not end in order", errors)

    def test_an_endless_launch_is_unchecked_when_the_program_is_killed(self):
        runner = subprocess.Popen(
            [COMPASS, "run", "--arch", "gfx950", "--", MISHAPS, "hang"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(runner.kill)
        program = int(runner.stdout.readline().split()[1])
        os.kill(program, signal.SIGKILL)
        _, errors = runner.communicate()
        self.assertEqual(runner.returncode, 128 + 9)
        self.assertRegex(errors, r"checked 0 launches, unchecked [01]\n")

    def test_what_could_not_run_is_unchecked(self):
        output, errors = self.compass_run("--", MISHAPS, "stop", exit_code=3)
        self.assertIn("synchronize 719", output)
        self.assertIn("checked 1 launch, unchecked 1\n", errors)
        self.assertIn("unsupported", errors)

    def test_failed_calls_are_findings(self):
        report = self.report_of("-o", "a.compass", "--", MISHAPS, "fail", exit_code=1)
        self.assertIn("error: use-after-free: copy reads freed memory", report)
        self.assert_as_check_says(report, 1)

    def test_the_report_is_json_if_asked(self):
        report = json.loads(self.report_of("--format", "json", "--", TINY_DECODER, "--steps", "3",
                                           "--fault", "out-of-bounds", exit_code=1))
        self.assertEqual(report["version"], 2)
        process, = report["processes"]
        self.assertEqual(process["environment"]["program"], "tiny_decoder")
        self.assertEqual(process["launches"]["unchecked"], 0)

    def test_nothing_is_left_behind(self):
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        self.compass("run", "--arch", "gfx950", "--", TINY_DECODER, "--steps", "1",
                     env=environment)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_report_that_cannot_be_written_is_an_error(self):
        _, errors = self.compass_run("--report", "no/such/folder", "--", TINY_DECODER, "--steps",
                                     "1", exit_code=2)
        self.assertIn("cannot write the report to no/such/folder", errors)

    def test_help_shows_where_the_program_goes(self):
        shown, _ = self.compass("run", "--help")
        self.assertIn("Usage: compass-capture run [OPTIONS] --arch ARCH -- PROGRAM [ARGS]\n", shown)


if __name__ == "__main__":
    unittest.main()
