"""The workloads that also exist as tt-metal programs: the same bits, nearly the same cycles."""
import struct
import unittest

import solver_programs


class MetalSolvers(solver_programs.SolverPrograms):
    def test_dot_products_have_the_bits_and_nearly_the_cycles_of_the_script(self):
        words = "dtype=fp32 rows=3 cols=4 tiles=2 routing=center".split()
        script = self.of_script("dot", *words)
        metrics, lines = self.of_program("dot", *words)
        (bits,) = struct.unpack("<I", struct.pack("<f", script["total"]))
        ratio = metrics["device_cycles"] / script["device_cycles_per_iteration"]

        self.assertEqual(lines["bits"], f"0x{bits:08x}")
        self.assertTrue(0.9 < ratio < 1.1, ratio)

    def test_pcg_has_the_bits_and_nearly_the_cycles_of_the_script(self):
        self.assertSolvesAlike("rows=2", "cols=3", "tiles=2", "iterations=5", "tolerance=13")


if __name__ == "__main__":
    unittest.main()
