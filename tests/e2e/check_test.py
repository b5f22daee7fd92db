# SPDX-License-Identifier: MIT
"""Checks recordings with no GPU: seeded faults are found, clean programs pass, bad files are said."""
import json
import subprocess
import unittest

from harness import DECODER, FEW_CALLS, PLAY_WITHOUT_CONTENT, TINY_DECODER, CommandTest


class Check(CommandTest):
    def record_decoder(self, arch="gfx950", *options):
        self.record("a.compass", arch, TINY_DECODER, "--steps", "3", *options)

    def findings(self, exit_code):
        output, _ = self.compass("check", "a.compass", "--format", "json", exit_code=exit_code)
        report = json.loads(output)
        self.assertEqual(report["version"], 1)
        self.assertEqual(report["launches"]["unchecked"], 0, report["launches"])
        return report["findings"]

    def test_a_clean_program_passes(self):
        for arch in ("gfx950", "gfx942"):
            with self.subTest(arch):
                self.record_decoder(arch)
                output, _ = self.compass("check", "a.compass")
                self.assertRegex(output, r"^checked [1-9]\d* launches, unchecked 0\n")

    def test_the_seeded_out_of_bounds_store_is_the_only_finding(self):
        self.record_decoder("gfx950", "--fault", "out-of-bounds")
        findings = self.findings(exit_code=1)
        self.assertEqual([finding["rule"] for finding in findings], ["out-of-bounds"])
        self.assertIn("reshape_and_cache", findings[0]["kernel"])
        self.assertEqual(findings[0]["role"], "kv-cache")
        self.assertEqual(findings[0]["step_kind"], "decode")
        place = findings[0]["places"][0]
        self.assertEqual(place["access"], "store")
        self.assertIn("_store_", place["lane"]["instruction"])
        self.assertEqual(place["address"]["offset_bytes"], place["address"]["buffer_bytes"])

    def test_the_seeded_use_after_free_is_the_only_finding(self):
        self.record_decoder("gfx950", "--fault", "use-after-free")
        findings = self.findings(exit_code=1)
        self.assertEqual([finding["rule"] for finding in findings], ["use-after-free"])
        place = findings[0]["places"][0]
        self.assertLess(place["address"]["freed_by_record"], place["record"])
        self.assertIn("logits", place["address"]["buffer"])

    def test_a_report_is_the_same_on_every_run(self):
        self.record_decoder("gfx942", "--fault", "out-of-bounds")
        first = self.compass("check", "a.compass", exit_code=1)
        self.assertEqual(first, self.compass("check", "a.compass", exit_code=1))

    def test_launches_that_depend_on_lost_content_are_unchecked(self):
        self.record_decoder()
        done = subprocess.run([PLAY_WITHOUT_CONTENT, self.folder / "a.compass", DECODER],
                              capture_output=True, check=True, encoding="utf-8")
        self.assertRegex(done.stdout, r"^checked \d+ launches, unchecked [1-9]\d*\n")
        self.assertRegex(done.stdout, r"embed_tokens.*argument arg1 leads to embedding .*"
                                      r"the content of the copy in record \d+ was not kept")

    def test_nothing_checked_is_no_pass(self):
        self.record("a.compass", "gfx950", FEW_CALLS, "exit", "0")
        output, _ = self.compass("check", "a.compass", exit_code=3)
        self.assertIn("checked 0 launches", output)

    def test_another_architecture_needs_its_code(self):
        self.record_decoder("gfx950")
        _, errors = self.compass("check", "a.compass", "--arch", "gfx942", exit_code=2)
        self.assertIn("no code objects for gfx942 were recorded, but for gfx950", errors)

    def test_a_truncated_archive_is_an_error(self):
        self.record_decoder("gfx950")
        archive = self.folder / "a.compass"
        whole = archive.read_bytes()
        for size in (len(whole) - 1, len(whole) // 2, 4096, 100):
            with self.subTest(size):
                archive.write_bytes(whole[:size])
                _, errors = self.compass("check", "a.compass", exit_code=2)
                self.assertIn("a.compass", errors)

    def test_what_is_no_archive_is_an_error(self):
        (self.folder / "a.compass").write_text("not an archive, but long enough to look like one\n" * 99)
        _, errors = self.compass("check", "a.compass", exit_code=2)
        self.assertIn("a.compass", errors)

    def test_a_missing_archive_is_an_error(self):
        _, errors = self.compass("check", "missing.compass", exit_code=2)
        self.assertIn("missing.compass", errors)


if __name__ == "__main__":
    unittest.main()
