"""Plots of scripts: host.plot, and the experiments that write figures."""
import csv
import json
import unittest
import xml.etree.ElementTree as xml

import gridloom
from gridloom import DONE, INPUT

PLOT = ('host.plot { name = "a", title = "T & U", x = "cores", y = "ms", %s series = { '
        '{ name = "one", points = { { 1, 2 }, { 3, 4 } } }, %s } }')
SVG = "{http://www.w3.org/2000/svg}"


class Plots(gridloom.Scenario):
    def shapes(self, path, kind):
        return list(xml.fromstring(self.read(path)).iter(SVG + kind))

    def test_a_plot_is_an_svg_file_beside_the_tables(self):
        script = self.script(PLOT % ("log_y = true,", '{ style = "points", points = { { 2, 1 } } }'))

        text = self.succeed("run", script, "--out", "out").stdout

        self.assertIn("out/a.svg", text)
        self.assertEqual(len(self.shapes("out/a.svg", "polyline")), 1)
        words = [shape.text for shape in self.shapes("out/a.svg", "text")]
        for word in ("T & U", "cores", "ms", "one"):
            self.assertIn(word, words)

    def test_without_a_folder_nothing_is_written(self):
        script = self.script(PLOT % ("", ""))
        before = self.files()

        self.succeed("run", script)

        self.assertEqual(self.files(), before)

    def test_a_plot_without_points_is_drawn(self):
        script = self.script('host.plot { name = "a", title = "", x = "", y = "", series = {} }')

        self.succeed("run", script, "--out", "out")

        self.assertIn("no points", self.read("out/a.svg"))

    def test_a_wrong_plot_is_an_error_that_says_where(self):
        cases = (
            ("", "{ points = { { 1 } } }", "a, series 2, point 1: expected { x, y }"),
            ("", "{ points = { { 1, 2 }, { 1, 0 / 0 } } }", "a, series 2, point 2: y = nan cannot"),
            ("", "{ points = { { -(0 / 0), 1 } } }", "a, series 2, point 1: x = nan cannot"),
            ("", "{ points = { { 1, math.huge } } }", "series 2, point 1: y = inf cannot stand on an axis"),
            ("log_x = true,", "{ points = { { 0, 2 } } }", "x = 0.0 cannot stand on a logarithmic axis"),
            ("", '{ points = { { 1, "2" } } }', "y is a string, expected a number"),
            ("", "{ points = 1 }", "series 2 has no list of points"),
            ("", "7", "series 2 is a number, expected a table"),
            ("", '{ points = {}, style = "dots" }', "style = dots, expected both, line, points or cells"),
            ("", "{ points = {}, colour = 1 }", "unknown field 'colour'; known: name, style, points"),
            ("log_x = 1,", "", "log_x is a number, expected true or false"),
            ("z = 1,", "", "unknown field 'z'; known: name, title, x, y, log_x, log_y, series"),
        )
        for options, series, says in cases:
            self.assertFails(INPUT, ["host.plot: ", says], "run",
                             self.script(PLOT % (options, series)), "--out", "out", traceback=None)
        for text, says in (('name = "a b"', "names are letters, digits, _ and -"),
                           ('title = 1', "title is a number, expected a string"),
                           ('series = 1', "series is no list")):
            body = 'local t = { name = "a", title = "", x = "", y = "", series = {} }\n' \
                   f'        t.{text} host.plot(t)'
            self.assertFails(INPUT, [says], "run", self.script(body), traceback=None)

    def test_two_plots_do_not_share_a_name(self):
        body = PLOT % ("", "") + "\n        " + PLOT % ("", "")

        self.assertFails(INPUT, ["there is a plot a already"], "run", self.script(body),
                         traceback=None)

    def test_figure_3_writes_its_table_and_its_picture(self):
        done = self.gridloom("run", "workloads/experiments/figure3_roofline.lua", "tiles=16",
                             "--out", "out")

        self.assertEqual(done.returncode, DONE, done.stderr)
        with open(self.path("out/figure3.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        result = json.loads(self.read("out/result.json"))
        self.assertEqual([(row["unit"], row["from"]) for row in rows],
                         [("FPU", "l1"), ("SFPU", "l1"), ("FPU", "dram"), ("SFPU", "dram")])
        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(len(self.shapes("out/figure3.svg", "polyline")), 2)
        for row in rows:
            self.assertAlmostEqual(float(row["FLOP/cycle"]) / float(row["attainable"]),
                                   float(row["fraction"]), places=2)

    def test_figure_9_writes_its_table_and_its_picture(self):
        done = self.gridloom("run", "workloads/experiments/figure9_weak_scaling.lua",
                             "--timing-only", "divide=40", "nz=10", "--out", "out")

        self.assertEqual(done.returncode, DONE, done.stderr)
        with open(self.path("out/figure9.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["columns"], row["rows"]) for row in rows[::3]],
                         [("5", "5"), ("18", "12"), ("18", "24")])
        self.assertEqual(rows[-1]["published efficiency %"], "98.51")
        self.assertEqual(rows[0]["efficiency %"], "100.00")
        for row in rows:
            cells = int(row["PEs"]) * 10 * 0.85 / float(row["cycles per step"])
            self.assertAlmostEqual(float(row["Gcell/s"]), cells, delta=0.01)
        for name in ("figure9", "figure9_throughput"):
            self.assertEqual(len(self.shapes(f"out/{name}.svg", "polyline")), 1)

    def test_figure_10_writes_power_over_time(self):
        """At rest, at work for as long as the steps take, at rest."""
        done = self.gridloom("run", "workloads/experiments/figure10_power.lua", "--timing-only", "nx=7", "ny=8", "nz=10",
                             "block=10", "--set", "power.busy_picojoules_per_cycle=1000000", "--json", "r.json", "--out", "out")

        self.assertEqual(done.returncode, DONE, done.stderr)
        metrics = json.loads(self.read("r.json"))["metrics"]
        with open(self.path("out/figure10.csv"), encoding="utf-8") as file:
            rows = [(float(row["seconds"]), float(row["kW"])) for row in csv.DictReader(file)]
        self.assertEqual((rows[0], rows[1][0]), ((-70, 16.1), -66.5))
        self.assertGreater(metrics["run_kilowatts"], 16.11)
        for at, power in rows:
            working = 0 <= at < metrics["run_seconds"]
            self.assertAlmostEqual(power, metrics["run_kilowatts"] if working else 16.1, delta=0.001, msg=at)
        self.assertEqual(len(self.shapes("out/figure10.svg", "polyline")), 2)


if __name__ == "__main__":
    unittest.main()
