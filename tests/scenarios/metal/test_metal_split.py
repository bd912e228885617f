"""PCG as a tt-metal program with a launch for each operation: as the script's split variant."""
import unittest

import solver_programs


class MetalSplit(solver_programs.SolverPrograms):
    def test_pcg_has_the_bits_and_nearly_the_cycles_of_the_script(self):
        self.assertSolvesAlike("rows=1", "cols=2", "tiles=2", "iterations=1", "variant=split")


if __name__ == "__main__":
    unittest.main()
