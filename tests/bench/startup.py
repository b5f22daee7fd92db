#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The time from the start of the process to the end of a kernel of one workgroup, as one JSON line.

Most of it is the start itself: reading the case, loading the object, starting the decoder.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 15
FIXTURES = pathlib.Path(__file__).resolve().parent.parent.parent / "fixtures"


def main():
    compass = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        case = pathlib.Path(folder) / "case"
        subprocess.run([sys.executable, FIXTURES / "cases/edit_case.py", FIXTURES / "kernels/vector_add",
                        case, "grid=[1,1,1]", "args.2.input=\"x.in\"", "args.2.expect=\"x.in\"",
                        "args.3.value=0"], check=True)
        elapsed = []
        for _ in range(RUNS + 1):
            start = time.perf_counter()
            subprocess.run([compass, "case", case, "--arch", "gfx950"], check=True,
                           stdout=subprocess.DEVNULL)
            elapsed.append((time.perf_counter() - start) * 1e3)
    elapsed = elapsed[1:]  # the first one reads the programs from the disk
    print(json.dumps({"case": "startup", "unit": "ms", "median": round(statistics.median(elapsed), 2),
                      "minimum": round(min(elapsed), 2), "runs": RUNS}))


if __name__ == "__main__":
    main()
