"""Dot products on wafers: right to the bit, cycles of own products, refusals."""
import unittest

from gridloom import CHECK, INPUT
from workload_runs import WaferRuns, script_of

TYPES = ("fp32", "mixed", "fp16")


class DotWafer(WaferRuns):
    SCRIPT = script_of("dot")
    CHANGED = ("nx=13", "ny=11")

    def test_every_type_and_pattern_is_right_to_the_bit(self):
        self.assertAllRight([(f"dtype={dtype}", f"pattern={pattern}", f"nx={nx}", f"ny={ny}", f"nz={nz}") for dtype in TYPES
                             for pattern in ("merge", "center", "chain", "corner", "tree", "two-phase")
                             for nx, ny, nz in ((4, 6, 30), (9, 1, 7))], "iterations=3")

    def test_sizes_from_one_number_on(self):
        self.assertAllRight([(f"dtype={dtype}", f"placement={placement}", f"nx={nx}", f"ny={ny}", f"nz={nz}")
                             for dtype in TYPES for placement in ("aware", "plain")
                             for nx, ny, nz in ((1, 1, 1), (1, 1, 50), (2, 1, 1), (1, 2, 33), (3, 3, 1000))],
                            "pattern=corner")

    def test_sums_in_fp16_are_worse_than_mixed_ones(self):
        errors = [metrics["error_over_magnitudes"]
                  for metrics in self.assertAllRight([("dtype=fp16",), ("dtype=mixed",)], "nz=500")]
        self.assertGreater(errors[0], 100 * errors[1])

    def test_the_check_finds_what_is_wrong(self):
        self.assertAllRight([(), ("dtype=fp16",), ("pattern=chain",)], *self.CHANGED)
        for right, wrong, words in (
                ("(pe, into, into, from_a, from_b)", "(pe, into, into, from_a, from_a)", ()),
                ("(pe, sum_at, 0)", "(pe, sum_at, 0.0001)", ()),
                ('first = name == "b" and offset or 0,', "first = 0,", ()),
                ("pe:fh2s(total_at, sum_at)", "pe:fmovs(total_at, 1)", ("dtype=fp16",)),
                ('collective.merges(part.pattern', 'collective.merges("tree"', ("pattern=chain",))):
            self.assertEqual(self.run_with("wafer/dot.lua", right, wrong, *words), CHECK, wrong)

    def test_threads_data_and_grains(self):
        words = ("nx=30", "ny=28", "nz=40", "iterations=2")
        self.assertThreadsDoNotMatter(*words)
        cycles = self.assertDataTakeNoTime(*words)

        self.assertAlmostEqual(self.assertRight(*words, "grain=stream")["cycles"] / cycles, 1,
                               delta=0.02)

    # Time.

    def difference(self, case, other, *words):
        """The difference in cycles of own products."""
        found = self.metrics_of([case, other], "nx=2", "ny=1", "pattern=chain", *words, "--timing-only")
        return found[0]["local_cycles"] - found[1]["local_cycles"]

    def test_a_sum_in_one_number_is_as_fast_as_the_wafer(self):
        """By documented elements per cycle, and on the WSE-3 by what was measured."""
        for chip in ("wse1", "wse2"):
            for dtype, elements in (("fp32", 1), ("mixed", 2), ("fp16", 4)):
                self.assertEqual(self.difference(("nz=300",), ("nz=100",), f"dtype={dtype}", "--chip", chip), 200 / elements)
        for dtype in TYPES:
            self.assertEqual(self.difference(("nz=300",), ("nz=100",), f"dtype={dtype}", "--chip", "wse3"), 2 * 200)
        self.assertEqual(self.difference(("nz=300",), ("nz=100",), "--set", "dsd.reduction_cycles_per_element=5"), 5 * 200)

    def test_placement(self):
        """A step whose operands collide takes as much longer as the chip file says."""
        plain, aware = ("placement=plain",), ("placement=aware",)
        for dtype, elements, extra in (("fp32", 1, 1), ("mixed", 2, 1), ("fp16", 4, 0.6)):
            self.assertEqual(self.difference(plain, aware, f"dtype={dtype}", "nz=400"), 400 / elements * extra, dtype)
        self.assertEqual(self.difference(plain, aware, "nz=400", "--set", "memory.conflict_factor=3"), 800)

    def test_parts_of_an_iteration_add_up(self):
        result = self.outcome("nx=12", "ny=9", "nz=64", "iterations=3", "--timing-only", "--set", "dsd.reduction_cycles_per_element=2")
        metrics = result["metrics"]

        self.assertAlmostEqual(metrics["local_cycles"] + metrics["allreduce_cycles"],
                               metrics["cycles_per_iteration"])
        self.assertAlmostEqual(metrics["tflops"], 2 * 12 * 9 * 64 * 0.85e9 * 1e-12
                               / metrics["cycles_per_iteration"])
        roofs = {roof["name"]: roof for roof in result["roofs"]}
        for name in ("multiply-add", "one sum", "memory"):
            self.assertGreater(roofs[name]["value"], metrics["tflops"], name)
        self.assertAlmostEqual(roofs["one sum"]["value"], 12 * 9 * 0.85e-3)

    # Refusals.

    def test_what_does_not_fit(self):
        for words, says in (
                (("nz=5619",), ["nz = 5619", "at most 5618", "fp32"]),
                (("nz=11237", "dtype=mixed"), ["nz = 11237", "at most 11236", "mixed"]),
                (("nx=756",), ["nx = 756", "755 x 994"]),
                (("nz=0",), ["nz", "1.."]),
                (("dtype=bf16",), ["dtype", "fp32", "mixed", "fp16"]),
                (("pattern=two-phase", "group=3"), ["20 PEs", "groups of 3", "2, 4, 5, 10, 20"]),
                (("group=3",), ["group = 3", "two-phase"]),
                (("rows=3",), ["rows"])):
            self.assertRefused(words, *says)

    def test_as_much_as_fits(self):
        self.assertAllRight([("nz=5618",), ("nz=11236", "dtype=fp16")], "nx=2", "ny=1", "pattern=chain")

    def test_words_of_wafers_are_none_of_cores(self):
        self.assertFails(INPUT, ["placement"], "run", self.SCRIPT, "--chip", "wormhole_n300",
                         "placement=plain")


if __name__ == "__main__":
    unittest.main()
