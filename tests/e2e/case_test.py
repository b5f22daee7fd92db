# SPDX-License-Identifier: MIT
"""Runs launches with given inputs: what is wrong with one is found and said."""
import json
import shutil
import subprocess
import sys
import unittest

from harness import ROOT, CommandTest

KERNELS = ROOT / "fixtures/kernels"
EDIT = ROOT / "fixtures/cases/edit_case.py"


class Case(CommandTest):
    def edit(self, name, *changes):
        subprocess.run([sys.executable, EDIT, KERNELS / name, self.folder / name, *changes], check=True)
        return name

    def report(self, *words, exit_code):
        output, _ = self.compass("case", *words, "--format", "json", exit_code=exit_code)
        report = json.loads(output)
        self.assertEqual((report["format"], report["version"]), ("compass-capture case", 1))
        return report

    def only_run(self, *words, exit_code):
        runs = self.report(*words, "--arch", "gfx950", exit_code=exit_code)["runs"]
        self.assertEqual(len(runs), 1)
        return runs[0]

    def test_each_architecture_with_an_object_runs(self):
        report = self.report(KERNELS / "vector_add", exit_code=0)
        self.assertEqual([(run["arch"], run["result"]) for run in report["runs"]],
                         [("gfx950", "pass"), ("gfx942", "pass"), ("gfx90a", "skipped")])
        self.assertEqual(report["counts"], {"passed": 2, "failed": 0, "skipped": 1})

    def test_a_folder_of_cases_runs_each(self):
        for name in ("b", "a"):
            shutil.copytree(KERNELS / "vector_add", self.folder / "all" / name)
        runs = self.report("all", "--arch", "gfx942", exit_code=0)["runs"]
        self.assertEqual([run["case"] for run in runs], ["a", "b"])

    def test_the_first_wrong_element_is_named(self):
        name = self.edit("vector_add")
        expect = bytearray((self.folder / name / "o.expect").read_bytes())
        expect[4 * 5000:4 * 5002] = bytes.fromhex("0000803f0000803f")
        (self.folder / name / "o.expect").write_bytes(expect)
        run = self.only_run(name, exit_code=1)
        self.assertEqual(run["result"], "mismatch")
        mismatch, = run["mismatches"]
        self.assertEqual((mismatch["buffer"], mismatch["element"], mismatch["index"]),
                         ("o", 5000, [5000]))
        self.assertEqual((mismatch["expected_bits"], mismatch["differing"]), ("0x3f800000", 2))
        store = r"pc 0x[0-9a-f]+: \w+_store_dword [^;]+; workgroup \d+,0,0, wavefront \d+, lane \d+"
        self.assertRegex(mismatch["last_writer"], f"^{store}$")
        output, _ = self.compass("case", name, "--arch", "gfx950", exit_code=1)
        self.assertRegex(output, r"o\[5000\] \(element 5000, f32\): expected 1 \(0x3f800000\), "
                                 r"found \S+ \(0x[0-9a-f]{8}\); 2 of 10007 elements differ\n"
                                 + f" +last store: {store}\n")

    def test_a_tolerance_is_allowed_and_no_more(self):
        name = self.edit("vector_add", "args.2.atol=1e-3")
        expect = bytearray((self.folder / name / "o.expect").read_bytes())
        expect[0] ^= 1
        (self.folder / name / "o.expect").write_bytes(expect)
        self.only_run(name, exit_code=0)

    def test_a_buffer_without_expect_must_keep_its_bytes(self):
        run = self.only_run(self.edit("vector_add", "-args.2.expect"), exit_code=1)
        self.assertEqual(run["result"], "mismatch")
        self.assertTrue(run["mismatches"][0]["had_to_keep"])

    def test_an_element_that_was_not_written_says_so(self):
        run = self.only_run(self.edit("vector_add", "args.3.value=10000"), exit_code=1)
        mismatch, = run["mismatches"]
        self.assertEqual((mismatch["element"], mismatch["differing"]), (10000, 7))
        self.assertEqual(mismatch["last_writer"], "nobody, it is the input")

    def test_an_access_past_a_buffer_is_a_finding(self):
        run = self.only_run(self.edit("vector_add", "args.1.shape=[10006]", "y.in:40024"), exit_code=1)
        self.assertEqual(run["result"], "finding")
        finding, = run["findings"]
        self.assertEqual((finding["rule"], finding["access"], finding["buffer"]),
                         ("out-of-bounds", "load", "y"))
        self.assertEqual(finding["buffer_bytes"], 40024)
        self.assertIn("_load_", finding["instruction"])

    def test_a_launch_that_stops_is_a_failure(self):
        name = self.edit("vector_add")
        code = bytearray((self.folder / name / "gfx950.hsaco").read_bytes())
        end = code.rfind((0xBF810000).to_bytes(4, "little"))  # s_endpgm
        code[end:end + 4] = (0xBF920001).to_bytes(4, "little")  # s_trap 1
        (self.folder / name / "gfx950.hsaco").write_bytes(code)
        run = self.only_run(name, exit_code=1)
        self.assertEqual(run["result"], "stopped")
        self.assertRegex(run["cause"], r"^kernel vector_add: at 0x[0-9a-f]+: ")

    def test_an_error_in_the_last_case_comes_before_the_first_run(self):
        self.edit("vector_add", "-grid")
        output, errors = self.compass("case", KERNELS / "vector_add", "vector_add", exit_code=2)
        self.assertEqual(output, "")
        self.assertIn("vector_add/case.json: grid: expected three integers", errors)


if __name__ == "__main__":
    unittest.main()
