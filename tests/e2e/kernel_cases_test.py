# SPDX-License-Identifier: MIT
"""Every case of fixtures/kernels computes what it must on the architecture in COMPASS_ARCH."""
import json
import os
import unittest

from harness import ROOT, CommandTest

KERNELS = ROOT / "fixtures/kernels"


class KernelCases(CommandTest):
    def test_every_case_passes(self):
        arch = os.environ["COMPASS_ARCH"]
        described = [json.loads(file.read_text()) for file in KERNELS.glob("*/case.json")]
        expected = sorted(case["name"] for case in described if arch in case["objects"])
        self.assertGreater(len(expected), 10)
        for name in expected:
            with self.subTest(name):
                output, _ = self.compass("case", KERNELS / name, "--arch", arch, "--format", "json",
                                         exit_code=0)
                run, = json.loads(output)["runs"]
                self.assertEqual(run["result"], "pass")


if __name__ == "__main__":
    unittest.main()
