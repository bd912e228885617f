"""The 7-point stencil: right to the bit, its time, and its refusals."""
import csv
import io
import itertools
import os
import unittest

import gridloom
from gridloom import CHECK, DONE
from workload_runs import WorkloadRuns, script_of

# Operations through circular buffers of one tile: 7 products and 6 sums of two operands,
# 4 shifted copies and 3 transposes of one.
TWO_OPERANDS, ONE_OPERAND = 13, 7

# A chain of n operations in which each needs the result of the one before.
CHAIN = """
local vectors = require("cores/tile_vectors")
local HERE = { x = 0, y = 0 }
return { summary = "a chain of operations", chips = { "tensix" },
parameters = {
    { name = "n", type = "integer", default = 1, help = "operations" },
    { name = "what", type = "choice", default = "add", choices = { "add", "shift", "transpose" }, help = "which" },
    { name = "dtype", type = "choice", default = "bf16", choices = { "bf16", "fp32" }, help = "format" },
},
kernels = {
    reader = function()
        cb_reserve_back(0, 1)
        cb_push_back(0, 1)
    end,
    compute = function(args)
        local unit = args.dtype == "fp32" and vectors.sfpu or vectors.fpu
        unary_op_init_common(0, 1)
        vectors.copy(1, 0, 0, 1)
        for _ = 1, args.n do
            if args.what == "add" then
                unit.add(1, 1, nil, 0, 0, 1)
            elseif args.what == "shift" then
                vectors.shift(1, 1, nil, 32, 1)
            else
                vectors.transpose(1, 1, nil, 1)
            end
        end
        cb_wait_front(1, 1)
        cb_pop_front(1, 1)
        cb_pop_front(0, 1)
    end,
},
run = function(host, p)
    local program = host.program()
    program:circular_buffer { cores = HERE, index = 0, pages = 1, format = p.dtype }
    program:circular_buffer { cores = HERE, index = 1, pages = 2, format = p.dtype }
    program:kernel { kernel = "reader", processor = "reader", cores = HERE }
    program:kernel {
        kernel = "compute", processor = "compute", cores = HERE, code = "large",
        fp32_dst = p.dtype == "fp32", args = { n = p.n, what = p.what, dtype = p.dtype },
    }
    host.metric("cycles", host.wait(host.launch(program)))
end }
"""


class Stencil7(WorkloadRuns):
    SCRIPT = script_of("stencil7")
    CHANGED = ("rows=2", "cols=2", "tiles=6")

    def cycles(self, rows, cols, *words):
        """Cycles of a product with 64 tiles per core."""
        return self.outcome(f"rows={rows}", f"cols={cols}", "--timing-only", *words)["cycles"]

    # Numbers.

    def test_every_shape_is_right_to_the_bit(self):
        self.assertAllRight([(f"rows={rows}", f"cols={cols}", f"tiles={tiles}", f"dtype={dtype}")
                             for rows, cols, tiles in [(1, 1, 1), (1, 1, 2), (1, 2, 3), (2, 1, 3), (3, 3, 4)]
                             for dtype in ("bf16", "fp32")])

    def test_products_in_one_launch_follow_each_other(self):
        result = self.assertRight("rows=2", "cols=3", "tiles=3", "iterations=4")

        self.assertEqual(result["iterations"], 4)

    def test_what_was_left_out_is_not_checked_and_the_result_says_so(self):
        for words in itertools.product(("halo=on", "halo=off"), ("zero_fill=on", "zero_fill=off")):
            check = self.assertRight("rows=2", "cols=3", "tiles=3", *words)["check"]
            self.assertEqual("are not checked" in check["reference"],
                             words != ("halo=on", "zero_fill=on"), check)

    def test_nx_ny_nz_are_rows_cols_tiles(self):
        by_cells = self.outcome("nx=192", "ny=32", "nz=4")
        by_cores = self.outcome("rows=2", "cols=3", "tiles=4")

        self.assertEqual(by_cells["metrics"], by_cores["metrics"])
        self.assertEqual(by_cells["cycles"], by_cores["cycles"])
        self.assertIs(by_cells["metrics"]["is_padded"], False)

    def test_a_grid_that_fills_no_whole_tiles_is_padded_and_masked(self):
        sizes = ((100, 20, 3), (65, 32, 2), (128, 17, 2), (1, 1, 1))
        for words in (["dtype=bf16", "iterations=2"], ["dtype=fp32", "iterations=2"],
                      ["arithmetic=ieee"], ["halo=off", "zero_fill=off"]):
            found = self.assertAllRight([(f"nx={nx}", f"ny={ny}", f"nz={nz}") for nx, ny, nz in sizes], *words)

            self.assertEqual([metrics["grid"] for metrics in found], [list(size) for size in sizes])
            self.assertEqual({metrics["is_padded"] for metrics in found}, {True})

    def test_masks_cost_a_product_for_each_tile(self):
        """At least four passes of the FPU over 64 lines, at most a chain of operations."""
        for dtype, least, most in (("bf16", 64, 258), ("fp32", 64, 892)):
            words = (f"dtype={dtype}", "--timing-only")
            whole = self.outcome("rows=1", "cols=1", "tiles=16", *words)["cycles"]
            padded = self.outcome("nx=60", "ny=16", "nz=16", *words)["cycles"]

            self.assertGreater(padded - whole, 16 * least)
            self.assertLess(padded - whole, 16 * most)

    def test_the_check_finds_what_is_wrong_outside_the_grid(self):
        for library, right, wrong in (
                ("cores/grid.lua", "inside:put(at + line ", "zeros:put(0 * line "),
                ("cores/grid.lua", "inside:put(at + lines ", "zeros:put(0 * lines "),
                ("cores/grid.lua", "is_inside and 1 or 0", "1"),
                ("cores/grid.lua", "i // LINE < size.nx and", "i // LINE < size.nx - 1 and"),
                ("cores/laplacian7_product.lua", "core_grid.mask_total(p.size, column, row)", "0")):
            for dtype in ("bf16", "fp32"):
                self.assertEqual(self.run_with(library, right, wrong, f"dtype={dtype}",
                                               size=("nx=100", "ny=20", "nz=2")), CHECK, wrong)

    def test_the_check_finds_what_is_wrong(self):
        """Also if other edges are left out."""
        for right, wrong, *words in [
                ("noc_async_write(from + line * bytes", "noc_async_write(from"),
                ("noc_async_write(from + line * bytes", "noc_async_write(from", "zero_fill=off"),
                ("fill_words(page + line * s.line_bytes", "fill_words(page"),
                ("fill_words(page + line * s.line_bytes", "fill_words(page", "halo=off"),
                ("vectors.shift(1, x, k, -line", "vectors.shift(1, x, k, line"),
                ("subtract(x, k - 1", "subtract(x, k"),
                ("subtract(x, k - 1", "subtract(x, k", "halo=off", "zero_fill=off")]:
            self.assertEqual(self.run_with("cores/laplacian7.lua", right, wrong, *words), CHECK,
                             (wrong, words))

    def test_a_core_that_lags_gets_its_lines_when_it_can_take_them(self):
        place = "local function announce(s, tile)\n"
        lagging = place + "    if my_x() == 0 and my_y() == 0 then delay(20000) end\n"

        self.assertEqual(self.run_with("cores/laplacian7.lua", place, lagging), DONE)
        self.assertEqual(self.run_with("cores/laplacian7.lua", place, lagging, "dtype=fp32"), DONE)

    def test_threads_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=3", "cols=4", "tiles=4")

    def test_timing_does_not_depend_on_numbers(self):
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=4")

    # Time.

    def test_operations_in_a_chain_take_as_long_as_worked_out(self):
        """tensix-mechanisms 3: 258 and 199 in a large kernel, FP32 892 with set-up twice."""
        for what, dtype, expected in [("add", "bf16", 258), ("shift", "bf16", 199),
                                      ("transpose", "bf16", 199), ("add", "fp32", 892)]:
            script = self.write("chain.lua", CHAIN)
            short, long = (self.outcome(f"n={n}", f"what={what}", f"dtype={dtype}", script=script)
                           ["metrics"]["cycles"] for n in (100, 200))
            self.assertAlmostEqual((long - short) / 100, expected, delta=0.05 * expected, msg=what)

    def test_a_tile_takes_no_longer_than_a_chain_of_its_operations(self):
        chain = TWO_OPERANDS * 258 + ONE_OPERAND * 199
        tile = self.cycles(3, 3) / 64

        self.assertLess(tile, chain)
        self.assertGreater(tile, 0.8 * chain)

    def test_weak_scaling_is_flat(self):
        times = [self.cycles(*grid) for grid in ((3, 3), (5, 5), (7, 8))]

        self.assertLess(max(times) / min(times), 1.03)

    def test_zeros_cost_most_where_there_are_most(self):
        one, many = self.cycles(1, 1), self.cycles(7, 8)
        without = self.cycles(1, 1, "zero_fill=off")

        self.assertGreater(one, 1.01 * many)
        # 80 words per tile, 5.17 cycles each, minus the part hidden behind the next operation.
        self.assertGreater(one - without, 64 * 250)
        self.assertLess(one - without, 64 * 80 * 5.17)
        self.assertEqual(without, self.cycles(1, 1, "zero_fill=off", "halo=off"))

    def test_in_the_mean_over_cores_small_grids_are_slower(self):
        means = []
        for rows, cols in ((1, 1), (2, 2), (3, 3), (7, 8)):
            result = self.outcome(f"rows={rows}", f"cols={cols}", "--timing-only")
            self.assertLessEqual(result["metrics"]["mean_core_cycles_per_tile"],
                                 result["metrics"]["cycles_per_tile"])
            means.append(result["metrics"]["mean_core_cycles_per_tile"])

        for larger, smaller in zip(means, means[1:]):
            self.assertGreater(larger, smaller)
        self.assertLess(means[2] / means[3], 1.03)

    def test_halos_cost_little(self):
        for rows, cols in ((2, 2), (7, 8)):
            self.assertLess(self.cycles(rows, cols),
                            1.03 * self.cycles(rows, cols, "halo=off"))

    # Refusals.

    def test_a_problem_too_large_for_l1_says_how_many_tiles_fit(self):
        for dtype, fit in (("bf16", 349), ("fp32", 170)):
            self.assertRefused((f"dtype={dtype}", f"tiles={fit + 1}", "--timing-only"),
                               f"tiles = {fit + 1}, {fit} of x and of y fit", "L1", dtype)
            self.outcome(f"dtype={dtype}", f"tiles={fit}", "rows=1", "cols=1", "--timing-only")

    def test_a_grid_larger_than_the_chip(self):
        for words, *says in (
                (["rows=8"], "rows=8 cols=8: ", "7 rows and 8 columns"),
                (["cols=9"], "rows=7 cols=9: ", "7 rows and 8 columns"),
                (["nx=64", "ny=113", "nz=1", "tiles_y=1"], "nx=64 ny=113, rows=8 cols=1: ", "ny up to 112"),
                (["nx=64", "ny=16"], "nx=64 ny=16 nz=0: give all three, or none and rows"),
                (["nx=6", "ny=16", "nz=4096"], "nz = 4096, 348 of x and of y fit", "L1")):
            self.assertRefused(words, *says)

    def test_settings_out_of_range(self):
        for word, says in (("tiles=0", "1..4096"), ("rows=0", "1..64"), ("dtype=fp16", "bf16"),
                           ("halo=maybe", "on"), ("iterations=0", "1..")):
            self.assertRefused((word,), word.split("=")[0], says)

    # Figure 11.

    def test_figure_11(self):
        self.succeed("run", os.path.join(gridloom.SOURCE, "workloads", "experiments",
                                         "figure11_stencil.lua"),
                     "tiles=8", "--timing-only", "--out", "out", "--no-trace", "-q")
        rows = list(csv.DictReader(io.StringIO(self.read("out/figure11.csv"))))

        self.assertEqual(len(rows), 8 * 4)
        self.assertEqual({row["variant"] for row in rows},
                         {"full", "no halo", "no zero fill", "neither"})
        neither = {row["us"] for row in rows if row["variant"] == "neither"}
        self.assertEqual(len(neither), 1)
        for name in ("figure11.svg", "figure11_mean.svg"):
            self.assertIn("no zero fill", self.read("out/" + name))


if __name__ == "__main__":
    unittest.main()
