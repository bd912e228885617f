"""gridloom model chain: the thesis's example, pairs, random chains, files, and bad input."""
import csv
import io
import json
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import INPUT, without_host

UNMODELLED = 2
SVG = "{http://www.w3.org/2000/svg}"

SIZES = "936,1008,552,368,1016,616,544"
EXAMPLE = ["--sizes", SIZES, "--words", "65536"]


class ModelChain(gridloom.Scenario):
    def model(self, *words):
        """The JSON object of the command."""
        return json.loads(self.succeed("model", "chain", *words, "--json", "-").stdout)

    def metrics(self, *words):
        return self.model(*words)["metrics"]

    def text(self, *words):
        return self.succeed("model", "chain", *words).stdout

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "model", "chain", *words)

    def svg_texts(self, name):
        return [text.text for text in
                ElementTree.fromstring(self.read(name)).iter(SVG + "text")]

    def test_the_published_example_is_exact(self):
        printed = self.metrics(*EXAMPLE, "--as-printed")

        self.assertEqual(
            {key: printed[key] for key in ("operations", "single_words", "fused_words",
                                           "fused_before_output", "parenthesisation")},
            {"operations": 1092977664, "single_words": 10190344, "fused_words": 8392058,
             "fused_before_output": 7882874,
             "parenthesisation": "((A1(A2A3))((A4A5)A6))"})
        self.assertAlmostEqual(printed["reduction_percent"], 17.65, delta=0.005)
        self.assertEqual([(node["name"], node["kind"], node["factors"])
                          for node in printed["nodes"]],
                         [("T1", "inside", "A2 A3"), ("T2", "inside", "A4 A5"),
                          ("T3", "right", "A1 (A2 A3)"), ("T4", "left", "(A4 A5) A6"),
                          ("T5", "single", "T3 T4")])
        self.assertAlmostEqual(printed["nodes"][3]["tile"]["y"], 297.3, delta=0.05)
        self.assertIsNone(printed["nodes"][0]["hl"])
        self.assertAlmostEqual(printed["nodes"][4]["fp"], 7882874.66, delta=0.01)

    def test_the_right_beta_is_the_usual_one(self):
        result = self.model(*EXAMPLE)
        metrics = result["metrics"]

        self.assertEqual((result["workload"], result["chip"], result["check"]["status"]),
                         ("model chain", "", "skipped"))
        self.assertEqual(metrics["fused_words"], 9323278)
        self.assertEqual([node["kind"] for node in metrics["nodes"]],
                         ["single", "inside", "inside", "left", "left"])
        self.assertEqual(metrics["forms"]["as_printed"]["fused_words"], 8392058)
        self.assertEqual(metrics["forms"]["corrected"]["fused_words"], 9323278)
        whole = self.metrics(*EXAMPLE, "--whole-tiles")
        self.assertEqual(whole["loops"]["fused_words"], whole["fused_words"])
        self.assertGreater(whole["fused_words"], metrics["fused_words"])
        self.assertLess(whole["fused_words"], metrics["loops"]["fused_words"])

    def test_the_check_runs_the_loops(self):
        for form in ([], ["--as-printed"], ["--whole-tiles"]):
            result = self.model(*EXAMPLE, "--check", *form)
            trial = result["metrics"]["trial"]

            self.assertEqual(result["check"]["status"], "pass")
            self.assertEqual([row["name"] for row in trial["rows"]],
                             ["chain, single"] * 2 + ["chain, fused"] * 2)
            for row in trial["rows"]:
                self.assertTrue(row["equal"])
                self.assertEqual(row["counted_words"], row["predicted_words"])
                self.assertEqual(row["counted_words"],
                                 row["loaded_words"] + row["stored_words"])
                self.assertLessEqual(row["peak_words"], row["capacity_words"])
                if row["streams_inside"]:
                    self.assertLessEqual(row["peak_words"], trial["words"])
            self.assertTrue(trial["all_orders_tried"] and trial["all_fusions_tried"])

    def test_one_product_keeps_one_of_three(self):
        metrics = self.metrics("--single", "--sizes", "60,55,50", "--words", "64")

        self.assertEqual(metrics["keep_output"]["tile"], {"x": 8, "y": 8})
        self.assertEqual(metrics["keep_output"]["words"], 2 * 60 * 55 * 50 / 8 + 3000)
        self.assertEqual(sorted(metrics["keep_left"]["tile"]), ["x", "z"])
        self.assertAlmostEqual(metrics["keep_left"]["tile"]["z"], 128 ** 0.5)
        self.assertAlmostEqual(metrics["keep_right"]["tile"]["z"], 128 ** 0.5)
        self.assertAlmostEqual(metrics["keep_right"]["words"],
                               2 * 2 ** 0.5 * 60 * 55 * 50 / 8 + 2750 - 3000)
        self.assertEqual(metrics["best"], "keep_output")
        # Sizes that the tile divides: the formula equals the loops' count.
        trial = self.metrics("--single", "--sizes", "64,64,64", "--words", "64",
                             "--check")["trial"]["rows"]
        self.assertEqual((trial[0]["formula_words"], trial[0]["counted_words"]),
                         (2 * 64 ** 3 / 8 + 4096, 2 * 64 ** 3 // 8 + 4096))

    def test_a_pair_is_fused_either_way(self):
        sizes = ["--pair", "--sizes", "936,1008,552,368"]
        right = self.metrics(*sizes)
        printed = self.metrics(*sizes, "--as-printed")

        self.assertAlmostEqual(right["fuse_right"]["ratio"], 936 / 552)
        self.assertAlmostEqual(printed["fuse_right"]["ratio"], 936 / 1008)
        self.assertAlmostEqual(right["fuse_right"]["tile"]["x"], 326.7, delta=0.05)
        self.assertAlmostEqual(printed["fuse_right"]["tile"]["y"], 210.3, delta=0.05)
        self.assertEqual(right["fuse_left"], printed["fuse_left"])
        self.assertEqual(right["fuse_right"]["unfused_words"],
                         2 * (1008 * 552 * 368 + 936 * 1008 * 368) / 256 +
                         1008 * 368 + 936 * 368)
        self.assertEqual(right["fuse_left"]["unfused_words"],
                         2 * (936 * 1008 * 552 + 936 * 552 * 368) / 256 +
                         936 * 552 + 936 * 368)
        # Alpha = 1: a tile of 8 x 12, which divides.
        trial = self.metrics("--pair", "--sizes", "16,32,24,32", "--words", "96",
                             "--check")["trial"]["rows"]
        self.assertAlmostEqual(trial[0]["formula_words"], 5632)
        self.assertEqual(trial[0]["counted_words"], 5632)

    def test_random_chains_save_what_table_d1_says(self):
        metrics = self.metrics("--random-chains", "1000", "--lengths", "2:20", "--seed", "1",
                               "--as-printed")

        self.assertAlmostEqual(metrics["average_65536"], 9.44, delta=0.5)
        self.assertAlmostEqual(metrics["average_98304"], 13.27, delta=0.5)
        self.assertAlmostEqual(metrics["corrected"]["average_65536"], 7.30, delta=0.25)
        self.assertAlmostEqual(metrics["corrected"]["average_98304"], 11.87, delta=0.25)
        self.assertEqual(metrics["as_printed"]["average_65536"], metrics["average_65536"])
        self.assertEqual([(row["words"], row["length"]) for row in metrics["rows"]],
                         [(words, length) for words in (65536, 98304)
                          for length in range(2, 21)])
        self.assertEqual((metrics["rows"][0]["average"], metrics["rows"][0]["maximum"]), (0, 0))
        for row in metrics["rows"]:
            self.assertLessEqual(0, row["minimum"])
            self.assertLessEqual(row["minimum"], row["average"])
            self.assertLessEqual(row["average"], row["maximum"])

    def test_a_seed_makes_the_same_chains_again(self):
        words = ["model", "chain", "--random-chains", "20", "--json", "-"]
        first = self.succeed(*words).stdout

        self.assertEqual(without_host(first), without_host(self.succeed(*words).stdout))
        self.assertNotEqual(json.loads(first)["metrics"],
                            self.metrics("--random-chains", "20", "--seed", "2"))
        own = self.metrics("--random-chains", "5", "--lengths", "4:4", "--words", "1024")
        self.assertEqual([row["words"] for row in own["rows"]], [1024])
        self.assertIn("average_1024", own)
        self.assertIsNone(self.metrics("--random-chains", "5", "--lengths",
                                       "2:2")["average_65536"])

    def test_the_text_says_it_in_words(self):
        text = self.text(*EXAMPLE, "--check")

        for part in ("model chain of 6 matrices, fast memory of 65,536 words",
                     "((A1(A2A3))((A4A5)A6)): 1,092,977,664 multiplications",
                     "corrected   S = 10,190,344 words, F = 9,323,278 words: 8.51 % fewer",
                     "as printed  S = 10,190,344 words, F = 8,392,058 words: 17.65 % fewer; "
                     "beta = P0/P1, which no loops reach",
                     "  T5  936 x 544 = (A1 T1) T4, fused with T3, tile 220.3 x 297.5\n"
                     "  +==T3  936 x 368, never in slow memory\n"
                     "  |  +--A1  936 x 1008\n"
                     "  |  +--T1  1008 x 368 = A2 A3, a pass of its own, tile 256.0 x 256.0\n",
                     "sizes / 5: 188 202 111 74 204 124 109; fast memory of 2621 words",
                     "all tried, none takes fewer operations"):
            self.assertIn(part, text)
        self.assertNotIn("WRONG", text)
        self.assertIn("keep_right", self.text("--single", "--sizes", "300,300,300"))
        self.assertIn("as printed  9.", self.text("--random-chains", "300"))
        self.assertIn("Random sizes", self.text("--help"))
        self.assertEqual(self.text(*EXAMPLE, "-q"), "")
        self.assertIn("too many to try all",
                      self.text("--sizes", ",".join(["300"] * 21), "--check"))

    def test_pictures_show_trees_curves_and_savings(self):
        self.text(*EXAMPLE, "-q", "-o", "tree.svg", "-o", "tree.png")
        self.text("--random-chains", "10", "-q", "-o", "savings.svg")
        self.text("--pair", "--sizes", "936,1008,552,368", "-q", "-o", "pair.svg")

        tree = self.svg_texts("tree.svg")
        self.assertIn("6 matrices: F = 9,323,278 words, 8.51 % below S = 10,190,344 (corrected)",
                      tree)
        self.assertEqual([text for text in tree if text[0] in "AT" and text[1:].isdigit()],
                         ["A2", "A3", "T1", "A4", "A5", "T2", "A1", "T3", "A6", "T4", "T5"])
        self.assertEqual(tree.count("not written"), 2)
        self.assertEqual(self.read("tree.svg").count('class="chain-fused"'), 2 + 1)
        savings = self.svg_texts("savings.svg")
        for name in ("65536 words, corrected, least to most", "98304 words, as printed",
                     "65536 words, whole tiles"):
            self.assertIn(name, savings)
        self.assertIn("fuse_right: tile of 326.7 x 200.6", self.svg_texts("pair.svg"))
        with open(self.path("tree.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_tables_have_a_row_for_each_node_method_and_length(self):
        def rows(*words):
            self.text(*words, "-q", "-o", "t.csv")
            return list(csv.DictReader(io.StringIO(self.read("t.csv"))))

        nodes = rows(*EXAMPLE)
        self.assertEqual([row["node"] for row in nodes], ["T1", "T2", "T3", "T4", "T5"])
        self.assertEqual((nodes[0]["hp"], nodes[0]["hl"], nodes[0]["kind"]),
                         ("1599696", "", "single"))
        self.assertEqual([row["method"] for row in rows("--single", "--sizes", "300,300,300")],
                         ["keep_output", "keep_left", "keep_right"])
        survey = rows("--random-chains", "3", "--lengths", "3:4")
        self.assertEqual([(row["form"], row["words"], row["length"]) for row in survey[:4]],
                         [("corrected", "65536", "3"), ("corrected", "65536", "4"),
                          ("corrected", "98304", "3"), ("corrected", "98304", "4")])
        self.assertEqual(len(survey), 12)

    def test_the_longest_and_the_largest_chain_work(self):
        longest = self.metrics("--sizes", ",".join(str(300 + i) for i in range(65)), "--check")
        largest = self.metrics("--sizes", "1000000000,257,1000000000,257")
        wide = self.metrics("--single", "--sizes", ",".join(["1000000000"] * 3))

        self.assertEqual(len(longest["nodes"]), 63)
        self.assertEqual(largest["operations"], 2 * 10 ** 9 * 257 * 257)
        self.assertAlmostEqual(wide["keep_output"]["words"], 2e27 / 256 + 1e18, delta=1e13)

    def test_bad_chains_are_refused(self):
        for says, *words in (
                (["--sizes: a chain of 0 matrices, allowed are 2..64 matrices: 3..65 sizes"],
                 "--sizes", ""),
                (["--sizes: a chain of 0 matrices"], "--sizes", "936"),
                (["--sizes: a chain of 1 matrix, allowed are 2..64"], "--sizes", "936,1008"),
                (["--sizes: a chain of 65 matrices"], "--sizes", ",".join(["300"] * 66)),
                (["--sizes: a chain of 1999 matrices"], "--sizes", ",".join(["300"] * 2000)),
                (["--sizes = a,b,c, allowed is whole numbers P0,P1,P2,..."], "--sizes", "a,b,c"),
                (["--sizes = 300,,300"], "--sizes", "300,,300"),
                (["--sizes = 300,-1,300"], "--sizes", "300,-1,300"),
                (["--sizes = 300,nan,300"], "--sizes", "300,nan,300"),
                (["--sizes = 300,1e3,300"], "--sizes", "300,1e3,300"),
                (["--sizes = 300,99999999999999999999,300"], "--sizes",
                 "300,99999999999999999999,300"),
                (["--sizes: P1 = 0, allowed is 1..1000000000"], "--sizes", "300,0,300"),
                (["P2 = 1000000001, allowed is"], "--sizes", "300,300,1000000001"),
                (["--single takes 3 --sizes, not 4"], "--single", "--sizes", "300,300,300,300"),
                (["--pair takes 4 --sizes, not 3"], "--pair", "--sizes", "300,300,300"),
                (["--single and --pair"], "--single", "--pair", "--sizes", "300,300,300"),
                (["--as-printed and --whole-tiles"], "--as-printed", "--whole-tiles", *EXAMPLE),
                (["--sizes P0,P1,P2,... or --random-chains N is missing"],),
                (["unexpected word '300'"], "300"),
                (["--words = 0, allowed is a whole number in 16..1000000000000"], "--words", "0",
                 "--sizes", SIZES),
                (["--words = 15"], "--words", "15", "--sizes", SIZES),
                (["--words = 64KB"], "--words", "64KB", "--sizes", SIZES),
                (["--words = 65536,98304"], "--words", "65536,98304", "--sizes", SIZES),
                (["--words ="], "--words", "", "--sizes", SIZES),
                (["--seed = x"], "--seed", "x", "--check", *EXAMPLE),
                (["--seed: only with --random-chains or --check"], "--seed", "2", *EXAMPLE),
                (["--lengths: only with --random-chains"], "--lengths", "2:3", *EXAMPLE)):
            self.assertRefused(says, *words)

    def test_bad_surveys_are_refused(self):
        for says, *words in (
                (["--random-chains = 0, allowed is a whole number in 1..10000"], "0"),
                (["--random-chains = -5"], "-5"),
                (["--random-chains = 10001"], "10001"),
                (["--random-chains has chains of its own"], "10", "--sizes", SIZES),
                (["--random-chains has chains of its own"], "10", "--check"),
                (["--lengths = 1:3, allowed is FROM:TO in 2..64"], "10", "--lengths", "1:3"),
                (["--lengths = 5:3"], "10", "--lengths", "5:3"),
                (["--lengths = 2:65"], "10", "--lengths", "2:65"),
                (["--lengths = 3"], "10", "--lengths", "3"),
                (["--words = 64,64, allowed is up to 4 different"], "10", "--words", "64,64"),
                (["--words = 16,17,18,19,20"], "10", "--words", "16,17,18,19,20")):
            self.assertRefused(says, "--random-chains", *words)

    def test_what_the_formulas_do_not_cover_is_refused(self):
        below = "the formula does not hold: size 200 is below sqrt(65536) = 256"

        for status, says, *words in (
                (UNMODELLED, ["--sizes: P2: " + below], "--sizes", "300,300,200,300"),
                (UNMODELLED, ["--sizes: P0: " + below], "--single", "--sizes", "200,300,300"),
                (UNMODELLED, ["--sizes: P3: " + below], "--pair", "--sizes", "300,300,300,200"),
                (UNMODELLED, ["P1: the formula does not hold: size 256 is not above"],
                 "--sizes", "300,256,300"),
                (UNMODELLED, ["size 313 is below sqrt(98304) = 313.535"], "--sizes",
                 "320,313,320", "--words", "98304"),
                (UNMODELLED, ["more than 2^63 operations"], "--sizes",
                 "1000000000,1000000000,1000000000"),
                (UNMODELLED, ["size 320, the least that is drawn, is not above sqrt(102400)"],
                 "--random-chains", "5", "--words", "102400"),
                (UNMODELLED, ["the check: a chain that can be multiplied here has 1/"],
                 "--sizes", "1000000,1000000,1000000", "--check")):
            self.assertRefused(says, *words, "-o", "t.csv", status=status)

    def test_files_that_cannot_be_written_are_refused_before_anything_is(self):
        self.assertRefused([".svg, .png or .csv"], *EXAMPLE, "-o", "x.pdf")
        self.assertRefused(["none/x.csv"], *EXAMPLE, "-o", "ok.svg", "-o", "none/x.csv")


if __name__ == "__main__":
    unittest.main()
