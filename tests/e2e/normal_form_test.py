# SPDX-License-Identifier: MIT
"""The normal form of the same work is the same to the byte, however the program was built and run."""
import concurrent.futures
import shutil
import subprocess
import sys
import unittest

import source_variants
from harness import BUILD, COMPASS, GRAPHS, ROOT, TIMEOUT_SECONDS, TINY_DECODER, CommandTest

PROGRAMS = ROOT / "fixtures/programs"
MODE = ["--steps", "4", "--chunk-tokens", "16", "--graphs", "--deferred"]


def build_variant(folder, change):
    """tiny_decoder of changed sources, whose host code is not optimised; how much was changed."""
    shutil.copytree(PROGRAMS / "tiny_decoder", folder / "tiny_decoder")
    changes = 0
    for path in (folder / "tiny_decoder").rglob("*"):
        if path.suffix in (".cc", ".h", ".hip"):
            text, count = change(path.read_text(encoding="utf-8"))
            path.write_text(text, encoding="utf-8")
            changes += count
    sources = sorted(path for path in (folder / "tiny_decoder").iterdir()
                     if path.suffix in (".cc", ".hip"))
    program = folder / "program"
    subprocess.run([sys.executable, PROGRAMS / "build_hip.py", "--arch", "gfx950", "-I", folder,
                    "-I", PROGRAMS, "-I", ROOT / "capture/annotate", "--host-flag=-O0",
                    "--device-flag=-fhip-kernel-arg-name",
                    "-L", BUILD / "driverless/runtime", "-o", program, *sources],
                   check=True, timeout=TIMEOUT_SECONDS)
    return program, changes


class NormalForm(CommandTest):
    def shown(self, *program, before=(), folder=None, options=()):
        """The normal form of a run of the program."""
        command = [*before, COMPASS, "record", "--driverless", "--arch", "gfx950", "-o",
                   self.folder / "a.compass", "--", *program]
        done = subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8",
                              cwd=folder or self.folder, stdin=subprocess.DEVNULL,
                              timeout=TIMEOUT_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.compass("show", *options, "a.compass")[0]

    def assert_same(self, text, expected, what):
        if text != expected:  # assertEqual would take minutes to show where
            pairs = zip(text.splitlines(), expected.splitlines())
            self.fail(f"{what}: {next((pair for pair in pairs if pair[0] != pair[1]), 'length')}")

    def test_wherever_memory_is(self):
        for program in ([TINY_DECODER, *MODE], [GRAPHS, "sound-captured"], [GRAPHS, "sound-updated"]):
            expected = self.shown(*program)
            self.assert_same(self.shown(*program), expected, "run again")
            self.assert_same(self.shown(*program, before=["setarch", "-R"]), expected,
                             "addresses not randomised")

    def test_wherever_the_program_is(self):
        expected = self.shown(TINY_DECODER, *MODE)
        other = self.folder / "another folder"
        other.mkdir()
        shutil.copy(TINY_DECODER, other / "a.out")
        self.assert_same(self.shown("./a.out", *MODE, folder=other), expected, "moved")

    def test_however_the_sources_are_written_and_the_host_code_is_compiled(self):
        expected = self.shown(TINY_DECODER, *MODE)
        changes = {"comments": source_variants.with_comments,
                   "locals": source_variants.with_renamed_locals}
        with concurrent.futures.ThreadPoolExecutor() as workers:
            built = {name: workers.submit(build_variant, self.folder / name, change)
                     for name, change in changes.items()}
        for name, variant in built.items():
            program, count = variant.result()
            self.assertGreater(count, 150, f"{name}: nearly nothing was changed")
            self.assert_same(self.shown(program, *MODE), expected, name)

    def test_what_it_prints_parses_back(self):
        for options in ([], ["--full"]):
            text = self.shown(TINY_DECODER, *MODE, options=options)
            path = self.folder / "a.cir"
            path.write_text(text, encoding="utf-8")
            self.assert_same(self.compass("show", *options, path)[0], text, f"show {options}")
            for more in (["--step", "3-6"], ["--kernel", "*gemm*"], ["--stream", "2", "--full"]):
                self.assert_same(self.compass("show", *more, path)[0],
                                 self.compass("show", *more, "a.compass")[0], f"show {more}")


if __name__ == "__main__":
    unittest.main()
