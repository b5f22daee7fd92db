#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""However a program looks for AMD's HIP runtime, the audit library leads it to ours.

usage: finding_test.py RUNTIME_DIR OPENED_PROGRAM_C
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

RUNTIME = pathlib.Path(sys.argv[1]).resolve()
SOURCE = sys.argv[2]
VERSIONS = {5: 50700000, 6: 60400000, 7: 70200000}

CTYPES_PROGRAM = """
    import ctypes, sys
    hip = ctypes.CDLL(sys.argv[1])
    version, memory, words = ctypes.c_int(), ctypes.c_void_p(), (ctypes.c_uint32 * 2)()
    properties = ctypes.create_string_buffer(1472)
    results = [hip.hipRuntimeGetVersion(ctypes.byref(version)),
               hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(8)),
               hip.hipMemset(memory, 0x5a, ctypes.c_size_t(8)),
               hip.hipMemcpy(words, memory, ctypes.c_size_t(8), 2),
               hip.hipFree(memory),
               hip.hipGetDevicePropertiesR0600(properties, 0)]
    print(results, version.value, hex(words[1]), properties.value.decode(),
          properties[1160:1166].decode())
"""


def ours(major):
    return f"{RUNTIME}/libamdhip64.so.{major}"


def answer(major):
    """What the program prints that has found our library for this major."""
    return f"{ours(major)} {VERSIONS[major]} 5a5a5a5a\n"


def run(*command, check=True):
    environment = dict(os.environ, COMPASS_ARCH="gfx950",
                       LD_AUDIT=str(RUNTIME / "libcompass_audit.so"))
    return subprocess.run([str(part) for part in command], env=environment, check=check,
                          capture_output=True, text=True)


class Finding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.bundled = cls.folder / "bundled"
        cls.bundled.mkdir()
        cls.build("opened", SOURCE)
        # What a program brings along: libraries of the right names with nothing of HIP.
        empty = cls.folder / "empty.c"
        empty.write_text("int bundled;\n", encoding="utf-8")
        for version in ("", ".5", ".6", ".7", ".6.4.43483"):
            name = f"libamdhip64.so{version}"
            cls.build(f"bundled/{name}", empty, "-shared", f"-Wl,-soname,{name}")

    @classmethod
    def build(cls, output, *arguments):
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", cls.folder / output, *arguments,
                        "-ldl"], check=True)

    def found(self, *commands, program="opened"):
        return run(self.folder / program, *commands).stdout

    def test_by_name(self):
        for major in VERSIONS:
            for name in (f"libamdhip64.so.{major}", f"libamdhip64.so.{major}.2.21153",
                         f"libamdhip64-0123abcd.so.{major}"):
                with self.subTest(name):
                    self.assertEqual(self.found("open", name, "use"), answer(major))

    def test_by_absolute_path_of_a_file_that_is_there_or_not(self):
        for major in VERSIONS:
            for folder in (self.bundled, "/nonexistent/rocm/lib"):
                with self.subTest(folder=folder, major=major):
                    self.assertEqual(
                        self.found("open", f"{folder}/libamdhip64.so.{major}", "use"),
                        answer(major))
        self.assertEqual(self.found("open", f"{self.bundled}/libamdhip64.so.6.4.43483", "use"),
                         answer(6))

    def test_without_a_version_it_is_the_newest_or_the_one_that_is_there(self):
        for name in ("libamdhip64.so", "./libamdhip64.so", f"{self.bundled}/libamdhip64.so"):
            with self.subTest(name):
                self.assertEqual(self.found("open", name, "use"), answer(7))
                self.assertEqual(self.found("open", "libamdhip64.so.6", "open", name, "use"),
                                 answer(6))

    def test_linked(self):
        for major in VERSIONS:
            with self.subTest(major=major):
                program = f"linked.{major}"
                self.build(program, SOURCE, "-Wl,--no-as-needed", ours(major))
                self.assertEqual(self.found("use", program=program), answer(major))

    def test_through_an_rpath_and_a_runpath(self):
        for tags in ("--disable-new-dtags", "--enable-new-dtags"):
            for major in VERSIONS:
                with self.subTest(tags=tags, major=major):
                    program = f"rpath.{major}{tags}"
                    self.build(program, SOURCE, f"-Wl,{tags}", f"-Wl,-rpath,{self.bundled}",
                               "-Wl,--no-as-needed", self.bundled / f"libamdhip64.so.{major}")
                    self.assertEqual(self.found("use", program=program), answer(major))
                    self.assertEqual(
                        self.found("open", f"libamdhip64.so.{major}", "use", program=program),
                        answer(major))

    def test_from_child_processes(self):
        for start in ("fork", "spawn"):
            for major in VERSIONS:
                with self.subTest(start=start, major=major):
                    self.assertEqual(
                        self.found(start, "open", f"{self.bundled}/libamdhip64.so.{major}", "use"),
                        answer(major))
        self.assertEqual(
            run("sh", "-c", f"env -- {self.folder}/opened open libamdhip64.so.6 use").stdout,
            answer(6))

    def test_from_python_through_ctypes(self):
        program = self.folder / "program.py"
        program.write_text(textwrap.dedent(CTYPES_PROGRAM), encoding="utf-8")
        for major, version in VERSIONS.items():
            for name in (f"libamdhip64.so.{major}", self.bundled / f"libamdhip64.so.{major}"):
                with self.subTest(str(name)):
                    self.assertEqual(run(sys.executable, program, name).stdout,
                                     f"[0, 0, 0, 0, 0, 0] {version} 0x5a5a5a5a "
                                     "AMD Instinct MI355X gfx950\n")

    def test_unknown_versions_are_refused_and_said_once(self):
        for name in ("libamdhip64.so.8", f"{self.bundled}/libamdhip64.so.4.2"):
            with self.subTest(name):
                done = run(self.folder / "opened", "open", name, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, (
                    f"compass-capture: the program asks for {pathlib.Path(name).name}; the "
                    "driverless runtime has the interfaces of HIP 5, 6 and 7\n"))

    def test_a_library_that_calls_what_is_not_implemented_is_named(self):
        source = self.folder / "caller.c"
        source.write_text("int hipGLGetDevices(void);\n"
                          "int call(void) { int error = hipGLGetDevices(); return error + 0; }\n",
                          encoding="utf-8")
        self.build("libcaller.so", source, "-shared", "-fPIC", ours(6))
        done = run(sys.executable, "-c", textwrap.dedent(f"""
            import ctypes, threading
            caller = ctypes.CDLL("{self.folder}/libcaller.so")
            results = []
            threads = [threading.Thread(target=lambda: results.append(caller.call()))
                       for _ in range(8)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print(results)
            """))
        self.assertEqual(done.stdout, f"{[801] * 8}\n")
        self.assertEqual(done.stderr, (
            "compass-capture: hipGLGetDevices is not implemented by the driverless runtime; "
            f"{self.folder}/libcaller.so gets hipErrorNotSupported\n"))

    def test_other_names_are_left_alone(self):
        for name in ("libamdhip64.so.7.extra", "libamdhip64_helper.so", "libhiprtc-builtins.so.9"):
            with self.subTest(name):
                done = run(self.folder / "opened", "open", f"/nonexistent/{name}", check=False)
                self.assertIn(f"/nonexistent/{name}: cannot open shared object file", done.stdout)
                self.assertEqual(done.stderr, "")

    def test_two_majors_in_one_process_are_an_error_that_is_said_once(self):
        done = run(self.folder / "opened", "open", "libamdhip64.so.6", "open", "libamdhip64.so.7",
                   "use", "use")
        self.assertEqual(done.stderr, (
            f"compass-capture: this process has two HIP runtimes, {ours(7)} and {ours(6)}; calls "
            "get hipErrorNotInitialized\n"))
        for call in (1, 2, 3, 4):
            self.assertIn(f"call {call} failed with 3\n", done.stdout)

    def test_the_first_of_two_majors_goes_on(self):
        done = run(self.folder / "opened", "open", "libamdhip64.so.6", "use", "open",
                   "libamdhip64.so.7", "open", "libamdhip64.so.6", "use")
        self.assertEqual(done.stdout, 2 * answer(6))
        self.assertEqual(done.stderr, "")


class Companions(unittest.TestCase):
    def python(self, program):
        return run(sys.executable, "-c", textwrap.dedent(program))

    def test_roctx_ranges_nest_by_thread(self):
        for name in ("libroctx64.so", "libroctx64.so.4", "/opt/rocm/lib/libroctx64.so.4.1.70000",
                     "librocprofiler-sdk-roctx.so.1"):
            with self.subTest(name):
                self.assertEqual(self.python(f"""
                    import ctypes, threading
                    tx = ctypes.CDLL("{name}")
                    tx.roctxRangeStartA.restype = ctypes.c_uint64
                    def nest():
                        print(tx.roctxRangePushA(b"a"), tx.roctxRangePushA(b"b"),
                              tx.roctxRangePop(), tx.roctxRangePop(), tx.roctxRangePop())
                    tx.roctxRangePushA(b"outer")
                    thread = threading.Thread(target=nest)
                    thread.start()
                    thread.join()
                    ids = {{tx.roctxRangeStartA(b"c"), tx.roctxRangeStartA(b"c")}}
                    print(len(ids), tx.roctx_version_major(), tx.roctxRangePop())
                    """).stdout, "0 1 1 0 -1\n2 4 0\n")

    def test_hiprtc_fails_and_says_so_once(self):
        for name in ("libhiprtc.so", "libhiprtc.so.6", "/opt/rocm/lib/libhiprtc.so.7.0.51831"):
            with self.subTest(name):
                done = self.python(f"""
                    import ctypes
                    rtc = ctypes.CDLL("{name}")
                    rtc.hiprtcGetErrorString.restype = ctypes.c_char_p
                    program = ctypes.c_void_p()
                    for _ in range(2):
                        error = rtc.hiprtcCreateProgram(ctypes.byref(program), b"", b"", 0, None,
                                                        None)
                    print(error, rtc.hiprtcGetErrorString(error), rtc.hiprtcGetErrorString(77))
                    """)
                self.assertEqual(done.stdout, "11 b'HIPRTC_ERROR_INTERNAL_ERROR' "
                                              "b'Invalid HIPRTC error code'\n")
                self.assertRegex(done.stderr,
                                 "^compass-capture: hiprtcCreateProgram is not implemented by the "
                                 "driverless runtime; .* gets HIPRTC_ERROR_INTERNAL_ERROR\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
