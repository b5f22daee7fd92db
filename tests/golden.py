#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golden tests: runs commands and compares what they print with tests/golden/<subcommand>/<case>.txt.

A golden starts with lines "# run: compass-capture …"; all are run, in one empty folder, and what the
last one prints, on both streams, must be the rest of the file. The ones before it must succeed.
"# exit: N" is the status that the last one must have, if not 0. In commands {fixtures}, {build} and
{tmp} stand for fixtures/, the build folder and that empty folder; in the output it is the reverse.
Today is 2026-01-01.
--update writes what is printed now; the diff is for the reviewer.
"""
import argparse
import itertools
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
TIMEOUT_SECONDS = 300
ENVIRONMENT = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}


class Golden:
    def __init__(self, path, places):
        self.path = path
        self.places = places
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        header = list(itertools.takewhile(lambda line: line.startswith("# "), lines))
        self.header = "".join(lines[:len(header)])
        self.commands = [line[len("# run:"):].strip() for line in header if line.startswith("# run:")]
        exits = [line[len("# exit:"):] for line in header if line.startswith("# exit:")]
        self.expected_exit = int(exits[0]) if exits else 0
        self.expected = "".join(lines[len(header):])

    def words(self, command):
        for name, place in self.places.items():
            command = command.replace("{" + name + "}", place)
        words = shlex.split(command)
        if words[0] == "compass-capture":
            words[0] = self.places["build"] + "/cli/compass-capture"
        return words

    def named(self, output):
        for name, place in self.places.items():
            output = output.replace(place, "{" + name + "}")
        return output

    def run(self):
        """What the last command printed and its status; an earlier failure ends it."""
        for command in self.commands:
            done = subprocess.run(self.words(command), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  cwd=self.places["tmp"], timeout=TIMEOUT_SECONDS,
                                  check=False, encoding="utf-8", env=ENVIRONMENT)
            if command != self.commands[-1] and done.returncode != 0:
                return f"{command}\nfailed with {done.returncode}:\n{done.stdout}", None
        return self.named(done.stdout), done.returncode


def check(path, build, update):
    """Whether the golden holds, after an update if that is wanted."""
    with tempfile.TemporaryDirectory() as tmp:
        golden = Golden(path, {"fixtures": str(TESTS.parent / "fixtures"), "build": build, "tmp": tmp})
        if not golden.commands:
            print(f"{path}: its first line must be '# run: compass-capture …'")
            return False
        output, status = golden.run()
    if status != golden.expected_exit:
        print(f"{path}: expected exit {golden.expected_exit}, was {status}\n{output}")
        return False
    if output == golden.expected:
        return True
    if update:
        path.write_text(golden.header + output, encoding="utf-8")
        print(f"{path}: updated")
        return True
    show_difference(path, golden.expected, output)
    return False


def show_difference(path, expected, output):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as was, \
            tempfile.NamedTemporaryFile("w", encoding="utf-8") as now:
        was.write(expected), was.flush()
        now.write(output), now.flush()
        print(f"{path}: the output differs (-expected +now)", flush=True)
        subprocess.run(["diff", "-u", "--label", "expected", "--label", "now", was.name, now.name],
                       check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(TESTS.parent / "build"), help="the build folder")
    parser.add_argument("--update", action="store_true", help="write what is printed now")
    parser.add_argument("golden", nargs="*", type=pathlib.Path, help="only these (default: all)")
    options = parser.parse_args()
    build = str(pathlib.Path(options.build).resolve())
    paths = options.golden or sorted((TESTS / "golden").glob("*/*.txt"))
    failed = [path for path in paths if not check(path, build, options.update)]
    print(f"{len(paths) - len(failed)} of {len(paths)} goldens hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
