"""How busy links and routers are over time, in one form for all network experiments."""
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom

WRITE = ["transfer", "--op", "write", "--to", "L:1,1", "--bytes", "8192"]
EXPERIMENTS = {
    "traffic": ["traffic", "--size", "5x3", "--topology", "torus", "--window", "2000"],
    "transfer": ["transfer", "--pattern", "all-to-all", "--grid", "4x4"],
    "replay": ["replay", "trace.json"],
}
SIZES = {"traffic": (5, 3), "transfer": (10, 12), "replay": (10, 12)}
STEPS = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}


class Map(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.write("trace.json", json.dumps([
            {"proc": "NCRISC", "noc": f"NOC_{i % 2}", "vc": -1, "sx": 1, "sy": 1, "dx": 6,
             "dy": 5, "type": "READ", "num_bytes": 8192, "timestamp": 1000 * i}
            for i in range(8)]))

    def metrics_of(self, *words):
        return json.loads(self.succeed("noc", *words, "--json", "-").stdout)["metrics"]

    def each(self):
        """Every experiment with the size of its grid and its metrics."""
        for name, words in EXPERIMENTS.items():
            with self.subTest(name):
                yield *SIZES[name], self.metrics_of(*words)

    def test_links_have_one_form(self):
        for width, height, metrics in self.each():
            for link in metrics["links"]:
                self.assertEqual(
                    list(link), ["noc", "from", "to", "from_node", "to_node", "direction",
                                 "flits", "utilisation", "windows"])
                x, y = link["from"]
                step = STEPS[link["direction"]]
                self.assertEqual(link["to"], [(x + step[0]) % width, (y + step[1]) % height])
                self.assertEqual(link["from_node"], x + width * y)
                self.assertEqual(link["to_node"], link["to"][0] + width * link["to"][1])
                self.assertIn(link["noc"], (0, 1))

    def test_routers_are_the_mean_of_the_links_that_leave_them(self):
        for width, height, metrics in self.each():
            self.assertEqual([(r["node"], r["x"], r["y"]) for r in metrics["routers"]],
                             [(n, n % width, n // width) for n in range(width * height)])
            for router in metrics["routers"]:
                links = [link for link in metrics["links"]
                         if link["from_node"] == router["node"]]
                self.assertEqual(len(links), 4)
                self.assertAlmostEqual(router["utilisation"],
                                       sum(link["utilisation"] for link in links) / 4)
                for window, value in enumerate(router["windows"]):
                    self.assertAlmostEqual(
                        value, sum(link["windows"][window] for link in links) / 4)

    def test_windows_follow_each_other_and_add_up_to_the_whole(self):
        for _, _, metrics in self.each():
            windows = metrics["windows"]
            self.assertGreaterEqual(len(windows), 3)
            self.assertLessEqual(len(windows), 16)
            self.assertEqual([0] + [w["end"] for w in windows[:-1]],
                             [w["start"] for w in windows])
            cycles = windows[-1]["end"]
            self.assertGreater(sum(link["flits"] for link in metrics["links"]), 0)
            for link in metrics["links"]:
                self.assertEqual(len(link["windows"]), len(windows))
                self.assertAlmostEqual(link["utilisation"], link["flits"] / cycles)
                carried = sum(value * (w["end"] - w["start"])
                              for value, w in zip(link["windows"], windows))
                self.assertAlmostEqual(carried, link["flits"], places=6)
                self.assertLessEqual(max(link["windows"]), 1)

    def test_windows_cover_what_was_measured(self):
        for name, key in (("traffic", "measured_cycles"), ("transfer", "total_cycles")):
            metrics = self.metrics_of(*EXPERIMENTS[name])
            self.assertEqual(metrics["windows"][-1]["end"], metrics[key])

    def test_a_core_that_starts_later_is_busy_in_later_windows(self):
        metrics = self.metrics_of("transfer", "--pattern", "all-to-all", "--grid", "2x1:1x2",
                                  "--bytes", "8192", "--start-skew", "100000")
        links = {(link["noc"], *link["from"], link["direction"]): link
                 for link in metrics["links"]}

        first = links[0, 1, 1, "south"]["windows"]
        second = links[0, 2, 1, "east"]["windows"]

        self.assertGreater(first[0], 0)
        self.assertEqual(second[0], 0)
        start = next(i for i, value in enumerate(second) if value > 0)
        self.assertLessEqual(metrics["windows"][start]["start"], 100100)
        self.assertGreater(metrics["windows"][start]["end"], 100000)

    def test_data_under_way_at_the_end_is_counted(self):
        metrics = self.metrics_of(*WRITE, "--posted")

        self.assertEqual(max(link["flits"] for link in metrics["links"]), 257)
        self.assertLessEqual(max(max(link["windows"]) for link in metrics["links"]), 1)

    def test_pictures_have_a_small_one_for_each_window(self):
        for name, words in EXPERIMENTS.items():
            with self.subTest(name):
                metrics = self.metrics_of(*words)
                self.succeed("noc", *words, "--heatmap", "h.svg", "-q")
                ElementTree.fromstring(self.read("h.svg"))
                self.assertEqual(
                    re.findall(r">(\d+) to (\d+), max [\d.e-]+<", self.read("h.svg")),
                    [(str(w["start"]), str(w["end"])) for w in metrics["windows"]])


if __name__ == "__main__":
    unittest.main()
