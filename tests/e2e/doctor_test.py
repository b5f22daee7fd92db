# SPDX-License-Identifier: MIT
"""What `doctor` tells, and that every way to ask what a declared device is has the same answer.

What engines make of the probe programs' output is done here as they do it: a line that holds "gfx",
numbers behind "Compute Unit", the size of "Pool 1".
"""
import json
import os
import re
import shutil
import subprocess
import unittest

from harness import BUILD, COMPASS, CommandTest

PROBES = BUILD / "driverless/runtime/probes"
VARIABLES = ("GPU_ARCHS", "CU_NUM", "TRITON_LIBHIP_PATH", "HIP_VISIBLE_DEVICES",
             "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION",
             "PYTORCH_ROCM_ARCH", "ROCM_PATH", "HIP_PATH", "LD_LIBRARY_PATH", "COMPASS_SET",
             "COMPASS_DEVICES", "COMPASS_ARCH")


def environment(**changes):
    clean = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return {**clean, **changes}


class Answers(CommandTest):
    """`doctor --driverless`."""

    def doctor(self, *words, exit_code=0, **variables):
        return self.compass("doctor", "--driverless", *words, exit_code=exit_code,
                            env=environment(**variables))

    def answers(self, *words, exit_code=0, **variables):
        """By question and channel, of the first device or of none."""
        found = json.loads(self.doctor(*words, "--format", "json", exit_code=exit_code,
                                       **variables)[0])
        self.assertEqual((found["format"], found["version"]), ("compass-capture doctor", 1))
        return {(each["question"], each["channel"]): each["answer"] for each in found["answers"]
                if each["device"] in (None, 0) and each["kind"] == "value"}

    def assert_disagreement(self, line, *words, **variables):
        table, errors = self.doctor("--arch", "gfx950", *words, exit_code=1, **variables)
        self.assertEqual(errors, f"compass-capture: error: {line}\n")
        self.assertRegex(table, r"<- (differs|no answer)\n")
        self.assertRegex(table, r"(?m)^\d+ answers, 1 do not agree$")

    def test_every_channel_answers_and_all_agree(self):
        for arch in ("gfx942", "gfx950"):
            answers = self.answers("--arch", arch)
            for channel in ("hipGetDevicePropertiesR0600", "hipGetDeviceProperties", "rocminfo",
                            "rocm_agent_enumerator", "rocm_agent_enumerator -name",
                            "amd-smi static --json", "GPU_ARCHS"):
                self.assertEqual(answers["architecture", channel], arch)
            for question, channel in (
                    ("compute units", "CU_NUM"), ("compute units", "hipDeviceGetAttribute"),
                    ("memory", "hipMemGetInfo"), ("memory", "hipDeviceTotalMem"),
                    ("HIP version", "hipconfig --version"), ("devices", "hipGetDeviceCount"),
                    ("library", "TRITON_LIBHIP_PATH"), ("name", "hipDeviceGetName")):
                self.assertIn((question, channel), answers)

    def test_it_says_the_same_on_every_run(self):
        first = self.doctor("--arch", "gfx950", "--devices", "3")
        self.assertEqual(self.doctor("--arch", "gfx950", "--devices", "3"), first)

    def test_one_setting_changes_every_answer(self):
        answers = self.answers("--arch", "gfx950", "--set", "memory=8GiB",
                               "--set", "compute-units=12", "--set", "lds=64KiB",
                               "--set", "clock=1GHz")
        of = {question: {text for (asked, _), text in answers.items() if asked == question}
              for question in ("memory", "compute units", "LDS", "clock")}
        self.assertEqual(of["memory"], {"8589934592 bytes", "8388608 KiB", "8192 MiB"})
        self.assertEqual(of["compute units"], {"12"})
        self.assertEqual(of["LDS"], {"65536 bytes", "64 KiB"})
        self.assertEqual(of["clock"], {"1000000 kHz", "1000 MHz"})

    def test_settings_of_the_environment_count_as_for_record(self):
        answers = self.answers("--arch", "gfx950", COMPASS_SET="compute-units=7",
                               COMPASS_DEVICES="3")
        self.assertEqual(answers["compute units", "CU_NUM"], "7")
        self.assertEqual(answers["devices", "rocminfo"], "3")

    def test_hidden_devices_are_hidden_from_all(self):
        for variables, addresses in (
                ({"HIP_VISIBLE_DEVICES": "2,0"}, ["0000:03:00.0", "0000:01:00.0"]),
                ({"ROCR_VISIBLE_DEVICES": "2,1"}, ["0000:03:00.0", "0000:02:00.0"]),
                ({"ROCR_VISIBLE_DEVICES": "2,1", "HIP_VISIBLE_DEVICES": "1"}, ["0000:02:00.0"]),
                ({"HIP_VISIBLE_DEVICES": "", "CUDA_VISIBLE_DEVICES": "1"}, ["0000:02:00.0"]),
                ({"ROCR_VISIBLE_DEVICES": ""}, [])):
            with self.subTest(variables):
                found = json.loads(self.doctor("--arch", "gfx950", "--devices", "3", "--format",
                                               "json", **variables)[0])
                for channel in ("hipDeviceGetPCIBusId", "rocminfo", "amd-smi static --json"):
                    self.assertEqual([each["answer"] for each in found["answers"]
                                      if each["question"] == "PCI address"
                                      and each["channel"] == channel], addresses, channel)

    def test_a_list_with_an_entry_that_is_no_device_is_longer_than_what_hip_has(self):
        self.assert_disagreement("devices: hipGetDeviceCount says '1', HIP_VISIBLE_DEVICES says '2'",
                                 "--devices", "2", HIP_VISIBLE_DEVICES="0,2")
        self.assert_disagreement("devices: hipGetDeviceCount says '0', HIP_VISIBLE_DEVICES says '1'",
                                 HIP_VISIBLE_DEVICES="7")
        self.assert_disagreement(
            "devices: hipGetDeviceCount says '1', ROCR_VISIBLE_DEVICES says '2'",
            "--devices", "2", ROCR_VISIBLE_DEVICES="1,1")

    def test_hip_and_cuda_lists_that_differ_are_said(self):
        self.assert_disagreement(
            "visible devices: HIP_VISIBLE_DEVICES says '0', CUDA_VISIBLE_DEVICES says '1'",
            "--devices", "2", HIP_VISIBLE_DEVICES="0", CUDA_VISIBLE_DEVICES="1")

    def test_a_variable_that_says_otherwise_is_said_with_both_answers(self):
        said = "architecture of device 0: hipGetDevicePropertiesR0600 says 'gfx950'"
        self.assert_disagreement(f"{said}, GPU_ARCHS says 'gfx942'", GPU_ARCHS="gfx942")
        self.assert_disagreement(f"{said}, GPU_ARCHS says 'gfx942'", GPU_ARCHS="gfx950;gfx942")
        self.assert_disagreement(f"{said}, HSA_OVERRIDE_GFX_VERSION says 'gfx90a'",
                                 HSA_OVERRIDE_GFX_VERSION="9.0.10")
        self.assert_disagreement(f"{said}, PYTORCH_ROCM_ARCH says 'gfx942;gfx90a'",
                                 PYTORCH_ROCM_ARCH="gfx942;gfx90a")
        self.assert_disagreement("compute units of device 0: hipGetDevicePropertiesR0600 says "
                                 "'256', CU_NUM says '304'", CU_NUM="304")
        self.assert_disagreement("compute units of devices 0 to 7: hipGetDevicePropertiesR0600 "
                                 "says '256', CU_NUM says '304'", "--devices", "8", CU_NUM="304")

    def test_variables_that_leave_it_to_the_device_agree(self):
        self.doctor("--arch", "gfx950", GPU_ARCHS="native", CU_NUM="0")
        self.doctor("--arch", "gfx950", GPU_ARCHS="gfx942;gfx950", CU_NUM="",
                    PYTORCH_ROCM_ARCH="gfx942;gfx950", HSA_OVERRIDE_GFX_VERSION="9.5.0")

    def test_a_library_for_triton_that_it_would_not_take_is_said(self):
        library = BUILD / "driverless/runtime/libamdhip64.so.7"
        for path, why in ((library, "Triton expects a libamdhip64.so"),
                          (self.folder / "libamdhip64.so", "no such file")):
            self.assert_disagreement(
                f"library: libamdhip64.so says '{library}', TRITON_LIBHIP_PATH gives no answer: "
                f"{path}: {why}", TRITON_LIBHIP_PATH=str(path))

    def test_what_an_outer_run_set_is_not_the_users(self):
        script = f"{COMPASS} doctor --driverless --arch gfx942 >answers; echo $?"
        output, _ = self.compass("record", "--driverless", "--arch", "gfx950", "-o", "a.compass",
                                 "--", "sh", "-c", script, exit_code=3, env=environment())
        self.assertEqual(output, "0\n", (self.folder / "answers").read_text())

    def test_wrong_options_are_refused(self):
        self.assertIn("--driverless needs --arch", self.doctor(exit_code=2)[1])
        self.assertIn("unknown architecture 'gfx1'",
                      self.doctor("--arch", "gfx1", exit_code=2)[1])
        self.assertIn("COMPASS_DEVICES: cannot have '0' devices",
                      self.doctor("--arch", "gfx950", exit_code=2, COMPASS_DEVICES="0")[1])
        self.assertIn("COMPASS_SET: cannot set memory to '1'",
                      self.doctor("--arch", "gfx950", exit_code=2, COMPASS_SET="memory=1")[1])
        _, errors = self.compass("doctor", "--set", "memory=8GiB", exit_code=2)
        self.assertIn("need --driverless", errors)


class Installed(CommandTest):
    """With parts of its own beside it, as after an installation."""

    def setUp(self):
        super().setUp()
        parts = self.folder / "lib/compass-capture"
        (self.folder / "bin").mkdir()
        (parts / "probes").mkdir(parents=True)
        shutil.copy(COMPASS, self.folder / "bin")
        for part in ("capture/libcompass_capture.so", "driverless/runtime/libamdhip64.so.7",
                     "driverless/runtime/libamdhip64.so", "driverless/runtime/libcompass_audit.so",
                     "driverless/decode/compass-decode", "driverless/runtime/compass-ask-device"):
            (parts / part.rsplit("/", 1)[1]).symlink_to(BUILD / part)
        for probe in ("rocminfo", "rocm_agent_enumerator", "hipconfig", "amd-smi"):
            (parts / "probes" / probe).symlink_to(PROBES / probe)
        self.parts = parts

    def doctor(self, *words, exit_code):
        done = subprocess.run([self.folder / "bin/compass-capture", "doctor", *words],
                              capture_output=True, check=False, encoding="utf-8",
                              env=environment(), timeout=60)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def replace(self, probe, script):
        path = self.parts / "probes" / probe
        path.unlink()
        if script is not None:
            path.write_text("#!/bin/sh\n" + script)
            path.chmod(0o755)

    def test_it_agrees_as_in_the_build_folder(self):
        self.doctor("--driverless", "--arch", "gfx950", exit_code=0)

    def test_a_foreign_rocminfo_is_said(self):
        other = f"COMPASS_ARCH=gfx942 exec {PROBES}/rocminfo"
        self.replace("rocminfo", other)
        _, errors = self.doctor("--driverless", "--arch", "gfx950", exit_code=1)
        self.assertIn("architecture of device 0: hipGetDevicePropertiesR0600 says 'gfx950', "
                      "rocminfo says 'gfx942'\n", errors)
        self.assertIn("LDS of device 0: hipGetDevicePropertiesR0600 says '163840 bytes', rocminfo "
                      "says '64 KiB'\n", errors)

    def test_probes_that_list_more_devices_are_said(self):
        self.replace("amd-smi", f"COMPASS_DEVICES=3 exec {PROBES}/amd-smi \"$@\"")
        self.replace("rocm_agent_enumerator", "echo gfx000")
        _, errors = self.doctor("--driverless", "--arch", "gfx950", exit_code=1)
        for channel, count in (("amd-smi static --json", 3), ("rocm_agent_enumerator", 0)):
            self.assertIn(f"devices: hipGetDeviceCount says '1', {channel} says '{count}'\n", errors)

    def test_probes_that_are_silent_are_said(self):
        self.replace("hipconfig", "kill -SEGV $$")
        self.replace("amd-smi", "sleep 100")
        self.replace("rocm_agent_enumerator", "exit 5")
        _, errors = self.doctor("--driverless", "--arch", "gfx950", "--limit", "1", exit_code=1)
        for said in ("hipconfig: it was ended by signal 11", "amd-smi: no answer within 1 seconds",
                     "rocm_agent_enumerator: it ended with 5"):
            self.assertIn(said, errors)

    def test_a_missing_part_is_said(self):
        (self.parts / "compass-decode").unlink()
        facts, errors = self.doctor(exit_code=1)
        self.assertRegex(facts, r"decoder +compass-decode is missing: .*\n  wrong: the build or")
        self.assertRegex(errors, "error: decoder: compass-decode is missing")
        _, errors = self.doctor("--driverless", "--arch", "gfx950", exit_code=2)
        self.assertIn("compass-decode is missing", errors)

    def test_a_decoder_that_does_not_run_is_said(self):
        (self.parts / "compass-decode").unlink()
        (self.parts / "compass-decode").write_text("#!/bin/sh\nexit 127\n")
        (self.parts / "compass-decode").chmod(0o755)
        _, errors = self.doctor(exit_code=1)
        self.assertIn("error: LLVM: the decoder does not run: it ended with 127\n", errors)


class Machine(CommandTest):
    """`doctor` alone."""

    def facts(self, *words, **variables):
        text, _ = self.compass("doctor", *words, "--format", "json", env=environment(**variables))
        found = json.loads(text)
        self.assertEqual((found["format"], found["version"], found["well"]),
                         ("compass-capture doctor", 1, True))
        return {fact["what"]: fact for fact in found["facts"]}

    def with_broken_hip(self, **variables):
        (self.folder / "libamdhip64.so.7").symlink_to(BUILD / "tests/libbroken_hip.so")
        return self.facts("--limit", "1", LD_LIBRARY_PATH=str(self.folder), **variables)

    def test_it_tells_everything_that_matters(self):
        facts = self.facts()
        for what in ("HIP runtime", "devices", "/dev/kfd", "/dev/dri", "recorder",
                     "driverless runtime", "audit library", "decoder", "probe programs",
                     "userfaultfd", "ulimit -v, address space", "ulimit -n, open files",
                     "ulimit -u, processes", "ulimit -s, stack", "ulimit -l, locked memory",
                     "ulimit -c, core file"):
            self.assertIn(what, facts)
        self.assertRegex(facts["LLVM"]["found"], r"^LLVM 22\.\d+\.\d+, in the decoder$")
        self.assertRegex(facts["userfaultfd"]["found"],
                         r"^(allowed|refused).*; vm.unprivileged_userfaultfd is ")
        text, _ = self.compass("doctor", env=environment())
        for what, fact in facts.items():
            self.assertIn(f"{what} ", text)
            self.assertIn(fact["found"], text)

    def test_a_runtime_and_its_devices_are_found(self):
        facts = self.facts(LD_LIBRARY_PATH=str(BUILD / "driverless/runtime"), COMPASS_ARCH="gfx950",
                           COMPASS_DEVICES="2")
        self.assertRegex(facts["HIP runtime"]["found"],
                         r"libamdhip64\.so\.7, HIP 7\.\d+\.\d+, by the dynamic linker$")
        self.assertIn("driverless", facts["HIP runtime"]["meaning"])
        self.assertEqual(facts["devices"]["found"], "2")
        self.assertEqual(facts["device 1"]["found"],
                         "AMD Instinct MI355X, gfx950:sramecc+:xnack-, 288 GiB, 256 compute units")

    def test_a_driver_that_crashes_hurts_nobody(self):
        self.assertEqual(self.with_broken_hip()["devices"]["found"],
                         "not known: the runtime was asked, and it was ended by signal 6")

    def test_a_driver_that_hangs_is_not_waited_for(self):
        self.assertEqual(self.with_broken_hip(BROKEN_HIP="hangs")["devices"]["found"],
                         "not known: the runtime was asked, and no answer within 1 seconds")

    def test_limits_are_those_of_the_process(self):
        script = f"ulimit -n 512; ulimit -c 0; {COMPASS} doctor --format json"
        done = subprocess.run(["sh", "-c", script], capture_output=True, check=True,
                              env=environment(), encoding="utf-8")
        facts = {fact["what"]: fact for fact in json.loads(done.stdout)["facts"]}
        self.assertRegex(facts["ulimit -n, open files"]["found"], "^512")
        self.assertIsNotNone(facts["ulimit -n, open files"]["meaning"])
        self.assertRegex(facts["ulimit -c, core file"]["found"], "^0")


class Engines(CommandTest):
    """What a program finds that runs without a driver, and what engines make of it."""

    def output(self, *command, arch="gfx950", **variables):
        return self.compass("record", "--driverless", "--arch", arch, "-o", "a.compass", "--",
                            *command, exit_code=3, env=environment(**variables))[0]

    def test_programs_and_variables_are_there_for_every_child(self):
        script = ("for name in rocminfo rocm_agent_enumerator hipconfig amd-smi; do "
                  "command -v $name; done; echo $GPU_ARCHS $CU_NUM $TRITON_LIBHIP_PATH")
        lines = self.output("sh", "-c", script).splitlines()
        self.assertEqual(lines[:4], [str(PROBES / name) for name in (
            "rocminfo", "rocm_agent_enumerator", "hipconfig", "amd-smi")])
        self.assertEqual(lines[4], f"gfx950 256 {BUILD}/driverless/runtime/libamdhip64.so")

    def test_what_the_user_set_stays(self):
        self.assertEqual(self.output("sh", "-c", "echo $GPU_ARCHS $CU_NUM $TRITON_LIBHIP_PATH",
                                     GPU_ARCHS="native", CU_NUM="80", TRITON_LIBHIP_PATH="/x"),
                         "native 80 /x\n")

    def test_a_probe_may_be_the_program(self):
        self.assertEqual(self.output("rocm_agent_enumerator", COMPASS_DEVICES="2"),
                         "gfx000\ngfx950\ngfx950\n")
        self.assertEqual(self.output("rocm_agent_enumerator", "-name", arch="gfx942"),
                         "gfx942:sramecc+:xnack-\n")

    def test_rocminfo_read_by_lines(self):
        output = self.output("rocminfo", COMPASS_DEVICES="2", COMPASS_SET="memory=8GiB")
        first = next(line for line in output.split("\n") if "gfx" in line.lower())
        self.assertEqual(first.split(":")[-1].strip(), "gfx950")
        units = [re.search(r"Compute Unit\s*:\s*(\d+)", agent).group(1)
                 for agent in re.split(r"Agent\s*\d+", output)
                 if any("Device Type" in line and "GPU" in line for line in agent.split("\n"))]
        self.assertEqual(units, ["256", "256"])
        self.assertEqual(re.findall(r"^\s*Name:\s+(gfx[0-9a-f]+)\s*$", output, re.MULTILINE),
                         ["gfx950", "gfx950"])
        self.assertRegex(output, r"(?m)^\s+Name:\s+amdgcn-amd-amdhsa--gfx950:sramecc\+:xnack-$")

    def test_rocminfo_read_by_a_pipeline(self):
        pipeline = ("rocminfo | grep gfx -A 100 | grep 'Pool 1' -A 5 | grep Size: | "
                    "awk '{print $2}'")
        output = self.output("sh", "-c", pipeline, COMPASS_DEVICES="2", COMPASS_SET="memory=8GiB")
        sizes = [float(line.split("(")[0].strip()) / 1024 for line in output.strip().split("\n")]
        self.assertEqual(sizes, [8192.0, 8192.0])

    def test_amd_smi_as_json_and_text(self):
        found = json.loads(self.output("amd-smi", "static", "--json", COMPASS_DEVICES="2"))
        second = found["gpu_data"][1]
        self.assertEqual(second["asic"]["target_graphics_version"], "gfx950")
        self.assertEqual(second["asic"]["num_compute_units"], 256)
        self.assertEqual(second["vram"]["size"], {"value": 294912, "unit": "MB"})
        self.assertEqual(second["bus"]["bdf"], "0000:02:00.0")
        one = json.loads(self.output("amd-smi", "list", "-g", "1", "--json", COMPASS_DEVICES="2"))
        self.assertEqual([(each["gpu"], each["bdf"]) for each in one], [(1, "0000:02:00.0")])
        text = self.output("amd-smi", "static", "--asic", "--vram")
        self.assertRegex(text, r"(?m)^GPU: 0\n    ASIC:\n        MARKET_NAME: AMD Instinct MI355X$")
        self.assertRegex(text, r"(?m)^    VRAM:\n(        .*\n)*        SIZE: 294912 MB$")
        self.assertNotIn("BUS", text)
        self.assertRegex(self.output("amd-smi", "version"), r"ROCm version: 7\.\d+\.\d+ ")

    def test_amd_smi_lists_what_variables_hide(self):
        found = json.loads(self.output("amd-smi", "list", "--json", COMPASS_DEVICES="2",
                                       HIP_VISIBLE_DEVICES="1"))
        self.assertEqual(len(found), 2)

    def test_hipconfig(self):
        self.assertRegex(self.output("hipconfig", "--version"), r"^7\.\d+\.\d+-[0-9a-z]+$")
        self.assertEqual(self.output("hipconfig", "--platform"), "amd")
        self.assertEqual(self.output("hipconfig", "-R", ROCM_PATH="/somewhere"), "/somewhere")
        self.assertEqual(self.output("hipconfig", "--path", "--newline"), "/opt/rocm\n")
        self.assertRegex(self.output("hipconfig"), r"(?m)^HIP_PLATFORM: amd$")


class Refusals(CommandTest):
    """Probe programs that cannot answer."""

    def refused(self, *command, status, **variables):
        done = subprocess.run([PROBES / command[0], *command[1:]], capture_output=True, check=False,
                              env=environment(**variables), encoding="utf-8")
        self.assertEqual((done.returncode, done.stdout), (status, ""))
        return done.stderr

    def test_without_a_declaration(self):
        for probe in ("rocminfo", "rocm_agent_enumerator"):
            self.assertEqual(self.refused(probe, status=1),
                             f"{probe}: compass-capture: COMPASS_ARCH is not set; the driverless "
                             "runtime has no device: expected gfx942 or gfx950\n")

    def test_of_options_that_they_do_not_have(self):
        declared = {"COMPASS_ARCH": "gfx950"}
        for command, found in ((("rocminfo", "-x"), "found '-x'"),
                               (("rocm_agent_enumerator", "-t"), "found '-t'"),
                               (("hipconfig", "--nothing"), "found '--nothing'"),
                               (("amd-smi", "metric"), "found 'metric'"),
                               (("amd-smi", "list", "--asic"), "found '--asic'"),
                               (("amd-smi", "list", "-g", "5"), "device 5 is none of 1")):
            self.assertIn(found, self.refused(*command, status=2, **declared))


if __name__ == "__main__":
    unittest.main()
