"""gridloom model codesign FILE.lua: SRAM or cores in one area, by running programs."""
import csv
import io
import json
import math
import os
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import INPUT, SOURCE

UNMODELLED = 2
KIB = 1024
VIEWS = ("as_filed", "small_sram", "large_sram")

# From section [area] of a WSE-2, in mm2: SRAM per KiB, core, router; as filed and at both ends.
SRAM = {"as_filed": 0.000396, "small_sram": 0.0003, "large_sram": 0.00055}
LOGIC = {"as_filed": 0.019, "small_sram": 0.026, "large_sram": 0.012}

WAFER = """{ name = "nx", values = { 9, 10 } },
        { name = "ny", with = "nx", values = { 9, 10 } },
        { name = "memory.capacity_bytes", values = { 4096, 12288, 24576, 49152 } },
        { name = "nz", with = "memory.capacity_bytes", values = { 5, 5, 10, 20 } },"""
WAFER_RECORD = """cores = "parameters.nx*parameters.ny", cells = "parameters.nz",
        seconds = "metrics.cycles_per_step_steady/850000000","""
ACROSS_RECORD = """across = "parameters.nx+parameters.ny", across_seconds = "7/850000000","""
# Two to four rows of two tiles; one tile is switched off and one dispatches.
CORES = """{ name = "l1.capacity_bytes", values = { 98304, 1499136, 4194304 } },
        { name = "rows", values = { 1, 2 } },
        { name = "grid.compute_row_count", with = "rows", values = { 1, 2 } },
        { name = "grid.tensix_rows", with = "rows", values = { "1,2,3", "1,2,3,4" } },
        { name = "grid.harvested_rows", with = "rows", values = { "3", "4" } },"""
CORES_FIXED = """cols = 2, tiles = 1, iterations = 1, unattributed = "off",
        ["grid.tensix_columns"] = "1,2", ["grid.compute_column_count"] = 2,"""
CORES_RECORD = """cores = "parameters.rows*parameters.cols", cells = "1024*parameters.tiles",
        seconds = "seconds_per_iteration","""


class Codesign(gridloom.Scenario):
    wafer_designs = None  # of the sweep above, once for all tests

    def file(self, axes=WAFER, script="stencil25", chip="wse2", fixed="steps = 2, block = 5,",
             record=WAFER_RECORD, more=""):
        chip = f'chip = "{chip}",' if chip else ""
        return self.write("my.lua", f"""return {{
            summary = "s", script = "{script}", {chip} fixed = {{ {fixed} }}, axes = {{ {axes} }},
            timing_only = true, record = {{ {record} }}, {more} }}""")

    def cores(self, **changes):
        return self.file(**{"axes": CORES, "script": "pcg", "chip": "wormhole_n300", "fixed": CORES_FIXED,
                            "record": CORES_RECORD, **changes})

    def study(self, *words):
        return json.loads(self.succeed("model", "codesign", *words, "--json", "-").stdout)["metrics"]

    def wafer(self):
        if Codesign.wafer_designs is None:
            Codesign.wafer_designs = self.study(self.file())
        return Codesign.wafer_designs

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "model", "codesign", *words)

    def assertFronts(self, designs):
        """Designs that no other beats, found by comparing all with all."""
        for view in VIEWS:
            points = [(d[view]["cells"], d[view]["cells_per_second"], d[view]["is_front"]) for d in designs
                      if d["is_main"] and d[view]["cells"] > 0]
            for cells, rate, is_front in points:
                is_beaten = any(c >= cells and r >= rate and (c > cells or r > rate) for c, r, _ in points)
                self.assertEqual(is_front, not is_beaten, (view, cells, rate))

    def test_pes_fill_the_wafer_and_patches_ran(self):
        designs = self.wafer()["designs"]
        ran = [design for design in designs if design["status"] == "ran"]

        self.assertEqual([(d["sram_bytes"] // KIB, d["ran_cores"]) for d in ran],
                         [(12, 81), (24, 81), (48, 81), (12, 100), (24, 100), (48, 100)])
        for design in ran:
            kib = design["sram_bytes"] / KIB
            for view in VIEWS:
                core = kib * SRAM[view] + LOGIC[view]
                fitting = math.floor(850000 * (48 * SRAM[view] + LOGIC[view]) / core * (1 + 1e-9))
                self.assertAlmostEqual(design[view]["core_mm2"], core, 12)
                self.assertEqual(design[view]["cores"], math.floor(fitting * 755 * 994 / 850000))
                self.assertAlmostEqual(design[view]["cells"], design[view]["cores"] * design["cells_per_core"])
                self.assertAlmostEqual(design[view]["cells_per_second"] * design["seconds"] / design[view]["cells"], 1)
        for design in (ran[0], ran[-1]):
            side = math.isqrt(int(design["ran_cores"]))
            alone = self.gridloom("run", "stencil25", "--chip", "wse2", "--timing-only", "steps=2", "block=5",
                                  f"nx={side}", f"ny={side}", f"nz={design['cells_per_core']:.0f}",
                                  "--set", f"memory.capacity_bytes={design['sram_bytes']}", "--json", "-")
            self.assertEqual(design["seconds"],
                             json.loads(alone.stdout)["metrics"]["cycles_per_step_steady"] / 850e6)
        # The chip is its own design, whatever area its SRAM takes.
        self.assertEqual({d[view]["cores"] for d in ran for view in VIEWS if d["is_shipped"]}, {755 * 994})
        self.assertFronts(designs)

    def test_patches_of_a_design_are_one_and_their_spread_is_told(self):
        found = self.wafer()
        seconds = {}
        for design in found["designs"]:
            if design["status"] == "ran":
                seconds.setdefault(design["sram_bytes"], []).append(design["seconds"])

        self.assertEqual([d["ran_cores"] for d in found["designs"] if d["is_main"] and d["status"] == "ran"],
                         [100, 100, 100])
        spread = max(100 * (max(times) / min(times) - 1) for times in seconds.values())
        self.assertAlmostEqual(found["spread_percent"], spread)
        self.assertGreater(spread, 0)

    def test_a_larger_wafer_takes_longer_where_the_file_says_so(self):
        """The columns and rows are those of as many PEs in the shape of 755 x 994."""
        axes = WAFER.replace("{ 9, 10 }", "{ 9 }")
        near = self.study(self.file(axes=axes))["designs"]
        far = self.study(self.file(axes=axes, record=WAFER_RECORD + ACROSS_RECORD))["designs"]
        for one, other in zip(near[1:], far[1:]):
            self.assertEqual(other["seconds"], one["seconds"])
            for view in VIEWS:
                across = (755 + 994) * math.sqrt(other[view]["cores"] / (755 * 994))
                seconds = one["seconds"] + (across - 18) * 7 / 850e6
                self.assertAlmostEqual(other[view]["across"] / across, 1)
                self.assertAlmostEqual(other[view]["seconds"] / seconds, 1)
                self.assertAlmostEqual(other[view]["cells_per_second"] * seconds / other[view]["cells"], 1)
                self.assertNotIn("seconds", one[view])
        self.assertFronts(far)
        self.succeed("model", "codesign", self.file(axes=axes, record=WAFER_RECORD + ACROSS_RECORD), "-o", "a.svg",
                     "-o", "a.csv")
        self.assertIn("the way across all PEs", "".join(ElementTree.fromstring(self.read("a.svg")).itertext()))
        rows = [row for row in csv.DictReader(io.StringIO(self.read("a.csv"))) if row["status"] == "ran"]
        self.assertEqual([f"{far[1 + i % 3][VIEWS[i // 3]]['seconds']:.9g}" for i in range(9)],
                         [row["seconds"] for row in rows])

    def test_what_is_too_small_for_the_program_is_refused_not_lost(self):
        designs = self.wafer()["designs"]
        small = [design for design in designs if design["sram_bytes"] == 4096]

        self.assertEqual([(d["status"], d["is_main"]) for d in small], [("refused", True), ("refused", False)])
        self.assertIn("nz is at most 0", small[0]["why"])
        self.assertNotIn(True, [small[0][view]["is_front"] for view in VIEWS])
        text = self.succeed("model", "codesign", self.file(axes=WAFER.replace("{ 9, 10 }", "{ 9 }"))).stdout
        self.assertRegex(text, r"(?m)^  refused  4 KiB: block = 5, .*nz is at most 0$")
        self.assertRegex(text, r"(?m)^  front with SRAM large, logic small: .*48 KiB$")
        self.assertRegex(text, r"(?m)^  48 KiB +0\.03801 +50 +750,470 +20 .*the chip$")

    def test_floor_plans_that_fill_the_area_run(self):
        # Beside six or eight tiles there are 254.3 mm2. A tile has 3.91, 5.20 and 7.67 mm2 as assumed,
        # 5.87, 6.82 and 8.67 with small SRAM, and 2.35, 4.54 and 8.75 with large.
        for area, statuses, cores in (
                (297.3, ["refused", "refused", "ran", "ran", "too large", "too large"],
                 {"as_filed": [0, 0, 0, 4, 0, 0], "small_sram": [0, 0, 2, 0, 0, 0], "large_sram": [0, 0, 0, 4, 0, 0]}),
                (310, ["leaves room", "refused", "leaves room", "ran", "ran", "too large"],
                 dict.fromkeys(VIEWS, [0, 0, 0, 4, 2, 0]))):
            designs = self.study(self.cores(), "--area", str(area))["designs"]

            self.assertEqual([design["status"] for design in designs], statuses)
            for view in VIEWS:
                self.assertEqual([design[view]["cores"] for design in designs], cores[view])
            self.assertFronts(designs)

    def test_the_chip_fills_its_own_area(self):
        axes = """{ name = "l1.capacity_bytes", values = { 1499136 } },
            { name = "grid.tensix_rows", values = { "1,2,3,4,5,7,8,9,10,11", "1,2,3,4,5,7,8,10,11" } },"""
        fixed = 'rows = 1, cols = 1, tiles = 1, iterations = 1, unattributed = "off",'
        metrics = self.study(self.cores(axes=axes, fixed=fixed))
        chip, smaller = metrics["designs"]

        self.assertEqual((chip["is_shipped"], chip["status"], chip["patches"], chip["spread_percent"]),
                         (True, "ran", 1, 0))
        self.assertEqual((smaller["is_shipped"], smaller["status"]), (False, "leaves room"))
        self.assertEqual([chip[view]["cores"] for view in VIEWS], [1, 1, 1])
        self.assertAlmostEqual(metrics["area_mm2"]["as_filed"], 254.3 + 80 * chip["as_filed"]["core_mm2"], 6)

    def test_tables_and_pictures_show_the_designs(self):
        small = self.file(axes=WAFER.replace("{ 9, 10 }", "{ 9 }"))
        self.succeed("model", "codesign", small, "-o", "a.csv", "-o", "a.svg", "-q", "--jobs", "2")
        self.succeed("model", "codesign", small, "-o", "b.csv", "-o", "b.svg", "-q", "--jobs", "1")
        rows = list(csv.DictReader(io.StringIO(self.read("a.csv"))))
        words = "".join(ElementTree.fromstring(self.read("a.svg")).itertext())

        self.assertEqual(self.read("a.csv"), self.read("b.csv"))
        self.assertEqual(self.read("a.svg"), self.read("b.svg"))
        self.assertEqual(len(rows), 3 * 4)
        self.assertEqual({row["view"] for row in rows}, set(VIEWS))
        for text in ("stencil25 on wse2", "cells that fit", "cells a second", "the chip as it is", "24 KiB",
                     "SRAM is 50 % of a core", "4 KiB does not run"):
            self.assertIn(text, words)

    def test_areas_can_be_changed(self):
        small = {"axes": WAFER.replace("{ 9, 10 }", "{ 9 }")}
        free = {d["sram_bytes"]: d["as_filed"]["cores"] for d in
                self.study(self.file(**small), "--set", "area.sram_mm2_per_kilobyte=0")["designs"]}

        self.assertEqual(set(free.values()), {755 * 994})
        twice = self.study(self.file(**small), "--area", str(13918 + 2 * 850000 * 0.038008))["designs"]
        self.assertEqual(twice[3]["as_filed"]["cores"], 2 * 755 * 994)

    def test_areas_that_hold_no_design_are_refused(self):
        self.assertRefused(["--area = 100", "the smallest takes 13918.04 mm2"], self.file(), "--area", "100")
        # There is room for a PE, but programs cannot run on so few.
        self.assertRefused(["--area = 13918.02", "the smallest takes 13918.04 mm2"], self.file(), "--area", "13918.02")
        self.assertRefused(["wse2", "cores take no area"], self.file(), "--set", "area.core_mm2=0",
                           "--set", "area.router_mm2=0", "--set", "area.sram_mm2_per_kilobyte=0")
        self.assertRefused(["--area = 260", "the smallest takes 277.7"], self.cores(), "--area", "260")
        for area in ("0", "-1", "nan", "inf", "1e400", "x", "", "1e10"):
            with self.subTest(area=area):
                self.assertRefused(["--area = ", "mm2, above 0"], self.file(), "--area", area)

    def test_input_that_cannot_be_used_is_refused_in_one_line(self):
        gpu = {"chip": "gtx980", "axes": '{ name = "nx", values = { 9 } }'}
        for says, file, words in [
                (["area.colour"], self.file, ["--set", "area.colour=1"]),
                (["--set = noc.hop_cycles=1", "area.KEY=VALUE"], self.file, ["--set", "noc.hop_cycles=1"]),
                (["--jobs = 0"], self.file, ["--jobs", "0"]),
                (["2 files", "expected one sweep"], self.file, ["other.lua"]),
                (["a.txt"], self.file, ["-o", "a.txt"]),
                (["chip is missing"], lambda: self.file(chip=None), []),
                (["my.lua", "record has no seconds"], lambda: self.file(record='cores = "cycles", cells = "cycles"'), []),
                (["my.lua", "across and across_seconds, expected both or none"],
                 lambda: self.file(record=WAFER_RECORD + 'across = "cycles",'), []),
                (["my.lua", "across and across_seconds, expected both or none"],
                 lambda: self.file(record=WAFER_RECORD + 'across_seconds = "cycles",'), []),
                (["my.lua", "0*seconds is not above 0 in a run"],
                 lambda: self.file(record=WAFER_RECORD + 'across = "cycles", across_seconds = "0*seconds",'), []),
                (["my.lua", "across, which is of patches of a wafer"],
                 lambda: self.cores(record=CORES_RECORD + 'across = "cycles", across_seconds = "seconds",'), []),
                (["uncertainty = 4"], lambda: self.file(more="uncertainty = 4"), []),
                (["memory.colour"], lambda: self.file(axes='{ name = "memory.colour", values = { 1 } }'), []),
                (["my.lua", "metrics.colour"],
                 lambda: self.file(record='cores = "metrics.colour", cells = "cycles", seconds = "seconds"'), []),
                (["no design runs", "4 KiB", "nz is at most 0"],
                 lambda: self.file(axes='{ name = "memory.capacity_bytes", values = { 4096 } }, '
                                        '{ name = "nz", values = { 5 } }'), []),
        ]:
            with self.subTest(words=words, says=says):
                self.assertRefused(says, file(), *words)
        self.assertRefused(["gtx980"], self.file(**gpu), status=UNMODELLED)
        self.assertRefused(["nothing.lua", "no such file"], "nothing.lua")

    def test_the_file_is_not_written_over(self):
        path = self.file()
        before = self.read(path)

        self.assertRefused([f"./{path}: named by --json and by FILE, give two files"], path, "--json", f"./{path}")
        self.assertEqual(self.read(path), before)
        self.succeed("model", "codesign", "--class", "2d", "--sizes", "4096:1024", "--area", "230:232", "-q",
                     "--json", "gpu.lua")
        self.assertIn('"chip" : "gtx980"', self.read("gpu.lua"))

    def test_shipped_experiments_are_in_order(self):
        for name, runs in (("codesign_stencil25", 18), ("codesign_pcg", 80), ("codesign_pcg_wafer", 18)):
            path = os.path.join(SOURCE, "workloads/experiments", name + ".lua")
            self.assertIn(f"{runs} runs; everything is in order", self.succeed("sweep", path, "--dry-run").stdout)

    def test_their_problems_are_the_largest_that_fit(self):
        """The files compute the largest problem as the scripts do."""
        path = os.path.join(SOURCE, "workloads/experiments", "codesign_stencil25.lua")
        line = self.succeed("sweep", path, "--dry-run").stdout.splitlines()[-5].split()
        block, cells = (next(int(word.partition("=")[2]) for word in line if word.startswith(name))
                        for name in ("block=", "nz="))
        self.assertIn("memory.capacity_bytes=8192", line)
        words = [f"nz={cells + block}" if word.startswith("nz=") else word for word in line[2:]]
        self.assertFails(INPUT, ["a PE has 4016 beside the code"], "run", *words)

        path = os.path.join(SOURCE, "workloads/experiments", "codesign_pcg_wafer.lua")
        line = self.succeed("sweep", path, "--dry-run").stdout.splitlines()[-5].split()
        self.assertIn("memory.capacity_bytes=8192", line)
        self.assertIn("nz=120", line)
        self.assertFails(INPUT, ["it has 4016 beside the code: nz is at most 120"], "run",
                         *("nz=121" if word == "nz=120" else word for word in line[2:]))

        for kib in (192, 1464, 3072):
            done = self.gridloom("run", "pcg", "--chip", "wormhole_n300", "rows=1", "cols=1", "tiles=1",
                                 "iterations=1", "--timing-only", "--set", f"l1.capacity_bytes={kib * KIB}",
                                 "--json", "-")
            self.assertEqual(json.loads(done.stdout)["metrics"]["tiles_that_fit"], (kib - 104) // 8)

    def test_a_column_or_row_costs_pcg_two_cycles(self):
        """Two sums per iteration, to the middle and back: codesign_pcg_wafer.lua says this of
        larger wafers."""
        cycles = {}
        for columns, rows in ((30, 30), (50, 50), (30, 60), (75, 35)):
            done = self.gridloom("run", "pcg", "--chip", "wse2", f"nx={columns}", f"ny={rows}", "nz=40",
                                 "iterations=2", "--timing-only", "--json", "-")
            cycles[columns + rows] = json.loads(done.stdout)["metrics"]["cycles_per_iteration_steady"]
        for across, there in cycles.items():
            self.assertAlmostEqual(there - cycles[60], 2 * (across - 60), delta=4)
        with open(os.path.join(SOURCE, "workloads/experiments", "codesign_pcg_wafer.lua"), encoding="utf-8") as file:
            self.assertIn("local SUMS = 2\n", file.read())


if __name__ == "__main__":
    unittest.main()
