"""Conjugate gradients with sparse matrices on cores: norms, times, breakdown, bad input."""
import unittest

from gridloom import CHECK, INPUT
from workload_runs import WorkloadRuns, script_of

SMALL = ("rows=2", "cols=3")
GRID = ("matrix=poisson7", "nx=8", "ny=9", "nz=10")


class PcgSparse(WorkloadRuns):
    SCRIPT = script_of("pcg_sparse")
    CHIP = ("--chip", "wormhole_n150")

    def test_norms_are_those_of_double_precision(self):
        self.assertAllRight([(f"layout={layout}", f"from={place}", f"dtype={dtype}", *matrix.split())
                             for layout in ("sliced_ell", "csr") for place in ("dram", "l1") for dtype in ("fp32", "bf16")
                             for matrix in ("matrix=poisson7 nx=7 ny=5 nz=9", "matrix=graph n=500 entries=6 sort=96")],
                            *SMALL, "iterations=6")

    def test_all_families_shapes_and_reductions_are_right(self):
        self.assertAllRight([
            ("matrix=banded", "n=900", "routing=center"), ("matrix=arrow", "n=200", "slice=16", "balance=rows", "from=dram"),
            ("matrix=poisson5", "nx=90", "ny=80", "granularity=scalar", "routing=direct"), ("rows=1", "cols=1", *GRID),
            ("matrix=graph", "n=7000", "entries=4", "slice=992", "sort=992", "from=dram")], *SMALL, "iterations=8")

    def test_it_converges_to_the_solution(self):
        metrics = self.assertRight(*SMALL, *GRID, "iterations=100", "tolerance=1e-3")["metrics"]

        self.assertTrue(metrics["is_converged"])
        self.assertLess(len(metrics["residual_history"]), 40)
        self.assertLess(metrics["true_residual_norm"], 1.01e-3)

    def test_iterations_end_at_the_tolerance_as_the_reference_does(self):
        for layout in ("sliced_ell", "csr"):
            result = self.assertRight(*SMALL, *GRID, f"layout={layout}", "iterations=50", "tolerance=2")
            norms = result["metrics"]["residual_history"]

            self.assertEqual(result["iterations"], len(norms) - 1)
            self.assertTrue(norms[-1] <= 2 < norms[-2])

    def test_wrong_numbers_are_found(self):
        self.assertRight(*SMALL, *GRID)
        code = self.run_with("cores/pcg_passes.lua", "unit.sub(n, cb.r, nil, cb.product, nil, cb.r)",
                             "unit.add(n, cb.r, nil, cb.product, nil, cb.r)", *SMALL, *GRID)

        self.assertEqual(code, CHECK)

    def changed(self, library, right, wrong):
        """The name of a script with one place of a library changed."""
        with open(self.SCRIPT, encoding="utf-8") as file:
            self.write("script.lua", file.read())
        with open(script_of(f"lib/{library}"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(right), 1, right)
        self.write(f"{library}.lua", text.replace(right, wrong))
        return "script.lua"

    def test_nothing_races(self):
        for layout in ("sliced_ell", "csr"):
            for place in ("dram", "l1"):
                self.succeed("run", self.SCRIPT, *self.CHIP, *SMALL, *GRID, "iterations=3", f"layout={layout}", f"from={place}",
                             "--check", "races", "-q")

    def test_a_gather_before_its_numbers_are_there_races(self):
        script = self.changed("cores/sparse_kernels", "noc_async_read_barrier()\n    noc_semaphore_set(", "noc_semaphore_set(")
        for layout, call in (("sliced_ell", "gather_numbers"), ("csr", "gather_dot")):
            done = self.gridloom("run", script, *self.CHIP, *SMALL, "matrix=graph", "n=900", f"layout={layout}", "--check", "races", "-q")

            self.assertEqual(done.returncode, CHECK, done.stderr)
            self.assertRegex(done.stderr, rf"race: .* {call} at cores/sparse_kernels.lua:\d+ .* reads bytes .* noc_async_read at")

    def test_an_indefinite_matrix_is_told(self):
        script = self.changed("cores/sparse_matrix", "matrix:put(cell, centre)", "matrix:put(cell, 0.5)")
        done = self.gridloom("run", script, *self.CHIP, *SMALL, *GRID)

        self.assertEqual(done.returncode, CHECK, done.stderr)
        self.assertRegex(done.stdout, r"the method broke down in iteration \d+: p A p is -\S+, so the matrix is not positive definite")

    def test_time_does_not_depend_on_threads_or_data(self):
        cases = [(f"layout={layout}", f"from={place}") for layout in ("sliced_ell", "csr") for place in ("dram", "l1")]
        words = (*SMALL, "matrix=graph", "n=300", "iterations=3")

        self.assertThreadsDoNotMatter(*words, cases=cases)
        for case in cases:
            self.assertDataTakeNoTime(*words, *case)

    def test_the_product_takes_most_of_an_iteration(self):
        ell, csr = self.metrics_of([("layout=sliced_ell",), ("layout=csr",)], "rows=2", "cols=2", "nx=16", "ny=16", "nz=16",
                                   "iterations=2")

        for metrics in (ell, csr):
            self.assertGreater(metrics["spmv_seconds_per_iteration"], 0.5 * metrics["mechanistic_seconds_per_iteration"])
        self.assertGreater(csr["mechanistic_seconds_per_iteration"], 8 * ell["mechanistic_seconds_per_iteration"])

    def test_requests_that_cannot_be_met_are_refused_in_a_line(self):
        for words, message in (
                (("matrix=banded", "n=80"), "80 rows are 5 slices of 16, too few for 2 x 3 cores (rows x cols)"),
                (("matrix=poisson7", "nx=64", "ny=64", "nz=48"), "use more cores, a smaller matrix or from=dram"),
                (("matrix=poisson7", "nx=128", "ny=128", "nz=64", "from=dram"), "use more cores or a smaller matrix"),
                (("matrix=random",), "matrix = random"),
                (("matrix=poisson7", "n=100"), "n=100: not a size of matrix=poisson7"),
                (("tolerance=1", "--timing-only"), "a --timing-only run has no numbers to stop by")):
            self.assertRefused([*SMALL, *words], message)

    def test_matrices_that_are_not_symmetric_are_refused(self):
        code = self.run_with("cores/sparse_matrix.lua", "or -1 / math.abs(column - i)", "or -1 / (column - i)", *SMALL,
                             "matrix=banded", "n=400")

        self.assertEqual(code, INPUT)


if __name__ == "__main__":
    unittest.main()
