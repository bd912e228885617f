"""Looking at a sweep: plots, fronts, tables and pages, and refusals."""
import csv
import io
import json
import os
import re
import unittest
import xml.etree.ElementTree as xml

import gridloom
import sweeps
from gridloom import CHECK, DONE, INPUT
from sweeps import sweep

TIMES = ('{ name = "us", values = { 1, 2, 4, 8 } }, { name = "work", values = { 0, 1, 2 } },'
         '{ name = "chip", values = { "wormhole_n300", "wse2" } }')
SWEEP = sweep(TIMES, 'record = { "seconds", "metrics.words" },'
                     'plots = { { x = "us", by = "chip", title = "Time < all" },'
                     ' { x = "chip", y = "metrics.words" } }, pareto = { "seconds", "-metrics.words" }')


class Look(sweeps.Sweeps):
    def setUp(self):
        super().setUp()
        self.write("s.lua", SWEEP)

    def sweep(self, *words, status=DONE):
        done = self.gridloom("sweep", "s.lua", *words)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        return done.stdout

    def refused(self, says, *words):
        done = self.gridloom("sweep", "s.lua", *words)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (INPUT, "", f"gridloom: {says}\n"))
        self.assertFalse(os.path.exists(self.path("s.sqlite")), "something was run")

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_letters_where_there_is_no_file(self):
        text = self.sweep("--plot", "us", "--by", "chip")

        # The title is that of the same picture in the file's list.
        self.assertIn("Time < all, seconds (us)\n", text)
        self.assertRegex(text, r"\n +a wormhole_n300\n +b wse2\n +Runs differ in work, too\.\n")
        self.assertRegex(text, r" us\n")

    def test_pictures_are_svg_and_png(self):
        text = self.sweep("--plot", "us", "--by", "work", "--y", "metrics.words", "-o", "p.svg")
        self.sweep("--plot", "chip", "-o", "p.png", "-q")

        self.assertNotIn("|", text)
        svg = self.read("p.svg")
        xml.fromstring(svg)
        for words in (">a sweep<", ">metrics.words<", ">us<", ">work 0<", ">work 2<"):
            self.assertIn(words, svg)
        with open(self.path("p.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_marks_stand_where_runs_say(self):
        self.sweep("--plot", "us", "--by", "chip", "--y", "metrics.words", "-o", "p.svg", "-q")

        titles = re.findall(r"<title>(wse2: [^<]*)</title>", self.read("p.svg"))
        self.assertEqual(titles, ["wse2: 1, 3", "wse2: 2, 6", "wse2: 4, 12", "wse2: 8, 24"])

    def test_the_front_is_a_table_and_a_picture(self):
        text = self.sweep("--pareto", "seconds,-metrics.words")
        lines = text.splitlines()
        self.assertEqual(lines[0], "24 of 24 runs are on the front of seconds (least) and metrics.words (most)")
        self.assertEqual(lines[1].split(), ["run", "us", "work", "chip", "seconds", "metrics.words"])
        self.assertIn("seconds (us), less is better", text)

        text = self.sweep("--pareto=seconds,metrics.words", "-o", "front.svg")
        runs = [line.split() for line in text.splitlines()[2:8]]
        self.assertEqual(text.splitlines()[0][:18], "6 of 24 runs are o")
        self.assertEqual({run[1] for run in runs}, {"1"})
        svg = self.read("front.svg")
        self.assertIn(">6 on the front<", svg)
        self.assertIn(">18 others<", svg)

    def test_csv_is_the_table(self):
        rows = list(csv.DictReader(io.StringIO(self.sweep("--csv", "-"))))
        self.assertEqual(len(rows), 24)
        self.assertEqual([float(row["seconds"]) for row in rows],
                         [row[0] for row in self.named("seconds")])
        self.assertEqual(list(rows[0]), ["run", "status", "error", "us", "work", "chip", "seconds",
                                         "metrics.words"])

    def test_the_page_has_all_runs_and_what_went_wrong(self):
        self.write("s.lua", sweep('{ name = "us", values = { 1, 2 } },'
                                  '{ name = "mode", values = { "right", "refuse" } }',
                                  'record = { "seconds" }, pareto = { "seconds", "-us" }'))
        self.sweep("--html", "s.html", "--csv", "s.csv", "-q", status=CHECK)

        data = re.search(r'<script type="application/json" id="data">(.*)</script>', self.read("s.html"))
        page = json.loads(data.group(1))["sweep"]
        cells = {column["name"]: column["cells"] for column in page["columns"]}
        self.assertEqual(cells["us"], [1, 1, 2, 2])
        self.assertEqual(cells["status"], ["done", "failed"] * 2)
        self.assertIn("not today", cells["error"][1])
        self.assertEqual(cells["seconds"][1], None)
        self.assertEqual(page["goals"], [{"name": "seconds", "is_maximum": False},
                                         {"name": "us", "is_maximum": True}])
        rows = list(csv.DictReader(io.StringIO(self.read("s.csv"))))
        self.assertEqual(rows[1]["seconds"], "")
        self.assertIn("not today", rows[1]["error"])

    def test_runs_with_the_unattributed_constant_are_marked(self):
        mark = "incl. unattributed constant"
        for fixed, axis, count, title in (
                ('unattributed = "on"', '"tiles", values = { 1, 2 }', 2, f", {mark}"),
                ('unattributed = "off"', '"tiles", values = { 1, 2 }', 0, ""),
                ("tiles = 1", '"unattributed", values = { "off", "on" }', 1, f", some runs {mark}")):
            self.write("s.lua", f"""return {{ summary = "marks", script = "pcg", chip = "wormhole_n300",
                timing_only = true, axes = {{ {{ name = {axis} }} }}, record = {{ "seconds", "cycles" }},
                fixed = {{ rows = 1, cols = 1, iterations = 1, {fixed} }},
                plots = {{ {{ x = "seconds", y = "cycles", title = "time" }} }},
                pareto = {{ "seconds", "cycles" }} }}""")
            self.sweep("--out", "out", "--db", f"{count}.sqlite")
            rows = list(csv.DictReader(io.StringIO(self.read("out/sweep.csv"))))
            marked = [row for row in rows if float(row.get("unattributed_cycles") or 0) > 0]

            self.assertEqual((len(marked), "unattributed_cycles" in rows[0]), (count, count > 0))
            self.assertIn(f">time{title}<", self.read("out/1_cycles_over_seconds.svg"))
            self.assertIn(f">marks{title}<", self.read("out/front.svg"))
            self.assertIn(f'"title":"marks{title}"', self.read("out/sweep.html"))

    def test_a_folder_has_everything(self):
        self.sweep("--out", "all", "-q")

        self.assertEqual(sorted(os.listdir(self.path("all"))),
                         ["1_seconds_over_us_by_chip.svg", "2_metrics.words_over_chip.svg", "front.svg",
                          "sweep.csv", "sweep.html"])
        self.assertIn("Time &lt; all", self.read("all/1_seconds_over_us_by_chip.svg"))
        self.assertIn(">wormhole_n300<", self.read("all/2_metrics.words_over_chip.svg"))

    def test_what_cannot_be_drawn_is_said_before_anything_runs(self):
        known = "us, work, chip, seconds, metrics.words"
        self.refused(f"--plot: tiles is no column of the sweep, which has {known}", "--plot", "tiles")
        self.refused(f"--by: status is no column of the sweep, which has {known}", "--plot", "us",
                     "--by", "status")
        self.refused(f"--y: flops is no column of the sweep, which has {known}", "--plot", "us",
                     "--y", "flops")
        self.refused("--by and --y belong to --plot X, which is missing", "--by", "us")
        self.refused("-o is of --plot X or --pareto A,B, which are missing", "-o", "p.svg")
        self.refused("-o is one picture, of --plot or of --pareto; give one of them, or --out for all",
                     "--plot", "us", "--pareto", "us,seconds", "-o", "p.svg")
        self.refused("p.txt: pictures are SVG or PNG, expected a name with .svg or .png", "--plot", "us",
                     "-o", "p.txt")
        self.refused("none/p.csv: cannot be written, its folder does not exist", "--csv", "none/p.csv")
        self.refused("none/p.html: cannot be written, its folder does not exist", "--html", "none/p.html")
        self.refused("--pareto = seconds, allowed is two columns A,B, of which less is better; -A or max:A "
                     "where more of it is", "--pareto", "seconds")
        self.write("file", "")
        done = self.gridloom("sweep", "s.lua", "--out", "file/folder")
        self.assertEqual(done.returncode, INPUT)
        self.assertTrue(done.stderr.startswith("gridloom: --out file/folder: "), done.stderr)

    def test_no_file_takes_the_place_of_another(self):
        with open(self.path("s.lua"), encoding="utf-8") as file:
            text = file.read()
        os.symlink("s.lua", self.path("link.csv"))

        for option, other, name in (("--csv", "--db", "s.sqlite"), ("--html", "--db", "./s.sqlite"),
                                    ("--json", "FILE", "s.lua"), ("--csv", "FILE", "link.csv")):
            self.assertFails(1, [f"named by {other} and by {option}, give two files"], "sweep", "s.lua", option, name)
        self.assertFails(1, ["-: named by --csv and by --json"], "sweep", "s.lua", "--csv", "-", "--json", "-")
        with open(self.path("s.lua"), encoding="utf-8") as file:
            self.assertEqual(file.read(), text)

    def test_pictures_of_the_file_are_checked_too(self):
        for wish, says in (('plots = { { x = "us" }, { x = "tiles" } }',
                            "plots[2]: tiles is no column of the sweep, which has us, seconds"),
                           ('pareto = { "seconds", "flops" }',
                            "pareto: flops is no column of the sweep, which has us, seconds")):
            self.write("s.lua", sweep('{ name = "us", values = { 1 } }', 'record = { "seconds" }, ' + wish))
            self.refused(says)

    def test_words_cannot_be_measured_against_each_other(self):
        done = self.gridloom("sweep", "s.lua", "--plot", "us", "--y", "chip")
        self.assertEqual(done.returncode, INPUT)
        self.assertIn("chip holds words, numbers are in us, work, seconds, metrics.words", done.stderr)


if __name__ == "__main__":
    unittest.main()
