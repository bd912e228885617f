"""Pictures of runs that are over, without a browser."""
import json
import os
import re
import struct
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom

DOT = ["dot", "rows=2", "cols=2", "tiles=1"]
WAFER = ["stencil7", "--chip", "wse2", "nx=3", "ny=2", "nz=4"]
UNMODELLED = 2
SVG = "{http://www.w3.org/2000/svg}"


class Plot(gridloom.Scenario):
    MADE = {}       # files of other tests' runs, by their words

    def run_one(self, *words, name="t"):
        if words not in self.MADE:
            self.succeed("run", *words, "-q", "--trace", "made.pftrace", "--json", "made.json")
            with open(self.path("made.pftrace"), "rb") as trace:
                self.MADE[words] = trace.read(), self.read("made.json")
            for ending in ("pftrace", "json"):
                os.remove(self.path("made." + ending))
        trace, result = self.MADE[words]
        self.write(name + ".pftrace", trace)
        self.write(name + ".json", result)
        return json.loads(result)

    def plot(self, *words):
        """The picture as XML."""
        self.succeed("plot", *words, "-o", "p.svg")
        return ElementTree.fromstring(self.read("p.svg"))

    def texts(self, picture):
        return [text.text for text in picture.iter(SVG + "text")]

    def titles(self, picture):
        return [title.text for title in picture.iter(SVG + "title")]


class Timeline(Plot):
    def test_lanes_of_chosen_cores(self):
        self.run_one(*DOT)
        texts = self.texts(self.plot("timeline", "t.pftrace", "--cores", "1,0"))
        self.assertIn("core[1,0].math", texts)
        self.assertFalse([text for text in texts if text and text.startswith("core[0")])
        self.assertIn("dot on wormhole_n300, cores 4 of 56", texts)
        self.assertIn("cycles, of 1 ns each", texts)

    def test_a_window_shows_what_happens_in_it(self):
        self.run_one(*DOT)
        whole = self.titles(self.plot("timeline", "t.pftrace", "--cores", "0,0"))
        times = [int(number) for title in whole
                 for number in re.findall(r", (\d+) to \d+ \(", title)]
        middle = sorted(times)[len(times) // 2]
        picture = self.plot("timeline", "t.pftrace", "--cores", "0,0", "--window",
                            f"{middle}:{middle + 100}")
        self.assertIn(f"cycles {middle} to {middle + 100}", self.texts(picture)[1])
        for title in self.titles(picture):
            for begin, end in re.findall(r", (\d+) to (\d+) \(", title):
                self.assertLess(int(begin), middle + 100)
                self.assertGreater(int(end), middle)

    def test_the_legend_names_operations_and_stalls(self):
        self.run_one(*DOT)
        texts = " ".join(filter(None, self.texts(self.plot("timeline", "t.pftrace"))))
        self.assertRegex(texts, r"add_binary_tile \d+\.\d %")
        self.assertRegex(texts, r"stalls: .*circular_buffer \d+\.\d %")

    def test_units_can_be_chosen(self):
        self.run_one(*DOT)
        lanes = [text for text in self.texts(
            self.plot("timeline", "t.pftrace", "--units", "math,pack"))
            if text and text.startswith("core")]
        self.assertEqual({lane.rpartition(".")[2] for lane in lanes}, {"math", "pack"})

    def test_a_wafer(self):
        self.run_one(*WAFER)
        self.assertIn("pe[1,1].main", self.texts(
            self.plot("timeline", "t.pftrace", "--cores", "1,1")))


class Heatmap(Plot):
    def test_values_are_parts_of_the_time(self):
        self.run_one(*DOT)
        for by in "busy", "stalls", "links":
            titles = self.titles(self.plot("heatmap", "t.pftrace", "--by", by))
            values = [float(title.rpartition(": ")[2]) for title in titles
                      if re.match(r"(core|noc\d)\[", title)]
            self.assertGreater(len(values), 3)
            self.assertGreater(max(values), 0)
            self.assertLessEqual(max(values), 1)

    def test_one_unit_adds_up_to_the_result(self):
        result = self.run_one(*DOT)
        picture = self.plot("heatmap", "t.pftrace", "--unit", "math", "--windows", "0")
        values = [float(title.rpartition(": ")[2]) for title in self.titles(picture)
                  if title.startswith("core[")]
        begin, end = map(int, re.search(r"cycles (\d+) to (\d+)",
                                        self.texts(picture)[1]).groups())
        self.assertEqual(len(values), 4)
        self.assertAlmostEqual(sum(values) * (end - begin)
                               / result["metrics"]["units"]["math"]["busy"], 1, 2)

    def test_a_part_of_the_time(self):
        self.run_one(*DOT)
        words = self.texts(self.plot("heatmap", "t.pftrace"))[1]
        begin, end = map(int, re.search(r"cycles (\d+) to (\d+)", words).groups())
        middle = (begin + end) // 2
        self.assertIn(f"cycles {begin} to {middle};", self.texts(
            self.plot("heatmap", "t.pftrace", "--at", f":{middle}"))[1])

    def test_run_draws_it_at_once(self):
        self.succeed("run", *DOT, "-q", "--heatmap", "h.svg")
        direct = self.read("h.svg")
        self.run_one(*DOT, "--trace-level", "blocks")
        self.succeed("plot", "heatmap", "t.pftrace", "--by", "links", "-o", "p.svg")
        self.assertEqual(direct, self.read("p.svg"))
        self.assertEqual(sorted(name.rpartition("/")[2] for name in self.files()),
                         ["h.svg", "p.svg", "t.json", "t.pftrace"])

    def test_wafers_are_drawn_in_blocks(self):
        self.succeed("run", "stencil7", "--chip", "wse2", "nx=140", "ny=3", "nz=2",
                     "--timing-only", "-q", "--heatmap", "h.svg")
        self.assertIn("squares are means of 2 x 2 PEs", self.read("h.svg"))


class Roofline(Plot):
    def test_points_and_roofs(self):
        self.run_one(*DOT)
        self.run_one(*WAFER, name="w")
        texts = self.texts(self.plot("roofline", "t.pftrace", "w.json", "--all-roofs"))
        for start in ("A dot, simulated, cores 4 of 56: ", "B stencil7, simulated, PEs ", "L1 512 GB/s",
                      "SFPU 256 GFLOP/s", "wormhole_n300", "wse2", "A L1", "B SRAM",
                      "operations per byte [FLOP/B]", "rate while programs ran [FLOP/s]"):
            self.assertTrue([t for t in texts if t and t.startswith(start)], start)

    def test_one_memory(self):
        self.run_one(*DOT)
        texts = " ".join(filter(None, self.texts(
            self.plot("roofline", "t.json", "--memory", "noc"))))
        self.assertIn("NoC links", texts)
        self.assertNotIn("L1", texts)

    def test_the_percentage_is_the_roofs_own(self):
        result = self.run_one(*DOT)
        roofs = {roof["name"]: roof for roof in result["roofs"]}
        attainable = min(roofs["SFPU"]["value"], result["counters"]["flops"]
                         / result["counters"]["sram_bytes"] * roofs["L1"]["value"])
        percent = 100 * roofs["SFPU"]["achieved"] / attainable
        text = next(t for t in self.titles(self.plot("roofline", "t.json", "--memory", "sram",
                                                   "--all-roofs"))
                    if t and t.startswith("dot on wormhole_n300, simulated, cores 4 of 56, L1: "))
        self.assertAlmostEqual(float(text.split()[-5]), 100 * roofs["L1"]["achieved"]
                               / roofs["L1"]["value"], delta=0.05 * percent)
        text = next(t for t in self.texts(self.plot("roofline", "t.json"))
                    if t and t.startswith("A dot, simulated, cores 4 of 56: "))
        self.assertGreaterEqual(float(text.split(": ")[1].split()[0]), 0.98 * percent)


class Scaling(Plot):
    def test_cores_are_found(self):
        for side in 1, 2, 3:
            self.succeed("run", "dot", f"rows={side}", f"cols={side}", "tiles=1", "-q",
                         "--json", f"{side}.json")
        texts = self.texts(self.plot("scaling", "1.json", "2.json", "3.json"))
        for text in ("cores, rows x cols", "time of an iteration [us]", "ideal",
                     "dot on wormhole_n300"):
            self.assertIn(text, texts)
        ticks = [float(text) for text in texts if re.fullmatch(r"[\d.e+-]+", text or "")]
        slowest = json.loads(self.read("3.json"))["seconds_per_iteration"] * 1e6
        self.assertGreaterEqual(max(ticks), slowest)
        self.assertLess(max(ticks), 10 * slowest)

    def test_a_parameter_and_a_quantity(self):
        for tiles in 1, 2:
            self.succeed("run", "dot", "rows=1", "cols=1", f"tiles={tiles}", "-q",
                         "--json", f"{tiles}.json")
        texts = self.texts(self.plot("scaling", "1.json", "2.json", "--quantity",
                                     "counters.flops/cycles", "--ideal", "none"))
        self.assertIn("tiles", texts)
        self.assertIn("counters.flops/cycles", texts)
        self.assertNotIn("ideal", texts)


class Png(Plot):
    def size(self, name):
        with open(self.path(name), "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", head[16:24])

    def test_scale_is_pixels(self):
        self.run_one(*DOT)
        picture = self.plot("timeline", "t.pftrace")
        width, height = float(picture.get("width")), float(picture.get("height"))
        self.succeed("plot", "timeline", "t.pftrace", "-o", "one.png")
        self.succeed("plot", "timeline", "t.pftrace", "-o", "two.png", "--scale", "2")
        self.assertLess(abs(self.size("one.png")[0] - width), 1.5)
        self.assertLess(abs(self.size("two.png")[0] - 2 * width), 2.5)
        self.assertLess(abs(self.size("two.png")[1] - 2 * height), 2.5)

    def test_without_a_scale_a_pixel_is_one_of_the_svg(self):
        self.run_one(*DOT)
        for words in (["heatmap", "t.pftrace"], ["roofline", "t.pftrace"],
                      ["scaling", "t.json", "--over", "rows"]):
            width = float(self.plot(*words).get("width"))
            self.succeed("plot", *words, "-o", "p.png")
            self.assertLess(abs(self.size("p.png")[0] - width), 1.5, words)

    def test_the_same_bytes_again(self):
        self.run_one(*DOT)
        for name in "a.png", "b.png":
            self.succeed("plot", "heatmap", "t.pftrace", "-o", name)
        files = self.files()
        self.assertEqual(files[self.path("a.png")], files[self.path("b.png")])


class Bad(Plot):
    def test_one_line_says_what_is_wrong(self):
        self.run_one(*DOT)
        self.write("text", "no run\n")
        for says, words in (
                ("unknown picture 'cake'", ["cake"]),
                ("no run", ["timeline", "-o", "p.svg"]),
                ("no file to draw to", ["timeline", "t.pftrace"]),
                ("expected a name with .svg or .png",
                 ["timeline", "t.pftrace", "-o", "p.gif"]),
                ("its folder does not exist", ["timeline", "t.pftrace", "-o", "no/p.svg"]),
                ("--scale = 0", ["timeline", "t.pftrace", "-o", "p.png", "--scale", "0"]),
                ("only a PNG has a resolution",
                 ["timeline", "t.pftrace", "-o", "p.svg", "--scale", "2"]),
                ("--cores = 1", ["timeline", "t.pftrace", "-o", "p.svg", "--cores", "1"]),
                ("--window = 9:3", ["timeline", "t.pftrace", "-o", "p.svg", "--window", "9:3"]),
                ("what is chosen lasts from",
                 ["timeline", "t.pftrace", "-o", "p.svg", "--window", "1:2"]),
                ("unexpected word", ["timeline", "t.pftrace", "t.pftrace", "-o", "p.svg"]),
                ("only a result", ["timeline", "t.json", "-o", "p.svg"]),
                ("text: ", ["timeline", "text", "-o", "p.svg"]),
                ("none: ", ["heatmap", "none", "-o", "p.svg"]),
                ("--by = love", ["heatmap", "t.pftrace", "-o", "p.svg", "--by", "love"]),
                ("--windows = 17", ["heatmap", "t.pftrace", "-o", "p.svg", "--windows", "17"]),
                ("--memory = disk", ["roofline", "t.json", "-o", "p.svg", "--memory", "disk"]),
                ("do not differ", ["scaling", "t.json", "t.json", "-o", "p.svg"]),
                ("no number cake", ["scaling", "t.json", "t.json", "-o", "p.svg", "--over", "cake"]),
                ("--ideal = x", ["scaling", "t.json", "-o", "p.svg", "--ideal", "x"]),
                ("t.json: no latencies over rates", ["latency", "t.json", "-o", "p.svg"]),
                ("--columns = 0", ["latency", "t.json", "-o", "p.svg", "--columns", "0"]),
                ("no.csv: ", ["latency", "t.json", "-o", "p.svg", "--beside", "no.csv"]),
                ("text: ", ["latency", "t.json", "-o", "p.svg", "--beside", "text"])):
            with self.subTest(words):
                self.assertFails(gridloom.INPUT, [says], "plot", *words)

    def test_what_a_run_does_not_have(self):
        self.run_one(*DOT)
        for says, words in (
                ("nothing happens there", ["timeline", "t.pftrace", "--cores", "7,6"]),
                ("no unit works there", ["heatmap", "t.pftrace", "--at", "1:2"]),
                ("no place with a unit x", ["heatmap", "t.pftrace", "--unit", "x"]),
                ("no run has operations", ["roofline", "t.json", "--memory", "dram"])):
            with self.subTest(words):
                self.assertFails(UNMODELLED, [says], "plot", *words, "-o", "p.svg")

    def test_a_run_refuses_pictures_it_cannot_draw(self):
        for says, words in ((".svg or .png", ["--heatmap", "h.gif"]),
                            ("give a file", ["--heatmap", "-"]),
                            ("--no-trace wants none", ["--heatmap", "h.svg", "--no-trace"]),
                            ("--json and by --heatmap", ["--heatmap", "h.svg", "--json", "h.svg"])):
            self.assertFails(gridloom.INPUT, [says], "run", *DOT, *words)


if __name__ == "__main__":
    unittest.main()
