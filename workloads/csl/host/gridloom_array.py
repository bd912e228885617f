"""Arrays of a host program, as copies take them, and in the order in which PEs get them.

A copy's array is A[h][w][l], flat or (n, 1), of 32-bit elements; more may follow them. PEs get it row by row, PE by
PE. Rows of PEs that share their data have w = 1 in the array, columns h = 1.
"""
import sys

import numpy as np

if int(np.__version__.split(".", maxsplit=1)[0]) > 1:
    print("gridloom: warning: numpy", np.__version__, "shifts 16-bit scalars in 16 bits; host programs that join words "
          "of timestamps need numpy 1.x", file=sys.stderr)


def words_of(array, shape, what):
    """The array's first elements as 32-bit words, flat; a view where it can be one."""
    array = np.asarray(array)
    count = int(np.prod(shape))
    if array.dtype.kind not in "iuf" or array.dtype.itemsize != 4:
        raise ValueError(f"{what}: the array has elements of {array.dtype}, 32 bits each are needed")
    if array.size < count:
        raise ValueError(f"{what}: the array has {array.size} elements, "
                         f"height x width x length is {' x '.join(map(str, shape))} = {count}")
    return np.ascontiguousarray(array).reshape(-1).view(np.uint32)[:count]


def to_places(words, shape, is_column_major):
    """Flat words in the host's order -> [h][w][l]."""
    return words.reshape(shape, order="F" if is_column_major else "C")


def from_places(places, is_column_major):
    """[h][w][l] -> flat words in the host's order."""
    return places.reshape(-1, order="F" if is_column_major else "C")
