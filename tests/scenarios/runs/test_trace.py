"""Traces of whole runs: as Perfetto's programs see them, against the run's own result."""
import json
import os
import unittest

from gridloom import SMALL, INPUT, INTERRUPTED, PATIENCE, STOPPED, Scenario, kernel
import perfetto

CORES = ["pcg", "iterations=1", "rows=2", "cols=2", "tiles=2"]
WAFER = ["pcg", "--chip", "wse2", "nx=4", "ny=3", "nz=10", "iterations=1"]
CORE_UNITS = ["reader", "writer", "unpack", "math", "pack", "unpacker", "fpu", "sfpu",
              "packer"]
LINKS = ("east", "south", "west", "north")


class Traces(Scenario):
    """A test that runs with --trace, and reads the trace."""

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def drafts(self):
        """The files that are still being written."""
        return [name for name in os.listdir(self.folder) if name.startswith(".gridloom-")]

    def assertNoDrafts(self):
        self.assertEqual(self.drafts(), [])

    SEEN = {}       # traces and results of all tests' runs, by their words

    def run_traced(self, *words):
        """The trace of a run, and its result."""
        if words not in self.SEEN:
            self.succeed("run", *words, "-q", "--json", "r.json", "--trace", "t.pftrace")
            self.assertNoDrafts()
            self.SEEN[words] = perfetto.Trace(self.bytes_of("t.pftrace")), self.read("r.json")
        trace, result = self.SEEN[words]
        return trace, json.loads(result)

    def link_cycles(self, trace):
        return sum(value for name, samples in trace.samples.items()
                   if name.endswith(tuple(f".{link}/busy" for link in LINKS))
                   for _, value in samples)


class RoundTrip(Traces):
    """The trace contains exactly the numbers of the result."""

    def assertSameResult(self, trace, result):
        del result["host"]
        self.assertEqual(json.loads(trace.summary["result"]), result)
        self.assertEqual(trace.summary["cycles"], result["cycles"])
        self.assertEqual({name: value for name, value in trace.summary.items()
                          if name.startswith("counters.")},
                         {f"counters.{name}": value
                          for name, value in result["counters"].items()})
        start = json.loads(trace.start["start"])
        for name in ("workload", "chip", "chip_digest", "seed", "given", "overrides",
                     "gridloom"):
            self.assertEqual(start[name], result[name], name)
        self.assertEqual((trace.start["workload"], trace.start["chip"]),
                         (result["workload"], result["chip"]))

    def test_units_of_cores_were_as_busy_and_as_stalled_as_the_result_says(self):
        trace, result = self.run_traced(*CORES)

        units = result["metrics"]["units"]
        self.assertEqual(sorted(units), sorted(CORE_UNITS))
        for unit in CORE_UNITS:
            told = {reason: cycles for reason, cycles in units[unit].items()
                    if cycles > 0 and reason not in ("busy", "idle")}
            self.assertEqual(trace.busy(unit), units[unit]["busy"], unit)
            self.assertEqual(trace.stalls([unit]), told, unit)
        self.assertEqual(trace.stalls(CORE_UNITS),
                         {reason: cycles for reason, cycles in result["stalls"].items()
                          if cycles > 0})
        self.assertEqual(32 * self.link_cycles(trace), result["counters"]["noc_bytes"])
        self.assertGreater(trace.flow_count, 0)
        self.assertSameResult(trace, result)

    def test_buffers_fill_and_are_empty_at_the_end(self):
        trace, _ = self.run_traced(*CORES)

        fills = {name: samples for name, samples in trace.samples.items()
                 if ".buffers/cb " in name}
        self.assertGreater(len(fills), 4)
        for name, samples in fills.items():
            self.assertEqual(trace.units[name], "pages")
            self.assertGreater(max(value for _, value in samples), 0, name)
            self.assertEqual(min(value for _, value in samples) >= 0, True, name)
        flying = [samples for name, samples in trace.samples.items()
                  if name.endswith("/in flight")]
        self.assertGreater(len(flying), 0)
        for samples in flying:
            self.assertEqual(samples[-1][1], 0)

    def test_processing_elements_were_as_busy_as_the_result_says(self):
        trace, result = self.run_traced(*WAFER)

        total = 12 * result["cycles"]
        self.assertEqual(trace.busy("ce"), round(result["busy"]["busy"] * total))
        self.assertEqual(trace.stalls(["ce"]).get("memory_idle", 0),
                         result["stalls"]["memory_idle"])
        self.assertEqual(4 * self.link_cycles(trace), result["counters"]["noc_bytes"])
        self.assertGreater(trace.flow_count, 0)
        self.assertSameResult(trace, result)

    def test_slices_have_the_name_of_the_call(self):
        trace, _ = self.run_traced(*CORES)

        names = {each.name for each in trace.slices["core[0,0].math"]}
        for name in "add_tiles_init", "mul_tiles_init", "sub_tiles_init", "mul_tiles":
            self.assertIn(name, names)

    def test_transfers_are_on_the_lane_of_the_bus(self):
        trace, result = self.run_traced("transfer", *SMALL)

        self.assertEqual(len(trace.slices["pcie"]), 36)
        self.assertSameResult(trace, result)

    def test_the_bytes_do_not_depend_on_threads(self):
        for words in (CORES, WAFER):
            written = []
            for threads in ("1", "2"):
                self.succeed("run", *words, "-q", "--threads", threads, "--trace",
                             "t.pftrace")
                written.append(self.bytes_of("t.pftrace"))
            self.assertEqual(written[0], written[1], words)


class Choice(Traces):
    """Traces of parts of runs."""

    def test_a_window_has_what_happens_in_it(self):
        whole, _ = self.run_traced(*CORES)
        part, _ = self.run_traced(*CORES, "--trace-window", "50000:60000")

        expected = {name: [(s.name, s.begin, s.end) for s in slices
                           if s.end >= 50000 and s.begin <= 60000]
                    for name, slices in whole.slices.items()}
        self.assertEqual({name: [(s.name, s.begin, s.end) for s in slices]
                          for name, slices in part.slices.items()},
                         {name: slices for name, slices in expected.items() if slices})
        for name, samples in part.samples.items():
            if "/cb " in name:
                before = [value for at, value in whole.samples[name] if at <= 50000]
                self.assertGreaterEqual(samples[0][0], 50000)
                if samples[0][0] == 50000:
                    self.assertEqual(samples[0][1], before[-1], name)

    def test_either_end_of_a_window_may_be_left_out(self):
        early, _ = self.run_traced(*CORES, "--trace-window", ":50000")
        late, _ = self.run_traced(*CORES, "--trace-window", "50000:")

        self.assertLessEqual(max(s.begin for group in early.slices.values() for s in group),
                             50000)
        self.assertGreaterEqual(min(s.end for group in late.slices.values() for s in group),
                                50000)

    def test_cores_are_chosen(self):
        for words, kind, chosen in ((CORES, "core", {"[1,0]"}), (WAFER, "pe", {"[1,0]"})):
            trace, _ = self.run_traced(*words, "--trace-cores", "1,0")

            places = {name.split(".")[0] for name in trace.slices
                      if name.startswith(kind + "[")}
            self.assertEqual(places, {kind + place for place in chosen})

    def test_several_squares_of_cores_may_be_chosen(self):
        trace, _ = self.run_traced(*CORES, "--trace-cores", "0:1,0;1,1")

        self.assertEqual({name.split(".")[0] for name in trace.slices
                          if name.startswith("core[")},
                         {"core[0,0]", "core[1,0]", "core[1,1]"})

    def test_blocks_have_the_same_sums(self):
        full, _ = self.run_traced(*CORES)
        blocks, _ = self.run_traced(*CORES, "--trace-level", "blocks")

        self.assertEqual(dict(blocks.slices), {})
        for unit in CORE_UNITS:
            busy = sum(value for name, samples in blocks.samples.items()
                       if name.endswith(f".{unit}/busy") for _, value in samples)
            self.assertEqual(busy, full.busy(unit), unit)
        self.assertEqual(self.link_cycles(blocks), self.link_cycles(full))

    def test_a_limit_ends_slices_and_says_so(self):
        done = self.gridloom("run", *CORES, "-q", "--trace", "t.pftrace",
                             "--trace-limit", "200000")

        self.assertEqual(done.returncode, 0)
        self.assertIn("t.pftrace: its limit is reached, slices that end from cycle ", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        data = self.bytes_of("t.pftrace")
        trace = perfetto.Trace(data)
        self.assertIn(f"from cycle {trace.summary['cut']} on", done.stderr)
        self.assertLess(len(data), 200000 + len(trace.summary["result"]) + 10000)
        self.assertGreater(len(data), 150000)
        self.assertGreater(self.link_cycles(trace), 0)
        self.assertIn("result", trace.summary)

    def test_a_window_that_the_run_does_not_reach_is_empty_and_says_so(self):
        done = self.gridloom("run", *CORES, "-q", "--trace", "t.pftrace",
                             "--trace-window", "99999999:")

        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "t.pftrace: the run ended at cycle [0-9]+, "
                                      "before --trace-window begins\n$")
        trace = perfetto.Trace(self.bytes_of("t.pftrace"))
        self.assertEqual((dict(trace.slices), dict(trace.samples)), ({}, {}))


class Files(Traces):
    """The places of traces, and the files that failed runs leave."""

    def test_a_link_stays_and_its_file_is_replaced(self):
        os.mkdir(self.path("there"))
        os.symlink("there/t.pftrace", self.path("link.pftrace"))
        open(self.path("there/t.pftrace"), "wb").close()
        self.succeed("run", *CORES, "-q", "--trace", "link.pftrace")

        self.assertTrue(os.path.islink(self.path("link.pftrace")))
        self.assertGreater(os.path.getsize(self.path("there/t.pftrace")), 1000)

    def test_out_has_a_trace_unless_it_is_not_wanted(self):
        self.succeed("run", "transfer", *SMALL, "-q", "--out", "a/b")
        self.succeed("run", "transfer", *SMALL, "-q", "--out", "c", "--no-trace")

        self.assertIn("result", perfetto.Trace(self.bytes_of("a/b/trace.pftrace")).summary)
        self.assertFalse(os.path.exists(self.path("c/trace.pftrace")))
        self.assertNoDrafts()

    def test_trace_and_out_are_one_trace(self):
        self.succeed("run", "transfer", *SMALL, "-q", "--out", "a", "--trace", "t.pftrace")

        self.assertTrue(os.path.exists(self.path("t.pftrace")))
        self.assertFalse(os.path.exists(self.path("a/trace.pftrace")))

    def test_a_run_that_reaches_its_limit_keeps_its_trace(self):
        done = self.gridloom("run", *CORES, "-q", "--trace", "t.pftrace",
                             "--limit-cycles", "50000")

        self.assertEqual(done.returncode, STOPPED)
        self.assertEqual(done.stderr.splitlines()[-1],
                         "gridloom: t.pftrace: holds the run up to there")
        trace = perfetto.Trace(self.bytes_of("t.pftrace"), is_whole=False)
        self.assertIn("cycle limit of 50000 reached", trace.summary["failure"])
        self.assertNotIn("result", trace.summary)
        self.assertGreater(trace.busy("math"), 0)

    def test_a_script_that_fails_leaves_no_trace(self):
        name = self.script("error('no')")

        self.assertFails(INPUT, ["no"], "run", name, "--trace", "t.pftrace",
                         traceback=None)

    def test_an_interrupted_run_keeps_its_trace(self):
        name = self.script(kernel("while true do core.delay(1000) end"))
        process = self.start("run", name, "--trace", "t.pftrace",
                             when=lambda: self.drafts() != [])

        process.send_signal(2)
        _, errors = process.communicate(timeout=PATIENCE)

        if process.returncode == INTERRUPTED and b"holds the run" in errors:
            trace = perfetto.Trace(self.bytes_of("t.pftrace"), is_whole=False)
            self.assertIn("failure", trace.summary)
        else:
            self.fail(errors)

    def test_devices_are_written_to(self):
        self.succeed("run", "transfer", *SMALL, "-q", "--trace", "/dev/null")
        self.assertFails(INPUT, ["/dev/full: cannot be written, No space left"], "run",
                         "transfer", *SMALL, "-q", "--trace", "/dev/full")

    def test_a_full_disk_is_said_once_when_records_come_beside_the_run(self):
        for threads in "1", "2":
            failed = self.gridloom("run", "pcg", "iterations=1", "rows=4", "cols=4", "tiles=16",
                                   "-q", "--threads", threads, "--trace", "/dev/full")

            self.assertEqual((failed.returncode, failed.stderr), (INPUT,
                "gridloom: /dev/full: cannot be written, No space left on device\n"))


class BadOptions(Traces):
    """One line, before anything runs."""

    def test_values_are_refused(self):
        for option, value, says in (
                ("--trace-window", "5", "FROM:TO"), ("--trace-window", "9:9", "FROM:TO"),
                ("--trace-window", "a:b", "FROM:TO"), ("--trace-window", "1:2:3", "FROM:TO"),
                ("--trace-cores", "", "x,y"), ("--trace-cores", "1", "x,y"),
                ("--trace-cores", "3:1,0", "x,y"), ("--trace-cores", "1,0;", "x,y"),
                ("--trace-cores", "-1,0", "x,y"),
                ("--trace-level", "some", "auto, full, blocks"),
                ("--trace-limit", "0", "a whole number in 1.."),
                ("--trace-limit", "1G", "a whole number in 1..")):
            with self.subTest(option=option, value=value):
                self.assertFails(INPUT, [f"{option} = ", says], "run", "transfer",
                                 "--trace", "t.pftrace", f"{option}={value}")

    def test_parts_without_a_trace_are_refused(self):
        for option in ("--trace-window=1:2", "--trace-cores=1,1", "--trace-level=full",
                       "--trace-limit=9"):
            self.assertFails(INPUT, [option.split("=")[0], "no trace is written, give --trace"], "run",
                             "transfer", option)
            self.assertFails(INPUT, [option.split("=")[0], "no trace is written, give --trace"], "run",
                             "transfer", option, "--out", "o", "--no-trace")

    def test_cores_that_are_not_there_are_refused(self):
        self.assertFails(INPUT, ["--trace-cores", "8,0", "0..7,0..6"], "run", *CORES,
                         "--trace", "t.pftrace", "--trace-cores", "8,0")

    def test_files_that_cannot_be_written_are_refused(self):
        for words, says in (
                (["--trace", "-"], "--trace: standard output cannot take it"),
                (["--trace", "."], ".: cannot be written, it is a folder"),
                (["--trace", "no/t.pftrace"], "its folder does not exist"),
                (["--trace", ""], "(empty name)"),
                (["--trace", "t", "--no-trace"], "--no-trace: --trace t asks for a trace"),
                (["--trace", "x", "--json", "./x"], "named by --json and by --trace"),
                (["--trace", "x", "--system-trace", "x"],
                 "named by --trace and by --system-trace")):
            with self.subTest(words=words):
                self.assertFails(INPUT, [says], "run", "transfer", *words)


if __name__ == "__main__":
    unittest.main()
