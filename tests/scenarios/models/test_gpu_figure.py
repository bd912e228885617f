"""Figures of the paper on stencils and tensor cores: numbers, pictures, bad input."""
import csv
import io
import json
import os
import shutil
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom

FIGURES = ["2", "10", "11", "15", "16"]
PUBLISHED = "traces/figures/gpu.csv"
SVG = "{http://www.w3.org/2000/svg}"


class Figure(gridloom.Scenario):
    def rows(self, figure, *words):
        """The CSV rows of a figure."""
        text = self.succeed("gpu", "figure", figure, "--csv", "-", *words).stdout
        return list(csv.DictReader(io.StringIO(text)))

    def find(self, rows, **fields):
        """The one row with these fields."""
        found = [row for row in rows if all(row[k] == v for k, v in fields.items())]
        self.assertEqual(len(found), 1, (fields, found))
        return found[0]

    def printed(self, **fields):
        """The rows of the file of published numbers."""
        with open(os.path.join(gridloom.SOURCE, PUBLISHED), encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        return self.find(rows, **fields)["published"]

    def test_every_figure_is_a_picture_a_table_and_a_result(self):
        for figure in FIGURES:
            with self.subTest(figure):
                self.succeed("gpu", "figure", figure, "-q", "-o", "f.svg", "-o", "f.png",
                             "--csv", "f.csv", "--json", "f.json")
                root = ElementTree.fromstring(self.read("f.svg"))
                table = list(csv.DictReader(io.StringIO(self.read("f.csv"))))
                result = json.loads(self.read("f.json"))
                self.assertEqual(root.tag, SVG + "svg")
                self.assertIn(f"Figure {figure}:", root.find(SVG + "title").text)
                with open(self.path("f.png"), "rb") as file:
                    self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
                self.assertEqual(result["workload"], "gpu figure")
                self.assertEqual(result["chip"], "a100_80gb")
                self.assertEqual(result["parameters"], {"figure": figure})
                self.assertEqual(len(result["rows"]), len(table))
                for row, line in zip(result["rows"], table):
                    for name in ("model", "published"):
                        number = row[name]
                        self.assertEqual("" if number is None else f"{number:.10g}",
                                         line[name])

    def test_speedups_over_drstencil(self):
        rows = self.rows("2")
        one = {"condition": "drstencil without fusion"}
        # 298.47 / 120.94 GStencils/s; and 7 steps instead of one if memory binds both.
        conv = self.find(rows, implementation="convstencil", **one)
        spider = self.find(rows, implementation="spider", **one)
        self.assertAlmostEqual(float(conv["model"]), 19.5e12 * 0.5 / (49 / 27) / 18
                               / (1935e9 / 16), places=8)
        self.assertAlmostEqual(float(spider["model"]), 7, places=8)
        self.assertEqual([float(row["published"]) for row in rows], [1.48, 2.23, 4.6] * 2)
        self.assertEqual(self.find(rows, implementation="tcstencil", **one)["model"], "")

    def test_classes_by_intensity(self):
        rows = self.rows("10")
        self.assertEqual(len(rows), 10 * 8)
        first = {}
        for row in rows:
            if row["condition"] == "compute bound":
                first.setdefault(row["stencil"], int(row["fusion"]))
        self.assertEqual(first, {"Box-2D1R": 5, "Star-2D2R": 5, "Box-2D2R": 2, "Star-2D3R": 4,
                                 "Box-2D3R": 1, "Star-3D1R": 6, "Box-3D1R": 2, "Star-3D2R": 4,
                                 "Box-3D2R": 1})
        seven = self.find(rows, stencil="Box-2D1R", fusion="7")
        self.assertEqual((float(seven["model"]), seven["published"]), (15.75, "17.32"))

    def test_transitions_at_both_clocks(self):
        rows = self.rows("11")
        found = {(row["stencil"], row["condition"]): float(row["model"]) for row in rows
                 if row["quantity"] == "transition"}
        self.assertEqual(found, {("Box-2D1R", "full clock"): 5, ("Box-2D1R", "profiling clock"): 3,
                                 ("Star-2D1R", "full clock"): 9,
                                 ("Star-2D1R", "profiling clock"): 5})
        rates = [float(row["model"]) for row in rows
                 if row["stencil"] == "Box-2D1R" and row["dtype"] == "double"
                 and row["quantity"] == "rate" and row["condition"] == "full clock"]
        expected = [min(9.7, 1.935 * 9 * t / 8) for t in range(1, 9)]
        for rate, bound in zip(rates, expected, strict=True):
            self.assertAlmostEqual(rate, bound, places=8)
        text = self.succeed("gpu", "figure", "11").stdout
        self.assertIn("need 50 to 62 % of the full clock", text)

    def test_intensity_is_linear_in_depth(self):
        rows = self.rows("15")
        for stencil, points in (("Box-2D1R", 9), ("Star-2D1R", 5), ("Box-2D3R", 49),
                                ("Star-3D1R", 7), ("Box-3D1R", 27), ("Star-2D3R", 13)):
            values = [float(row["model"]) for row in rows if row["stencil"] == stencil]
            self.assertEqual(values, [points * t / 8 for t in range(1, 9)])
        published = [(row["stencil"], row["fusion"], row["published"]) for row in rows
                     if row["published"]]
        self.assertEqual(published, [("Box-2D3R", "1", "6.32"), ("Box-2D1R", "3", "3.5")])

    def test_rates_stand_beside_published_ones(self):
        rows = self.rows("16")
        for implementation, stencil, fusion, model in (
                ("ebisu", "Box-2D1R", "3", 362.8125), ("convstencil", "Box-2D3R", "1", 99.4898),
                ("spider", "Box-2D7R", "1", 241.875), ("spider-dense", "Box-2D1R", "7", 1137.5)):
            row = self.find(rows, implementation=implementation, stencil=stencil, fusion=fusion)
            self.assertAlmostEqual(float(row["model"]), model, places=3)
            radius, dimension = stencil[-2], stencil[-4]
            self.assertEqual(float(row["published"]), float(self.printed(
                implementation=implementation, dimension=dimension, radius=radius, fusion=fusion,
                quantity="rate")))
        unknown = {row["published"] for row in rows
                   if row["implementation"] in ("cudnn", "drstencil")}
        self.assertEqual(unknown, {""})
        self.assertEqual(sum(row["published"] != "" for row in rows), 13)
        self.assertIn("ebisu is 22.66 TFLOP/s, above the peak of 19.5",
                      self.succeed("gpu", "figure", "16").stdout)

    def test_another_gpu_has_other_bounds(self):
        here = self.find(self.rows("16", "--gpu", "h200"), implementation="spider",
                         stencil="Box-2D1R", fusion="7")
        there = self.find(self.rows("16"), implementation="spider", stencil="Box-2D1R",
                          fusion="7")
        self.assertGreater(float(here["model"]), 2 * float(there["model"]))
        self.assertEqual(here["published"], there["published"])

    def test_bad_input_is_one_line(self):
        for says, *words in (
                (["which one? There are 2, 10, 11, 15, 16"],),
                (["figure = 3, known are 2, 10, 11, 15, 16"], "3"),
                (["unexpected word '10'"], "2", "10"),
                (["h900: no such GPU", "h200"], "2", "--gpu", "h900"),
                (["wse2: family = wse, which is no GPU"], "2", "--gpu", "wse2"),
                (["x.pdf", ".svg or .png"], "2", "-o", "x.pdf"),
                (["no/such"], "2", "--csv", "no/such/file.csv"),
                (["no/such"], "2", "--json", "no/such/file.json")):
            with self.subTest(words):
                self.assertFails(gridloom.INPUT, says, "gpu", "figure", *words)

    def test_bad_published_numbers_are_told_with_their_line(self):
        header = ("source,implementation,shape,dimension,radius,fusion,dtype,quantity,unit,"
                  "published,note\n")
        shutil.copytree(os.path.join(gridloom.SOURCE, "arch/chips"), self.path("arch/chips"))
        self.environment["GRIDLOOM_PATH"] = self.folder
        for says, text in (
                (["gpu.csv:2: published = many"],
                 header + "s,ebisu,box,2,1,3,double,rate,x,many,\n"),
                (["gpu.csv:2: shape = ball"], header + "s,ebisu,ball,2,1,3,double,rate,x,1,\n"),
                (["gpu.csv:2: radius = 0"], header + "s,ebisu,box,2,0,3,double,rate,x,1,\n"),
                (["gpu.csv:2: dtype = quad"], header + "s,ebisu,box,2,1,3,quad,rate,x,1,\n"),
                (["there is no column note"], header.replace(",note", "")
                 + "s,ebisu,box,2,1,3,double,rate,x,1\n")):
            with self.subTest(says):
                self.write("traces/figures/gpu.csv", text)
                self.assertFails(gridloom.INPUT, says, "gpu", "figure", "2")
        self.write("traces/figures/gpu.csv", header)
        self.assertEqual(self.rows("16"), [])

    def test_the_suite_holds(self):
        result = json.loads(self.succeed("validate", "gpu-model", "--json", "-").stdout)
        rows = result["rows"]
        judged = [row for row in rows if row["status"] != "skipped"]
        self.assertEqual({row["status"] for row in judged}, {"pass"})
        table2 = [row for row in judged if row["source"].endswith("Table 2")
                  and row["quantity"].endswith("of the formula")]
        self.assertEqual(len(table2), 30)
        words = [row for row in judged if row["source"].endswith("Table 3")
                 and row["quantity"] in ("scenario", "performance change", "bottleneck")]
        self.assertEqual(len(words), 6 * 4)


if __name__ == "__main__":
    unittest.main()
