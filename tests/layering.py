#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails on an #include that the layers do not allow: the table of HOUSE_STYLE, section 1.

A folder may include itself and what its row names. A row names folders, without those below them,
or single headers. A folder that no row knows is an error: give it a row.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

IR = ["ir/base", "ir", "ir/hip"]
SEALED = ["ir/journal", "ir/archive"]
DRIVERLESS = ["driverless/arch", "driverless/code_object", "driverless/isa", "driverless/machine",
              "driverless/decode", "driverless/interp"]
CAPTURE = ["capture", "capture/annotate", "capture/annotate/compass", "capture/contents",
           "capture/hooks", "capture/portability", "capture/testing", "capture/tracker"]

ALLOWED = {
    "ir/base": [],
    "ir/hip": ["ir/base"],
    "ir": ["ir/base"],
    "ir/journal": IR,
    "ir/live": [],
    "ir/code_object": IR,
    "ir/archive": IR + ["ir/journal", "ir/code_object"],
    "ir/order": IR,
    "ir/recurrence": IR,
    "ir/text": IR,
    "ir/diff": IR + ["ir/text", "ir/order"],
    **{folder: IR + CAPTURE + ["ir/journal", "ir/live", "ir/code_object"] for folder in CAPTURE},
    "replay": IR + ["ir/code_object"],
    "replay/hip": IR + ["replay"],
    "driverless/arch": IR,
    "driverless/code_object": IR + ["ir/code_object", "driverless/arch"],
    "driverless/isa": [],
    "driverless/machine": IR + ["driverless/arch"],
    "driverless/decode": IR + ["ir/code_object", "driverless/arch"],
    "driverless/interp": IR + ["ir/code_object"] + DRIVERLESS,
    "driverless/analysis": IR + ["driverless/arch", "driverless/isa", "driverless/decode",
                                 "driverless/machine"],
    "driverless/jit": IR + DRIVERLESS,
    "driverless/gate": IR + ["driverless/arch", "driverless/machine"],
    "driverless/inspection": IR + ["driverless/analysis", "driverless/arch", "driverless/gate",
                                   "driverless/machine", "driverless/backend.h"],
    "driverless/case": IR + ["driverless/arch", "driverless/machine", "driverless/agent.h"],
    "driverless": IR + ["ir/code_object", "driverless/analysis"] + DRIVERLESS,
    "driverless/runtime/pch": ["driverless/runtime"],
    "driverless/runtime/probes": IR + ["driverless/arch", "driverless/runtime"],
    "driverless/runtime": IR + ["ir/code_object", "ir/journal", "ir/live", "driverless/arch",
                                "driverless/machine", "driverless/agent.h"],
    "cli": IR + SEALED + ["ir/code_object", "ir/order", "ir/recurrence", "ir/text", "ir/diff",
                          "capture", "replay", "replay/hip", "driverless/arch",
                          "driverless/backend.h", "driverless/gate", "driverless/inspection", "driverless/case",
                          "driverless/machine/observer.h"],
}

# Inputs of tests: they include with paths of their own, and may use nothing of ours but this.
FIXTURES_MAY_USE = ["compass/annotate.h"]

# Third parties, by how their headers start, and the only folders that may use them.
THIRD_PARTIES = {
    "llvm": ["driverless/decode", "driverless/jit"],
    "google/protobuf": ["ir/archive"],
    "sqlite3.h": ["ir/archive"],
    "CLI/": ["cli"],
    "hip/": ["replay/hip"],
    "toml++/": ["driverless/gate"],
}

SOURCES = (".h", ".cc", ".def")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
OURS = ("ir", "capture", "replay", "driverless", "cli", "fixtures", "tests")


def sources(root):
    for top in OURS:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path.relative_to(root)


def folder_of(name):
    return name.rpartition("/")[0]


def allows(row, folder, header):
    return folder_of(header) == folder or header in row or folder_of(header) in row


def problem_with(folder, quoted, bracketed):
    """Why a source in `folder` may not include this, or None."""
    for start, users in THIRD_PARTIES.items():
        if bracketed and bracketed.startswith(start) and folder not in users:
            return f"<{bracketed}> may be included only in {', '.join(users)}"
    if not quoted:
        return None
    if quoted.endswith(".pb.h"):
        return None if folder == "ir/archive" else f'"{quoted}": its types never leave ir/archive'
    if quoted.split("/")[0] not in OURS:
        return f'"{quoted}" is not written from the root'
    if not allows(ALLOWED[folder], folder, quoted):
        return f'"{quoted}" may not be included in {folder}/'
    return None


def check(root):
    problems = []
    for path in sources(root):
        folder = folder_of(path.as_posix())
        includes = INCLUDE.findall((root / path).read_text(encoding="utf-8"))
        if folder.startswith("fixtures"):
            for quoted, bracketed in includes:
                header = quoted or bracketed
                if header.split("/")[0] in OURS and header not in FIXTURES_MAY_USE:
                    problems.append(f"{path}: {header} is ours; a fixture may use only "
                                    f"{', '.join(FIXTURES_MAY_USE)}")
            continue
        if folder.startswith("tests/"):
            continue  # what crosses folders may use all of them
        if folder not in ALLOWED:
            problems.append(f"{path}: tests/layering.py has no row for {folder}/")
            continue
        for quoted, bracketed in includes:
            problem = problem_with(folder, quoted, bracketed)
            if problem:
                problems.append(f"{path}: {problem}")
    return problems


def main():
    problems = check(ROOT)
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} includes break the layers", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
