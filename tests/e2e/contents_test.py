# SPDX-License-Identifier: MIT
"""Which bytes of buffers recordings keep."""
import os
import sqlite3
import struct
import subprocess
import unittest

from harness import (DECODER, PLAY_RESULTS, PRINT_CONTENTS, STAGING, TIMEOUT_SECONDS, TINY_DECODER,
                     CommandTest)

DECODE = (TINY_DECODER, "--steps", "3", "--check")
SCHEDULES = ("early", "late")
HALVES = tuple(i // 2 for i in range(64))


class Contents(CommandTest):
    def record_contents(self, mode, *program, copies="early"):
        """An archive of the program; work runs early or late. What it printed is `self.printed`."""
        archive = f"{mode}-{copies}.compass"
        self.printed, _ = self.compass("run", "--arch", "gfx950", "--contents", mode, "--copies",
                                       copies, "-o", archive, "--", *program)
        return archive

    def assert_played_results_are_recorded_ones(self, archive):
        """Plays the archive: each result that a copy brought to the host comes out again."""
        done = subprocess.run([PLAY_RESULTS, self.folder / archive, DECODER], capture_output=True,
                              encoding="utf-8", timeout=TIMEOUT_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def rows(self, archive, sql):
        database = sqlite3.connect(f"file:{self.folder / archive}?mode=ro", uri=True)
        self.addCleanup(database.close)
        return database.execute(sql).fetchall()

    def contents(self, archive, *content):
        done = subprocess.run([PRINT_CONTENTS, self.folder / archive, *content], capture_output=True,
                              timeout=TIMEOUT_SECONDS, check=True)
        return done.stdout

    def copies(self, archive, direction):
        """Of each such copy: direction, content at enqueue, at completion, result."""
        lines = self.contents(archive).decode().splitlines()
        return [line.split() for line in lines if line.startswith(direction)]

    def ints(self, archive, content):
        """The 32-bit numbers of a content."""
        data = self.contents(archive, content)
        return struct.unpack(f"<{len(data) // 4}i", data)

    def test_none_keeps_code_objects_and_no_other_bytes(self):
        archive = self.record_contents("none", TINY_DECODER, "--steps", "2")
        self.assertEqual(self.rows(archive, "SELECT count(*) FROM copies WHERE content IS NOT NULL"),
                         [(0,)])
        self.assertEqual(self.rows(archive, "SELECT sha256 FROM blob ORDER BY 1"),
                         self.rows(archive, "SELECT DISTINCT sha256 FROM code_object ORDER BY 1"))
        self.assertEqual((self.folder / archive).stat().st_mode & 0o777, 0o600)

    def test_index_keeps_what_copies_from_the_host_carried(self):
        archive = self.record_contents("index", TINY_DECODER, "--steps", "2")
        kept = self.rows(archive, "SELECT content IS NOT NULL, size_bytes <= 1 << 20, count(*) "
                                  "FROM copies WHERE direction = 'h2d' GROUP BY 1, 2")
        self.assertEqual([row[:2] for row in kept], [(1, 1)])

    def test_a_copy_has_what_the_host_held_when_it_asked_and_when_it_had_waited(self):
        sums = {}
        for copies in SCHEDULES:
            archive = self.record_contents("index", STAGING, "rewritten", copies=copies)
            sums[copies] = self.printed
            _, content, completed, _ = self.copies(archive, "h2d")[-1]
            self.assertEqual(self.ints(archive, content), tuple(range(64)))
            self.assertEqual(self.ints(archive, completed), HALVES)
            staged = self.rows(archive, "SELECT content, completed_content FROM copies "
                                        "WHERE direction = 'h2d' AND wait = 'async'")
            self.assertEqual(staged, [(content, completed)])
            self.assert_played_results_are_recorded_ones(archive)
        self.assertNotEqual(sums["early"], sums["late"], "the copy runs when it is asked for, or later")

    def test_what_was_copied_to_the_host_is_kept_at_the_wait(self):
        for copies in SCHEDULES:
            archive = self.record_contents("index", STAGING, "sound", copies=copies)
            results = [self.ints(archive, copy[3]) for copy in self.copies(archive, "d2h")]
            self.assertEqual(results, [tuple(i * i for i in range(64)), tuple(i * i for i in HALVES)])
            for _, content, completed, _ in self.copies(archive, "h2d"):
                self.assertEqual(content, completed, "memory was written before its copy was done")

    def test_check_finds_what_run_finds_where_staging_memory_is_rewritten(self):
        for copies, exit_code in (("early", 0), ("late", 1)):
            archive = f"{copies}.compass"
            _, ran = self.compass("run", "--arch", "gfx950", "--copies", copies, "-o", archive, "--",
                                  STAGING, "rewritten-wild", exit_code=exit_code)
            checked, _ = self.compass("check", archive, exit_code=exit_code)
            for report in (ran, checked):
                self.assertEqual("error: out-of-bounds" in report, exit_code == 1, report)

    def test_a_graph_copies_what_the_host_held_when_it_was_launched(self):
        for copies in SCHEDULES:
            archive = self.record_contents("index", STAGING, "graph", copies=copies)
            self.assert_played_results_are_recorded_ones(archive)
            self.compass("check", archive)

    def test_inputs_keep_what_kernels_read_from_the_hosts_memory(self):
        for copies in SCHEDULES:
            archive = self.record_contents("inputs", STAGING, "pinned", copies=copies)
            self.assertEqual([write[2] for write in self.copies(archive, "write")], ["256", "4"],
                             "all of it, then what was changed")
            self.assert_played_results_are_recorded_ones(archive)
        archive = self.record_contents("index", STAGING, "pinned")
        self.assertEqual(self.copies(archive, "write"), [])
        archive = self.record_contents("none", STAGING, "pinned")
        self.compass("check", archive, exit_code=3)

    def test_a_served_model_is_played_to_the_bit(self):
        for copies in SCHEDULES:
            for graphs in ((), ("--graphs",)):
                for mode in ("inputs", "all"):
                    archive = self.record_contents(mode, *DECODE, *graphs, copies=copies)
                    self.assertIn("check: ok", self.printed)
                    self.assert_played_results_are_recorded_ones(archive)

    def test_a_mode_that_is_none_is_refused(self):
        program = ("--", "/bin/true")
        _, errors = self.compass("record", "--contents", "some", "-o", "a.compass", *program,
                                 exit_code=2)
        self.assertIn("--contents: some not in {none,index,inputs,all}", errors)
        _, errors = self.compass("record", "-o", "a.compass", *program, exit_code=2,
                                 env={**os.environ, "COMPASS_CONTENTS": "some"})
        self.assertIn("COMPASS_CONTENTS is 'some': expected none, index, inputs or all", errors)


if __name__ == "__main__":
    unittest.main()
