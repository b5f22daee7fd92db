# SPDX-License-Identifier: MIT
"""The recorder in this process, if there is one: the table of compass/annotate.h through ctypes."""
import ctypes
from typing import Any, Iterable, Optional, Sequence

_u32, _u64, _i32, _i64 = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32, ctypes.c_int64
_text, _address, _int = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int


class BufferInfo(ctypes.Structure):
    _fields_ = [("address", _address), ("name", _text), ("role", _text), ("dtype", _text),
                ("rank", _u32), ("shape", ctypes.POINTER(_i64)), ("strides", ctypes.POINTER(_i64))]


class StepInfo(ctypes.Structure):
    _fields_ = [("kind", _text), ("produces_output", _int), ("deferred", _int), ("real_rows", _u32),
                ("padded_rows", _u32), ("requests", _u32), ("request_ids", ctypes.POINTER(_u64)),
                ("positions", ctypes.POINTER(_i64)), ("may_end", ctypes.POINTER(ctypes.c_ubyte))]


class RowRange(ctypes.Structure):
    _fields_ = [("first", _u64), ("last", _u64)]


class PoolInfo(ctypes.Structure):
    _fields_ = [("address", _address), ("name", _text), ("unit", _text), ("rows", _u64),
                ("row_bytes", _u64), ("reserved_ranges", _u32),
                ("reserved", ctypes.POINTER(RowRange)), ("said_by", _text)]


class SentinelInfo(ctypes.Structure):
    _fields_ = [("address", _address), ("role", _text), ("pool", _text), ("unit", _text),
                ("count", _u32), ("values", ctypes.POINTER(_i64))]


class ReportInfo(ctypes.Structure):
    _fields_ = [("address", _address), ("size_bytes", _u64), ("count", _u32),
                ("request_ids", ctypes.POINTER(_u64)), ("ids", ctypes.POINTER(_i64))]


def _call(*arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(None, *arguments)


def _of(info: Any) -> Any:
    return _call(ctypes.POINTER(info))


class Table(ctypes.Structure):
    """compass_annotate_api. Members that `version` does not have must not be touched."""
    _fields_ = [("version", _u32), ("buffer", _of(BufferInfo)), ("step_begin", _of(StepInfo)),
                ("step_end", _call()), ("phase", _call(_text)),
                ("pool", _of(PoolInfo)), ("sentinel", _of(SentinelInfo)),
                ("sleep", _call(_i32, _text)), ("wake", _call(_text)), ("report", _of(ReportInfo)),
                ("block_allocate", _call(_address, _address, _u64, _text)),
                ("block_free", _call(_address)), ("rank", _call(_i32, _i32))]


_SINCE_1 = ("buffer", "step_begin", "step_end", "phase")


def find() -> Optional[Table]:
    """The recorder's table; None outside a recording."""
    try:
        lookup = ctypes.CDLL(None).compass_annotate_v1
    except (AttributeError, OSError):
        return None
    lookup.restype = ctypes.POINTER(Table)
    table = lookup()
    return table.contents if table else None


def has(table: Table, name: str) -> bool:
    """Whether the recorder is new enough for this member."""
    return name in _SINCE_1 or table.version >= 2


def text(value: Optional[str]) -> Optional[bytes]:
    """For a char pointer. Raises TypeError where it is no text."""
    if value is None or isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value.encode("utf-8", "replace").replace(b"\0", b"?")


def number(value: Any, kind: Any, what: str) -> int:
    """Raises ValueError where a C integer of that kind cannot hold it."""
    result = int(value)
    if kind(result).value != result:
        raise ValueError(f"{what} {result} does not fit {kind.__name__}")
    return result


def array(values: Optional[Iterable[Any]], kind: Any, what: str) -> Any:
    """A C array of these numbers; None for None. Raises ValueError as number() does."""
    if values is None:
        return None
    numbers = [number(value, kind, what) for value in values]
    return (kind * len(numbers))(*numbers)


def same_length(arrays: Sequence[Any], names: Sequence[str]) -> int:
    """The length that all have which are given. Raises ValueError where two differ."""
    lengths = {name: len(one) for one, name in zip(arrays, names) if one is not None}
    if len(set(lengths.values())) > 1:
        raise ValueError(", ".join(f"{count} {name}" for name, count in lengths.items()))
    return max(lengths.values(), default=0)
