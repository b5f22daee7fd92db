# SPDX-License-Identifier: MIT
"""Programs into which the recorder cannot be loaded: they are named, with the reason."""
import json
import os
import shutil
import struct
import subprocess
import sys
import unittest

from harness import FEW_CALLS, RELATIVES, TIMEOUT_SECONDS, CommandTest

STATIC = "statically linked"
EMPTIED = "started without LD_PRELOAD or COMPASS_JOURNAL_DIR"
PRIVILEGED = "setuid, setgid or with file capabilities"
OTHER = "built for another machine"

# Python's own calls are few: the C library's are reached by ctypes. `call(NAME, …)` runs one in a
# forked child, where exec is to succeed or to fail; what it gave.
CALLS = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
empty = (ctypes.c_char_p * 1)(None)
names = (ctypes.c_char_p * 2)(b"name", None)

def call(name, *arguments):
    child = os.fork()
    if child == 0:
        result = getattr(libc, name)(*arguments)
        print(name, result, ctypes.get_errno(), flush=True)
        os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""

# Counts what is asked of malloc by calls that mark a program and then fail to start it.
MEMORY_COUNT = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int count;
void* __libc_malloc(size_t); void* __libc_realloc(void*, size_t); void __libc_free(void*);
void* malloc(size_t size) { ++count; return __libc_malloc(size); }
void* realloc(void* at, size_t size) { ++count; return __libc_realloc(at, size); }
void free(void* at) { ++count; __libc_free(at); }
int main(void) {
  char* names[] = {"arm", NULL};
  char* empty[] = {NULL};
  int file = open("arm", O_RDONLY);
  count = 0;
  for (int i = 0; i < 2; ++i) {
    execve("./arm", names, empty);
    execv("./arm", names);
    execl("./arm", "arm", "x", NULL);
    execle("./arm", "arm", NULL, empty);
    execveat(AT_FDCWD, "arm", names, empty, 0);
    fexecve(file, names, empty);
    execvpe("missing", names, empty);
  }
  printf("%d\n", count);
}
"""


def elf32_that_exits():
    """A program for 32 bits: exit(0)."""
    code = bytes.fromhex("31c040" "31db" "cd80")
    base, headers = 0x08048000, 52 + 32
    size = headers + len(code)
    ident = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9)
    header = ident + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, base + headers, 52, 0, 0, 52, 32, 1, 0,
                                 0, 0)
    return header + struct.pack("<IIIIIIII", 1, 0, base, base, size, size, 5, 4096) + code


class Unrecorded(CommandTest):
    def setUp(self):
        super().setUp()
        source = self.folder / "main.c"
        source.write_text("int main(void) { return 0; }\n")
        self.static = str(self.folder / "static")
        subprocess.run(["gcc", "-static", "-o", self.static, source], check=True)
        source.unlink()

    def no_call_in(self, *program):
        """The line that says that there was no HIP call."""
        _, errors = self.compass("run", "--arch", "gfx950", "--", *program, exit_code=3)
        line, = [line for line in errors.splitlines() if "no HIP call" in line]
        start = f"compass-capture: error: no HIP call was seen in {program[0]}"
        self.assertTrue(line.startswith(start), line)
        return line[len(start):]

    def unrecorded_in(self, *program, exit_code=0):
        """What a report lists beside the processes that it judged, as JSON has it."""
        self.compass("run", "--arch", "gfx950", "--format", "json", "--report", "report", "--",
                     *program, exit_code=exit_code)
        report = json.loads((self.folder / "report").read_text(encoding="utf-8"))
        self.assertGreater(len(report["processes"]), 0)
        return [(each["program"], each["cause"]) for each in report["unrecorded"]]

    def called(self, text, exit_code=3):
        """What a Python program's calls left, without paths, and what it printed."""
        path = self.folder / "calls.py"
        path.write_text(CALLS + text, encoding="utf-8")
        output, errors = self.compass("record", "--driverless", "--arch", "gfx950", "-o", "a",
                                      "--", sys.executable, path, exit_code=exit_code)
        return errors.strip().replace(f"{self.folder}/", ""), output

    def test_a_program_that_is_static_is_named(self):
        expected = f"; ran without the recorder: {self.static} ({STATIC})"
        self.assertEqual(self.no_call_in(self.static), expected)
        _, errors = self.record("a.compass", "gfx950", self.static, exit_code=3)
        self.assertEqual(errors, "compass-capture: error: no HIP call was seen in "
                                 f"{self.static}{expected}\n")

    def test_a_program_found_in_path_is_named_too(self):
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        _, errors = self.compass("run", "--arch", "gfx950", "--", "static", exit_code=3,
                                 env=environment)
        self.assertIn(f"in static; ran without the recorder: {self.static} ({STATIC})", errors)

    def test_without_any_such_program_none_is_named(self):
        self.assertEqual(self.no_call_in("/bin/true"), " or in what it started")

    def test_children_are_named_with_each_cause(self):
        script = f"{self.static}; {self.static}; env -i {FEW_CALLS} exit 0; env -i /bin/true"
        named = sorted(((FEW_CALLS, EMPTIED), ("/bin/true", EMPTIED), (self.static, STATIC)))
        self.assertEqual(self.no_call_in("/bin/sh", "-c", script), "; ran without the recorder: " +
                         ", ".join(f"{program} ({cause})" for program, cause in named))

    def test_the_line_stays_one(self):
        script = "".join(f"cp {self.static} s{i}; ./s{i}; " for i in range(12))
        line = self.no_call_in("/bin/sh", "-c", script)
        self.assertEqual(line.count(STATIC), 10)
        self.assertTrue(line.endswith(" and 2 more"), line)

    def test_names_do_not_drive_the_terminal(self):
        shutil.copy(self.static, self.folder / "a\x1b[31m\nb")
        line = self.no_call_in("/bin/sh", "-c", "./a*")
        self.assertIn("./a?[31m?b (", line)

    def test_a_static_interpreter_is_its_scripts_cause(self):
        script = self.folder / "script"
        script.write_text(f"#! {self.static} -x\n")
        script.chmod(0o755)
        self.assertIn(f"./script ({STATIC})", self.no_call_in("/bin/sh", "-c", "./script"))

    def test_an_interpreter_that_is_recorded_is_no_cause(self):
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\n{FEW_CALLS} exit 0\n")
        script.chmod(0o755)
        self.assertEqual(self.unrecorded_in("/bin/sh", "-c", "./script; exit 5", exit_code=5), [])

    def test_a_setuid_program_is_named(self):
        if os.geteuid() != 0 or os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest("needs root, and a file system that knows setuid")
        for mode, owner in ((0o4755, (65534, 0)), (0o2755, (0, 65534))):
            program = self.folder / f"mode{mode:o}"
            shutil.copy("/bin/true", program)
            os.chown(program, *owner)
            program.chmod(mode)
            self.assertIn(f"{program} ({PRIVILEGED})", self.no_call_in("/bin/sh", "-c",
                                                                       f"{program}; true"))
        shutil.copy("/bin/true", self.folder / "ours")
        (self.folder / "ours").chmod(0o4755)  # root's, run by root
        self.assertEqual(self.no_call_in("/bin/sh", "-c", "./ours; true"), " or in what it started")

    def test_a_program_for_another_machine_is_named(self):
        program = self.folder / "other"
        program.write_bytes(elf32_that_exits())
        program.chmod(0o755)
        try:
            subprocess.run([program], check=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("this system runs no programs of 32 bits")
        self.assertIn(f"./other ({OTHER})", self.no_call_in("/bin/sh", "-c", "./other; true"))

    def test_the_dynamic_linker_is_not_static(self):
        linker = subprocess.run(["sh", "-c", "readelf -lW /bin/true | sed -n "
                                 "'s/.*interpreter: \\(.*\\)]/\\1/p'"], check=True,
                                capture_output=True, encoding="utf-8").stdout.strip()
        self.assertEqual(self.unrecorded_in("/bin/sh", "-c", f"{linker} {FEW_CALLS} exit 0; exit 7",
                                            exit_code=7), [])

    def test_a_report_lists_what_it_does_not_judge(self):
        script = f"{RELATIVES} alone; {self.static}; env -i /bin/true; exit 0"
        listed = [("/bin/true", EMPTIED), (self.static, STATIC)]
        self.assertEqual(self.unrecorded_in("/bin/sh", "-c", script), listed)
        _, errors = self.compass("run", "--arch", "gfx950", "--", "/bin/sh", "-c", script)
        self.assertTrue(errors.endswith(
            "ran without the recorder, their launches are not checked:\n"
            f"    /bin/true: {EMPTIED}\n    {self.static}: {STATIC}\n"), errors)
        _, errors = self.record("a.compass", "gfx950", "/bin/sh", "-c", script)
        self.assertIn(f"\ncompass-capture: ran without the recorder: /bin/true ({EMPTIED}), "
                      f"{self.static} ({STATIC})\n", errors)

    def test_every_call_that_starts_a_program_leaves_its_mark(self):
        """Each call has a program of its own, all of which are static."""
        calls = {"execl": "path, b'name', None", "execle": "path, b'name', None, environ",
                 "execlp": "name, b'name', None", "execv": "path, names",
                 "execve": "path, names, environ", "execvp": "name, names",
                 "execvpe": "name, names, environ",
                 "fexecve": "os.open(path, os.O_PATH), names, environ",
                 "execveat": "os.open(b'.', os.O_PATH), name, names, environ, 0"}
        for name in calls:
            shutil.copy(self.static, self.folder / f"static-{name}")
        text = "environ = ctypes.c_void_p.in_dll(libc, 'environ')\n"
        text += f"os.environ['PATH'] = {str(self.folder)!r}\nos.chdir({str(self.folder)!r})\n"
        for call, arguments in calls.items():
            text += (f"name = b'static-{call}'\npath = b'{self.folder}/static-{call}'\n"
                     f"print({call!r}, call({call!r}, {arguments}))\n")
        errors, output = self.called(text)
        self.assertEqual(output, "".join(f"{name} 0\n" for name in calls))
        for name in calls:
            self.assertIn(f"static-{name} ({STATIC})", errors)

    def test_every_call_that_spawns_a_program_leaves_its_mark(self):
        for name in ("posix_spawn", "posix_spawnp"):
            shutil.copy(self.static, self.folder / f"static-{name}")
        errors, output = self.called(f"""
os.environ["PATH"] = {str(self.folder)!r}
for name in ("posix_spawn", "posix_spawnp"):
    path = f"static-{{name}}" if name.endswith("p") else f"{self.folder}/static-{{name}}"
    child = getattr(os, name)(path, ["name"], os.environ)
    print(name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
        self.assertEqual(output, "posix_spawn 0\nposix_spawnp 0\n")
        self.assertIn(f"static-posix_spawn ({STATIC}), static-posix_spawnp ({STATIC})", errors)

    def test_a_shell_that_the_c_library_starts_is_named(self):
        for start in ("os.system('true')", "libc.pclose(libc.popen(b'true', b'r'))"):
            with self.subTest(start):
                errors, _ = self.called("libc.popen.restype = ctypes.c_void_p\n"
                                        "libc.pclose.argtypes = [ctypes.c_void_p]\n"
                                        "assert not os.getenv('X')\n"
                                        f"{start}\n")
                self.assertTrue(errors.endswith("or in what it started"), errors)
                errors, _ = self.called("libc.popen.restype = ctypes.c_void_p\n"
                                        "libc.pclose.argtypes = [ctypes.c_void_p]\n"
                                        "del os.environ['LD_PRELOAD']\n"
                                        f"{start}\n")
                self.assertIn(f": /bin/sh ({EMPTIED})", errors)

    def test_python_starts_programs_without_the_recorder(self):
        errors, _ = self.called(f"""
import subprocess
subprocess.run([{self.static!r}], check=True)
subprocess.run(["true"], check=True, env={{"PATH": "/bin:/usr/bin"}})
subprocess.run(["true"], check=True, close_fds=False,
               env={{**os.environ, "COMPASS_JOURNAL_DIR": "/nowhere"}})
""")
        self.assertIn(f"/bin/true ({EMPTIED}), static ({STATIC})", errors)

    def test_what_is_not_started_leaves_no_mark(self):
        (self.folder / "text").write_text("no program\n")
        (self.folder / "text").chmod(0o755)
        (self.folder / "folder").mkdir()
        (self.folder / "closed").write_bytes((self.folder / "static").read_bytes())
        names = ("missing", "folder", "closed", "text")
        calls = {"execv": "path, names", "execve": "path, names, empty", "execvp": "path, names",
                 "execl": "path, b'name', None", "execlp": "path, b'name', None",
                 "execvpe": "path, names, empty", "execle": "path, b'name', None, empty",
                 "execveat": "-100, path, names, empty, 0",
                 "posix_spawn": "ctypes.byref(ctypes.c_int()), path, None, None, names, empty",
                 "posix_spawnp": "ctypes.byref(ctypes.c_int()), path, None, None, names, empty"}
        text = f"os.chdir({str(self.folder)!r})\n"
        for name in names:
            for call, arguments in calls.items():
                if name == "text" and call in ("execvp", "execvpe", "execlp"):
                    continue  # the shell runs it
                text += f"path = b'./{name}'\nassert call({call!r}, {arguments}) == 99\n"
        text += "call('execve', None, names, empty)\n"
        errors, output = self.called(text)
        self.assertTrue(errors.endswith("or in what it started"), errors)
        plain = subprocess.run([sys.executable, self.folder / "calls.py"], capture_output=True,
                               encoding="utf-8", check=True, timeout=TIMEOUT_SECONDS).stdout
        self.assertEqual(output, plain)
        self.assertEqual(output.count("\n"), len(names) * len(calls) - 3 + 1)

    def test_a_search_in_path_marks_what_it_finds(self):
        for name in ("p", "q", "r"):
            (self.folder / name).mkdir()
        (self.folder / "p/static").write_text("not executable")
        shutil.copy(self.static, self.folder / "q/static")
        shutil.copy(self.static, self.folder / "r/static")
        errors, _ = self.called(f"""
os.environ["PATH"] = ":".join("{self.folder}/" + name for name in ("none", "p", "q", "r"))
assert call("execvp", b"static", names) == 0
""")
        self.assertTrue(errors.endswith(f"recorder: q/static ({STATIC})"), errors)

    def test_python_that_looks_for_libraries_is_judged_all_the_same(self):
        script = self.folder / "find.py"
        script.write_text("import ctypes.util, subprocess\nctypes.util.find_library('m')\n"
                          f"subprocess.run([{RELATIVES!r}, 'alone'], check=True)\n")
        for program, cause in self.unrecorded_in(sys.executable, script):
            self.assertIn("ldconfig", program)
            self.assertIn(cause, (STATIC, EMPTIED))

    def test_marks_fit_on_the_stack_of_a_small_thread(self):
        """A vfork in a thread with a small stack, where the marks must fit too."""
        errors, _ = self.called(f"""
import subprocess, threading
threading.stack_size(64 << 10)
threads = [threading.Thread(target=subprocess.run, args=([{self.static!r}],)) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
""")
        self.assertTrue(errors.endswith(f"recorder: static ({STATIC})"), errors)

    def test_no_call_takes_memory(self):
        """A child of vfork() may have interrupted its parent in malloc."""
        arm = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", 3, 183) + bytes(44)
        (self.folder / "arm").write_bytes(arm)
        (self.folder / "arm").chmod(0o755)
        (self.folder / "count.c").write_text(MEMORY_COUNT)
        subprocess.run(["gcc", "-o", "count", "count.c"], cwd=self.folder, check=True)
        output, _ = self.record("a", "gfx950", "./count", exit_code=3)
        self.assertEqual(output, "0\n")

    def test_no_part_of_the_driverless_runtime_is_listed(self):
        self.assertEqual(self.unrecorded_in(RELATIVES, "spawn"), [])


if __name__ == "__main__":
    unittest.main()
