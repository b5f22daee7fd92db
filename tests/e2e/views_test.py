# SPDX-License-Identifier: MIT
"""The views of an archive are what docs/ir.md promises, also for those who have only SQLite."""
import pathlib
import re
import shutil
import sqlite3
import subprocess
import unittest

from harness import GRAPHS, TINY_DECODER, CommandTest

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "ir.md"


def section():
    text = DOCUMENT.read_text(encoding="utf-8")
    return text[text.index("## 1. Archive"):text.index("## 2. Records")]


def documented_views():
    """Columns by view: the words in code style of the table's last column, less remarks."""
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \| (.*) \|$", section(), re.MULTILINE)
    views = {}
    for view, columns in rows:
        while "(" in columns:
            columns = re.sub(r"\([^()]*\)", "", columns)
        views[view] = re.findall(r"`(\w+)`", columns)
    return views


class Views(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not documented_views():
            raise AssertionError(f"no view is documented in {DOCUMENT}")

    def open_archive(self):
        archive = sqlite3.connect(f"file:{self.folder}/a.compass?mode=ro", uri=True)
        self.addCleanup(archive.close)
        return archive

    def test_views_have_the_documented_columns(self):
        self.record("a.compass", "gfx950", GRAPHS, "captured")
        archive = self.open_archive()
        views = [name for name, in archive.execute(
            "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")]
        documented = documented_views()
        self.assertEqual(views, sorted(documented))
        for view in views:
            found = [column[0] for column in archive.execute(f"SELECT * FROM {view}").description]
            self.assertEqual(found, documented[view], view)

    def test_plain_sqlite_answers_the_documented_queries(self):
        self.record("run.compass", "gfx950", TINY_DECODER)
        queries = re.findall(r'^    sqlite3 -readonly run.compass "(.*)"$', section(), re.MULTILINE)
        self.assertGreaterEqual(len(queries), 3)
        for query in queries:
            with self.subTest(query):
                done = subprocess.run([shutil.which("sqlite3") or self.skipTest("no sqlite3"),
                                       "-readonly", self.folder / "run.compass", query],
                                      capture_output=True, encoding="utf-8", check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertGreater(len(done.stdout.splitlines()), 1)

    def test_views_agree_with_each_other(self):
        self.record("a.compass", "gfx950", GRAPHS, "updated")
        archive = self.open_archive()

        def number(query):
            return archive.execute(query).fetchone()[0]

        launches = number("SELECT count(*) FROM launches")
        self.assertEqual(launches, 4)
        self.assertEqual(number("SELECT count(*) FROM launch_numbers"), launches)
        self.assertEqual(number("SELECT max(launch) FROM launch_numbers"), launches)
        self.assertEqual(number("SELECT sum(launches) FROM kernels"), launches)
        self.assertEqual(number("SELECT launches FROM processes"), launches)
        self.assertEqual(number("SELECT records FROM processes"),
                         number("SELECT count(*) FROM records"))
        self.assertEqual(number("SELECT count(*) FROM copies"),
                         number("SELECT count(*) FROM records WHERE kind = 'copy'"))
        self.assertEqual(number("SELECT count(*) FROM allocations WHERE allocated_by IS NULL"), 0)


if __name__ == "__main__":
    unittest.main()
