# SPDX-License-Identifier: MIT
"""Asks archives in SQL: what is printed, in which form, and what is refused."""
import csv
import io
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import time
import unittest

from harness import COMPASS, GRAPHS, CommandTest

OLD = pathlib.Path(__file__).parents[2] / "fixtures" / "archives"
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "


class Query(CommandTest):
    def setUp(self):
        super().setUp()
        self.record("a.compass", "gfx950", GRAPHS, "captured")

    def query(self, sql, *options, exit_code=0):
        return self.compass("query", "a.compass", sql, *options, exit_code=exit_code)[0]

    def refused(self, sql):
        """Why, less where it is said."""
        _, errors = self.compass("query", "a.compass", sql, exit_code=2)
        self.assertTrue(errors.startswith("compass-capture: error: query: "), errors)
        return errors[len("compass-capture: error: query: "):-1]

    def write(self, sql):
        archive = sqlite3.connect(self.folder / "a.compass")
        archive.executescript(sql)
        archive.close()

    def test_a_table_is_aligned(self):
        self.assertEqual(
            self.query("SELECT 'a' AS name, 1 AS n UNION ALL SELECT 'größer', 100 UNION ALL "
                       "SELECT NULL, NULL UNION ALL SELECT x'00ff', -1.5"),
            "name       n\n------  ----\na          1\ngrößer   100\n\n00FF    -1.5\n")
        self.assertEqual(self.query("SELECT record FROM launches WHERE 0"), "record\n------\n")
        self.assertEqual(self.query("SELECT 'a' || char(27) || char(10) AS x"), "x\n---\na??\n")

    def test_csv_is_as_rfc_4180_has_it(self):
        sql = "SELECT 1 AS a, 'x,\"y\"' || char(10) AS 'b,c', NULL AS d"
        text = self.query(sql, "--format", "csv")
        self.assertEqual(text, 'a,"b,c",d\n1,"x,""y""\n",\n')  # universal newlines
        raw = subprocess.run([COMPASS, "query", "a.compass", sql, "--format", "csv"],
                             cwd=self.folder, capture_output=True, check=True).stdout
        self.assertEqual(raw, b'a,"b,c",d\r\n1,"x,""y""\n",\r\n')
        self.assertEqual(list(csv.reader(io.StringIO(raw.decode(), newline=""))),
                         [["a", "b,c", "d"], ["1", 'x,"y"\n', ""]])

    def test_json_keeps_every_number(self):
        text = self.query("SELECT 9223372036854775807 AS big, -9223372036854775808 AS low, "
                          "0.1 AS real, 1e999 AS inf, NULL AS none, x'00ff' AS bytes, "
                          "'\"\\' || char(10, 233) AS text", "--format", "json")
        self.assertEqual(json.loads(text), [
            {"big": 9223372036854775807, "low": -9223372036854775808, "real": 0.1, "inf": None,
             "none": None, "bytes": "00FF", "text": '"\\\né'}])
        self.assertEqual(json.loads(self.query("SELECT 1 WHERE 0", "--format", "json")), [])
        rows = json.loads(self.query("SELECT record, kind FROM records", "--format", "json"))
        self.assertEqual([row["record"] for row in rows], list(range(1, len(rows) + 1)))
        self.query("SELECT CAST(x'ff' AS TEXT) AS t", "--format", "json")

    def test_without_a_statement_the_views_are_listed(self):
        listed, _ = self.compass("query", "a.compass")
        self.assertIn("launch_arguments\n    process, record, ordinal, name, allocation, ", listed)
        self.assertEqual(listed.count("\n    "), 17)
        for version in ("v1", "v2"):
            listed, _ = self.compass("query", OLD / version / "mistakes.compass")
            self.assertEqual(listed.count("\n    "), 6)
            self.assertIn("\n    record, step, phase, ", listed)

    def test_old_archives_answer_by_their_own_views(self):
        for version in ("v1", "v2"):
            rows, _ = self.compass("query", OLD / version / "mistakes.compass",
                                   "SELECT launch, kernel FROM launches", "--format", "csv")
            self.assertRegex(rows, r"^launch,kernel\n1,\"mistakes::gather\(.*\)\"\n$")

    def test_errors_say_what_and_where(self):
        self.assertEqual(self.refused("SELECT gone FROM launches"),
                         "no such column: gone, at character 8: gone FROM launches")
        self.assertEqual(self.refused("SELEC 1"), 'near "SELEC": syntax error, at character 1: SELEC 1')
        self.assertEqual(self.refused("SELECT 1; SELECT 2"),
                         "expected one statement, found another at character 10")
        self.assertEqual(self.refused(" -- nothing"), "expected a statement, found none")
        self.query("SELECT 1; -- and no more")

    def test_nothing_but_reading_is_allowed(self):
        before = (self.folder / "a.compass").read_bytes()
        (self.folder / "other").write_text("", encoding="utf-8")
        only_reads = "expected a statement that only reads"
        for sql in ("DELETE FROM record", "CREATE TABLE t (x)", "CREATE TEMP TABLE t (x)",
                    "DROP VIEW launches", "INSERT INTO phase VALUES (1)", "BEGIN", "VACUUM",
                    "UPDATE record SET status = 0", "ANALYZE", "REINDEX", "SAVEPOINT s",
                    "CREATE VIRTUAL TABLE t USING fts5(x)", "VACUUM INTO 'copy'"):
            with self.subTest(sql):
                why = self.refused(sql)
                self.assertTrue(why in (only_reads, "another file cannot be attached")
                                or why.startswith("no such table: phase"), why)
        self.assertEqual(self.refused("ATTACH 'other' AS o"), "another file cannot be attached")
        self.assertEqual(self.refused("DETACH main"), only_reads)
        self.assertEqual(self.refused("PRAGMA journal_mode = WAL"),
                         "the pragma journal_mode is refused")
        self.assertEqual(self.refused("PRAGMA writable_schema = 1"),
                         "the pragma writable_schema is refused")
        self.assertIn("launches", self.query("PRAGMA table_list"))
        for function in ("load_extension('x')", "readfile('/etc/passwd')", "writefile('x', 'y')",
                         "edit('x')"):
            self.refused(f"SELECT {function}")
        self.assertEqual((self.folder / "a.compass").read_bytes(), before)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.compass", "other"])

    def test_views_of_the_file_are_not_used(self):
        self.write("DROP VIEW launches; CREATE VIEW launches AS " + ENDLESS + "SELECT x FROM n;"
                   "CREATE VIEW extra AS SELECT 1;")
        self.assertIn("kernel", self.query("SELECT * FROM launches"))
        _, errors = self.compass("query", "a.compass", "SELECT * FROM extra", exit_code=2)
        self.assertIn("access to view \"extra\" prohibited", errors)

    def test_a_long_query_can_be_interrupted(self):
        with subprocess.Popen([COMPASS, "query", "a.compass", ENDLESS + "SELECT max(x) FROM n"],
                              cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=20), -signal.SIGINT)

    def test_a_reader_that_has_seen_enough_is_no_error(self):
        for form in ("table", "csv", "json"):
            with subprocess.Popen([COMPASS, "query", "a.compass", ENDLESS + "SELECT x FROM n",
                                   "--format", form], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                process.stdout.readline()
                process.stdout.close()
                self.assertEqual(process.wait(timeout=60), 0)
                self.assertEqual(process.stderr.read(), b"")

    def test_what_is_no_archive_is_named(self):
        (self.folder / "empty").write_bytes(b"")
        _, errors = self.compass("query", "empty", "SELECT 1", exit_code=2)
        self.assertIn("empty is no archive: expected an SQLite file", errors)
        _, errors = self.compass("query", "missing", exit_code=2)
        self.assertIn("missing does not exist", errors)


if __name__ == "__main__":
    unittest.main()
