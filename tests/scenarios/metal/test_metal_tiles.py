"""tt-metal programs of our own that compute with tiles: old and new API, one core and many, shards."""
import unittest

from metal_rows import Rows


class Tiles(Rows):
    def test_the_api_from_before_meshes_adds_tiles(self):
        self.assertPass("old")

    def test_pairs_are_combined_on_a_core_and_on_a_grid(self):
        self.assertPass("pair", "grid")

    def test_exponentials(self):
        self.assertPass("exponential")

    def test_shards_in_l1_are_read_without_waits(self):
        said = self.assertPass("shards")

        self.assertEqual(said, ["note: core[0,0]: circular buffer 16: 2 pages were pushed, of which 0 were waited for"])


if __name__ == "__main__":
    unittest.main()
