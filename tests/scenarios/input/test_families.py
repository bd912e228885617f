"""Scripts that run on both families of chips, with parameters for each."""
import unittest

import gridloom
from gridloom import INPUT

SCRIPT = """return {
    summary = "a script for both",
    chips = { "tensix", "wse" },
    parameters = {
        { name = "nx", type = "integer", default = { tensix = 0, wse = 20 },
          min = { tensix = 0, wse = 1 }, max = 4096, help = "points along x" },
        { name = "dtype", type = "choice", default = { tensix = "bf16", wse = "fp32" },
          choices = { tensix = { "bf16", "fp32" }, wse = { "fp32", "fp16", "mixed" } },
          help = "numbers" },
        { name = "rows", type = "integer", default = 7, chips = { "tensix" }, help = "of cores" },
        { name = "pattern", type = "text", default = "chain", chips = { "wse" }, help = "of sums" },
    },
    run = function(host, p)
        host.metric("nx", p.nx)
        host.metric("rows", p.rows or -1)
        host.metric("is_wse", host.family == "wse" and 1 or 0)
    end,
}
"""


class Families(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.write("both.lua", SCRIPT)

    def test_the_chip_decides_about_defaults(self):
        for words, metrics, dtype in (
                ([], {"nx": 0, "rows": 7, "is_wse": 0}, "bf16"),
                (["--chip", "wse2"], {"nx": 20, "rows": -1, "is_wse": 1}, "fp32"),
                (["--chip", "wse1", "nx=5", "dtype=mixed"],
                 {"nx": 5, "rows": -1, "is_wse": 1}, "mixed")):
            result = self.result("both.lua", *words)

            self.assertEqual({name: result["metrics"][name] for name in metrics}, metrics)
            self.assertEqual(result["parameters"]["dtype"], dtype)
            self.assertEqual("rows" in result["parameters"], not metrics["is_wse"])

    def test_words_of_the_other_family_say_where_they_are_good(self):
        for words, says in (
                (["rows=3", "--chip", "wse2"], "both on wse: rows exists on tensix only"),
                (["pattern=x"], "both on tensix: pattern exists on wse only"),
                (["nx=0", "--chip", "wse2"], "both on wse: nx = 0, expected an integer in 1..4096"),
                (["dtype=bf16", "--chip", "wse2"],
                 "both on wse: dtype = bf16, expected one of fp32, fp16, mixed"),
                (["dtype=mixed"], "both on tensix: dtype = mixed, expected one of bf16, fp32")):
            self.assertFails(INPUT, [says], "run", "both.lua", *words)
            self.assertFails(INPUT, [says], "run", "both.lua", "--dry-run", *words)

    def test_a_family_comes_before_the_words(self):
        self.write("one.lua", SCRIPT.replace('"tensix", "wse" },\n    parameters', '"wse" },\n    parameters'))

        self.assertFails(INPUT, ["one.lua: runs on chips of family wse, wormhole_n150 is of family "
                                 "tensix"], "run", "one.lua", "dtype=bf16", "--chip", "wormhole_n150")

    def test_describe_shows_each_family_once_where_they_differ(self):
        text = self.succeed("describe", "both.lua").stdout

        rows = [line.split()[:4] for line in text.splitlines()[4:]]
        self.assertEqual(rows[:8], [
            ["PARAMETER", "CHIPS", "DEFAULT", "ALLOWED"],
            ["nx", "tensix", "0", "0..4096"],
            ["nx", "wse", "20", "1..4096"],
            ["dtype", "tensix", "bf16", "bf16|fp32"],
            ["dtype", "wse", "fp32", "fp32|fp16|mixed"],
            ["rows", "tensix", "7", "number"],
            ["pattern", "wse", "chain", "text"],
            ["grain", "both", "auto", "auto|wavelet|stream"]])
        self.assertEqual(len(rows), 11)

    def test_describe_shows_what_follows_the_words_of_all_scripts(self):
        words = "".join(f'{{ name = "{name}", type = "switch", default = true, help = "h" }}, '
                        for name in ("extrapolate", "unattributed"))
        words += "".join(f'{{ name = "{name}", type = "choice", default = "{choice}", '
                         f'choices = {{ "{choice}" }}, help = "h" }}, '
                         for name, choice in (("grain", "auto"), ("arithmetic", "chip")))
        self.write("last.lua", SCRIPT.replace('{ name = "pattern"', words + '{ name = "pattern"'))

        rows = self.succeed("describe", "last.lua").stdout.splitlines()

        self.assertEqual(rows[-1].split()[:4], ["pattern", "wse", "chain", "text"])
        self.assertEqual(len(rows), 15)

    def test_describe_tells_which_of_three_families_have_the_same(self):
        self.write("three.lua", """return {
            summary = "a script for three", chips = { "nero", "tensix", "wse" },
            parameters = {
                { name = "nx", type = "integer", default = { nero = 1, tensix = 2, wse = 1 }, help = "h" },
                { name = "rows", type = "integer", default = 7, chips = { "tensix" }, help = "h" },
                { name = "pes", type = "integer", default = 4, chips = { "nero", "wse" }, help = "h" },
                { name = "nz", type = "integer", default = 3, help = "h" },
            },
            run = function() end }""")

        rows = [line.split()[:3]
                for line in self.succeed("describe", "three.lua").stdout.splitlines()[5:]]

        self.assertEqual(rows[:6], [["nx", "nero,wse", "1"], ["nx", "tensix", "2"],
                                    ["pes", "nero,wse", "4"], ["rows", "tensix", "7"],
                                    ["nz", "all", "3"], ["grain", "all", "auto"]])

    def test_workloads_shows_a_line_for_each_family(self):
        self.write("workloads/both.lua", SCRIPT)
        self.environment["GRIDLOOM_PATH"] = self.folder

        text = self.succeed("workloads").stdout

        self.assertIn("both (tensix, wse): a script for both\n"
                      "    on tensix: nx=0 dtype=bf16 rows=7 grain=auto ", text)
        self.assertIn("\n    on wse: nx=20 dtype=fp32 pattern=chain grain=auto ", text)

    def test_a_table_by_family_that_is_wrong_is_named_with_its_place(self):
        for before, after, says in (
                ("wse = 20 }", "wsee = 20 }", "default: unknown field 'wsee'; known: nero, tensix, wse"),
                ("tensix = 0, wse = 20 }", "wse = 20 }", "default is missing for tensix"),
                ("tensix = 0, wse = 20 }", "0, wse = 20 }", "default mixes a list with keys"),
                ("wse = 20 }", "wse = 0 }",
                 "on wse: default = 0, expected an integer in 1..4096")):
            self.write("bad.lua", SCRIPT.replace(before, after))

            self.assertFails(INPUT, [f"bad.lua: parameters[1]: {says}"], "run", "bad.lua")


if __name__ == "__main__":
    unittest.main()
