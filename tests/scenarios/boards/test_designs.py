"""The shipped design sweeps: they expand, their pictures exist, and a few runs of each work."""
import os
import unittest
import xml.etree.ElementTree as xml

import gridloom
import sweeps
from gridloom import DONE

EXPERIMENTS = os.path.join(gridloom.SOURCE, "workloads", "experiments")
# The number of runs, a part of them for a test, and the parameter that differs between those.
DESIGNS = {
    "noc": (60, 'p.tiles == 1 and p["noc.link_bytes_per_cycle"] == 1 and p["noc.hop_cycles"] % 35 == 1',
            "seconds_per_iteration"),
    "sram": (20, 'p.rows == 1 and p["l1.capacity_bytes"] <= 512 * 1024', "unknowns"),
    "reduce": (37, 'p.width == 8 and (p.pattern == "chain" or p.pattern == "tree")', "cycles"),
    "routing": (42, 'p.rows == 2 and p.routing ~= "direct" and p["noc.hop_cycles"] == 36', "cycles"),
    "queues": (25, 'p["fabric.hop_cycles"] == 16 and p["queues.input_wavelets"]:find("^[18],[18]")',
               "cycles_per_step"),
}


class Designs(sweeps.Sweeps):
    def test_every_one_expands(self):
        files = sorted(name for name in os.listdir(EXPERIMENTS)
                       if name.startswith("design_") and name.endswith(".lua"))
        self.assertEqual(files, sorted(f"design_{name}.lua" for name in DESIGNS))
        for name, (count, _, _) in DESIGNS.items():
            with self.subTest(name=name):
                done = self.gridloom("sweep", os.path.join(EXPERIMENTS, f"design_{name}.lua"), "--dry-run")
                self.assertEqual((done.returncode, done.stderr), (DONE, ""))
                self.assertIn(f": {count} runs; everything is in order", done.stdout)

    def test_a_part_of_each_runs_and_is_drawn(self):
        for name, (_, part, column) in DESIGNS.items():
            with self.subTest(name=name):
                with open(os.path.join(EXPERIMENTS, f"design_{name}.lua"), encoding="utf-8") as file:
                    text = file.read()
                self.write("s.lua", f"local design = (function()\n{text}\nend)()\n"
                                    "local where = design.where\n"
                                    "design.where = function(p)\n"
                                    f"    return (not where or where(p)) and ({part}) and true or false\n"
                                    "end\n"
                                    "return design\n")
                done = self.gridloom("sweep", "s.lua", "--db", f"{name}.sqlite", "--out", name, "-q")
                self.assertEqual((done.returncode, done.stderr), (DONE, ""))
                values = [row[0] for row in self.named(column, database=f"{name}.sqlite")]
                self.assertEqual(len(values), 2)
                self.assertEqual(len(set(values)), 2, f"{column} does not differ")

    def test_largest_problems_are_the_largest(self):
        """The file computes the largest problem as the script does."""
        self.write("s.lua", """
return {
    summary = "fits", script = "pcg", fixed = { rows = 1, cols = 1, tiles = 1, iterations = 1 },
    axes = { { name = "l1.capacity_bytes", values = { 262144, 524288, 1048576, 1499136, 2097152 } } },
    timing_only = true, record = { "metrics.tiles_that_fit" },
}""")
        done = self.gridloom("sweep", "s.lua", "-q")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual([row[0] for row in self.named("metrics.tiles_that_fit")], [19, 51, 115, 170, 243])

    def test_pictures_are_there_and_of_the_same_name(self):
        pictures = {name for name in os.listdir(EXPERIMENTS)
                    if name.startswith("design_") and name.endswith(".svg")}
        for name in DESIGNS:
            self.assertTrue(any(picture.startswith(f"design_{name}") for picture in pictures), name)
        for picture in pictures:
            with open(os.path.join(EXPERIMENTS, picture), encoding="utf-8") as file:
                xml.fromstring(file.read())


if __name__ == "__main__":
    unittest.main()
