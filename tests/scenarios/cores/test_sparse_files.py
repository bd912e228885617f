"""Sparse matrices from files: products and solutions against sums of our own, bad input."""
import random
import unittest

import npy
from workload_runs import WorkloadRuns, script_of

SMALL = ("rows=1", "cols=2")


def arrays_of(rows):
    """indptr, indices and data of rows that map columns to values."""
    indptr = [0]
    for row in rows:
        indptr.append(indptr[-1] + len(row))
    return indptr, [c for row in rows for c in row], [v for row in rows for v in row.values()]


def random_rows(rows, columns, seed):
    """Rows of every length, two of them empty and one full, with columns in any order."""
    choose = random.Random(seed)
    made = [{c: choose.uniform(-1, 1) for c in choose.sample(range(columns), choose.randrange(min(9, columns)))} for _ in range(rows)]
    made[3] = {}
    made[rows - 1] = {}
    made[5] = {c: choose.uniform(-1, 1) for c in reversed(range(columns))}
    return made


def product(rows, x):
    return [sum(v * x[c] for c, v in row.items()) for row in rows]


class SparseFiles(WorkloadRuns):
    SCRIPT = script_of("spmv")
    CHIP = ("--chip", "wormhole_n150")

    def give(self, **arrays):
        """The words that give arrays as files: name=(numbers, type)."""
        words = []
        for name, (numbers, descr) in arrays.items():
            self.write(name + ".npy", npy.dump(numbers, descr, shape=(len(numbers),)))
            words += ["--in", f"{name}={name}.npy"]
        return words

    def matrix(self, rows, index="<i8"):
        indptr, indices, data = arrays_of(rows)
        return self.give(indptr=(indptr, index), indices=(indices, index), data=(data, "<f8"))

    def saved(self, name):
        with open(self.path(name), "rb") as file:
            return npy.load(file.read())

    def test_products_are_those_of_the_files(self):
        for seed, (count, columns) in enumerate(((70, 70), (64, 200), (300, 40))):
            rows = random_rows(count, columns, seed)
            x = [random.Random(seed).uniform(-1, 1) for _ in range(columns)]
            words = [*self.matrix(rows, "<i4"), *self.give(x=(x, "<f4"))]
            for more in (("layout=sliced_ell", "sort=64"), ("layout=csr", "from=l1")):
                self.assertRight(*SMALL, *words, f"columns={columns}", *more, "--save", "y=y.npy")

                kind, shape, y = self.saved("y.npy")
                self.assertEqual((kind, shape), ("<f4", (count,)))
                for got, expected in zip(y, product(rows, x)):
                    self.assertAlmostEqual(got, expected, delta=1e-5)

    def test_a_matrix_without_entries_gives_zeros(self):
        for layout in ("sliced_ell", "csr"):
            for place in ("dram", "l1"):
                words = self.give(indptr=([0] * 65, "<i4"), indices=([], "<i4"), data=([], "<f4"))
                self.assertRight(*SMALL, *words, f"layout={layout}", f"from={place}", "--save", "y=y.npy")

                self.assertEqual(self.saved("y.npy")[2], [0.0] * 64)

    def test_solutions_are_those_of_the_files(self):
        choose = random.Random(1)
        rows = [{i: 4.0} for i in range(90)]
        for i in range(1, 90):
            other = choose.randrange(i)
            rows[i][other] = rows[other][i] = -0.5
            rows[i][i] += 0.5
            rows[other][other] += 0.5
        b = [choose.uniform(-1, 1) for _ in range(90)]
        for more in ((), ("layout=csr", "from=dram"), ("sort=90",)):
            self.assertRight(*SMALL, *self.matrix(rows), *self.give(rhs=(b, "<f8")), "iterations=60", "tolerance=1e-5", "--save",
                             "x=x.npy", *more, script=script_of("pcg_sparse"))
            x = self.saved("x.npy")[2]

            for left, right in zip(product(rows, x), b):
                self.assertAlmostEqual(left, right, delta=1e-4)

    def test_files_that_are_no_matrix_are_refused_in_a_line(self):
        identity = ([0, *range(1, 65)], list(range(64)), [1.0] * 64)
        cases = (
            ((identity[0], identity[1], identity[2][1:]), "data has 63 numbers, indices has 64"),
            (([1, *identity[0][1:]], *identity[1:]), "indptr[0] is 1"),
            (([0, 5, 4, *identity[0][3:]], *identity[1:]), "indptr[2] is 4: the first is 0, none is less than the one before"),
            ((identity[0][:-1], *identity[1:]), "indptr[63] is 63"),
            (([0], *identity[1:]), "indptr has less than two numbers"),
            ((identity[0], [64, *identity[1][1:]], identity[2]), "row 0 has column 64, columns are 0 to 63"),
            ((identity[0], [-1, *identity[1][1:]], identity[2]), "row 0 has column -1"),
            (([0, 2, 2, *identity[0][3:]], [7, 7, *identity[1][2:]], identity[2]), "row 0 has column 7 twice"))
        for (indptr, indices, data), message in cases:
            with self.subTest(message):
                words = self.give(indptr=(indptr, "<i8"), indices=(indices, "<i4"), data=(data, "<f4"))
                self.assertRefused([*SMALL, *words], message)

    def test_what_the_workloads_need_is_said(self):
        words = self.matrix([{i: 1.0} for i in range(64)])
        for given, message in (((*words[:4],), "--in indptr=FILE, indices=FILE and data=FILE"),
                               ((*words, "--timing-only"), "a --timing-only run reads no numbers"),
                               (("matrix=file",), "--in indptr=FILE, indices=FILE and data=FILE"),
                               ((*words, *self.give(x=([1.0] * 63, "<f4"))), "x.npy")):
            self.assertRefused([*SMALL, *given], message)
        self.SCRIPT = script_of("pcg_sparse")
        for rows, message in (([{i: 1.0, (i + 1) % 64: 0.5} for i in range(64)],
                               "row 0 has 0.5 in column 1, and row 1 has 0.0 in column 0: conjugate gradients need a symmetric"),
                              ([{i: 1.0 - 2 * (i == 9)} for i in range(64)], "the diagonal has -1.0 in row 9")):
            self.assertRefused([*SMALL, *self.matrix(rows)], message)


if __name__ == "__main__":
    unittest.main()
