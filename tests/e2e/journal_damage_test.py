# SPDX-License-Identifier: MIT
"""Journals that are cut, changed, or none: an archive of all before the damage, or an error that
names the file and what is wrong with it."""
import glob
import os
import pathlib
import re
import signal
import socket
import subprocess
import unittest

from harness import COMPASS, FEW_CALLS, CommandTest

HEADER_BYTES = 16


class JournalDamage(CommandTest):
    def setUp(self):
        super().setUp()
        # `record` that is killed with its program leaves the journal.
        recorder = subprocess.Popen([COMPASS, "record", "--driverless", "--arch", "gfx950", "-o",
                                     "a.compass", "--", "/bin/sh", "-c",
                                     f"{FEW_CALLS} exit 0; echo done; exec sleep 100"],
                                    cwd=self.folder, stdout=subprocess.PIPE, start_new_session=True)
        self.assertEqual(recorder.stdout.readline(), b"done\n")
        os.killpg(recorder.pid, signal.SIGKILL)
        recorder.communicate()
        journals = glob.glob(f"{self.folder}/a.compass.journal-*/*.journal")
        self.bytes = max((pathlib.Path(each).read_bytes() for each in journals), key=len)
        self.journal = self.folder / "damaged.journal"
        self.sealed_whole = self.seal(self.bytes, 0)

    def seal(self, content, *exit_codes):
        """What `seal` says of such a journal; it ends with one of these."""
        self.journal.write_bytes(content)
        return self.seal_of(self.journal, *exit_codes)

    def seal_of(self, path, *exit_codes):
        done = subprocess.run([COMPASS, "seal", path, "-o", "b.compass"], cwd=self.folder,
                              capture_output=True, encoding="utf-8", check=False)
        self.assertIn(done.returncode, exit_codes, done.stderr)
        self.assertEqual((self.folder / "b.compass").exists(), done.returncode == 0)
        (self.folder / "b.compass").unlink(missing_ok=True)
        if done.returncode != 0:
            self.assertTrue(done.stderr.startswith("compass-capture: error: "), done.stderr)
            self.assertIn(str(path), done.stderr)
        return done.stderr

    def records_in(self, message):
        return int(re.search(r"sealed (\d+) record", message)[1])

    def test_a_cut_anywhere_keeps_all_before_it(self):
        records, used = 0, len(self.bytes.rstrip(b"\0"))
        self.assertLess(used, 4096)
        for size in range(used):
            with self.subTest(size):
                message = self.seal(self.bytes[:size], 0, 2)
                if message.startswith("compass-capture: error"):
                    self.assertEqual(records, 0, "once there was a call, there is an archive")
                    self.assertIn("no HIP call and no mark that a recording holds", message)
                    continue
                self.assertIn(", incomplete: ", message)
                self.assertGreaterEqual(self.records_in(message), records)
                records = self.records_in(message)
        self.assertEqual(records, self.records_in(self.sealed_whole))

    def test_a_changed_byte_anywhere_is_found(self):
        for at in range(len(self.bytes.rstrip(b"\0"))):
            with self.subTest(at):
                changed = bytearray(self.bytes)
                changed[at] ^= 0xFF
                message = self.seal(changed, 0, 2)
                if at < HEADER_BYTES:
                    self.assertRegex(message, "not a journal|is newer than|header is damaged")
                elif not message.startswith("compass-capture: error"):
                    self.assertRegex(message, r", incomplete: the journal is torn at byte \d+: ")
                    self.assertLess(self.records_in(message), self.records_in(self.sealed_whole) + 1)

    def test_what_is_no_journal_is_said(self):
        newer = self.bytes[:8] + (99).to_bytes(4, "little") + self.bytes[12:]
        older = self.bytes[:8] + (3).to_bytes(4, "little") + self.bytes[12:]
        for content, says in (
                (b"SQLite format 3\0" + bytes(100), "not a journal: expected \"CMPSJRNL\" at its start"),
                (b"\x7fELF", "not a journal"),
                (newer, "journal version 99 is newer than"),
                (older, "journal version 3 is older than"),
                (b"", "no HIP call and no mark that a recording holds"),
                (bytes(5000), "no HIP call and no mark that a recording holds")):
            with self.subTest(says):
                self.assertIn(says, self.seal(content, 2))

    def test_what_is_no_file_is_said(self):
        (self.folder / "empty").mkdir()
        os.mkfifo(self.folder / "fifo")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.folder / "socket"))
        (self.folder / "loop").symlink_to("loop")
        for name, says in (("fifo", "not a regular file"), ("socket", "not a regular file"),
                           ("absent", "does not exist"), ("loop", "does not exist")):
            with self.subTest(name):
                self.assertIn(says, self.seal_of(self.folder / name, 2))
        self.assertIn("not a regular file", self.seal_of("/dev/null", 2))
        _, errors = self.compass("seal", "empty", "-o", "b.compass", exit_code=2)
        self.assertIn("no journal was written", errors)


if __name__ == "__main__":
    unittest.main()
