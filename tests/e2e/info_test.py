# SPDX-License-Identifier: MIT
"""What `info` tells of archives, as text and as JSON."""
import json
import pathlib
import unittest

from harness import RELATIVES, TINY_DECODER, CommandTest

OLD = pathlib.Path(__file__).parents[2] / "fixtures" / "archives"


class Info(CommandTest):
    def json_of(self, *words):
        return json.loads(self.compass("info", *words, "--format", "json")[0])

    def test_a_page_tells_who_what_and_how_much(self):
        self.record("a.compass", "gfx950", TINY_DECODER)
        text, _ = self.compass("info", "a.compass")
        for line in (r"archive       a\.compass, \d+ bytes, format 4, recorded by compass-capture \d",
                     r"  \d+ code objects, \d+ bytes, \d+ in the file",
                     r"program       tiny_decoder", r"architecture  gfx950 \(declared\), .*, HIP \d",
                     r"complete      yes",
                     r"interpreted   (\d+) of \1 launches, on gfx950 by compass-capture \d",
                     r"fidelity      \d+ instructions: \d+ exact, ", r"steps         \d+: \d+ decode, ",
                     r"  at record \d+", r"launches by kernel"):
            self.assertRegex(text, f"(?m)^{line}")

    def test_json_agrees_with_the_views(self):
        self.record("a.compass", "gfx950", TINY_DECODER)
        found = self.json_of("a.compass")
        self.assertEqual((found["format"], found["version"]), ("compass-capture info", 1))
        process, = found["processes"]

        def query(sql):
            return json.loads(self.compass("query", "a.compass", sql, "--format", "json")[0])

        row, = query("SELECT records, launches, steps FROM processes")
        self.assertEqual(process["records"]["count"], row["records"])
        self.assertEqual(sum(process["records"]["by_kind"].values()), row["records"])
        self.assertEqual(process["launches"]["count"], row["launches"])
        self.assertEqual(sum(process["launches"]["by_kernel"].values()), row["launches"])
        self.assertEqual(len(process["steps"]), row["steps"])
        device, = [memory for memory in process["memory"] if memory["kind"] == "device"]
        row, = query("SELECT sum(size_bytes) AS bytes, count(*) AS n FROM allocations WHERE kind = "
                     f"'device' AND parent IS NULL AND allocated_by <= {device['peak_record']} AND "
                     f"coalesce(freed_by, 1e18) > {device['peak_record']}")
        self.assertEqual((device["peak_bytes"], device["allocations_at_peak"]),
                         (row["bytes"], row["n"]))
        self.assertEqual(found["sizes"]["file_bytes"],
                         (self.folder / "a.compass").stat().st_size)

    def test_processes_have_parts_of_their_own(self):
        self.record("a.compass", "gfx950", RELATIVES, "spawn")
        text, _ = self.compass("info", "a.compass")
        self.assertIn("\n\nprocess 1 relatives\nprogram       relatives\n", text)
        self.assertIn("\n\nprocess 2 relatives\nprogram       relatives\n", text)
        self.assertEqual([process["parent"] for process in self.json_of("a.compass")["processes"]],
                         [None, 1])
        only, = self.json_of("a.compass", "--process", "2")["processes"]
        self.assertEqual(only["process"], 2)

    def test_older_formats_are_told_alike(self):
        for version in (1, 2):
            found = self.json_of(OLD / f"v{version}" / "mistakes.compass")
            self.assertEqual((found["archive_format"], found["recorder"]), (version, None))
            self.assertEqual(found["processes"][0]["launches"]["count"], 1)
            self.assertEqual(found["sizes"]["code"]["count"], 1)


if __name__ == "__main__":
    unittest.main()
