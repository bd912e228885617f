"""The tutorial: every program runs, passes its check, and does what its text says; the page on
arithmetic has the tables that its experiments print."""
import os
import re
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT, SOURCE

FOLDER = os.path.join(SOURCE, "workloads", "tutorial")
PAGE = os.path.join(SOURCE, "workloads", "doc", "rounding.md")
GRID = "workloads/tutorial/3_jacobi_grid.lua"


def text_of(path):
    with open(path, encoding="ascii") as file:
        return file.read()


class Tutorial(gridloom.Scenario):
    def run_step(self, name, *words):
        """A step's result and what it printed."""
        done = self.gridloom("run", f"workloads/tutorial/{name}.lua", *words)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("check      pass", done.stdout)
        return done.stdout

    def cycles(self, name, *words):
        return float(re.search(r"([\d.]+) cycles per", self.run_step(name, *words)).group(1))

    def test_every_step_is_there_and_points_to_annotations(self):
        names = sorted(os.listdir(FOLDER))
        for step in range(1, 7):
            name, = [name for name in names if name.startswith(f"{step}_")]
            text = text_of(os.path.join(FOLDER, name))
            self.assertIn("gridloom new annotations gridloom.lua", text)
            self.assertIn(f"workloads/tutorial/{name}", text)
            self.assertIn(f"`{name}`", text_of(os.path.join(FOLDER, "README.md")))

    def test_a_vector_update_on_one_core_on_all_and_from_dram(self):
        one = self.cycles("1_vector_update", "tiles=2")
        every = self.cycles("1_vector_update", "cores=all", "tiles=2")
        dram = self.cycles("1_vector_update", "cores=all", "memory=dram", "tiles=2")
        self.assertEqual(one, every)
        self.assertGreater(dram, 2 * every)

    def test_jacobi_on_a_row_of_a_wafer(self):
        self.cycles("2_jacobi_row", "pes=1", "cells=3", "iterations=2")
        self.cycles("2_jacobi_row", "pes=5", "cells=1", "iterations=9")
        self.cycles("2_jacobi_row")

    def test_jacobi_with_halos_on_both_chips(self):
        for chip, words in (("wormhole_n300", ["nx=96", "ny=64", "iterations=4"]),
                            ("wormhole_n300", ["nx=32", "ny=32", "iterations=3"]),
                            ("wse2", ["nx=24", "ny=16", "iterations=4"]),
                            ("wse2", ["nx=8", "ny=8", "iterations=3"])):
            self.cycles("3_jacobi_grid", "--chip", chip, *words)

    def test_a_run_without_data_prints_no_number_that_is_none(self):
        for chip in ("wormhole_n300", "wse2"):
            done = self.succeed("run", "workloads/tutorial/3_jacobi_grid.lua", "--chip", chip, "--timing-only")
            self.assertNotIn("nan", done.stdout)

    def test_jacobi_without_the_line_that_waits_does_not_pass(self):
        for name in ("2_jacobi_row", "3_jacobi_grid", "jacobi_cores", "jacobi_wafer"):
            text = text_of(os.path.join(FOLDER, f"{name}.lua"))
            lines = [line for line in text.splitlines(True)
                     if "noc_semaphore_wait_min" not in line and "pe:block(COMPUTE)" not in line]
            self.assertEqual(len(lines) < text.count("\n"), name != "3_jacobi_grid")
            self.write(f"{name}.lua", "".join(lines))
        for status, words in ((CHECK, ["3_jacobi_grid.lua"]), (INPUT, ["2_jacobi_row.lua"]),
                              (INPUT, ["3_jacobi_grid.lua", "--chip", "wse2"])):
            done = self.gridloom("run", *words)
            self.assertEqual(done.returncode, status, words)
            self.assertIn("microthread" if status == INPUT else "check failed", done.stderr)

    def test_the_timeline_shows_that_two_pages_overlap(self):
        one = self.cycles("4_timeline", "pages=1", "--out", "out")
        self.succeed("plot", "timeline", "out", "-o", "one.svg")
        self.assertIn(">fetch<", self.read("one.svg"))
        two, three = (self.cycles("4_timeline", f"pages={pages}") for pages in (2, 3))
        self.assertTrue(two < 0.7 * one and two > 0.98 * three > 0.95 * two, (one, two, three))

    def test_the_bottleneck_moves_from_the_core_to_dram(self):
        self.cycles("5_bottleneck", "tiles=4", "--no-trace", "--out", "out")
        self.assertNotIn("  DRAM\n", self.succeed("roofline", "out").stdout.split("memory")[0])
        self.cycles("5_bottleneck", "columns=8", "rows=2", "tiles=2", "--no-trace", "--out", "out")
        self.assertIn("  DRAM\n", self.succeed("roofline", "out").stdout.split("memory")[0])
        self.cycles("5_bottleneck", "tiles=4", "--no-trace", "--out", "one")
        self.assertIn("A 4 tiles; B 32 tiles", self.gridloom("roofline", "one", "out").stderr)

    def test_the_sweep_gives_intervals(self):
        text = text_of(os.path.join(FOLDER, "6_sweep.lua"))
        quick = text.replace("{ 1, 2, 4 }", "{ 1, 2 }").replace("uncertainty = 8", "uncertainty = 2")
        self.assertEqual(len(quick), len(text) - 3)
        done = self.gridloom("sweep", self.write("s.lua", quick), "--out", "results", "--csv", "-")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("metrics.gigabytes_per_second_low", done.stdout)
        self.assertEqual(done.stdout.count(",done,"), 2)

    def test_the_page_on_arithmetic_has_what_the_experiments_print(self):
        page, script = text_of(PAGE), text_of(os.path.join(FOLDER, "arithmetic.lua"))
        for chip in ("wormhole_n300", "wse2"):
            printed = self.run_step("arithmetic", "--chip", chip)
            table = printed[printed.index("  effect "):].split("\n\n")[0]
            for line in table.splitlines():
                self.assertIn(f"\n{line[2:]}\n", page)
        experiments = re.findall(r"```lua\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(experiments), 7)
        for experiment in experiments:
            for line in experiment.splitlines():
                self.assertRegex(script, rf"\n *{re.escape(line.strip())}")
        for effect in ("rounding", "subnormals", "accumulation", "fidelity", "Src", "Dst", "fp32_dst"):
            self.assertIn(f"\n{effect} ", page)


if __name__ == "__main__":
    unittest.main()
