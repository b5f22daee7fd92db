# SPDX-License-Identifier: MIT
"""What recordings say of what launches read, wrote, and loaded as indices."""
import sqlite3
import subprocess
import unittest

from harness import COMPARE_ACCESSES, DECODER, MISTAKES, TINY_DECODER, CommandTest


class Accesses(CommandTest):
    def rows(self, sql):
        database = sqlite3.connect(f"file:{self.folder / 'a.compass'}?mode=ro", uri=True)
        self.addCleanup(database.close)
        return database.execute(sql).fetchall()

    def test_a_play_touches_what_the_recording_says(self):
        for options in ((), ("--graphs", "--deferred")):
            with self.subTest(options):
                self.record("a.compass", "gfx950", TINY_DECODER, *options)
                done = subprocess.run([COMPARE_ACCESSES, self.folder / "a.compass", DECODER],
                                      capture_output=True, check=False, encoding="utf-8")
                self.assertRegex(done.stdout, r"^\d{3} launches\n")

    def test_each_launch_has_what_it_read_and_wrote(self):
        self.record("a.compass", "gfx950", MISTAKES, "none")
        self.assertEqual(
            self.rows("SELECT allocation_name, mode, first_byte, size_bytes, stride_bytes, count "
                      "FROM accesses ORDER BY allocation"),
            [("mistakes::gather.arg0", "read", 0, 4, 0, 1),
             ("mistakes::gather.arg1", "read", 0, 256, 0, 1),
             ("mistakes::gather.arg2", "write", 0, 256, 0, 1)])

    def test_summaries_are_kept_once(self):
        self.record("a.compass", "gfx950", TINY_DECODER, "--steps", "4")
        launches, distinct = self.rows("SELECT count(*), count(DISTINCT summary) FROM launch_access")[0]
        self.assertEqual([(launches,)], self.rows("SELECT count(*) FROM launches"))
        self.assertLessEqual(distinct, launches / 2)

    def test_index_bytes_are_those_that_were_loaded(self):
        self.record("a.compass", "gfx950", MISTAKES, "large-index")
        index = self.rows("SELECT allocation_name, size_bytes, complete FROM index_bytes "
                          "ORDER BY record LIMIT 1")
        self.assertEqual(index, [("mistakes::gather.arg1", 256, 1)])
        self.assertEqual(self.rows("SELECT count(*) FROM index_bytes i JOIN blob b "
                                   "ON b.sha256 = i.content WHERE b.size_bytes = i.size_bytes"),
                         self.rows("SELECT count(*) FROM index_bytes"))

    def test_none_keeps_no_index_bytes(self):
        self.compass("record", "--driverless", "--arch", "gfx950", "--contents", "none",
                     "-o", "a.compass", "--", MISTAKES, "none")
        self.assertEqual(self.rows("SELECT count(*) FROM index_bytes"), [(0,)])
        self.assertEqual(self.rows("SELECT count(*) FROM accesses"), [(3,)])


if __name__ == "__main__":
    unittest.main()
