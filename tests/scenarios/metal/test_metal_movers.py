"""tt-metal programs of our own on data movers: copies, prints, integers, tiles from core to core."""
import unittest

from metal_rows import Rows


class Movers(Rows):
    def test_tiles_go_through_l1_and_back(self):
        self.assertPass("copy")

    def test_all_processors_of_a_core_print(self):
        said = self.assertPass("greet")

        for who, text in (("BRISC", "mover 0 at 1,2: 5"), ("NCRISC", "mover 1 at 1,2: 5"),
                          ("TRISC0", "unpack 9"), ("TRISC1", "math 10"), ("TRISC2", "pack")):
            self.assertEqual(sum(who in line and line.endswith(": " + text) for line in said), 1, said)

    def test_integers_in_pages_of_four_bytes_are_added(self):
        self.assertPass("words")

    def test_a_tile_is_handed_to_one_core_and_to_three(self):
        self.assertPass("transfer", "multicast")


if __name__ == "__main__":
    unittest.main()
