"""What a program left in the memory of its PEs: symbols and traces, by place on the fabric."""
# The class bears the name that host programs import.
# pylint: disable=invalid-name
import numpy as np

from cerebras.sdk.runtime.sdkruntimepybind import KINDS, last_runtime


class debug_util:
    """Looks at the PEs of the runtime that was made last."""

    def __init__(self, bindir, cmaddr=None):
        del bindir, cmaddr
        self.runtime = last_runtime()

    def get_symbol(self, col, row, symbol, dtype):
        """The memory of a variable of one PE."""
        x, y = self.runtime.fabric_offsets
        return self.runtime.read_symbol(int(col) - x, int(row) - y, symbol, dtype)

    def get_symbol_rect(self, rectangle, symbol, dtype):
        """The same of all PEs of a rectangle ((x, y), (width, height)): [x][y][numbers]."""
        (x, y), (width, height) = rectangle
        return np.array([[self.get_symbol(x + i, y + j, symbol, dtype) for j in range(height)]
                         for i in range(width)])

    def read_trace(self, px, py, name):
        """The records of a PE with this key, in their order."""
        x, y = self.runtime.fabric_offsets
        values = []
        for kind, bits in self.runtime.read_records(int(px) - x, int(py) - y, name):
            bits &= 0xffffffff
            if kind.startswith("string:"):
                values.append(kind[len("string:"):])
            elif kind == "timestamp_high":
                values[-1] += bits << 32
            elif kind == "timestamp":
                values.append(bits)
            elif kind == "bool":
                values.append(bool(bits))
            else:
                values.append(np.array([bits], np.uint32).view(KINDS[kind])[0])
        return values
