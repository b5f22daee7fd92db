# SPDX-License-Identifier: MIT
"""What a tensor of any library is: where its first element lies, of which type, in which shape."""
import ctypes
from typing import Any, NamedTuple, Optional, Sequence, Tuple

from . import _dtypes


class Tensor(NamedTuple):
    """A tensor's memory. Shape and strides are in elements, outermost dimension first."""

    address: int
    dtype: Optional[str] = None
    shape: Optional[Tuple[int, ...]] = None
    strides: Optional[Tuple[int, ...]] = None  # None: dense, row-major
    item_bits: Optional[int] = None

    def size_bytes(self) -> int:
        """From the first element to the end of the last, in bytes; 0 where that is not known."""
        if self.shape is None or not self.item_bits or 0 in self.shape:
            return 0
        strides = self.strides if self.strides is not None else dense_strides(self.shape)
        last = sum((size - 1) * stride for size, stride in zip(self.shape, strides) if stride > 0)
        return ((last + 1) * self.item_bits + 7) // 8


def dense_strides(shape: Sequence[int]) -> Tuple[int, ...]:
    """The strides of a row-major tensor without gaps."""
    strides = []
    elements = 1
    for size in reversed(shape):
        strides.append(elements)
        elements *= size
    return tuple(reversed(strides))


def tensor_of(value: Any) -> Tensor:
    """The tensor that `value` is: something with `data_ptr()`, `__cuda_array_interface__`,
    `__array_interface__` or `__dlpack__()`, a ctypes object, or an address.

    Raises TypeError where it is none of these, and whatever the object itself raises.
    """
    if value is None:
        return Tensor(0)
    if isinstance(value, int):
        return Tensor(value)
    if isinstance(value, ctypes.c_void_p):
        return Tensor(value.value or 0)
    if callable(getattr(value, "data_ptr", None)):
        return _of_data_ptr(value)
    for name in ("__cuda_array_interface__", "__array_interface__"):
        interface = getattr(value, name, None)
        if isinstance(interface, dict):
            return _of_array_interface(interface, value)
    if callable(getattr(value, "__dlpack__", None)):
        return _of_dlpack(value)
    if isinstance(value, (ctypes.Array, ctypes.Structure, ctypes.Union, ctypes._SimpleCData)):
        return Tensor(ctypes.addressof(value), "u8", (ctypes.sizeof(value),), None, 8)
    raise TypeError(f"{type(value).__name__} is no tensor: expected data_ptr(), an array interface, "
                    "DLPack, a ctypes object or an address")


def _integers(values: Any) -> Tuple[int, ...]:
    return tuple(int(value) for value in values)


def _of_data_ptr(value: Any) -> Tensor:
    dtype = _dtypes.normalized(value.dtype) if hasattr(value, "dtype") else None
    shape = _integers(value.shape) if hasattr(value, "shape") else None
    stride = getattr(value, "stride", None)
    strides = _integers(stride()) if shape is not None and callable(stride) else None
    if strides is not None and strides == dense_strides(shape or ()):
        strides = None
    if callable(getattr(value, "element_size", None)):
        bits: Optional[int] = 8 * int(value.element_size())
    else:
        bits = _dtypes.size_bits(dtype) if dtype else None
    return Tensor(int(value.data_ptr()), dtype, shape, strides, bits)


def _of_array_interface(interface: Any, value: Any) -> Tensor:
    data = interface["data"]
    address = int(data[0]) if data is not None else 0
    shape = _integers(interface["shape"])
    dtype, item_bytes = _dtypes.of_typestr(interface["typestr"])
    if dtype.startswith("opaque") and hasattr(value, "dtype"):
        dtype = _dtypes.normalized(value.dtype)  # such as ml_dtypes.bfloat16
    strides = None
    byte_strides = interface.get("strides")
    if byte_strides is not None and item_bytes:
        if any(stride % item_bytes for stride in byte_strides):
            raise ValueError(f"strides {tuple(byte_strides)} are no multiples of {item_bytes} bytes")
        strides = tuple(int(stride) // item_bytes for stride in byte_strides)
        strides = None if strides == dense_strides(shape) else strides
    return Tensor(address, dtype, shape, strides, 8 * item_bytes)


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class _DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _DLTensor)]


_UNVERSIONED, _VERSIONED = b"dltensor", b"dltensor_versioned"
_MAJOR = 1  # of the versioned structure that is known here
_CUDA, _ROCM, _NO_SYNCHRONIZATION = 2, 10, -1

_get_name = ctypes.pythonapi.PyCapsule_GetName
_get_name.restype, _get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _capsule_of(value: Any) -> Any:
    """Asks for no synchronisation: nothing is read but where the tensor lies."""
    options = {}
    device = getattr(value, "__dlpack_device__", None)
    if callable(device) and int(device()[0]) in (_CUDA, _ROCM):
        options["stream"] = _NO_SYNCHRONIZATION
    try:
        return value.__dlpack__(max_version=(_MAJOR, 0), **options)
    except TypeError:  # from before versions
        return value.__dlpack__(**options)


def _of_dlpack(value: Any) -> Tensor:
    # The capsule is only looked at: it keeps its name, and so releases what it holds when it goes.
    capsule = _capsule_of(value)
    name = _get_name(capsule)
    if name == _VERSIONED:
        managed = _DLManagedTensorVersioned.from_address(_get_pointer(capsule, _VERSIONED))
        if managed.major != _MAJOR:
            raise ValueError(f"DLPack version {managed.major}.{managed.minor}: expected {_MAJOR}")
        return _of_dl_tensor(managed.tensor)
    if name == _UNVERSIONED:
        return _of_dl_tensor(_DLTensor.from_address(_get_pointer(capsule, _UNVERSIONED)))
    raise ValueError(f"__dlpack__ gave a capsule {name!r}: expected one that nobody has used")


def _of_dl_tensor(tensor: _DLTensor) -> Tensor:
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = None
    if tensor.strides:
        strides = tuple(tensor.strides[i] for i in range(tensor.ndim))
        strides = None if strides == dense_strides(shape) else strides
    address = (tensor.data or 0) + tensor.byte_offset
    return Tensor(address, _dtypes.of_dlpack(tensor.code, tensor.bits, tensor.lanes), shape, strides,
                  tensor.bits * tensor.lanes)
