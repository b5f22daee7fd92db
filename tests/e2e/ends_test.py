# SPDX-License-Identifier: MIT
"""How `run` and `record` end where something is wrong: they say what, and leave nothing behind."""
import glob
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

from harness import COMPASS, FEW_CALLS, RELATIVES, TIMEOUT_SECONDS, TINY_DECODER, CommandTest

COMMANDS = (("run", "--arch", "gfx950"),
            ("record", "--driverless", "--arch", "gfx950", "-o", "a.compass"))


def is_running(process):
    try:
        status = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


class Ends(CommandTest):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.temporary)}

    def compass(self, *words, exit_code=0, env=None):
        return super().compass(*words, exit_code=exit_code, env=env or self.environment)

    def start(self, *words, **options):
        """Starts compass-capture in a process group of its own."""
        runner = subprocess.Popen([COMPASS, *map(str, words)], cwd=self.folder,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8", env=self.environment,
                                  start_new_session=True, **options)
        self.addCleanup(runner.communicate)
        self.addCleanup(runner.kill)
        return runner

    def end_of(self, runner, exit_code):
        output, errors = runner.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(runner.returncode, exit_code, output + errors)
        self.assert_nothing_left()
        return errors

    def assert_nothing_left(self, *kept):
        self.assertEqual(list(self.temporary.iterdir()), [])
        left = {path.name for path in self.folder.iterdir()} - {"temporary", *kept}
        self.assertEqual({name for name in left if re.search(r"journal|\.\w{6}$", name)}, set())

    def each_command_says(self, message, *program, exit_code=2, env=None):
        for command in COMMANDS:
            with self.subTest(command[0]):
                output, errors = self.compass(*command, "--", *program, exit_code=exit_code,
                                              env=env)
                self.assertEqual(output, "")
                self.assertEqual(errors, f"compass-capture: error: {message}\n")
                self.assert_nothing_left()

    def file(self, name, text, mode=0o755):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return f"./{name}"

    def test_what_is_no_program_is_said(self):
        (self.folder / "folder").mkdir()
        self.file("text", "echo ran\n")
        self.file("script", "#!/no/such/interpreter\n")
        self.file("closed", "#!/bin/sh\n", 0o644)
        for program, cause in (
                ("./missing", "No such file or directory"),
                ("missing", "No such file or directory in the folders of PATH"),
                ("", "No such file or directory in the folders of PATH"),
                ("./folder", "it is a directory"),
                ("/", "it is a directory"),
                ("./closed", "Permission denied"),
                ("./text", "Exec format error: a script needs a first line like #!/bin/sh"),
                ("./script", "No such file or directory: the interpreter that it names is missing"),
                ("./text/x", "Not a directory")):
            with self.subTest(program):
                self.each_command_says(f"cannot run '{program}': {cause}", program)

    def test_what_is_no_option_is_said(self):
        for words, message in (
                (["--arch", "gfx950", "--copies", "never"], "--copies: never not in {early,late}"),
                (["--arch", "gfx950", "--devices", "many"], "expected 1 to 64"),
                (["--arch", "gfx950", "--set", "memory"], "expected"),
                (["--arch", "gfx950", "--format", "xml"], "--format: xml not in {text,json}"),
                (["--arch", "gfx950", "--fail-on", "never"], "--fail-on: never not in"),
                (["--arch", "gfx950", "--nonsense"], "unexpected '--nonsense'"),
                ([], "--arch is required")):
            with self.subTest(words):
                output, errors = self.compass("run", *words, "--", FEW_CALLS, "exit", "0",
                                              exit_code=2)
                self.assertEqual(output, "")
                self.assertTrue(errors.startswith("compass-capture: error: "), errors)
                self.assertIn(message, errors)

    def test_a_command_without_a_program_is_said(self):
        for command in COMMANDS:
            _, errors = self.compass(*command, exit_code=2)
            self.assertIn("PROGRAM is required", errors)

    def test_nothing_runs_where_the_results_cannot_be_written(self):
        for option, output, cause in (
                ("-o", "no/such/a.compass", "No such file or directory"),
                ("-o", ".", "expected a file to write, found a directory"),
                ("-o", "/proc/a.compass", ""),
                ("--report", "no/such/report", "No such file or directory"),
                ("--report", ".", "it is a directory")):
            with self.subTest(f"{option} {output}"):
                said, errors = self.compass("run", "--arch", "gfx950", option, output, "--",
                                            "/bin/echo", "ran", exit_code=2)
                self.assertEqual(said, "")
                self.assertIn(output, errors)
                self.assertIn(cause, errors)
                self.assert_nothing_left()
        said, errors = self.compass("record", "--driverless", "--arch", "gfx950", "-o",
                                    "no/such/a.compass", "--", "/bin/echo", "ran", exit_code=2)
        self.assertEqual(said, "")
        self.assertIn("cannot create a folder beside no/such/a.compass: No such file", errors)

    def test_a_missing_folder_for_temporary_files_is_said(self):
        environment = {**os.environ, "TMPDIR": "/no/such/folder"}
        _, errors = self.compass("run", "--arch", "gfx950", "--", FEW_CALLS, "exit", "0",
                                 exit_code=2, env=environment)
        self.assertEqual(errors, "compass-capture: error: no folder for temporary files: "
                                 "/no/such/folder: No such file or directory\n")

    def test_a_report_on_a_full_disk_is_an_error(self):
        _, errors = self.compass("run", "--arch", "gfx950", "--report", "/dev/full", "--",
                                 RELATIVES, "alone", exit_code=2)
        self.assertIn("cannot write the report to /dev/full: No space left on device", errors)
        _, errors = self.compass("run", "--arch", "gfx950", "--report", "/dev/full", "--",
                                 "/bin/sh", "-c", f"{RELATIVES} alone; exit 7", exit_code=7)
        self.assertIn("the program ended with 7\n", errors)

    def test_a_journal_on_a_full_disk_is_never_a_pass(self):
        """The size of files is limited, which the recorder meets as it meets a full disk."""
        for kilobytes, exit_code in ((0, 2), (1, 2), (64, 2), (320, 3)):
            limit = kilobytes << 10
            with self.subTest(kilobytes):
                runner = self.start("run", "--arch", "gfx950", "--", TINY_DECODER, "--steps", "3",
                                    preexec_fn=lambda limit=limit: resource.setrlimit(
                                        resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertIn("File too large", self.end_of(runner, exit_code))

    def test_a_full_disk_is_never_a_pass(self):
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", small],
                                 check=False, capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("needs the right to mount")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        environment = {**os.environ, "TMPDIR": str(small)}
        _, errors = self.compass("run", "--arch", "gfx950", "--", TINY_DECODER, exit_code=3,
                                 env=environment)
        self.assertIn("No space left on device", errors)
        self.assertEqual(list(small.iterdir()), [])
        _, errors = self.compass("record", "--driverless", "--arch", "gfx950", "-o",
                                 "small/a.compass", "--", TINY_DECODER, exit_code=2)
        self.assertIn("archive small/a.compass: SQLite: database or disk is full", errors)
        folder, = small.iterdir()  # the journals are kept, and the message says where
        self.assertIn(f"compass-capture seal {folder}", errors)

    def test_closed_standard_files_are_not_written_into_another(self):
        for closed in ("2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"):
            for command in COMMANDS:
                with self.subTest(f"{command[0]} {closed}"):
                    words = " ".join((COMPASS, *command, "--", RELATIVES, "alone", closed))
                    done = subprocess.run(["/bin/sh", "-c", words], cwd=self.folder,
                                          env=self.environment, check=False)
                    self.assertEqual(done.returncode, 2 if command[0] == "run" else 0)
                    self.assert_nothing_left("a.compass")
        self.assertIn("store_of_child", self.compass("show", "a.compass")[0])
        self.compass("check", "a.compass")

    def test_the_program_finds_closed_files_closed(self):
        script = "ls /proc/self/fd > fds"
        words = f"{COMPASS} run --arch gfx950 -- /bin/sh -c '{script}' 2>&-"
        subprocess.run(["/bin/sh", "-c", words], cwd=self.folder, check=False)
        self.assertNotIn("2", (self.folder / "fds").read_text(encoding="utf-8").split()[:2])

    def ready(self, runner):
        self.assertEqual(runner.stdout.readline(), "ready\n")

    def test_an_interrupt_of_all_ends_all(self):
        script = f"{FEW_CALLS} exit 0; echo ready; exec sleep 100"
        for command, says in zip(COMMANDS, ("checked 0 launches", "recorded ")):
            with self.subTest(command[0]):
                runner = self.start(*command, "--", "/bin/sh", "-c", script)
                self.ready(runner)
                os.killpg(runner.pid, signal.SIGINT)
                self.assertIn(says, self.end_of(runner, 128 + signal.SIGINT))

    def test_a_signal_for_us_alone_ends_the_program(self):
        script = f"{FEW_CALLS} exit 0; echo ready; exec sleep 100"
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            for command, says in zip(COMMANDS, ("checked 0 launches", "recorded ")):
                with self.subTest(f"{command[0]} {number}"):
                    runner = self.start(*command, "--", "/bin/sh", "-c", script)
                    self.ready(runner)
                    runner.send_signal(number)
                    self.assertIn(says, self.end_of(runner, 128 + number))

    def test_a_signal_for_us_ends_what_the_program_left(self):
        script = "setsid sleep 100 & echo $!; wait"
        for command in COMMANDS:
            with self.subTest(command[0]):
                runner = self.start(*command, "--", "/bin/sh", "-c", script)
                left = int(runner.stdout.readline())
                runner.send_signal(signal.SIGTERM)
                self.assertIn("no HIP call", self.end_of(runner, 3))
                self.assertFalse(is_running(left))

    def test_whom_it_waits_for_is_said_and_can_be_ended(self):
        script = f"{RELATIVES} alone; trap '' TERM; sleep 100 & exit 0"
        runner = self.start("run", "--arch", "gfx950", "--", "/bin/sh", "-c", script)
        said = runner.stderr.readline()
        self.assertRegex(said, r"^compass-capture: the program has ended, waiting for what it left: "
                               r"sleep \(process \d+\); interrupt to end them\n$")
        left = int(re.search(r"process (\d+)", said)[1])
        runner.send_signal(signal.SIGTERM)  # which it ignores
        time.sleep(0.2)
        self.assertTrue(is_running(left))
        runner.send_signal(signal.SIGTERM)
        self.assertIn("checked 1 launch, unchecked 0\n", self.end_of(runner, 0))
        self.assertFalse(is_running(left))

    def test_an_interrupted_report_leaves_nothing(self):
        os.mkfifo(self.folder / "report")  # opening it waits for a reader, who never comes
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                runner = self.start("run", "--arch", "gfx950", "--report", "report", "-o",
                                    "a.compass", "--", RELATIVES, "alone")
                self.assertIn("recorded", runner.stderr.readline())
                runner.send_signal(number)
                self.assertEqual(self.end_of(runner, 128 + number),
                                 "compass-capture: interrupted, there is no report\n")

    def test_an_interrupted_seal_keeps_the_journals(self):
        program = self.file("program.py", f"""#!{sys.executable}
import ctypes
hip = ctypes.CDLL("libamdhip64.so")
memory = ctypes.c_void_p()
hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(256))
for _ in range(200000):
    hip.hipMemset(memory, 0, ctypes.c_size_t(256))
""")
        runner = self.start("record", "--driverless", "--arch", "gfx950", "-o", "a.compass", "--",
                            program)
        while not glob.glob(f"{self.folder}/a.compass.??????"):
            self.assertIsNone(runner.poll(), "the archive was written before we could see it")
            time.sleep(0.001)
        runner.send_signal(signal.SIGTERM)
        _, errors = runner.communicate()
        self.assertEqual(runner.returncode, 128 + signal.SIGTERM, errors)
        self.assertEqual(glob.glob(f"{self.folder}/a.compass.??????"), [])
        self.assertFalse((self.folder / "a.compass").exists())
        command, = re.findall(r"^  compass-capture (seal .*)$", errors, re.MULTILINE)
        self.compass(*command.split())
        self.assertIn("200000", self.compass("info", "a.compass")[0])

    def test_ignored_signals_stay_ignored(self):
        runner = self.start("run", "--arch", "gfx950", "--", "/bin/sh", "-c",
                            f"echo ready; {RELATIVES} alone; sleep 0.5",
                            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.ready(runner)
        runner.send_signal(signal.SIGHUP)
        self.end_of(runner, 0)

    def test_ignored_ends_of_children_are_no_matter(self):
        runner = self.start("run", "--arch", "gfx950", "--", FEW_CALLS, "exit", "7",
                            preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.end_of(runner, 7)


if __name__ == "__main__":
    unittest.main()
