"""The SQL of traces/perfetto: its answers against results, by two readers of traces, and the view."""
import glob
import json
import os
import re
import sqlite3
import subprocess
import sys
import unittest
import urllib.error
import urllib.parse
import urllib.request

import perfetto
from gridloom import PATIENCE, SOURCE, Scenario

PACKAGE = os.path.join(SOURCE, "tools/python")
FILES = os.path.join(SOURCE, "traces/perfetto")
QUESTIONS = sorted(os.path.basename(path)[:-4] for path in glob.glob(os.path.join(FILES, "*.sql")))
RUNS = {
    "wse2": ("pcg", "--chip", "wse2", "nx=4", "ny=3", "nz=5", "iterations=3"),
    "wormhole_n300": ("pcg", "rows=2", "cols=1", "tiles=1", "iterations=2"),
}
ASK = """import json, sys, gridloom
trace = gridloom.Trace("t.pftrace")
try:
    print(json.dumps({name: trace.query(name) for name in sys.argv[1:]}))
except gridloom.Error as error:
    sys.exit(f"{type(error).__name__} {error.code}: {error}")
"""


def schema():
    """The tables as the package declares them; only their columns count."""
    with open(os.path.join(PACKAGE, "gridloom/perfetto.py"), encoding="utf-8") as file:
        return re.search('SCHEMA = """(.*?)"""', file.read(), re.DOTALL).group(1)


class Loader:
    """Tables from what protoc decodes: the second reader."""

    def __init__(self, data):
        self.base = sqlite3.connect(":memory:")
        self.base.row_factory = sqlite3.Row
        self.base.executescript(schema())
        self.threads, self.ids, self.flows = {}, 0, {}
        trace = perfetto.Trace(data)
        for lane in sorted({*trace.slices, *trace.marks}):
            self.add_lane(lane, trace.slices.get(lane, []), trace.marks.get(lane, []))
        for name, samples in trace.samples.items():
            lane, counter = name.split("/")
            thread, track = self.thread(lane), self.number()
            self.base.execute("INSERT INTO thread_counter_track VALUES (?, ?, NULL, ?, ?)",
                              (track, counter, trace.units[name], thread))
            self.base.executemany("INSERT INTO counter VALUES (?, ?, ?, ?)",
                                  [(None, at, track, value) for at, value in samples])
        self.add_event(None, 0, perfetto.Slice({"name": ["summary"]}, {}, {}, 0, 0), trace.summary)
        self.base.executemany("INSERT INTO flow VALUES (NULL, ?, ?)", [
            pair for begun, ended in self.flows.values() for pair in zip([*begun, *ended], [*begun[1:], *ended])])

    def number(self):
        self.ids += 1
        return self.ids

    def thread(self, lane):
        if lane not in self.threads:
            place, _, unit = lane.rpartition(".")
            process = self.base.execute("SELECT upid FROM process WHERE name = ?", (place or unit,)).fetchone()
            upid = process["upid"] if process else self.number()
            if not process:
                self.base.execute("INSERT INTO process VALUES (?, ?, ?)", (upid, upid, place or unit))
            utid = self.threads[lane] = self.number()
            self.base.execute("INSERT INTO thread VALUES (?, ?, ?, ?)", (utid, utid, unit, upid))
        return self.threads[lane]

    def add_lane(self, lane, slices, marks):
        track = self.number()
        self.base.execute("INSERT INTO thread_track VALUES (?, ?, NULL, ?)", (track, lane, self.thread(lane)))
        open_ends = []
        for one in sorted([*slices, *marks], key=lambda one: (one.begin, one.order)):
            while open_ends and open_ends[-1] <= one.begin:
                open_ends.pop()
            self.add_event(track, len(open_ends), one, one.arguments)
            open_ends.append(one.end)

    def add_event(self, track, depth, one, arguments):
        number = self.number()
        self.base.execute("INSERT INTO slice VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)", (
            number, one.begin, one.end - one.begin, track, "stall" if one.is_stall else None, one.name, depth, number))
        for name, value in arguments.items():
            key = "debug." + re.sub(r"[.\[\]]", "_", name)
            self.base.execute("INSERT INTO args VALUES (?, ?, ?, ?, ?, NULL)", (
                number, key, key, value if isinstance(value, int) else None, value if isinstance(value, str) else None))
        for flow in one.flows:
            self.flows.setdefault(flow, ([], []))[0].append(number)
        for flow in one.ending_flows:
            self.flows.setdefault(flow, ([], []))[1].append(number)

    def rows(self, question):
        with open(os.path.join(FILES, question + ".sql"), encoding="utf-8") as file:
            return [dict(row) for row in self.base.execute(file.read())]


class Sql(Scenario):
    def traced(self, chip):
        """The result of a run with t.pftrace."""
        self.succeed("run", *RUNS[chip], "-q", "--trace", "t.pftrace", "--json", "r.json")
        return json.loads(self.read("r.json"))

    def python(self, *words):
        return subprocess.run([sys.executable, "-B", *words], cwd=self.folder, env={**self.environment, "PYTHONPATH": PACKAGE},
                              capture_output=True, text=True, timeout=PATIENCE, check=False)

    def ask(self, *questions):
        done = self.python("-c", ASK, *questions)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_answers_are_the_results_numbers(self):
        for chip in RUNS:
            with self.subTest(chip):
                result, rows = self.traced(chip), self.ask(*QUESTIONS)

                self.assertEqual({row["counter"]: row["value"] for row in rows["counters"]}, result["counters"])
                stalls = {}
                for row in rows["waits"]:
                    stalls[row["cause"]] = stalls.get(row["cause"], 0) + row["cycles"]
                self.assertEqual(stalls, {name: cycles for name, cycles in result["stalls"].items() if name in stalls})
                self.assertGreater(len(stalls), 0)
                key, hertz = ("mean_cycles", 850e6) if chip == "wse2" else ("most_cycles", 1e9)
                self.assertEqual({row["zone"] for row in rows["zones"]}, set(result["zones"]))
                for row in rows["zones"]:
                    self.assertAlmostEqual(row[key], result["zones"][row["zone"]] * hertz, delta=0.06)

    def test_units_are_as_busy_as_the_result_says(self):
        result = self.traced("wse2")
        rows = self.ask("busiest", "operations")
        busy = sum(row["busy_cycles"] for row in rows["busiest"] if row["unit"] == "ce")

        self.assertAlmostEqual(busy / 12 / result["cycles"], result["busy"]["busy"], places=12)
        for question in rows:  # a switch that stays where it is does nothing
            self.assertFalse({row["unit"] for row in rows[question]} & {"switch0", "switch1", "switch2", "switch3"}, question)

    def test_traces_with_use_by_time_have_the_same_answers(self):
        self.traced("wse2")
        full = self.ask("busiest", "links", "links_over_time")
        self.succeed("run", *RUNS["wse2"], "-q", "--trace", "t.pftrace", "--trace-level", "blocks")
        blocks = self.ask("busiest", "links", "links_over_time")

        self.assertEqual(blocks["links"], full["links"])
        self.assertEqual(blocks["links_over_time"], full["links_over_time"])
        self.assertEqual([row["operations"] for row in blocks["busiest"]], [0] * len(blocks["busiest"]))
        for unit in ("ce", "main", "ramp"):
            self.assertEqual(*({row["place"]: row["busy_cycles"] for row in rows["busiest"] if row["unit"] == unit} for rows in (full, blocks)), unit)

    def test_links_carry_the_results_bytes(self):
        """A busy cycle of a wafer's link moves a wavelet of 4 bytes."""
        result, rows = self.traced("wse2"), self.ask("links", "links_over_time")

        self.assertEqual(4 * sum(row["busy_cycles"] for row in rows["links"]), result["counters"]["noc_bytes"])
        self.assertEqual([row["part"] for row in rows["links_over_time"]], list(range(20)))
        mean = sum(row["mean_percent"] for row in rows["links_over_time"]) / 20
        self.assertAlmostEqual(mean, sum(row["busy_cycles"] for row in rows["links"]) / len(rows["links"]) / result["cycles"] * 100,
                               delta=0.02)

    def test_iterations_take_the_results_cycles(self):
        result, rows = self.traced("wse2"), self.ask("iterations")["iterations"]

        self.assertEqual([row["iteration"] for row in rows], [1, 2, 3])
        self.assertEqual({row["cycles"] for row in rows[:2]}, {result["metrics"]["cycles_per_iteration_steady"]})
        self.assertEqual([row["places"] for row in rows], [12, 12, 12])

    def test_waits_have_who_ended_them(self):
        self.traced("wormhole_n300")
        rows = self.ask("waits_for", "messages")

        self.assertTrue(any(row["lane"].startswith("core[0,0]") and row["ended_by"].startswith("core_0,1_")
                            for row in rows["waits_for"]), rows["waits_for"][:4])
        self.assertGreater(len(rows["messages"]), 0)

    def test_two_readers_agree(self):
        for chip in RUNS:
            self.traced(chip)
            with open(self.path("t.pftrace"), "rb") as file:
                loader = Loader(file.read())
            rows = self.ask(*QUESTIONS)
            for question in QUESTIONS:
                with self.subTest(chip=chip, question=question):
                    self.assertEqual(rows[question], loader.rows(question))

    def test_own_sql_is_answered_and_wrong_one_refused(self):
        self.traced("wse2")

        self.assertEqual(self.ask("SELECT COUNT(*) AS n FROM process WHERE name LIKE 'pe[%'"),
                         {"SELECT COUNT(*) AS n FROM process WHERE name LIKE 'pe[%'": [{"n": 12}]})
        for question, says in (("busyest", "WrongInput 1: no question 'busyest'; known: busiest, counters"),
                               ("SELECT x FROM y", "WrongInput 1: SQL: no such table: y")):
            self.assertIn(says, self.python("-c", ASK, question).stderr)
        self.write("t.pftrace", b"\x0a\xff")
        self.assertIn("WrongInput 1: t.pftrace: a trace that is cut off", self.python("-c", ASK, "busiest").stderr)

    def test_the_view_runs_its_questions(self):
        with open(os.path.join(FILES, "view.json"), encoding="utf-8") as file:
            view = json.load(file)
        wanted = {"AddDebugSliceTrack": {"ts", "dur", "name"}, "AddDebugSliceTrackWithPivot": {"ts", "dur", "name", "unit"},
                  "AddDebugCounterTrack": {"ts", "value"}}
        self.traced("wse2")
        shown = []
        for command in view:
            name = command["id"].removeprefix("dev.perfetto.")
            if name in wanted:
                rows = self.ask(command["args"][0])[command["args"][0]]
                self.assertEqual(set(rows[0]), wanted[name])
            elif name == "RunQueryAndShowTab":
                shown.append(command["args"][0])
            else:
                self.assertEqual(name, "CollapseTracksByRegex")
        for question, text in zip(("zones", "waits", "busiest"), shown, strict=True):
            with open(os.path.join(FILES, question + ".sql"), encoding="utf-8") as file:
                lines = [line.split("--")[0].strip() for line in file]
            self.assertEqual(" ".join(filter(None, lines)).rstrip(";"), text, question)

    def test_a_page_gets_the_trace_and_the_view(self):
        self.write("a b.pftrace", b"trace")
        with subprocess.Popen([sys.executable, "-B", "-m", "gridloom.view", "a b.pftrace", "--no-browser", "--port", "0"],
                              cwd=self.folder, env={**self.environment, "PYTHONPATH": PACKAGE}, stdout=subprocess.PIPE, text=True) as server:
            where = server.stdout.readline().strip()
            page, _, words = where.partition("#!/?")
            said = urllib.parse.parse_qs(words)
            trace = re.search("url=([^&]*)", words).group(1)
            with self.assertRaises(urllib.error.HTTPError):
                urllib.request.urlopen(trace.replace("a%20b", "other"), timeout=PATIENCE)
            with urllib.request.urlopen(trace, timeout=PATIENCE) as answer:
                self.assertEqual(answer.read(), b"trace")
                self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "https://ui.perfetto.dev")

        self.assertEqual((page, server.returncode), ("https://ui.perfetto.dev/", 0))
        with open(os.path.join(FILES, "view.json"), encoding="utf-8") as file:
            self.assertEqual(json.loads(said["startupCommands"][0]), json.load(file))

    def test_a_page_without_a_trace_is_refused(self):
        done = self.python("-m", "gridloom.view", "nowhere.pftrace", "--no-browser")

        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "gridloom.view: nowhere.pftrace: no such trace\n"))


if __name__ == "__main__":
    unittest.main()
