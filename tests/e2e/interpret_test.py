# SPDX-License-Identifier: MIT
"""`interpret` plays recordings, adds what launches access, and compares with what was recorded."""
import json
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from harness import BUILD, COMPASS, GRAPHS, ROOT, STAGING, TINY_DECODER, CommandTest

EDIT_ARCHIVE = str(BUILD / "tests/edit_archive")
OLD = ROOT / "fixtures/archives"
MODES = {"plain": (), "graphs": ("--graphs",), "deferred": ("--deferred",),
         "both": ("--graphs", "--deferred"), "chunks": ("--chunk-tokens", "4"),
         "sleep": ("--sleep-at", "3", "--graphs"), "calibrate": ("--calibrate",),
         "few-blocks": ("--blocks", "6")}


class Interpret(CommandTest):
    def record_decoder(self, *flags, contents="index", archive="a.compass"):
        self.compass("record", "--driverless", "--arch", "gfx950", "--contents", contents,
                     "-o", archive, "--", TINY_DECODER, *flags)

    def interpret(self, *words, exit_code=0, archive="a.compass"):
        """What it says of the first process."""
        printed, _ = self.compass("interpret", archive, *words, "--format", "json",
                                  exit_code=exit_code)
        report = json.loads(printed)
        self.assertEqual(report["exit_code"], exit_code)
        return report["processes"][0]

    def edit(self, what, archive="a.compass", output="edited.compass"):
        subprocess.run([EDIT_ARCHIVE, what, archive, output], check=True, cwd=self.folder)

    def bytes_of(self, archive="a.compass"):
        return (self.folder / archive).read_bytes()

    def rows(self, sql, archive="a.compass"):
        return self.compass("query", archive, sql, "--format", "csv")[0]

    def assert_exact(self, process):
        self.assertEqual(process["interpreted"], process["launches"])
        self.assertGreater(process["launches"], 0)
        self.assertEqual(process["accesses"]["different"], 0)
        outputs = process["outputs"]
        self.assertGreater(outputs["same"], 0)
        self.assertEqual((outputs["different"], outputs["unknown"]), (0, 0))

    def test_every_output_is_reproduced_to_the_bit(self):
        for contents in ("inputs", "all"):
            for name, flags in MODES.items():
                with self.subTest(contents=contents, mode=name):
                    self.record_decoder(*flags, contents=contents)
                    self.assert_exact(self.interpret())

    def test_other_programs_too(self):
        for program in ((STAGING, "sound"), (STAGING, "graph"), (GRAPHS, "captured"), (GRAPHS, "updated")):
            with self.subTest(program):
                self.compass("record", "--driverless", "--arch", "gfx950", "--contents", "all",
                             "-o", "a.compass", "--", *program)
                process = self.interpret()
                self.assertEqual(process["interpreted"], process["launches"])
                self.assertEqual(process["outputs"]["different"], 0)
                if program[0] == STAGING:
                    self.assert_exact(process)
                else:  # it brings nothing to the host
                    self.assertEqual(process["accesses"]["same"], process["launches"])

    def test_an_index_archive_needs_no_weights(self):
        self.record_decoder()
        self.edit("weights")
        self.assertLess(len(self.bytes_of("edited.compass")), len(self.bytes_of()))
        self.edit("accesses", "edited.compass", "edited.compass")
        process = self.interpret(archive="edited.compass")
        self.assertEqual(process["interpreted"], process["launches"])
        self.assertEqual(process["accesses"]["added"], process["launches"])
        self.assertGreater(process["outputs"]["unknown"], 0)
        self.assertEqual(process["outputs"]["different"], 0)
        for view in ("accesses", "launches"):
            sql = f"SELECT * FROM {view} ORDER BY 1, 2, 3, 4, 5, 6, 7"
            self.assertEqual(self.rows(sql), self.rows(sql, "edited.compass"))

    def test_what_was_stripped_is_added_again(self):
        for flags in MODES["plain"], MODES["both"]:
            self.record_decoder(*flags)
            self.edit("accesses")
            self.assertNotEqual(self.bytes_of(), self.bytes_of("edited.compass"))
            process = self.interpret(archive="edited.compass")
            self.assertEqual(process["accesses"]["added"], process["launches"])
            shown = self.compass("show", "--full", "a.compass")
            self.assertEqual(self.compass("show", "--full", "edited.compass"), shown)
            self.assertEqual(self.rows("SELECT * FROM fidelity ORDER BY 3"),
                             self.rows("SELECT * FROM fidelity ORDER BY 3", "edited.compass"))

    def test_recording_says_at_once_what_interpreting_adds(self):
        self.record_decoder("--graphs")
        before = self.bytes_of()
        self.interpret()
        self.assertEqual(self.bytes_of(), before)
        self.assertEqual(self.rows("SELECT architecture, launches - interpreted FROM interpretations"),
                         "architecture,launches - interpreted\ngfx950,0\n")

    def test_a_second_time_changes_nothing(self):
        self.record_decoder(contents="none")
        self.interpret(exit_code=3)
        once = self.bytes_of()
        self.interpret(exit_code=3)
        self.assertEqual(self.bytes_of(), once)

    def test_what_differs_is_told(self):
        self.record_decoder("--graphs")
        self.edit("access")
        process = self.interpret(archive="edited.compass", exit_code=1)
        self.assertGreater(process["accesses"]["different"], 0)
        record = process["accesses"]["first_different"]["record"]
        text, _ = self.compass("interpret", "edited.compass", exit_code=1)
        self.assertIn(f" not as recorded, first record {record}", text)
        self.edit("output")
        outputs = self.interpret(archive="edited.compass", exit_code=1)["outputs"]
        self.assertEqual(outputs["different"], 2)
        first = outputs["first_different"]
        self.assertNotEqual(first["recorded"], first["now"])
        text, _ = self.compass("interpret", "edited.compass", exit_code=1)
        self.assertIn(f"2 differ, first record {first['record']}, byte {first['byte']}: recorded 0x"
                      f"{first['recorded']:02x}, now 0x{first['now']:02x}\n", text)

    def test_what_cannot_be_interpreted_is_told_and_kept(self):
        self.record_decoder(contents="none")
        self.edit("accesses")
        process = self.interpret(archive="edited.compass", exit_code=3)
        gaps = process["not_interpreted"]
        self.assertEqual(process["launches"] - process["interpreted"], len(gaps))
        self.assertRegex(gaps[0]["reason"], "an unknown value decides .*, last written by record "
                                            r"\d+: the content of the copy in record \d+ was not kept")
        rows = self.rows("SELECT record, reason FROM not_interpreted ORDER BY record", "edited.compass")
        self.assertEqual(rows.count("\n") - 1, len(gaps))
        self.assertTrue(rows.splitlines()[1].startswith(f"{gaps[0]['record']},"))
        self.assertIn("and for ", self.compass("interpret", "edited.compass", exit_code=3)[0])

    def test_recorded_accesses_outlive_an_interpretation_that_knows_less(self):
        self.record_decoder(contents="none")
        accesses = self.rows("SELECT * FROM accesses ORDER BY 2, 4, 6, 7")
        text, _ = self.compass("interpret", "a.compass", exit_code=3)
        self.assertRegex(text, r"accesses  \d+ launches as recorded, \d+ known from the recording\n")
        self.assertEqual(self.rows("SELECT * FROM accesses ORDER BY 2, 4, 6, 7"), accesses)
        self.assertEqual(self.rows("SELECT launches - interpreted AS n FROM interpretations"), "n\n0\n")

    def test_another_architecture_interprets_nothing(self):
        self.record_decoder()
        before = self.bytes_of()
        process = self.interpret("--arch", "gfx942", exit_code=3)
        self.assertEqual(process["interpreted"], 0)
        self.assertEqual(self.bytes_of(), before)
        self.edit("accesses")
        process = self.interpret("--arch", "gfx942", exit_code=3, archive="edited.compass")
        rows = self.rows("SELECT record FROM not_interpreted", "edited.compass")
        self.assertEqual(rows.count("\n") - 1, process["launches"])

    def test_old_formats_become_the_newest(self):
        for version in ("v1", "v2", "v3"):
            shutil.copy(OLD / version / "mistakes.compass", self.folder / "a.compass")
            shown = self.compass("show", "a.compass")[0]
            shown = [line for line in shown.splitlines() if "<<<" in line]
            self.interpret()
            info = json.loads(self.compass("info", "a.compass", "--format", "json")[0])
            self.assertEqual(info["archive_format"], 4)
            self.assertEqual(info["processes"][0]["interpretation"]["interpreted"], 1)
            now = self.compass("show", "a.compass")[0]
            self.assertEqual([line for line in now.splitlines() if "<<<" in line], shown)
        sites = "SELECT * FROM call_sites ORDER BY 2, 3"
        shutil.copy(OLD / "v3" / "graphs.compass", self.folder / "b.compass")
        before = self.rows(sites, "b.compass")
        self.assertGreater(before.count("\n"), 10)
        self.interpret(archive="b.compass")
        self.assertEqual(self.rows(sites, "b.compass"), before)

    def test_output_leaves_the_file_alone(self):
        self.record_decoder(contents="none")
        before = self.bytes_of()
        self.interpret("-o", "b.compass", exit_code=3)
        self.assertEqual(self.bytes_of(), before)
        self.assertEqual((self.folder / "b.compass").stat().st_mode & 0o777, 0o600)
        self.assertIn("b.compass: ", self.compass("interpret", "b.compass", exit_code=3)[0])

    def assert_untouched(self, before, files=("a.compass",)):
        self.assertEqual(self.bytes_of(), before)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(files))

    def test_a_full_disk_leaves_all_as_it_was(self):
        self.record_decoder()
        before = self.bytes_of()

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        done = subprocess.run([COMPASS, "interpret", "a.compass"], cwd=self.folder, check=False,
                              capture_output=True, encoding="utf-8", preexec_fn=small_files)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, r"^compass-capture: error: archive a\.compass: .*(full|too large|I/O)")
        self.assert_untouched(before)

    def test_a_place_where_nothing_can_be_written_is_named(self):
        self.record_decoder()
        before = self.bytes_of()
        _, error = self.compass("interpret", "a.compass", "-o", "none/b.compass", exit_code=2)
        self.assertIn("archive none/b.compass: cannot be created: No such file or directory", error)
        _, error = self.compass("interpret", "a.compass", "-o", "/proc/b.compass", exit_code=2)
        self.assertIn("archive /proc/b.compass: cannot be created", error)
        self.assert_untouched(before)

    def test_a_kill_leaves_the_archive_whole(self):
        self.record_decoder("--steps", "64")
        before = self.bytes_of()
        start = time.monotonic()
        self.interpret("-o", "whole.compass")
        whole = time.monotonic() - start
        killed = 0
        for attempt in range(12):
            child = subprocess.Popen([COMPASS, "interpret", "a.compass"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(random.Random(attempt).uniform(0.1, 1.0) * whole)
            child.send_signal(signal.SIGKILL)
            killed += child.wait() == -signal.SIGKILL
            self.assertEqual(self.bytes_of(), before)
        self.assertGreater(killed, 0)

    def test_a_wrong_file_or_option_is_named(self):
        _, error = self.compass("interpret", "missing.compass", exit_code=2)
        self.assertIn("missing.compass does not exist", error)
        (self.folder / "text").write_text("no archive", encoding="utf-8")
        _, error = self.compass("interpret", "text", exit_code=2)
        self.assertIn("text is no archive: expected an SQLite file", error)
        _, error = self.compass("interpret", "text", "--arch", "gfx1", exit_code=2)
        self.assertIn("unknown architecture 'gfx1': expected ", error)


if __name__ == "__main__":
    unittest.main()
