# SPDX-License-Identifier: MIT
"""Names and marks that a program gives to its own compass-capture recording.

Outside a recording every call returns at once and does nothing; no GPU and no library is needed.
In one, a call never raises for what it is told: what cannot be recorded is left out, with a
RuntimeWarning that says why. Calls may come from any thread. docs/annotate.md has an example.

Wherever a `tensor` is wanted: anything with `data_ptr()` (torch), `__cuda_array_interface__`,
`__array_interface__` (numpy) or `__dlpack__()`, a ctypes object, or the address as an integer.
Nothing is read but where it lies, its type and its shape; nothing is kept, and no stream waits.
"""
import ctypes
import threading
import warnings
from contextlib import contextmanager
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _dtypes, _recorder
from ._tensors import Tensor, tensor_of

__all__ = ["recording", "buffer", "step", "phase", "pool", "sentinel", "sleep", "wake", "report",
           "block_allocate", "block_free", "rank"]

_table = _recorder.find()
_thread = threading.local()


def recording() -> bool:
    """Whether this process is recorded: to skip work that only a recording needs."""
    return _table is not None


def _warn(what: str, error: object, depth: int) -> None:
    warnings.warn(f"compass_capture.{what}: {error}; this mark is left out", RuntimeWarning,
                  stacklevel=depth + 1)


@contextmanager
def _mark(what: str, depth: int = 3) -> Iterator[None]:
    """Around what makes a mark: tensors of other people's may raise anything."""
    try:
        yield
    except Exception as error:  # pylint: disable=broad-except
        _warn(what, error, depth + 1)


def _table_for(name: str) -> Optional[_recorder.Table]:
    """None outside a recording, and where the recorder is older than the call."""
    return _table if _table is not None and _recorder.has(_table, name) else None


def _pointer(values: Any, kind: Any) -> Any:
    return ctypes.cast(values, ctypes.POINTER(kind)) if values is not None else None


def buffer(tensor: Any, *, name: Optional[str] = None, role: Optional[str] = None,
           dtype: Any = None, shape: Optional[Sequence[int]] = None,
           strides: Optional[Sequence[int]] = None) -> None:
    """Names the buffer at `tensor` until its allocation is freed or it is named again.

    `name` is unique among live buffers ("layers.0.wqkv"); `role` says what it is for: "weight",
    "kv-cache", "write-index", "block-table", "sampled-ids", "staging". `dtype` ("bf16", or any
    library's), `shape` and `strides` (elements, outermost first; no strides: dense) replace what
    the tensor says, and are needed where it is an address.
    """
    if _table is None:
        return
    with _mark("buffer"):
        of = tensor_of(tensor)
        if shape is not None:
            of = of._replace(shape=tuple(shape), strides=None)
        of = of._replace(dtype=_dtypes.normalized(dtype) if dtype is not None else of.dtype,
                         strides=tuple(strides) if strides is not None else of.strides)
        if of.strides is not None and len(of.strides) != len(of.shape or ()):
            raise ValueError(f"{len(of.strides)} strides for a shape of {len(of.shape or ())}")
        sizes = _recorder.array(of.shape, ctypes.c_int64, "size")
        steps = _recorder.array(of.strides, ctypes.c_int64, "stride")
        _table.buffer(_recorder.BufferInfo(
            _address(of), _recorder.text(name), _recorder.text(role), _recorder.text(of.dtype),
            len(of.shape or ()), _pointer(sizes, ctypes.c_int64), _pointer(steps, ctypes.c_int64)))


def _address(tensor: Tensor) -> int:
    return _recorder.number(tensor.address, ctypes.c_uint64, "address")


class step:  # pylint: disable=invalid-name
    """One forward of the model: everything that this thread does in the `with` block.

    `kind`: "prefill", "chunk", "decode", "dummy", "warmup", "capture", "calibration". `real_rows`
    carry a request's token, `padded_rows` are what launches process (default: as many). The lists
    have one entry a request: its id, the position of its first token in this step, and whether it
    may end at this forward. `deferred`: what the step gives out is the output of the one before.
    Steps do not nest: one that begins in another ends that.
    """

    def __init__(self, kind: str, *, produces_output: bool = False, deferred: bool = False,
                 real_rows: int = 0, padded_rows: Optional[int] = None,
                 request_ids: Optional[Iterable[int]] = None,
                 positions: Optional[Iterable[int]] = None,
                 may_end: Optional[Iterable[bool]] = None) -> None:
        self._info: Optional[_recorder.StepInfo] = None
        if _table is None:
            return
        with _mark("step"):
            arrays = [_recorder.array(request_ids, ctypes.c_uint64, "request id"),
                      _recorder.array(positions, ctypes.c_int64, "position"),
                      _recorder.array(may_end, ctypes.c_ubyte, "may_end")]
            requests = _recorder.same_length(arrays, ("request_ids", "positions", "may_end"))
            real = _recorder.number(real_rows, ctypes.c_uint32, "real_rows")
            padded = real if padded_rows is None else _recorder.number(
                padded_rows, ctypes.c_uint32, "padded_rows")
            self._info = _recorder.StepInfo(
                _recorder.text(kind), bool(produces_output), bool(deferred), real, padded, requests,
                _pointer(arrays[0], ctypes.c_uint64), _pointer(arrays[1], ctypes.c_int64),
                _pointer(arrays[2], ctypes.c_ubyte))

    def __enter__(self) -> "step":
        if self._info is not None and _table is not None:
            _table.step_begin(self._info)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._info is not None and _table is not None:
            _table.step_end()

    def report(self, tensor: Any, *, ids: Optional[Iterable[int]] = None,
               request_ids: Optional[Iterable[int]] = None) -> None:
        """As report(), which see: a forward may report what another one computed."""
        report(tensor, ids=ids, request_ids=request_ids)


@contextmanager
def phase(name: str) -> Iterator[None]:
    """The phase of this thread's launches in the `with` block: "eager" (outside of any), "warmup",
    "captured" or "replay"."""
    if _table is None:
        yield
        return
    phases: List[str] = getattr(_thread, "phases", ["eager"])
    _thread.phases = [*phases, name]
    with _mark("phase", 4):
        _table.phase(_recorder.text(name))
    try:
        yield
    finally:
        _thread.phases = phases
        with _mark("phase", 4):
            _table.phase(_recorder.text(phases[-1]))


def pool(tensor: Any = None, *, name: str, unit: str, rows: int, row_bytes: Optional[int] = None,
         reserved: Iterable[Union[int, range, Tuple[int, int]]] = (),
         said_by: Optional[str] = None) -> None:
    """What a pool of rows is, as one part of the program knows it.

    `tensor` is where row 0 lies; None for a part that knows only numbers. A pool that lies in
    several tensors, is counted in several units, or is known to several parts is said once for
    each, with the same `name`; said again, it has changed. `unit` of a row: "slot", "block" or
    "state". `row_bytes`: of a row in this tensor; default: its bytes by `rows`, where its first
    dimension is `rows`. `reserved`: rows that no request is ever given, as numbers, ranges of step
    1, or pairs (first, last). `said_by`: "scheduler" or "runner".
    """
    table = _table_for("pool")
    if table is None:
        return
    with _mark("pool"):
        of = tensor_of(tensor)
        count = _recorder.number(rows, ctypes.c_uint64, "rows")
        if row_bytes is None:
            fits = count > 0 and of.shape is not None and of.shape[:1] == (count,)
            row_bytes = of.size_bytes() // count if fits else 0
        ranges = _ranges(reserved)
        table.pool(_recorder.PoolInfo(
            _address(of), _recorder.text(name), _recorder.text(unit), count,
            _recorder.number(row_bytes, ctypes.c_uint64, "row_bytes"), len(ranges),
            (_recorder.RowRange * len(ranges))(*ranges), _recorder.text(said_by)))


def _ranges(rows: Iterable[Any]) -> List[Tuple[int, int]]:
    """First and last of each range, in the order in which they were given."""
    ranges = []
    for row in rows:
        if isinstance(row, range):
            if row.step != 1:
                raise ValueError(f"reserved {row}: expected a step of 1")
            if len(row) == 0:
                continue
            row = (row.start, row.stop - 1)
        first, last = row if isinstance(row, tuple) else (row, row)
        first = _recorder.number(first, ctypes.c_uint64, "reserved row")
        last = _recorder.number(last, ctypes.c_uint64, "reserved row")
        if ranges and first == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], last)
        else:
            ranges.append((first, last))
    return ranges


def sentinel(tensor: Any = None, *, role: Optional[str] = None, values: Iterable[int] = (-1,),
             pool: Optional[str] = None,  # pylint: disable=redefined-outer-name
             unit: Optional[str] = None) -> None:
    """Which `values` of an index buffer mean "no row".

    The buffer is `tensor`, or every one with the `role`. `pool` is the name of the pool whose rows
    the other values count, in `unit`.
    """
    table = _table_for("sentinel")
    if table is None:
        return
    with _mark("sentinel"):
        numbers = _recorder.array(values, ctypes.c_int64, "value")
        table.sentinel(_recorder.SentinelInfo(
            _address(tensor_of(tensor)), _recorder.text(role), _recorder.text(pool),
            _recorder.text(unit), len(numbers), _pointer(numbers, ctypes.c_int64)))


def sleep(level: int = 1, tag: Optional[str] = None) -> None:
    """Memory with this tag is about to be given up with its contents; no tag: all of it. `level`
    is the engine's own number."""
    table = _table_for("sleep")
    if table is None:
        return
    with _mark("sleep"):
        table.sleep(_recorder.number(level, ctypes.c_int32, "level"), _recorder.text(tag))


def wake(tag: Optional[str] = None) -> None:
    """Memory with this tag is there again, as of sleep(). Its pools are to be said again."""
    table = _table_for("wake")
    if table is None:
        return
    with _mark("wake"):
        table.wake(_recorder.text(tag))


def report(tensor: Any, *, ids: Optional[Iterable[int]] = None,
           request_ids: Optional[Iterable[int]] = None) -> None:
    """The host gives the bytes of `tensor` out as the output of a forward.

    It is the buffer that the sampled ids were brought back to. `ids` are the tokens and
    `request_ids` whose they are, one entry each, where that is known here.
    """
    table = _table_for("report")
    if table is None:
        return
    with _mark("report"):
        of = tensor_of(tensor)
        tokens = _recorder.array(ids, ctypes.c_int64, "id")
        requests = _recorder.array(request_ids, ctypes.c_uint64, "request id")
        count = _recorder.same_length((tokens, requests), ("ids", "request_ids"))
        table.report(_recorder.ReportInfo(
            _address(of), of.size_bytes(), count, _pointer(requests, ctypes.c_uint64),
            _pointer(tokens, ctypes.c_int64)))


def block_allocate(tensor: Any, size_bytes: Optional[int] = None, *, name: Optional[str] = None,
                   segment: Any = None) -> None:
    """An allocator of the program's own hands out `size_bytes` at `tensor`; default: its bytes.

    They lie in the allocation that holds `segment`, a tensor or address; None: whichever holds
    them. A block inside a live block is a part of that one.
    """
    table = _table_for("block_allocate")
    if table is None:
        return
    with _mark("block_allocate"):
        of = tensor_of(tensor)
        size = of.size_bytes() if size_bytes is None else size_bytes
        table.block_allocate(_address(tensor_of(segment)), _address(of),
                             _recorder.number(size, ctypes.c_uint64, "size_bytes"),
                             _recorder.text(name))


def block_free(tensor: Any) -> None:
    """It takes back the innermost block that starts at `tensor`. The blocks of an allocation end
    with it."""
    table = _table_for("block_free")
    if table is None:
        return
    with _mark("block_free"):
        table.block_free(_address(tensor_of(tensor)))


def rank(number: int, ranks: int = 0) -> None:
    """This process is number `number`, from 0, of the `ranks` of its job; 0: not known how many."""
    table = _table_for("rank")
    if table is None:
        return
    with _mark("rank"):
        table.rank(_recorder.number(number, ctypes.c_int32, "rank"),
                   _recorder.number(ranks, ctypes.c_int32, "ranks"))
