"""Conjugate gradients on a wafer: bit-exact solutions, norms, times, refusals."""
import unittest

from gridloom import CHECK
from krylov import DTYPES, Krylov, MAPPINGS, PATTERNS, SMALL
from workload_runs import script_of


class PcgOnWafers(Krylov):
    SCRIPT = script_of("pcg")

    # Solutions.

    def test_both_precisions_and_mappings_are_right_to_the_bit(self):
        self.assertEveryKindIsRight()

    def test_any_grid_is_right(self):
        self.assertEveryGridIsRight("iterations=3")

    def test_any_pattern_adds_the_same_up(self):
        cases = [("ny=10", f"pattern={pattern}", f"mapping={mapping}") for pattern in PATTERNS for mapping in MAPPINGS]
        self.assertAllRight([*cases, ("ny=9", "pattern=two-phase", "group=3")], "nx=12", "nz=6", "iterations=3")
        # In different orders, and the results differ.
        self.assertGreater(len({self.history(i)[0]["norm"] for i in range(1, len(cases) + 1)}), 1)

    def test_the_history_is_in_the_result(self):
        result = self.assertRight(*SMALL)

        norms = [row["norm"] for row in self.history()]
        self.assertEqual(len(norms), 5)
        for metric, norm in zip(result["metrics"]["residual_history"], norms):
            self.assertAlmostEqual(metric / norm, 1, delta=1e-12)

    def test_fp32_follows_double_precision(self):
        self.solve(*SMALL)

        for row in self.history():
            self.assertAlmostEqual(row["norm"] / row["double"], 1, delta=1e-5)

    def test_fp32_solves(self):
        result = self.assertRight("nx=6", "ny=6", "nz=8", "iterations=30")

        first = self.history()[0]["norm"]
        self.assertLess(self.history()[-1]["norm"], 1e-6 * first)
        self.assertLess(result["metrics"]["true_residual_norm"], 1e-5 * first)

    def test_mixed_precision_solves_as_far_as_halves_do(self):
        """r keeps shrinking, b - A x does not."""
        result = self.assertRight("nx=6", "ny=6", "nz=8", "iterations=30", "dtype=mixed")

        first = self.history()[0]["norm"]
        self.assertLess(self.history()[-1]["norm"], 1e-3 * first)
        self.assertLess(result["metrics"]["true_residual_norm"], 0.02 * first)
        self.assertGreater(result["metrics"]["true_residual_norm"], 1e-5 * first)

    def test_a_tolerance_ends_all_pes(self):
        for dtype in DTYPES:
            result = self.assertRight("nx=5", "ny=4", "nz=8", "iterations=60", "tolerance=0.05", f"dtype={dtype}")
            norms = result["metrics"]["residual_history"]

            self.assertLess(result["iterations"], 60)
            self.assertEqual(len(norms), result["iterations"] + 1)
            self.assertTrue(norms[-1] <= 0.05 < norms[-2])
            self.assertIs(result["metrics"]["is_converged"], True)

    def test_a_tolerance_ends_streams_too(self):
        """The slice has no data to stop by: it makes all its iterations."""
        words = ("nx=27", "ny=26", "nz=6", "iterations=40", "tolerance=5")
        exact = self.assertRight(*words, "grain=wavelet")
        streams = self.assertRight(*words, "grain=stream")

        self.assertEqual(streams["iterations"], exact["iterations"])
        self.assertLess(exact["iterations"], 40)

    def test_a_tolerance_that_holds_from_the_start_needs_no_iteration(self):
        _, printed = self.solve("nx=4", "ny=4", "nz=4", "tolerance=100")

        self.assertIn("no iteration was made", printed)
        self.assertEqual(len(self.history()), 1)

    def test_a_tolerance_that_is_not_reached_is_a_failed_check(self):
        result, printed = self.solve("nx=4", "ny=4", "nz=4", "tolerance=1e-9", "iterations=2", status=CHECK)

        self.assertIn("was not reached within 2 iterations", printed)
        self.assertIs(result["metrics"]["is_converged"], False)

    def test_a_start_that_is_the_solution_breaks_down_and_fails(self):
        """The references break down alike, so they do not find it."""
        _, printed = self.solve("nx=2", "ny=2", "nz=2", "iterations=2", "rhs=3", "start=1", status=CHECK)

        self.assertIn("the method broke down in iteration 1;", printed)

    def test_the_check_finds_what_is_wrong(self):
        for library, right, wrong in (
                ("wafer/solver_machine.lua", "self.diagonal.cells or -6)", "self.diagonal.cells or -6.001)"),
                ("wafer/solver_machine.lua", "cells(first - 1), cells(first + 1)", "cells(first - 1), cells(first)"),
                ("wafer/solver_machine.lua", 'pe:scalar_op("mov", self.value, self.zero)', ""),
                ("wafer/pcg.lua", "m:update(x, x, alpha, p)", "m:update(x, x, beta, p)"),
                ("wafer/pcg.lua", "m:update(p, q, beta, p)", "m:update(p, r, beta, p)"),
                ("wafer/pcg.lua", 'pe:scalar_op("neg", curvature, m.value)',
                 'pe:scalar_op("mov", curvature, m.value)')):
            self.assertEqual(self.run_with(library, right, wrong), CHECK, wrong)

    # Times.

    def test_threads_and_data_change_no_cycle(self):
        cases = [["mapping=neighbour"], ["mapping=broadcast", "dtype=mixed"]]
        self.assertThreadsDoNotMatter(*SMALL, cases=cases)
        self.assertThreadsDoNotMatter(*SMALL, "--timing-only", cases=cases)
        self.assertDataTakeNoTime(*SMALL, cases=cases)

    def test_both_grains_agree(self):
        self.assertGrainsAgree("cycles_per_iteration_steady", [
            (f"dtype={dtype}", f"mapping={mapping}")
            for dtype, mapping in (("fp32", "neighbour"), ("mixed", "neighbour"), ("fp32", "broadcast"))],
            "nx=28", "ny=27", "nz=20", "iterations=3")

    def test_mixed_precision_is_faster_on_long_columns(self):
        cycles = [self.solve("nx=2", "ny=2", "nz=300", "iterations=2", f"dtype={dtype}", "--timing-only")[0]["cycles"]
                  for dtype in DTYPES]

        self.assertLess(cycles[1], cycles[0])

    def test_a_far_sum_takes_longer(self):
        """Chains along rows and columns: two all-reduces over twice as many PEs per side."""
        cycles = [metrics["cycles_per_iteration_steady"] for metrics in self.metrics_of(
            [(f"nx={n}", f"ny={n}") for n in (12, 24, 36)], "nz=4", "iterations=3", "pattern=corner", "--timing-only")]

        # A stage of a chain is a hop, both ramps and an addition; then the broadcast's hop.
        self.assertAlmostEqual(cycles[1] - cycles[0], cycles[2] - cycles[1], delta=0.05 * (cycles[1] - cycles[0]))
        self.assertAlmostEqual((cycles[2] - cycles[1]) / (2 * 2 * 12), 7, delta=0.5)

    def test_the_result_says_what_was_done(self):
        result, _ = self.solve(*SMALL)
        metrics = result["metrics"]

        self.assertEqual(metrics["all_reduces_per_iteration"], 2)
        self.assertEqual(metrics["all_reduce_words"], 1)
        self.assertEqual(metrics["all_reduce_pattern"], "merge")
        roofs = {roof["name"]: roof for roof in result["roofs"]}
        for name in ("f32 arithmetic", "SRAM", "ramps into PEs", "fabric links"):
            self.assertTrue(0 < roofs[name]["achieved"] < roofs[name]["value"], name)
        zones = ("halo", "product", "dot", "all_reduce", "axpy")
        self.assertEqual(sorted(result["zones"]), sorted(zones))
        self.assertAlmostEqual(sum(metrics[f"share_{zone}"] for zone in zones), 1, delta=1e-9)
        # Everything except the first dispatch and the ends of iterations is in a zone.
        self.assertAlmostEqual(sum(result["zones"].values()) / metrics["device_seconds"], 1, delta=0.02)

    def test_a_long_run_is_extrapolated(self):
        words = ("nx=8", "ny=8", "nz=10", "iterations=40", "--timing-only")
        whole, _ = self.solve(*words)
        part, _ = self.solve(*words, "extrapolate=on")

        self.assertEqual(part["metrics"]["extrapolated_from_iterations"], 8)
        self.assertAlmostEqual(part["cycles"] / whole["cycles"], 1, delta=0.001)

    # Sizes and bad input.

    def test_what_fits_is_said_and_does_fit(self):
        for dtype in DTYPES:
            for mapping in MAPPINGS:
                self.assertSaysWhatFits("nx=3", "ny=3", "iterations=2", f"dtype={dtype}", f"mapping={mapping}")

    def test_what_cannot_be_is_refused_in_one_line(self):
        self.assertRefused(["nx=756"], "nx = 756", "755 x 994")
        self.assertRefused(["ny=995"], "ny = 995", "755 x 994")
        self.assertRefused(["nx=0"], "nx = 0")
        self.assertRefused(["dtype=bf16"], "dtype = bf16", "fp32", "mixed")
        self.assertRefused(["tolerance=1", "--timing-only"], "tolerance = 1", "--timing-only")
        self.assertRefused(["pattern=two-phase", "group=7"], "pattern = two-phase", "7")
        self.assertRefused(["group=4"], "group = 4", "two-phase")
        self.assertRefused(["nx=2", "ny=2", "pattern=center"], "pattern = center", "2 x 2")
        self.assertRefused(["nx=200", "ny=200", "pattern=tree"], "pattern = tree", "17 colors, 16 are free",
                           "enough for center, chain, corner, merge, two-phase")
        self.assertRefused(["variant=split"], "variant")
        self.assertRefused(["iterations=20000", "nz=10"], "20000 iterations", "the norms of ")
        self.assertRefused(["nz=1", "--set", "memory.capacity_bytes=4096"], "it has 0 beside the code: no nz fits")
        self.assertRefused(["mapping=both"], "mapping = both", "neighbour", "broadcast")


if __name__ == "__main__":
    unittest.main()
