"""Conjugate gradients and dot products over the chips of a system: bit-exact results, sizes, bad
input."""
import json
import os
import unittest

import gridloom
from gridloom import INPUT
from workload_runs import WorkloadRuns, script_of

EXPERIMENTS = os.path.join(gridloom.SOURCE, "workloads/experiments")
SMALL = ["rows=2", "cols=2", "tiles=3", "iterations=3"]


class Chips(WorkloadRuns):
    def several_on(self, system, script, cases, *words):
        """The result of all cases, in one process."""
        self.SCRIPT, self.CHIP = script_of(script), ("--system", system)
        return self.several(cases, *words)

    def run_on(self, system, script, *words):
        """The result."""
        ran = self.gridloom("run", script, "--system", system, *words, "--json", "r.json", "--no-trace")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(self.read("r.json"))

    def assertBits(self, result, chips):
        self.assertEqual(result["chips"], chips)
        self.assertEqual(result["check"]["status"], "pass")
        self.assertIn("bit for bit", result["check"]["reference"])
        self.assertEqual(result["check"]["max_abs_error"], 0)

    # Solutions.

    def test_two_chips_solve_what_one_large_grid_does(self):
        for variant in ("fused", "split"):
            self.assertBits(self.several_on("n300", "pcg", [
                ["overlap=off"], ["structure=batched", "routing=center"], ["granularity=scalar", "dots=3"],
                ["structure=batched", "overlap=off", "routing=direct"]], *SMALL, f"variant={variant}"), 2)

    def test_eight_chips_too(self):
        self.assertBits(self.several_on("t3000", "pcg", [["variant=fused"], ["variant=split"], ["variant=fused", "dtype=fp32"],
                                                          ["variant=split", "dtype=bf16"]], *SMALL), 8)

    def test_some_of_the_systems_chips_do(self):
        result = self.run_on("t3000", "pcg", *SMALL, "chips=4", "routing=center")

        self.assertEqual(result["check"]["max_abs_error"], 0)
        self.assertEqual(result["metrics"]["grid"], [4 * 2 * 64, 2 * 16, 3])

    def test_a_grid_that_fills_no_whole_tiles_is_masked_where_it_ends(self):
        # 7 columns of cores: chips have one or two of them.
        result = self.several_on("t3000", "pcg", [["variant=fused"], ["variant=split"]], "chips=4", "nx=420", "ny=20", "nz=2",
                                 "iterations=3")

        self.assertEqual(result["check"]["max_abs_error"], 0)
        self.assertEqual([metrics["is_padded"] for metrics in result["metrics"]["cases"]], [True, True])

    def test_a_chip_with_one_column_has_other_chips_on_both_sides(self):
        self.assertBits(self.several_on("t3000", "pcg", [["overlap=on"], ["overlap=off"]], "rows=2", "cols=1", "tiles=5",
                                        "iterations=2"), 8)

    def test_a_tolerance_ends_all_chips(self):
        for variant in ("fused", "split"):
            result = self.run_on("n300", "pcg", "rows=1", "cols=2", "tiles=2", "iterations=50", "tolerance=5",
                                 f"variant={variant}")

            self.assertLess(result["iterations"], 50)
            self.assertIs(result["metrics"]["is_converged"], True)

    def test_dot_products_add_up_over_chips(self):
        result = self.several_on("t3000", "dot", [
            (f"routing={routing}", f"dtype={dtype}", f"granularity={granularity}") for routing in ("naive", "center", "direct")
            for dtype in ("fp32", "bf16") for granularity in ("scalar", "tile")], "rows=2", "cols=2", "tiles=2", "iterations=2")

        self.assertEqual((result["check"]["status"], result["chips"]), ("pass", 8))

    def test_chips_on_pcie_alone_do_it_too(self):
        self.assertBits(self.run_on("n150x4-pcie", "pcg", *SMALL), 4)

    # Sizes.

    def test_what_comes_from_other_chips_takes_room(self):
        one = self.run_on("n300", "pcg", *SMALL, "chips=1", "--timing-only")["metrics"]["tiles_that_fit"]
        two = self.run_on("n300", "pcg", *SMALL, "--timing-only")["metrics"]["tiles_that_fit"]

        self.assertLess(two, one)
        whole = ["rows=1", "cols=1", "iterations=1", "--timing-only"]
        limit = self.run_on("n300", "pcg", *whole, "tiles=1")["metrics"]["tiles_that_fit"]
        self.run_on("n300", "pcg", *whole, f"tiles={limit}")
        self.assertFails(INPUT, [f"tiles={limit + 1}", f"{limit} tiles of each do"], "run", "pcg", "--system", "n300", *whole,
                         f"tiles={limit + 1}")

    # Bad input.

    def test_what_cannot_be_is_refused_in_one_line(self):
        for words, says in ((["chips=3"], ["chips=3: the system has 2"]),
                            (["chips=2", "nx=64", "ny=16", "nz=1"], ["chips=2: the grid has 1 columns of cores"]),
                            (["nx=1025", "ny=16", "nz=1"], ["cols=9 on each of 2 chips", "nx is up to 1024"]),
                            (["chips=-1"], ["chips = -1"])):
            for script in ("pcg", "dot"):
                self.assertFails(INPUT, says, "run", script, "--system", "n300", *words)
        self.assertFails(INPUT, ["chips=2: the system has 1"], "run", "pcg", "chips=2")

    # Experiments.

    def test_the_experiment_writes_a_table_and_pictures(self):
        self.succeed("run", os.path.join(EXPERIMENTS, "pcg_scaling_chips.lua"), "--system", "n300", "smallest=1", "largest=2",
                     "tiles=2", "iterations=1", "--timing-only", "--out", "out", "--no-trace")

        for name in ("pcg_chips.csv", "pcg_chips_strong.svg", "pcg_chips_crossover.svg", "pcg_chips_weak.svg",
                     "pcg_chips_parts.svg"):
            self.assertGreater(os.path.getsize(self.path(os.path.join("out", name))), 100)


if __name__ == "__main__":
    unittest.main()
