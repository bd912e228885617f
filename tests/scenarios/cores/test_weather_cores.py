"""hdiff and vadvc on cores with tiles: right to the bit or within their bound, and their time."""
import unittest

from gridloom import CHECK
from workload_runs import WorkloadRuns, script_of

# Kernels call the SFPU's comparisons and print their results.
COMPARE = """
return { summary = "compare", chips = { "tensix" }, parameters = {},
kernels = {
    reader = function()
        cb_reserve_back(0, 1)
        cb_push_back(0, 1)
        cb_wait_front(16, 8)
        cb_pop_front(16, 8)
    end,
    compute = function()
        init_sfpu(0, 16)
        local calls = { eqz_tile, nez_tile, ltz_tile, gtz_tile, lez_tile, gez_tile,
            function(dst) add_unary_tile(dst, 0.5) end, function(dst) sub_unary_tile(dst, 0.5) end }
        cb_wait_front(0, 1)
        for _, call in ipairs(calls) do
            tile_regs_acquire()
            copy_tile(0, 0, 0)
            call(0)
            tile_regs_commit()
            cb_reserve_back(16, 1)
            tile_regs_wait()
            pack_tile(0, 16)
            tile_regs_release()
            cb_push_back(16, 1)
        end
    end,
},
run = function(host)
    local program, cores, bytes = host.program(), { x = 0, y = 0 }, host.tile_bytes("fp32")
    local at = host.l1_allocate { cores = cores, bytes = 9 * bytes, name = "tiles" }
    local tile, tiles = host.buffer(bytes), host.buffer(8 * bytes)
    for i, x in ipairs { 0, -0.0, 2.5, -2.5, 1 / 0, -1 / 0, 0 / 0 } do
        tile:set("fp32", i - 1, x)
    end
    host.l1_write(0, 0, at, tile)
    program:circular_buffer { cores = cores, index = 0, pages = 1, format = "fp32", address = at }
    program:circular_buffer { cores = cores, index = 16, pages = 8, format = "fp32", address = at + bytes }
    program:kernel { kernel = "reader", processor = "reader", cores = cores }
    program:kernel { kernel = "compute", processor = "compute", cores = cores, fp32_dst = true }
    host.wait(host.launch(program))
    host.l1_read(0, 0, at + bytes, tiles)
    for i, name in ipairs { "eqz", "nez", "ltz", "gtz", "lez", "gez", "add", "sub" } do
        local numbers = {}
        for k = 0, 6 do
            numbers[k + 1] = ("%g"):format(tiles:get("fp32", (i - 1) * 1024 + k))
        end
        host.metric(name, table.concat(numbers, " "))
    end
end }
"""


class OnCores(WorkloadRuns):
    CHIP = ("--chip", "wormhole_n300")

    def sized(self, nx, ny, nz, *words):
        return self.assertRight(f"nx={nx}", f"ny={ny}", f"nz={nz}", *words)

    def all_sized(self, sizes, variants, *words):
        """The metrics of all variants and sizes, each with right results."""
        cases = [(size, variant) for size in sizes for variant in variants]
        found = self.assertAllRight([(f"nx={nx}", f"ny={ny}", f"nz={nz}", *variant) for (nx, ny, nz), variant in cases],
                                    *words)
        self.assertEqual([metrics["points"] for metrics in found],
                         [(nx - 4) * (ny - 4) * nz for (nx, ny, nz), _ in cases])
        return found

    def wrong(self, library, changes, **options):
        for right, wrong in changes:
            self.assertEqual(self.run_with(library, right, wrong, **options), CHECK, wrong)


class Hdiff(OnCores):
    SCRIPT = script_of("hdiff")
    CHANGED = ("nx=21", "ny=40", "nz=9")

    def test_sizes_with_and_without_limiter(self):
        found = self.all_sized(((5, 5, 1), (6, 9, 8), (33, 17, 9), (70, 66, 10)),
                               (("limiter=on",), ("limiter=off",), ("dtype=bf16",), ("dtype=bf16", "limiter=off")))
        self.assertEqual([metrics["flops_per_point"] for metrics in found], 8 * [42, 34])

    def test_results_are_right_to_the_bit(self):
        """The check finds one last place less in one constant, which the bound would allow."""
        self.wrong("cores/hdiff_kernels.lua", (("{ 4, 1, -1, c, -c }", "{ 4, 1, -1, c, -c * 0.994 }"),),
                   size=(*self.CHANGED, "dtype=bf16"))
        self.wrong("cores/hdiff_kernels.lua",
                   (("mul_unary_tile(0, s.coefficient)", "mul_unary_tile(0, s.coefficient * (1 - 1e-7))"),))

    def test_several_slabs_of_a_core(self):
        """Rows are long, so there are more slabs than cores; they follow each other in L1."""
        metrics = self.sized(1300, 70, 8, "rounds=2")["metrics"]
        self.assertLess(metrics["rows_of_a_slab"] * 56, 66 + 56)

        once = self.sized(120, 40, 8)["metrics"]["cycles_per_round"]
        twice = self.sized(120, 40, 8, "rounds=3")["metrics"]["cycles_per_round"]
        self.assertAlmostEqual(twice / once, 1, delta=0.1)

    def test_the_check_finds_what_is_wrong(self):
        self.wrong("cores/hdiff_kernels.lua", (
            ("take(U, i, at - x, 1)", "take(U, i, at, 1)"),
            ("take(U, i, at + y, 1)", "take(U, i, at + x, 1)"),
            ("lez_tile(slope)", "gez_tile(slope)"),
            ("take(FX, i, y - x, 1)", "take(FX, i, y, 1)"),
            ("take(FY, i, 0, 2)", "take(FY, i, y, 2)"),
            ("take(U, i, at + y, 3)", "take(U, i, at + x, 3)"),
            ("+ 2 * s.line * number, inner)", "+ 2 * s.line * number, inner + 64)"),
            ("cb_wait_front(OUT, tiles_for(row * s.row + s.row - 4 * s.line))", "")))
        self.wrong("cores/hdiff_kernels.lua", (
            ("add_product(FX, i, y - x, PLUS_C, 0)", "add_product(FX, i, y, PLUS_C, 0)"),
            ("add_difference(U, i, at, shift, flux + 1)", "add_difference(U, i, 0, shift, flux + 1)"),
            ("add_product(U, i, at, FOUR, 0)", "add_product(U, i, at, ONE, 0)")),
            size=(*self.CHANGED, "dtype=bf16"))
        self.wrong("cores/hdiff.lua", (("slab < inner % it.slabs and 1 or 0", "0"),),
                   size=("nx=300", "ny=75", "nz=33"))

    def test_threads_and_data_do_not_matter(self):
        self.assertThreadsDoNotMatter("nx=37", "ny=50", "nz=20")
        self.assertDataTakeNoTime("nx=37", "ny=50", "nz=20")

    def test_rates_and_zones(self):
        result = self.outcome("nx=64", "ny=60", "nz=16", "rounds=2", "--timing-only")
        metrics = result["metrics"]
        flop = 60 * 56 * 16 * 42 * 2
        self.assertAlmostEqual(metrics["gflops"], flop / result["cycles"], places=6)
        self.assertLessEqual({"laplacian", "flux", "result", "read", "wait", "write"},
                             set(result["zones"]))

    def test_the_fpu_is_faster_and_the_limiter_costs(self):
        words = ("nx=128", "ny=60", "nz=32", "--timing-only")
        single = self.outcome(*words)["cycles"]
        self.assertGreater(single, 1.5 * self.outcome(*words, "dtype=bf16")["cycles"])
        self.assertGreater(single, 1.2 * self.outcome(*words, "limiter=off")["cycles"])

    def test_the_whole_domain(self):
        """All 56 cores have the same share: 8 levels of 36 rows."""
        result = self.assertRight()
        metrics = result["metrics"]
        self.assertEqual((metrics["levels_of_a_slab"], metrics["rows_of_a_slab"]), (8, 36))
        self.assertGreater(metrics["mean_core_cycles_per_round"], 0.97 * result["cycles"])

    def test_what_is_refused(self):
        for words, says in ((("nx=4",), "5.."), (("dtype=fp16",), "bf16"), (("rounds=0",), "1.."),
                            (("pes=4",), "nero"), (("nx=4096", "nz=8"), "nx = 4096, ")):
            self.assertRefused(words, says)


class Vadvc(OnCores):
    SCRIPT = script_of("vadvc")
    CHANGED = ("nx=21", "ny=12", "nz=5", "arithmetic=ieee")

    def test_sizes(self):
        sizes = ((5, 5, 2), (6, 9, 3), (33, 70, 9), (9, 1100, 3))
        for metrics in (*self.all_sized(sizes, ((), ("dtype=bf16",))), *self.all_sized(sizes, ((),), "arithmetic=ieee")):
            self.assertEqual(metrics["flops_per_point"], 30)

    def test_ieee_is_right_to_the_bit(self):
        self.wrong("cores/vadvc_kernels.lua",
                   (("mul_unary_tile(0, s.dtr)", "mul_unary_tile(0, s.dtr * (1 - 1e-7))"),))

    def test_several_columns_of_a_core(self):
        result = self.sized(260, 260, 2, "rounds=2")
        self.assertEqual(result["metrics"]["columns_of_tiles"], -(-256 * 264 // 1024))
        self.assertLess(result["metrics"]["mean_core_cycles_per_round"] * 2, result["cycles"])

    def test_the_check_finds_what_is_wrong(self):
        self.wrong("cores/vadvc_kernels.lua", (
            ("take(W, 0, 0, s.east_bytes)", "take(W, 0, 0)"),
            ("take(F, 0, 2)", "take(F_BELOW, 0, 2)"),
            ("take(C, k - 1, 1)", "take(D, k - 1, 1)"),
            ("take(UP, k, 2)", "take(UP, 0, 2)"),
            ("mul_unary_tile(2, -s.dtr)", "mul_unary_tile(2, s.dtr)"),
            ("pack(G, 0, G_BELOW, 0,", "pack(G, 0, G_BELOW, 1,")))
        self.wrong("cores/vadvc_kernels.lua", (
            ("add_scaled(W, MINUS_SHARE, 2, s.east_bytes)", "add_scaled(W, SHARE, 2, s.east_bytes)"),
            ("add_product(C, k, DATA, 0, 0)", "add_product(C, k, CONSTANTS, ONE, 0)")),
            size=(*self.CHANGED, "dtype=bf16"))
        self.wrong("cores/vadvc_kernels.lua", (
            ("column, to, bytes = column + 1,", "column, to, bytes = column,"),),
            size=("nx=300", "ny=13", "nz=3"))

    def test_threads_and_data_do_not_matter(self):
        self.assertThreadsDoNotMatter("nx=70", "ny=50", "nz=5")
        self.assertDataTakeNoTime("nx=70", "ny=50", "nz=5")

    def test_rates_and_zones(self):
        result = self.outcome("nx=64", "ny=60", "nz=16", "--timing-only")
        self.assertAlmostEqual(result["metrics"]["gflops"], 60 * 56 * 16 * 30 / result["cycles"], places=6)
        self.assertLessEqual({"forward", "backward", "read", "wait"}, set(result["zones"]))

    def test_what_is_refused(self):
        self.assertRefused(("nz=1",), "2..")
        self.assertRefused(("nz=4000",), "nz = 4000", "fit: ccol, dcol and upos")


class Comparisons(OnCores):
    def test_what_kernels_get(self):
        """For 0, -0, 2.5, -2.5, the infinities, and a NaN."""
        self.write("compare.lua", COMPARE)
        metrics = self.outcome(script="compare.lua")["metrics"]
        for name, expected in (("eqz", "1 1 0 0 0 0 0"), ("nez", "0 0 1 1 1 1 1"),
                               ("ltz", "0 0 0 1 0 1 0"), ("gtz", "0 0 1 0 1 0 0"),
                               ("lez", "1 1 0 1 0 1 0"), ("gez", "1 1 1 0 1 0 0")):
            self.assertEqual(metrics[name], expected, name)
        self.assertTrue(metrics["add"].startswith("0.5 0.5 3 -2 inf -inf "), metrics["add"])
        self.assertTrue(metrics["sub"].startswith("-0.5 -0.5 2 -3 inf -inf "), metrics["sub"])


if __name__ == "__main__":
    unittest.main()
