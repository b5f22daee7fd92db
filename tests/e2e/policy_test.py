# SPDX-License-Identifier: MIT
"""What a gate decides by: exit codes, baselines, allow lists and required rules, of `check` and `run`."""
import json
import os
import unittest

from harness import MISHAPS, MISTAKES, TINY_DECODER, CommandTest

SLOT_ID = "218d1a8935c5"  # of tiny_decoder --fault out-of-bounds


def on_day(seconds):
    return {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}


class Policy(CommandTest):
    def record_fault(self):
        self.record("a.compass", "gfx950", TINY_DECODER, "--steps", "3", "--fault", "out-of-bounds")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def allow(self, **more):
        """An allow list for the fault, which holds on 2026-01-01."""
        values = {"id": f'"{SLOT_ID}"', "reason": '"it is rewritten"', "owner": '"kv-team"',
                  "expires": "2026-01-01", **more}
        self.write("allow.toml", "[[allow]]\n" + "".join(f"{key} = {value}\n"
                                                         for key, value in values.items()))

    def test_what_a_baseline_has_does_not_fail(self):
        self.record_fault()
        first, _ = self.compass("check", "a.compass", "--format", "json", "--baseline", "base.json",
                                exit_code=4)
        self.write("base.json", first)
        again, _ = self.compass("check", "a.compass", "--baseline", "base.json")
        self.assertRegex(again, rf"\Aerror: out-of-bounds: .* \[{SLOT_ID}\], known\n\nchecked ")
        self.record("b.compass", "gfx950", TINY_DECODER, "--steps", "3", "--fault", "pad-position")
        other, _ = self.compass("check", "b.compass", "--baseline", "base.json", exit_code=1)
        self.assertRegex(other, rf"\Aerror: .*rope .*\]\ngone: out-of-bounds: "
                                rf"tiny_decoder::reshape_and_cache \[{SLOT_ID}\], which base.json has\n")

    def test_a_baseline_serves_check_and_run_alike(self):
        program = ("--", TINY_DECODER, "--steps", "4", "--fault", "out-of-bounds")
        self.compass("run", "--arch", "gfx942", "--format", "json", "--report", "base.json", *program,
                     exit_code=1)
        self.compass("run", "--arch", "gfx950", "--baseline", "base.json", *program)
        self.record_fault()
        self.compass("check", "a.compass", "--baseline", "base.json")

    def test_an_allow_list_holds_until_its_day_is_over(self):
        self.record_fault()
        self.allow()
        words = ("check", "a.compass", "--allow", "allow.toml")
        shown, _ = self.compass(*words, env=on_day(1767225600 + 86399))
        self.assertRegex(shown, r", allowed by kv-team until 2026-01-01: it is rewritten\n\nchecked ")
        shown, _ = self.compass(*words, env=on_day(1767225600 + 86400), exit_code=1)
        self.assertRegex(shown, r"\], was allowed by kv-team until 2026-01-01\n\n\[")

    def test_most_counts_launches(self):
        self.record_fault()
        for most, exit_code in ((1, 1), (2, 0)):
            self.allow(most=most)
            self.compass("check", "a.compass", "--allow", "allow.toml", exit_code=exit_code,
                         env=on_day(1767225600))

    def test_a_day_that_is_none_is_said(self):
        for day in ("x", "-1", "99999999999999999999", ""):
            _, errors = self.compass("check", "a.compass", env=on_day(day), exit_code=2)
            self.assertIn(f"SOURCE_DATE_EPOCH is '{day}': expected seconds since 1970", errors)

    def test_a_wrong_policy_is_said_before_the_program_starts(self):
        self.write("allow.toml", "[[allow]]\n")
        output, errors = self.compass("run", "--arch", "gfx950", "--allow", "allow.toml", "--",
                                      TINY_DECODER, exit_code=2)
        self.assertEqual(output, "")
        self.assertIn("--allow: allow.toml:1: this [[allow]] has no id", errors)

    def test_only_what_is_required_must_be_checked(self):
        words = ("run", "--arch", "gfx950")
        program = ("--", MISHAPS, "stop")
        self.compass(*words, *program, exit_code=3)
        self.compass(*words, "--require", "failed-call", *program, exit_code=3)
        self.compass(*words, "--require", "none", *program)

    def test_nothing_checked_passes_no_policy(self):
        self.compass("record", "--driverless", "--arch", "gfx950", "--contents", "none", "-o",
                     "a.compass", "--", MISTAKES, "large-index")
        self.compass("check", "a.compass", "--require", "none", exit_code=3)

    def test_no_baseline_is_told_from_findings(self):
        program = ("--", TINY_DECODER, "--steps", "3", "--fault", "out-of-bounds")
        _, errors = self.compass("run", "--arch", "gfx950", "--baseline", "base.json", *program,
                                 exit_code=4)
        self.assertIn("no baseline: base.json does not exist, so that nothing is known\n", errors)

    def test_reports_have_one_shape_however_many_processes(self):
        self.record_fault()
        alone = json.loads(self.compass("check", "a.compass", "--format", "json", exit_code=1)[0])
        self.compass("run", "--arch", "gfx950", "--format", "json", "--report", "pair.json", "--",
                     TINY_DECODER, "--role", "pair", "--steps", "3", "--fault", "out-of-bounds",
                     exit_code=1)
        pair = json.loads((self.folder / "pair.json").read_text(encoding="utf-8"))
        self.assertEqual([list(alone), list(alone["processes"][0]), list(alone["findings"][0])],
                         [list(pair), list(pair["processes"][0]), list(pair["findings"][0])])
        self.assertEqual([process["process"] for process in pair["processes"]], [1, 2])
        verdicts = {rule: tally["verdict"] for rule, tally in alone["processes"][0]["rules"].items()}
        self.assertEqual(verdicts["out-of-bounds"], "error")
        self.assertEqual(verdicts["use-after-free"], "ok")


if __name__ == "__main__":
    unittest.main()
