"""tt-metal programs of our own: products of matrices, and a count of cycles."""
import unittest

from metal_rows import Rows


class Products(Rows):
    def test_products_on_a_core_and_on_a_grid(self):
        self.assertPass("product", "product_on_a_grid")

    def test_partial_sums_share_memory_with_results(self):
        self.assertPass("blocks")

    def test_a_loop_of_52_instructions_takes_52_cycles_a_turn(self):
        self.assertPass("count")


if __name__ == "__main__":
    unittest.main()
