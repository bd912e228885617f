#!/usr/bin/env cs_python
"""Drives the PEs: each word of the command line is a thing to do."""
import argparse
import json

import numpy as np

from cerebras.sdk.debug.debug_util import debug_util
from cerebras.sdk.runtime.sdkruntimepybind import MemcpyDataType, MemcpyOrder, SdkRuntime
from gridloom_connection import connection
from cerebras.sdk.sdk_utils import input_array_to_u32, memcpy_view

ROW = {"order": MemcpyOrder.ROW_MAJOR, "data_type": MemcpyDataType.MEMCPY_32BIT}
COLUMN = {"order": MemcpyOrder.COL_MAJOR, "data_type": MemcpyDataType.MEMCPY_32BIT}
SHORT = {"order": MemcpyOrder.ROW_MAJOR, "data_type": MemcpyDataType.MEMCPY_16BIT}


class Host:
    """A runtime, and the size of its rectangle."""

    def __init__(self, name):
        with open(f"{name}/out.json", encoding="utf-8") as file:
            params = json.load(file)["params"]
        self.w, self.h = int(params["width"]), int(params["height"])
        self.runner = SdkRuntime(name, cmaddr=None)
        self.numbers = self.runner.get_id("numbers")
        self.runner.load()
        self.runner.run()

    def read(self, order, x=0, y=0, w=None, h=None):
        """The numbers of a region, flat."""
        w, h = w or self.w, h or self.h
        back = np.full(w * h * 4, -1, np.float32)
        self.runner.memcpy_d2h(back, self.numbers, x, y, w, h, 4, streaming=False, nonblock=False, **order)
        return back

    def scale(self):
        """Copies, a launch with arguments, and a copy back, in both orders, without blocking."""
        given = np.arange(self.h * self.w * 4, dtype=np.float32).reshape(self.h, self.w, 4)
        back = np.zeros(given.size, np.float32)
        region = (0, 0, self.w, self.h, 4)
        wait = {"streaming": False, "nonblock": True}
        self.runner.memcpy_h2d(self.numbers, given.ravel(order="F"), *region, **wait, **COLUMN)
        self.runner.launch("scale", np.float32(2), np.array([-3])[0], nonblock=True)  # an int64 that fits
        task = self.runner.memcpy_d2h(back, self.numbers, *region, **wait, **ROW)
        self.runner.task_wait(task)
        assert self.runner.is_task_done(task)
        np.testing.assert_array_equal(back, given.ravel() * 2 - 3)
        np.testing.assert_array_equal(self.read(COLUMN), (given * 2 - 3).ravel(order="F"))
        np.testing.assert_array_equal(self.read(ROW, 1, 1, 1, 1), given[1, 1] * 2 - 3)
        assert self.runner.memcpy_d2h(np.zeros(0, np.float32), self.numbers, 0, 0, 1, 1, 0, **ROW).is_done

    def shorts(self):
        """16-bit numbers, one in each word."""
        given = np.arange(self.w * self.h * 3, dtype=np.uint16) + 65530
        region = (0, 0, self.w, self.h, 3)
        symbol = self.runner.get_id("shorts")
        words = np.full((given.size, 1), 0xffffffff, np.uint32)
        self.runner.memcpy_h2d(symbol, input_array_to_u32(given, 1, 3), *region,
                               streaming=False, nonblock=False, **SHORT)
        self.runner.call("scale", [0x40000000, 1], nonblock=False)
        self.runner.memcpy_d2h(words, symbol, *region, streaming=False, nonblock=False, **SHORT)
        np.testing.assert_array_equal(memcpy_view(words, np.uint16).ravel(), given + np.uint16(1))
        assert words.max() < 65536

    def rows(self):
        """The same numbers for every PE of a row, then of a column."""
        given = np.arange(self.h * 4, dtype=np.float32)
        self.runner.memcpy_h2d_rowbcast(self.numbers, given, 0, 0, self.w, self.h, 4,
                                        streaming=False, nonblock=True, **ROW)
        back = self.read(ROW).reshape(self.h, self.w, 4)
        np.testing.assert_array_equal(back, np.repeat(given.reshape(self.h, 1, 4), self.w, axis=1))
        given = np.arange(self.w * 4, dtype=np.float32)
        self.runner.memcpy_h2d_colbcast(self.numbers, given, 0, 0, self.w, self.h, 4,
                                        streaming=False, nonblock=False, **ROW)
        back = self.read(ROW).reshape(self.h, self.w, 4)
        np.testing.assert_array_equal(back, np.repeat(given.reshape(1, self.w, 4), self.h, axis=0))

    def stream(self, count=12):
        """Wavelets through every PE, and back."""
        given = np.arange(self.w * self.h * count, dtype=np.float32)
        back = np.zeros(given.size, np.float32)
        region = (0, 0, self.w, self.h, count)
        self.runner.launch("relay", count, nonblock=True)
        self.runner.memcpy_h2d(4, given, *region, streaming=True, nonblock=True, **COLUMN)
        self.runner.memcpy_d2h(back, 5, *region, streaming=True, nonblock=False, **COLUMN)
        np.testing.assert_array_equal(back, given + 1)

    def mixed(self):
        """An odd number of 16-bit numbers before others, in one transaction."""
        shorts, words = np.array([1, 2, 3], np.uint32), np.array([4, 5, 6, 7], np.float32)
        short_back, back = np.zeros(3, np.uint32), np.zeros(4, np.float32)
        symbol = self.runner.get_id("shorts")
        wait = {"streaming": False, "nonblock": True}
        self.runner.memcpy_h2d(symbol, shorts, 0, 0, 1, 1, 3, **wait, **SHORT)
        self.runner.memcpy_h2d(self.numbers, words, 0, 0, 1, 1, 4, **wait, **ROW)
        self.runner.memcpy_d2h(short_back, symbol, 0, 0, 1, 1, 3, **wait, **SHORT)
        self.runner.task_wait(self.runner.memcpy_d2h(back, self.numbers, 0, 0, 1, 1, 4, **wait, **ROW))
        np.testing.assert_array_equal(short_back, shorts)
        np.testing.assert_array_equal(back, words)

    def stall(self):
        """More wavelets than queues hold before somebody takes them."""
        self.stream(40)

    def never(self):
        """A function that never says that it is over."""
        try:
            self.runner.launch("never", nonblock=False)
        except RuntimeError as error:
            print("caught:", str(error).splitlines()[0])
            raise

    def symbol(self):
        """A variable that is not exported, after stop()."""
        assert self.runner.read_symbol(1, 0, "before", np.uint32)[0] == 7
        assert len(self.runner.read_symbol(0, 0, "before", np.uint32)) == 4

    def talk(self):
        """What PEs record and print."""
        self.runner.launch("talk", 2.5, nonblock=True)
        self.runner.launch("scale", 1.0, 0)
        assert self.runner.read_symbol(1, 0, "before", np.uint32)[0] == 7
        self.runner.stop()
        seen = debug_util("out")
        print(seen.read_trace(5, 1, "said")[:3], seen.read_trace(4, 2, "nothing"))
        begin, end = seen.read_trace(4, 1, "said")[3], seen.read_trace(5, 1, "said")[3]
        assert 0 < begin == end < 1 << 48, (begin, end)
        assert seen.get_symbol(4, 1, "before", np.uint32).shape == (4,)
        assert seen.get_symbol_rect(((4, 1), (2, 2)), "numbers", np.float32).shape == (2, 2, 4)

    def wrong(self):
        """Calls that cannot be; each is an exception, and the run goes on."""
        short = np.zeros(3, np.float32)
        region = (0, 0, self.w, self.h, 4)
        calls = [lambda: self.runner.launch("scale", 1.0),
                 lambda: self.runner.launch("unicorn"),
                 lambda: self.runner.launch("scale", np.float32(1), np.uint16(3)),
                 lambda: self.runner.launch("scale", np.float32(1), 40000),
                 lambda: self.runner.memcpy_h2d(self.numbers, short, *region, **ROW),
                 lambda: self.runner.memcpy_h2d(self.numbers, np.zeros(16), *region, **ROW),
                 lambda: self.runner.memcpy_h2d(None, short, *region, **ROW),
                 lambda: self.runner.memcpy_d2h(short, self.numbers, 1, 1, 2, 2, 4, **ROW),
                 lambda: self.runner.memcpy_d2h(short, 3, 0, 0, 1, 1, 3, **ROW),
                 lambda: self.runner.memcpy_h2d(9, short, 0, 0, 1, 1, 3, streaming=True, **ROW),
                 lambda: self.runner.memcpy_h2d(self.numbers, short, 0, 0, 1, 1, 3, speed=3),
                 lambda: self.runner.load(),
                 lambda: self.runner.read_symbol(9, 9, "before"),
                 lambda: self.runner.read_symbol(0, 0, "unicorn"),
                 lambda: SdkRuntime("nowhere").get_id("numbers"),
                 lambda: SdkRuntime("out", cmaddr="10.0.0.1:9000")]
        for call in calls:
            try:
                call()
            except (RuntimeError, TypeError, ValueError) as error:
                print(type(error).__name__ + ":", error)
            else:
                raise AssertionError("no exception")
        self.scale()

    def nonsense(self):
        """Requests that no module of ours sends; each is refused, and the run goes on."""
        region = {"x": 0, "y": 0, "width": 1, "height": 1, "count": 1, "bytes": 4, "wavelets": 1}
        lists = [[3], [{}], [{"do": "fly"}], [{"do": "write", "symbol": 0, **region}],
                 [{"do": "read", "symbol": 0, **region, "count": 0}], [{"do": "read", "symbol": -1, **region}],
                 [{"do": "read", "symbol": 2, **region}], [{"do": "read", "symbol": 0, **region, "width": 9}],
                 [{"do": "read", "symbol": 0, **region, "count": 1 << 30}],
                 [{"do": "read", "symbol": 0, **region, "count": 40000}],
                 [{"do": "send", "color": 99, **region}], [{"do": "take", "color": 4, **region}],
                 [{"do": "launch"}], [{"do": "launch", "name": "scale", "arguments": [1]}],
                 [{"do": "launch", "name": "scale", "arguments": [[], 0, 1 << 40, 0]}],
                 [{"do": "launch", "name": "numbers", "arguments": []}]]
        requests = [{"do": "commands", "program": 0, "list": one} for one in lists + [7]]
        requests += [{}, {"do": "fly"}, {"do": 3}, {"do": "load", "program": 9}, {"do": "open"},
                     {"do": "set", "program": 0}, {"do": "symbol", "program": 0, "x": 0, "y": "a", "name": "before"}]
        for request in requests:
            try:
                connection().ask(request)
            except RuntimeError as error:
                assert str(error)
            else:
                raise AssertionError(request)
        self.scale()

    def again(self):
        """Another runtime after the first one."""
        self.runner.stop()
        other = Host("out")
        other.scale()
        try:
            self.read(ROW)
        except RuntimeError as error:
            print("first:", error)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="out")
    parser.add_argument("things", nargs="*")
    arguments = parser.parse_args()
    host = Host(arguments.name)
    for thing in arguments.things:
        getattr(host, thing)()
    print("SUCCESS!")


if __name__ == "__main__":
    main()
