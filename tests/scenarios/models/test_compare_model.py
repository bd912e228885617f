"""gridloom compare --model: closed forms beside simulations, and the parts of the difference."""
import csv
import io
import json
import os
import random
import re
import unittest
import xml.etree.ElementTree as xml

import gridloom
from gridloom import DONE, INPUT

UNMODELLED = 2
SVG = "{http://www.w3.org/2000/svg}"
CORES = ("--chips", "wormhole_n300", "--timing-only")
WAFER = ("--chips", "wse2", "--timing-only")


class CompareModel(gridloom.Scenario):
    def rows(self, *words):
        """The rows of a comparison with models."""
        done = self.succeed("compare", *words, "--model", "--json", "-")
        return json.loads(done.stdout)["metrics"]["chips"]

    def models(self, *words):
        """The models of rows, each checked for common properties: closed forms are lower bounds,
        and parts and differences add up."""
        models = [row["model"] for row in self.rows(*words)]
        for model in models:
            parts = model["parts"]
            total = max([sum(part["cycles"] for part in parts if not part["beside"])]
                        + [part["cycles"] for part in parts if part["beside"]])
            self.assertAlmostEqual(model["cycles"], total, delta=1e-6 * total)
            self.assertGreaterEqual(model["ratio"], 1, words)
            self.assertAlmostEqual(model["ratio"], model["simulated_cycles"] / model["cycles"], delta=1e-9)
            more = model["simulated_cycles"] - model["cycles"]
            self.assertAlmostEqual(sum(share["cycles"] for share in model["difference"]), more, delta=2)
            self.assertAlmostEqual(sum(share["cycles"] for share in model["measured"]),
                                   model["simulated_cycles"], delta=2)
            for share in model["difference"]:
                self.assertGreater(share["cycles"], 0, words)
            self.assertTrue(model["leaves_out"])
        return models

    def reason(self, model, beginning):
        return next(share["cycles"] for share in model["difference"] if share["reason"].startswith(beginning))

    def part(self, model, name):
        return next(part["cycles"] for part in model["parts"] if part["name"] == name)

    def test_a_step_on_a_wafer_is_bounded(self):
        """Waiting for neighbours costs a fifth to a third."""
        models = self.models("stencil25", *WAFER, "--over", "nz=10,30,31,100")
        for model in models:
            self.assertLess(model["ratio"], 1.35)
        model = models[-1]
        self.assertEqual(model["cycles"], 6164)
        self.assertGreater(self.reason(model, "waiting for neighbours"), 1000)
        self.assertEqual(self.part(model, "bank conflicts"), 1030)

    def test_a_deep_column_is_bounded(self):
        """Three blocks, as in the paper's Table III."""
        model = self.models("stencil25", *WAFER, "nz=1000", "nx=9", "ny=9", "steps=1")[0]
        self.assertEqual(model["cycles"], 52176)
        self.assertLess(model["ratio"], 1.35)

    def test_blocks_are_the_script_s(self):
        """The model fits a column into memory by its own arithmetic; the script's is separate."""
        for words in (["nz=100"], ["nz=700"], ["nz=400", "--set", "memory.capacity_bytes=20000"],
                      ["nz=30", "directions=ew"], ["nz=30", "block=7"]):
            with self.subTest(words):
                words = ["stencil25", *WAFER, "nx=2", "ny=2", "steps=1", *words]
                streams = next(part for part in self.rows(*words)[0]["model"]["parts"] if part["name"] == "streams")
                done = self.gridloom("run", *words[:1], "--chip", "wse2", *words[3:], "--json", "-", "-q")
                metrics = json.loads(done.stdout)["metrics"]
                self.assertRegex(streams["formula"],
                                 f"^{metrics['blocks_per_column']} blocks of {metrics['block']} cells")

    def test_banks_in_which_arrays_do_not_begin_are_not_counted(self):
        words = ("stencil25", *WAFER, "nx=3", "ny=1", "nz=40", "block=20", "directions=n", "--set",
                 "memory.conflict_factor=20", "--set",
                 "memory.wide_conflict_cycles_per_step=0", "--set")
        counted, unknown = (self.models(*words, f"memory.operand_period_bytes={period}")[0] for period in (8, 24))

        self.assertGreater(self.part(counted, "bank conflicts"), 0)
        self.assertEqual(self.part(unknown, "bank conflicts"), 0)

    def test_edges_and_other_wafers_are_bounded(self):
        for words in (["nx=1", "ny=1"], ["nx=4", "ny=6"], ["nx=9", "ny=9"], ["directions=ens", "nx=6"],
                      ["block=1"], ["block=3"], ["steps=1"], ["grain=stream"]):
            with self.subTest(words):
                model = self.models("stencil25", *WAFER, "nz=12", *words)[0]
                self.assertLess(model["ratio"], 1.7)
        for model in self.models("stencil25", "--chips", "wse1,wse3", "nz=40", "nx=12", "ny=12", "--timing-only"):
            self.assertLess(model["ratio"], 1.35)

    def test_a_dot_product_is_bounded_from_1_to_56_cores(self):
        """In FP32 everything is one chain, so the formula is near; sums over cores cost more than
        it says."""
        for granularity in ("scalar", "tile"):
            models = self.models("dot", *CORES, f"granularity={granularity}",
                                 "--over", "rows=1,1,2,4,7", "--over", "cols=1,8,2,4,8")
            for model in models:
                self.assertLess(model["ratio"], 1.05)
            waits = [self.reason(model, "polling") for model in models]
            self.assertGreater(waits[-1], 5 * waits[0])

    def test_a_dot_product_of_few_tiles_or_in_bf16_is_bounded(self):
        for words in (["tiles=1"], ["tiles=1", "rows=1", "cols=1"], ["tiles=2", "rows=1", "cols=1", "dtype=bf16"],
                      ["dtype=bf16"], ["dtype=bf16", "granularity=tile"], ["dtype=bf16", "unit=sfpu", "tiles=4"],
                      ["routing=center", "tiles=1"], ["routing=direct", "tiles=1"], ["iterations=2", "tiles=2"],
                      ["nx=100", "ny=20", "nz=3"]):
            with self.subTest(words):
                model = self.models("dot", *CORES, *words)[0]
                self.assertLess(model["ratio"], 1.2)

    def test_a_stencil_on_cores_is_bounded(self):
        """Operations that wait for each other cost a third."""
        for words in (["dtype=bf16"], ["dtype=bf16", "halo=off"], ["dtype=fp32"], ["dtype=fp32", "halo=off"],
                      ["iterations=3"], ["rows=1", "cols=1", "zero_fill=off"]):
            with self.subTest(words):
                model = self.models("stencil7", *CORES, "tiles=8", *words)[0]
                self.assertLess(model["ratio"], 1.45)
                self.assertGreater(self.reason(model, "operations wait"), 0.15 * model["cycles"])
        model = self.models("stencil7", *CORES, "nx=100", "ny=20", "nz=3")[0]
        self.assertLess(model["ratio"], 1.45)

    def test_no_simulation_is_faster_than_its_bound(self):
        chance = random.Random(11)
        for _ in range(4):
            rows, cols, depth = chance.randint(1, 7), chance.randint(1, 8), chance.randint(1, 6)
            cores = [*CORES, f"rows={rows}", f"cols={cols}", f"tiles={depth}",
                     f"dtype={chance.choice(['bf16', 'fp32'])}"]
            self.models("dot", *cores, f"routing={chance.choice(['naive', 'center', 'direct'])}")
            self.models("stencil7", *cores, f"halo={chance.choice(['on', 'off'])}")
            self.models("stencil25", *WAFER, f"nx={cols}", f"ny={rows}", f"nz={depth * 5 + 1}",
                        f"directions={chance.choice(['ewns', 'ew', 's', 'wn'])}")

    def test_what_is_asked_for_before_it_comes_is_not_waited_for(self):
        self.models("dot", *CORES, "rows=1", "cols=8", "tiles=1", "granularity=tile", "--set",
                    "unpack.fp32_mailbox_cycles=360")

    def test_the_unpacker_is_busy_as_long_as_the_model_says(self):
        model = self.models("stencil7", *CORES, "tiles=16")[0]

        measured = {share["name"]: share["cycles"] for share in model["measured"]}
        self.assertAlmostEqual(measured["unpacker busy"], self.part(model, "tiles from L1"), delta=1)

    def test_numbers_of_the_chip_change_both(self):
        for script, words, key in (
                ("dot", (*CORES, "tiles=1"), "noc.hop_cycles=90"),
                ("dot", (*CORES, "tiles=1"), "host.launch_us=60"),
                ("stencil7", (*CORES, "tiles=4"), "unpack.two_operand_bf16_cycles_per_tile=100"),
                ("stencil7", (*CORES, "tiles=4", "dtype=fp32"), "sfpu.add_slots_per_vector=12"),
                ("stencil25", (*WAFER, "nz=20"), "dsd.setup_busy_cycles=56"),
                ("stencil25", (*WAFER, "nz=20"), "ramp.transfer_cycles_per_wavelet=6")):
            with self.subTest(key):
                chip = words[1]
                before = self.models(script, *words)[0]
                after = self.models(script, *words, "--set", f"{chip}:{key}")[0]
                for name in ("cycles", "simulated_cycles"):
                    self.assertGreater(after[name], before[name])

    def test_a_sweep_says_where_both_part(self):
        text = self.succeed("compare", "dot", *CORES, "tiles=1", "--over", "rows=1,7", "--model").stdout

        lines = text[text.index("closed form against"):].splitlines()
        self.assertEqual(re.split("  +", lines[1]),
                         ["chip", "case", "model cycles", "simulated", "ratio", "largest part"])
        self.assertRegex(lines[2], r"^wormhole_n300 +rows=1 +\d+ +\d+ +1\.\d{3} +launch$")
        self.assertRegex(lines[3], r"^wormhole_n300 +rows=7 +\d+ +\d+ +1\.\d{3} +launch$")

    def test_the_text_names_parts_and_differences(self):
        text = self.succeed("compare", "stencil25", *WAFER, "nz=20", "--model").stdout

        self.assertRegex(text, r"\n  model   1900 cycles an iteration, at least\n +part +kind +cycles +share +formula\n")
        self.assertRegex(text, r"\n +descriptors +set-up +756 +40 % +27 vector operations, 28 cycles each")
        self.assertRegex(text, r"\n +ramp +communication +400 +beside ")
        self.assertRegex(text, r"\n  counted in the simulation, of \d+ cycles\n +\d+ +busy\n +\d+ +memory idle\n")
        self.assertRegex(text, r"\n  differs by \d+ cycles\n")
        self.assertRegex(text, r"\n +\d+ +waiting for neighbours' wavelets")
        self.assertIn("\n  model leaves out\n", text)

    def test_csv_has_the_model(self):
        self.succeed("compare", "stencil25", *WAFER, "nz=20", "--model", "-q", "--csv", "x.csv")

        row = next(csv.DictReader(io.StringIO(self.read("x.csv"))))
        self.assertEqual((row["model_cycles"], row["model_largest_part"]), ("1900", "descriptors"))
        self.assertAlmostEqual(float(row["model_seconds"]), 1900 / 0.85e9, delta=1e-12)
        self.assertAlmostEqual(float(row["model_ratio"]),
                               float(row["seconds_per_iteration"]) / float(row["model_seconds"]), delta=1e-6)

    def test_pictures_show_the_model(self):
        self.succeed("compare", "stencil25", *WAFER, "nz=20", "--model", "-q", "-o", "bars.svg")
        self.succeed("compare", "stencil25", *WAFER, "--over", "nz=10,20", "--model", "-q", "-o", "curves.svg")

        bars, curves = ([text.text for text in xml.fromstring(self.read(name)).iter(SVG + "text")]
                        for name in ("bars.svg", "curves.svg"))
        self.assertIn("stroke: what the closed form says", bars)
        self.assertTrue(any(re.fullmatch(r"[0-9.]+ us, model 2\.235 us", text) for text in bars), bars)
        self.assertIn("wse2, closed form", curves)
        # The stroke is where the bar of 2.235 us would end.
        picture = xml.fromstring(self.read("bars.svg"))
        stroke = next(line for line in picture.iter(SVG + "line") if line.get("class") == "bars-mark")
        bar = max((float(rect.get("width")), float(rect.get("x"))) for rect in picture.iter(SVG + "rect")
                  if rect.get("x") is not None)
        model = self.models("stencil25", *WAFER, "nz=20")[0]
        self.assertAlmostEqual((float(stroke.get("x1")) - bar[1]) / bar[0], 1 / model["ratio"], 2)

    def test_without_the_word_there_is_none(self):
        done = self.succeed("compare", "stencil25", *WAFER, "nz=10", "--json", "-")

        self.assertNotIn("model", json.loads(done.stdout)["metrics"]["chips"][0])

    def test_a_chip_without_one_says_so(self):
        words = ["dot", "--chips", "wse2,wormhole_n300", "nx=64", "ny=16", "nz=2"]
        none = "no closed form of dot on wse2; there is one of stencil25 on wse, dot on tensix, stencil7 on tensix"

        rows = self.rows(*words)
        text = self.succeed("compare", *words, "--model").stdout

        self.assertEqual([(row["model"] is None, row["no_model"]) for row in rows], [(True, none), (False, None)])
        self.assertIn(f"\n  model   {none}\n", text)
        self.assertRegex(text, r"\nwse2 +- +- +- +- +-\n")

    def test_runs_that_are_over_have_none(self):
        self.succeed("run", "dot", "tiles=1", "--json", "over.json", "-q")

        rows = self.rows("dot", "--chips", "wormhole_n300", "tiles=1", "--beside", "over.json")
        self.assertEqual([row["no_model"] for row in rows], [None, "a run that is over"])

    def test_a_run_that_fails_has_none(self):
        done = self.gridloom("compare", "dot", "--chips", "wormhole_n300,wormhole_n150", "wormhole_n150:tiles=4096",
                             "tiles=1", "--model", "--json", "-")

        self.assertEqual(done.returncode, INPUT)
        rows = json.loads(done.stdout)["metrics"]["chips"]
        self.assertEqual([row["no_model"] for row in rows], [None, "the run failed"])

    def test_where_there_is_none_at_all_nothing_runs(self):
        self.write("dot.lua", gridloom.workload("host.sleep(1e-6)"))
        for says, words in (
                ("no closed form of pcg on wse2; there is one of stencil25 on wse, dot on tensix, stencil7 on tensix",
                 ["pcg", "--chips", "wse2"]),
                ("no closed form of dot on wse2", ["dot", "--chips", "wse2,wse3", "nx=1000000"]),
                ("no closed form of dot.lua, which is not gridloom's own dot",
                 ["dot.lua", "--chips", "wormhole_n300"])):
            with self.subTest(words):
                done = self.gridloom("compare", *words, "--model", "--csv", "x.csv")
                self.assertEqual((done.returncode, done.stdout), (UNMODELLED, ""))
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assertTrue(done.stderr.startswith(f"gridloom: --model: {says}"), done.stderr)
                self.assertNotIn(self.path("x.csv"), self.files())

    def test_what_is_no_script_is_wrong_input_not_a_missing_model(self):
        """As without --model, and as gridloom run says."""
        os.mkdir(self.path("folder.lua"))
        self.write("empty.lua", "")
        self.write("broken.lua", "return {")
        for path, says in (("folder.lua", "is a folder, not a script"), (self.path(""), "is a folder, not a script"),
                           ("empty.lua", "is empty"), ("broken.lua", "broken.lua:1: ")):
            with self.subTest(path):
                done = self.gridloom("compare", path, *CORES, "--model")
                alone = self.gridloom("run", path)
                self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
                self.assertEqual(done.stderr, alone.stderr)
                self.assertIn(says, done.stderr)

    def test_a_script_of_ours_by_its_path_has_one(self):
        path = f"{gridloom.SOURCE}/workloads/../workloads/stencil25.lua"

        self.assertEqual(self.models(path, *WAFER, "nz=20")[0]["cycles"], 1900)

    def test_bad_input_is_refused(self):
        for says, words in (
                (["--models", "--help"], ["dot", *CORES, "--models"]),
                (["no script"], ["--model"]),
                (["no.such"], ["dot", *CORES, "--model", "tiles=1", "--set", "no.such=1"])):
            with self.subTest(words):
                done = self.gridloom("compare", *words)
                self.assertEqual(done.returncode, INPUT)
                for word in says:
                    self.assertIn(word, done.stderr)
        self.assertEqual(self.gridloom("compare", "--help").returncode, DONE)
        self.assertIn("--model", self.gridloom("compare", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
