"""The dot product on a grid of cores: results, times, routing patterns, bad input."""
import json
import os
import unittest

import gridloom
from gridloom import INPUT
from workload_runs import WorkloadRuns, script_of

EXPERIMENTS = os.path.join(gridloom.SOURCE, "workloads/experiments")

# A script with the dot product and one pattern of its own, called mine.
OWN = """local patterns = {{}}
function patterns.mine(x, y, grid)
    {}
end
return require("cores/dot_product").script(patterns)
"""

# Three reductions in one kernel, of tiles full of (core + 1) * round: movers note totals.
REPEATED = """local reduction, tree = require("cores/reduction"), require("cores/tree")
local ROUNDS = 3
return {{ summary = "a script for a test", chips = {{ "tensix" }}, parameters = {{}},
kernels = {{
    reader = function(args)
        cb_reserve_back(0, 1) cb_push_back(0, 1)
        for round = 0, ROUNDS - 1 do
            reduction.receive(args.r)
            reduction.total(args.r)
            store_words(args.log + 4 * round, load_word(args.result))
        end
    end,
    writer = function(args)
        for _ = 1, ROUNDS do
            reduction.send(args.r)
        end
    end,
    compute = function(args)
        init_sfpu(0, args.r.partial)
        cb_wait_front(0, 1)
        for round = 1, ROUNDS do
            tile_regs_acquire()
            copy_tile(0, 0, 0)
            mul_unary_tile(0, round)
            tile_regs_commit()
            cb_reserve_back(args.r.partial, 1)
            tile_regs_wait()
            pack_tile(0, args.r.partial)
            tile_regs_release()
            cb_push_back(args.r.partial, 1)
            reduction.combine(args.r)
            cb_wait_front(args.r.result, 1)
            cb_pop_front(args.r.result, 1)
        end
    end,
}},
run = function(host)
    local cores = {{ 0, 0, 4, 3 }}
    local sums = tree.make("{routing}", require("cores/routing").{routing}, 5, 4)
    local memory = reduction.memory(host, sums, "fp32")
    local at = host.l1_allocate {{ cores = cores, bytes = 4096 }}
    local log = host.l1_allocate {{ cores = cores, bytes = 32 }}
    local tile = host.buffer(4096)
    for core = 0, 19 do
        tile:fill_with("fp32", core + 1)
        host.l1_write(core % 5, core // 5, at, tile)
    end
    local program = host.program()
    program:circular_buffer {{ cores = cores, index = 0, pages = 1, format = "fp32", address = at }}
    local describe = reduction.describe(host, program, {{
        tree = sums, memory = memory, format = "fp32", unit = "sfpu", granularity = "{granularity}" }})
    for _, name in ipairs {{ "reader", "writer", "compute" }} do
        program:kernel {{ kernel = name, processor = name, cores = cores, fp32_dst = true,
            args = function(x, y) return {{ r = describe(x, y), log = log, result = memory.result_at }} end }}
    end
    host.wait(host.launch(program))
    local totals, noted = {{}}, host.buffer(32)
    for core = 0, 19 do
        host.l1_read(core % 5, core // 5, log, noted)
        for round = 0, ROUNDS - 1 do
            totals[#totals + 1] = noted:get("fp32", round)
        end
    end
    host.metric("totals", totals)
end }}
"""


class Dot(WorkloadRuns):
    SCRIPT = script_of("dot")

    def microseconds(self, *words):
        result = self.outcome(*words, "--timing-only")
        return 1e6 * result["seconds_per_iteration"]

    def assertRefused(self, says, *words, script="dot"):
        self.assertFails(INPUT, says, "run", script, *words)

    # Results.

    def test_every_kind_agrees_with_both_references(self):
        for dtype in ["fp32", "bf16"]:
            for granularity in ["scalar", "tile"]:
                for routing in ["naive", "center", "direct"]:
                    with self.subTest(dtype=dtype, granularity=granularity, routing=routing):
                        result = self.outcome(
                            "rows=3", "cols=4", "tiles=3", f"dtype={dtype}",
                            f"granularity={granularity}", f"routing={routing}")

                        self.assertEqual(result["check"]["status"], "pass")
                        self.assertGreater(result["check"]["max_abs_error"], 0)
                        self.assertLess(
                            abs(result["metrics"]["total"] - result["metrics"]["total_in_double"]),
                            result["check"]["tolerance"])

    def test_one_core_and_one_tile(self):
        self.assertAllRight([(f"dtype={dtype}", f"granularity={granularity}") for dtype in ["fp32", "bf16"]
                             for granularity in ["scalar", "tile"]], "rows=1", "cols=1", "tiles=1")

    def test_a_root_takes_more_sums_than_it_has_room_for_again_and_again(self):
        result = self.outcome("rows=4", "cols=5", "tiles=1", "routing=direct", "iterations=3")

        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(result["metrics"]["most_inputs"], 19)

    def test_reductions_follow_one_another_in_one_kernel(self):
        total = 1024 * sum(range(1, 21))

        for routing in ["naive", "center", "direct"]:
            for granularity in ["scalar", "tile"]:
                with self.subTest(routing=routing, granularity=granularity):
                    script = self.write("repeated.lua", REPEATED.format(
                        routing=routing, granularity=granularity))
                    totals = self.outcome(script=script)["metrics"]["totals"]

                    self.assertEqual(totals, 20 * [total, 2 * total, 3 * total])

    def test_the_order_of_adding_shows_in_the_last_places(self):
        found = self.metrics_of([(f"routing={name}",) for name in ["naive", "center", "direct"]], "tiles=2")

        self.assertGreater(len({metrics["total"] for metrics in found}), 1)

    def test_flops_are_those_of_the_tiles(self):
        result = self.outcome("rows=1", "cols=1", "tiles=5", "dtype=bf16")

        # 5 products, 4 sums and a sum of the tile
        self.assertEqual(result["counters"]["flops"], 10 * 1024)

    # Grids of numbers.

    def test_nx_ny_nz_are_rows_cols_tiles(self):
        by_cells = self.outcome("nx=192", "ny=32", "nz=4")
        by_cores = self.outcome("rows=2", "cols=3", "tiles=4")

        self.assertIs(by_cells["metrics"].pop("is_padded"), False)
        self.assertIs(by_cores["metrics"].pop("is_padded"), False)
        self.assertEqual(by_cells["metrics"], by_cores["metrics"])
        self.assertEqual(by_cells["cycles"], by_cores["cycles"])

    def test_a_grid_that_fills_no_whole_tiles_is_padded(self):
        whole, sizes = self.outcome("rows=2", "cols=2", "tiles=2"), ((100, 20), (65, 32), (128, 17))
        for words in (["dtype=fp32"], ["dtype=bf16", "granularity=tile"], ["arithmetic=ieee"]):
            found = self.assertAllRight([(f"nx={nx}", f"ny={ny}") for nx, ny in sizes], "nz=2", *words)

            for metrics, (nx, ny) in zip(found, sizes, strict=True):
                self.assertEqual(metrics["grid"], [nx, ny, 2])
                self.assertIs(metrics["is_padded"], True)
                self.assertNotAlmostEqual(metrics["total"], whole["metrics"]["total"], places=2)
        for nx, ny in sizes:
            self.assertEqual(self.outcome(f"nx={nx}", f"ny={ny}", "nz=2", "--timing-only")["cycles"], whole["cycles"])

    def test_one_number_is_one_product(self):
        result = self.outcome("nx=1", "ny=1", "nz=1")["metrics"]

        self.assertLess(abs(result["total_in_double"]), 1)
        self.assertAlmostEqual(result["total"], result["total_in_double"], places=6)

    def test_what_is_outside_the_grid_would_be_found(self):
        with open(os.path.join(gridloom.SOURCE, "workloads/lib/cores/grid.lua"), encoding="utf-8") as file:
            library = file.read()
        for right, wrong in (("inside:put(at + line ", "zeros:put(0 * line "),
                             ("inside:put(at + lines ", "zeros:put(0 * lines "),
                             ("local lines = math.min(LINES, size.nx", "local lines = math.min(LINES, -1 + size.nx"),
                             ("local numbers = math.min(LINE, size.ny", "local numbers = math.min(LINE, -1 + size.ny")):
            self.assertEqual(library.count(right), 1, right)
            self.write("cores/grid.lua", library.replace(right, wrong))
            self.write("own.lua", 'return require("cores/dot_product").script(require("cores/routing"))')

            failed = self.gridloom("run", "own.lua", "nx=100", "ny=20", "nz=2", "-q")
            self.assertEqual(failed.returncode, gridloom.CHECK, (wrong, failed.stderr))

    # Times.

    def test_an_iteration_is_a_launch(self):
        once = self.microseconds("rows=2", "cols=2", "tiles=2")
        thrice = self.microseconds("rows=2", "cols=2", "tiles=2", "iterations=3")
        device = self.outcome("rows=2", "cols=2", "tiles=2")["metrics"]["device_cycles_per_iteration"]

        self.assertAlmostEqual(once, thrice, places=6)
        self.assertAlmostEqual(once, 30 + device / 1000, places=6)

    def test_numbers_are_a_little_faster_than_tiles_on_all_cores(self):
        scalar = self.microseconds("granularity=scalar")
        tile = self.microseconds("granularity=tile")

        self.assertAlmostEqual(100 * (tile / scalar - 1), 1.8, delta=1)

    def test_one_core_sends_nothing(self):
        one = ["rows=1", "cols=1"]

        self.assertEqual(self.microseconds("granularity=scalar", *one),
                         self.microseconds("granularity=tile", *one))

    def speedup(self, *words):
        """The gain of the centre over naive routing, in percent."""
        naive = self.microseconds("granularity=tile", "routing=naive", *words)
        center = self.microseconds("granularity=tile", "routing=center", *words)
        return 100 * (naive / center - 1)

    def test_the_centre_helps_where_there_is_little_else_to_do(self):
        self.assertAlmostEqual(self.speedup("tiles=1"), 15, delta=5)
        self.assertAlmostEqual(self.speedup("tiles=128"), 0, delta=5)

    def test_the_centre_is_slower_on_few_cores(self):
        for grid in [["rows=1", "cols=2"], ["rows=2", "cols=2"]]:
            self.assertLess(self.speedup("tiles=1", *grid), 0)

    def test_everybody_to_the_root_keeps_the_root_busy(self):
        self.assertGreater(self.microseconds("routing=direct", "tiles=1"),
                           self.microseconds("routing=naive", "tiles=1"))

    def test_times_do_not_depend_on_numbers_or_threads(self):
        words = ["run", "dot", "tiles=2", "rows=3", "cols=3", "-q"]

        self.succeed(*words, "--json", "one.json")
        self.succeed(*words, "--json", "two.json", "--threads", "2")
        self.succeed(*words, "--json", "timing.json", "--timing-only")

        self.assertEqual(gridloom.without_host(self.read("one.json")),
                         gridloom.without_host(self.read("two.json")))
        self.assertEqual(json.loads(self.read("one.json"))["cycles"],
                         json.loads(self.read("timing.json"))["cycles"])

    # User-defined patterns.

    def test_the_example_adds_a_fourth_pattern(self):
        script = os.path.join(EXPERIMENTS, "dot_binary.lua")
        result = self.outcome("tiles=1", "routing=binary", script=script)

        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(result["metrics"]["longest_way_hops"], 5)
        self.assertRefused(["expected one of naive, center, direct, binary"], "routing=x", script=script)

    def assertPatternRefused(self, body, *says):
        script = self.write("own.lua", OWN.format(body))
        self.assertRefused(["routing mine: ", *says], "rows=2", "cols=3", script=script)

    def test_a_pattern_must_bring_every_core_to_one_root(self):
        self.assertPatternRefused("if x > 0 then return x - 1, y end", "leaves core[0,1] out",
                                  "core[0,0] is the root already")
        self.assertPatternRefused("if x == 2 then return 1, y elseif x == 1 then return 2, y "
                                  "elseif y > 0 then return 0, 0 end",
                                  "leaves core[1,0] out: its way never comes to the root")
        self.assertPatternRefused("return 0, 0", "no core is the root")

    def test_a_pattern_must_name_cores(self):
        self.assertPatternRefused("if x + y > 0 then return x + 1, y end",
                                  "core[2,0] sends to core[3,0], the grid has columns 0..2 and rows 0..1")
        self.assertPatternRefused("if x + y > 0 then return 'left', y end",
                                  "core[1,0] sends to core[left,0]")
        self.assertPatternRefused("if x + y > 0 then return x / 2, y end", "sends to core[0.5,0]")

    def test_a_pattern_of_ones_own_runs(self):
        script = self.write("own.lua", OWN.format(
            "if y > 0 then return x, y - 1 elseif x > 0 then return x - 1, y end"))
        result = self.outcome("rows=3", "cols=3", "tiles=1", script=script)

        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(result["parameters"]["routing"], "mine")

    # Bad input.

    def test_settings_that_cannot_be_are_refused_in_one_line(self):
        self.assertRefused(["rows=8 cols=8: wormhole_n300 has 7 rows and 8 columns"], "rows=8")
        self.assertRefused(["rows=7 cols=9: wormhole_n300 has 7 rows and 8 columns"], "cols=9")
        self.assertRefused(["nx=513 ny=16, rows=1 cols=9: ", "nx is up to 512 and ny up to 112"],
                           "nx=513", "ny=16", "nz=1")
        self.assertRefused(["nx=5 ny=0 nz=1: give all three, or none"], "nx=5", "nz=1")
        self.assertRefused(["nz = 4096, ", " of each vector fit into a core's L1"], "nx=5", "ny=1", "nz=4096")
        self.assertRefused(["tiles = 0, expected an integer in 1.."], "tiles=0")
        self.assertRefused(["unit = fpu, dtype fp32 needs sfpu"], "unit=fpu")
        self.assertRefused(["routing = ring, expected one of naive, center, direct"], "routing=ring")
        self.assertRefused(["granularity = row, expected one of scalar, tile"], "granularity=row")

    def test_n150_has_one_row_more(self):
        self.outcome("rows=8", "tiles=1", "--chip", "wormhole_n150")

    def test_too_many_tiles_are_refused_with_how_many_fit(self):
        for dtype in ["fp32", "bf16"]:
            failed = self.gridloom("run", "dot", "tiles=4096", f"dtype={dtype}")
            fit = int(failed.stderr.partition("tiles = 4096, ")[2].split()[0])

            self.assertRefused([f"tiles = {fit + 1}, {fit} of each vector fit into a core's L1"],
                               f"tiles={fit + 1}", f"dtype={dtype}")
            self.microseconds(f"tiles={fit}", f"dtype={dtype}")
            self.assertGreaterEqual(fit, 164)

    # Figures.

    def test_figures_are_one_command_each(self):
        for name, script in [("figure5", "figure5_granularity.lua"), ("figure6", "figure6_routing.lua")]:
            self.succeed("run", os.path.join(EXPERIMENTS, script), "--timing-only", "--out", name,
                         "--no-trace")

            lines = self.read(f"{name}/{name}.csv").splitlines()
            self.assertEqual(len(lines), 15 if name == "figure5" else 57)
            self.assertIn("56,7,8,", lines[-1])
            self.assertTrue(self.read(f"{name}/{name}.svg").startswith("<"))


if __name__ == "__main__":
    unittest.main()
