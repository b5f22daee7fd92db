# SPDX-License-Identifier: MIT
"""Seeded faults of tiny_decoder, at least one for each of its kernels: each is found, once."""
import json
import os
import re
import subprocess
import unittest

from harness import BUILD, COMPASS, DECODER, TINY_DECODER, CommandTest

DEFERRED = ("--deferred",)

# Name: rule, kernel, role of the buffer, further flags.
FAULTS = {
    "previous-sample": ("out-of-bounds", "take_previous_samples", "sampled-ids", DEFERRED),
    "placeholder-token": ("out-of-bounds", "embed_tokens", "weight", DEFERRED),
    "pad-token": ("out-of-bounds", "embed_tokens", "weight", ()),
    "tied-weights": ("pointer-provenance", "embed_tokens", "weight", ()),
    "stacked-norms": ("out-of-bounds", "rms_norm", "weight", ()),
    "qkv-outputs": ("out-of-bounds", "gemm_bf16", "weight", ()),
    "pad-position": ("out-of-bounds", "rope", "rope-table", ()),
    "out-of-bounds": ("out-of-bounds", "reshape_and_cache", "kv-cache", ()),
    "slot-tag": ("out-of-bounds", "reshape_and_cache", "kv-cache", ()),
    "block-table": ("out-of-bounds", "paged_attention", "kv-cache", ()),
    "context-length": ("nan-origin", "paged_attention", "activation", ()),
    "dynamic-lds": ("resource-limits", "paged_attention", None, ()),
    "residual-inputs": ("out-of-bounds", "gemm_add_residual", "weight", ()),
    "lost-weights": ("nan-origin", "silu_and_mul", "activation", ()),
    "freed-activation": ("use-after-free", "silu_and_mul", "activation", ()),
    "uninit-read": ("uninit-read", "rms_norm_rows", "row-index", ()),
    "vocabulary": ("out-of-bounds", "gemm_f32", "weight", ()),
    "use-after-free": ("use-after-free", "sample_greedy", "logits", ()),
    "empty-grid": ("launch-ran", "sample_greedy", None, ()),
}

KERNELS = {"take_previous_samples", "embed_tokens", "rms_norm", "rms_norm_rows", "gemm_bf16",
           "gemm_f32", "gemm_add_residual", "rope", "reshape_and_cache", "paged_attention",
           "silu_and_mul", "sample_greedy"}


class Faults(CommandTest):
    def help_text(self):
        env = {**os.environ, "LD_LIBRARY_PATH": str(BUILD / "driverless/runtime"),
               "COMPASS_ARCH": "gfx950", "COMPASS_DECODER": DECODER}
        return subprocess.run([TINY_DECODER, "--help"], capture_output=True, check=True,
                              encoding="utf-8", env=env).stdout

    def assert_is_the_one_finding(self, name, findings):
        rule, kernel, role, _ = FAULTS[name]
        self.assertEqual([finding["rule"] for finding in findings], [rule])
        self.assertRegex(findings[0]["kernel"], rf"\b{kernel}\b")
        self.assertEqual(findings[0]["step_kind"], "decode")
        if role is not None:
            self.assertEqual(findings[0]["role"], role)

    def judge(self, name, *words, program=()):
        """What is printed by a command that judges."""
        options = ("--fail-on", "warning", "--format", "json")
        done = subprocess.run([COMPASS, *words, *options, *program], capture_output=True,
                              check=False, cwd=self.folder, encoding="utf-8")
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stdout

    def decoder(self, name):
        return (TINY_DECODER, "--steps", "5", *FAULTS[name][3], "--fault", name)

    def test_the_help_lists_each_with_its_rule_and_kernel(self):
        listed = re.findall(r"^  ([a-z-]+): ([a-z-]+) at (\w+)", self.help_text(), re.M)
        self.assertEqual({name: (rule, kernel) for name, rule, kernel in listed},
                         {name: fault[:2] for name, fault in FAULTS.items()})
        self.assertEqual({kernel for _, _, kernel in listed}, KERNELS)

    def test_a_check_of_a_recording_finds_it_once(self):
        for name in FAULTS:
            with self.subTest(name):
                self.record("a.compass", "gfx950", *self.decoder(name))
                report = json.loads(self.judge(name, "check", "a.compass"))
                self.assertEqual(report["launches"]["unchecked"], 0)
                self.assert_is_the_one_finding(name, report["findings"])

    def test_a_run_finds_it_once(self):
        for name in FAULTS:
            with self.subTest(name):
                self.judge(name, "run", "--arch", "gfx942", "--report", "report",
                                 program=("--", *self.decoder(name)))
                report = json.loads((self.folder / "report").read_text(encoding="utf-8"))
                self.assertEqual(report["launches"]["unchecked"], 0)
                self.assert_is_the_one_finding(name, report["findings"])

    def test_a_fault_in_the_inputs_is_found_in_a_graph_too(self):
        for name in ("pad-token", "pad-position", "slot-tag", "block-table", "vocabulary"):
            with self.subTest(name):
                self.record("a.compass", "gfx950", *self.decoder(name), "--graphs")
                report = json.loads(self.judge(name, "check", "a.compass"))
                self.assert_is_the_one_finding(name, report["findings"])
                self.assertEqual(report["findings"][0]["phase"],
                                 "eager" if name == "vocabulary" else "replay")

    def test_a_fault_that_is_not_made_is_said(self):
        for name, flags, needs in (("qkv-outputs", ["--graphs"], "decodes without --graphs"),
                                   ("previous-sample", [], "--deferred"),
                                   ("block-table", ["--batch", "1"], "more than one block"),
                                   ("pad-token", ["--batch", "4"], "a padded decode")):
            with self.subTest(name):
                _, errors = self.record("a.compass", "gfx950", TINY_DECODER, "--steps", "3",
                                        "--fault", name, *flags, exit_code=2)
                self.assertRegex(errors, f"the fault was not made: it needs .*{needs}")


if __name__ == "__main__":
    unittest.main()
