# SPDX-License-Identifier: MIT
"""Runs tiny_decoder as each kind of engine that it can be; each must compute the same, soundly.

The architecture comes from COMPASS_ARCH, else it is gfx950.
"""
import json
import os
import re
import subprocess
import unittest

from harness import BUILD, DECODER, TIMEOUT_SECONDS, TINY_DECODER, CommandTest

ARCH = os.environ.get("COMPASS_ARCH", "gfx950")

# What serves the default load, three requests of nine ids, in another way.
SAME_LOAD = {
    "chunked prefill": "--chunk-tokens 7",
    "one token a chunk": "--chunk-tokens 1",
    "deferred output": "--deferred",
    "deferred output over chunks": "--deferred --chunk-tokens 7",
    "requests one by one": "--batch 1 --requests 3",
    "late arrivals": "--arrive-every 4 --deferred",
    "idle between arrivals": "--arrive-every 15",
    "too few blocks": "--blocks 3 --deferred",
    "sleep and wake": "--sleep-at 4",
    "wake with fewer blocks": "--deferred --sleep-at 4 --wake-blocks 3 --chunk-tokens 7",
    "sleep between two chunks": "--chunk-tokens 7 --sleep-at 2",
    "calibration": "--calibrate",
    "graphs": "--graphs",
    "graphs, deferred output over chunks": "--graphs --deferred --chunk-tokens 7",
    "graphs captured again": "--graphs --deferred --sleep-at 4 --wake-blocks 3 --calibrate",
    "graphs of idle engines": "--graphs --arrive-every 15",
}

# Other loads: many requests, of many lengths, at many times.
OTHER_LOADS = {
    "long": "--steps 64 --batch 4",
    "mixed": "--batch 8 --requests 12 --steps 20 --arrive-every 3 --shorten-by 1 --chunk-tokens 8 "
             "--deferred",
    "pressed": "--batch 5 --requests 7 --steps 40 --blocks 7 --deferred --sleep-at 12 "
               "--wake-blocks 9",
    "stopped": "--stop-id 483 --deferred",
}

FAULTY_MODES = ("", "--graphs", "--deferred --batch 5 --chunk-tokens 7", "--sleep-at 2")


class EngineModes(CommandTest):
    def decode(self, options, exit_code=0):
        """Records a run and checks the recording; what the run printed."""
        output, _ = self.record("a.compass", ARCH, TINY_DECODER, *options.split(),
                                exit_code=exit_code)
        return output

    def assert_sound(self):
        checked, _ = self.compass("check", "a.compass", "--fail-on", "warning")
        self.assertRegex(checked, r"^checked [1-9]\d* launches, unchecked 0\n")

    def ids(self, output):
        return [line for line in output.splitlines() if line.startswith("request ")]

    def steps(self):
        """The steps of the recording, as `show` has them, without the rows."""
        shown, _ = self.compass("show", "--full", "a.compass")
        return [line for line in shown.splitlines() if line.startswith("step ")]

    def test_every_way_of_serving_gives_the_same_ids(self):
        expected = self.ids(self.decode("--check"))
        self.assertEqual(len(expected), 3)
        for name, options in SAME_LOAD.items():
            with self.subTest(name):
                output = self.decode(f"--check {options}")
                self.assertIn("check: ok, 27 ids", output)
                self.assertEqual(self.ids(output), expected)
                self.assert_sound()

    def test_other_loads_are_served_rightly(self):
        for name, options in OTHER_LOADS.items():
            with self.subTest(name):
                output, report = self.compass("run", "--arch", ARCH, "--fail-on", "warning", "--",
                                              TINY_DECODER, "--check", *options.split())
                self.assertIn("check: ok", output)
                self.assertIn(" launches, unchecked 0\n", report)

    def test_a_stop_id_ends_its_request_alone(self):
        plain, stopped = self.decode(""), self.decode("--stop-id 483 --deferred")
        cut = self.ids(plain)[0].partition(" 483")
        self.assertEqual(self.ids(stopped), ["".join(cut[:2]), *self.ids(plain)[1:]])

    def test_chunks_produce_no_output_and_idle_engines_run_dummies(self):
        self.decode("--batch 1 --requests 2 --steps 1 --chunk-tokens 3 --arrive-every 4 --deferred")
        kinds = [(step.split()[2], " output" in step) for step in self.steps()]
        self.assertEqual(kinds, [("chunk", False), ("prefill", True), ("decode", True),
                                 ("dummy", False), ("chunk", False), ("chunk", False),
                                 ("prefill", True), ("decode", True)])
        self.assertTrue(all(step.endswith(" deferred") for step in self.steps()))

    def test_each_graph_is_warmed_up_then_captured_then_launched(self):
        self.decode("--graphs --batch 3 --steps 2 --sleep-at 2")
        captures = [(kind, f"padded_rows={rows}") for rows in (4, 2, 1)
                    for kind in ("warmup", "capture")]
        steps = [(step.split()[2], step.split()[4]) for step in self.steps()]
        self.assertEqual(steps, [*captures, ("prefill", "padded_rows=32"),
                                 ("decode", "padded_rows=4"), *captures,
                                 ("prefill", "padded_rows=48")])

    def test_the_halves_of_a_pair_hand_over_through_a_file(self):
        expected = self.ids(self.decode(""))
        self.assertIn("prefill: check: ok, 3 ids",
                      self.decode("--role prefill --transfer kv --check --chunk-tokens 7"))
        self.assert_sound()
        for step in self.steps():
            self.assertNotIn("deferred", step)
            if " output" in step:
                self.assertRegex(step, r"may_end=(0,)*1(,0)* ")
        for options in ("", "--deferred", "--arrive-every 4", "--deferred --sleep-at 3 --blocks 3"):
            with self.subTest(options):
                output = self.decode(f"--role decode --transfer kv --check {options}")
                self.assertIn("check: ok, 27 ids", output)
                self.assertEqual(self.ids(output), expected)
                self.assert_sound()

    def run_alone(self, options, **variables):
        """Runs the program with the driverless runtime and no recorder."""
        env = dict(os.environ, COMPASS_ARCH=ARCH, COMPASS_DECODER=DECODER,
                   LD_LIBRARY_PATH=str(BUILD / "driverless/runtime"), **variables)
        return subprocess.run([TINY_DECODER, *options.split()], capture_output=True, check=False,
                              env=env, cwd=self.folder, encoding="utf-8", timeout=TIMEOUT_SECONDS)

    def test_it_does_not_matter_when_asynchronous_copies_run(self):
        for options in ("", "--deferred --graphs --chunk-tokens 7 --sleep-at 4 --wake-blocks 4",
                        f"--graphs {OTHER_LOADS['mixed']} --sleep-at 20",
                        "--role pair --deferred --graphs"):
            runs = [self.run_alone(f"--check {options}", COMPASS_COPIES=when)
                    for when in ("early", "late")]
            for run in runs:
                self.assertIn("\ncheck: ok", run.stdout, run.stderr)
            self.assertEqual(runs[0].stdout, runs[1].stdout)

    def test_a_pair_of_processes_serves_together(self):
        for options in ("", "--deferred --requests 9 --batch 4 --chunk-tokens 8 --sleep-at 7"):
            with self.subTest(options):
                output, report = self.compass(
                    "run", "--arch", ARCH, "--fail-on", "warning", "--", TINY_DECODER, "--role", "pair",
                    "--check", *options.split())
                self.assertEqual(len(re.findall(r"^prefill: check: ok", output, re.M)), 1)
                self.assertEqual(len(re.findall(r"^check: ok", output, re.M)), 1)
                checked = re.findall(r"^checked [1-9]\d* launches, unchecked 0$", report, re.M)
                self.assertEqual(len(checked), 2, report)

    def test_a_transfer_that_does_not_fit_is_said(self):
        self.run_alone("--role prefill --transfer kv")
        whole = (self.folder / "kv").read_bytes()
        for name, content, message in (
                ("empty", b"", "ended before request 0 came"),
                ("cut", whole[:1000], "ended within request 0"),
                ("of another", b"x" * 1000, "does not hold request 0 here"),
                ("short", whole, "ended before request 3 came")):
            with self.subTest(name):
                (self.folder / "kv").write_bytes(content)
                done = self.run_alone("--role decode --transfer kv --requests 4")
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)
        self.assertIn("cannot open no/kv: No such file",
                      self.run_alone("--role decode --transfer no/kv").stderr)

    def test_wrong_usage_is_said(self):
        for options, message in (
                ("--batch 9", "--batch takes a number from 1 to 8, not '9'"),
                ("--batch", "--batch needs a value"),
                ("--bach 3", "unknown argument '--bach'"),
                ("--fault x", "--fault takes previous-sample, placeholder-token, pad-token, "),
                ("--steps 100 --batch 5", "--steps takes at most 91 with 5 requests"),
                ("--blocks 1", "--blocks must be at least 2"),
                ("--sleep-at 3 --wake-blocks 1", "--wake-blocks must be at least 2"),
                ("--wake-blocks 3", "--wake-blocks needs --sleep-at"),
                ("--sleep-at 9", "--sleep-at 9 was not reached: the run took 9 forwards"),
                ("--role decode", "need --transfer FILE"),
                ("--transfer kv", "--transfer needs --role"),
                ("--role prefill --transfer kv --deferred", "--role prefill excludes --deferred"),
                ("--role pair --steps 0", "need --steps of at least 1"),
                ("--fault uninit-read --check", "--check and --fault exclude each other"),
                ("--fault uninit-read --steps 2", "--fault needs --steps of at least 3"),
                ("--fault uninit-read --batch 4", "the fault was not made: it needs a third decode, "
                                                  "and a padded decode")):
            with self.subTest(options):
                done = self.run_alone(options)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"tiny_decoder: {message}" if message.startswith("--") else message,
                              done.stderr)

    def test_every_flag_of_the_help_is_known(self):
        flags = re.findall(r"^  (--\S+)", self.run_alone("--help").stdout, re.M)
        self.assertIn("--graphs", flags)
        for flag in set(flags) - {"--help"}:
            errors = self.run_alone(f"{flag} --steps").stderr
            self.assertRegex(errors, "^tiny_decoder: --", flag)

    def test_a_fault_is_found_once_in_every_mode(self):
        for fault, kernel in (("out-of-bounds", "reshape_and_cache"),
                              ("use-after-free", "sample_greedy"),
                              ("uninit-read", "rms_norm_rows")):
            for options in FAULTY_MODES:
                with self.subTest(f"{fault} {options}"):
                    self.decode(f"--steps 5 --fault {fault} {options}")
                    output, _ = self.compass("check", "a.compass", "--format", "json", "--fail-on",
                                             "warning", exit_code=1)
                    findings = json.loads(output)["findings"]
                    self.assertEqual([finding["rule"] for finding in findings], [fault])
                    self.assertIn(kernel, findings[0]["kernel"])
                    self.assertEqual(findings[0]["step_kind"], "decode")


if __name__ == "__main__":
    unittest.main()
