"""Every workload runs on every chip that it supports, with checked results."""
import json
import unittest

import gridloom

CORES, WAFER, BOARD = "wormhole_n300", "wse2", "nero_ad9h7"
CUBE = ("nx=70", "ny=20", "nz=2")       # does not fill the cores
COLUMNS = ("nx=6", "ny=5", "nz=8")

PAIRS = [
    ("vecadd", CORES, ("tiles=8",)),
    ("matmul", CORES, ()),
    ("transfer", CORES, ()),
    *[("dot", CORES, (*CUBE, f"dtype={dtype}")) for dtype in ("fp32", "bf16")],
    *[("stencil7", CORES, (*CUBE, f"dtype={dtype}")) for dtype in ("bf16", "fp32")],
    *[("pcg", CORES, (*CUBE, f"variant={variant}", f"dtype={dtype}", "iterations=2"))
      for variant, dtype in (("fused", "bf16"), ("split", "fp32"))],
    *[("stencil25", CORES, (*CUBE, f"dtype={dtype}", "steps=2")) for dtype in ("bf16", "fp32")],
    *[("stencil2d", CORES, (*CUBE, f"dtype={dtype}", f"shape={shape}"))
      for dtype in ("bf16", "fp32") for shape in ("star", "box")],
    *[(workload, CORES, ("rows=1", "cols=2", "matrix=banded", "n=200", f"dtype={dtype}"))
      for workload in ("spmv", "pcg_sparse") for dtype in ("fp32", "bf16")],
    *[("dot", WAFER, (*COLUMNS, f"dtype={dtype}")) for dtype in ("fp32", "fp16", "mixed")],
    *[("stencil7", WAFER, (*COLUMNS, f"dtype={dtype}", f"mapping={mapping}"))
      for dtype in ("fp32", "fp16", "mixed") for mapping in ("neighbour", "broadcast")],
    *[(solver, WAFER, (*COLUMNS, f"dtype={dtype}", "iterations=3"))
      for solver in ("pcg", "bicgstab") for dtype in ("fp32", "mixed")],
    ("stencil25", WAFER, (*COLUMNS, "steps=2")),
    ("fft", WAFER, ("n=8",)), ("gemv", WAFER, ()), ("gemm", WAFER, ()),
    *[("multigrid", chip, ("nx=7", "ny=7", "nz=7", f"dtype={dtype}"))
      for chip, dtypes in ((WAFER, ("fp32", "mixed")), (CORES, ("fp32", "bf16"))) for dtype in dtypes],
    *[(kernel, chip, ("nx=8", "ny=7", "nz=10", f"dtype={dtype}"))
      for kernel in ("hdiff", "vadvc")
      for chip, dtypes in ((WAFER, ("fp32", "fp16")), (CORES, ("fp32", "bf16")), (BOARD, ("fp32", "fp16")))
      for dtype in dtypes],
    *[("stencil2d", WAFER, (*COLUMNS, f"dtype={dtype}", f"shape={shape}", f"radius={radius}"))
      for dtype in ("fp32", "fp16") for shape in ("star", "box") for radius in (1, 2, 3)],
    *[("reduce", WAFER, (f"operation={operation}", f"pattern={pattern}", "width=8", "height=4", "words=3"))
      for operation in ("reduce", "broadcast", "allreduce")
      for pattern in ("merge", "chain", "tree", "two-phase", "corner", "center")],
]


class Pairs(gridloom.Scenario):
    def run_of(self, workload, chip, words):
        self.succeed("run", workload, "--chip", chip, *words, "--json", "r.json", "-q")
        return json.loads(self.read("r.json"))

    def test_every_pair_runs_and_is_checked(self):
        for workload, chip, words in PAIRS:
            with self.subTest(workload=workload, chip=chip, words=words):
                result = self.run_of(workload, chip, words)

                self.assertEqual(result["check"]["status"], "pass")
                self.assertGreater(result["cycles"], 0)

    def test_there_are_no_other_pairs(self):
        listed = set()
        for line in self.succeed("workloads").stdout.splitlines():
            if not line.startswith(" "):
                name, families = line.split(":")[0].rstrip(")").split(" (")
                listed |= {(name, {"tensix": CORES, "wse": WAFER, "nero": BOARD}[family]) for family in families.split(", ")}

        self.assertEqual(listed, {(workload, chip) for workload, chip, _ in PAIRS})

    def test_a_launch_is_no_part_of_what_wafers_measure(self):
        for workload in ("dot", "stencil7", "stencil2d", "stencil25", "pcg", "reduce"):
            result = self.run_of(workload, WAFER, ())

            self.assertAlmostEqual(result["seconds"], result["metrics"]["device_seconds"], delta=1e-12)
            self.assertGreater(result["metrics"]["launch_seconds"], 0)


if __name__ == "__main__":
    unittest.main()
