"""Conjugate gradients on a grid of cores: solutions, times, sizes, bad input."""
import csv
import json
import os
import unittest

import gridloom
from gridloom import CHECK, INPUT
from workload_runs import WorkloadRuns, script_of

EXPERIMENTS = os.path.join(gridloom.SOURCE, "workloads/experiments")
SMALL = ["rows=2", "cols=3", "tiles=4", "iterations=4"]
VARIANTS = ("fused", "split")
FORMATS = ("bf16", "fp32")


class Pcg(WorkloadRuns):
    SCRIPT = script_of("pcg")

    SOLVED = {}     # runs of other tests by their words: exit code, result, what was printed, norms

    def solve(self, *words, status=0):
        """The result, and the printed text."""
        if words not in self.SOLVED:
            ran = self.gridloom("run", "pcg", *words, "--json", "r.json", "--out", "out", "--no-trace")
            self.assertEqual(ran.returncode, status, ran.stderr)
            self.SOLVED[words] = (status, self.read("r.json"), ran.stdout, self.read("out/residual.csv")
                                  if "--timing-only" not in words else "")
        code, result, printed, norms = self.SOLVED[words]
        self.assertEqual(code, status)
        self.write("out/residual.csv", norms)
        return json.loads(result), printed

    def history(self, case=""):
        """Norms of a run, or of one of several, from 1."""
        with open(self.path(f"out/residual{case}.csv"), encoding="ascii") as rows:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(rows)]

    # Solutions.

    def test_norms_and_solutions_are_the_references_bit_for_bit(self):
        cases = [(f"variant={variant}", f"dtype={dtype}", word) for variant in VARIANTS for dtype in FORMATS
                 for word in ("structure=batched", "granularity=scalar", "dots=3", "routing=center")]
        check = self.several(cases, *SMALL, "--out", "out", "--no-trace")["check"]

        self.assertEqual((check["status"], check["max_abs_error"]), ("pass", 0))
        for i, case in enumerate(cases, 1):
            self.assertEqual([row["norm"] for row in self.history(i)],
                             [row["same_arithmetic"] for row in self.history(i)], case)

    def test_one_core_with_one_tile_is_a_problem_too(self):
        self.assertAllRight([(f"variant={variant}", f"dtype={dtype}") for variant in VARIANTS for dtype in FORMATS],
                            "rows=1", "cols=1", "tiles=1", "iterations=5")

    def test_a_format_has_the_same_numbers_in_both_variants(self):
        for dtype in FORMATS:
            norms = []
            for variant in VARIANTS:
                result, _ = self.solve(*SMALL, f"variant={variant}", f"dtype={dtype}")
                norms.append(result["metrics"]["residual_history"])
                self.assertEqual(result["parameters"]["dtype"], dtype)

            self.assertEqual(norms[0], norms[1], dtype)

    def test_the_default_formats_are_those_of_the_paper(self):
        for variant, dtype in (("fused", "bf16"), ("split", "fp32")):
            by_default, _ = self.solve(*SMALL, f"variant={variant}")
            chosen, _ = self.solve(*SMALL, f"variant={variant}", f"dtype={dtype}")

            self.assertEqual(by_default["parameters"]["dtype"], dtype)
            self.assertEqual(by_default["cycles"], chosen["cycles"])

    def test_precision_and_fusion_each_have_their_price(self):
        time = {(variant, dtype): self.solve(*SMALL, f"variant={variant}", f"dtype={dtype}")[0]
                for variant in VARIANTS for dtype in FORMATS}

        for dtype in FORMATS:       # launches, and the norm on the host
            self.assertGreater(time["split", dtype]["seconds"], time["fused", dtype]["seconds"] + 4 * (8 * 30e-6 + 50e-6))
        for variant in VARIANTS:    # the SFPU
            self.assertGreater(time[variant, "fp32"]["metrics"]["component_seconds_per_iteration"],
                               time[variant, "bf16"]["metrics"]["component_seconds_per_iteration"])

    def test_fp32_follows_double_precision(self):
        self.solve(*SMALL, "variant=split")

        for row in self.history():
            self.assertAlmostEqual(row["norm"] / row["double"], 1, delta=1e-5)

    def test_fp32_converges_to_the_tolerance(self):
        result, _ = self.solve("rows=2", "cols=2", "tiles=3", "variant=split", "iterations=100", "tolerance=1e-4")
        norms = [row["norm"] for row in self.history()]

        self.assertLess(result["iterations"], 100)
        self.assertEqual(len(norms), result["iterations"] + 1)
        self.assertTrue(norms[-1] <= 1e-4 < norms[-2])
        self.assertIs(result["metrics"]["is_converged"], True)

    def test_bf16_stagnates_where_its_reference_does(self):
        ten, _ = self.solve("rows=1", "cols=2", "tiles=3", "iterations=10")
        forty, _ = self.solve("rows=1", "cols=2", "tiles=3", "iterations=40")
        first = self.history()[0]["norm"]

        # The solution equals the reference's and stops improving, unlike that in double
        # precision.
        self.assertEqual((forty["check"]["status"], forty["check"]["max_abs_error"]), ("pass", 0))
        self.assertGreater(forty["metrics"]["true_residual_norm"], 1e-3 * first)
        self.assertGreater(forty["metrics"]["true_residual_norm"], 0.5 * ten["metrics"]["true_residual_norm"])
        self.assertLess(self.history()[-1]["double"], 1e-6 * first)

    def test_a_tolerance_ends_the_fused_kernel_on_all_cores(self):
        for dtype in FORMATS:
            result, _ = self.solve("rows=2", "cols=2", "tiles=2", "iterations=50", "tolerance=5", f"dtype={dtype}")
            norms = [row["norm"] for row in self.history()]

            self.assertEqual(result["iterations"], len(norms) - 1)
            self.assertTrue(norms[-1] <= 5 < norms[-2])

    def test_a_tolerance_that_holds_from_the_start_needs_no_iteration(self):
        for variant in VARIANTS:
            result, _ = self.solve("rows=2", "cols=1", "tiles=2", "tolerance=1000", f"variant={variant}",
                                   "unattributed=on")

            self.assertEqual(len(self.history()), 1)
            self.assertEqual(result["metrics"]["unattributed_seconds_per_iteration"], 0)

    def test_the_result_has_the_history(self):
        for variant in VARIANTS:
            result, _ = self.solve(*SMALL, f"variant={variant}")

            norms = [row["norm"] for row in self.history()]
            self.assertEqual(len(norms), 5)
            for norm, written in zip(result["metrics"]["residual_history"], norms, strict=True):
                self.assertAlmostEqual(norm, written, delta=1e-12 * norm)

    def test_a_breakdown_is_said_and_fails(self):
        _, printed = self.solve("nx=1", "ny=1", "nz=1", "variant=split", status=CHECK)

        self.assertIn("the method broke down in iteration 2;", printed)

    def test_a_tolerance_that_is_not_reached_is_a_failed_check_and_says_so(self):
        for variant in VARIANTS:
            result, printed = self.solve("rows=1", "cols=1", "tiles=2", "iterations=2", "tolerance=1e-3",
                                         f"variant={variant}", status=CHECK)

            self.assertIn("tolerance=0.001 was not reached within 2 iterations", printed)
            self.assertIs(result["metrics"]["is_converged"], False)
            self.assertEqual(result["check"]["status"], "fail")

    def test_a_grid_that_fills_no_whole_tiles_is_padded_and_masked(self):
        for variant, dtype in [(variant, dtype) for variant in VARIANTS for dtype in FORMATS]:
            result, printed = self.solve("nx=100", "ny=27", "nz=3", "iterations=4", f"variant={variant}", f"dtype={dtype}")

            self.assertEqual(result["check"]["status"], "pass")
            self.assertEqual(result["metrics"]["grid"], [100, 27, 3])
            self.assertIs(result["metrics"]["is_padded"], True)
            self.assertIn("nx=100 ny=27 are no multiples of 64 and 16: tiles are padded, and masked", printed)

    def test_nx_ny_nz_are_rows_cols_tiles(self):
        by_cells, _ = self.solve("nx=192", "ny=32", "nz=4", "iterations=4")
        by_cores, _ = self.solve(*SMALL)

        self.assertIs(by_cells["metrics"]["is_padded"], False)
        self.assertEqual(by_cells["cycles"], by_cores["cycles"])

    def test_ieee_arithmetic_is_checked_against_double_precision(self):
        result, _ = self.solve(*SMALL, "arithmetic=ieee")

        self.assertEqual(result["check"]["status"], "pass")
        self.assertIn("double precision", result["check"]["reference"])

    # Times.

    def test_threads_change_nothing(self):
        for variant in VARIANTS:
            one, _ = self.solve(*SMALL, f"variant={variant}", "--threads", "1")
            two, _ = self.solve(*SMALL, f"variant={variant}", "--threads", "2")
            for result in (one, two):
                del result["host"]

            self.assertEqual(one, two)

    def test_timing_only_takes_the_same_cycles(self):
        for variant in VARIANTS:
            functional, _ = self.solve(*SMALL, f"variant={variant}")
            timed, _ = self.solve(*SMALL, f"variant={variant}", "--timing-only")

            self.assertEqual(functional["cycles"], timed["cycles"])

    def test_the_result_has_the_parameters_in_effect_and_the_cores_that_ran(self):
        by_size, text = self.solve("nx=100", "ny=32", "nz=2", "iterations=1")
        by_cores, _ = self.solve("rows=2", "cols=2", "tiles=2", "iterations=1")
        effective = {"rows": 2, "cols": 2, "tiles": 2, "tiles_x": 1, "tiles_y": 1, "dtype": "bf16", "chips": 1,
                     "unattributed": "off"}

        for result, nx in ((by_size, 100), (by_cores, 128)):
            self.assertEqual(result["parameters"], {**result["parameters"], **effective, "nx": nx, "ny": 32, "nz": 2})
            self.assertEqual(result["chip_used"], {"what": "cores", "used": 4, "of": 56})
        self.assertIn("pcg on wormhole_n300, cores 4 of 56\n", text)

    def test_sizes_that_contradict_each_other_are_refused(self):
        for word, needed in (("rows=3", "rows=2"), ("cols=1", "cols=2"), ("tiles=64", "tiles=2")):
            self.assertFails(INPUT, [f"{word} contradicts nx=128 ny=32 nz=2, which make {needed}",
                                     "drop rows, cols and tiles, or nx, ny and nz"],
                             "run", "pcg", "nx=128", "ny=32", "nz=2", word, "--out", "nothing")
            self.assertFalse(os.path.exists(self.path("nothing")))
        agreed, _ = self.solve("nx=128", "ny=32", "nz=2", "rows=2", "cols=2", "tiles=2", "iterations=1")
        self.assertEqual(agreed["chip_used"]["used"], 4)

    def test_all_that_is_made_of_a_run_with_the_constant_is_marked(self):
        mark = "incl. unattributed constant"
        words = ("run", "pcg", "rows=1", "cols=1", "tiles=1", "iterations=1")

        self.assertNotIn(mark, self.succeed(*words, "--out", "off").stdout)
        self.assertIn(f"pcg on wormhole_n300, cores 1 of 56, {mark}\n",
                      self.succeed(*words, "unattributed=on", "--out", "on").stdout)
        for folder in ("off", "on"):
            self.succeed("roofline", folder, "-o", f"{folder}.svg", "-q")
            self.succeed("plot", "timeline", f"{folder}/trace.pftrace", "-o", f"{folder}.timeline.svg")
            for name in (f"{folder}.svg", f"{folder}.timeline.svg"):
                picture = self.read(name)
                self.assertIn("cores 1 of 56", picture, name)
                self.assertEqual(mark in picture, folder == "on", name)
        self.succeed("run", os.path.join(EXPERIMENTS, "table3_pcg.lua"), "tiles=1", "iterations=1",
                     "unattributed=on", "--out", "table3", "--timing-only", "-q", "--no-trace")
        for name in ("table3.csv", "table3.svg"):
            self.assertIn(mark, self.read(f"table3/{name}"))

    def test_what_nobody_explains_is_charged_once_an_iteration_and_never_mechanistic(self):
        for variant in VARIANTS:
            on, _ = self.solve(*SMALL, f"variant={variant}", "unattributed=on")
            off, _ = self.solve(*SMALL, f"variant={variant}")

            self.assertAlmostEqual(on["seconds_per_iteration"] - off["seconds_per_iteration"], 4 * 10000e-9, delta=50e-9)
            self.assertAlmostEqual(on["metrics"]["mechanistic_seconds_per_iteration"],
                                   off["seconds_per_iteration"], delta=50e-9)
            self.assertEqual(off["metrics"]["mechanistic_seconds_per_iteration"], off["seconds_per_iteration"])

    def test_an_operation_at_a_time_is_faster(self):
        for variant in VARIANTS:
            chain, _ = self.solve(*SMALL, f"variant={variant}")
            batched, _ = self.solve(*SMALL, f"variant={variant}", "structure=batched")

            self.assertLess(batched["metrics"]["component_seconds_per_iteration"],
                            chain["metrics"]["component_seconds_per_iteration"])

    def test_components_are_zones(self):
        result, printed = self.solve(*SMALL)

        self.assertEqual(sorted(result["zones"]), ["axpy", "dot", "spmv"])
        self.assertAlmostEqual(sum(result["zones"].values()) / 4, result["metrics"]["component_seconds_per_iteration"],
                               delta=1e-12)
        self.assertIn("spmv ", printed)

    def test_the_split_variant_pays_for_launches_and_the_norm(self):
        result, _ = self.solve(*SMALL, "variant=split", "dots=3")

        # Four launches to start; eight per iteration except the last, all waited for; the norm
        # is read each time.
        self.assertAlmostEqual(result["metrics"]["launch_seconds"], (4 + 4 * 8) * 30e-6, delta=1e-12)
        self.assertAlmostEqual(result["metrics"]["host_seconds"], 5 * 50e-6, delta=1e-12)

    # Sizes.

    def test_what_fits_is_what_the_allocator_says_beside_what_was_published(self):
        for variant, published in (("fused", 164), ("split", 64)):
            one_core = ["rows=1", "cols=1", "iterations=1", f"variant={variant}", "--timing-only"]
            result, printed = self.solve(*one_core, "tiles=1")
            limit = result["metrics"]["tiles_that_fit"]

            self.assertIn(f"up to {limit} tiles a core fit into L1, arXiv:2603.23343 says {published}", printed)
            self.solve(*one_core, f"tiles={limit}")
            self.assertRefused([*one_core, f"tiles={limit + 1}"], f"tiles={limit + 1}", f"{limit} tiles of each do")

    def test_a_format_that_was_not_published_has_a_limit_of_its_own(self):
        for variant, dtype in (("fused", "fp32"), ("split", "bf16")):
            one_core = ["rows=1", "cols=1", "iterations=1", f"variant={variant}", f"dtype={dtype}", "--timing-only"]
            result, printed = self.solve(*one_core, "tiles=1")
            limit = result["metrics"]["tiles_that_fit"]

            self.assertIn(f"up to {limit} tiles a core fit into L1\n", printed)
            self.assertNotIn("tiles_that_fit_published", result["metrics"])
            self.solve(*one_core, f"tiles={limit}")
            self.assertRefused([*one_core, f"tiles={limit + 1}"], f"tiles={limit + 1}", f"{limit} tiles of each do")

    # Bad input.

    def test_what_cannot_be_is_refused_in_one_line(self):
        self.assertRefused(["rows=8"], "rows=8 cols=8", "7 rows and 8 columns")
        self.assertRefused(["nx=513", "ny=16", "nz=1", "tiles_x=1"], "cols=9", "nx is up to 512 and ny up to 112")
        self.assertRefused(["nx=64", "nz=1"], "nx=64 ny=0 nz=1: give all three")
        self.assertRefused(["tiles=0"], "tiles = 0", "1..4096")
        self.assertRefused(["dtype=fp16"], "dtype = fp16", "bf16", "fp32")
        self.assertRefused(["routing=up"], "routing = up", "naive", "center", "direct")
        self.assertRefused(["tolerance=-1"], "tolerance = -1")
        for variant in VARIANTS:
            self.assertRefused(["tolerance=1", "--timing-only", f"variant={variant}"], "tolerance = 1", "--timing-only")
        self.assertRefused(["dots=2"], "dots = 2", "3..4")

    # Experiments.

    def test_experiments_write_a_table_and_a_picture(self):
        for script, words, files in (
                ("table3_pcg.lua", ["tiles=2", "iterations=1"], ["table3.csv", "table3.svg"]),
                ("figure13_components.lua", ["tiles=2", "iterations=1"], ["figure13.csv", "figure13.svg"]),
                ("figure12_scaling.lua", ["scale=64", "iterations=1", "--timing-only"],
                 ["figure12.csv", "figure12_strong.svg", "figure12_weak.svg"])):
            self.succeed("run", os.path.join(EXPERIMENTS, script), *words, "--out", script,
                         "--no-trace")

            for name in files:
                self.assertGreater(os.path.getsize(self.path(os.path.join(script, name))), 100)


if __name__ == "__main__":
    unittest.main()
