"""A run's files: the result, arrays, tables, the trace and the page."""
import html
import json
from functools import cached_property
from pathlib import Path

from gridloom import npy
from gridloom.program import WrongInput, call
from gridloom.table import rows_of
from gridloom.trace import Trace


class Run:
    """What a folder of `gridloom run --out` holds. Members of the result are attributes."""

    def __init__(self, folder, printed="", kept=None, before=()):
        self.folder = Path(folder)
        self.printed = printed
        self._before = before  # files of earlier runs in that folder, as stamps_of() tells
        self._kept = kept      # a temporary folder, which goes with this object
        try:
            with open(self.folder / "result.json", encoding="utf-8") as file:
                self.result = json.load(file)
        except (OSError, ValueError) as error:
            raise WrongInput(1, f"{self.folder}: no result of gridloom run --out: {error}") from error

    def __getattr__(self, name):
        if name == "result" or name not in self.result:
            raise AttributeError(f"the result has no {name}; it has {', '.join(self.__dict__.get('result', ()))}")
        return self.result[name]

    def __getitem__(self, name):
        return self.result[name]

    def __dir__(self):
        return [*super().__dir__(), *self.result]

    def _files(self, pattern):
        """Files that this run wrote, not an earlier one into the same folder."""
        return [path for path in sorted(self.folder.glob(pattern)) if (path.name, path.stat().st_mtime_ns) not in self._before]

    @cached_property
    def arrays(self):
        """Arrays that the run saved, by name."""
        return {path.stem: npy.load(path) for path in self._files("*.npy") if not path.stem.startswith("in_")}

    @cached_property
    def tables(self):
        """The script's tables by name: a list of rows, each a dict."""
        return {path.stem: rows_of(path) for path in self._files("*.csv")}

    @cached_property
    def trace(self):
        """The timeline as tables."""
        return Trace(self.folder / "trace.pftrace")

    @property
    def page(self):
        """The path of the report's page, None without one."""
        path = self.folder / "report.html"
        return path if path.exists() else None

    def __repr__(self):
        return (f"<{self.workload} on {self.chip}: {self.cycles:,} cycles, {self.seconds:.4g} s, "
                f"check {self.check['status']}>")

    def _repr_html_(self):
        """The page, for notebooks; without one, what the command printed."""
        if self.page is None:
            return f"<pre>{html.escape(self.printed)}</pre>"
        page = html.escape(self.page.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="720" style="border: 0"></iframe>'


def stamps_of(folder):
    """Names and times of the files that a folder holds."""
    return {(path.name, path.stat().st_mtime_ns) for path in folder.iterdir() if path.is_file()}


def load(folder):
    """The run that a folder of `gridloom run --out` holds."""
    run = Run(folder)
    call("schema", "--check", "--partial", "--quiet", str(run.folder / "result.json"))
    return run
