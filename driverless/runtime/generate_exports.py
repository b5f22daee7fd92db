#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the version script of libamdhip64, the functions that are not implemented, those of hiprtc
apart, and the tables through which the exported names go (dispatch.h), again with the functions that
are not implemented.

usage: generate_exports.py HIP_API.TSV API.H TABLE.DEF COMPILER_TABLE.DEF
                           VERSION_SCRIPT SOURCE HIPRTC_SOURCE DISPATCH_SOURCE
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


def read_table(path, nodes):
    """The table's names in its order, up to the last that the library exports."""
    with open(path, encoding="utf-8") as lines:
        names = re.findall(r"^ENTRY\((\w+)\)", lines.read(), re.M)
    last = max(i for i, name in enumerate(names) if name in nodes)
    return names[:last + 1]


# The name is the exported one; the caller's registers and stack stay as they are.
JUMP = """asm(R"(
    .macro compass_call name, place
    .balign 16
    .globl \\name
    .type \\name, @function
\\name:
    .cfi_startproc
    endbr64
    jmp *\\place(%rip)
    .cfi_endproc
    .size \\name, .-\\name
    .endm
)");
"""


def dispatch_source(tables, exported, implemented):
    """`tables`: names by the symbol that the table gets."""
    text = ['#include "driverless/runtime/api.h"\n#include "driverless/runtime/dispatch.h"\n'
            '#include "driverless/runtime/refusals.h"\n\nnamespace compass {\nnamespace {\n\n']
    for name in (name for names in tables.values() for name in names if name not in implemented):
        text.append(f'hip::Error refuse_{name}() {{\n'
                    f'  static constinit Unimplemented self{{"{name}"}};\n'
                    f'  return refuse(self, __builtin_return_address(0));\n}}\n')

    def function(name):
        return f"reinterpret_cast<void*>(&{f'hip::{name}' if name in implemented else f'refuse_{name}'})"

    text.append("\nconst EntryCall calls[] = {\n")
    text += [f'  {{"{name}", {function(name)}}},\n' for name in sorted(implemented)]
    text.append('};\n\n}  // namespace\n\nextern "C" {\n')
    for symbol, names in tables.items():
        text.append(f"struct {symbol.title().replace('_', '')} {{\n  std::size_t size_bytes;\n"
                    f"  void* functions[{len(names)}];\n}};\n"
                    f"[[gnu::visibility(\"hidden\")]] {symbol.title().replace('_', '')} {symbol} = {{\n"
                    f"  sizeof({symbol}), {{\n")
        text += [f"    {function(name)},\n" for name in names]
        text.append("}};\n")
    text.append("}\n\n" + JUMP + 'asm(R"(\n    .pushsection .text\n')
    for symbol, names in tables.items():
        text += [f"    compass_call {name}, {symbol}+{8 * (i + 1)}\n"
                 for i, name in enumerate(names) if name in exported]
    text.append('    .popsection\n)");\n\n'
                "const DispatchTables& dispatch_tables() {\n"
                "  static const DispatchTables known{&compass_runtime_table, &compass_compiler_table, calls};\n"
                "  return known;\n}\n\n}  // namespace compass\n")
    return "".join(text)


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def main():
    (api, header, table, compiler_table, script_path, source_path, hiprtc_path,
     dispatch_path) = sys.argv[1:]
    nodes = read_names(api)
    implemented = read_implemented(header)
    unknown = implemented - nodes.keys()
    if unknown:
        sys.exit(f"{header} declares names that {api} does not have: {sorted(unknown)}")
    missing = sorted(nodes.keys() - implemented)
    hiprtc_missing = [name for name in missing if name.startswith("hiprtc")]
    tables = {"compass_runtime_table": read_table(table, nodes),
              "compass_compiler_table": read_table(compiler_table, nodes)}
    others = nodes.keys() - set(hiprtc_missing) - {n for names in tables.values() for n in names}
    tables["compass_other_calls"] = sorted(others)
    write(script_path, version_script(nodes))
    write(source_path, source([n for n in missing if not n.startswith("hiprtc")], "refuse"))
    write(hiprtc_path, source(hiprtc_missing, "refuse_hiprtc"))
    write(dispatch_path, dispatch_source(tables, nodes.keys(), implemented))


if __name__ == "__main__":
    main()
