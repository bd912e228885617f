"""The 7-point stencil on wafers: right to the bit in both mappings, its time, its limits."""
import unittest

from gridloom import CHECK, INPUT
from workload_runs import WaferRuns, script_of

MAPPINGS = ("neighbour", "multicast", "broadcast")
TYPES = ("fp32", "fp16", "mixed")


class Stencil7Wafer(WaferRuns):
    SCRIPT = script_of("stencil7")
    CHANGED = ("nx=5", "ny=4", "nz=8")

    # Numbers.

    def test_every_grid_is_right_to_the_bit(self):
        """No neighbours, neighbours on one side only, odd and even numbers of PEs."""
        self.assertAllRight([(f"mapping={mapping}", f"nx={nx}", f"ny={ny}") for mapping in MAPPINGS
                             for nx, ny in ((1, 1), (1, 2), (2, 1), (1, 7), (8, 1), (2, 2), (3, 4), (5, 5))],
                            "nz=9", "iterations=3")

    def test_every_type_with_odd_and_even_columns(self):
        self.assertAllRight([(f"mapping={mapping}", f"dtype={dtype}", f"nz={nz}") for mapping in MAPPINGS
                             for dtype in TYPES for nz in (1, 2, 13, 32)], "nx=4", "ny=5", "iterations=2")

    def test_sums_in_fp32_lose_less(self):
        errors = [metrics["error_over_largest"]
                  for metrics in self.assertAllRight([("dtype=fp16",), ("dtype=mixed",)], "nx=8", "ny=8")]
        self.assertGreater(errors[0], 100 * errors[1])

    def test_the_check_finds_what_is_wrong(self):
        self.assertAllRight([(f"dtype={dtype}", f"mapping={mapping}") for dtype in ("fp32", "mixed")
                             for mapping in MAPPINGS], *self.CHANGED)
        for right, wrong, words in (
                ("from.cells, diagonal)\n    else", "from.cells, 5)\n    else", ()),
                ("DIAGONAL = 6", "DIAGONAL = 5", ()),
                ('SIDES = { "north", "south",', 'SIDES = { "north", "north",', ()),
                ("up = cells(-1)", "up = cells(-2)", ()),
                ("to, term, -1)", "to, term, 1)", ("dtype=mixed",))):
            for mapping in MAPPINGS:
                all_words = (*words, f"mapping={mapping}")
                self.assertEqual(self.run_with("wafer/stencil7.lua", right, wrong, *all_words), CHECK,
                                 wrong)

    # Time.

    def test_threads_and_data_do_not_change_time(self):
        words, cases = ("nx=13", "ny=12", "nz=20", "iterations=3"), [(f"mapping={mapping}",) for mapping in MAPPINGS]
        self.assertThreadsDoNotMatter(*words, cases=cases)
        self.assertDataTakeNoTime(*words, cases=cases)

    def test_both_grains_agree(self):
        """In numbers to the bit, in time within 2 %."""
        self.assertGrainsAgree("cycles_per_iteration_steady", [
            (f"mapping={mapping}", f"dtype={dtype}") for mapping in MAPPINGS for dtype in ("fp32", "fp16")],
            "nx=14", "ny=13", "nz=60", "iterations=4")

    def test_a_cell_takes_as_long_as_its_operations(self):
        """FP32: four numbers out and four in, 6 x, and six differences, two per cycle."""
        cycles = [metrics["cycles_per_iteration_steady"] for metrics in self.metrics_of(
            [("nz=200",), ("nz=400",)], "nx=12", "ny=12", "iterations=4", "--timing-only")]
        self.assertAlmostEqual((cycles[1] - cycles[0]) / 200, 8 + 1 + 6 / 2, delta=0.12)

    def test_no_banks_collide_in_fp32(self):
        for metrics in self.metrics_of([(f"mapping={mapping}",) for mapping in MAPPINGS], "nx=6", "ny=6", "nz=50",
                                       "--timing-only"):
            self.assertEqual(metrics["interior_memory_idle_cycles_per_iteration"], 0)

    def test_counts_and_roofs(self):
        result = self.outcome("nx=8", "ny=7", "nz=64", "iterations=3", "--timing-only")
        metrics = result["metrics"]

        self.assertEqual(metrics["executed_flop"], metrics["required_flop"])
        self.assertEqual(metrics["executed_ramp_words"], 4)
        self.assertAlmostEqual(metrics["gcells_per_second"], 8 * 7 * 0.85
                               / metrics["cycles_per_cell"])
        self.assertAlmostEqual(metrics["tflops"], metrics["gcells_per_second"] * 7e-3)
        roofs = {roof["name"]: roof["value"] for roof in result["roofs"]}
        for name in ("multiply-add", "memory", "ramp"):
            self.assertGreater(roofs[name], metrics["tflops"], name)

    # Refusals.

    def test_what_does_not_fit(self):
        for words, says in (
                (("nz=1869",), ["nz = 1869", "at most 1868", "fp32"]),
                (("nz=3737", "dtype=fp16"), ["nz = 3737", "at most 3736", "fp16"]),
                (("nz=3201", "dtype=mixed"), ["nz = 3201", "at most 3200", "mixed"]),
                (("nx=756",), ["nx = 756", "755 x 994"]),
                (("ny=995",), ["ny = 995", "755 x 994"]),
                (("nz=0",), ["nz", "1.."]),
                (("dtype=bf16",), ["dtype", "fp32", "fp16", "mixed"]),
                (("mapping=chain",), ["mapping", "neighbour", "broadcast"]),
                (("halo=off",), ["halo"])):
            self.assertRefused(words, *says)

    def test_as_much_as_fits(self):
        self.several([(f"nz={nz}", f"dtype={dtype}", f"mapping={mapping}")
                      for nz, dtype in ((1868, "fp32"), (3736, "fp16"), (3200, "mixed")) for mapping in MAPPINGS],
                     "nx=3", "ny=3", "--timing-only")

    def test_words_of_wafers_are_none_of_cores(self):
        self.assertFails(INPUT, ["mapping"], "run", self.SCRIPT, "--chip", "wormhole_n300",
                         "mapping=broadcast")


if __name__ == "__main__":
    unittest.main()
