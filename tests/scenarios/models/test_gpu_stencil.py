"""gridloom gpu stencil: the paper's cases, sweeps, files, and input that cannot be used."""
import csv
import io
import json
import math
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import INPUT, without_host

UNMODELLED = 2
SVG = "{http://www.w3.org/2000/svg}"

BOX3 = ["--shape", "box", "--dim", "2", "--radius", "1", "--fusion", "3", "--dtype", "double"]

# Table 3: words; scenario, direction, bottlenecks; GStencils/s by the model.
TABLE_3 = [
    (["--dim", "2", "--radius", "1", "--fusion", "3", "--dtype", "double"],
     2, "down", ("memory", "compute"), (362.8, 298.5)),
    (["--dim", "2", "--radius", "3", "--fusion", "1", "--dtype", "double"],
     4, "equal", ("compute", "compute"), (99.0, 99.5)),
    (["--dim", "2", "--radius", "1", "--fusion", "7", "--dtype", "float"],
     3, "up", ("compute", "memory"), (1083.3, 1693.1)),
    (["--dim", "2", "--radius", "7", "--fusion", "1", "--dtype", "float"],
     3, "up", ("compute", "memory"), (43.3, 241.9)),
    (["--dim", "3", "--radius", "1", "--fusion", "3", "--dtype", "double"],
     4, "down", ("compute", "compute"), (179.6, 42.6)),
    (["--dim", "3", "--radius", "1", "--fusion", "7", "--dtype", "float"],
     4, "down", ("compute", "compute"), (361.1, 151.7)),
]


class GpuStencil(gridloom.Scenario):
    def model(self, *words, **options):
        """The JSON object of the command."""
        done = self.succeed("gpu", "stencil", *words, "--json", "-", **options)
        return json.loads(done.stdout)

    def metrics(self, *words):
        return self.model(*words)["metrics"]

    def text(self, *words):
        return self.succeed("gpu", "stencil", *words).stdout

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "gpu", "stencil", *words)

    def test_the_result_has_the_envelope_and_the_names_that_programs_read(self):
        result = self.model(*BOX3, "--gpu", "a100")

        self.assertEqual((result["schema_version"], result["workload"], result["chip"]),
                         (1, "gpu stencil", "a100_80gb"))
        self.assertEqual((result["seconds"], result["cycles"], result["check"]["status"]),
                         (0, 0, "skipped"))
        self.assertEqual(result["parameters"], {
            "shape": "box", "dim": 2, "radius": 1, "fusion": 3, "dtype": "double",
            "size": 10240, "baseline": "ebisu", "with": "convstencil", "star": "fused",
            "clock_hz": 1.41e9, "bandwidth": 1.935e12, "sparsity": None, "published": False})
        self.assertEqual([roof["name"] for roof in result["roofs"]],
                         ["CUDA cores, FP64", "CUDA cores, FP32", "tensor cores, FP64",
                          "tensor cores, TF32", "tensor cores, FP16",
                          "sparse tensor cores, TF32", "DRAM", "L2", "L1/shared"])
        self.assertIn({"section": "power", "key": "board_watts", "value": "300",
                       "unit": "watts", "confidence": "documented",
                       "source": "NVIDIA, A100 80GB PCIe data sheet"},
                      result["chip_parameters"])
        metrics = result["metrics"]
        self.assertEqual((metrics["points"], metrics["fused_points"]), (9, 49))
        self.assertEqual(
            {key: metrics["convstencil"][key]
             for key in ("unit", "format", "flops_per_point", "bytes_per_point", "intensity",
                         "sparsity", "peak_flops_per_second", "bound", "raw_flops_per_second",
                         "efficiency", "fusion", "best_fusion", "transition_fusion")},
            {"unit": "tensor", "format": "FP64", "flops_per_point": 196, "bytes_per_point": 16,
             "intensity": 12.25, "sparsity": 0.5, "peak_flops_per_second": 19.5e12,
             "bound": "compute", "raw_flops_per_second": 19.5e12, "efficiency": 0.637,
             "fusion": 3, "best_fusion": 3, "transition_fusion": 3})
        self.assertAlmostEqual(metrics["convstencil"]["redundancy"], 49 / 27)
        self.assertAlmostEqual(metrics["convstencil"]["ridge"], 19.5e12 / 1.935e12)
        self.assertAlmostEqual(metrics["convstencil"]["flops_per_second"],
                               19.5e12 * 0.5 * 27 / 49, delta=1)
        self.assertAlmostEqual(metrics["convstencil"]["expected_gstencils_per_second"],
                               190.14, delta=0.05)
        self.assertAlmostEqual(metrics["sweet_spot_limit"], 0.5 * 19.5 / 9.7)
        self.assertIs(metrics["sweet_spot"], False)
        self.assertAlmostEqual(metrics["expected_speedup"],
                               metrics["speedup"] * 0.637 / 0.683)
        self.assertIsNone(metrics["spider"])
        self.assertEqual((metrics["ebisu"]["best_fusion"],
                          metrics["ebisu"]["transition_fusion"]), (5, 5))

    def test_table_3_has_its_scenarios_directions_and_bottlenecks(self):
        for words, scenario, direction, bounds, rates in TABLE_3:
            result = self.model(*words)
            metrics = result["metrics"]
            pair = [metrics[result["parameters"][side]] for side in ("baseline", "with")]

            self.assertEqual((metrics["scenario"], metrics["direction"]),
                             (scenario, direction), words)
            self.assertEqual(tuple(program["bound"] for program in pair), bounds, words)
            for program, rate in zip(pair, rates):
                self.assertAlmostEqual(program["gstencils_per_second"], rate, delta=0.05)

    def test_programs_that_cannot_fuse_do_one_step_in_a_pass(self):
        metrics = self.metrics("--fusion", "4", "--dtype", "float")

        self.assertEqual((metrics["cudnn"]["fusion"], metrics["cudnn"]["best_fusion"],
                          metrics["cudnn"]["transition_fusion"]), (1, 1, None))
        self.assertEqual(metrics["cudnn"]["flops_per_point"], 18)
        self.assertRefused(["cudnn: fusion = 4, it does one step in a pass"], "--fusion", "4",
                           "--baseline", "cudnn", status=UNMODELLED)
        self.assertEqual(self.metrics("--baseline", "cudnn", "--fusion", "1")["scenario"], 1)

    def test_a_sweep_finds_the_transition(self):
        metrics = self.metrics("--sweep", "fusion=1:8")
        star = self.metrics("--shape", "star", "--sweep", "fusion=2:12")

        self.assertEqual([at["fusion"] for at in metrics["sweep"]], list(range(1, 9)))
        self.assertEqual([at["ebisu"]["bound"] for at in metrics["sweep"]],
                         ["memory"] * 4 + ["compute"] * 4)
        self.assertEqual([at["scenario"] for at in metrics["sweep"]], [1, 1, 2, 2, 4, 4, 4, 4])
        self.assertEqual((metrics["baseline_transition"], metrics["with_transition"]), (5, 3))
        self.assertEqual(metrics["points"], 9)
        self.assertEqual((star["sweep"][0]["fusion"], star["baseline_transition"]), (2, 9))

    def test_a_sweep_of_radii_keeps_the_fusion_depth(self):
        metrics = self.metrics("--fusion", "2", "--sweep", "radius=1:3")

        self.assertEqual([at["points"] for at in metrics["sweep"]], [9, 25, 49])
        self.assertEqual([at["radius"] for at in metrics["sweep"]], [1, 2, 3])
        self.assertEqual([at["ebisu"]["fusion"] for at in metrics["sweep"]], [2, 2, 2])
        self.assertEqual(metrics["baseline_transition"], 2)

    def test_a_profiling_clock_moves_transitions_to_those_that_were_seen(self):
        slow = ["--clock-hz", "765e6", "--sweep", "fusion=1:8"]

        box = self.metrics(*slow)

        self.assertEqual(box["baseline_transition"], 3)
        self.assertEqual(self.metrics(*slow, "--shape", "star")["baseline_transition"], 5)
        self.assertAlmostEqual(box["ebisu"]["peak_flops_per_second"], 9.7e12 * 765 / 1410)
        self.assertIn("765 MHz, which lowers peaks", self.text(*slow))

    def test_options_change_what_they_say(self):
        plain = self.metrics(*BOX3)

        self.assertEqual(self.metrics(*BOX3, "--sparsity", "0.25")["convstencil"]
                         ["flops_per_point"], 392)
        self.assertEqual(self.metrics(*BOX3, "--bandwidth", "3.87e12")["ebisu"]
                         ["gstencils_per_second"], 9.7e12 / 18 / 1e9)
        self.assertEqual(self.metrics("--shape", "star", "--fusion", "2")["fused_points"], 13)
        self.assertEqual(self.metrics("--shape", "star", "--fusion", "2", "--star",
                                      "boxed")["fused_points"], 25)
        ours = self.metrics(*BOX3, "--efficiency", "ebisu=0.5", "--efficiency",
                            "convstencil=0.25")
        self.assertAlmostEqual(ours["expected_speedup"], plain["speedup"] / 2)
        self.assertEqual(ours["ebisu"]["gstencils_per_second"],
                         plain["ebisu"]["gstencils_per_second"])
        self.assertEqual(ours["ebisu"]["efficiency_source"], "--efficiency")

    def test_dtypes_take_their_units_and_usual_programs(self):
        half = self.model("--dtype", "half", "--gpu", "h200", "--fusion", "2")
        dense = self.model("--dtype", "float", "--with", "spider-dense")

        self.assertEqual((half["chip"], half["parameters"]["with"]), ("h200", "spider"))
        self.assertEqual(half["metrics"]["spider"]["format"], "FP16")
        self.assertEqual(half["metrics"]["spider"]["peak_flops_per_second"], 1978.9e12)
        self.assertEqual(half["metrics"]["ebisu"]["bytes_per_point"], 4)
        self.assertEqual(dense["metrics"]["spider_dense"]["peak_flops_per_second"], 156e12)

    def test_published_numbers_and_set_change_the_gpu(self):
        sheet = self.model("--gpu", "h100")
        paper = self.model("--gpu", "h100", "--published")
        own = self.model("--gpu", "h100", "--published", "--set",
                         "memory.dram_bytes_per_second=1e12")

        self.assertEqual([at["parameters"]["bandwidth"] for at in (sheet, paper, own)],
                         [2e12, 3.9e12, 1e12])
        self.assertEqual(sheet["overrides"], {})
        self.assertIn("memory.dram_bytes_per_second", paper["overrides"])
        self.assertNotEqual(sheet["chip_digest"], paper["chip_digest"])

    def test_instructions_cost_their_padding(self):
        flat = self.metrics(*BOX3)["convstencil"]["mma"]
        lines = self.metrics("--dtype", "float", "--fusion", "7")["spider"]["mma"]
        other = self.metrics("--dtype", "float", "--fusion", "7", "--with", "convstencil",
                             "--mma", "m16n8k4")

        # Counted by the paper's profiler, Table 2.
        self.assertEqual((flat["shape"], flat["flops_per_point"]), ("m8n8k4", 208))
        self.assertAlmostEqual(flat["gstencils_per_second"], 19.5e12 * 3 / 208 / 1e9)
        self.assertEqual((lines["shape"], lines["flops_per_point"], lines["padding"]),
                         ("m16n8k16", 960, 0))
        self.assertAlmostEqual(lines["gstencils_per_second"], 1.935e12 * 7 / 8 / 1e9)
        self.assertEqual(other["convstencil"]["mma"]["shape"], "m16n8k4")
        self.assertEqual(other["spider"]["mma"]["shape"], "m16n8k16")
        self.assertEqual(other["convstencil"]["flops_per_point"], 900)

    def test_the_text_says_it_in_words(self):
        text = self.text(*BOX3)

        for part in ("gpu stencil on a100_80gb", "Box-2D1R, double, 3 steps in a pass",
                     "K = 9; 49 when 3 steps are fused",
                     "scenario    2: memory bound on CUDA cores (ebisu), compute bound on "
                     "tensor cores (convstencil)", "tensor cores lose",
                     "0.8227, down: 362.81 to 298.47 GStencils/s",
                     "sweet spot  no: alpha = 1.815, S P_TC / P_CU = 1.005",
                     "ebisu with 5 steps in a pass: 538.89 GStencils/s; compute bound from 5",
                     "convstencil with 3 steps in a pass", "208",
                     "spider: type = double, which unit 'sparse' of a100_80gb does not have"):
            self.assertIn(part, text)
        self.assertIn("no gain: both wait for memory", self.text())
        self.assertIn("tensor cores win", self.text("--dtype", "float", "--fusion", "7"))
        self.assertIn("alpha is below", self.text("--radius", "3"))
        self.assertIn("alpha is not below", self.text("--dim", "3", "--fusion", "3"))
        self.assertIn("transition  ebisu is compute bound from fusion 5 on\n"
                      "  transition  spider is memory bound up to fusion 8",
                      self.text("--dtype", "float", "--sweep", "fusion=1:8"))
        self.assertEqual(self.text("-q"), "")

    def test_the_text_ends_with_the_roofline_in_letters(self):
        text = self.succeed("gpu", "stencil", "--shape", "box", "--dim", "2", "--radius", "1",
                            "--fusion", "3", "--dtype", "double", "--gpu", "a100").stdout
        drawn = text[text.index("Box-2D1R, double, fusion 3 on a100_80gb: scenario 2"):]

        lines = drawn.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        top = next(line for line in lines if line.startswith("20 |"))
        self.assertIn("b", top)  # useless work keeps tensor cores at their peak
        below = next(index for index, line in enumerate(lines) if "|" in line and "c" in line.split("|", 1)[1])
        self.assertEqual(lines[below].index("c"), top.index("b"))
        self.assertIn("    a ebisu: memory bound", lines)

    def test_the_picture_has_ceilings_and_points(self):
        self.succeed("gpu", "stencil", *BOX3, "-q", "-o", "one.svg", "-o", "one.png")
        self.succeed("gpu", "stencil", "-q", "--sweep", "radius=1:3", "-o", "sweep.svg")

        texts = [text.text for text in
                 ElementTree.fromstring(self.read("one.svg")).iter(SVG + "text")]
        for part in ("DRAM: 1.94 TB/s", "CUDA cores, FP64: 9.7 TFLOP/s",
                     "tensor cores, FP64: 19.5 TFLOP/s", "ebisu: memory bound",
                     "convstencil: compute bound, with useless work",
                     "convstencil, useful: S / alpha = 0.276 of it",
                     "Box-2D1R, double, fusion 3 on a100_80gb: scenario 2, 0.823x"):
            self.assertIn(part, texts)
        self.assertIn("Box-2D, radius 1 to 3, double, fusion 1 on a100_80gb",
                      self.read("sweep.svg"))
        # Three radii and a mark in the legend for each of three series.
        self.assertEqual(self.read("sweep.svg").count('class="plot-mark"'), 3 * (3 + 1))
        with open(self.path("one.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_csv_has_a_row_for_each_program_and_value(self):
        self.succeed("gpu", "stencil", "-q", "--sweep", "fusion=2:3", "-o", "t.csv")
        rows = list(csv.DictReader(io.StringIO(self.read("t.csv"))))

        self.assertEqual([(row["fusion"], row["program"]) for row in rows],
                         [(str(fusion), name) for fusion in (2, 3)
                          for name in ("ebisu", "drstencil", "cudnn", "convstencil",
                                       "spider-dense", "lorastencil", "gridloom",
                                       "gridloom-tensor")])
        last = rows[-5]
        self.assertEqual((last["flops_per_point"], last["intensity"], last["bound"],
                          last["steps_in_a_pass"], last["best_fusion"]),
                         ("196", "12.25", "compute", "3", "3"))
        self.assertEqual(rows[2]["transition_fusion"], "")

    def test_the_same_words_give_the_same_bytes(self):
        words = ["gpu", "stencil", "--sweep", "fusion=1:4", "--json", "-"]

        self.assertEqual(without_host(self.succeed(*words).stdout),
                         without_host(self.succeed(*words).stdout))

    def test_a_file_of_ones_own_is_a_gpu_too(self):
        text = self.succeed("describe", "a100").stdout
        with open(gridloom.SOURCE + "/arch/chips/a100_80gb.ini", encoding="utf-8") as file:
            own = self.write("mine.ini", file.read().replace("= 1935e9", "= 1000e9"))

        self.assertIn("a100_80gb (gpu)", text)
        self.assertEqual(self.model("--gpu", own)["parameters"]["bandwidth"], 1e12)

    def test_bad_numbers_and_words_are_refused(self):
        for says, *words in (
                (["--shape = ring, known are box, star"], "--shape", "ring"),
                (["--dim = 0, allowed is", "1..8"], "--dim", "0"),
                (["--dim = 9"], "--dim", "9"),
                (["--radius = 0", "1..1024"], "--radius", "0"),
                (["--radius = -1"], "--radius", "-1"),
                (["--radius = 1.5"], "--radius", "1.5"),
                (["--fusion = 0", "1..1024"], "--fusion", "0"),
                (["--fusion = -3"], "--fusion", "-3"),
                (["--fusion = nan"], "--fusion", "nan"),
                (["--fusion = 99999999999999999999"], "--fusion", "99999999999999999999"),
                (["--dtype = fp128, known are double, float, half"], "--dtype", "fp128"),
                (["--size = 2", "radius 3 in 1 fused step reaches 3"], "--size", "2",
                 "--radius", "3"),
                (["--size = 10240", "radius 1024 in 11 fused steps reaches 11264"],
                 "--radius", "1024", "--fusion", "11"),
                (["--size = 4", "reaches 5"], "--size", "4", "--sweep", "fusion=1:5"),
                (["--size = 0"], "--size", "0"),
                (["--sparsity = 0", "1e-06 to 1"], "--sparsity", "0"),
                (["--sparsity = 1e-320"], "--sparsity", "1e-320"),
                (["--sparsity = 1.1, allowed is", "1e-06 to 1"], "--sparsity", "1.1"),
                (["--sparsity = nan"], "--sparsity", "nan"),
                (["--clock-hz = 2e9", "1 to 1410000000"], "--clock-hz", "2e9"),
                (["--clock-hz = 1e-320"], "--clock-hz", "1e-320"),
                (["--clock-hz = -1"], "--clock-hz", "-1"),
                (["--bandwidth = -1935e9", "1 to 1e+15"], "--bandwidth=-1935e9"),
                (["--bandwidth = 1e-320"], "--bandwidth", "1e-320"),
                (["--bandwidth = 1e308"], "--bandwidth", "1e308"),
                (["--bandwidth = inf"], "--bandwidth", "inf"),
                (["--bandwidth = fast"], "--bandwidth", "fast"),
                (["--star = round, known are fused, boxed"], "--star", "round"),
                (["--mma = m1n1k1, allowed is auto, m8n8k4"], "--mma", "m1n1k1"),
                (["--sweep = fusion", "fusion=FROM:TO"], "--sweep", "fusion"),
                (["--sweep = fusion=3:2"], "--sweep", "fusion=3:2"),
                (["--sweep = fusion=0:2"], "--sweep", "fusion=0:2"),
                (["--sweep = size=1:2"], "--sweep", "size=1:2"),
                (["--sweep = radius=1:2000"], "--sweep", "radius=1:2000"),
                (["gpu stencil: unexpected word 'box'"], "box")):
            self.assertRefused(says, *words)

    def test_programs_of_other_papers_and_of_ours_are_there(self):
        half = self.metrics("--dtype", "half", "--radius", "3", "--with", "tcstencil")
        double = self.metrics("--radius", "3", "--with", "lorastencil", "--baseline",
                              "gridloom")

        self.assertAlmostEqual(half["tcstencil"]["sparsity"], 49 / (7 * 25.6))
        self.assertIsNone(double["tcstencil"])
        self.assertAlmostEqual(double["lorastencil"]["sparsity"], 49 / 109)
        self.assertRefused(["tcstencil: type = float, it has half alone"], "--dtype", "float",
                           "--with", "tcstencil", status=UNMODELLED)
        self.assertRefused(["tcstencil: radius 8 in 1 fused steps is too wide"], "--dtype",
                           "half", "--radius", "8", "--with", "tcstencil", status=UNMODELLED)

    def test_the_profile_has_rims_and_what_the_cache_keeps(self):
        ours = self.metrics("--gpu", "h200", "--fusion", "8")
        profile = ours["gridloom"]["profile"]

        self.assertGreater(profile["flops_per_point"], ours["gridloom"]["flops_per_point"])
        self.assertLess(profile["bytes_per_point"], ours["gridloom"]["bytes_per_point"])
        self.assertLess(profile["gstencils_per_second"],
                        ours["gridloom"]["gstencils_per_second"])
        self.assertIsNone(ours["cudnn"]["profile"]["flops_per_point"])
        self.assertIn("profile     ebisu: C = 55.8689", self.text(*BOX3))

    def test_unknown_gpus_programs_and_units_are_refused(self):
        known = "known are a100_40gb, a100_80gb, gtx980, h100, h200, k20c, titanx"

        self.assertRefused(["b200: no such GPU", known], "--gpu", "b200")
        self.assertRefused(["(nothing): no such GPU"], "--gpu", "")
        self.assertRefused(["wse2: family = wse, which is no GPU", known], "--gpu", "wse2")
        self.assertRefused(["wormhole_n300: family = tensix"], "--gpu", "wormhole_n300")
        self.assertRefused(["mine.ini", "comment"], "--gpu",
                           self.write("mine.ini", "[chip]\nfamily = gpu\n"))
        self.assertRefused(["--baseline = tcstencil, allowed is ebisu, drstencil, cudnn, "
                            "gridloom, on CUDA cores"], "--baseline", "tcstencil")
        self.assertRefused(["--baseline = spider"], "--baseline", "spider")
        self.assertRefused(["--with = ebisu, allowed is convstencil, spider, spider-dense, "
                            "tcstencil, lorastencil, gridloom-tensor, on tensor cores"], "--with", "ebisu")
        self.assertRefused(["--efficiency = magic=1", "ebisu, drstencil"], "--efficiency",
                           "magic=1")
        for value in ("ebisu", "ebisu=", "ebisu=0", "ebisu=-1", "ebisu=nan", "ebisu=x", "=1",
                      "ebisu=1e308", "ebisu=1e-320", "ebisu=7", "ebisu=1.01"):
            self.assertRefused([f"--efficiency = {value}, allowed is NAME=NUMBER, 1e-06 to 1,"],
                               "--efficiency", value)
        self.assertRefused(["--set: a100_80gb: cuda.fp32_flops_per_second = -1"], "--set",
                           "cuda.fp32_flops_per_second=-1")
        self.assertRefused(["spider: type = double, which unit 'sparse'"], "--with", "spider",
                           status=UNMODELLED)
        self.assertRefused(["ebisu: type = float, which unit 'cuda' of a100_80gb"], "--dtype",
                           "float", "--set", "cuda.fp32_flops_per_second=0",
                           status=UNMODELLED)
        for key, says in (("cuda.fp64_flops_per_second", "ebisu: type = double, which unit"),
                          ("memory.dram_bytes_per_second", "below 1, not known")):
            self.assertRefused([says], "--set", key + "=1e-300", "-o", "tiny.svg",
                               status=UNMODELLED)
        self.assertFails(INPUT, ["gpu: ", "stencil"], "gpu", "matmul")

    def test_files_that_cannot_be_written_are_refused_before_anything_is(self):
        self.assertRefused(["pictures are SVG or PNG"], "-o", "x.pdf")
        self.assertRefused(["none/x.csv"], "-o", "ok.svg", "-o", "none/x.csv")
        self.assertRefused(["none/x.json"], "--json", "none/x.json")

    def test_programs_do_not_run_on_gpus(self):
        says = ["h200: is a GPU, on which no programs run here", "'gridloom gpu'",
                "'gridloom roofline'"]

        self.assertFails(UNMODELLED, says, "run", "transfer", "--chip", "h200")
        self.assertFails(UNMODELLED, says, "compare", "dot", "--chips", "wse2,h200")
        self.assertFails(UNMODELLED, says, "noc", "transfer", "--chip", "h200", "--op", "write",
                         "--to", "2,2")

    def test_programs_do_not_run_on_processors_and_they_are_no_gpus(self):
        says = ["power9: family = cpu, of which only roofs are known", "'gridloom roofline --beside power9'"]

        self.assertFails(UNMODELLED, says, "run", "transfer", "--chip", "power9")
        self.assertFails(UNMODELLED, says, "compare", "dot", "--chips", "wse2,power9")
        self.assertFails(UNMODELLED, says, "noc", "transfer", "--chip", "power9", "--op", "write",
                         "--to", "2,2")
        self.assertFails(INPUT, ["power9: family = cpu, which is no GPU"], "gpu", "stencil", "--gpu", "power9")

    def test_every_number_is_finite_for_large_stencils(self):
        metrics = self.metrics("--dim", "8", "--radius", "1", "--fusion", "1024", "--shape",
                               "star", "--dtype", "float")

        for name in ("ebisu", "spider"):
            for key in ("flops_per_point", "gstencils_per_second", "intensity"):
                self.assertTrue(math.isfinite(metrics[name][key]))


if __name__ == "__main__":
    unittest.main()
