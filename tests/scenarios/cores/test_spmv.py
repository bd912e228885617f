"""Sparse matrix times vector on cores: results, times, layouts, bad input."""
import unittest

from gridloom import CHECK, INPUT, workload
from workload_runs import WorkloadRuns, script_of

SMALL = ("rows=2", "cols=3")
GRID = ("matrix=poisson7", "nx=16", "ny=16", "nz=16")
# Four numbers a turn, and one mover beside the other: see tests/scenarios/metal/test_metal_gather.py.
CYCLES_OF_GATHER = {"fp32": 7.1, "bf16": 4.9}


class Spmv(WorkloadRuns):
    SCRIPT = script_of("spmv")
    CHIP = ("--chip", "wormhole_n150")

    def test_products_of_every_kind_are_right(self):
        self.assertAllRight([(f"layout={layout}", f"from={place}", f"dtype={dtype}", *matrix.split())
                             for layout in ("sliced_ell", "csr") for place in ("dram", "l1") for dtype in ("fp32", "bf16")
                             for matrix in ("matrix=poisson7 nx=7 ny=5 nz=9", "matrix=poisson5 nx=33 ny=17",
                                            "matrix=banded n=700 entries=3", "matrix=graph n=500 entries=6")], *SMALL)

    def test_products_with_random_matrices_are_right(self):
        """Rows without entries, more or fewer columns than rows, sorted or not, any slice."""
        for seed in ("1", "2", "3"):
            self.assertAllRight([
                (f"n={n}", f"columns={columns}", f"entries={entries}", f"slice={height}", f"sort={window}", f"layout={layout}",
                 f"from={place}")
                for n, columns, entries, height, window in (
                    (300, 0, 1, 0, 1), (97, 1500, 9, 16, 97), (1500, 40, 3, 240, 64), (1024, 1, 1, 0, 1),
                    (6000, 6000, 2, 992, 1984), (96, 700, 50, 0, 16))
                for layout in ("sliced_ell", "csr") for place in ("dram", "l1")], *SMALL, "matrix=random", "--seed", seed)

    def test_one_dense_row_is_a_matter_of_layout(self):
        ell, csr = self.assertAllRight([("layout=sliced_ell",), ("layout=csr",)], *SMALL, "matrix=arrow", "n=600")

        self.assertGreater(ell["stored_per_entry"], 300)
        self.assertEqual((csr["stored_per_entry"], csr["gathered_per_entry"]), (1, 1))

    def test_wrong_numbers_are_found(self):
        self.assertRight(*SMALL, *GRID)
        code = self.run_with("cores/sparse_kernels.lua", "add_binary_tile(0, 1)", "sub_binary_tile(0, 1)", *SMALL, *GRID)

        self.assertEqual(code, CHECK)

    def test_what_l1_held_before_does_not_matter(self):
        """Lanes without an entry are multiplied by 0: they must not hold a NaN."""
        with open(self.SCRIPT, encoding="utf-8") as file:
            text = file.read()
        right = "        local matrix = matrices.make(host, p)\n"
        self.assertEqual(text.count(right), 1)
        name = self.write("script.lua", text.replace(right, right + """
        local room = host.l1_free(0, 0) // 64 * 64
        local at, nans = host.l1_allocate { cores = { 0, 0, 2, 1 }, bytes = room, name = "all" }, host.buffer(room)
        for i = 0, room // 4 - 1 do nans:set("fp32", i, 0 / 0) end
        for core = 0, 5 do host.l1_write(core % 3, core // 3, at, nans) end
        host.l1_release()
"""))
        for dtype in ("fp32", "bf16"):
            self.assertRight(*SMALL, "matrix=random", "n=96", "entries=2", f"dtype={dtype}", script=name)

    def test_time_does_not_depend_on_threads_or_data(self):
        cases = [(f"layout={layout}", f"from={place}") for layout in ("sliced_ell", "csr") for place in ("dram", "l1")]
        words = (*SMALL, "matrix=graph", "n=400")

        self.assertThreadsDoNotMatter(*words, cases=cases)
        for case in cases:
            self.assertDataTakeNoTime(*words, *case)

    def test_nothing_races(self):
        for layout in ("sliced_ell", "csr"):
            for place in ("dram", "l1"):
                self.succeed("run", self.SCRIPT, *self.CHIP, *SMALL, *GRID, f"layout={layout}", f"from={place}", "--check", "races", "-q")

    def test_gathers_bound_sliced_ell(self):
        """Eight slices of 1024 rows with 8 entries each on 4 cores: both movers gather all the time."""
        for dtype, cycles in CYCLES_OF_GATHER.items():
            result = self.outcome("rows=2", "cols=2", "matrix=random", "n=8192", "entries=16", "from=l1", f"dtype={dtype}")
            metrics = result["metrics"]
            gathered = metrics["gathered_per_entry"] * metrics["entries"] * metrics["imbalance"] / 4

            roof = next(roof for roof in result["roofs"] if roof["name"] == "gathers")
            self.assertTrue(0.4 < roof["achieved"] / roof["value"] < 0.52, roof)   # half is padding
            self.assertTrue(0.97 < result["cycles"] / (gathered * cycles) < 1.1, (dtype, result["cycles"], gathered))

    def test_software_floats_bound_csr(self):
        result = self.outcome("rows=2", "cols=2", "matrix=banded", "n=4096", "layout=csr", "from=l1")

        # A product and a sum take 220 cycles, loads and the loop 18, on two movers.
        self.assertTrue(119 < result["metrics"]["cycles_per_entry"] < 128, result["metrics"]["cycles_per_entry"])
        self.assertEqual(result["counters"]["flops"], result["metrics"]["useful_flops"])
        roof = next(roof for roof in result["roofs"] if roof["name"] == "software floats of movers")
        self.assertTrue(0.9 < roof["achieved"] / roof["value"] < 1, roof)

    def test_sorting_saves_gathers(self):
        plain, sorted_rows = self.metrics_of([("sort=1",), ("sort=688",)], *SMALL, "matrix=random", "n=4096", "entries=6", "slice=688")

        self.assertGreater(plain["gathered_per_entry"], 1.9)
        self.assertLess(sorted_rows["gathered_per_entry"], 1.01)
        self.assertLess(sorted_rows["cycles_per_entry"], 0.75 * plain["cycles_per_entry"])

    def test_entries_are_shared_better_than_rows(self):
        rows, entries = self.metrics_of([("balance=rows",), ("balance=entries",)], "rows=2", "cols=2", "matrix=arrow", "n=512",
                                        "slice=16", "layout=csr")

        self.assertLess(entries["imbalance"], rows["imbalance"])

    def test_requests_that_cannot_be_met_are_refused_in_a_line(self):
        for words, message in (
                (("matrix=banded", "n=80"), "80 rows are 5 slices of 16, too few for 2 x 3 cores (rows x cols)"),
                (("slice=100",), "slice=100 is not a multiple of 16"),
                (("rows=9",), "9 x 3 cores (rows x cols): the chip has 8 x 8"),
                (("matrix=arrow", "n=4096", "from=l1"), "are free: use more cores, a smaller matrix or from=dram"),
                (("matrix=random", "n=96", "columns=9000000", "entries=300"), "for vectors and buffers; "),
                (("matrix=dense",), "matrix = dense")):
            chosen = [word for word in SMALL if word.split("=")[0] not in {w.split("=")[0] for w in words}]
            self.assertRefused([*chosen, *words], message)

    def test_wrong_entries_are_refused_in_a_line(self):
        for entries, message in (("m:put(4, 1)", "row 0 has column 4, columns are 0 to 3"),
                                 ("m:put(1, 1) m:put(0, 1) m:put(1, 2) m:end_row()", "row 0 has column 1 twice"),
                                 ("m:put(1, 0 / 0)", "row 0, column 1 has no finite number")):
            name = self.write("script.lua", workload(
                f"local m = host.sparse {{ rows = 2, columns = 4, format = 'fp32' }} {entries}"))
            done = self.gridloom("run", name)

            self.assertEqual((done.returncode, done.stderr.count("\n")), (INPUT, 1), done.stderr)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
