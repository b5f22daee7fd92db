# SPDX-License-Identifier: MIT
"""Opens the HIP runtime as Python clients do and makes calls that no compiled program here makes.

usage: hip_calls_program.py MODULE CASE [LIBRARY]
"""
import ctypes
import sys

WORKITEMS = 64
ASYNC_D2D, H2D, D2H, DEFAULT = 3, 1, 2, 4
u32, u64, size, pointer = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p


class Hip:
    """HIP's calls by their names; one that fails is an error."""

    def __init__(self, library="libamdhip64.so.7"):
        self.library = ctypes.CDLL(library)

    def __getattr__(self, name):
        def call(*arguments):
            result = getattr(self.library, name)(*arguments)
            if result != 0:
                raise RuntimeError(f"{name} returned {result}")
        return call

    def made(self, name, *arguments):
        """What a call gives by its first parameter."""
        handle = pointer()
        getattr(self, name)(ctypes.byref(handle), *arguments)
        return handle

    def module(self, path):
        return self.made("hipModuleLoad", path.encode())

    def function(self, module, name):
        return self.made("hipModuleGetFunction", module, name.encode())

    def filled(self, words, value):
        memory = self.made("hipMalloc", size(4 * words))
        self.hipMemsetD32(memory, value, size(words))
        return memory

    def words(self, memory, count):
        out = (u32 * count)()
        self.hipMemcpy(out, memory, size(4 * count), D2H)
        return list(out)


hip = Hip(*sys.argv[3:])


class ScaleArguments(ctypes.Structure):
    _fields_ = [("out", pointer), ("shift", ctypes.c_uint8), ("count", u32)]


def values(out, shift, count):
    kept = [pointer(out.value), ctypes.c_uint8(shift), u32(count)]
    array = (pointer * 3)(*[ctypes.addressof(one) for one in kept])
    return array, kept


def launch_by_values(function, out, count, name="hipModuleLaunchKernel", groups=2, more=()):
    array, _ = values(out, 1, count)
    getattr(hip, name)(function, groups, 1, 1, WORKITEMS, 1, 1, size(0), None, array, *more)


def launch_packed(function, out, count):
    """With one block of arguments, as Triton's and aiter's launchers do."""
    arguments = ScaleArguments(out.value, 1, count)
    bytes_taken = size(ctypes.sizeof(arguments))
    extra = (pointer * 5)(1, ctypes.addressof(arguments), 2, ctypes.addressof(bytes_taken), 3)
    hip.hipModuleLaunchKernel(function, 2, 1, 1, WORKITEMS, 1, 1, 0, None, None, extra)


def module(path, count=100):
    loaded = hip.module(path)
    scale = hip.function(loaded, "scale")
    out = hip.filled(100, 1)
    launch_packed(scale, out, count)
    launch_by_values(scale, out, count, more=(None,))
    launch_by_values(scale, out, count, "hipModuleLaunchCooperativeKernel")
    launch_by_values(scale, out, count, "hipExtModuleLaunchKernel", 2 * WORKITEMS,
                     more=(None, None, None, 0))
    assert hip.words(out, 100) == [16] * 100, hip.words(out, 100)
    hip.hipFree(out)
    hip.hipModuleUnload(loaded)


def module_out_of_bounds(path):
    loaded = hip.module(path)
    out = hip.filled(100, 1)
    launch_packed(hip.function(loaded, "scale"), out, 101)
    hip.hipDeviceSynchronize()


def per_thread(path):
    loaded = hip.module(path)
    out = hip.filled(64, 1)
    host = (u32 * 64)(*range(64))
    hip.hipMemcpyAsync_spt(out, host, size(256), H2D, None)
    hip.hipMemsetAsync_spt(out, 3, size(16), None)
    hip.hipStreamSynchronize_spt(None)
    launch_by_values(hip.function(loaded, "scale"), out, 64, groups=1, more=(None,))
    hip.hipMemcpy_spt(host, out, size(256), D2H)
    assert host[63] == 126


def stream_ordered(path):
    scale = hip.function(hip.module(path), "scale")
    stream = hip.made("hipStreamCreateWithFlags", 1)
    for _ in range(2):
        out = hip.made("hipMallocAsync", size(400), stream)
        hip.hipMemsetAsync(out, 0, size(400), stream)
        array, _ = values(out, 1, 100)
        hip.hipModuleLaunchKernel(scale, 2, 1, 1, WORKITEMS, 1, 1, 0, stream, array, None)
        hip.hipFreeAsync(out, stream)
    hip.hipStreamSynchronize(stream)


def use_after_stream_ordered_free(path):
    scale = hip.function(hip.module(path), "scale")
    out = hip.made("hipMallocAsync", size(400), None)
    hip.hipMemsetAsync(out, 0, size(400), None)
    hip.hipFreeAsync(out, None)
    launch_by_values(scale, out, 100, more=(None,))
    hip.hipDeviceSynchronize()


def memory_kinds(path):
    scale = hip.function(hip.module(path), "scale")
    own = (u32 * 64)(*range(64))
    hip.hipHostRegister(own, size(256), 0)
    pitch = size()
    pitched = pointer()
    hip.hipMallocPitch(ctypes.byref(pitched), ctypes.byref(pitch), size(100), size(4))
    managed = hip.made("hipMallocManaged", size(256), 1)
    pinned = hip.made("hipHostAlloc", size(256), 0)
    ctypes.memset(managed, 0, 256)
    hip.hipMemcpy(pinned, managed, size(256), DEFAULT)
    hip.hipMemcpy(managed, own, size(256), DEFAULT)
    for memory in (managed, pinned, pointer(ctypes.addressof(own))):
        launch_by_values(scale, memory, 64, groups=1, more=(None,))
    hip.hipDeviceSynchronize()
    assert own[63] == 126
    hip.hipFree(managed)
    hip.hipFreeHost(pinned)
    hip.hipFree(pitched)
    hip.hipHostUnregister(own)


def rows(_, width=24, height=4):
    host = (ctypes.c_uint8 * 96)(*range(96))
    pitched = hip.filled(64, 0)
    hip.hipMemcpy2D(pitched, size(64), host, size(24), size(24), size(4), H2D)
    hip.hipMemset2D(pitched, size(64), 7, size(8), size(2))
    packed = hip.filled(width * height // 4, 0)
    hip.hipMemcpy2DAsync(packed, size(width), pitched, size(64), size(width), size(height),
                         ASYNC_D2D, None)
    back = (ctypes.c_uint8 * (width * height))()
    hip.hipMemcpy2D(back, size(width), packed, size(width), size(width), size(height), D2H)
    assert list(back[:width]) == [7] * 8 + list(range(8, width))
    assert back[2 * width] == 48


def rows_out_of_bounds(_):
    pitched = hip.filled(64, 0)
    packed = hip.filled(24, 0)
    try:
        hip.hipMemcpy2D(packed, size(24), pitched, size(64), size(24), size(5), ASYNC_D2D)
    except RuntimeError:
        pass


def symbols(path):
    loaded = hip.module(path)
    table, table_bytes = pointer(), size()
    hip.hipModuleGetGlobal(ctypes.byref(table), ctypes.byref(table_bytes), loaded, b"table")
    assert table_bytes.value == 16
    hip.hipMemcpyHtoD(table, (u32 * 4)(10, 20, 30, 40), size(16))
    out = hip.filled(64, 0)
    kept = pointer(out.value)
    array = (pointer * 1)(ctypes.addressof(kept))
    hip.hipModuleLaunchKernel(hip.function(loaded, "read_table"), 1, 1, 1, WORKITEMS, 1, 1, 0,
                              None, array, None)
    launch_by_values(hip.function(loaded, "scale"), table, 4, groups=1, more=(None,))
    assert hip.words(out, 4) == [10, 20, 30, 40]
    assert hip.words(table, 4) == [20, 40, 60, 80]
    hip.hipModuleUnload(loaded)


def symbol_too_long(path):
    loaded = hip.module(path)
    table = pointer()
    hip.hipModuleGetGlobal(ctypes.byref(table), None, loaded, b"table")
    try:
        hip.hipMemsetD8(table, 0, size(17))
    except RuntimeError:
        pass


class FatBinaryWrapper(ctypes.Structure):
    _fields_ = [("magic", u32), ("version", u32), ("binary", pointer), ("unused", pointer)]


def linked_symbols(path):
    """With code that is registered as a compiler's constructors do."""
    with open(path, "rb") as file:
        code = ctypes.create_string_buffer(file.read())
    wrapper = FatBinaryWrapper(0x48495046, 1, ctypes.addressof(code), None)
    register = hip.library["__hipRegisterFatBinary"]
    register.restype = pointer
    binary = pointer(register(ctypes.byref(wrapper)))
    table = ctypes.create_string_buffer(16)
    function = ctypes.create_string_buffer(1)
    hip.library["__hipRegisterVar"](binary, table, b"table", b"table", 0, size(16), 0, 0)
    hip.library["__hipRegisterFunction"](binary, function, b"read_table", b"read_table", u32(64),
                                         None, None, None, None, None)
    hip.hipMemcpyToSymbol(table, (u32 * 2)(70, 80), size(8), size(8), H2D)
    out = hip.filled(64, 0)
    kept = pointer(out.value)
    array = (pointer * 1)(ctypes.addressof(kept))
    configuration = LaunchConfiguration((1, 1, 1), (WORKITEMS, 1, 1), 0, None, None, 0)
    hip.hipLaunchKernelExC(ctypes.byref(configuration), function, array)
    assert hip.words(out, 4) == [1, 2, 70, 80]
    back = (u32 * 1)()
    hip.hipMemcpyFromSymbol(back, table, size(4), size(12), D2H)
    assert back[0] == 80


def stream_values(_):
    memory = hip.filled(4, 0)
    hip.hipStreamWriteValue64(None, memory, u64(0x100000002), 0)
    hip.hipStreamWaitValue32(None, memory, u32(2), 1, u32(0xFF))
    hip.hipStreamWriteValue32(None, pointer(memory.value + 8), u32(9), 0)
    hip.hipMemcpyPeer(pointer(memory.value + 12), 0, pointer(memory.value + 8), 0, size(4))
    assert hip.words(memory, 4) == [2, 1, 9, 9]


def device_reset(path):
    for _ in range(2):
        scale = hip.function(hip.module(path), "scale")
        launch_by_values(scale, hip.filled(100, 0), 100, more=(None,))
        hip.hipDeviceReset()


class LaunchConfiguration(ctypes.Structure):
    _fields_ = [("grid", u32 * 3), ("workgroup", u32 * 3), ("dynamic_lds_bytes", size),
                ("stream", pointer), ("attributes", pointer), ("attribute_count", u32)]


class LaunchParameters(ctypes.Structure):
    _fields_ = [("function", pointer), ("grid", u32 * 3), ("workgroup", u32 * 3),
                ("arguments", pointer), ("dynamic_lds_bytes", size), ("stream", pointer)]


def batches(path):
    scale = hip.function(hip.module(path), "scale")
    out = hip.filled(64, 1)
    array, _ = values(out, 1, 64)
    launches = (LaunchParameters * 2)(*[
        LaunchParameters(scale, (1, 1, 1), (WORKITEMS, 1, 1), ctypes.addressof(array), 0, None)
        for _ in range(2)])
    hip.hipExtLaunchMultiKernelMultiDevice(launches, 2, 0)
    to = (pointer * 3)(out.value, out.value + 4, out.value + 8)
    source = (pointer * 3)(out.value + 128, out.value + 132, out.value + 136)
    sizes = (size * 3)(4, 0, 8)
    failed = size()
    hip.hipMemcpyBatchAsync(to, source, sizes, size(3), None, None, size(0), ctypes.byref(failed),
                            None)
    assert hip.words(out, 64) == [4] * 64


def entry_point(path):
    function = pointer()
    hip.hipGetProcAddress(b"hipMemsetD32", ctypes.byref(function), 700, u64(0), None)
    out = hip.made("hipMalloc", size(256))
    set_words = ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.c_int, size)(function.value)
    assert set_words(out, 1, 64) == 0
    launch_by_values(hip.function(hip.module(path), "scale"), out, 64, groups=1, more=(None,))
    assert hip.words(out, 64) == [2] * 64


def not_recorded(_):
    # A way to the runtime's own function that only its dispatch table shows, if it has one.
    find = ctypes.CDLL(None).dlvsym
    find.restype = pointer
    find.argtypes = [pointer, ctypes.c_char_p, ctypes.c_char_p]
    function = find(hip.library._handle, b"hipMemsetD32", b"hip_4.2")
    out = hip.made("hipMalloc", size(256))
    set_words = ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.c_int, size)(function)
    for _ in range(2):
        assert set_words(out, 1, 64) == 0


if __name__ == "__main__":
    globals()[sys.argv[2]](sys.argv[1])
