# SPDX-License-Identifier: MIT
"""Whatever ends a recorded program, or its journal: nothing is missing of which a call had returned."""
import concurrent.futures
import glob
import hashlib
import os
import random
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import time
import unittest

from harness import BUILD, COMPASS, TIMEOUT_SECONDS, CommandTest

TOLD_CALLS = str(BUILD / "tests/told_calls")
SLOW_DISK = str(BUILD / "tests/libslow_disk.so")
KILLS = int(os.environ.get("COMPASS_KILLS", "100"))
LONGEST_SECONDS = 0.15
WORDS = 1024


def content_of(number):
    return hashlib.sha256(struct.pack("<I", number) * WORDS).hexdigest()


def argument_of(number):
    return struct.pack("<I", number).hex().upper()


class Ended:
    """What a program that was ended had told, and what its archive has."""

    def __init__(self, told, archive):
        self.copies_told, self.launches_told = told.count(b"c"), told.count(b"l")
        database = sqlite3.connect(f"file:{archive}?mode=ro", uri=True)
        self.contents = [row[0] for row in database.execute("SELECT content FROM copies ORDER BY record")]
        self.arguments = [row[0] for row in database.execute(
            "SELECT a.value FROM launches l JOIN arguments a USING (distinct_launch) "
            "WHERE a.ordinal = 1 ORDER BY l.record")]
        database.close()


class Kill(CommandTest):
    def start(self, archive, *program, options=(), **popen):
        """In a session of its own, which a kill ends whole."""
        return subprocess.Popen([COMPASS, "record", "--driverless", "--arch", "gfx950", *options,
                                 "-o", archive, "--", *map(str, program)], cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True, **popen)

    def finish(self, recorder, exit_code):
        told, errors = recorder.communicate(timeout=TIMEOUT_SECONDS)
        self.assertEqual(recorder.returncode, exit_code, errors)
        return told, errors.decode()

    def assert_nothing_is_missing(self, ended):
        """At most one call more than was told is there: that of the moment of the end."""
        for told, found, expected in ((ended.copies_told, ended.contents, content_of),
                                      (ended.launches_told, ended.arguments, argument_of)):
            self.assertGreaterEqual(len(found), told)
            self.assertLessEqual(len(found), told + 1)
            self.assertEqual(found, [expected(number) for number in range(1, len(found) + 1)])

    def kill_once(self, number, seconds):
        archive = self.folder / f"{number}.compass"
        # With room for all of it: a disk that is slower than the program costs contents.
        recorder = self.start(archive, TOLD_CALLS, 0, options=("--buffer", "1GiB"))
        first = recorder.stdout.read(1)
        time.sleep(seconds)
        os.killpg(recorder.pid, signal.SIGKILL)
        told = first + recorder.communicate()[0]
        folder, = glob.glob(f"{archive}.journal-*")
        _, errors = self.compass("seal", folder, "-o", archive)
        self.assertRegex(errors, ", incomplete: (the process did not end in order|the journal is torn "
                                 r"at byte \d+: a frame was begun and not ended)")
        ended = Ended(told, archive)
        self.assertGreater(ended.copies_told, 0)
        self.assert_nothing_is_missing(ended)
        shutil.rmtree(folder)
        archive.unlink()
        return ended.launches_told

    def test_kills_at_random_moments_lose_nothing(self):
        seed = int(os.environ.get("COMPASS_SEED", time.time_ns() % 1_000_000))
        print(f"COMPASS_SEED={seed}", flush=True)
        moments = [random.Random(seed + n).uniform(0, LONGEST_SECONDS) for n in range(KILLS)]
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            launches = list(pool.map(self.kill_once, range(KILLS), moments))
        print(f"{KILLS} kills, {min(launches)} to {max(launches)} launches before", flush=True)

    def test_an_abort_loses_nothing(self):
        told, errors = self.finish(self.start("a.compass", TOLD_CALLS, 600, "abort"),
                                   128 + signal.SIGABRT)
        self.assertIn("incomplete: the process did not end in order", errors)
        ended = Ended(told, self.folder / "a.compass")
        self.assertEqual((ended.copies_told, ended.launches_told), (299, 299))
        self.assert_nothing_is_missing(ended)

    def test_a_program_that_closes_all_its_files_goes_on_being_recorded(self):
        told, errors = self.finish(self.start("a.compass", TOLD_CALLS, 600, "close"), 0)
        self.assertNotIn("incomplete", errors)
        ended = Ended(told, self.folder / "a.compass")
        self.assertEqual((len(ended.contents), len(ended.arguments)), (600, 600))
        self.assert_nothing_is_missing(ended)

    def assert_is_a_beginning(self, archive, told, errors, cause):
        """The program ran to its end, and what was recorded before the disk was full is there."""
        self.assertIn(cause, errors)
        self.assertEqual(told, b"cl" * 2000)
        ended = Ended(told, archive)
        self.assertGreater(len(ended.contents), 10)
        self.assertLess(len(ended.contents), 2000)
        self.assertIn(len(ended.contents) - len(ended.arguments), (0, 1))
        for found, expected in ((ended.contents, content_of), (ended.arguments, argument_of)):
            self.assertEqual(found, [expected(number) for number in range(1, len(found) + 1)])

    def test_a_limit_on_file_sizes_keeps_what_was_before_it(self):
        for kilobytes in (500, 501, 1023):
            limit = kilobytes << 10
            archive = self.folder / f"{kilobytes}.compass"
            recorder = self.start(archive, TOLD_CALLS, 2000, preexec_fn=lambda limit=limit:
                                  resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            told, errors = self.finish(recorder, 0)
            self.assert_is_a_beginning(archive, told, errors, "File too large")

    def test_a_full_disk_keeps_what_was_before_it(self):
        small = self.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", small], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("needs the right to mount")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        recorder = self.start(small / "a.compass", TOLD_CALLS, 2000)
        told, errors = recorder.communicate(timeout=TIMEOUT_SECONDS)
        self.assertIn(b"No space left on device", errors)
        folder, = glob.glob(f"{small}/a.compass.journal-*")
        _, said = self.compass("seal", folder, "-o", self.folder / "a.compass")
        self.assert_is_a_beginning(self.folder / "a.compass", told, said, "No space left on device")

    def test_contents_are_given_up_where_the_disk_is_slow_and_records_never(self):
        environment = {**os.environ, "LD_PRELOAD": SLOW_DISK}
        recorder = self.start("a.compass", TOLD_CALLS, 2000, options=("--buffer", "1MiB"),
                              env=environment)
        told, errors = self.finish(recorder, 0)
        self.assertNotIn("incomplete", errors)
        ended = Ended(told, self.folder / "a.compass")
        self.assertEqual(len(ended.arguments), 2000)
        self.assertEqual(ended.arguments, [argument_of(number) for number in range(1, 2001)])
        self.assertEqual(len(ended.contents), 2000)
        given_up = ended.contents.count(None)
        self.assertGreater(given_up, 0)
        self.assertIn(f"contents: gave up {given_up} of 2000, {given_up * 10 // 256 / 10:.1f} MiB: the "
                      "disk was slower than the program (--buffer)", errors)
        for number, content in enumerate(ended.contents, 1):
            self.assertIn(content, (None, content_of(number)))

    def test_what_is_no_buffer_is_said(self):
        for value in ("64", "1MB", "-1MiB", "2TiB", "much"):
            for command in (("record", "--driverless", "-o", "a.compass"), ("run",)):
                with self.subTest(value=value, command=command[0]):
                    _, errors = self.compass(*command, "--arch", "gfx950", f"--buffer={value}", "--",
                                             TOLD_CALLS, 1, exit_code=2)
                    self.assertIn(f"--buffer: cannot have a buffer of '{value}': expected bytes, or "
                                  "KiB, MiB, GiB or TiB, from 1MiB to 1TiB", errors)
        _, errors = self.compass("run", "--arch", "gfx950", "--", TOLD_CALLS, 1, exit_code=2,
                                 env={**os.environ, "COMPASS_BUFFER": "little"})
        self.assertIn("COMPASS_BUFFER: cannot have a buffer of 'little'", errors)


if __name__ == "__main__":
    unittest.main()
