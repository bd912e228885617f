"""One call to the system fails, the first, the second ... of each kind: a command then ends with
one line and an exit code, and each of its files is as it was before, or whole."""
import itertools
import json
import os
import re
import shutil
import sqlite3
import unittest

import gridloom
import sweeps
from gridloom import CHECK, DONE, INPUT, SMALL, STOPPED

LIBRARY = os.environ["GRIDLOOM_FAILING"]
# At most so many failures of a kind for a command; "all" takes hours for allocations.
MOST = os.environ.get("GRIDLOOM_FAILURES")
KINDS = ("memory", "write", "sync", "rename", "close", "create")  # as the library counts them
MANY = ("memory", "close")  # most of their calls are alike
UNMODELLED = 2
OLD = b"old"

WINDOWS = gridloom.workload(
    """host.measure(function() host.sleep(p.window_x * 1e-6) end, 1)
        host.metric("gflops", p.window_x)
        host.metric("resource_percent", p.window_x)
        host.metric("resources", { DSP = 1 })
        host.metric("window", { x = p.window_x })""",
    parameters='{ name = "nx", type = "integer", default = 2, help = "h" },'
               '{ name = "window_x", type = "integer", default = 1, min = 1, max = 8, help = "h" }')
SUITE = ("source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,scale,"
         "combine,note\npaper,two,time,us,10,10 %,calibrated,quick,timed.lua us=20,,"
         "seconds_per_iteration,1e6,value,\n")
DOT = ["dot", "rows=1", "cols=2", "tiles=1"]
# The words of each command, and the files that it writes.
COMMANDS = {
    "run": (["run", "transfer", *SMALL, "--json", "r.json", "--trace", "r.pftrace",
             "--system-trace", "r.paje", "--system", "n300", "--report", "r.html"],
            ["r.json", "r.pftrace", "r.paje", "r.html"]),
    "run --out": (["run", *DOT, "--out", "out", "--heatmap", "h.svg"],
                  ["out/result.json", "out/trace.pftrace", "out/report.html", "h.svg"]),
    "noc": (["noc", "traffic", "--size", "3x3", "--window", "400", "--json", "n.json",
             "--heatmap", "n.svg"], ["n.json", "n.svg"]),
    "describe": (["describe", "wormhole_n150", "--json", "d.json"], ["d.json"]),
    "export": (["export", "t.pftrace", "--to", "chrome", "-o", "e.json"], ["e.json"]),
    "diff": (["diff", "t.pftrace", "t.json", "--json", "i.json"], ["i.json"]),
    "report": (["report", "t.pftrace", "-o", "p.html"], ["p.html"]),
    "plot": (["plot", "timeline", "t.pftrace", "-o", "t.svg"], ["t.svg"]),
    "roofline": (["roofline", "t.json", "-o", "f.svg", "-o", "f.csv", "--json", "f.json"],
                 ["f.svg", "f.csv", "f.json"]),
    "model": (["model", "area", "--json", "m.json"], ["m.json"]),
    "compare": (["compare", "timed.lua", "--chips", "wormhole_n150,wse2", "--json", "c.json",
                 "--csv", "c.csv"], ["c.json", "c.csv"]),
    "validate": (["validate", "suite.csv", "--json", "v.json", "--html", "v.html"],
                 ["v.json", "v.html"]),
    "tune": (["tune", "windows.lua", "--window", "x", "--json", "w.json"], ["w.json"]),
    "sweep": (["sweep", "sweep.lua", "--db", "s.sqlite", "--csv", "s.csv", "--jobs", "1"],
              ["s.sqlite", "s.csv"]),
}
SLOW = ("compare", "validate", "tune", "sweep")  # they run others


def is_whole(name, data, whole):
    """Has a file its end? Files differ from run to run only by times, and by runs that failed."""
    if name.endswith(".json"):
        try:
            json.loads(data)
            return True
        except ValueError:
            return False
    ends = {".html": b"</html>\n", ".svg": b"</svg>\n"}
    end = ends.get(os.path.splitext(name)[1])
    if name.endswith(".csv"):
        return data.endswith(b"\n") and data.count(b"\n") == whole.count(b"\n")
    return data.endswith(end) if end else data == whole


class Failing(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("start"))
        self.write("start/timed.lua", sweeps.SCRIPT)
        self.write("start/windows.lua", WINDOWS)
        self.write("start/sweep.lua", sweeps.sweep('{ name = "us", values = { 1, 2 } }'))
        self.write("start/suite.csv", SUITE)
        self.succeed("run", *DOT, "-q", "--trace", "start/t.pftrace", "--json", "start/t.json")
        self.places = itertools.count()
        self.failures = 0

    def place(self, command):
        """A new folder with the files that commands read, and old ones to replace."""
        folder = self.path(f"place{next(self.places)}")
        shutil.copytree(self.path("start"), folder)
        os.mkdir(os.path.join(folder, "tmp"))
        for name in COMMANDS[command][1]:
            if not name.startswith("out/") and not name.endswith(".sqlite"):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(OLD)
        return folder

    def run_with(self, command, order, folder):
        """Runs a command; returns how it ended, and what the library noted, None if nothing."""
        done = self.gridloom(*COMMANDS[command][0], cwd=folder, env={
            **self.environment, "TMPDIR": os.path.join(folder, "tmp"), "LD_PRELOAD": LIBRARY,
            "FAILING": f"{order}:{folder}.noted"})
        if not os.path.exists(folder + ".noted"):
            return done, None
        with open(folder + ".noted", encoding="ascii") as file:
            return done, file.read()

    @staticmethod
    def contents(folder):
        found = {}
        for at, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(at, name), "rb") as file:
                    found[os.path.relpath(os.path.join(at, name), folder)] = file.read()
        return found

    def undisturbed(self, command, order="none:0"):
        """The files of a command, and the number of its calls of each kind."""
        folder = self.place(command)
        done, noted = self.run_with(command, order, folder)
        self.assertEqual((done.returncode, done.stderr), (DONE, ""), command)
        found = self.contents(folder)
        for name in COMMANDS[command][1]:
            self.assertNotEqual(found[name], OLD)
            self.assertTrue(is_whole(name, found[name], found[name]), name)
        counts = [map(int, line.split()) for line in (noted or "").splitlines()]
        return found, dict(zip(KINDS, map(max, zip(*counts))))

    def assertOneLine(self, command, order, done):
        """A line for each run that failed, which validate and sweep have in their tables, and for
        each process of a sweep that starts runs: another one takes its place."""
        # SimGrid has something to say, too, if it gets no stack.
        start = "" if order.startswith("limit") else r"\A"
        lines = {"compare": "{1,3}", "sweep": "{1,7}"}.get(command, "{1}")
        self.assertIn(done.returncode, (INPUT, UNMODELLED, STOPPED, CHECK), done.stderr)
        end = r"\Z" if command != "sweep" else ""  # libraries that a process loads may speak, too
        if re.search(r"\nfailed: |[1-9]\d* failed, ", done.stdout) is None:
            self.assertRegex(done.stderr, rf"{start}(gridloom: [^\n]*\n){lines}{end}")

    def assertSameTable(self, folder):
        """A sweep that failed goes on where it was, and ends with the same table."""
        self.gridloom(*COMMANDS["sweep"][0], cwd=folder)
        with sqlite3.connect(os.path.join(folder, "s.sqlite")) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            rows = database.execute("SELECT run, status, us FROM runs").fetchall()
        for number, (run, status, result) in enumerate(rows, 1):
            self.assertEqual((run, result), (number, number if status == "done" else result))
            self.assertIn(status, ("done", "failed"))
        self.assertEqual(len(rows), 2)

    def assertNothingHalf(self, command, order, wholes):
        """Lets a call fail, and looks at what is left."""
        folder = self.place(command)
        done, noted = self.run_with(command, order, folder)
        found = self.contents(folder)
        if done.returncode == DONE:  # the failure did no harm, as that of closing an input
            self.assertTrue(done.stderr == "" or command == "sweep", done.stderr)
        else:
            self.assertOneLine(command, order, done)
        for name in COMMANDS[command][1]:
            data = found.get(name)
            if done.returncode == DONE or data not in (None, OLD):
                self.assertTrue(name.endswith(".sqlite") or
                                is_whole(name, data, wholes[name]), name)
        left = set(found) - set(wholes)
        if "s.sqlite" in found:
            left -= {"s.sqlite-wal", "s.sqlite-shm"}  # parts of the database
        self.assertEqual(left, set())
        if command == "sweep":
            self.assertSameTable(folder)
        shutil.rmtree(folder)
        self.failures += noted is not None

    @staticmethod
    def numbers(command, kind, count):
        """The calls that fail: the first, the last, and some between them."""
        if MOST == "all" or count == 0:
            return range(1, count + 1)
        most = int(MOST) if MOST else 3 if command in SLOW else 5 if kind in MANY else 8
        return sorted({1 + i * (count - 1) // max(most - 1, 1) for i in range(most)})

    def test_a_failure_leaves_nothing_half_written(self):
        for command in COMMANDS:
            wholes, counts = self.undisturbed(command)
            for kind, count in counts.items():
                for number in self.numbers(command, kind, count):
                    with self.subTest(command, order=f"{kind}:{number}"):
                        self.assertNothingHalf(command, f"{kind}:{number}", wholes)
        if MOST:
            print(f"{len(COMMANDS)} commands, {self.failures} failures")
        self.assertGreater(self.failures, 100)

    def test_a_limit_of_memory_is_no_crash(self):
        for command in ("run", "run --out", "noc", "roofline"):
            wholes, _ = self.undisturbed(command)
            for kibibytes in (100, 1000, 3000, 10000, 30000, 100000):
                with self.subTest(command, kibibytes=kibibytes):
                    self.assertNothingHalf(command, f"limit:{kibibytes}", wholes)

    def test_short_writes_are_continued(self):
        for command in ("run", "run --out", "export", "sweep"):
            with self.subTest(command):
                self.undisturbed(command, "short:0")


if __name__ == "__main__":
    unittest.main()
