# SPDX-License-Identifier: MIT
"""Checks recordings with no GPU: seeded faults are found, clean programs pass, bad files are said."""
import json
import subprocess
import unittest

from harness import (DECODER, FEW_CALLS, MISTAKES, PLAY_WITHOUT_CONTENT, TINY_DECODER,
                     CommandTest)


class Check(CommandTest):
    def record_decoder(self, arch="gfx950", *options):
        self.record("a.compass", arch, TINY_DECODER, "--steps", "3", *options)

    def findings(self, exit_code):
        output, _ = self.compass("check", "a.compass", "--format", "json", exit_code=exit_code)
        report = json.loads(output)
        self.assertEqual(report["version"], 2)
        self.assertEqual(report["launches"]["unchecked"], 0, report["launches"])
        return report["findings"]

    def test_a_clean_program_passes(self):
        for arch in ("gfx950", "gfx942"):
            with self.subTest(arch):
                self.record_decoder(arch)
                output, _ = self.compass("check", "a.compass", "--fail-on", "warning")
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

    def test_launches_run_on_weights_that_were_not_kept(self):
        self.record_decoder()
        done = subprocess.run([PLAY_WITHOUT_CONTENT, self.folder / "a.compass", DECODER],
                              capture_output=True, check=True, encoding="utf-8")
        self.assertRegex(done.stdout, r"^checked [1-9]\d* launches, unchecked 0\n")

    def check_mistake(self, case, exit_code, *options, recorded_exit=0, contents="index"):
        """Records `mistakes CASE` on each architecture; what the check of it prints."""
        for arch in ("gfx942", "gfx950"):
            self.compass("record", "--driverless", "--arch", arch, "--contents", contents,
                         "-o", "a.compass", "--", MISTAKES, case, exit_code=recorded_exit)
            output, _ = self.compass("check", "a.compass", *options, exit_code=exit_code)
        return output

    def test_what_was_not_kept_and_decides_nothing_is_checked(self):
        for case in ("none", "large-table"):
            with self.subTest(case):
                output = self.check_mistake(case, 0, "--fail-on", "warning")
                self.assertTrue(output.startswith("checked 1 launch, unchecked 0\n"), output)

    def test_what_formed_an_address_is_kept_with_its_launch(self):
        for case, launches in (("large-index", "3 launches"), ("pinned-index", "1 launch")):
            with self.subTest(case):
                output = self.check_mistake(case, 0, "--fail-on", "warning")
                self.assertTrue(output.startswith(f"checked {launches}, unchecked 0\n"), output)

    def test_an_index_that_was_not_kept_leaves_its_launch_and_those_after_it_unchecked(self):
        output = self.check_mistake("large-index", 3, contents="none")
        self.assertTrue(output.startswith("checked 0 launches, unchecked 3\n"), output)
        self.assertRegex(output, r"launch 1 .*gather: an unknown value decides an address at "
                                 r"kernel \+ 0x\w+ \(global_load_dword .*\), loaded at kernel \+ "
                                 r"0x\w+ from mistakes::gather\.arg1 \(allocation 4\) \+ 0, last written by "
                                 r"record (\d+): the content of the copy in record \1 was not kept")
        self.assertRegex(output, r"launch 2 .* from mistakes::gather\.arg2#2 \(allocation 3\) \+ 0, "
                                 r"last written by record \d+: launch 1 is unchecked")

    def test_an_index_in_pinned_memory_is_unknown(self):
        output = self.check_mistake("pinned-index", 3, contents="none")
        self.assertRegex(output, r"\(allocation 4\) \+ 0: the host writes pinned memory unseen")

    def test_an_undefined_index_that_matters_is_an_error(self):
        output = self.check_mistake("uninit-index", 1)
        self.assertRegex(output, r"^error: uninit-read: \S*gather lets undefined bytes of "
                                 r"\S*gather\.arg1 \(allocation 4\) decide an address ")
        self.assertIn("checked 1 launch, unchecked 0", output)
        self.assertRegex(output, r"value +an address comes from undefined bytes, in mistakes::gather\.arg1 \(allocation 4\) \+ 0, "
                                 r"loaded at kernel \+ 0x\w+\n +written +by nobody since it was allocated")

    def test_undefined_bytes_may_be_moved(self):
        self.check_mistake("uninit-table", 0, "--fail-on", "warning")

    def test_a_pointer_to_nothing_is_said_by_its_argument(self):
        output = self.check_mistake("null-argument", 1)
        self.assertRegex(output, "^error: out-of-bounds: .*gather writes memory through arg2, which is null")
        self.assertIn("argument #2, counted from 0, is null", output)
        output = self.check_mistake("host-argument", 1)
        self.assertRegex(output, "^error: out-of-bounds: .*gather reads memory through arg1, which points "
                                 "into no allocation")
        self.assertIn("argument #1, counted from 0, is memory that no call allocated", output)

    def test_a_misaligned_atomic_is_found(self):
        output = self.check_mistake("misaligned", 1)
        self.assertRegex(output, r"^error: misaligned-access: mistakes::add_one updates misaligned bytes "
                                 r"of mistakes::add_one\.arg0 \(allocation 1\) ")

    def test_a_killed_recorder_leaves_no_pass(self):
        output = self.check_mistake("killed", 3, recorded_exit=128 + 9)
        self.assertRegex(output, r"checked 1 launch, unchecked 0\nthe recording is incomplete: ")

    def test_calls_that_failed_are_judged_by_what_they_touch(self):
        output = self.check_mistake("copy-too-long", 1)
        self.assertRegex(output, r"^error: out-of-bounds: copy \w+ past the end of \S*gather\.arg\d")
        output = self.check_mistake("copy-after-free", 1)
        self.assertRegex(output, r"^error: use-after-free: copy writes freed memory of .*allocation 3")
        output = self.check_mistake("fill-after-free", 1)
        self.assertRegex(output, r"^error: use-after-free: fill writes freed memory of .*allocation 3")
        output = self.check_mistake("free-twice", 1)
        self.assertRegex(output, r"^error: use-after-free: free ends freed memory of .*allocation 3")

    def test_check_and_show_agree_on_names(self):
        self.record("a.compass", "gfx950", MISTAKES, "uninit-index")
        shown, _ = self.compass("show", "a.compass")
        checked, _ = self.compass("check", "a.compass", exit_code=1)
        name = checked.partition("undefined bytes of ")[2].split(" (allocation")[0]
        self.assertIn(name, shown)

    def test_help_explains_the_exit_codes(self):
        output, _ = self.compass("check", "--help")
        for code in "0123":
            self.assertRegex(output, rf"\n *{code}  \w")

    def test_nothing_checked_is_no_pass(self):
        self.record("a.compass", "gfx950", FEW_CALLS, "exit", "0")
        output, _ = self.compass("check", "a.compass", exit_code=3)
        self.assertIn("checked 0 launches", output)

    def test_another_architecture_needs_its_code(self):
        self.record_decoder("gfx950")
        output, _ = self.compass("check", "a.compass", "--arch", "gfx942", exit_code=1)
        self.assertRegex(output, "^error: arch-match: tiny_decoder::embed_tokens cannot run: its code is for gfx950, "
                                 "the declared architecture is gfx942 ")
        self.assertRegex(output, "checked 0 launches, unchecked [1-9]")

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
