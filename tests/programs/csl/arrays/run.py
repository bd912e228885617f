#!/usr/bin/env cs_python
"""Checks the parts of the host's modules that need no wafer."""
import unittest

import numpy as np

from cerebras.sdk import sdk_utils
from gridloom_array import from_places, to_places, words_of


class Arrays(unittest.TestCase):
    def test_orders_of_memory(self):
        places = np.arange(24, dtype=np.uint32).reshape(2, 3, 4)  # [h][w][l]
        column = [places[h, w, l] for l in range(4) for w in range(3) for h in range(2)]  # h fastest

        self.assertEqual(from_places(places, False).tolist(), list(range(24)))
        self.assertEqual(from_places(places, True).tolist(), column)
        for flat, is_column in ((list(range(24)), False), (column, True)):
            words = np.array(flat, np.uint32)
            self.assertEqual(to_places(words, (2, 3, 4), is_column).tolist(), places.tolist())

    def test_longer_arrays_have_the_numbers_in_front(self):
        words = np.arange(7, dtype=np.uint32)

        self.assertEqual(words_of(words, (1, 2, 3), "copy").tolist(), [0, 1, 2, 3, 4, 5])
        self.assertTrue(np.shares_memory(words_of(words, (1, 2, 3), "copy"), words))
        self.assertRaises(ValueError, words_of, words, (2, 2, 2), "copy")

    def test_views(self):
        words = np.array([0x10003c00, 0xffff0001], np.uint32)
        view = sdk_utils.memcpy_view(words, np.float16)

        view[1] = 2
        self.assertEqual(view[0], 1)
        self.assertEqual(words.tolist(), [0x10003c00, 0xffff4000])
        self.assertEqual(sdk_utils.memcpy_view(words, np.int8).tolist(), [0, 0])
        self.assertRaises(ValueError, sdk_utils.memcpy_view, np.zeros(2), np.uint16)

    def test_words_of_short_numbers(self):
        self.assertEqual(sdk_utils.input_array_to_u32(np.array([-1, 2, 3], np.int16), 7, 2).tolist(),
                         [0xffff, 0x10002, 3])
        self.assertEqual(sdk_utils.input_array_to_u32(np.array([-1], np.int16), None, 1).tolist(), [0xffff])
        self.assertEqual(sdk_utils.cast_uint32(np.float32(1)), 0x3f800000)
        self.assertEqual(sdk_utils.cast_uint32(np.int16(-1)), 0xffff)

    def test_times(self):
        self.assertEqual(sdk_utils.make_u48([1, 2, 3]), 1 + (2 << 16) + (3 << 32))
        self.assertEqual(sdk_utils.sub_ts([5, 0, 0, 1, 1, 0]), 65532)


if __name__ == "__main__":
    unittest.main()
