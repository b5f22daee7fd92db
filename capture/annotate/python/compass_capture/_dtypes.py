# SPDX-License-Identifier: MIT
"""Names of element types: one for each, whatever a library calls it."""
import re
from typing import Dict, Optional, Tuple

_ALIASES: Dict[str, str] = {
    "half": "f16", "float": "f32", "double": "f64", "bfloat16": "bf16",
    "char": "i8", "byte": "u8", "short": "i16", "int": "i32", "long": "i64",
    "bool_": "bool", "boolean": "bool",
    "float8_e4m3fn": "f8e4m3", "float8_e4m3fnuz": "f8e4m3fnuz", "float8_e5m2": "f8e5m2",
    "float8_e5m2fnuz": "f8e5m2fnuz", "float8_e8m0fnu": "f8e8m0", "float4_e2m1fn": "f4e2m1",
    "float4_e2m1fn_x2": "f4e2m1x2", "float6_e2m3fn": "f6e2m3", "float6_e3m2fn": "f6e3m2",
}

# By DLDataTypeCode, for those with a width that they do not say themselves.
_DLPACK_PREFIXES: Dict[int, str] = {0: "i", 1: "u", 2: "f", 4: "bf", 5: "c"}
_DLPACK_NAMES: Dict[int, str] = {
    6: "bool", 7: "f8e3m4", 8: "f8e4m3ieee", 9: "f8e4m3b11fnuz", 10: "f8e4m3", 11: "f8e4m3fnuz",
    12: "f8e5m2", 13: "f8e5m2fnuz", 14: "f8e8m0", 15: "f6e2m3", 16: "f6e3m2", 17: "f4e2m1",
}


def normalized(name: object) -> str:
    """The short name of a dtype object or name: "bf16" of `torch.bfloat16`, "f32" of "float32".

    What is not known is kept as it is, in lower case and without the module's name.
    """
    text = str(name).strip()
    match = re.fullmatch(r"<class '(.*)'>", text)
    text = (match[1] if match else text).rsplit(".", 1)[-1].lower()
    if text in _ALIASES:
        return _ALIASES[text]
    match = re.fullmatch(r"(float|int|uint|complex)(\d+)", text)
    return match[1][0] + match[2] if match else text


def of_typestr(typestr: str) -> Tuple[str, int]:
    """The short name, and the bytes of an element, of an array interface's "<f4".

    Raises ValueError where it is no such text.
    """
    match = re.fullmatch(r"([<>|=])([a-zA-Z])(\d+)", typestr)
    if match is None:
        raise ValueError(f"typestr {typestr!r} is not of the form '<f4'")
    order, kind, size = match[1], match[2], int(match[3])
    names = {"b": "bool", "f": f"f{8 * size}", "i": f"i{8 * size}", "u": f"u{8 * size}",
             "c": f"c{8 * size}"}
    name = names.get(kind, f"opaque{8 * size}")
    return (name + "be" if order == ">" and size > 1 else name), size


def of_dlpack(code: int, bits: int, lanes: int) -> str:
    """The short name of a DLDataType."""
    if code in _DLPACK_PREFIXES:
        name = f"{_DLPACK_PREFIXES[code]}{bits}"
    else:
        name = _DLPACK_NAMES.get(code, f"opaque{bits}")
    return name if lanes == 1 else f"{name}x{lanes}"


def size_bits(name: str) -> Optional[int]:
    """The bits of one element of a type by its short name; None where that is not known."""
    match = re.fullmatch(r"(?:bf|f|i|u|c|opaque)(\d+)(?:e\d+m\d+\w*?)?(?:be)?(?:x(\d+))?", name)
    if match is None:
        return 8 if name == "bool" else None
    return int(match[1]) * int(match[2] or 1)
