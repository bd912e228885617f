"""Stabilized biconjugate gradients on a wafer: bit-exact solutions, norms, refusals."""
import unittest

from gridloom import CHECK
from krylov import DTYPES, Krylov, PATTERNS, SMALL
from workload_runs import script_of


class Bicgstab(Krylov):
    SCRIPT = script_of("bicgstab")

    # Solutions.

    def test_both_precisions_and_mappings_are_right_to_the_bit(self):
        self.assertEveryKindIsRight()

    def test_any_grid_is_right(self):
        self.assertEveryGridIsRight("iterations=2")

    def test_products_through_fifos_are_right(self):
        """In any grid, with pieces of every length; a product and its sum are rounded apart."""
        self.assertEveryGridIsRight("iterations=2", "mapping=fifo")
        self.assertAllRight([(f"nz={nz}", f"dtype={dtype}") for nz in (16, 17, 35, 64) for dtype in DTYPES],
                            "nx=6", "ny=7", "iterations=2", "mapping=fifo")
        norms = [self.assertRight(*SMALL, f"mapping={mapping}")["metrics"]["residual_history"]
                 for mapping in ("multicast", "fifo")]

        self.assertNotEqual(*norms)

    def test_any_pattern_is_right(self):
        self.assertAllRight([(f"pattern={pattern}",) for pattern in PATTERNS], "nx=12", "ny=10", "nz=6", "iterations=2")

    def test_any_wind_is_right(self):
        """Also without wind, when the matrix is symmetric, and with as much wind as diffusion."""
        self.assertAllRight([[f"wind_{axis}={wind}" for axis, wind in zip("xyz", winds)]
                             for winds in ((0, 0, 0), (1, 1, 1), (-1, 0.5, -0.25), (0.1, -0.9, 0.3))], *SMALL, "dtype=fp32")

    def test_the_usual_problem_is_solved(self):
        norms = self.assertRight()["metrics"]["residual_history"]

        self.assertEqual(len(norms), 11)
        self.assertLess(norms[-1], 1e-4 * norms[0])

    def test_the_matrix_is_what_the_words_say(self):
        """For the neighbours down, up, west, east, north, south."""
        result = self.assertRight(*SMALL, "dtype=fp32", "wind_x=0.5", "wind_y=-0.25", "wind_z=0.125", "dominance=1")

        self.assertEqual(result["metrics"]["coefficients"],
                         [-1.125 / 12, -0.875 / 12, -1.5 / 12, -0.5 / 12, -0.75 / 12, -1.25 / 12])

    def test_a_step_in_time_makes_it_easier(self):
        norms = [metrics["residual_history"][-1] for metrics in self.assertAllRight(
            [(f"dominance={much}",) for much in (0, 0.5, 5)], *SMALL, "dtype=fp32")]

        self.assertGreater(norms[0], 2 * norms[1])
        self.assertGreater(norms[1], 2 * norms[2])

    def test_a_breakdown_is_said_and_fails(self):
        failed = self.gridloom("run", "bicgstab", "nx=5", "ny=4", "nz=8", "iterations=60")

        self.assertEqual(failed.returncode, CHECK)
        self.assertRegex(failed.stdout, r"the method broke down in iteration [0-9]+;")

    def test_fp32_solves(self):
        result = self.assertRight("nx=6", "ny=6", "nz=8", "iterations=16", "dtype=fp32")

        first = self.history()[0]["norm"]
        self.assertLess(self.history()[-1]["norm"], 1e-5 * first)
        self.assertLess(result["metrics"]["true_residual_norm"], 1e-5 * first)

    def test_mixed_precision_solves_as_far_as_halves_do(self):
        result = self.assertRight("nx=6", "ny=6", "nz=8", "iterations=8")

        first = self.history()[0]["norm"]
        self.assertLess(self.history()[-1]["norm"], 0.01 * first)
        self.assertLess(result["metrics"]["true_residual_norm"], 0.02 * first)
        self.assertGreater(result["metrics"]["true_residual_norm"], 1e-5 * first)

    def test_a_tolerance_ends_all_pes(self):
        for dtype in DTYPES:
            result = self.assertRight("nx=5", "ny=4", "nz=8", "iterations=40", "tolerance=0.1", f"dtype={dtype}")
            norms = result["metrics"]["residual_history"]

            self.assertLess(result["iterations"], 40)
            self.assertTrue(norms[-1] <= 0.1 < norms[-2])

    def test_without_norms_the_solution_is_the_same(self):
        with_norms = self.assertRight(*SMALL)
        without, _ = self.solve(*SMALL, "norms=off")

        self.assertEqual(without["check"]["status"], "pass")
        self.assertNotIn("residual_history", without["metrics"])
        self.assertEqual(without["metrics"]["true_residual_norm"], with_norms["metrics"]["true_residual_norm"])
        self.assertLess(without["cycles"], with_norms["cycles"])
        # As published: 2 products of 12, 6 updates and 4 dot products of 2.
        self.assertEqual(without["metrics"]["flops_per_cell"], 44)
        self.assertEqual(with_norms["metrics"]["flops_per_cell"], 46)

    def test_the_check_finds_what_is_wrong(self):
        for right, wrong in (
                ("m:update(x, x, omega, r)", "m:update(x, x, alpha, r)"),
                ("m:update(r, r, less_omega, t)", "m:update(r, r, omega, t)"),
                ("m:dot(1, r0, v)", "m:dot(1, r, v)"),
                ("m:exchange(\"t\", r,", "m:exchange(\"t\", p,"),
                ('pe:scalar_op("mul", beta.scalar, beta.scalar, quotient)', "")):
            self.assertEqual(self.run_with("wafer/bicgstab.lua", right, wrong), CHECK, wrong)
        for right, wrong in (("factor = self.factors[side]", "factor = self.factors.west"),
                             ("add_piece(cells(whole, rest))", "add_piece(cells(whole, rest - 1))")):
            self.assertNotEqual(self.run_with("wafer/products.lua", right, wrong, "mapping=fifo"), 0, wrong)

    # Times.

    def test_threads_and_data_change_no_cycle(self):
        for mapping in ("multicast", "fifo"):
            self.assertThreadsDoNotMatter(*SMALL, f"mapping={mapping}")
            self.assertDataTakeNoTime(*SMALL, f"mapping={mapping}")

    def test_both_grains_agree(self):
        self.assertGrainsAgree("cycles_per_iteration_steady",
                               [(f"dtype={dtype}", f"mapping={mapping}") for dtype in DTYPES for mapping in ("multicast", "fifo")],
                               "nx=28", "ny=27", "nz=20", "iterations=3")

    def test_rates_of_large_products_do_not_wrap(self):
        """Operations times the clock are more than 63 bits, as they are on a whole wafer."""
        metrics = self.solve("nx=42", "ny=40", "nz=1300", "iterations=1", "norms=off", "pattern=center", "--timing-only",
                             "--set", "chip.clock_hz=100000000000")[0]["metrics"]
        flop = metrics["flops_per_cell"] * 42 * 40 * 1300

        self.assertGreater(flop * 1e11, 2 ** 63)
        self.assertAlmostEqual(metrics["tflops"] * 1e12 * metrics["seconds_per_iteration_steady"] / flop, 1, 9)

    # Sizes and bad input.

    def test_what_fits_is_said_and_does_fit(self):
        for dtype in DTYPES:
            for mapping in ("multicast", "fifo"):
                self.assertSaysWhatFits("nx=3", "ny=3", "iterations=2", f"dtype={dtype}", f"mapping={mapping}")

    def test_the_published_size_fits(self):
        """600 x 595 x 1536 cells in mixed precision on a CS-1; here a part of it."""
        result, _ = self.solve("nx=4", "ny=4", "nz=1536", "iterations=1", "--timing-only")

        self.assertLess(result["metrics"]["bytes_of_a_pe"], 49152)

    def test_what_cannot_be_is_refused_in_one_line(self):
        self.assertRefused(["nx=756"], "nx = 756", "755 x 994")
        self.assertRefused(["dtype=bf16"], "dtype = bf16", "fp32", "mixed")
        self.assertRefused(["wind_x=2"], "wind_x = 2")
        self.assertRefused(["tolerance=1", "norms=off"], "tolerance = 1", "norms = off")
        self.assertRefused(["tolerance=1", "--timing-only"], "tolerance = 1", "--timing-only")
        self.assertFails(1, ["bicgstab", "wse"], "run", "bicgstab", "--chip", "wormhole_n300")


if __name__ == "__main__":
    unittest.main()
