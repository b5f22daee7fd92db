# SPDX-License-Identifier: MIT
"""Where in the program's code what is recorded was asked for, if the user wants it."""
import sqlite3
import unittest

from harness import FEW_CALLS, TINY_DECODER, CommandTest

INNERMOST = "SELECT record, module, offset_bytes > 0, symbol FROM call_sites WHERE frame = 0"


class CallSites(CommandTest):
    def record_with(self, archive, *options, program=(FEW_CALLS, "exit", "0"), sql=INNERMOST):
        self.compass("record", "--driverless", "--arch", "gfx950", "-o", archive, *options, "--",
                     *program)
        database = sqlite3.connect(self.folder / archive)
        rows = database.execute(sql).fetchall()
        database.close()
        return rows

    def test_are_names_of_modules_and_offsets(self):
        # The program allocates, fills and waits; it exports no function.
        self.assertEqual(self.record_with("a.compass", "--callsites"),
                         [(1, "few_calls", 1, None), (2, "few_calls", 1, None)])

    def test_are_there_for_each_launch_of_a_graph_and_each_copy(self):
        rows = self.record_with(
            "a.compass", "--callsites", program=(TINY_DECODER, "--graphs"),
            sql="SELECT kind, count(*), count(module) FROM records LEFT JOIN call_sites "
                "USING (process, record) WHERE ifnull(frame, 0) = 0 AND kind IN "
                "('launch', 'launch_graph', 'copy', 'fill', 'allocate') GROUP BY kind ORDER BY kind")
        self.assertEqual([row[0] for row in rows],
                         ["allocate", "copy", "fill", "launch", "launch_graph"])
        for kind, records, known in rows:
            self.assertEqual(known, records, kind)

    def test_have_folders_only_if_that_is_asked_for(self):
        self.assertEqual(self.record_with("a.compass", "--callsite-paths"),
                         [(1, FEW_CALLS, 1, None), (2, FEW_CALLS, 1, None)])

    def test_are_off_and_change_nothing_of_what_is_shown(self):
        self.assertEqual(self.record_with("a.compass"), [])
        self.record_with("b.compass", "--callsites")
        shown = [self.compass("show", name)[0] for name in ("a.compass", "b.compass")]
        self.assertEqual(shown[0], shown[1])


if __name__ == "__main__":
    unittest.main()
