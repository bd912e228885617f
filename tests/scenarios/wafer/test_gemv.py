"""Matrix times vector on wafers: right, cycles that follow from blocks, refusals."""
import unittest

from gridloom import CHECK
from workload_runs import WaferRuns, script_of

SIZES = ("m=12", "n=18", "width=6", "height=3")


class Gemv(WaferRuns):
    SCRIPT = script_of("gemv")
    CHANGED = SIZES

    def test_sizes_and_patterns(self):
        self.assertAllRight([(f"m={m}", f"n={n}", f"width={width}", f"height={height}", f"inner={inner}",
                              f"pattern={pattern}", f"values={values}")
                             for inner in ("columns", "dots") for values in ("random", "exact")
                             for pattern, m, n, width, height in (
                                 ("chain", 1, 1, 1, 1), ("chain", 7, 5, 1, 1), ("chain", 6, 4, 1, 3),
                                 ("chain", 6, 10, 2, 1), ("center", 8, 9, 3, 2), ("center", 10, 14, 7, 5),
                                 ("chain", 60, 33, 11, 12))])

    def test_the_check_finds_what_is_wrong(self):
        self.assertRight(*SIZES)
        for library, right, wrong, words in (
                ("wafer/gemv.lua", "pe:fadds(out or value, from[#from], value, last)",
                 "pe:fmovs(out or value, from[#from], last)", ()),
                ("wafer/gemv.lua", "pe:fmovs(value, 0)", "pe:fmovs(value, 0.01)", ()),
                ("wafer/matrix.lua", "pe:add(at_b, 1)", "pe:add(at_b, 0)", ()),
                ("wafer/matrix.lua", "local left, right = dsd(of.a, { 0, of.inner, 1 })",
                 "local left, right = dsd(of.a, { 0, 1, 1 })", ("inner=dots",))):
            self.assertEqual(self.run_with(library, right, wrong, *words), CHECK, wrong)

    def test_threads_data_and_grains(self):
        words = ("m=120", "n=90", "width=30", "height=30")
        self.assertThreadsDoNotMatter(*words)
        cycles = self.assertDataTakeNoTime(*words)
        for inner in ("columns", "dots"):
            found = [self.assertRight(*words, f"inner={inner}", f"grain={grain}")["cycles"] for grain in ("wavelet", "stream")]
            self.assertAlmostEqual(found[1] / found[0], 1, delta=0.01)
        self.assertGreater(cycles, 0)

    def test_columns_take_a_cycle_for_each_number_and_their_loop(self):
        """Of a longer block each column takes as many cycles more as it has more numbers."""
        found = self.metrics_of([("m=40",), ("m=80",)], "n=6", "width=1", "height=1", "--timing-only")
        self.assertEqual(found[1]["product_cycles"] - found[0]["product_cycles"], 6 * 40)
        found = self.metrics_of([("m=40",), ("m=80",)], "n=6", "width=1", "height=1", "inner=dots", "--timing-only")
        self.assertEqual(found[1]["product_cycles"] - found[0]["product_cycles"], 6 * 40)

    def test_roof(self):
        result = self.outcome(*SIZES, "--timing-only")
        roofs = {roof["name"]: roof["value"] for roof in result["roofs"]}
        self.assertAlmostEqual(roofs["multiply-add"], 2 * 18 * 0.85e-3)
        self.assertAlmostEqual(result["metrics"]["flops_per_cycle"], 2 * 12 * 18 / result["cycles"])

    def test_what_does_not_fit(self):
        for words, says in (
                (("m=13", "height=4"), ["m = 13", "height = 4", "12"]),
                (("n=7", "width=16"), ["n = 7", "width = 16", "16"]),
                (("m=2000", "n=2000", "width=16", "height=16"), ["125 x 125", "room"]),
                (("width=756", "n=756"), ["756", "755 x 994"]),
                (("pattern=center", "width=2"), ["center", "width = 2", "chain"]),
                (("inner=rows",), ["inner", "columns", "dots"]),
                (("m=0",), ["m", "1.."])):
            self.assertRefused(words, *says)


if __name__ == "__main__":
    unittest.main()
