# SPDX-License-Identifier: MIT
"""An engine in Python that marks what it does with compass_capture and reaches HIP through ctypes.

usage: annotate_program.py MODULE CASE
"""
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "capture/annotate/python"))

import compass_capture as cc  # noqa: E402  pylint: disable=wrong-import-position

WORKITEMS, H2D, D2H = 64, 1, 2
u32, u64, size, pointer = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p


class Hip:
    """HIP's calls by their names; one that fails is an error."""

    def __init__(self):
        self.library = ctypes.CDLL("libamdhip64.so.7")

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


class Tensor:
    """As much of a torch tensor as marks need."""

    dtype = "torch.int32"

    def __init__(self, address, *shape):
        self.address, self.shape = address, shape

    def data_ptr(self):
        return self.address

    def element_size(self):
        return 4


class Scale:
    """out[i] *= 2, one work-item each."""

    def __init__(self, hip, path):
        self.hip = hip
        self.module = hip.made("hipModuleLoad", path.encode())
        self.function = hip.made("hipModuleGetFunction", self.module, b"scale")

    def __call__(self, tensor, count):
        kept = [pointer(tensor.address), ctypes.c_uint8(1), u32(count)]
        array = (pointer * 3)(*[ctypes.addressof(one) for one in kept])
        groups = (count + WORKITEMS - 1) // WORKITEMS
        self.hip.hipModuleLaunchKernel(self.function, groups, 1, 1, WORKITEMS, 1, 1, 0, None, array,
                                       None)


class Segment:
    """A caching allocator: hands out the parts of one allocation, first come, first served."""

    def __init__(self, hip, words):
        self.memory = hip.made("hipMalloc", size(4 * words))
        hip.hipMemset(self.memory, 0, size(4 * words))
        self.next = self.memory.value

    def take(self, words, name):
        tensor = Tensor(self.next, words)
        self.next += 4 * words
        cc.block_allocate(tensor, name=name, segment=self.memory)
        return tensor

    def give_back(self, tensor):
        cc.block_free(tensor)
        self.next = tensor.address


def engine(path):
    hip = Hip()
    cc.rank(1, 2)
    scale, segment = Scale(hip, path), Segment(hip, 256)
    pool = Tensor(hip.made("hipMalloc", size(1024)).value, 4, 64)
    hip.hipMemset(pointer(pool.address), 0, size(1024))
    cc.buffer(pool, name="kv", role="kv-cache")
    cc.pool(pool, name="kv", unit="block", rows=4, reserved=[0], said_by="runner")
    cc.sentinel(role="write-index", values=[-1], pool="kv", unit="slot")
    with cc.phase("warmup"), cc.step("dummy", padded_rows=4):
        scale(pool, 256)
    with cc.step("decode", produces_output=True, real_rows=3, padded_rows=4, request_ids=[7, 8, 9],
                 positions=[5, 6, 7], may_end=[False, False, True]) as step:
        hidden = segment.take(128, "hidden")
        scale(hidden, 128)
        segment.give_back(hidden)
        logits = segment.take(64, "logits")
        scale(logits, 64)
        ids = (u32 * 3)()
        hip.hipMemcpy(ids, pointer(logits.address), size(12), D2H)
        step.report(logits, ids=list(ids), request_ids=[7, 8, 9])
    cc.sleep(1, "kv")
    hip.hipFree(pointer(pool.address))
    cc.wake("kv")
    hip.hipFree(segment.memory)


def out_of_bounds(path):
    """The last block ends with its segment."""
    hip = Hip()
    scale, segment = Scale(hip, path), Segment(hip, 256)
    segment.take(192, "hidden")
    scale(segment.take(64, "logits"), 65)
    hip.hipDeviceSynchronize()


def beside_its_block(path):
    """Another block is another tensor, but no other allocation."""
    hip = Hip()
    scale, segment = Scale(hip, path), Segment(hip, 256)
    first = segment.take(64, "first")
    segment.take(64, "second")
    scale(first, 128)
    hip.hipDeviceSynchronize()


def scheduler(_):
    """Never calls HIP."""
    cc.rank(0, 2)
    cc.pool(name="kv", unit="block", rows=4, said_by="scheduler")


def asks(_):
    """Marks, calls HIP, and asks for nothing."""
    cc.pool(name="kv", unit="block", rows=4, said_by="scheduler")
    devices = ctypes.c_int()
    Hip().hipGetDeviceCount(ctypes.byref(devices))


if __name__ == "__main__":
    globals()[sys.argv[2]](sys.argv[1])
