# SPDX-License-Identifier: MIT
"""Which bytes of buffers recordings keep."""
import os
import sqlite3
import unittest

from harness import TINY_DECODER, CommandTest


class Contents(CommandTest):
    def record_contents(self, mode, *program, options=()):
        self.compass("record", "--driverless", "--arch", "gfx950", "--contents", mode, *options,
                     "-o", f"{mode}.compass", "--", *program)
        return f"{mode}.compass"

    def rows(self, archive, sql):
        database = sqlite3.connect(f"file:{self.folder / archive}?mode=ro", uri=True)
        self.addCleanup(database.close)
        return database.execute(sql).fetchall()

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

    def test_a_mode_that_is_none_is_refused(self):
        program = ("--", "/bin/true")
        _, errors = self.compass("record", "--contents", "some", "-o", "a.compass", *program,
                                 exit_code=2)
        self.assertIn("--contents: some not in {none,index", errors)
        _, errors = self.compass("record", "-o", "a.compass", *program, exit_code=2,
                                 env={**os.environ, "COMPASS_CONTENTS": "some"})
        self.assertIn("COMPASS_CONTENTS is 'some': expected none, index, inputs or all", errors)


if __name__ == "__main__":
    unittest.main()
