"""Matrix products on wafers: right, grains agree, turns of senders, refusals."""
import unittest

from gridloom import CHECK, INPUT
from workload_runs import WaferRuns, script_of

SIZES = ("m=12", "k=20", "n=8", "side=4")


class Gemm(WaferRuns):
    SCRIPT = script_of("gemm")
    CHANGED = SIZES

    def test_sizes(self):
        """Up to more PEs in a row than a control wavelet has commands."""
        self.assertAllRight([(f"m={m}", f"k={k}", f"n={n}", f"side={side}", f"inner={inner}", f"values={values}")
                             for inner in ("columns", "dots") for values in ("random", "exact")
                             for m, k, n, side in ((1, 1, 1, 1), (3, 5, 4, 1), (2, 2, 2, 2), (6, 4, 10, 2), (9, 6, 3, 3),
                                                   (24, 48, 12, 12))])

    def test_the_check_finds_what_is_wrong(self):
        self.assertAllRight([(), ("inner=dots",)], *SIZES)
        for library, right, wrong, words in (
                ("wafer/gemm.lua", "base = own_b, extent", "base = own_b, stride = 0, extent", ()),
                ("wafer/matrix.lua", "pe:add(at_c, of.rows)", "pe:add(at_c, of.rows * of.columns)", ()),
                ("wafer/matrix.lua", "dsd(of.b, { of.inner, 0, 1 })", "dsd(of.b, { 0, 0, 1 })", ("inner=dots",))):
            self.assertEqual(self.run_with(library, right, wrong, *words), CHECK, wrong)

    def test_threads_data_and_grains(self):
        words = ("m=64", "k=96", "n=32", "side=32")
        self.assertThreadsDoNotMatter(*words)
        self.assertDataTakeNoTime(*words)
        for inner in ("columns", "dots"):
            found = [self.assertRight(*words, f"inner={inner}", f"grain={grain}")["cycles"] for grain in ("wavelet", "stream")]
            self.assertAlmostEqual(found[1] / found[0], 1, delta=0.01)

    def test_a_step_sends_as_many_words_as_the_ramp_takes(self):
        """The PE that sends blocks of A and B, both ways, passes all of them through its ramp."""
        for block in (8, 16):
            size = 6 * block
            found = self.outcome(f"m={size}", f"k={size}", f"n={size}", "side=6", "--timing-only", "inner=dots")["metrics"]
            spread = found["cycles_per_step"] - found["product_cycles"] / 6
            self.assertGreater(spread, 4 * block * block)
            self.assertLess(spread, 5 * block * block + 400)

    def test_what_does_not_fit(self):
        for words, says in (
                (("k=30", "side=4"), ["k = 30", "side = 4", "28"]),
                (("m=256", "k=256", "n=256", "side=4"), ["64 x 64", "room"]),
                (("m=132", "k=132", "n=132", "side=4", "inner=dots"), ["dots", "32766", "columns"]),
                (("m=756", "k=756", "n=756", "side=756"), ["756", "755 x 994"]),
                (("side=0",), ["side", "1.."])):
            self.assertRefused(words, *says)
        self.assertFails(INPUT, ["wormhole_n300"], "run", self.SCRIPT, "--chip", "wormhole_n300")


if __name__ == "__main__":
    unittest.main()
