"""Several wafers with one grid: right to the bit in phases, the host's cost, limits."""
import unittest

from gridloom import CHECK, INPUT
from workload_runs import WorkloadRuns, script_of

LATENCY, LAUNCH = 200e-6, 200e-6            # seconds: wse2.ini, a transfer and a launch
IN, OUT, HOST = 7e9, 933e6, 50e9            # bytes per second: wse2.ini; the systems' files
WORD = 4

# Launches with variables, and copies in lists.
ARGUMENTS = """return { summary = "a script for a test", chips = { "wse" }, parameters = {}, run = function(host, p)
    local wafer = host.wafer { columns = 2, rows = 1, layout = function(layout)
        for x = 0, 1 do
            layout:set_tile_code({ x, 0 }, "pe" .. x, function(pe)
                local a = pe:array { name = "a", type = "f32", count = 4 }
                local b = pe:array { name = "b", type = "f32", count = 4 }
                local own = pe:variable { name = x == 0 and "left" or "right", value = 1 }
                local at = pe:mem1d_dsd { base = b, extent = 1, increment = own }
                pe:bind_local_task(8, "go", function()
                    pe:fmovs(at, pe:mem1d_dsd { base = a, extent = 1 })
                    pe:add(own, 1)
                end)
                pe:activate(8)
            end)
        end
    end }
    local a, b = host.buffer(16), host.buffer(16)
    a:fill_with("fp32", 7)
    b:fill_with("fp32", 0)
    local both = wafer:copy_to { { name = "a", buffer = a, count = 4, tiles = { 0, 0 } },
        { name = "a", buffer = a, count = 4, tiles = { 1, 0 } } }
    host.metric("both", both)
    host.metric("one", wafer:copy_to { name = "a", buffer = a, count = 4, tiles = { 0, 0 } })
    BODY
    wafer:copy_from { { name = "b", buffer = a, count = 4, tiles = { 0, 0 } },
        { name = "b", buffer = b, count = 4, tiles = { 1, 0 } } }
    local seen = {}
    for i = 0, 3 do seen[i + 1] = 10 * a:get("fp32", i) + b:get("fp32", i) end
    host.metric("seen", seen)
end }
"""


class Wafers(WorkloadRuns):
    CHANGED = ("nx=18", "ny=4", "nz=5")
    CHIP = ("--system", "wse2x4")

    def on(self, wafers, script):
        """From here on, runs are of this workload on so many wafers."""
        self.SCRIPT, self.CHIP = script_of(script), ("--system", f"wse2x{wafers}")

    # Numbers.

    def test_waves_are_right_to_the_bit(self):
        """Wherever the grid is cut, and however many steps lie between exchanges."""
        for wafers, cases in ((2, ((8, 1, ()), (17, 2, ()), (31, 3, ("source=off",)))),
                              (4, ((16, 1, ("directions=ew",)), (39, 2, ()), (26, 1, ("chips=3", "block=3")))), (8, ((35, 1, ()),))):
            self.on(wafers, "stencil25")
            found = self.assertAllRight([(f"nx={nx}", f"exchange_steps={every}", *more) for nx, every, more in cases],
                                        "ny=7", "nz=8", "steps=5")
            for metrics, (_, every, more) in zip(found, cases, strict=True):
                self.assertEqual(metrics["chips"], 3 if "chips=3" in more else wafers)
                self.assertEqual(metrics["launches"], -(-5 // every))
                self.assertEqual(metrics["halo_columns"], 4 * every)

    def test_laplacians_are_right_to_the_bit(self):
        for wafers, cases in ((2, ((2, "fp32", "neighbour"), (9, "fp16", "broadcast"))),
                              (4, ((4, "mixed", "neighbour"), (11, "fp32", "broadcast"))), (8, ((17, "mixed", "broadcast"),))):
            self.on(wafers, "stencil7")
            self.assertAllRight([(f"nx={nx}", f"dtype={dtype}", f"mapping={mapping}") for nx, dtype, mapping in cases],
                                "ny=5", "nz=7", "iterations=2")

    def test_sums_are_right_to_the_bit(self):
        for wafers, cases in ((2, ((2, "fp32", "auto"), (7, "fp32", "chain"))), (8, ((19, "mixed", "corner"),)),
                              (4, ((13, "fp32", "center"), (10, "fp16", "tree"), (14, "fp32", "two-phase")))):
            self.on(wafers, "dot")
            found = self.assertAllRight([(f"nx={nx}", f"dtype={dtype}", f"pattern={pattern}") for nx, dtype, pattern in cases],
                                        "ny=5", "nz=9", "iterations=2")
            self.assertEqual({metrics["launches"] for metrics in found}, {3})

    def test_solutions_are_right_to_the_bit(self):
        for wafers, cases in (
                (2, ((2, "fp32", "multicast", "auto"), (11, "mixed", "neighbour", "two-phase"))),
                (4, ((4, "mixed", "broadcast", "corner"), (13, "fp32", "broadcast", "tree"))), (8, ((18, "fp32", "neighbour", "center"),))):
            self.on(wafers, "pcg")
            found = self.assertAllRight([(f"nx={nx}", f"dtype={dtype}", f"mapping={mapping}", f"pattern={pattern}")
                                         for nx, dtype, mapping, pattern in cases], "ny=6", "nz=9", "iterations=3")
            self.assertEqual({metrics["launches"] for metrics in found}, {1 + 2 * 3})

    def test_waves_do_not_depend_on_wafers(self):
        self.on(4, "stencil25")
        found = self.assertAllRight([(f"chips={chips}",) for chips in (1, 2, 3, 4)], "nx=37", "ny=6", "nz=6", "steps=4")
        self.assertEqual(len({(metrics["largest"], metrics["error_over_largest"]) for metrics in found}), 1)

    def test_a_tolerance_stops_where_one_wafer_stops(self):
        self.on(4, "pcg")
        words = ("nx=12", "ny=6", "nz=8", "iterations=60", "tolerance=0.1", "pattern=corner")
        one, four = (self.assertRight(*words, f"chips={chips}") for chips in (1, 4))
        self.assertTrue(four["metrics"]["is_converged"])
        self.assertEqual(one["iterations"], four["iterations"])
        self.assertEqual(len(four["metrics"]["residual_history"]), four["iterations"] + 1)

    def test_the_check_finds_what_is_wrong(self):
        for script in ("stencil25", "stencil7", "dot", "pcg"):
            self.on(4, script)
            self.assertRight(*self.CHANGED)
        for script, library, right, wrong in (
                ("stencil25", "wafer/wave25.lua", "(beyond - depth) % acoustic.period", "1 + (beyond - depth) % acoustic.period"),
                ("stencil25", "wafer/wave25.lua", "return neighbour.edges[opposite] end", "return part.edges[side] end"),
                ("stencil25", "wafer/acoustic25.lua", "send_at = now, before", "send_at = 0, before"),
                ("stencil7", "wafer/column_stencil.lua", "neighbour.edges[opposite]", "part.edges[side]"),
                ("dot", "wafer/parts.lua", "for i = 2, #self.list do", "for i = 3, #self.list do"),
                ("dot", "wafer/parts.lua", "{ roots[1], roots[i] }", "{ roots[i], roots[1] }"),
                ("pcg", "wafer/pcg.lua", "                it.turn_ghosts()\n", ""),
                ("pcg", "wafer/pcg.lua", "                it.begin_ghosts()\n", ""),
                ("pcg", "wafer/solve_phases.lua", "neighbour.edges[opposite]", "part.edges[side]")):
            self.on(4, script)
            if script == "stencil25" and "edges" in right:
                right, wrong = f"function(_, neighbour, opposite) {right}", f"function(side, neighbour, opposite) {wrong}"
            self.assertEqual(self.run_with(library, right, wrong), CHECK, (library, wrong))

    # Time.

    def test_one_wafer_of_several_is_one_wafer(self):
        """To the last cycle, in one launch."""
        for script in ("stencil25", "stencil7", "dot", "pcg"):
            self.on(2, script)
            words = ("nx=9", "ny=8", "nz=10")
            of_two = self.outcome(*words, "chips=1")
            self.CHIP = ("--chip", "wse2")
            self.assertEqual(of_two["cycles"], self.outcome(*words)["cycles"])
            self.assertNotIn("launches", of_two["metrics"])

    def test_an_exchange_is_two_transfers_and_a_launch(self):
        self.on(2, "stencil7")
        metrics = self.outcome("nx=6", "ny=5", "nz=300", "iterations=3")["metrics"]
        transfers = 2 * LATENCY + 5 * 300 * WORD * (1 / IN + 1 / OUT)
        self.assertAlmostEqual(metrics["transfer_seconds_per_iteration"] / transfers, 1, delta=1e-6)
        self.assertAlmostEqual(metrics["launch_seconds_per_iteration"] / LAUNCH, 1, delta=1e-9)
        self.assertAlmostEqual(metrics["host_seconds_per_iteration"] / (transfers + LAUNCH), 1, delta=1e-6)
        self.assertEqual(metrics["host_bytes_per_iteration"], 4 * 5 * 300 * WORD)
        self.assertAlmostEqual(metrics["compute_seconds_per_iteration"] * 850e6, metrics["cycles_per_iteration"], delta=1e-3)

    def test_wafers_share_the_host(self):
        """Inner wafers have two edges; once the outer ones have theirs, the others go faster."""
        self.on(8, "stencil7")
        metrics = self.outcome("nx=16", "ny=30", "nz=1400", "--timing-only",
                               "--set", "host.host_to_device_bytes_per_second=14e9")["metrics"]
        edge = 30 * 1400 * WORD
        there = LATENCY + edge / (HOST / 8) + edge / (HOST / 6)
        back = LATENCY + 2 * edge / OUT  # slower than its share of the host's
        self.assertAlmostEqual(metrics["transfer_seconds_per_iteration"] / (there + back), 1, delta=1e-6)

    def test_more_steps_between_exchanges_are_fewer_launches(self):
        self.on(2, "stencil25")
        one, three = self.metrics_of([("exchange_steps=1",), ("exchange_steps=3",)], "nx=24", "ny=5", "nz=5", "steps=6",
                                     "--timing-only")
        self.assertAlmostEqual(one["launch_seconds_per_iteration"] / three["launch_seconds_per_iteration"], 3, delta=1e-9)
        # Both levels, and columns three times as deep, a third as often.
        self.assertAlmostEqual(three["host_bytes_per_iteration"] / one["host_bytes_per_iteration"], 2, delta=1e-9)

    def test_a_solver_pays_two_launches_an_iteration(self):
        self.on(2, "pcg")
        words = ("nx=8", "ny=4", "nz=6", "--timing-only")
        few, many = (self.outcome(*words, f"iterations={n}")["seconds"] for n in (2, 5))
        edge, sum_of = 4 * 6 * WORD, WORD
        each = 2 * LAUNCH + 4 * LATENCY + (edge + 2 * sum_of) * (1 / IN + 1 / OUT)
        self.assertAlmostEqual((many - few) / 3 / each, 1, delta=0.01)

    def test_threads_and_data_do_not_change_time(self):
        for script in ("stencil25", "stencil7", "dot", "pcg"):
            self.on(4, script)
            words = ("nx=17", "ny=3", "nz=4", *(("steps=2",) if script == "stencil25" else ("iterations=2",)))
            self.assertThreadsDoNotMatter(*words)
            self.assertDataTakeNoTime(*words)

    def test_both_grains_agree(self):
        """In numbers to the bit, in time of PEs within 2 %."""
        for script in ("stencil25", "stencil7", "dot", "pcg"):
            self.on(2, script)
            words = ("nx=54", "ny=26", "nz=4", "steps=1" if script == "stencil25" else "iterations=1")
            cycles = [self.assertRight(*words, f"grain={grain}")["metrics"]["compute_seconds_per_iteration"]
                      for grain in ("wavelet", "stream")]
            self.assertAlmostEqual(cycles[1] / cycles[0], 1, delta=0.02, msg=script)

    # Calls.

    def arguments(self, body):
        return self.write("script.lua", ARGUMENTS.replace("BODY", body))

    def test_launches_take_variables(self):
        """They hold until others are given."""
        script = self.arguments("wafer:launch { left = 2 } wafer:launch() wafer:launch { right = 3, left = 0 }")
        metrics = self.result(script, "--chip", "wse2")["metrics"]
        self.assertEqual(metrics["seen"], [70, 7, 70, 7])

    def test_copies_in_a_list_are_one_transfer(self):
        metrics = self.result(self.arguments("wafer:launch()"), "--chip", "wse2")["metrics"]
        self.assertAlmostEqual(metrics["one"], LATENCY + 16 / IN, delta=1e-12)
        self.assertAlmostEqual(metrics["both"], LATENCY + 32 / IN, delta=1e-12)

    def test_wrong_variables_and_copies_are_refused(self):
        for body, says in (("wafer:launch { middle = 1 }", "no PE has a variable middle"),
                           ("wafer:launch { left = 1.5 }", "left: expected an integer"),
                           ("wafer:launch { left = 1 << 40 }", "left: expected an integer"),
                           ("wafer:launch { 4 }", "expected { variable = integer, ... }"),
                           ("wafer:launch(4)", "table expected"),
                           ("wafer:copy_to { 4 }", "expected one copy or a list of copies"),
                           ("wafer:copy_to(4)", "table expected")):
            self.assertFails(INPUT, [says], "run", self.arguments(body), "--chip", "wse2", traceback=None)

    # Limits.

    def test_what_cannot_be_is_refused(self):
        for script, words, says in (
                ("stencil25", ("chips=5",), "chips = 5: the system has 4"),
                ("stencil25", ("overlap=on",), "overlap = on: PEs of a wafer stand still"),
                ("pcg", ("overlap=on", "chips=1"), "only off is allowed on wafers"),
                ("stencil25", ("chips=4", "nx=15"), "each wafer needs 4 columns at least, nx is 16 or more"),
                ("stencil25", ("chips=2", "nx=15", "steps=9", "exchange_steps=2"), "each wafer needs 8 columns at least"),
                ("pcg", ("chips=4", "nx=3"), "each wafer needs 1 columns at least"),
                ("stencil25", ("nx=3000", "--timing-only"), "760 x 20 PEs of one, wse2 has at most 755 x 994"),
                ("pcg", ("nx=3021",), "756 x 20 PEs of one"),
                ("stencil7", ("ny=995",), "wse2 has at most 755 x 994"),
                ("pcg", ("nz=1400",), "nz is at most"),
                ("stencil25", ("exchange_steps=0",), "exchange_steps"),
                ("bicgstab", ("chips=2",), "chips")):
            self.on(4, script)
            self.assertRefused(words, says)

    def test_fewer_wafers_than_there_are_take_a_small_grid(self):
        self.on(4, "stencil25")
        two, one = self.assertAllRight([("nx=11",), ("nx=7",)], "ny=5", "nz=5")
        self.assertEqual(two["chips"], 2)
        self.assertNotIn("chips", one)

    def test_the_largest_column_fits(self):
        """With a ghost of r in the PEs at the edge."""
        self.on(2, "pcg")
        self.assertRefused(("nx=2", "ny=1", "nz=1245"), "nz is at most 1244")
        self.assertRight("nx=2", "ny=1", "nz=1244", "iterations=1")


if __name__ == "__main__":
    unittest.main()
