"""gridloom model area: dies, designs of the thesis, files, and input that cannot be used."""
import csv
import io
import json
import math
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import INPUT, SOURCE

UNMODELLED = 2

# Table C.2: multiprocessors, vector units, kB; mm2 as printed, cut off, and as the model has it.
DESIGNS = [(32, 128, 24, 438, 438.92), (22, 256, 12, 447, 447.94), (28, 160, 24, 431, 431.88),
           (28, 160, 12, 426, 426.62), (18, 288, 192, 447, 447.94), (8, 896, 96, 446, 446.69)]


class ModelArea(gridloom.Scenario):
    def model(self, *words):
        return json.loads(self.succeed("model", "area", *words, "--json", "-").stdout)

    def metrics(self, *words):
        return self.model(*words)["metrics"]

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "model", "area", *words)

    def test_a_gtx_980_has_the_area_of_its_die(self):
        result = self.model()
        metrics = result["metrics"]

        self.assertEqual((result["workload"], result["chip"], result["check"]["status"]),
                         ("model area", "gtx980", "skipped"))
        self.assertEqual(result["parameters"], {"multiprocessors": 16, "vector_units": 128,
                                                "shared_kb": 96, "caches": True})
        self.assertEqual({name: round(mm2, 2) for name, mm2 in metrics["parts"].items()},
                         {"vector_units": 87.70, "registers": 21.62, "shared": 25.52,
                          "l1": 62.25, "l2": 98.25, "overhead": 102.65})
        self.assertAlmostEqual(sum(metrics["parts"].values()), metrics["mm2"])
        self.assertEqual([round(metrics[name], 2) for name in
                          ("mm2", "mm2_rounded", "mm2_as_printed", "die_mm2")],
                         [397.99, 394.68, 386.46, 398])
        self.assertAlmostEqual(metrics["error_percent"], 100 * (397.989536 - 398) / 398)

    def test_a_titan_x_is_near_its_die_and_smaller_without_caches(self):
        metrics = self.metrics("--chip", "titanx")
        self.assertEqual([round(metrics[name], 2) for name in
                          ("mm2", "mm2_rounded", "mm2_as_printed", "error_percent")],
                         [596.98, 592.02, 579.31, -0.67])

        metrics = self.metrics("--chip", "titanx", "--no-caches")
        self.assertEqual(round(metrics["mm2"], 2), 356.23)
        self.assertEqual(metrics["parts"]["l1"] + metrics["parts"]["l2"], 0)
        # Nobody has built it, and (C.7) cannot leave out the cost of caches beside their bytes.
        self.assertEqual([metrics[name] for name in ("die_mm2", "error_percent",
                                                     "mm2_rounded")], [None] * 3)

    def test_designs_of_the_thesis_have_their_areas(self):
        for multiprocessors, vector_units, kilobytes, printed, mm2 in DESIGNS:
            metrics = self.metrics("--multiprocessors", str(multiprocessors), "--vector-units",
                                   str(vector_units), "--shared-kb", str(kilobytes), "--no-caches")
            self.assertEqual((math.floor(metrics["mm2"]), round(metrics["mm2"], 2)),
                             (printed, mm2))

    def test_changed_numbers_of_a_chip_count(self):
        metrics = self.metrics("--set", "area.overhead_mm2=7.4156")
        self.assertAlmostEqual(metrics["mm2"], 397.989536 + 16)
        self.assertEqual(metrics["die_mm2"], 398)

        metrics = self.metrics("--set", "tiling.shared_bytes=49152")
        self.assertAlmostEqual(metrics["mm2"], 397.989536 - 16 * .01565 * 48)
        self.assertIsNone(metrics["die_mm2"])

    def test_other_designs_than_the_chip_s_have_no_die(self):
        for chip, change in [("gtx980", change) for change in (
                "area.l2_bytes=1", "area.l1_pair_bytes=1", "area.register_bytes=1", "tiling.shared_bytes=1",
                "tiling.vector_unit_count=1", "chip.multiprocessor_count=1")] + [
                    ("wse2", "memory.capacity_bytes=1024"), ("wormhole_n300", "l1.capacity_bytes=1048576")]:
            with self.subTest(change=change):
                found = self.metrics("--chip", chip, "--set", change)
                self.assertEqual((found["die_mm2"], found["error_percent"]), (None, None))
        # The same GPU, with another price for a part.
        self.assertEqual(self.metrics("--set", "area.overhead_mm2=7")["die_mm2"], 398)

    def test_text_tables_and_pictures_have_every_part(self):
        text = self.succeed("model", "area", "-o", "a.csv", "-o", "a.svg").stdout
        rows = list(csv.DictReader(io.StringIO(self.read("a.csv"))))
        picture = ElementTree.fromstring(self.read("a.svg"))
        words = " ".join(picture.itertext())

        self.assertIn("397.99 mm2; the die has 398, -0.0026 %", text)
        self.assertEqual([row["part"] for row in rows],
                         ["vector_units", "registers", "shared", "l1", "l2", "overhead", "all"])
        self.assertAlmostEqual(sum(float(row["mm2"]) for row in rows[:-1]),
                               float(rows[-1]["mm2"]), 4)
        for title in ("vector units", "registers", "shared memory", "L1", "L2", "overhead"):
            self.assertIn(title, text)
            self.assertIn(title, words)
        self.assertIn("98.25 mm2, 24.7 %", words)

    def test_input_that_cannot_be_used_is_refused_in_one_line(self):
        for says, words in [
                (["--multiprocessors = 0", "1..100000"], ["--multiprocessors", "0"]),
                (["--vector-units = nan"], ["--vector-units", "nan"]),
                (["--shared-kb = 99999999999999999999"],
                 ["--shared-kb", "99999999999999999999"]),
                (["--shared-kb = (nothing)"], ["--shared-kb", ""]),
                (["nothing"], ["--chip", "nothing"]),
                (["area.colour"], ["--set", "area.colour=1"]),
                (["model area", "extra"], ["extra"]),
                (["-o = a.txt", ".svg, .png or .csv"], ["-o", "a.txt"]),
                (["-o = (nothing)"], ["-o", ""]),
        ]:
            with self.subTest(words=words):
                self.assertRefused(says, *words)

    def test_parts_of_spatial_chips_make_their_dies(self):
        for chip, die, cores in (("wormhole_n150", 670, 80), ("wormhole_n300", 670, 80),
                                 ("wse1", 46225, 400000), ("wse2", 46225, 850000), ("wse3", 46225, 900000)):
            with self.subTest(chip=chip):
                found = self.metrics("--chip", chip)
                self.assertEqual((found["die_mm2"], found["cores"]), (die, cores))
                self.assertLess(abs(found["error_percent"]), 0.1)
                self.assertAlmostEqual(sum(found["parts"].values()), found["mm2"], 6)
        # Nobody has published them.
        self.assertIn("parts       assumed", self.succeed("model", "area", "--chip", "wse2", "-o", "a.svg").stdout)
        self.assertIn("Parts, as its file assumes them", self.read("a.svg"))
        self.assertAlmostEqual(self.metrics("--chip", "wse2", "--set", "memory.capacity_bytes=98304")["core_mm2"],
                               96 * 0.000396 + 0.019, 9)

    def test_a_section_of_parts_is_whole_or_not_there(self):
        with open(os.path.join(SOURCE, "arch/chips/wse2.ini"), encoding="utf-8") as file:
            chip = file.read()
        self.assertRefused(["half.ini", "area.rest_mm2 is missing"], "--chip",
                           self.write("half.ini", re.sub(r"(?m)^rest_mm2 = .*$", "", chip)))
        self.assertRefused(["none", "no section [area]"], "--chip", self.write("none.ini", chip[:chip.index("[area]")]),
                           status=UNMODELLED)

    def test_chips_without_measured_parts_are_not_modelled(self):
        self.assertRefused(["a100_80gb", "[area]"], "--chip", "a100", status=UNMODELLED)
        self.assertRefused(["power9", "area"], "--chip", "power9", status=UNMODELLED)
        self.assertRefused(["--no-caches", "only GPUs"], "--chip", "power9", "--no-caches")


if __name__ == "__main__":
    unittest.main()
