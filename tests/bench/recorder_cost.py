#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""recorder_cost.py PROGRAM RECORDER: what the recorder costs the thread that calls HIP.

Runs timed_calls by turns without the recorder and with it, in each mode of contents. Prints a line of
JSON for each case: the median and the 99th percentile of a launch, in nanoseconds, without and with
the recorder (each the best of all runs), and the difference.
"""
import json
import os
import subprocess
import sys
import tempfile

RUNS = int(os.environ.get("RUNS", "5"))
MODES = ("none", "index")


def times(program, environment):
    done = subprocess.run([program], env={**os.environ, **environment}, check=True, encoding="utf-8",
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def recorded_times(program, recorder, mode):
    with tempfile.TemporaryDirectory() as folder:
        return times(program, {"LD_PRELOAD": recorder, "COMPASS_JOURNAL_DIR": folder,
                               "COMPASS_CONTENTS": mode})


def best(runs, case, percentile):
    return min(run[case][percentile] for run in runs)


def main():
    program, recorder = sys.argv[1:]
    runs = {mode: [] for mode in ("alone", *MODES)}
    for _ in range(RUNS):
        runs["alone"].append(times(program, {}))
        for mode in MODES:
            runs[mode].append(recorded_times(program, recorder, mode))
    for mode in MODES:
        for case in runs["alone"][0]:
            line = {"case": f"recorder_{case}_{mode}", "unit": "ns/launch", "runs": RUNS}
            for percentile, name in enumerate(("p50", "p99")):
                alone, recorded = (best(runs[which], case, percentile) for which in ("alone", mode))
                line |= {name: round(recorded - alone), f"{name}_alone": round(alone),
                         f"{name}_recorded": round(recorded)}
            print(json.dumps(line))


if __name__ == "__main__":
    main()
