"""gridloom model time: the worked example, searches, surfaces, campaigns, measured times, files,
and bad input."""
import csv
import io
import json
import math
import re
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import CHECK, INPUT, without_host

UNMODELLED = 2
SVG = "{http://www.w3.org/2000/svg}"

EXAMPLE = ["--gpu", "gtx980", "--stencil", "gradient2d", "--size", "8192x8192",
           "--steps", "8192"]
TILE = ["--tile", "16x64", "--tile-steps", "34", "--resident", "2"]


class ModelTime(gridloom.Scenario):
    def model(self, *words):
        """The JSON object of the command."""
        return json.loads(self.succeed("model", "time", *words, "--json", "-").stdout)

    def metrics(self, *words):
        return self.model(*words)["metrics"]

    def text(self, *words):
        return self.succeed("model", "time", *words).stdout

    def rows(self, text):
        return list(csv.DictReader(io.StringIO(text)))

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "model", "time", *words)

    def test_the_worked_example_has_the_terms_worked_out(self):
        result = self.model(*EXAMPLE, *TILE)
        metrics = result["metrics"]

        self.assertEqual((result["workload"], result["chip"], result["check"]["status"]),
                         ("model time", "gtx980", "skipped"))
        self.assertEqual(result["seconds"], metrics["seconds"])
        self.assertAlmostEqual(metrics["seconds"], 16.50313, 5)
        self.assertAlmostEqual(metrics["ideal_seconds"], 16.34772, 5)
        self.assertEqual(
            {name: metrics[name] for name in
             ("wavefronts", "pitch", "tiles_per_wavefront", "rounds", "strips", "moved_words",
              "tile_bytes", "tile_points", "passes", "exact_wavefronts", "scheduled_rounds")},
            {"wavefronts": 482, "pitch": 64, "tiles_per_wavefront": 128, "rounds": 4,
             "strips": 129, "moved_words": 10752, "tile_bytes": 40392, "tile_points": 69632,
             "passes": 544, "exact_wavefronts": 483, "scheduled_rounds": 2174})
        self.assertAlmostEqual(metrics["compute_seconds"],
                               2 * 6.09e-8 * 272 + 34 * 7.96e-10, 12)
        self.assertAlmostEqual(metrics["move_seconds"],
                               10752 * 4 * 7.36e-12 * 16 + 2 * 7.96e-10, 12)
        self.assertEqual(metrics["tile"], {"space": [16, 64], "steps": 34, "resident": 2})
        self.assertAlmostEqual(metrics["corrected"]["seconds"], metrics["seconds"], 12)
        self.assertAlmostEqual(metrics["as_printed"]["seconds"], 16.49398, 5)
        self.assertEqual(metrics["as_printed"]["pitch"], 66)

    def test_factors_and_times_lead_from_the_ideal_to_all(self):
        for words in (EXAMPLE + TILE, EXAMPLE + TILE[:-1] + ["1"],
                      [*EXAMPLE, *TILE, "--as-printed"],
                      ["--stencil", "heat3d", "--gpu", "titanx"],
                      ["--stencil", "jacobi1d", "--point-seconds", "1e-8"]):
            metrics = self.metrics(*words)
            losses = metrics["losses"]
            seconds = metrics["ideal_seconds"] * losses["steps"] * losses["tiles"] * \
                losses["strips"] * losses["passes"] + losses["barrier_seconds"] + \
                losses["move_seconds"] + losses["launch_seconds"]
            self.assertTrue(math.isclose(seconds, metrics["seconds"], rel_tol=1e-12), words)
            self.assertAlmostEqual(metrics["overhead_seconds"],
                                   metrics["seconds"] - metrics["ideal_seconds"], 12)

    def test_overhead_has_its_printed_and_its_derived_form(self):
        metrics = self.metrics(*EXAMPLE, *TILE)
        printed = 6.09e-8 * 8192 * 8192 / (16 + 17)

        self.assertAlmostEqual(metrics["overhead_printed_seconds"], printed, 12)
        self.assertAlmostEqual(metrics["overhead_derived_seconds"], 8 * printed, 12)

    def test_the_corrected_optimum_is_where_it_was_worked_out(self):
        metrics = self.metrics(*EXAMPLE)

        self.assertAlmostEqual(metrics["seconds"], 16.50313, 5)
        self.assertEqual(metrics["tile"], {"space": [16, 64], "steps": 34, "resident": 2})
        self.assertEqual(metrics["candidates"], 19052)
        self.assertEqual(metrics["shortlist"][0]["seconds"], metrics["seconds"])
        self.assertEqual(metrics["shortlist_count"], 2720)
        self.assertEqual(len(metrics["shortlist"]), 1000)
        seconds = [choice["seconds"] for choice in metrics["shortlist"]]
        self.assertEqual(seconds, sorted(seconds))
        self.assertLessEqual(seconds[-1], 1.1 * seconds[0])
        self.assertGreater(metrics["worst"]["seconds"], 100)
        self.assertEqual([choice["resident"] for choice in metrics["residents"]],
                         list(range(1, 33)))
        self.assertEqual(len(self.text(*EXAMPLE).split("SHARING")[1].splitlines()),
                         1 + len(metrics["residents"]))
        # The largest tile is not the best one: A.7.
        self.assertGreater(metrics["rules"]["largest"]["seconds"], 1.1 * metrics["seconds"])
        self.assertGreater(metrics["rules"]["largest"]["tile_bytes"],
                           metrics["best"]["tile_bytes"])

    def test_the_printed_optimum_is_half_of_the_ideal_with_two_steps(self):
        metrics = self.metrics(*EXAMPLE, "--as-printed")

        self.assertAlmostEqual(metrics["seconds"], 8.42023, 5)
        self.assertEqual(metrics["tile"], {"space": [1, 128], "steps": 2, "resident": 16})
        self.assertLess(metrics["seconds"], 0.52 * metrics["ideal_seconds"])
        self.assertGreater(metrics["corrected"]["seconds"], 80)
        other = self.metrics(*EXAMPLE)["optimum_of_other_form"]
        self.assertEqual((other["space"], other["steps"]), ([1, 128], 2))
        self.assertAlmostEqual(other["seconds"], 8.42023, 5)
        self.assertAlmostEqual(other["seconds_in_this_form"],
                               metrics["corrected"]["seconds"], 9)

    def test_other_optima_are_those_worked_out(self):
        for words, seconds in ((["--gpu", "titanx"], 13.754),
                               (["--stencil", "jacobi2d"], 9.197),
                               (["--stencil", "heat2d"], 9.982),
                               (["--stencil", "laplacian2d"], 8.439)):
            self.assertAlmostEqual(self.metrics(*words)["seconds"], seconds, 3, words)

    def test_boxes_shortlists_and_numbers_can_be_changed(self):
        small = self.metrics(*EXAMPLE, "--most-tile", "16x64", "--most-tile-steps", "30",
                             "--most-resident", "4", "--within", "0")
        self.assertEqual(small["shortlist_count"], 1)
        self.assertLessEqual(small["tile"]["space"][0], 16)
        self.assertLessEqual(small["tile"]["steps"], 30)
        self.assertLessEqual(len(small["residents"]), 4)
        faster = self.model(*EXAMPLE, *TILE, "--set", "tiling.gradient2d_seconds=3.045e-8")
        self.assertAlmostEqual(faster["metrics"]["ideal_seconds"], 16.34772 / 2, 5)
        self.assertEqual(faster["overrides"], {"tiling.gradient2d_seconds": "3.045e-8"})
        said = self.metrics(*EXAMPLE, *TILE, "--point-seconds", "3.045e-8")
        self.assertEqual(said["seconds"], faster["metrics"]["seconds"])

    def test_k_is_what_fits_where_none_is_said(self):
        self.assertEqual(self.metrics(*EXAMPLE, *TILE[:4])["tile"]["resident"], 2)
        self.assertEqual(
            self.metrics(*EXAMPLE, "--tile", "1x32", "--tile-steps", "2")["tile"]["resident"],
            32)

    def test_the_page_shows_the_terms_in_order(self):
        page = self.text(*EXAMPLE)
        places = [page.index("\n  " + word) for word in
                  ("N_w ", "pitch ", "w ", "N ", "m_io ", "M_tile ", "V_tile ", "m' ", "c ",
                   "T_tile ", "T_alg ", "T_ideal ")]

        self.assertEqual(places, sorted(places))
        for text in ("16.5031", "16.494", "16.3477", "CORRECTED", "AS PRINTED", "A.17", "A.18",
                     "19,052 candidates", "8.42023", "worst", "nothing runs"):
            self.assertIn(text, page)
        for words, texts in ((["--stencil", "heat3d"], ("A.23", "A.24", "A.31")),
                             (["--stencil", "jacobi1d", "--point-seconds", "1e-8"],
                              ("A.8", "A.10", "A.13"))):
            for text in texts:
                self.assertIn(text, self.text(*words))

    def test_help_has_examples_that_run(self):
        page = self.text("--help")
        self.write("times.csv", "tile,tile_steps,seconds\n16x64,34,17\n")
        examples = [line.split()[1:] for line in page.splitlines()
                    if line.startswith("  gridloom model time --")]
        self.assertEqual(len(examples), 7)
        for words in examples:
            self.succeed(*words)

    def test_a_surface_is_a_table_and_a_picture(self):
        metrics = self.metrics("--surface", "-o", "surface.svg", "-o", "surface.csv")
        rows = self.rows(self.read("surface.csv"))
        root = ElementTree.fromstring(self.read("surface.svg"))
        titles = [title.text for title in root.iter(SVG + "title")]

        self.assertEqual(len(rows), len(metrics["surface"]))
        self.assertEqual(metrics["tiles"], len(rows))
        self.assertTrue(all(row["tile"].startswith("8x") for row in rows))
        best = min(rows, key=lambda row: float(row["seconds"]))
        self.assertEqual((best["tile"], best["tile_steps"], best["resident"]),
                         ("8x64", "18", "4"))
        self.assertAlmostEqual(metrics["seconds"], 10.0125, 4)
        self.assertIn("18; 64: 10.01", titles)
        self.assertEqual(len([title for title in titles if ": " in title and "; " in title]),
                         len(rows))
        self.assertIn("Heat 2D", self.text("--surface"))
        # 18 numbers of steps in 9 columns: every second one.
        self.assertRegex(self.text("--surface", "--most-tile-steps", "36"),
                         r"T_S2 +2 +6 +10 +14 +18 +22 +26 +30 +34\n")
        # A cell has the command's value for its tile.
        row = rows[40]
        self.assertAlmostEqual(
            self.metrics("--stencil", "heat2d", "--tile", row["tile"], "--tile-steps",
                         row["tile_steps"], "--resident", row["resident"])["seconds"],
            float(row["seconds"]), 9)

    def test_pictures_and_tables_are_written(self):
        self.succeed("model", "time", *EXAMPLE, "-q", "-o", "k.svg", "-o", "list.csv")
        rows = self.rows(self.read("list.csv"))

        self.assertEqual(len(rows), 2720)
        self.assertEqual((rows[0]["tile"], rows[0]["tile_steps"], rows[0]["resident"]),
                         ("16x64", "34", "2"))
        self.assertEqual(rows[0]["seconds"], rows[0]["corrected_seconds"])
        self.assertIn("as printed", self.read("k.svg"))
        ElementTree.fromstring(self.read("k.svg"))

    def test_the_campaign_has_the_experiments_of_the_thesis(self):
        metrics = self.metrics("--campaign", "-o", "bars.svg", "-o", "all.csv")

        self.assertEqual((metrics["experiments_2d"], metrics["experiments_3d"]), (80, 48))
        self.assertEqual(len(metrics["groups"]), 12)
        for group in metrics["groups"]:
            self.assertEqual(group["experiments"], 12 if "3d" in group["stencil"] else 10)
            for rule in ("other_form", "densest", "largest", "widest"):
                self.assertLess(group[rule + "_gpoints_per_second"],
                                group["best_gpoints_per_second"])
        one = [row for row in metrics["experiments"]
               if (row["gpu"], row["stencil"], row["size"], row["steps"]) ==
               ("gtx980", "gradient2d", "8192x8192", 8192)]
        self.assertAlmostEqual(one[0]["best"]["seconds"], 16.50313, 5)
        self.assertTrue(all(row["best"]["seconds"] >= row["ideal_seconds"]
                            for row in metrics["experiments"]))
        self.assertEqual(len(self.rows(self.read("all.csv"))), 5 * 128)
        ElementTree.fromstring(self.read("bars.svg"))
        self.assertIn("80 in two dimensions, 48 in three", self.text("--campaign"))
        few = self.metrics("--campaign", "--gpu", "titanx", "--stencil", "heat3d")
        self.assertEqual((few["experiments_2d"], few["experiments_3d"]), (0, 12))

    def test_errors_against_measured_times_are_those_of_the_thesis(self):
        tiles = (("16x64", 34, 2), ("128x32", 10, 2), ("1x128", 2, 16))
        predicted = [self.metrics(*EXAMPLE, "--tile", tile, "--tile-steps", str(steps),
                                  "--resident", str(k))["seconds"] for tile, steps, k in tiles]
        measured = [20.0, 18.0, 90.0]
        self.write("times.csv", "tile,tile_steps,resident,seconds\n" + "".join(
            f"{tile},{steps},{k},{seconds}\n"
            for (tile, steps, k), seconds in zip(tiles, measured)))
        metrics = self.metrics(*EXAMPLE, "--measured", "times.csv", "-o", "dots.svg",
                               "-o", "rows.csv")
        errors = [(p - m) / m for p, m in zip(predicted, measured)]

        self.assertEqual((metrics["experiments"], metrics["samples"], metrics["near_samples"]),
                         (1, 3, 2))
        self.assertAlmostEqual(metrics["rmse_percent"],
                               100 * math.sqrt(sum(e * e for e in errors) / 3), 9)
        self.assertAlmostEqual(metrics["near_rmse_percent"],
                               100 * math.sqrt(sum(e * e for e in errors[:2]) / 2), 9)
        self.assertAlmostEqual(metrics["err_max"], 2.0, 12)
        self.assertAlmostEqual(metrics["err_sign"], 2.0, 12)
        self.assertAlmostEqual(float(self.rows(self.read("rows.csv"))[1]["error_percent"]),
                               100 * errors[1], 5)
        ElementTree.fromstring(self.read("dots.svg"))
        self.assertIn("Err_max   2 s", self.text(*EXAMPLE, "--measured", "times.csv"))

    def test_axes_of_measured_times_are_alike(self):
        """Also where the longest time is exactly as long as ten of the shortest."""
        for shortest in (9, 10, 11):
            self.write("times.csv", "tile,tile_steps,resident,seconds\n"
                       f"16x64,34,2,{shortest}\n128x32,10,2,100\n")
            self.succeed("model", "time", *EXAMPLE, "--measured", "times.csv", "-o", "dots.svg", "-q")
            labels = [text for text in ElementTree.fromstring(self.read("dots.svg")).itertext()
                      if re.fullmatch(r"[0-9]+", text.strip())]
            self.assertEqual(sorted(labels), sorted(2 * list(set(labels))))
            self.assertEqual("0" in labels, shortest >= 10)

    def test_measured_files_may_hold_many_experiments_and_chosen_tiles(self):
        self.write("times.csv",
                   "gpu,stencil,size,steps,tile,tile_steps,seconds,chosen\n"
                   "gtx980,gradient2d,8192x8192,8192,23x32,50,19.8,0\n"
                   "gtx980,gradient2d,8192x8192,8192,16x64,34,16.5,1\n"
                   "titanx,heat3d,384x384x384,128,4x2x32,2,0.5,0\n")
        metrics = self.metrics("--measured", "times.csv")

        self.assertEqual((metrics["experiments"], metrics["samples"]), (2, 3))
        self.assertEqual(metrics["err_max"], 0)
        self.assertAlmostEqual(metrics["err_sign"], 16.5 - 19.8, 12)

    def test_what_cannot_be_read_is_said_in_plain_words(self):
        for path, why in ((".", "it is a folder"), ("nothing.csv", "No such file or directory"),
                          ("/dev/zero", "it is not a regular file")):
            with self.subTest(path):
                done = self.gridloom("model", "time", "--measured", path)
                self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
                self.assertEqual(done.stderr, f"gridloom: {path}: cannot be read, {why}\n")

    def test_malformed_measured_files_are_refused_with_their_line(self):
        head = "tile,tile_steps,seconds\n"
        for text, says in ((head + "16x64,34,17\n16x64,33,17\n", ("t.csv:3:", "t_T = 33")),
                           (head + "16,34,17\n", ("t.csv:2:", "tile = '16'", "16x64")),
                           (head + "16x64,34,0\n", ("t.csv:2:", "seconds = '0'")),
                           (head + "16x64,34,1e-9\n", ("t.csv:2:", "seconds = '1e-9'")),
                           (head + "16x64,34,nan\n", ("t.csv:2:", "seconds")),
                           (head + "16x64,34,1e999\n", ("t.csv:2:", "seconds")),
                           (head + "16x64,34\n", ("t.csv:2", "")),
                           (head + "16x64,-2,1\n", ("t.csv:2:", "tile_steps = '-2'")),
                           (head, ("t.csv", "no measured time")),
                           ("", ("t.csv", "")),
                           ("tile,seconds\n16x64,1\n", ("t.csv:1:", "tile_steps")),
                           ("tile,tile_steps,seconds,colour\n16x64,34,1,red\n",
                            ("t.csv:1:", "colour")),
                           ("tile,tile_steps,seconds,gpu\n16x64,34,1,nosuch\n",
                            ("t.csv:2:", "nosuch")),
                           ("tile,tile_steps,seconds,stencil\n16x64,34,1,nosuch\n",
                            ("t.csv:2:", "stencil = 'nosuch'", "gradient2d")),
                           ("tile,tile_steps,seconds,stencil\n4x2x32,2,1,heat3d\n",
                            ("t.csv:2:", "heat3d has 3 dimensions")),
                           ("tile,tile_steps,seconds,size\n16x64,34,1,8192\n",
                            ("t.csv:2:", "size = '8192'")),
                           ("tile,tile_steps,seconds,steps\n16x64,34,1,0\n",
                            ("t.csv:2:", "steps = '0'")),
                           ("tile,tile_steps,seconds,resident\n16x64,34,1,9\n",
                            ("t.csv:2:", "k = 9 tiles")),
                           ("tile,tile_steps,seconds,chosen\n16x64,34,1,yes\n",
                            ("t.csv:2:", "chosen = 'yes'"))):
            self.write("t.csv", text)
            self.assertRefused([part.replace("'", "") if part not in text else part
                                for part in says], "--measured", "t.csv")
        self.write("t.csv", "tile,tile_steps,seconds,stencil\n16,34,1,jacobi1d\n")
        self.assertRefused(["t.csv:2:", "--point-seconds"], "--measured", "t.csv",
                           status=UNMODELLED)
        self.assertRefused(["nosuch.csv"], "--measured", "nosuch.csv")
        self.assertRefused([], "--measured", ".")

    def test_schedules_are_drawn_and_gone_through(self):
        small = [*EXAMPLE, "--tile", "4x32", "--tile-steps", "6", "--check"]
        result = self.model(*small, "--schedule", "tiles.svg")
        schedule = result["metrics"]["schedule"]

        self.assertEqual(result["check"]["status"], "pass")
        self.assertTrue(schedule["is_passed"] and schedule["is_same"])
        self.assertEqual(schedule["missing"], 0)
        ElementTree.fromstring(self.read("tiles.svg"))
        self.assertIn("each once and in a legal order", self.text(*small))
        self.assertTrue(self.metrics(*small, "--shape", "skewed")["schedule"]["is_passed"])
        # Halos are exchanged in each step, however many steps the model's tiles have.
        halo = self.metrics(*small, "--shape", "halo", "--schedule", "halo.svg")
        self.assertTrue(halo["schedule"]["is_passed"] and halo["schedule"]["is_same"])
        self.assertEqual(halo["seconds"], result["metrics"]["seconds"])
        self.assertIn("Schedule of halo tiles", self.read("halo.svg"))
        # Printed pitches leave points out.
        failed = self.gridloom("model", "time", *small, "--as-printed", "--json", "bad.json")
        self.assertEqual(failed.returncode, CHECK)
        self.assertIn("the check failed", failed.stderr)
        schedule = json.loads(self.read("bad.json"))["metrics"]["schedule"]
        self.assertAlmostEqual(schedule["missing"] / schedule["points"], 2 / 14, delta=0.01)

    def test_tiles_that_break_a_constraint_are_refused_with_its_name(self):
        for words, says in ((["16x64", "33"], "t_T = 33, allowed are even"),
                            (["16x48", "34"], "t_S2 = 48, allowed are multiples of 32"),
                            (["16x512", "64"], "M_tile = 373896 bytes, allowed are 49152"),
                            (["16x64", "8194"], "t_T = 8194, but the problem has only 8192"),
                            (["8193x32", "2"], "t_S1 = 8193, but the problem has only 8192"),
                            (["16x64", "34", "3"], "k is at most 2"),
                            (["1x32", "2", "33"], "k = 33, allowed is 1..32")):
            tile = ["--tile", words[0], "--tile-steps", words[1]]
            tile += ["--resident", words[2]] if len(words) > 2 else []
            self.assertRefused([says], *EXAMPLE, *tile)
        self.assertRefused(["t_S3 = 16, allowed are multiples of 32"], "--stencil", "heat3d",
                           "--tile", "2x2x16", "--tile-steps", "2")
        self.assertRefused(["M_tile = 49160"], "--stencil", "jacobi1d", "--point-seconds",
                           "1e-8", "--tile", "6143", "--tile-steps", "2")

    def test_options_that_cannot_be_used_are_refused(self):
        for words, says in ((["--stencil", "nosuch"], ["--stencil = nosuch", "gradient2d"]),
                            (["--stencil", ""], ["--stencil"]),
                            (["--gpu", "nosuch"], ["nosuch"]),
                            (["--gpu", "wormhole_n300"], ["wormhole_n300"]),
                            (["--size", "8192"], ["--size = 8192", "NxN", "2 dimensions"]),
                            (["--size", "8192x8192x1"], ["--size"]),
                            (["--size", "0x8192"], ["--size"]),
                            (["--size", "8192x"], ["--size"]),
                            (["--size", "1073741825x1"], ["--size", "1073741824"]),
                            (["--steps", "0"], ["--steps"]),
                            (["--steps", "99999999999999999999"], ["--steps"]),
                            (["--tile", "16"], ["--tile-steps"]),
                            (["--tile", "16", "--tile-steps", "2"], ["--tile = 16", "NxN"]),
                            (["--tile", "0x32", "--tile-steps", "2"], ["--tile = 0x32"]),
                            (["--tile-steps", "2"], ["--tile-steps goes with --tile"]),
                            (["--resident", "2"], ["--resident goes with --tile"]),
                            ([*TILE[:4], "--resident", "0"], ["--resident = 0"]),
                            (["--point-seconds", "0"], ["--point-seconds = 0"]),
                            (["--point-seconds", "nan"], ["--point-seconds"]),
                            (["--point-seconds", "1e300"], ["--point-seconds", "1e6"]),
                            (["--point-seconds", "-1"], ["--point-seconds"]),
                            (["--within", "-1"], ["--within"]),
                            (["--within", "101"], ["--within", "0..100"]),
                            ([*TILE, "--within", "5"], ["--tile and --within"]),
                            ([*TILE, "--surface"], ["--tile and --surface"]),
                            (["--campaign", "--size", "1x1"], ["--campaign and --size"]),
                            (["--campaign", *TILE], ["--campaign and --tile",]),
                            (["--campaign", "--surface"], ["--campaign and --surface"]),
                            (["--campaign", "--stencil", "jacobi1d"], ["no experiments"]),
                            (["--campaign", "--point-seconds", "1e-8"],
                             ["--campaign and --point-seconds"]),
                            (["--surface", "--stencil", "heat3d"], ["--surface", "heat3d"]),
                            (["--surface", "--surface-first", "0"], ["--surface-first"]),
                            (["--surface", "--surface-first", "10000"], ["t_S1 = 10000"]),
                            (["--surface-first", "4"], ["goes with --surface"]),
                            (["--most-tile", "0x0"], ["--most-tile"]),
                            (["--most-tile", "16x31"], ["no tile keeps the constraints"]),
                            (["--most-tile-steps", "1"], ["--most-tile-steps"]),
                            (["--most-resident", "0"], ["--most-resident"]),
                            (["--set", "tiling.block_shared_bytes=1000"],
                             ["no tile keeps the constraints", "1000 bytes"]),
                            (["--set", "tiling.shared_bytes=0"], ["tiling.shared_bytes"]),
                            (["--stencil", "heat3d", "--size", "9999x9999x9999", "--set",
                              "tiling.block_shared_bytes=1e9", "--set",
                              "tiling.shared_bytes=1e12"], ["more than", "a smaller box"]),
                            (["--set", "nonsense"], ["nonsense"]),
                            (["--shape", "diamond"], ["--shape goes with"]),
                            (["--check", "--shape", "round"], ["--shape = round", "hybrid"]),
                            ([*TILE, "--check", "--shape", "diamond"], ["diamond"]),
                            (["--surface", "--check"], ["--check"]),
                            (["--campaign", "--schedule", "s.svg"], ["--schedule"]),
                            (["--schedule", "-"], ["--schedule -", "file of its own"]),
                            (["--schedule", "a.svg", "-o", "./a.svg"],
                             ["./a.svg: named by -o and by --schedule, give two files"]),
                            (["--schedule", "s.svg", "-o", "s.svg"], ["s.svg"]),
                            (["--schedule", "s.txt"], ["s.txt"]),
                            (["--measured", "t.csv", "-o", "t.csv"], ["t.csv"]),
                            (["--measured", "t.csv", "-o", "./t.csv"],
                             ["-o and by --measured"]),
                            (["word"], ["word"]),
                            (["--nosuch"], ["--nosuch"]),
                            (["-o", "x.txt"], ["x.txt"]),
                            (["-o", "a.svg", "-o", "a.svg"], ["a.svg"]),
                            (["-o", "nosuch/a.svg"], ["nosuch"]),
                            (["--json", "nosuch/a.json"], ["nosuch"])):
            self.assertRefused(says, *words)

    def test_what_nobody_measured_is_not_modelled(self):
        self.assertRefused(["jacobi1d", "gtx980", "--point-seconds"], "--stencil", "jacobi1d",
                           status=UNMODELLED)
        self.assertRefused(["jacobi3d", "--point-seconds"], "--stencil", "jacobi3d",
                           status=UNMODELLED)
        self.assertRefused(["k20c", "[tiling]"], "--gpu", "k20c", status=UNMODELLED)
        self.assertRefused(["gradient2d", "--point-seconds"], "--set",
                           "tiling.gradient2d_seconds=0", status=UNMODELLED)

    def test_extremes_stay_numbers(self):
        for words in (["--size", "1x1", "--steps", "1"],
                      ["--size", "1073741824x1073741824", "--steps", "1073741824", *TILE],
                      ["--stencil", "heat3d", "--size", "1073741824x1073741824x1073741824",
                       "--steps", "1073741824", "--point-seconds", "1e6", "--tile", "4x2x32",
                       "--tile-steps", "2"],
                      ["--stencil", "jacobi1d", "--size", "1", "--steps", "1",
                       "--point-seconds", "1e-18"]):
            for form in ([], ["--as-printed"]):
                metrics = self.metrics(*words, *form)
                self.assertTrue(math.isfinite(metrics["seconds"]) and metrics["seconds"] > 0)

    def test_the_result_is_the_same_every_time(self):
        for words in (EXAMPLE, ["--surface"], ["--campaign", "--stencil", "heat3d"]):
            texts = {without_host(self.succeed("model", "time", *words, "--json", "-").stdout)
                     for _ in range(2)}
            self.assertEqual(len(texts), 1, words)


if __name__ == "__main__":
    unittest.main()
