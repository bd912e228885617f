"""A trace as tables: what units did, waited for, sent, and how full things were."""
import tempfile
from pathlib import Path

from gridloom.program import WrongInput, call
from gridloom.query import Base
from gridloom.table import rows_of


class Trace:
    """Rows of `gridloom export --to csv`, by kind: slices, stalls, marks, counters, flows, uses."""

    def __init__(self, path):
        self.path = Path(path)
        self._rows = None
        self._base = None

    def rows(self, record=None):
        """All rows, or those of one kind such as "slice": dicts, times in cycles."""
        if self._rows is None:
            self._rows = self._read()
        return [row for row in self._rows if record in (None, row["record"])]

    def _need(self):
        if not self.path.exists():
            raise WrongInput(1, f"{self.path}: no trace is there; gridloom.run(..., report=True) makes one")

    def _read(self):
        self._need()
        with tempfile.TemporaryDirectory(prefix="gridloom-") as folder:
            table = Path(folder) / "trace.csv"
            call("export", self.path, "--to", "csv", "-o", table)
            return rows_of(table)

    def query(self, question):
        """Rows that SQL finds: "busiest" and other files of traces/perfetto, or a text. The tables are
        those of Perfetto's trace processor: slice, thread, process, thread_track, counter, args, flow."""
        if self._base is None:
            self._need()
            self._base = Base(self.path)
        return self._base.rows(question)

    @property
    def slices(self):
        """What units did: name, begin, end."""
        return self.rows("slice")

    @property
    def stalls(self):
        """What units waited for."""
        return self.rows("stall")

    @property
    def flows(self):
        """What went from one lane to another."""
        return self.rows("flow")

    def busy_cycles(self):
        """Cycles of slices by lane; of nested ones, the outermost count."""
        sums = {}
        for row in self.slices:
            if not row["depth"]:
                sums[row["lane"]] = sums.get(row["lane"], 0) + row["cycles"]
        return sums
