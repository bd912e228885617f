"""hdiff and vadvc on wafers: right to the bit, their time, in both grains."""
import os
import unittest

from gridloom import CHECK, DONE
from workload_runs import LIBRARY, WaferRuns, script_of


class OnWafers(WaferRuns):
    def sized(self, sizes, variants, *words):
        """The metrics of all variants and sizes, each with right results."""
        cases = [(size, variant) for size in sizes for variant in variants]
        found = self.assertAllRight([(f"nx={nx}", f"ny={ny}", f"nz={nz}", *variant) for (nx, ny, nz), variant in cases],
                                    *words)
        self.assertEqual([metrics["points"] for metrics in found],
                         [(nx - 4) * (ny - 4) * nz for (nx, ny, nz), _ in cases])
        return found

    def wrong(self, library, changes, *words):
        for right, wrong in changes:
            self.assertEqual(self.run_with(library, right, wrong, *words), CHECK, wrong)

    def change(self, library, right, wrong):
        """Changes the library for all runs from here on."""
        with open(os.path.join(LIBRARY, library), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(right), 1, right)
        self.write(library, text.replace(right, wrong))

    def assertSaysWhatFits(self, *words):
        text = self.assertRefused((*words, "nz=4096")).stderr
        most = int(text.split("at most ")[1].split()[0])
        self.outcome(*words, f"nz={most}", "--timing-only")
        self.assertRefused((*words, f"nz={most + 1}"), f"nz = {most + 1}", f"at most {most}")


class Hdiff(OnWafers):
    SCRIPT = script_of("hdiff")
    CHANGED = ("nx=9", "ny=8", "nz=6")

    def test_edges_corners_and_columns(self):
        """One inner point, one row of them, more than the colors' period; odd columns, also of
        halves."""
        found = self.sized(((5, 5, 1), (5, 9, 2), (8, 5, 3), (13, 12, 8)), ((), ("dtype=fp16",), ("limiter=off",)))
        self.assertEqual([metrics["flops_per_point"] for metrics in found], 4 * [42, 42, 34])

    def test_rounds_begin_with_the_same_numbers(self):
        self.sized(((7, 9, 5),), (("dtype=fp32",), ("dtype=fp16",)), "rounds=3")

    def test_zeros_and_the_smallest_numbers_are_limited_as_the_others(self):
        """Gradients of 0, whose products have either sign; products that are denormal, or 0 because
        they are too small."""
        for low, high, step in (("0", "1", "1 / 2"), ("-1", "1", "1"), ("0", "1e-22", "1e-24"), ("0", "1e-23", "1e-25")):
            self.change("weather.lua", "u:fill_random(p.dtype, 1, 0, 1, 1 / 1024)",
                        f"u:fill_random(p.dtype, 1, {low}, {high}, {step})")
            for words in ((), ("dtype=fp16",)) if high == "1" else ((),):
                self.assertEqual(self.run_with("wafer/hdiff.lua", "SIGN_BIT, ALL_BITS = 15", "SIGN_BIT, ALL_BITS = 15",
                                               *words), DONE, (step, words))
        for high, step in (("1", "1 / 2"), ("1e-23", "1e-25")):
            self.change("weather.lua", "u:fill_random(p.dtype, 1, 0, 1, 1 / 1024)", f"u:fill_random(p.dtype, 1, 0, {high}, {step})")
            self.wrong("wafer/hdiff.lua", (("pe[kind.add](pe, m.products, m.products, 0)", ""),))

    def test_the_check_finds_what_is_wrong(self):
        self.wrong("wafer/hdiff.lua", (
            ("pe[kind.fuse](pe, m.laplacian, m.along_y, m.u, -4)", "pe[kind.fuse](pe, m.laplacian, m.along_y, m.u, -4.000001)"),
            ("pe[kind.add](pe, m.sums, m.near, m.far)", "pe[kind.add](pe, m.sums, m.near, m.near)"),
            ("m.along_y, weather.hdiff.coefficient)", "m.along_y, weather.hdiff.coefficient * (1 + 2e-6))"),
            ("subtract, m.to_south, m.laplacian,", "subtract, m.to_south, m.along_y,"),
            ("pe:xor16(sign, sign, ALL_BITS)", ""),
            ("strides = { step, halves, 0 }, offset = halves - 1", "strides = { step, halves, 0 }"),
            ("move, east.out, m.to_east", "move, east.out, m.to_south"),
            ("pe[move](pe, m.out, m.u)", "")))

    def test_a_wrong_color_is_seen(self):
        """Fluxes to the east meet Laplacians, or fluxes to the south meet each other."""
        for right, wrong in (("east = { 9, 5, 6, 7, 8 }", "east = { 5, 6, 7, 8, 9 }"),
                             ("south = { 10, 11, 11, 12, 10 }", "south = { 10, 11, 10, 11, 12 }")):
            self.assertNotEqual(self.run_with("wafer/hdiff.lua", right, wrong), DONE, wrong)

    def test_threads_and_data_change_no_cycle(self):
        self.assertThreadsDoNotMatter("nx=12", "ny=13", "nz=10")
        self.assertDataTakeNoTime("nx=12", "ny=13", "nz=10", "dtype=fp16")

    def test_both_grains_agree(self):
        self.assertGrainsAgree("cycles_per_round", [("nz=32",), ("nz=12", "rounds=3", "dtype=fp16")], "nx=27", "ny=28",
                               within=0.03)

    def test_rates(self):
        result = self.outcome("nx=20", "ny=15", "nz=30", "rounds=2", "--timing-only")
        self.assertAlmostEqual(result["metrics"]["gflops"], 16 * 11 * 30 * 42 * 2 * 0.85 / result["cycles"], places=6)
        self.assertEqual(sorted(result["zones"]), ["compute", "exchange"])

    def test_the_limiter_costs_and_halves_are_faster(self):
        words = ("nx=8", "ny=8", "nz=100", "--timing-only")
        cycles = self.outcome(*words)["cycles"]
        self.assertGreater(cycles, 1.2 * self.outcome(*words, "limiter=off")["cycles"])
        self.assertGreater(cycles, 1.4 * self.outcome(*words, "dtype=fp16")["cycles"])

    def test_the_whole_domain(self):
        result = self.assertRight()
        self.assertEqual(result["metrics"]["grain"], "stream")
        self.assertEqual(result["metrics"]["points"], 252 * 252 * 64)

    def test_what_is_refused(self):
        for words, says in ((("nx=756",), "755 x 994"), (("dtype=bf16",), "fp16"), (("nx=4",), "5.."), (("pes=4",), "nero")):
            self.assertRefused(words, says)
        for dtype in ("fp32", "fp16"):
            self.assertSaysWhatFits("nx=6", "ny=6", f"dtype={dtype}")


class Vadvc(OnWafers):
    SCRIPT = script_of("vadvc")
    CHANGED = ("nx=8", "ny=6", "nz=21")

    def test_edges_corners_and_columns(self):
        """Less than a block of levels, whole blocks, and a remainder."""
        found = self.sized(((5, 5, 2), (5, 9, 3), (8, 5, 7), (6, 7, 8), (6, 6, 9), (7, 6, 16), (13, 12, 21)),
                           (("dtype=fp32",), ("dtype=fp16",)))
        self.assertEqual({metrics["flops_per_point"] for metrics in found}, {30})

    def test_rounds_begin_with_the_same_numbers(self):
        self.sized(((7, 9, 11),), (("dtype=fp32",), ("dtype=fp16",)), "rounds=3")

    def test_the_check_finds_what_is_wrong(self):
        self.wrong("wafer/thomas.lua", (
            ('scalar("mul", self.product, self.n[before], a[i])', 'scalar("mul", self.product, self.n[i], a[i])'),
            ('scalar("mul", self.n[i], a[i + 1], self.quotient)', 'scalar("mul", self.n[i], a[i], self.quotient)'),
            ("i < count - 1 and i + 1 or 0", "0"),
            ("pe:assign(level, layers - rest)", "pe:assign(level, layers)")))
        self.wrong("wafer/thomas.lua", (
            ("pe:fs2h(self.quotient_half, self.quotient_single)", ""),
            ("level(ABOVE, 0, 2, 2)", "level(ABOVE, 0, 2, 1)"),
            ("pe:assign(level, layers - 2)", "pe:assign(level, layers - 3)")), "dtype=fp16")
        self.wrong("wafer/vadvc.lua", (
            ("pe[kind.scale](pe, m.right, m.upos, dtr)", "pe[kind.scale](pe, m.right, m.upos, dtr * (1 + 1e-7))"),
            ("pe[kind.add](pe, m.corrections, m.moved_below, m.moved_above)",
             "pe[kind.add](pe, m.corrections, m.moved_below, m.moved_below)"),
            ("pe[kind.move](pe, m.out, m.utensstage)", "pe[kind.move](pe, m.out, m.upos)"),
            ("{ kind.add, m.faces, m.wcon_high, part.from.east }", "{ kind.add, m.faces, m.wcon_low, part.from.east }")))

    def test_threads_and_data_change_no_cycle(self):
        self.assertThreadsDoNotMatter("nx=12", "ny=13", "nz=10")
        self.assertDataTakeNoTime("nx=12", "ny=13", "nz=10")
        self.assertDataTakeNoTime("nx=7", "ny=8", "nz=10", "dtype=fp16")

    def test_both_grains_agree(self):
        self.assertGrainsAgree("cycles_per_round", [("nz=32",), ("nz=10", "rounds=3", "dtype=fp16")], "nx=27", "ny=28",
                               within=0.03)

    def test_rates_and_zones(self):
        result = self.outcome("nx=20", "ny=15", "nz=30", "--timing-only")
        self.assertAlmostEqual(result["metrics"]["gflops"], 16 * 11 * 30 * 30 * 0.85 / result["cycles"], places=6)
        self.assertEqual(sorted(result["zones"]), ["compute", "downwards", "exchange", "upwards"])

    def test_a_level_takes_its_division_and_six_operations(self):
        """A block of 8 more levels: 8 * (50 + 6 * 2) up and 8 * 2 * 2 down, with 5 cycles to load and
        store for each, beside the time of vectors."""
        cycles = [self.outcome("nx=6", "ny=6", f"nz={nz}", "--timing-only")["cycles"] for nz in (32, 40, 48)]
        self.assertAlmostEqual(cycles[2] - cycles[1], cycles[1] - cycles[0], delta=2)
        self.assertGreater(cycles[1] - cycles[0], 8 * (55 + 6 * 7) + 8 * 2 * 7)
        self.assertLess(cycles[1] - cycles[0], 8 * (55 + 6 * 7) + 8 * 2 * 7 + 8 * 14 + 4 * (28 + 16) + 40)

    def test_the_whole_domain(self):
        result = self.outcome("--timing-only")
        self.assertEqual(result["metrics"]["grain"], "stream")
        self.assertEqual(result["metrics"]["points"], 252 * 252 * 64)

    def test_what_is_refused(self):
        self.assertRefused(("nz=1",), "2..")
        self.assertRefused(("ny=995",), "755 x 994")
        for dtype in ("fp32", "fp16"):
            self.assertSaysWhatFits("nx=6", "ny=6", f"dtype={dtype}")


if __name__ == "__main__":
    unittest.main()
