# SPDX-License-Identifier: MIT
"""compass_capture without a recorder, and with one whose table is this test's own."""
import ctypes
import gc
import importlib.util
import pathlib
import subprocess
import sys
import unittest
import warnings

FOLDER = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(FOLDER))

import compass_capture as cc  # noqa: E402  pylint: disable=wrong-import-position
from compass_capture import _dtypes, _recorder, _tensors  # noqa: E402  pylint: disable=wrong-import-position

DESTRUCTOR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, DESTRUCTOR]
is_capsule = ctypes.pythonapi.PyCapsule_IsValid
is_capsule.restype, is_capsule.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]


class Torchlike:
    """What torch offers of a tensor."""

    dtype = "torch.bfloat16"

    def __init__(self, shape=(4, 8), strides=(8, 1)):
        self.shape, self._strides = shape, strides

    def data_ptr(self):
        return 0x7F0000001000

    def stride(self):
        return self._strides

    def element_size(self):
        return 2


class Arraylike:
    def __init__(self, interface, name="__array_interface__"):
        setattr(self, name, interface)


class DLPacklike:
    """A tensor of 3x5 floats of 16 bits, 256 bytes into its memory, that counts what was done."""

    def __init__(self, versioned, strides=None, device=1, major=1):
        self.versioned, self.device = versioned, device
        self.released, self.options = 0, None
        self.shape = (ctypes.c_int64 * 2)(3, 5)
        self.strides = (ctypes.c_int64 * 2)(*strides) if strides else None
        self.managed = _tensors._DLManagedTensorVersioned(major, 0)
        tensor = self.managed.tensor
        tensor.data, tensor.byte_offset, tensor.ndim = 0x7F0000001000, 256, 2
        tensor.code, tensor.bits, tensor.lanes = 4, 16, 1
        tensor.shape = ctypes.cast(self.shape, ctypes.POINTER(ctypes.c_int64))
        if self.strides:
            tensor.strides = ctypes.cast(self.strides, ctypes.POINTER(ctypes.c_int64))
        self.name = b"dltensor_versioned" if versioned else b"dltensor"
        self.destroy = DESTRUCTOR(self._destroy)

    def _destroy(self, capsule):
        self.released += is_capsule(capsule, self.name)

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **options):
        if not self.versioned and "max_version" in options:
            raise TypeError("max_version")
        self.options = options
        at = ctypes.addressof(self.managed if self.versioned else self.managed.tensor)
        return new_capsule(at, self.name, self.destroy)


def numbers(pointer, count):
    return [pointer[i] for i in range(count)] if pointer else None


class FakeRecorder:
    """A recorder's table that writes down each call."""

    def __init__(self, version=2):
        self.calls = []
        kinds = dict(_recorder.Table._fields_)
        self.table = _recorder.Table(version)
        for name in kinds:
            if name != "version":
                take = getattr(self, "_" + name, self._plain(name))
                setattr(self.table, name, kinds[name](take))

    def _plain(self, name):
        return lambda *arguments: self.calls.append((name, *arguments))

    def _buffer(self, info):
        i = info[0]
        self.calls.append(("buffer", i.address, i.name, i.role, i.dtype, numbers(i.shape, i.rank),
                           numbers(i.strides, i.rank)))

    def _step_begin(self, info):
        i = info[0]
        self.calls.append(("step_begin", i.kind, i.produces_output, i.deferred, i.real_rows,
                           i.padded_rows, numbers(i.request_ids, i.requests),
                           numbers(i.positions, i.requests), numbers(i.may_end, i.requests)))

    def _pool(self, info):
        i = info[0]
        reserved = [(i.reserved[n].first, i.reserved[n].last) for n in range(i.reserved_ranges)]
        self.calls.append(("pool", i.address, i.name, i.unit, i.rows, i.row_bytes, reserved,
                           i.said_by))

    def _sentinel(self, info):
        i = info[0]
        self.calls.append(("sentinel", i.address, i.role, i.pool, i.unit,
                           numbers(i.values, i.count)))

    def _report(self, info):
        i = info[0]
        self.calls.append(("report", i.address, i.size_bytes, numbers(i.request_ids, i.count),
                           numbers(i.ids, i.count)))


class RecordedTest(unittest.TestCase):
    """A test with a recorder of version 2."""

    def setUp(self):
        self.recorder = FakeRecorder()
        self.addCleanup(setattr, cc, "_table", cc._table)
        cc._table = self.recorder.table
        catch = warnings.catch_warnings(record=True)
        self.warnings = catch.__enter__()
        self.addCleanup(catch.__exit__, None, None, None)
        warnings.simplefilter("always")

    def calls(self):
        """Since the last time."""
        calls, self.recorder.calls[:] = list(self.recorder.calls), []
        return calls

    def assert_left_out(self, message):
        self.assertEqual(self.calls(), [])
        self.assertEqual(len(self.warnings), 1, [str(w.message) for w in self.warnings])
        self.assertIn(message, str(self.warnings[0].message))
        self.assertEqual(self.warnings[0].filename, __file__)
        self.warnings.clear()

    def buffer(self, tensor, **more):
        cc.buffer(tensor, name="x", **more)
        self.assertEqual([str(w.message) for w in self.warnings], [])
        (_, address, _, _, dtype, shape, strides), = self.calls()
        return address, dtype, shape, strides


class Recorded(RecordedTest):
    def test_tensors_of_every_library(self):
        at = 0x7F0000001000
        self.assertEqual(self.buffer(Torchlike()), (at, b"bf16", [4, 8], None))
        self.assertEqual(self.buffer(Torchlike(strides=(1, 4))), (at, b"bf16", [4, 8], [1, 4]))
        self.assertEqual(self.buffer(Torchlike((), ())), (at, b"bf16", [], None))
        interface = {"data": (at, False), "typestr": "<f4", "shape": (4, 8), "version": 3}
        for name in ("__array_interface__", "__cuda_array_interface__"):
            self.assertEqual(self.buffer(Arraylike(interface, name)), (at, b"f32", [4, 8], None))
        for strides, expected in ((None, None), ((32, 4), None), ((4, 16), [1, 4]),
                                  ((-32, 4), [-8, 1])):
            self.assertEqual(self.buffer(Arraylike(dict(interface, strides=strides))),
                             (at, b"f32", [4, 8], expected))
        words = (ctypes.c_uint32 * 4)()
        self.assertEqual(self.buffer(words), (ctypes.addressof(words), b"u8", [16], None))
        self.assertEqual(self.buffer(ctypes.c_void_p(at), dtype="float32", shape=(2,)),
                         (at, b"f32", [2], None))
        self.assertEqual(self.buffer(at, dtype="i32", shape=(2, 3), strides=(6, 2)),
                         (at, b"i32", [2, 3], [6, 2]))
        self.assertEqual(self.buffer(Torchlike(strides=(1, 4)), shape=(32,)),
                         (at, b"bf16", [32], None))

    def test_dlpack_capsules_are_looked_at_and_released(self):
        for versioned in (False, True):
            for strides, expected in ((None, None), ((5, 1), None), ((1, 3), [1, 3])):
                tensor = DLPacklike(versioned, strides)
                self.assertEqual(self.buffer(tensor), (0x7F0000001100, b"bf16", [3, 5], expected))
                gc.collect()
                self.assertEqual(tensor.released, 1)
                self.assertNotIn("stream", tensor.options)

    def test_dlpack_of_a_device_waits_for_no_stream(self):
        for device in (2, 10):
            tensor = DLPacklike(True, device=device)
            self.buffer(tensor)
            self.assertEqual(tensor.options, {"max_version": (1, 0), "stream": -1})

    def test_dlpack_of_a_later_major_version_is_left_out_and_released(self):
        tensor = DLPacklike(True, major=2)
        cc.buffer(tensor, name="x")
        self.assert_left_out("DLPack version 2.0: expected 1")
        gc.collect()
        self.assertEqual(tensor.released, 1)

    def test_steps_end_however_they_are_left(self):
        with self.assertRaises(KeyError):
            with cc.step("decode", produces_output=True, deferred=True, real_rows=3, padded_rows=4,
                         request_ids=[7, 8], positions=(5, -1), may_end=[True, False]) as step:
                step.report(Torchlike(), ids=[483], request_ids=[7])
                raise KeyError
        self.assertEqual(self.calls(), [
            ("step_begin", b"decode", 1, 1, 3, 4, [7, 8], [5, -1], [1, 0]),
            ("report", 0x7F0000001000, 64, [7], [483]), ("step_end",)])
        with cc.step("dummy", real_rows=2):
            pass
        self.assertEqual(self.calls()[0], ("step_begin", b"dummy", 0, 0, 2, 2, None, None, None))

    def test_phases_go_back_to_the_one_around(self):
        with cc.phase("warmup"):
            with self.assertRaises(KeyError):
                with cc.phase("captured"):
                    raise KeyError
        with cc.phase("replay"):
            pass
        self.assertEqual([name for _, name in self.calls()],
                         [b"warmup", b"captured", b"warmup", b"eager", b"replay", b"eager"])

    def test_pools(self):
        cc.pool(Torchlike(), name="kv", unit="block", rows=4, reserved=[0, range(2, 2), (2, 3)],
                said_by="runner")
        cc.pool(name="kv", unit="slot", rows=64, reserved=[range(0, 16), 16, 63], said_by="scheduler")
        cc.pool(Torchlike(), name="kv", unit="slot", rows=64)
        cc.pool(Torchlike(strides=(16, 1)), name="kv", unit="block", rows=4, row_bytes=32)
        self.assertEqual(self.calls(), [
            ("pool", 0x7F0000001000, b"kv", b"block", 4, 16, [(0, 0), (2, 3)], b"runner"),
            ("pool", None, b"kv", b"slot", 64, 0, [(0, 16), (63, 63)], b"scheduler"),
            ("pool", 0x7F0000001000, b"kv", b"slot", 64, 0, [], None),
            ("pool", 0x7F0000001000, b"kv", b"block", 4, 32, [], None)])

    def test_other_marks(self):
        cc.sentinel(role="write-index", values=(-1, -2), pool="kv", unit="slot")
        cc.sentinel(Torchlike())
        cc.sleep(2, "kv")
        cc.sleep()
        cc.wake("kv")
        cc.wake()
        cc.report(Torchlike(strides=(16, 1)))
        cc.block_allocate(Torchlike(), name="hidden", segment=0x7F0000000000)
        cc.block_allocate(0x7F0000001000, 512)
        cc.block_free(Torchlike())
        cc.rank(3, 8)
        at = 0x7F0000001000
        self.assertEqual(self.calls(), [
            ("sentinel", None, b"write-index", b"kv", b"slot", [-1, -2]),
            ("sentinel", at, None, None, None, [-1]),
            ("sleep", 2, b"kv"), ("sleep", 1, None), ("wake", b"kv"), ("wake", None),
            ("report", at, 2 * (3 * 16 + 8), None, None),
            ("block_allocate", 0x7F0000000000, at, 64, b"hidden"),
            ("block_allocate", None, at, 512, None), ("block_free", at), ("rank", 3, 8)])

    def test_what_cannot_be_recorded_is_left_out_with_a_warning_at_the_call(self):
        class Meta(Torchlike):
            def data_ptr(self):
                raise RuntimeError("a meta tensor has no memory")

        cc.buffer(Meta(), name="x")
        self.assert_left_out("compass_capture.buffer: a meta tensor has no memory")
        cc.buffer("x", name="x")
        self.assert_left_out("str is no tensor")
        cc.buffer(0x1000, name=7)
        self.assert_left_out("7 is no text")
        cc.buffer(Torchlike(), name="x", strides=(1,))
        self.assert_left_out("1 strides for a shape of 2")
        cc.buffer(1 << 64, name="x")
        self.assert_left_out("address 18446744073709551616 does not fit")
        cc.buffer(Arraylike({"data": (1, 0), "typestr": "float", "shape": ()}), name="x")
        self.assert_left_out("typestr 'float' is not of the form '<f4'")
        cc.pool(name="kv", unit="slot", rows=-1)
        self.assert_left_out("rows -1 does not fit")
        cc.pool(name="kv", unit="slot", rows=8, reserved=[range(0, 8, 2)])
        self.assert_left_out("expected a step of 1")
        cc.sentinel(role="x", values=[1 << 63])
        self.assert_left_out("value 9223372036854775808 does not fit")
        cc.report(Torchlike(), ids=[1, 2], request_ids=[7])
        self.assert_left_out("2 ids, 1 request_ids")
        cc.rank(1 << 31)
        self.assert_left_out("rank 2147483648 does not fit")
        with cc.step("decode", request_ids=[1, 2], positions=[1]):
            pass
        self.assert_left_out("2 request_ids, 1 positions")

    def test_an_older_recorder_gets_what_it_knows(self):
        older = FakeRecorder(1)
        cc._table = older.table
        cc.buffer(Torchlike(), name="x")
        cc.pool(name="kv", unit="slot", rows=1)
        cc.sentinel(role="x")
        cc.sleep()
        cc.wake()
        cc.report(Torchlike())
        cc.block_allocate(1, 1)
        cc.block_free(1)
        cc.rank(0, 1)
        with cc.phase("warmup"):
            pass
        self.assertEqual([call[0] for call in older.calls], ["buffer", "phase", "phase"])


class Unrecorded(unittest.TestCase):
    """Without a recorder."""

    def test_nothing_is_looked_at(self):
        class Untouchable:
            def __getattr__(self, name):
                raise AssertionError(name)

        self.assertFalse(cc.recording())
        one = Untouchable()
        cc.buffer(one, name="x", shape=one)
        cc.pool(one, name="kv", unit="slot", rows=one)
        cc.sentinel(one, values=one)
        cc.sleep(one, one)
        cc.wake(one)
        cc.report(one, ids=one)
        cc.block_allocate(one, one)
        cc.block_free(one)
        cc.rank(one, one)
        with cc.step(one, request_ids=one) as step, cc.phase(one):
            step.report(one)

    def test_it_imports_in_a_bare_interpreter(self):
        subprocess.run([sys.executable, "-I", "-S", "-c",
                        f"import sys; sys.path.insert(0, {str(FOLDER)!r})\n"
                        "import compass_capture\nassert not compass_capture.recording()"],
                       check=True)


class Dtypes(unittest.TestCase):
    def test_one_name_for_each_type(self):
        for name, expected in (
                ("torch.bfloat16", "bf16"), ("torch.float32", "f32"), ("float64", "f64"),
                ("torch.half", "f16"), ("torch.float8_e4m3fn", "f8e4m3"), ("bf16", "bf16"),
                ("torch.float8_e4m3fnuz", "f8e4m3fnuz"), ("torch.float8_e5m2", "f8e5m2"),
                ("torch.float4_e2m1fn_x2", "f4e2m1x2"), ("torch.int8", "i8"), ("uint16", "u16"),
                ("torch.long", "i64"), ("torch.bool", "bool"), ("complex64", "c64"),
                (float, "f32"), ("i32", "i32"), ("My.Type", "type")):
            self.assertEqual(_dtypes.normalized(name), expected)
        self.assertEqual(_dtypes.of_typestr("<i8"), ("i64", 8))
        self.assertEqual(_dtypes.of_typestr("|b1"), ("bool", 1))
        self.assertEqual(_dtypes.of_typestr(">f2"), ("f16be", 2))
        self.assertEqual(_dtypes.of_typestr("<V2"), ("opaque16", 2))
        for code, bits, lanes, expected in ((0, 32, 1, "i32"), (1, 8, 1, "u8"), (2, 16, 1, "f16"),
                                            (4, 16, 1, "bf16"), (2, 32, 4, "f32x4"), (6, 8, 1, "bool"),
                                            (10, 8, 1, "f8e4m3"), (17, 4, 2, "f4e2m1x2"),
                                            (99, 24, 1, "opaque24")):
            self.assertEqual(_dtypes.of_dlpack(code, bits, lanes), expected)

    def test_sizes(self):
        for name, bits in (("bf16", 16), ("f8e4m3fnuz", 8), ("f4e2m1x2", 8), ("bool", 8), ("i64", 64),
                           ("opaque24", 24), ("f16be", 16), ("strange", None)):
            self.assertEqual(_dtypes.size_bits(name), bits, name)


@unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
class Numpy(RecordedTest):
    """What numpy itself offers."""

    def test_arrays_and_views(self):
        import numpy  # pylint: disable=import-outside-toplevel,import-error
        array = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
        at = array.ctypes.data
        self.assertEqual(self.buffer(array), (at, b"f32", [3, 4], None))
        self.assertEqual(self.buffer(array.T), (at, b"f32", [4, 3], [1, 4]))
        self.assertEqual(self.buffer(array[1:, ::2]), (at + 16, b"f32", [2, 2], [4, 2]))


if __name__ == "__main__":
    unittest.main()
