#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_cost.py COMPASS TINY_DECODER TOUCHED_POOL: what `check` costs.

First by turns `run` of tiny_decoder's 64 steps and `check` of their recording: CPU seconds of all
processes, and how many times longer `check` takes. Then the memory of `check` where a pool of 250 GB
is set to zero and 1 MiB of it is touched, in one piece, in pages 900 MB apart, and with a launch
that goes past its end, which is looked at by playing again.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

RUNS = int(os.environ.get("RUNS", "5"))
# By case: arguments of touched_pool, and how `check` ends.
POOLS = {"in_one_piece": (("4096",), 0), "far_apart": (("900000000",), 0),
         "past_its_end": (("900000000", "past"), 1)}


def cost(*command, status=0):
    """Seconds of CPU time, and the MB that the largest of its processes held at once."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, ended, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(ended)
    if child.returncode != status:
        raise subprocess.CalledProcessError(child.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def record(compass, archive, *program):
    subprocess.run([compass, "record", "--driverless", "--arch", "gfx950", "-o", archive, "--", *program],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def compare_with_run(compass, decoder, archive):
    program = (decoder, "--steps", "64")
    record(compass, archive, *program)
    run, check = [], []
    for _ in range(RUNS):
        run.append(cost(compass, "run", "--arch", "gfx950", "--", *program)[0])
        check.append(cost(compass, "check", archive)[0])
    print(json.dumps({"case": "check_of_64_steps", "unit": "s", "median": round(statistics.median(check), 3),
                      "minimum": round(min(check), 3), "runs": RUNS, "run": round(statistics.median(run), 3),
                      "times_run": round(statistics.median(check) / statistics.median(run), 2)}))


def main():
    compass, decoder, pool = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "a.compass")
        compare_with_run(compass, decoder, archive)
        for name, (arguments, status) in POOLS.items():
            record(compass, archive, pool, *arguments)
            seconds, peak_mb = cost(compass, "check", archive, status=status)
            print(json.dumps({"case": f"check_of_pool_{name}", "unit": "MB", "peak_resident": round(peak_mb, 1),
                              "seconds": round(seconds, 2), "archive_kb": os.path.getsize(archive) // 1024}))


if __name__ == "__main__":
    main()
