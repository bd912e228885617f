"""gridloom model energy: the worked example, tiles, prices from runs, and bad input."""
import csv
import io
import json
import math
import re
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import INPUT, without_host

UNMODELLED = 2
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = ["--chip", "k20c", "--program", "j2d", "--size", "4096x4096", "--steps", "1024",
           "--tile", "16x64", "--tile-steps", "16"]
HEAD = "program,size,steps,tile,tile_steps,subtile,seconds,joules\n"
RUN = "j2d,4096x4096,1024,16x64,16,,0.9,80.1\n"


class ModelEnergy(gridloom.Scenario):
    def model(self, *words):
        """The JSON object of the command."""
        return json.loads(self.succeed("model", "energy", *words, "--json", "-").stdout)

    def metrics(self, *words):
        return self.model(*words)["metrics"]

    def text(self, *words):
        return self.succeed("model", "energy", *words).stdout

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "model", "energy", *words)

    def texts_of(self, name):
        return [text.text for text in
                ElementTree.fromstring(self.read(name)).iter(SVG + "text")]

    def test_the_worked_example_has_the_numbers_of_the_thesis(self):
        result = self.model(*EXAMPLE, "--set-of", "microbenchmark")
        metrics = result["metrics"]

        self.assertEqual((result["workload"], result["chip"], result["check"]["status"]),
                         ("model energy", "k20c", "skipped"))
        self.assertEqual(result["parameters"], {
            "set_of": "microbenchmark", "program": "j2d", "size": [4096, 4096],
            "steps": 1024, "shared_kb": 48, "seconds": None, "time_gpu": None})
        self.assertEqual((metrics["tile_words"], metrics["tile_points"]), (6144, 23552))
        self.assertEqual(metrics["tile"], {"space": [16, 64], "steps": 16})
        self.assertAlmostEqual(metrics["tiles"], 732293.57, places=2)
        self.assertAlmostEqual(metrics["tile_joules"], 5.0893824e-05, places=14)
        self.assertAlmostEqual(metrics["dynamic_joules"], 37.269, places=3)
        self.assertEqual((metrics["static_joules"], metrics["joules"]), (None, None))
        self.assertAlmostEqual(sum(metrics["parts"].values()), metrics["dynamic_joules"])
        self.assertAlmostEqual(sum(metrics["tile_parts"].values()), metrics["tile_joules"])
        self.assertAlmostEqual(metrics["tile_parts"]["shared"], 31.512576e-6)
        other = self.metrics(*EXAMPLE, "--set-of", "regression")
        self.assertAlmostEqual(other["dynamic_joules"], 37.372, places=3)
        self.assertEqual(metrics["sets"], other["sets"])

    def test_seconds_pay_for_static_power(self):
        result = self.model(*EXAMPLE, "--seconds", "1.5")
        metrics = result["metrics"]

        self.assertEqual((result["seconds"], metrics["seconds"]), (1.5, 1.5))
        self.assertEqual(metrics["static_joules"], 72)
        self.assertAlmostEqual(metrics["joules"], 72 + metrics["dynamic_joules"])
        self.assertAlmostEqual(metrics["product_joule_seconds"], 1.5 * metrics["joules"])
        text = self.text(*EXAMPLE, "--seconds", "1.5")
        for part in ("model energy on k20c", "N_tiles   732293.57", "1.5 s, as given",
                     "72.0000", "37.2692", "109.2692", "a model, not a simulation"):
            self.assertIn(part, text)
        self.assertLess(text.index("global"), text.index("arithmetic"))
        self.assertLess(text.index("arithmetic"), text.index("static"))

    def test_another_gpus_time_is_called_that(self):
        text = self.text(*EXAMPLE, "--time-gpu", "gtx980")
        result = self.model(*EXAMPLE, "--time-gpu", "gtx980")

        self.assertIn("the time model of gtx980, another machine; nobody measured k20c", text)
        self.assertEqual(result["parameters"]["time_gpu"], "gtx980")
        self.assertGreater(result["metrics"]["seconds"], 0)
        self.assertAlmostEqual(result["metrics"]["static_joules"],
                               48 * result["metrics"]["seconds"])

    def test_one_dimensional_programs_have_subtiles(self):
        sw = self.metrics("--program", "sw", "--size", "4096", "--steps", "8192", "--tile",
                          "64", "--tile-steps", "32", "--subtile", "8")
        j1d = self.metrics("--program", "j1d", "--size", "4096", "--steps", "8192", "--tile",
                           "64", "--tile-steps", "31", "--subtile", "16")

        self.assertEqual((sw["tile_words"], sw["tile_points"], sw["tiles"]),
                         (408, 2048, 16384))
        self.assertAlmostEqual(sw["tile_parts"]["shared"], 3328 * 2.23e-10, places=18)
        self.assertAlmostEqual(sw["tile_parts"]["arithmetic"], 10240 * 12e-11, places=15)
        self.assertEqual(sw["tile"]["subtile"], 8)
        self.assertAlmostEqual(j1d["tile_parts"]["shared"],
                               4 * (128 + 4 * 31 * 4) * 2.23e-10, places=15)

    def test_without_a_tile_the_best_is_found(self):
        best = self.metrics()

        self.assertEqual(best["tile"], {"space": [52, 32], "steps": 36})
        self.assertEqual((best["candidates"], best["shortlist_count"]), (5373, 1327))
        self.assertLessEqual(best["tile_bytes"], 49152)
        self.assertEqual(list(best["choices"]), ["energy"])
        for tile, steps in (("51x32", "36"), ("52x32", "34"), ("20x64", "36"), ("16x64", "16")):
            self.assertGreater(self.metrics("--tile", tile, "--tile-steps",
                                            steps)["dynamic_joules"], best["dynamic_joules"])
        small = self.metrics("--shared-kb", "16")
        self.assertLessEqual(small["tile_bytes"], 16384)
        self.assertGreater(small["dynamic_joules"], best["dynamic_joules"])
        self.assertIn("5,373 tried, 1,327 within 10 %", self.text())

    def test_with_times_there_are_three_goals(self):
        words = ["--size", "8192x8192", "--steps", "8192", "--time-gpu", "gtx980"]
        choices = self.metrics(*words)["choices"]

        self.assertEqual(set(choices), {"energy", "time", "product"})
        for goal, member in (("energy", "joules"), ("time", "seconds"),
                             ("product", "product_joule_seconds")):
            self.assertEqual(choices[goal][member],
                             min(choice[member] for choice in choices.values()))
        self.assertNotEqual(choices["energy"]["tile"], choices["time"]["tile"])
        # The command gives the same cost when asked for a single tile.
        tile = choices["time"]["tile"]
        again = self.metrics(*words, "--tile", "x".join(map(str, tile["space"])),
                             "--tile-steps", str(tile["steps"]))
        self.assertAlmostEqual(again["joules"], choices["time"]["joules"])
        self.assertAlmostEqual(again["seconds"], choices["time"]["seconds"])

    def test_prices_are_found_exactly_without_noise(self):
        result = self.model("--regress-synthetic", "--noise", "0")
        metrics = result["metrics"]

        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual((metrics["runs"], metrics["training"], metrics["test"],
                          metrics["rank"]), (688, 69, 619, 6))
        self.assertEqual(metrics["truth"]["static"], 48)
        for name in ("static", "global", "shared", "add", "multiply"):
            self.assertAlmostEqual(metrics["found"][name] / metrics["truth"][name], 1, 6)
        self.assertEqual((metrics["found"]["integer_add"], metrics["found"]["integer_max"]),
                         (None, None))
        both = metrics["prices"][-1]
        self.assertEqual((both["name"], both["terms"]),
                         ("e_iadd + e_imax", ["integer_add", "integer_max"]))
        self.assertAlmostEqual(both["found"], 12e-11, places=16)
        self.assertEqual(set(metrics["unknown"]), {"integer_add", "integer_max"})
        self.assertLess(metrics["rmse_test_percent"], 1e-4)

    def test_outliers_spoil_squares_and_not_absolute_errors(self):
        spoiled = 0
        for seed in range(1, 6):
            metrics = self.metrics("--regress-synthetic", "--noise", "0", "--outliers", "5",
                                   "--seed", str(seed))
            for price in metrics["prices"]:
                self.assertLess(abs(price["error_percent"]), 1e-3, (seed, price))
            spoiled += max(abs(price["least_squares_error_percent"])
                           for price in metrics["prices"]) > 5
        self.assertEqual(spoiled, 5)

    def test_noise_stays_noise(self):
        result = self.model("--regress-synthetic", "--noise", "2", "--seed", "3")

        self.assertEqual(result["check"]["status"], "skipped")
        # Uniform noise of 2 % has a root mean square of 1.155 %.
        self.assertLess(result["metrics"]["rmse_test_percent"], 2)
        self.assertGreater(result["metrics"]["rmse_test_percent"], 1)
        self.assertLess(abs(result["metrics"]["errors_percent"]["static"]), 12.5)
        self.assertEqual(without_host(self.succeed("model", "energy", "--regress-synthetic",
                                                   "--json", "-").stdout),
                         without_host(self.succeed("model", "energy", "--regress-synthetic",
                                                   "--json", "-").stdout))

    def test_one_program_knows_less_and_says_so(self):
        text = self.text("--regress-synthetic", "--program", "j2d", "--noise", "0")
        metrics = self.metrics("--regress-synthetic", "--program", "sw", "--noise", "0")

        self.assertIn("e_sr: the runs cannot tell it apart; known is "
                      "e_sr + 0.6667 e_fadd + 0.1667 e_fmul", text)
        self.assertIn("e_iadd: no run uses it", text)
        self.assertEqual(metrics["unknown"]["multiply"], "no run uses it")
        self.assertEqual(metrics["rank"], 4)

    def test_runs_that_are_written_are_read_again(self):
        drawn = self.model("--regress-synthetic", "--outliers", "5", "--rows", "runs.csv")
        read = self.model("--regress", "runs.csv")

        self.assertEqual(len(self.read("runs.csv").splitlines()), 689)
        self.assertEqual(drawn["metrics"]["found"], read["metrics"]["found"])
        self.assertEqual(read["metrics"]["chip"], drawn["metrics"]["truth"])
        self.assertNotIn("truth", read["metrics"])
        self.assertIn("OFF CHIP [%]", self.text("--regress", "runs.csv"))
        sw = self.metrics("--regress", "runs.csv", "--program", "sw", "--training", "100")
        self.assertEqual((sw["runs"], sw["test"], sw["rmse_test_percent"]), (298, 0, None))

    def test_few_runs_are_not_enough_and_it_says_so(self):
        self.write("one.csv", "# a comment\n" + HEAD + RUN)
        metrics = self.metrics("--regress", "one.csv")

        self.assertEqual((metrics["rank"], metrics["training"]), (1, 1))
        self.assertEqual(set(metrics["found"].values()), {None})

    def test_choices_of_tiles_err_with_the_noise(self):
        rows = self.metrics("--choose-synthetic", "--noise", "2")["rows"]
        clean = self.metrics("--choose-synthetic", "--noise", "0")["rows"]

        self.assertEqual([(row["program"], row["problems"], row["printed_wrong"])
                          for row in rows],
                         [("sw", 298, 2), ("j1d", 265, 1), ("j2d", 125, 0)])
        for row, same in zip(rows, clean):
            self.assertEqual((same["wrong"], same["worst_percent"]), (0, 0))
            self.assertGreater(row["wrong"], 0)
            self.assertLess(row["worst_percent"], 100 * (1.02 / 0.98 - 1))
        self.assertEqual(len(self.metrics("--choose-synthetic", "--program",
                                          "j1d")["rows"]), 1)

    def test_benchmarks_find_prices_but_for_their_loops(self):
        clean = self.metrics("--extract-synthetic", "--noise", "0")

        self.assertEqual((clean["readings"], clean["reading_seconds"]), (62, 0.016))
        self.assertAlmostEqual(clean["found"]["static"], 48)
        for name, price in clean["found"].items():
            if name != "static":
                self.assertAlmostEqual(price, clean["truth"][name] + 7.2e-11 / 64, places=17)
        short = self.metrics("--extract-synthetic", "--seconds", "0.02")
        self.assertEqual(short["readings"], 1)
        self.assertRefused(["a benchmark of 0.01 s has no readings of the power",
                            "allowed are 0.016 s", "to 16000 s"],
                           "--extract-synthetic", "--seconds", "0.01")
        self.assertRefused(["too many readings"], "--extract-synthetic", "--seconds", "1e9")
        self.assertIn("one every 16 ms as NVML has it", self.text("--extract-synthetic"))

    def test_pictures_and_tables(self):
        for name, words, texts in (
                ("tile", [*EXAMPLE, "--seconds", "1"],
                 ["prices by microbenchmark: 85.269 J", "prices by regression: 90.372 J",
                  "global", "static"]),
                ("search", ["--time-gpu", "gtx980"],
                 ["+ static", "height of a tile in time, t_T [steps]", "least of all"]),
                ("fit", ["--regress-synthetic"],
                 ["e_iadd + e_imax, in truth 1.2e-10 J", "least squares"]),
                ("choose", ["--choose-synthetic"], ["Smith-Waterman", "Jacobi 2D"]),
                ("extract", ["--extract-synthetic"], ["e_imax", "P_stat"])):
            self.succeed("model", "energy", *words, "-q", "-o", name + ".svg", "-o",
                         name + ".csv")
            found = self.texts_of(name + ".svg")
            for text in texts:
                self.assertIn(text, found)
            rows = list(csv.DictReader(io.StringIO(self.read(name + ".csv"))))
            self.assertGreater(len(rows), 2)
            self.assertNotIn(None, rows[0].values())
        steps = [row for row in csv.DictReader(io.StringIO(self.read("search.csv")))]
        self.assertEqual([int(row["tile_steps"]) for row in steps],
                         list(range(2, 2 * len(steps) + 1, 2)))
        for row in steps:
            self.assertTrue(math.isclose(
                float(row["joules"]),
                sum(float(row[part + "_joules"])
                    for part in ("global", "shared", "arithmetic", "static")),
                rel_tol=1e-8))

    def test_tiles_that_break_a_constraint_are_refused(self):
        for says, words in (
                ("t_T = 15, allowed are even numbers", ["--tile", "16x64", "--tile-steps",
                                                        "15"]),
                ("t_S2 = 48, allowed are multiples of 32", ["--tile", "16x48",
                                                            "--tile-steps", "16"]),
                ("the tile takes 75272 bytes of shared memory, allowed are 49152",
                 ["--tile", "64x64", "--tile-steps", "32"]),
                ("t_S1 = 4097, allowed is 1 to the 4096 points along S1", ["--tile", "4097x32",
                                                           "--tile-steps", "2"]),
                ("t_T = 1026, allowed is 1 to the 1024 steps", ["--tile", "2x32",
                                                                "--tile-steps", "1026"]),
                ("s_S = 7, allowed are divisors of t_S = 64",
                 ["--program", "sw", "--tile", "64", "--tile-steps", "16", "--subtile",
                  "7"]),
                ("no tile of Jacobi 2D fits", ["--size", "4096x31"]),
                ("no tile of Smith-Waterman fits", ["--program", "sw", "--size", "31"]),
                ("no tile of Jacobi 2D fits", ["--steps", "1"]),
                ("--tile and --tile-steps go together", ["--tile", "16x64"]),
                ("--tile and --tile-steps go together", ["--tile-steps", "16"])):
            self.assertRefused([says], *words)

    def test_options_that_cannot_be_used(self):
        for says, words in (
                ("--program = fft, known are sw, j1d, j2d", ["--program", "fft"]),
                ("--program = (nothing), known are", ["--program", ""]),
                ("--size = 4096, allowed is NxN", ["--size", "4096"]),
                ("--size = 4096x4096x4, allowed", ["--size", "4096x4096x4"]),
                ("--size = 0x5, allowed", ["--size", "0x5"]),
                ("--size = -4x4, allowed", ["--size", "-4x4"]),
                ("--size = 99999999999999999999x4", ["--size", "99999999999999999999x4"]),
                ("--size = 16x16, allowed is N,", ["--program", "sw", "--size", "16x16"]),
                ("--steps = 0", ["--steps", "0"]),
                ("--steps = nan", ["--steps", "nan"]),
                ("--seconds = nan", ["--seconds", "nan"]),
                ("--seconds = -1", ["--seconds", "-1"]),
                ("--seconds = 1e300", ["--seconds", "1e300"]),
                ("--set-of = guess, known are microbenchmark, regression",
                 ["--set-of", "guess"]),
                ("--subtile: j2d has no subtiles", ["--subtile", "4"]),
                ("--shared-kb = 0", ["--shared-kb", "0"]),
                ("--shared-kb = 257", ["--shared-kb", "257"]),
                ("--seconds and --time-gpu exclude", ["--seconds", "1", "--time-gpu",
                                                      "gtx980"]),
                ("--time-gpu: nobody has measured times of sw",
                 ["--program", "sw", "--time-gpu", "gtx980"]),
                ("--noise does not go with the energy of one problem", ["--noise", "1"]),
                ("--tile does not go with --regress-synthetic",
                 ["--regress-synthetic", "--tile", "16x64"]),
                ("--rows does not go with --choose-synthetic",
                 ["--choose-synthetic", "--rows", "r.csv"]),
                ("exclude each other", ["--regress-synthetic", "--choose-synthetic"]),
                ("--noise = 51", ["--regress-synthetic", "--noise", "51"]),
                ("--noise = -1", ["--regress-synthetic", "--noise", "-1"]),
                ("--training = 101", ["--regress-synthetic", "--training", "101"]),
                ("--seed = x", ["--regress-synthetic", "--seed", "x"]),
                ("nosuch", ["--chip", "nosuch"]),
                ("--training = 0, allowed is a number of percent above 0",
                 ["--regress-synthetic", "--training", "0"]),
                ("r.csv", ["--regress-synthetic", "--rows", "r.csv", "-o", "r.csv"]),
                ("unexpected word 'more'", ["more"]),
                ("--help lists the options", ["--nosuch"])):
            self.assertRefused([says], *words)

    def test_chips_without_prices_are_not_modelled(self):
        self.assertRefused(["gtx980: nobody has measured", "[energy_microbenchmark]"],
                           "--chip", "gtx980", status=UNMODELLED)
        self.assertRefused(["[energy_regression]"], "--chip", "wormhole_n300", "--set-of",
                           "regression", status=UNMODELLED)
        self.assertRefused(["k20c", "no section [tiling]"], "--time-gpu", "k20c",
                           status=UNMODELLED)

    def test_prices_can_be_changed(self):
        metrics = self.metrics(*EXAMPLE, "--set",
                               "energy_microbenchmark.global_joules_per_word=0")
        self.assertEqual(metrics["parts"]["global"], 0)

    def test_files_of_runs_that_cannot_be_used(self):
        for says, text in (
                (["runs.csv: there is no column joules"],
                 "program,size,steps,tile,tile_steps,subtile,seconds\n"),
                (["runs.csv: there is no run"], HEAD),
                (["runs.csv:3: program = fft"], HEAD + RUN + RUN.replace("j2d", "fft")),
                (["runs.csv:2: size = 4096"], HEAD + RUN.replace("4096x4096", "4096")),
                (["runs.csv:2: t_T = 15, allowed are even"],
                 HEAD + RUN.replace(",16,,", ",15,,")),
                (["runs.csv:2: subtile = 4, allowed is nothing"],
                 HEAD + RUN.replace(",16,,", ",16,4,")),
                (["runs.csv:2: subtile = "], HEAD + "sw,4096,1024,64,16,,0.9,80.1\n"),
                (["runs.csv:2: seconds = nan"], HEAD + RUN.replace("0.9", "nan")),
                (["runs.csv:2: seconds = 1e-10, allowed is a number in 1e-9..1e15"],
                 HEAD + RUN.replace("0.9", "1e-10")),
                (["runs.csv:2: joules = 0"], HEAD + RUN.replace("80.1", "0")),
                (["runs.csv:2: joules = 1e300"], HEAD + RUN.replace("80.1", "1e300")),
                (["runs.csv:2: joules = (nothing)"], HEAD + RUN.replace("80.1", "")),
                (["runs.csv:2"], HEAD + "j2d,4096x4096\n"),
                (["runs.csv:2: the tile takes"], HEAD + RUN.replace("16x64", "96x64")),
                (["runs.csv"], ""),
                (["runs.csv"], b"\xff\xfe\x00\n")):
            self.write("runs.csv", text)
            self.assertRefused(says, "--regress", "runs.csv")
        self.write("runs.csv", HEAD + RUN)
        self.assertRefused(["there is no run of sw"], "--regress", "runs.csv", "--program",
                           "sw")
        self.assertRefused(["nosuch.csv"], "--regress", "nosuch.csv")
        self.assertRefused([self.folder], "--regress", self.folder)

    def test_tiny_and_huge_runs_have_finite_prices(self):
        self.write("runs.csv", HEAD + RUN.replace("0.9,80.1", "1e-9,1e15") +
                   RUN.replace("0.9,80.1", "1e15,1e-9"))
        text = self.text("--regress", "runs.csv", "--training", "100")

        self.assertIsNone(re.search(r"\b(nan|inf)\b", text), text)

    def test_no_file_is_written_over_another(self):
        self.write("runs.csv", HEAD + RUN)
        for says, words in (
                ("a.svg: named by -o and by -o", ["-o", "a.svg", "-o", "a.svg"]),
                ("a.csv: named by -o and by -o", ["-o", "a.csv", "-o", "./a.csv"]),
                ("./a.csv: named by --json and by -o", ["-o", "a.csv", "--json", "./a.csv"]),
                ("runs.csv: named by -o and by --regress",
                 ["--regress", "runs.csv", "-o", "runs.csv"]),
                ("runs.csv: named by --json and by --regress",
                 ["--regress", "./runs.csv", "--json", "runs.csv"]),
                ("-: named by --json and by --rows",
                 ["--regress-synthetic", "--rows", "-", "--json", "-"])):
            self.assertRefused([says], *words)
        self.assertEqual(self.read("runs.csv"), HEAD + RUN)

    def test_rows_on_standard_output_are_alone_there(self):
        words = ("--regress-synthetic", "--program", "sw", "--rows")

        self.assertEqual(self.text(*words, "r.csv", "-q"), "")
        self.assertEqual(self.text(*words, "-"), self.read("r.csv"))

    def test_the_seed_is_that_of_the_draw(self):
        self.assertEqual(self.model("--regress-synthetic", "--seed", "7")["seed"], 7)
        self.assertEqual(self.model(*EXAMPLE)["seed"], 1)

    def test_help_tells_the_format_of_runs(self):
        text = self.succeed("model", "energy", "--help").stdout

        for part in ("program,size,steps,tile,tile_steps", "--regress-synthetic", "T_alg is"):
            self.assertIn(part, text)

    def test_what_cannot_be_read_is_said_in_plain_words(self):
        for path, why in ((".", "it is a folder"), ("nothing.csv", "No such file or directory"),
                          ("/dev/zero", "it is not a regular file")):
            with self.subTest(path):
                done = self.gridloom("model", "energy", "--regress", path)
                self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
                self.assertEqual(done.stderr, f"gridloom: {path}: cannot be read, {why}\n")


if __name__ == "__main__":
    unittest.main()
