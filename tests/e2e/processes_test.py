# SPDX-License-Identifier: MIT
"""Runs and records programs of several processes, started in every way there is."""
import json
import os
import re
import sqlite3
import sys
import unittest

from harness import FEW_CALLS, MISTAKES, RELATIVES, TINY_DECODER, CommandTest

# What a Python program does with a device; a fill of freed memory is a finding.
PYTHON_JOB = """
import ctypes, multiprocessing, os, subprocess, sys
hip = ctypes.CDLL("libamdhip64.so")

def work(wrong=False):
    memory = ctypes.c_void_p()
    assert hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(256)) == 0
    assert hip.hipMemset(memory, 0, ctypes.c_size_t(256)) == 0
    assert hip.hipDeviceSynchronize() == 0
    if wrong:
        hip.hipFree(memory)
        hip.hipMemset(memory, 0, ctypes.c_size_t(256))
"""


def by_process(report):
    """The processes of a report, each with its own findings."""
    return [{**process, "findings": [finding for finding in report["findings"]
                                     if finding["process"] == process["process"]]}
            for process in report["processes"]]


class Processes(CommandTest):
    def report_of(self, *program, exit_code=0, options=()):
        """The processes of a run's report, and what the program printed."""
        output, _ = self.compass("run", "--arch", "gfx950", "--format", "json", "--report",
                                 "report", *options, "--", *program, exit_code=exit_code)
        report = json.loads((self.folder / "report").read_text(encoding="utf-8"))
        self.assertEqual(report["unrecorded"], [])
        return by_process(report), output

    def assert_processes(self, processes, *expected):
        """Each expected process is (program, checked launches, rules of findings)."""
        found = [(process["environment"]["program"], process["launches"]["checked"],
                  [finding["rule"] for finding in process["findings"]]) for process in processes]
        self.assertEqual(found, list(expected))
        self.assertEqual([process["launches"]["unchecked"] for process in processes],
                         [0] * len(processes))

    def python_program(self, text):
        path = self.folder / "program.py"
        path.write_text(PYTHON_JOB + text, encoding="utf-8")
        return sys.executable, path

    def assert_whole(self, processes):
        causes = [process["environment"]["incomplete_cause"] for process in processes]
        self.assertEqual(causes, [""] * len(processes))

    def test_both_processes_are_judged_however_one_starts_the_other(self):
        for how in ("fork", "exit", "exec", "vfork", "spawn"):
            with self.subTest(how):
                processes, output = self.report_of(RELATIVES, how)
                self.assertEqual(output, "child 0\n")
                self.assert_processes(processes, ("relatives", 1, []), ("relatives", 1, []))
                self.assert_whole(processes)

    def test_a_fault_of_a_child_is_found_and_counted(self):
        for how in ("fork", "exit", "exec", "vfork", "spawn", "outlive"):
            with self.subTest(how):
                processes, _ = self.report_of(RELATIVES, how, "wrong", exit_code=1)
                self.assert_processes(processes, ("relatives", 1, []),
                                      ("relatives", 1, ["out-of-bounds"]))
                finding, = processes[1]["findings"]
                self.assertIn("store_of_child", finding["kernel"])
                self.assertEqual((finding["accesses"], finding["launches"]), (1, 1))

    def test_each_process_has_a_report_under_its_name(self):
        _, errors = self.compass("run", "--arch", "gfx950", "--", RELATIVES, "spawn", "wrong",
                                 exit_code=1)
        line, details, *reports = errors.split("\n\n")
        self.assertRegex(line, r"^error: out-of-bounds: .* \[\w+\] in process 2 relatives$")
        self.assertRegex(details, r"^\[\w+\]\n    in           process 2 relatives\n")
        for number, report in enumerate(reports, start=1):
            self.assertRegex(report, rf"^process {number} relatives\nchecked 1 launch, unchecked 0\n")
        self.assertEqual(len(reports), 2)

    def test_a_child_that_outlives_its_parent_is_waited_for(self):
        processes, output = self.report_of(RELATIVES, "outlive")
        self.assertEqual(output, "")
        self.assert_processes(processes, ("relatives", 1, []), ("relatives", 1, []))
        self.assert_whole(processes)

    def test_a_child_of_a_shell_that_has_ended_is_waited_for(self):
        processes, _ = self.report_of("/bin/sh", "-c",
                                      f"(sleep 0.3; exec {RELATIVES} alone wrong) & exit 0",
                                      exit_code=1)
        self.assert_processes(processes, ("relatives", 1, ["out-of-bounds"]))

    def test_a_killed_child_keeps_what_it_had_done(self):
        processes, output = self.report_of(RELATIVES, "kill", "wrong", exit_code=1)
        self.assertEqual(output, "child 137\n")
        self.assert_processes(processes, ("relatives", 1, []), ("relatives", 1, ["out-of-bounds"]))
        self.assertEqual([process["environment"]["incomplete_cause"] for process in processes],
                         ["", "the process did not end in order"])

    def test_a_fork_after_use_is_told_and_counted(self):
        _, errors = self.compass("run", "--arch", "gfx950", "--", RELATIVES, "used")
        self.assertIn("this process was forked from one that had used HIP", errors)
        self.assertIn("checked 2 launches, unchecked 0\n", errors)

    def test_the_programs_status_wins_over_a_childs_fault(self):
        script = f"{RELATIVES} alone wrong; exit 7"
        self.report_of("/bin/sh", "-c", script, exit_code=7)

    def test_a_shell_script_runs_two_programs(self):
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\n{RELATIVES} alone\n{MISTAKES} null-argument\n")
        script.chmod(0o755)
        processes, _ = self.report_of("./script", exit_code=1)
        self.assert_processes(processes, ("relatives", 1, []), ("mistakes", 1, ["out-of-bounds"]))

    def test_a_prefill_and_a_decode_process_are_both_judged(self):
        processes, output = self.report_of(TINY_DECODER, "--role", "pair", "--check")
        self.assertIn("prefill: check: ok", output)
        self.assertEqual([process["environment"]["program"] for process in processes],
                         ["tiny_decoder"] * 2)
        self.assertTrue(all(process["launches"]["checked"] > 0 for process in processes))
        self.assert_whole(processes)

    def test_python_starts_programs(self):
        program = self.python_program(f"""
work()
subprocess.run([{RELATIVES!r}, "alone"], check=True)
subprocess.run([{RELATIVES!r}, "alone", "wrong"], check=True, close_fds=True, cwd="/")
subprocess.run("{RELATIVES} alone; true", shell=True, check=True, start_new_session=True)
os.spawnv(os.P_WAIT, {RELATIVES!r}, ["relatives", "alone"])
os.system("{RELATIVES} alone")
os.popen("{RELATIVES} alone").close()
""")
        processes, _ = self.report_of(*program, exit_code=1)
        sound = ("relatives", 1, [])
        python = processes[0]["environment"]["program"]
        self.assertRegex(python, "^python3")
        self.assert_processes(processes, (python, 0, []), sound,
                              ("relatives", 1, ["out-of-bounds"]), *[sound] * 4)
        self.assert_whole(processes)

    def test_a_process_that_launches_nothing_is_no_matter_beside_others(self):
        work = f"work()\nsubprocess.run([{RELATIVES!r}, 'alone'], check=True)\n"
        self.report_of(*self.python_program(work))
        self.report_of(*self.python_program("work()\n"), exit_code=3)

    def assert_python_family(self, text):
        """A parent with sound work and two children, the second of which does wrong."""
        processes, output = self.report_of(*self.python_program(text), exit_code=1)
        self.assertEqual(output, "done\n")
        self.assertEqual([[finding["rule"] for finding in process["findings"]]
                          for process in processes], [[], [], ["use-after-free"]])
        self.assert_whole(processes)

    def test_python_forks(self):
        self.assert_python_family("""
for wrong in (False, True):
    child = os.fork()
    if child == 0:
        work(wrong)
        os._exit(0)
    os.waitpid(child, 0)
work()
print("done")
""")

    def test_python_multiprocessing(self):
        for method in ("fork", "spawn", "forkserver"):
            with self.subTest(method):
                self.assert_python_family(f"""
if __name__ == "__main__":
    multiprocessing.set_start_method({method!r})
    for wrong in (False, True):
        process = multiprocessing.Process(target=work, args=(wrong,))
        process.start()
        process.join()
        assert process.exitcode == 0
    work()
    print("done")
""")

    def test_a_child_killed_by_its_parent_is_named(self):
        processes, _ = self.report_of(*self.python_program("""
read, write = os.pipe()
child = os.fork()
if child == 0:
    work()
    os.write(write, b"x")
    while True:
        work()
os.read(read, 1)
os.kill(child, 9)
os.waitpid(child, 0)
work()
"""), exit_code=3)  # no launch at all
        self.assertEqual([process["environment"]["incomplete_cause"] for process in processes],
                         ["", "the process did not end in order"])

    def test_many_processes_at_once_are_all_there(self):
        script = " & ".join([f"{RELATIVES} alone"] * 12) + " & wait"
        processes, _ = self.report_of("/bin/sh", "-c", script)
        self.assert_processes(processes, *[("relatives", 1, [])] * 12)

    def test_run_writes_one_archive_of_all_processes(self):
        _, errors = self.compass("run", "--arch", "gfx950", "-o", "a.compass", "--",
                                 RELATIVES, "spawn", "wrong", exit_code=1)
        self.assertRegex(errors, r"(?m)^compass-capture: recorded \d+ records of 2 processes to \S+$")
        self.assertNotIn("error", self.compass("check", "a.compass", "--process", "1")[0])
        checked, _ = self.compass("check", "a.compass", exit_code=1)
        self.assertRegex(checked, r"\nprocess 1 relatives\nchecked 1 launch, unchecked 0\n")
        self.assertRegex(checked, r"\Aerror: out-of-bounds: .* in process 2 relatives\n\n\[\w+\]\n")
        report, _ = self.compass("check", "a.compass", "--format", "json", exit_code=1)
        self.assertEqual([len(process["findings"]) for process in by_process(json.loads(report))],
                         [0, 1])

    def test_record_writes_one_archive_of_all_processes(self):
        _, errors = self.record("a.compass", "gfx950", RELATIVES, "fork", "wrong")
        self.assertRegex(errors, r"^compass-capture: recorded \d+ records of 2 processes to \S+\n$")
        shown, _ = self.compass("show", "a.compass")
        first, second = shown.split("\nprocess 2 relatives\n")
        self.assertTrue(first.startswith("compass normal form "), first)
        self.assertIn("\nprocess 1 relatives\n", first)
        self.assertNotIn("store_of_child", first)
        self.assertIn("store_of_child", second)
        alone, _ = self.compass("show", "a.compass", "--process", "2")
        self.assertTrue(alone.endswith(second), alone)
        self.assertNotIn("process ", alone)
        self.assertEqual(self.compass("check", "a.compass", exit_code=1)[0]
                         .count("error: out-of-bounds"), 1)
        _, errors = self.compass("show", "a.compass", "--process", "3", exit_code=2)
        self.assertEqual(errors, "compass-capture: error: a.compass has no process 3: it has 2\n")

    def test_an_archive_knows_ranks_and_parents(self):
        script = (f"RANK=1 WORLD_SIZE=2 {RELATIVES} alone & "
                  f"RANK=0 WORLD_SIZE=2 {RELATIVES} fork & wait")
        self.record("a.compass", "gfx950", "/bin/sh", "-c", script)
        archive = sqlite3.connect(f"file:{self.folder}/a.compass?mode=ro", uri=True)
        self.assertEqual(archive.execute(
            "SELECT process, parent, rank, ranks FROM processes ORDER BY 1").fetchall(),
            [(1, None, 0, 2), (2, 1, 0, 2), (3, None, 1, 2)])
        self.assertIn("process 3 rank 1 relatives\n", self.compass("info", "a.compass")[0])
        archive.close()

    def test_an_archive_keeps_nothing_of_the_users_surroundings(self):
        environment = {**os.environ, "RANK": "/secret/rank", "SECRET": "/secret/value"}
        secret = self.folder / "secret-folder"
        secret.mkdir()
        self.compass("record", "--driverless", "--arch", "gfx950", "-o", "secret-folder/a.compass",
                     "--", RELATIVES, "spawn", env=environment)
        content = (secret / "a.compass").read_bytes()
        for text in ("secret", str(self.folder), os.path.dirname(RELATIVES)):
            self.assertNotIn(text.encode(), content)

    def test_record_waits_for_what_outlives_the_program(self):
        self.record("a.compass", "gfx950", "/bin/sh", "-c",
                    f"(sleep 0.3; exec {RELATIVES} alone) & exit 0")
        self.assertIn("store_of_child", self.compass("show", "a.compass")[0])
        self.compass("check", "a.compass")

    def test_nothing_is_left_behind(self):
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        self.compass("run", "--arch", "gfx950", "--", RELATIVES, "outlive", env=environment)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_processes_without_calls_are_passed_over(self):
        self.record("a.compass", "gfx950", "/bin/sh", "-c", f"true; {FEW_CALLS} exit 0; true")
        self.compass("info", "a.compass")


if __name__ == "__main__":
    unittest.main()
