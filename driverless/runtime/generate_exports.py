#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the version script of libamdhip64 and the functions that are not implemented, those of hiprtc
apart.

usage: generate_exports.py HIP_API.TSV API.H VERSION_SCRIPT SOURCE HIPRTC_SOURCE
"""
import os
import re
import sys


def read_names(path):
    """The version node of each name, by name."""
    nodes = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, node = line.split()
                nodes[name] = node
    return nodes


def read_implemented(path):
    """The functions that the header `path` and the tables that it includes declare."""
    with open(path, encoding="utf-8") as source:
        text = source.read()
    declarations = re.sub(r"//.*", "", text)
    names = set(re.findall(r"\b((?:__)?(?:hip|amd_|gnu_)\w+)\(", declarations))
    for part in re.findall(r'^#include "driverless/runtime/(\w+_api\.h)"', text, re.M):
        names |= read_implemented(os.path.join(os.path.dirname(path), part))
    return names


def version_script(nodes):
    def order(node):
        return [int(part) for part in node.removeprefix("hip_").split(".")]

    text, previous = [], ""
    for node in sorted(set(nodes.values()), key=order):
        text.append(f"{node} {{\n global:\n")
        text += [f"  {name};\n" for name in sorted(nodes) if nodes[name] == node]
        text.append(f"}}{previous};\n" if previous else " local:\n  *;\n};\n")
        previous = f" {node}"
    return "".join(text)


def source(names, refuse):
    text = ['#include "driverless/runtime/refusals.h"\n\n',
            '#pragma GCC visibility push(default)\nextern "C" {\n']
    for name in names:
        text.append(f'int {name}() {{\n'
                    f'  static constinit compass::Unimplemented self{{"{name}"}};\n'
                    f'  return compass::{refuse}(self, __builtin_return_address(0));\n}}\n')
    text.append("}\n#pragma GCC visibility pop\n")
    return "".join(text)


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def main():
    api, header, script_path, source_path, hiprtc_path = sys.argv[1:]
    nodes = read_names(api)
    implemented = read_implemented(header)
    unknown = implemented - nodes.keys()
    if unknown:
        sys.exit(f"{header} declares names that {api} does not have: {sorted(unknown)}")
    missing = sorted(nodes.keys() - implemented)
    write(script_path, version_script(nodes))
    write(source_path, source([n for n in missing if not n.startswith("hiprtc")], "refuse"))
    write(hiprtc_path, source([n for n in missing if n.startswith("hiprtc")], "refuse_hiprtc"))


if __name__ == "__main__":
    main()
