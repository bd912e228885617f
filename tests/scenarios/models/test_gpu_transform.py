"""gridloom gpu transform: the matrices of a stencil, run on numbers."""
import json
import unittest

import gridloom

INPUT = 1


class GpuTransform(gridloom.Scenario):
    def result(self, *words):
        """The JSON object of the command."""
        return json.loads(self.succeed("gpu", "transform", *words, "--json", "-").stdout)

    def test_every_form_is_equal_for_any_shape_dimension_radius_and_depth(self):
        for words in (["--shape", "box", "--dim", "1", "--radius", "5"],
                      ["--shape", "star", "--dim", "2", "--radius", "7"],
                      ["--shape", "star", "--dim", "2", "--radius", "6", "--fusion", "3"],
                      ["--shape", "box", "--dim", "3", "--radius", "1", "--fusion", "3"],
                      ["--shape", "star", "--dim", "4", "--radius", "1", "--fusion", "2"]):
            with self.subTest(words):
                result = self.result(*words, "--check")
                self.assertEqual(result["check"]["status"], "pass")
                self.assertGreater(result["metrics"]["compared_points"], 0)
                for form in result["metrics"]["forms"]:
                    self.assertLessEqual(form["max_abs_error"],
                                         result["metrics"]["tolerance"])

    def test_the_model_has_the_same_share_of_useful_work(self):
        for words in (["--shape", "star", "--radius", "7"],
                      ["--shape", "star", "--radius", "6", "--fusion", "3"],
                      ["--shape", "box", "--dim", "3", "--radius", "2"]):
            with self.subTest(words):
                forms = {form["form"]: form["sparsity"]
                         for form in self.result(*words)["metrics"]["forms"]}
                model = json.loads(self.succeed("gpu", "stencil", *words, "--dtype", "float",
                                                "--json", "-").stdout)["metrics"]
                self.assertEqual(model["convstencil"]["sparsity"], forms["flattened"])
                self.assertEqual(model["spider"]["sparsity"], forms["sparse"])
                self.assertEqual(model["spider_dense"]["sparsity"], forms["decomposed"])

    def test_a_star_wide_and_fused_loses_on_tensor_cores(self):
        model = json.loads(self.succeed("gpu", "stencil", "--shape", "star", "--radius", "6",
                                        "--fusion", "3", "--dtype", "float", "--json",
                                        "-").stdout)["metrics"]
        self.assertEqual(model["direction"], "down")
        self.assertLess(model["spider"]["gstencils_per_second"],
                        model["ebisu"]["gstencils_per_second"])

    def test_it_prints_a_table_and_the_check(self):
        text = self.succeed("gpu", "transform", "--shape", "star", "--radius", "7",
                            "--check").stdout
        for part in ("Star-2D7R", "0.06042", "0.06444", "check       pass: 99 points"):
            self.assertIn(part, text)
        without = self.result()
        self.assertEqual(without["check"]["status"], "skipped")
        self.assertIsNone(without["metrics"]["forms"][1]["max_abs_error"])

    def test_bad_input_is_refused_in_one_line(self):
        for says, *words in ((["--radius = -1"], "--radius", "-1"),
                             (["--radius = 0", "1..1024"], "--radius", "0"),
                             (["--dim = 9"], "--dim", "9"),
                             (["--shape = ring"], "--shape", "ring"),
                             (["a kernel of radius 900 in 3 dimensions"], "--dim", "3",
                              "--radius", "900"),
                             (["a grid of 2 points a side, the stencil has 3"], "--check",
                              "--size", "2"),
                             (["there is no picture of this"], "-o", "a.svg")):
            with self.subTest(words):
                self.assertFails(INPUT, says, "gpu", "transform", *words)


if __name__ == "__main__":
    unittest.main()
