#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""annotate.h compiles everywhere without a warning, and costs one load and one branch unrecorded.

usage: annotate_test.py
"""
import pathlib
import re
import subprocess
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
PROGRAM = FOLDER / "annotate_test_program.c"
COMPILERS = {
    "gcc, C11": ("gcc", "-std=c11"),
    "gcc, C++": ("g++", "-x", "c++", "-std=c++11"),
    "clang, C11": ("clang-22", "-std=c11"),
    "clang, C++": ("clang++-22", "-x", "c++", "-std=c++20"),
}
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-unused-function")
SINCE_1 = "buffer step end phase "
SINCE_2 = "pool role sleep wake report block freed rank "


def path_outside_a_recording(instructions):
    """The loads and branches that a function makes where what it loads is null.

    `instructions` are lines of objdump; the first is the function's first.
    """
    lines = {int(m[1], 16): (i, m[2]) for i, line in enumerate(instructions)
             if (m := re.match(r"\s*([0-9a-f]+):\t(.*)", line))}
    order = sorted(lines)
    at, loads, branches = order[0], 0, 0
    for _ in range(100):
        text = lines[at][1]
        following = order[order.index(at) + 1] if at != order[-1] else None
        name = text.split()[0]
        if name.startswith("ret"):
            return loads, branches
        if re.match(r"mov\S*\s.*\(%rip\),%", text):
            loads += 1
        if name.startswith("j") and name != "jmp":
            branches += 1
        taken = name in ("je", "jz", "jmp")
        at = int(re.search(r"\s([0-9a-f]+)\s<", text)[1], 16) if taken else following
    raise AssertionError("no end of\n" + "\n".join(instructions))


class Annotate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, compiler, version, *more):
        output = self.folder / "program"
        subprocess.run([*compiler, *STRICT, "-O2", "-rdynamic", f"-I{FOLDER}",
                        f"-DRECORDER_VERSION={version}", PROGRAM, "-o", output, "-ldl", *more],
                       check=True)
        return output

    def test_calls_reach_a_recorder_as_far_as_it_knows_them(self):
        for name, compiler in COMPILERS.items():
            for version, calls in ((0, ""), (1, SINCE_1), (2, SINCE_1 + SINCE_2),
                                   (3, SINCE_1 + SINCE_2)):
                with self.subTest(f"{name}, version {version}"):
                    done = subprocess.run([self.compile(compiler, version)], capture_output=True,
                                          encoding="utf-8", check=False)
                    self.assertEqual(done.stdout, f"{calls}\n" * 2)
                    self.assertEqual(done.returncode, version)

    def test_a_call_outside_a_recording_is_one_load_and_one_branch(self):
        for name, compiler in COMPILERS.items():
            listing = subprocess.run(
                ["objdump", "-d", "--no-show-raw-insn", self.compile(compiler, 0)], check=True,
                capture_output=True, encoding="utf-8").stdout
            functions = re.findall(r"<(call_\w+)>:\n((?:.+\n)+)", listing)
            self.assertEqual(len(functions), 12)
            for function, instructions in functions:
                with self.subTest(f"{name}, {function}"):
                    self.assertEqual(path_outside_a_recording(instructions.splitlines()), (1, 1))


if __name__ == "__main__":
    unittest.main()
