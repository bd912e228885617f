"""The 7-point and the 25-point stencil over the chips of a system: right to the bit, the time of
the exchange, other scripts on chip 0, and refusals."""
import itertools
import unittest

from gridloom import CHECK, DONE
from workload_runs import WorkloadRuns, script_of

PARTS = [f"{part}_seconds_per_iteration" for part in ("compute", "noc", "ethernet", "host")]
VARIANTS = (("overlap=on",), ("overlap=off",), ("dtype=fp32",))
# Scripts for one chip, a system of several chips, a system of one chip, and words of small
# runs.
ON_ONE_CHIP = (
    ("vecadd", "n300", "default", ("tiles=4",)),
    ("matmul", "n300", "default", ("m=64", "k=64", "n=64")),
    ("transfer", "n300", "default", ("max_bytes=512",)),
    ("stencil2d", "n300", "default", ("rows=2", "cols=2", "tiles=2")),
    ("reduce", "wse2x2", "wse2", ("width=8", "height=4")),
    ("bicgstab", "wse2x2", "wse2", ("nx=4", "ny=4", "nz=8", "iterations=2")),
)


class ChipRuns(WorkloadRuns):
    """Runs on a system of several chips."""
    CHIP = ("--system", "n300")

    def on(self, system, *words, **options):
        """The result on another system."""
        before, self.CHIP = self.CHIP, ("--system", system)
        try:
            return self.assertRight(*words, **options)
        finally:
            self.CHIP = before

    def all_on(self, system, cases, *words):
        """The metrics of cases on another system, each with right results."""
        before, self.CHIP = self.CHIP, ("--system", system)
        try:
            return self.assertAllRight(cases, *words)
        finally:
            self.CHIP = before

    def assertSizes(self, *words):
        """Runs on some of the chips, and with sizes that do not fill them."""
        sizes = ((300, 20, 3, 2), (420, 17, 2, 4), (65, 16, 1, 0), (500, 31, 6, 8))
        found = self.all_on("t3000", [(f"nx={nx}", f"ny={ny}", f"nz={nz}", f"chips={chips}")
                                      for nx, ny, nz, chips in sizes], *words)
        self.assertEqual([metrics["grid"] for metrics in found], [list(size[:3]) for size in sizes])

    def assertOffTakesLonger(self, *words):
        """A core then waits for Ethernet, which it does not do otherwise."""
        on, off = (self.outcome(*words, f"overlap={word}", "--timing-only") for word in ("on", "off"))

        self.assertLess(on["cycles"], off["cycles"])
        self.assertLess(on["metrics"]["ethernet_seconds_per_iteration"],
                        off["metrics"]["ethernet_seconds_per_iteration"])

    def assertPartsAddUp(self, *words):
        result = self.outcome(*words, "--timing-only")
        parts = [result["metrics"][name] for name in PARTS]

        self.assertEqual(result["metrics"]["chips"], 2)
        self.assertGreaterEqual(min(parts), 0)
        self.assertGreater(result["metrics"]["ethernet_seconds_per_iteration"], 0)
        self.assertAlmostEqual(sum(parts), result["seconds_per_iteration"], delta=1e-12)

    def assertLinksCarry(self, each_way, *words):
        """The links between two chips carry so many bytes of halos, and the overhead of packets."""
        links = [link for link in self.outcome(*words, "--timing-only")["metrics"]["links"]
                 if link["name"] in ("eth_0_to_1", "eth_1_to_0")]

        self.assertEqual(len(links), 2)
        for link in links:
            self.assertGreaterEqual(link["bytes"], each_way)
            self.assertLess(link["bytes"], 1.5 * each_way)


class Stencil7Chips(ChipRuns):
    SCRIPT = script_of("stencil7")
    CHANGED = ("rows=2", "cols=2", "tiles=6")

    def test_two_chips_are_one_large_grid(self):
        sizes = [size for size in ((1, 1, 1), (2, 1, 2), (2, 2, 9), (1, 3, 4)) for _ in VARIANTS]
        found = self.assertAllRight([(f"rows={rows}", f"cols={cols}", f"tiles={tiles}", *words) for (rows, cols, tiles), words
                                     in zip(sizes, itertools.cycle(VARIANTS))], "iterations=3")
        self.assertEqual([metrics["grid"] for metrics in found],
                         [[2 * 64 * cols, 16 * rows, tiles] for rows, cols, tiles in sizes])

    def test_eight_chips_are_too(self):
        found = self.all_on("t3000", [(f"cols={cols}", *words) for cols in (1, 2) for words in VARIANTS],
                            "rows=2", "tiles=5", "iterations=2")
        self.assertEqual([metrics["grid"] for metrics in found],
                         [[8 * 64 * cols, 32, 5] for cols in (1, 2) for _ in VARIANTS])

    def test_some_of_the_chips_and_sizes_that_do_not_fill_them(self):
        for words in (("dtype=bf16",), ("dtype=fp32", "overlap=off"), ("arithmetic=ieee",)):
            self.assertSizes(*words, "iterations=2")

    def test_without_halo_or_zeros_the_rest_is_right(self):
        for words in (("halo=off",), ("zero_fill=off",), ("halo=off", "zero_fill=off")):
            check = self.assertRight("rows=2", "cols=2", "tiles=2", *words)["check"]
            self.assertIn("are not checked", check["reference"])

    def test_without_halo_chips_do_not_talk(self):
        links = self.outcome("rows=2", "cols=2", "tiles=3", "halo=off", "chips=2", "--timing-only")["metrics"]["links"]
        on = self.outcome("rows=2", "cols=2", "tiles=3", "chips=2", "--timing-only")["metrics"]["links"]

        def sent(links):
            return [link["bytes"] for link in links if link["kind"] == "ethernet"]
        self.assertLess(sum(sent(links)), sum(sent(on)))

    def test_the_check_finds_what_is_wrong(self):
        for library, right, wrong in (
                ("cores/chip_halo.lua", "gathered + first, get_fabric", "gathered, get_fabric"),
                ("cores/chip_halo.lua", "get_noc_addr(h.here.x, h.here.y, gathered + k * h.edge_bytes)",
                 "get_noc_addr(h.here.x, h.here.y, gathered)"),
                ("cores/chip_halo.lua", "side, round) + k * h.edge_bytes", "side, round)"),
                ("cores/laplacian7.lua", "k * s.tile_bytes + line * s.line_bytes)", "k * s.tile_bytes)"),
                ("cores/laplacian7.lua", "side_of[name].lines[1] * s.line_bytes", "0")):
            self.assertEqual(self.run_with(library, right, wrong), CHECK, (library, wrong))

    def test_a_chip_that_lags_gets_its_lines(self):
        place = "function stencil.fill(s, first)\n"
        for lagging in (0, 1):
            late = place + f"    if my_chip() == {lagging} then delay(30000) end\n"
            for words in ((), ("overlap=off",)):
                self.assertEqual(self.run_with("cores/laplacian7.lua", place, late, *words,
                                               "iterations=3"), DONE)

    def test_one_chip_takes_what_it_took(self):
        words = ("rows=2", "cols=2", "tiles=4", "iterations=2")

        self.assertEqual(self.on("n300", *words, "chips=1")["cycles"], self.on("default", *words)["cycles"])

    def test_threads_and_numbers_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=2", "cols=2", "tiles=4")
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=4", "iterations=2")

    def test_waiting_for_all_takes_longer(self):
        self.assertOffTakesLonger("rows=3", "cols=2", "tiles=8", "iterations=3")

    def test_parts_add_up_and_links_carry_lines(self):
        for overlap in ("on", "off"):
            self.assertPartsAddUp("rows=3", "cols=2", "tiles=6", "iterations=4", f"overlap={overlap}")
        self.assertLinksCarry(3 * 64 * 32 * 4, "rows=3", "cols=2", "tiles=64", "iterations=4", "overlap=off")

    def test_halos_of_chips_cost_little(self):
        one, two = (self.outcome("rows=3", "cols=3", "tiles=16", "iterations=4", f"chips={chips}",
                                 "--timing-only")["cycles"] for chips in (1, 2))

        self.assertLess(two, 1.03 * one)

    def test_lines_of_other_chips_take_room(self):
        """Two places for a line each way of 32 bytes, beside two tiles of 2048."""
        fit = 349 * 4096 // (4096 + 128)
        self.assertRefused((f"tiles={fit + 2}", "--timing-only"), f"tiles = {fit + 2}", "L1")
        self.outcome(f"tiles={fit - 1}", "rows=1", "cols=1", "--timing-only")

    def test_what_is_refused(self):
        for words, says in ((("chips=3",), "chips=3: the system has 2"),
                            (("chips=2", "nx=64", "ny=16", "nz=1"), "chips=2: the grid has 1 columns of cores"),
                            (("nx=1025", "ny=16", "nz=1"), "nx is up to 1024"),
                            (("cols=9",), "cols=9 on each of 2 chips"),
                            (("overlap=maybe",), "overlap"),
                            (("chips=-1",), "chips")):
            self.assertRefused(words, says)


class Stencil25Chips(ChipRuns):
    SCRIPT = script_of("stencil25")
    CHANGED = ("nx=200", "ny=20", "nz=5")

    def test_two_chips_are_one_large_grid(self):
        self.assertAllRight([(f"rows={rows}", f"cols={cols}", f"tiles={tiles}", *words)
                             for rows, cols, tiles in ((1, 1, 1), (2, 1, 2), (1, 2, 3), (2, 2, 9)) for words in VARIANTS], "steps=4")

    def test_eight_chips_are_too(self):
        self.all_on("t3000", [(f"cols={cols}", *words) for cols in (1, 2) for words in VARIANTS],
                    "rows=2", "tiles=5", "steps=3")

    def test_some_of_the_chips_and_sizes_that_do_not_fill_them(self):
        for words in (("dtype=bf16",), ("dtype=fp32", "overlap=off")):
            self.assertSizes(*words, "steps=3")

    def test_a_pulse_goes_from_chip_to_chip(self):
        """The source is near the middle of the grid, on the first core of the second chip."""
        for metrics in self.assertAllRight([("overlap=on",), ("overlap=off",)], "nx=130", "ny=20", "nz=3", "steps=19",
                                           "start=zero"):
            self.assertGreater(metrics["largest"], 0.1)

    def test_the_check_finds_what_is_wrong(self):
        for library, right, wrong in (
                ("cores/chip_halo.lua", "gathered + first, get_fabric", "gathered, get_fabric"),
                ("cores/shifted_tiles.lua", 'name == "north" and first or first + last', "first"),
                ("cores/shifted_tiles.lua", 'name == "north" and -s.reach or LINES', "LINES"),
                ("cores/stencil.lua", "shifted.send_far(s, made,", "shifted.send_far(s, s.fields[1],"),
                ("cores/stencil.lua", "shifted.take_far(s, present,", "shifted.take_far(s, s.fields[1],")):
            self.assertEqual(self.run_with(library, right, wrong), CHECK, (library, wrong))

    def test_a_chip_that_lags_gets_its_edges(self):
        place = "function shifted.gather(s, field, k, count)\n"
        for lagging in (0, 1):
            late = place + f"    if my_chip() == {lagging} and my_x() == 0 then delay(9000) end\n"
            for words in ((), ("overlap=off",), ("dtype=fp32",)):
                self.assertEqual(self.run_with("cores/shifted_tiles.lua", place, late, *words, "steps=5"), DONE)

    def test_one_chip_takes_what_it_took(self):
        words = ("rows=2", "cols=2", "tiles=4", "steps=2")

        self.assertEqual(self.on("n300", *words, "chips=1")["cycles"], self.on("default", *words)["cycles"])

    def test_threads_and_numbers_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=2", "cols=2", "tiles=4")
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=4")

    def test_waiting_for_all_takes_longer(self):
        self.assertOffTakesLonger("rows=3", "cols=2", "tiles=16", "steps=4")

    def test_parts_add_up_and_links_carry_levels(self):
        """All levels except the last one."""
        for overlap in ("on", "off"):
            self.assertPartsAddUp("rows=3", "cols=2", "tiles=6", f"overlap={overlap}")
        self.assertLinksCarry(3 * 32 * 128 * 4, "rows=3", "cols=2", "tiles=32", "steps=4", "overlap=off")


class OtherScripts(ChipRuns):
    def test_they_run_on_chip_0(self):
        for name, several, one, words in ON_ONE_CHIP:
            self.SCRIPT = script_of(name)
            on_one = ("--system", one) if one == "default" else ("--chip", one)
            cycles = []
            for self.CHIP in (("--system", several), on_one):
                cycles.append(self.assertRight(*words)["cycles"])
            self.assertEqual(cycles[0], cycles[1], name)

    def test_stencil2d_says_so(self):
        self.assertIn("on chip 0 of 2: stencil2d runs on one chip",
                      self.succeed("run", script_of("stencil2d"), *self.CHIP, "rows=1", "cols=1", "tiles=1").stdout)


if __name__ == "__main__":
    unittest.main()
