"""The runtime of host programs: loading, copies, launches."""
import enum
import os

import numpy as np

from gridloom_array import from_places, to_places, words_of
from gridloom_connection import connection
# pylint: disable=unused-import
from gridloom_layout import (  # host programs import them from here
    FROM_PES, TO_PES, Color, CompileArtifacts, Edge, Route, RoutingPosition, SdkLayout, SdkTarget, SimfabConfig,
    get_edge_routing, get_platform)

KINDS = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
         "u32": np.uint32, "i64": np.int64, "u64": np.uint64, "f16": np.float16, "f32": np.float32}


class MemcpyDataType(enum.IntEnum):
    """The width of the numbers of a copy."""
    MEMCPY_16BIT = 0
    MEMCPY_32BIT = 1


class MemcpyOrder(enum.IntEnum):
    """The order of an array A[h][w][l] in host memory."""
    ROW_MAJOR = 0  # l fastest
    COL_MAJOR = 1  # h fastest


class Task:
    """A command of the stream. It is done as soon as the simulator has run the commands up to it."""

    def __init__(self):
        self.is_done = False


class _Command:
    """A command that waits to be sent: its request, the data that it takes along, and what is
    to be done with the bytes that come back."""

    def __init__(self, request, data=b"", keep=None, bytes_back=0):
        self.task = Task()
        self.request = request
        self.data = data
        self.keep = keep
        self.bytes_back = bytes_back


def _convert(value, kind, what):
    """An argument as a number of the declared type."""
    declared = np.dtype(KINDS[kind])
    given = np.asarray(value)
    is_plain = isinstance(value, (bool, int, float, np.int64, np.uint64))
    if given.shape != () or given.dtype.kind not in "biuf":
        raise TypeError(f"{what}: expected a number of type {kind}, not {value!r}")
    if is_plain and not (isinstance(value, float) and declared.kind != "f"):
        converted = given.astype(declared)
        if declared.kind != "f" and int(converted) != value:
            raise ValueError(f"{what}: {value} does not fit {kind}")
        return converted
    if given.dtype != declared:
        raise TypeError(f"{what}: expected {kind}, {given.dtype} given")
    return given


def _halves(number):
    """Lower and upper 32 bits, as signed integers."""
    size = number.dtype.itemsize
    bits = int(number.reshape(1).view(f"i{size}" if number.dtype.kind == "i" else f"u{size}")[0])
    low, high = bits & 0xffffffff, bits >> 32 & 0xffffffff
    return [half - (1 << 32) if half >> 31 else half for half in (low, high)]


class SdkRuntime:
    """Runs a compiled program on the simulated wafer.

    Commands form one ordered stream. Those with nonblock=True wait here until one that blocks,
    task_wait() or stop() sends them all in one transaction; the simulator then runs them in their
    order, each as soon as the hardware can.
    """

    def __init__(self, bindir, platform=None, cmaddr=None, memcpy_required=True, **_options):
        if cmaddr or isinstance(platform, str) and platform:
            raise RuntimeError(f"cmaddr: there is no wafer at {cmaddr or platform} here, leave it out")
        del memcpy_required
        self._values = bindir.symbols if isinstance(bindir, CompileArtifacts) else ()
        self._folder = os.path.abspath(os.fspath(bindir))
        self._program = None
        self._symbols = None
        self._size = None
        self._waiting = []
        _last.clear()
        _last.append(self)

    def __enter__(self):
        self.load()
        self.run()
        return self

    def __exit__(self, kind, _value, _trace):
        if kind is None:
            self.stop()

    # Its life.

    def _open(self):
        """Reads what cslc has made, as late as possible: it may be made after this object."""
        if self._program is None:
            answer, _ = connection().ask({"do": "open", "folder": self._folder})
            self._program = answer["program"]
            self._symbols = {symbol["name"]: symbol for symbol in answer["symbols"]}
            self._size = answer["width"], answer["height"]
            self.fabric_offsets = answer["offset_x"], answer["offset_y"]

    def _ask(self, what, data=b"", **words):
        self._open()
        return connection().ask({"do": what, "program": self._program, **words}, data)

    def get_id(self, name):
        """The number of an exported symbol, or None."""
        self._open()
        symbol = self._symbols.get(name)
        return None if symbol is None else symbol["id"]

    def load(self):
        """Loads the program onto the wafer."""
        self._ask("load")
        for (x, y), name, data in self._values:
            self._ask("set", data, x=x, y=y, name=name)

    def run(self):
        """Starts the tasks that are active at the start."""
        self._ask("run")

    def stop(self):
        """Waits for all commands; after that only read_symbol() is left."""
        self._send()
        self._ask("stop")

    # Commands.

    def memcpy_h2d(self, dest, src, px, py, w, h, elem_per_pe, **options):
        """Copies to a symbol of every PE of a rectangle, or streams to a color."""
        return self._write("memcpy_h2d", dest, src, (px, py, w, h, elem_per_pe), (h, w), options)

    def memcpy_h2d_rowbcast(self, dest, src, px, py, w, h, elem_per_pe, **options):
        """Gives every PE of a row the data of its row."""
        return self._write("memcpy_h2d_rowbcast", dest, src, (px, py, w, h, elem_per_pe), (h, 1), options)

    def memcpy_h2d_colbcast(self, dest, src, px, py, w, h, elem_per_pe, **options):
        """Gives every PE of a column the data of its column."""
        return self._write("memcpy_h2d_colbcast", dest, src, (px, py, w, h, elem_per_pe), (1, w), options)

    def memcpy_d2h(self, dest, src, px, py, w, h, elem_per_pe, **options):
        """Copies from a symbol of every PE of a rectangle, or takes what they stream on a color."""
        what = "memcpy_d2h"
        request, numbers = self._region(what, src, (px, py, w, h, elem_per_pe), options)
        shape = (int(h), int(w), int(elem_per_pe))
        words = words_of(dest, shape, what)
        if not isinstance(dest, np.ndarray) or not np.shares_memory(words, dest) and words.size > 0:
            raise ValueError(f"{what}: the array that takes the numbers must be contiguous")
        request.update(do="take" if "color" in request else "read", wavelets=words.size)
        is_column_major = options.get("order") == MemcpyOrder.COL_MAJOR

        def keep(data):
            places = np.frombuffer(data, dtype=numbers).astype(np.uint32).reshape(shape)
            words[:] = from_places(places, is_column_major)

        return self._add(_Command(request, keep=keep, bytes_back=words.size * numbers.itemsize), options)

    def send(self, stream, data, nonblock=False, **_options):
        """Sends a stream of a layout, beside other streams that do not block."""
        words = words_of(data, (np.size(data),), "send")
        request, _ = self._region("send", TO_PES, (*stream.place, 1, 1, words.size), {"streaming": True})
        request.update(do="send", wavelets=words.size, together=True)
        return self._add(_Command(request, words.tobytes()), {"nonblock": nonblock})

    def receive(self, stream, data, size, nonblock=False, **_options):
        """Takes a stream of a layout, beside others."""
        words = words_of(data, (int(size),), "receive")
        request, _ = self._region("receive", FROM_PES, (*stream.place, 1, 1, words.size), {"streaming": True})
        request.update(do="take", wavelets=words.size, together=True)

        def keep(taken):
            words[:] = np.frombuffer(taken, np.uint32)

        return self._add(_Command(request, keep=keep, bytes_back=words.nbytes), {"nonblock": nonblock})

    def launch(self, name, *arguments, nonblock=False, **_options):
        """Calls an exported function on every PE."""
        kinds = self._function(name, len(arguments))
        numbers = [_convert(value, kind, f"launch: argument {i} of {name}")
                   for i, (value, kind) in enumerate(zip(arguments, kinds))]
        return self._launch(name, numbers, nonblock)

    def call(self, name, arguments=(), nonblock=False, **_options):
        """The older form of launch(): arguments are words of 32 bits."""
        kinds = self._function(name, len(arguments))
        numbers = [np.array([int(word) & 0xffffffff], dtype=np.uint32).view(
            KINDS[kind] if np.dtype(KINDS[kind]).itemsize <= 4 else np.uint32)[0]
                   for word, kind in zip(arguments, kinds)]
        return self._launch(name, numbers, nonblock)

    def task_wait(self, task):
        """Returns when the command has been run."""
        if not task.is_done:
            self._send()

    def is_task_done(self, task):
        """Whether the command has been run; asking makes it run."""
        self.task_wait(task)
        return task.is_done

    # What a simulator can show.

    def read_symbol(self, px, py, name, dtype=np.uint16):
        """The memory of a variable of one PE."""
        self._send()
        _, data = self._ask("symbol", x=int(px), y=int(py), name=name)
        return np.frombuffer(data, dtype=dtype).copy()

    def read_records(self, px, py, key):
        """What a PE has recorded under a key: (kind, bits) each, in their order."""
        self._send()
        return self._ask("trace", x=int(px), y=int(py), key=key)[0]["records"]

    def dump_core(self, path):
        """Keeps the state of all PEs for debug_util, which asks the simulator itself."""
        self._send()
        with open(path, "w", encoding="utf-8") as file:
            file.write("The simulator holds the state of this run.\n")

    # How commands travel.

    def _function(self, name, count):
        """The types of a function's arguments."""
        self._open()
        symbol = self._symbols.get(name)
        if symbol is None or symbol["kind"] != "Func":
            names = ", ".join(s["name"] for s in self._symbols.values() if s["kind"] == "Func")
            raise RuntimeError(f"launch: no function {name} is exported, there are: {names or 'none'}")
        if count != len(symbol["inputs"]):
            raise RuntimeError(f"launch: {name} takes {len(symbol['inputs'])} arguments, {count} given")
        return symbol["inputs"]

    def _launch(self, name, numbers, nonblock):
        values = [half for number in numbers for half in _halves(np.asarray(number))]
        request = {"do": "launch", "name": name, "arguments": values}
        return self._add(_Command(request), {"nonblock": nonblock})

    def _region(self, what, symbol, region, options):
        """A request for a rectangle, and the type of its numbers on the way."""
        unknown = set(options) - {"streaming", "data_type", "order", "nonblock"}
        if unknown:
            raise TypeError(f"{what}: unknown argument {', '.join(sorted(unknown))}")
        self._open()
        x, y, w, h, count = (int(number) for number in region)
        width, height = self._size
        if min(x, y) < 0 or min(w, h) < 1 or x + w > width or y + h > height:
            raise ValueError(f"{what}: {w} x {h} PEs from ({x}, {y}) on, the program has {width} x {height}")
        if count < 0:
            raise ValueError(f"{what}: {count} elements a PE")
        if symbol is None:
            raise ValueError(f"{what}: the symbol is None; get_id() knows exported names: "
                             f"{', '.join(self._symbols)}")
        is_stream = bool(options.get("streaming"))
        is_small = options.get("data_type") == MemcpyDataType.MEMCPY_16BIT and not is_stream
        numbers = np.dtype(np.uint16 if is_small else np.uint32)
        request = {"x": x, "y": y, "width": w, "height": h, "count": count, "bytes": numbers.itemsize,
                   "color" if is_stream else "symbol": int(symbol)}
        return request, numbers

    def _write(self, what, symbol, array, region, places, options):
        request, numbers = self._region(what, symbol, region, options)
        _, _, w, h, count = (int(number) for number in region)
        shape = (int(places[0]), int(places[1]), count)
        words = words_of(array, shape, what)
        given = to_places(words, shape, options.get("order") == MemcpyOrder.COL_MAJOR)
        data = np.broadcast_to(given, (h, w, count)).astype(numbers).tobytes()
        request.update(do="send" if "color" in request else "write", wavelets=words.size)
        return self._add(_Command(request, data), options)

    def _add(self, command, options):
        if command.request.get("count") == 0:  # nothing to copy
            command.task.is_done = True
            return command.task
        self._waiting.append(command)
        if not options.get("nonblock"):
            self._send()
        return command.task

    def _send(self):
        commands, self._waiting = self._waiting, []
        if not commands:
            return
        given = (command.data + b"\0" * (-len(command.data) % 4) for command in commands)
        _, data = self._ask("commands", b"".join(given), list=[command.request for command in commands])
        at = 0
        for command in commands:
            command.task.is_done = True
            if command.keep is not None:
                command.keep(data[at:at + command.bytes_back])
                at += (command.bytes_back + 3) // 4 * 4  # each begins at a multiple of 4


_last = []


def last_runtime():
    """The runtime that was made last."""
    if not _last:
        raise RuntimeError("there is no SdkRuntime whose PEs could be looked at")
    return _last[0]
