"""gridloom noc traffic --pattern FILE: traffic from Lua functions and from matrix files."""
import json
import os
import unittest

import gridloom
from gridloom import INPUT, SOURCE

SMALL = ["--size", "4x4", "--window", "1000"]
WIDTH = 4


def matrix(target, width=WIDTH):
    """The text of a matrix in which each node sends to one."""
    nodes = [(x, y) for y in range(width) for x in range(width)]
    return "".join(",".join("1" if node == target(*source) else "0" for node in nodes) + "\n"
                   for source in nodes)


class Patterns(gridloom.Scenario):
    def result(self, *words):
        return json.loads(self.succeed("noc", "traffic", *words, "--json", "-").stdout)

    def metrics_of(self, *words):
        return self.result(*SMALL, *words)["metrics"]

    def lua(self, name, body):
        return self.write(name, f"return {{ summary = 's', {body} }}")

    def assertRefused(self, says, *words, traceback=False):
        self.assertFails(INPUT, says, "noc", "traffic", *SMALL, *words, traceback=traceback)

    def test_a_known_pattern_from_a_file_is_that_pattern_to_the_bit(self):
        csv = self.write("t.csv", "# transpose\n" + matrix(lambda x, y: (y, x)))
        lua = self.lua("t.lua", "target = function(x, y) return y, x end")
        known = self.metrics_of("--pattern", "transpose", "--saturation")

        self.assertEqual(self.metrics_of("--pattern", csv, "--saturation"), known)
        self.assertEqual(self.metrics_of("--pattern", lua, "--saturation"), known)

    def test_uniform_weights_and_a_uniform_matrix_are_one_pattern(self):
        csv = self.write("u.csv", (",".join(["0.0625"] * 16) + "\n") * 16)
        lua = self.lua("u.lua", "weight = function() return 7 end")
        both = [self.metrics_of("--pattern", name, "--rate", "0.3") for name in (csv, lua)]

        self.assertEqual(both[0], both[1])
        self.assertAlmostEqual(both[0]["hops_mean"], 2.5, delta=0.05)

    def test_the_result_names_the_file(self):
        csv = self.write("t.csv", matrix(lambda x, y: (y, x)))
        done = self.succeed("noc", "traffic", *SMALL, "--pattern", csv)

        self.assertEqual(self.result(*SMALL, "--pattern", csv)["parameters"]["pattern"], csv)
        self.assertIn(f"traffic     {csv}, packets of 4 flits", done.stdout)

    def test_nodes_without_targets_send_nothing(self):
        lua = self.lua("c.lua", "target = function(x, y) if x == 0 then return 3, y end end")
        metrics = self.metrics_of("--pattern", lua, "--rate", "0.4")

        self.assertAlmostEqual(metrics["injected_rate"], 0.4 / 4, delta=0.01)
        self.assertEqual(metrics["hops_mean"], 3)
        busy = {tuple(link["from"]) + (link["direction"],) for link in metrics["links"]
                if link["flits"]}
        self.assertEqual(busy, {(x, y, "east") for x in range(3) for y in range(4)})

    def test_a_batch_takes_the_pattern_too(self):
        csv = self.write("n.csv", matrix(lambda x, y: ((x + 1) % 4, y)))
        metrics = self.metrics_of("--topology", "torus", "--pattern", csv, "--batch", "25")

        self.assertEqual(metrics["batch_cycles"], 2 + 1 + 25 * 4 - 1)

    def test_the_example_runs(self):
        name = os.path.join(SOURCE, "workloads/routing/nearby.lua")
        near = self.metrics_of("--pattern", name, "--rate", "0.3")

        self.assertLess(near["hops_mean"], 2.4)
        self.assertIsNone(near["saturation_rate"])

    def test_a_matrix_that_does_not_add_up_is_refused_by_line(self):
        good = matrix(lambda x, y: (y, x)).splitlines()
        for line, text, says in (
                (3, good[2].replace("1", "0.9"), "m.csv:3: adds up to 0.9, allowed is 1 within "
                 "0.001, or 0 for a node that sends nothing"),
                (2, good[1].replace("1", "nan"), "m.csv:2: column 5 = nan, allowed are numbers "
                 "from 0 to 1"),
                (1, good[0].replace("1", "-1"), "m.csv:1: column 1 = -1, allowed"),
                (1, good[0].replace("1", "one"), "m.csv:1: column 1 = one, allowed"),
                (16, good[15][2:], "m.csv:16: fewer numbers than nodes, allowed are 16"),
                (5, good[4] + ",0", "m.csv:5: more numbers than nodes, allowed are 16"),
                (16, good[15] + "\n" + good[15], "m.csv:17: row 17, allowed are 16"),
                (16, "", "m.csv: 15 rows, allowed are 16, one for each node")):
            lines = good[:line - 1] + [text] + good[line:]
            name = self.write("m.csv", "\n".join(lines) + "\n")
            self.assertRefused([says], "--pattern", name, "--json", "r.json")
            self.assertFalse(os.path.exists(self.path("r.json")))
        self.assertRefused(["m.csv: no node sends anything"], "--pattern",
                           self.write("m.csv", (",".join("0" * 16) + "\n") * 16))

    def test_a_matrix_of_another_size_is_refused(self):
        name = self.write("m.csv", matrix(lambda x, y: (y, x), 3))

        self.assertRefused(["m.csv:1: fewer numbers than nodes, allowed are 16"], "--pattern", name)

    def test_functions_that_answer_wrongly_are_refused_with_the_question(self):
        for body, says in (
                ("target = function(x, y) return x + 1, y end",
                 "p.lua: target(3, 0) returns 4, 0, which is off the grid of 4x4"),
                ("weight = function(x, y, tx) return -tx end",
                 "p.lua: weight(0, 0, 1, 0) returns -1, expected a number from 0 on"),
                ("target = function() end", "p.lua: no node sends anything"),
                ("next = function() end", "p.lua: ")):
            self.assertRefused([says], "--pattern", self.lua("p.lua", body))
        self.assertRefused(["p.lua:1: no in target(2, 0)"], "--pattern", self.lua(
            "p.lua", "target = function(x) if x == 2 then error('no') end return 0, 0 end"),
            traceback=True)

    def test_files_that_are_not_there_and_other_words_are_refused(self):
        self.assertRefused(["no.csv: cannot be read"], "--pattern", "no.csv")
        self.assertRefused(["no.lua: no such pattern file"], "--pattern", "no.lua")
        self.assertRefused(["--pattern = matrix, known are uniform, ", "FILE.lua, FILE.csv"],
                           "--pattern", "matrix")
        self.assertRefused(["--hotspot = 0,0:1, allowed is with --pattern hotspot only"],
                           "--pattern", "no.csv", "--hotspot", "0,0:1")


if __name__ == "__main__":
    unittest.main()
