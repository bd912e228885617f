"""gridloom validate thesis: printed figures of the cost models, and which of them can be
reproduced."""
import json
import unittest

import gridloom

EXAMPLE = "example of six matrices, M = 65536"


class Thesis(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        result = json.loads(self.succeed("validate", "thesis", "--json", "-").stdout)
        self.rows, self.context = result["rows"], result["metrics"]["context"]

    def of(self, source):
        return [row for row in self.rows if row["source"] == source]

    def value(self, source, case, quantity):
        found = [row for row in self.of(source) if (row["case"], row["quantity"]) == (case, quantity)]
        self.assertEqual(len(found), 1, (source, case, quantity))
        return found[0]["simulated"]

    def check_judged(self):
        judged = [row for row in self.rows if row["status"] != "skipped"]
        self.assertEqual({row["status"] for row in judged}, {"pass"})
        self.assertEqual({kind: sum(row["kind"] == kind for row in judged)
                          for kind in ("calibrated", "predicted", "read_back", "derived")},
                         {"calibrated": 40, "predicted": 64, "read_back": 26, "derived": 31})
        self.assertEqual({row["source"].startswith("derived from ") for row in judged
                          if row["kind"] == "derived"}, {True})

    def check_h200(self):
        """The models on a GPU of ours, beside what the thesis reports of its own."""
        for source, case, quantity, value in (
                ("thesis A.5.2, on an H200", "all tiles", "RMSE of the model", 32.73),
                ("thesis A.5.2, on an H200", "tiles within 20 % of the best", "RMSE of the model", 23.33),
                ("thesis A.6.4, on an H200", "all stencils, mean", "improvement over drawn tiles", 51.40),
                ("thesis Table B.2, on an H200", "SW, model A", "RMSE", 7.45),
                ("thesis Table B.2, on an H200", "J2D, model B", "RMSE", 21.26),
                ("thesis Table B.3, on an H200", "J1D", "largest error of chosen tiles", 2.24)):
            self.assertAlmostEqual(self.value(source, case, quantity), value, 2)

    def check_table_c2(self):
        """The printed designs by the equations as printed, and corrected."""
        quantity = "rate of the printed design of that of the best one"
        for case, value in (("Laplacian 3D, as printed", 100), ("Jacobi 2D, as printed", 82.81),
                            ("Laplacian 3D, corrected", 64.24), ("Heat 3D, corrected", 90.00)):
            self.assertAlmostEqual(self.value("thesis Table C.2", case, quantity), value, 2)

    def check_exact(self):
        for quantity, value in (("least operations", 1092977664), ("S(1,6)", 10190344), ("F(1,6)", 7882874),
                                ("F in all", 8392058), ("parenthesisation", "((A1(A2A3))((A4A5)A6))")):
            self.assertEqual(self.value("thesis D.7", EXAMPLE, quantity), value)
        self.assertEqual([int(row["simulated"]) for row in self.of("thesis Table C.2") if row["quantity"] == "area"],
                         [438, 447, 431, 426, 447, 446])
        self.assertAlmostEqual(self.value("thesis C.2.2", "GTX 980", "L2"), 98.25, 2)

    def check_table_d1(self):
        rows = self.of("thesis Table D.1")
        self.assertEqual(len(rows), 2 * (19 * 3 + 1))
        judged = [row for row in rows if row["status"] == "pass"]
        self.assertEqual(len(judged), 2 * (18 + 1 + 3))

    def check_notes(self):
        """Rows that are not judged say why."""
        unjudged = [row for row in self.rows if row["status"] == "skipped"] + self.context
        silent = [(row["source"], row["case"], row["quantity"]) for row in unjudged
                  if not row["note"].startswith("not judged: ")]
        self.assertEqual(silent, [])
        # The thesis contradicts itself: both values are there.
        self.assertEqual({row["published"] for row in self.context if row["case"] == "J1D, model A"
                          and row["quantity"] == "RMSE"}, {17.14, 16.35})

    def test_all_that_can_be_reproduced_is_and_the_rest_says_why_not(self):
        self.check_judged()
        self.check_h200()
        self.check_table_c2()
        self.check_exact()
        self.check_table_d1()
        self.check_notes()


if __name__ == "__main__":
    unittest.main()
