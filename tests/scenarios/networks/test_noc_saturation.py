"""gridloom noc traffic --saturation and --compare: where networks saturate, and bad input."""
import json
import os
import subprocess
import unittest

import gridloom
from gridloom import INPUT, SOURCE, without_host

TORUS = ["--topology", "torus"]
FAST = ["--window", "1000"]


class Saturation(gridloom.Scenario):
    def metrics_of(self, *words):
        done = self.succeed("noc", "traffic", *FAST, *words, "--json", "-")
        return json.loads(done.stdout)["metrics"]

    def assertRefused(self, says, *words):
        self.assertFails(INPUT, says, "noc", "traffic", *words)

    def test_the_rate_lies_between_two_points_that_were_run(self):
        metrics = self.metrics_of("--size", "4x4", "--saturation")

        low, high = metrics["saturation_lower"], metrics["saturation_upper"]
        self.assertEqual(metrics["saturation_rate"], high)
        self.assertLessEqual(high - low, 0.005 + 1e-9)
        rates = [point["rate"] for point in metrics["points"]]
        self.assertEqual(rates, sorted(rates))
        self.assertEqual((rates[0], rates[-1]), (0.05, 1))
        saturated = {point["rate"]: point["saturated"] for point in metrics["points"]}
        self.assertEqual((saturated[low], saturated[high], saturated[1]), (False, True, True))
        accepted = {point["rate"]: point["accepted_rate"] for point in metrics["points"]}
        self.assertEqual(metrics["saturation_accepted_rate"], accepted[high])
        self.assertEqual((metrics["overload_rate"], metrics["overload_accepted_rate"]),
                         (1, accepted[1]))
        self.assertEqual(metrics["rate"], low)      # links and latencies are those below it

    def test_a_finer_resolution_lies_inside_the_coarser_one(self):
        coarse = self.metrics_of("--size", "4x4", "--saturation", "--resolution", "0.02")
        fine = self.metrics_of("--size", "4x4", "--saturation", "--resolution", "0.0025")

        self.assertGreaterEqual(fine["saturation_lower"], coarse["saturation_lower"])
        self.assertLessEqual(fine["saturation_upper"], coarse["saturation_upper"])
        self.assertLessEqual(fine["saturation_upper"] - fine["saturation_lower"], 0.0025 + 1e-9)

    def test_no_network_carries_more_than_its_busiest_link(self):
        # The most flits per node and cycle that the busiest link, or the endpoint, lets through.
        for topology, pattern, routing, most in (
                ("mesh", "uniform", "xy", 4 / 8),           # 32 x 32 pairs over 8 links
                ("torus", "uniform", "xy", 8 / 8),
                ("torus", "tornado", "xy", 1 / 3),          # 3 links, all one way
                ("torus", "tornado", "yx", 1 / 3),
                ("torus", "neighbor", "xy", 1),
                ("mesh", "transpose", "xy", 1 / 7),         # a row turns at its diagonal
                ("torus", "transpose", "xy", 2 / 7),        # the same, on both ways around
                ("mesh", "bitcomp", "xy", 1 / 4),           # half a row crosses the middle
                ("torus", "bitcomp", "xy", 1 / 2),
                ("mesh", "shuffle", "xy", 1 / 4),
                ("torus", "shuffle", "xy", 2 / 7),
                ("mesh", "transpose", "valiant", 1 / 4),    # two legs of uniform traffic
                ("torus", "transpose", "valiant", 1 / 2),
                ("mesh", "hotspot", "xy", 1 / (64 * (0.1 + 0.9 / 64)))):
            metrics = self.metrics_of("--topology", topology, "--pattern", pattern, "--routing",
                                      routing, "--saturation", "--resolution", "0.02")

            label = (topology, pattern, routing)
            self.assertLessEqual(metrics["saturation_lower"], most, label)
            self.assertGreaterEqual(metrics["saturation_upper"], 0.5 * most, label)
            if pattern in ("uniform", "tornado", "neighbor"):   # all links of a kind alike
                for point in metrics["points"]:
                    self.assertLessEqual(point["accepted_rate"], 1.03 * most, label)

    def test_a_hotspot_saturates_at_what_one_node_takes(self):
        metrics = self.metrics_of("--size", "4x4", "--pattern", "hotspot", "--hotspot", "0,0:1",
                                  "--saturation", "--resolution", "0.002")

        self.assertTrue(0.8 / 16 * 0.9 < metrics["saturation_rate"] < 1 / 16, metrics["points"])
        self.assertAlmostEqual(metrics["overload_accepted_rate"], 1 / 16, delta=2e-4)

    def test_a_network_that_does_not_saturate_says_so(self):
        words = ("--size", "4x4", "--saturation", "--rate", "0.05:0.2:0.05")
        metrics = self.metrics_of(*words)
        done = self.succeed("noc", "traffic", *FAST, *words)

        self.assertEqual([metrics[name] for name in ("saturation_rate", "saturation_upper",
                                                     "saturation_accepted_rate")], [None] * 3)
        self.assertEqual(metrics["saturation_lower"], 0.2)
        self.assertIn("saturation  not reached", done.stdout)

    def test_routings_are_compared_side_by_side(self):
        west = os.path.join(SOURCE, "workloads/routing/west_first.lua")
        routings = ["xy", "yx", "valiant", west]
        words = ["--size", "4x4", "--pattern", "transpose", "--saturation", "--resolution", "0.02"]
        metrics = self.metrics_of(*words, "--compare", ",".join(routings))

        self.assertEqual([run["routing"] for run in metrics["routings"]], routings)
        for run in metrics["routings"]:
            alone = self.metrics_of(*words, "--routing", run["routing"])
            self.assertEqual(run["points"], alone["points"])
            for name in ("saturation_rate", "saturation_lower", "overload_accepted_rate"):
                self.assertEqual(run[name], alone[name], (name, run["routing"]))
        first = metrics["routings"][0]
        self.assertEqual(metrics["points"], first["points"])
        self.assertEqual(metrics["saturation_rate"], first["saturation_rate"])

    def test_the_page_has_a_row_for_each_routing_and_point(self):
        done = self.succeed("noc", "traffic", *FAST, "--size", "4x4", "--compare", "xy,valiant",
                            "--rate", "0.1:0.9:0.4")

        lines = done.stdout.splitlines()
        self.assertEqual([sum(line.startswith(f"  {name} ") for line in lines)
                          for name in ("xy", "valiant")], [3, 3])
        self.assertIn("  saturation  xy: at a rate of ", done.stdout)
        self.assertIn("              valiant: at a rate of ", done.stdout)
        self.assertNotIn("busiest links", done.stdout)

    def test_batches_are_compared_too(self):
        cross, snake = (os.path.join(SOURCE, f"workloads/routing/{name}.lua")
                        for name in ("cross", "snake"))
        metrics = self.metrics_of("--pattern", "reduce", "--batch", "100", "--root", "4,4",
                                  "--compare", f"{cross},{snake}")

        self.assertEqual([run["batch_cycles"] for run in metrics["routings"]], [1614, 958])
        self.assertNotIn("points", metrics)

    def test_the_experiment_draws_mesh_and_torus_beside_booksim(self):
        script = os.path.join(SOURCE, "workloads/experiments/noc_saturation.sh")
        done = subprocess.run([script, "out"], cwd=self.folder, capture_output=True, text=True,
                              env={**self.environment, "GRIDLOOM": gridloom.PROGRAM,
                                   "PATTERNS": "transpose"}, check=False)

        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = self.read("out/noc_saturation.svg")
        for topology in ("mesh", "torus"):
            self.assertIn(f"transpose traffic, 8x8 {topology}", text)
        self.assertIn("marks: noc_booksim.csv", text)
        self.assertGreater(text.count("<title>point: "), 5)
        rates = {run["routing"]: run["saturation_rate"] for run in
                 json.loads(self.read("out/transpose_mesh.json"))["metrics"]["routings"]}
        # XY is bound by one link at 1/7; ways that adapt carry more than twice as much.
        self.assertTrue(0.13 < rates["xy"] < 0.155, rates)
        self.assertGreater(rates["adaptive"], 2 * rates["xy"])

    def test_the_same_seed_gives_the_same_bytes(self):
        texts = [without_host(self.succeed(
            "noc", "traffic", *FAST, *TORUS, "--size", "4x4", "--saturation", "--compare",
            "xy,valiant", "--json", "-").stdout) for _ in range(2)]

        self.assertEqual(texts[0], texts[1])

    def test_the_picture_is_that_of_plot(self):
        words = ["--size", "4x4", "--compare", "xy,valiant", "--rate", "0.1:0.9:0.2"]
        self.succeed("noc", "traffic", *FAST, *words, "--json", "r.json", "--svg", "a.svg")
        self.succeed("plot", "latency", "r.json", "-o", "b.svg")
        text = self.read("a.svg")

        self.assertEqual(text, self.read("b.svg"))
        metrics = json.loads(self.read("r.json"))["metrics"]
        for run in metrics["routings"]:
            self.assertIn(f">{run['routing']}: {run['saturation_rate']:g}<", text)
            for point in run["points"]:
                self.assertEqual(f": {point['rate']:g}, {point['latency_mean']:.6g}<" in text
                                 if not point["saturated"] else None,
                                 None if point["saturated"] else True, point)

    def test_what_does_not_go_together_is_refused(self):
        for words, says in (
                (["--compare", "xy,xy"], "--compare = xy, allowed is every routing once"),
                (["--compare", "xy,,yx"], "--compare = (nothing), known are xy, yx, "),
                (["--compare", ""], "--compare = (nothing), "),
                (["--compare", "xy,zigzag"], "--compare = zigzag, known are xy, yx, "),
                (["--compare", "xy", "--routing", "xy"],
                 "--compare = xy, allowed is not together with --routing"),
                (["--compare", "xy,yx", "--heatmap", "h.svg"],
                 "--heatmap = h.svg, allowed is of one routing, without --compare"),
                (["--saturation", "--batch", "3"], "--saturation: a batch has no rate"),
                (["--svg", "a.svg", "--batch", "3"], "--svg: a batch has no rate"),
                (["--svg", "a.gif"], "a.gif: "),
                (["--svg", "no/a.svg"], "no/a.svg: "),
                (["--svg", "a.svg", "--json", "a.svg"], "a.svg"),
                (["--saturation", "--rate", "0.3"],
                 "--rate = 0.3, allowed is FROM:TO:STEP with --saturation"),
                (["--resolution", "0.1"], "--resolution = 0.1, allowed is with --saturation only"),
                (["--saturation", "--resolution", "0"], "allowed is a number in 1e-6..1"),
                (["--saturation", "--resolution", "nan"], "allowed is a number in 1e-6..1")):
            self.assertRefused([says], *words)

    def test_a_routing_that_fails_is_named(self):
        self.assertRefused(["no.lua: no such routing file"], "--compare", "xy,no.lua")
        self.assertRefused(["valiant: ", "virtual channels = 1"], "--compare", "xy,valiant",
                           "--vcs", "1", *FAST)


if __name__ == "__main__":
    unittest.main()
