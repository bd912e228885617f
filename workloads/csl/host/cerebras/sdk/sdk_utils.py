"""Views and times that host programs need around copies."""
import numpy as np

CYCLES_PER_SECOND = 0.85e9


def memcpy_view(arr, datatype):
    """The low 8, 16 or 32 bits of every word of a u32 array, as a view of this type."""
    datatype = np.dtype(datatype)
    if arr.dtype.itemsize != 4:
        raise ValueError(f"memcpy_view: the array has elements of {arr.dtype}, 32 bits each are needed")
    if datatype.itemsize not in (1, 2, 4):
        raise ValueError(f"memcpy_view: {datatype} has not 8, 16 or 32 bits")
    every = 4 // datatype.itemsize
    flat = arr.reshape(-1).view(datatype)[::every]
    return flat.reshape(arr.shape)


def input_array_to_u32(np_arr, sentinel, fast_dim_sz):
    """An array of 16-bit numbers as words: zero-extended, or with the index modulo `fast_dim_sz` above."""
    low = np_arr.reshape(-1).view(np.uint16).astype(np.uint32)
    if sentinel is None:
        return low
    index = np.arange(low.size, dtype=np.uint32) % np.uint32(fast_dim_sz)
    return low | (index << np.uint32(16))


def cast_uint32(x):
    """The bits of a number of at most 32 bits, as u32."""
    if isinstance(x, (np.float16, np.int16, np.uint16)):
        return np.uint32(np.asarray(x).reshape(1).view(np.uint16)[0])
    if isinstance(x, (np.float32, np.int32, np.uint32)):
        return np.asarray(x).reshape(1).view(np.uint32)[0]
    if isinstance(x, float):
        return np.float32(x).reshape(1).view(np.uint32)[0]
    if isinstance(x, int):
        return np.uint32(x & 0xffffffff)
    raise TypeError(f"cast_uint32: {type(x).__name__} is no number of 16 or 32 bits")


def make_u48(words):
    """A time of three 16-bit words, the low one first."""
    return int(words[0]) + (int(words[1]) << 16) + (int(words[2]) << 32)


def sub_ts(words):
    """The cycles between two times of three words each."""
    return make_u48(words[3:]) - make_u48(words[0:3])


def calculate_cycles(timestamp_buf):
    """The cycles between two times that are packed into three words of 32 bits."""
    return sub_ts(np.ascontiguousarray(timestamp_buf).reshape(-1).view(np.uint16))
