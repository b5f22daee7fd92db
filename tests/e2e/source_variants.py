# SPDX-License-Identifier: MIT
"""Changes sources of C++ without changing what they do. They are formatted as ours are."""
import re

COMMENT = "// Nothing that a program would notice."
CONTROL = re.compile(r"\s*(?:\}\s*)?(?:if|for|while|switch|else|do|try|catch|return)\b")
TYPE = re.compile(r"\s*(?:template\b.*)?(?:struct|class|enum|union|namespace|extern)\b")
LOCAL = re.compile(r"^( +)(?:for \()?(?!return|else|using|delete|throw|goto|case|new|typedef)"
                   r"(?:(?:const|constexpr|static|unsigned) )*[A-Za-z_][\w:]*(?:<[^;=()]*>)?[&*]?"
                   r" [&*]?([a-z]\w*)(?: =|;) ?")
WORD = re.compile(r'"(?:[^"\\]|\\.)*"|(?:\.|->|::)?\b[A-Za-z_]\w*\b')


def statement_start(lines, index):
    """Where the statement begins that line `index` ends with an opening brace."""
    while index > 0:
        before = lines[index - 1].rstrip()
        if not before or before.endswith((";", "{", "}", ":", "\\")) or \
                before.lstrip().startswith(("//", "#")):
            break
        index -= 1
    return index


def opens_function(lines, index):
    """Whether line `index` ends with the opening brace of a function."""
    if not lines[index].rstrip().endswith("{"):
        return False
    start = statement_start(lines, index)
    text = "".join(lines[start:index + 1])
    return "(" in text and "=" not in text.split("(")[0] and not CONTROL.match(text) \
        and not TYPE.match(text)


def with_comments(text):
    """A blank line and a comment above every function."""
    lines = text.splitlines(keepends=True)
    starts = {statement_start(lines, i) for i in range(len(lines)) if opens_function(lines, i)}
    out = []
    for i, line in enumerate(lines):
        if i in starts:
            out.append(f"\n{COMMENT}\n")
        out.append(line)
    return "".join(out), len(starts)


def indent_of(line):
    return len(line) - len(line.lstrip(" "))


def is_in_function(lines, index):
    """Whether the innermost block around line `index` belongs to a function, and to no type."""
    depth = 0
    for i in range(index - 1, -1, -1):
        code = lines[i].split("//")[0]
        for c in reversed(code):
            depth += {"}": 1, "{": -1}.get(c, 0)
            if depth < 0:
                return "(" in "".join(lines[statement_start(lines, i):i + 1]) and \
                    not TYPE.match(lines[statement_start(lines, i)])
    return False


def end_of_scope(lines, index):
    """The line behind the last one that sees what line `index` declares."""
    own = indent_of(lines[index])
    is_loop = lines[index].lstrip().startswith("for (")
    for i in range(index + 1, len(lines)):
        outside = indent_of(lines[i]) < own or (is_loop and indent_of(lines[i]) == own)
        if lines[i].strip() and outside and not lines[i].startswith("#"):
            return i
    return len(lines)


def with_renamed_locals(text):
    """Other names for local variables."""
    lines = text.splitlines(keepends=True)
    renamed = 0
    for i in range(len(lines)):
        found = LOCAL.match(lines[i])
        if not found or not is_in_function(lines, i):
            continue
        name = found[2]

        def rename(word):
            return f"{name}_renamed" if word[0] == name else word[0]

        for n in range(i, end_of_scope(lines, i)):
            lines[n] = WORD.sub(rename, lines[n])
        renamed += 1
    return "".join(lines), renamed
