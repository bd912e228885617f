"""Files with one array (.npy): NumPy's arrays where there is NumPy, else lists in lists."""
import ast
import struct

from gridloom.program import WrongInput

try:
    import numpy
except ImportError:
    numpy = None

MAGIC = b"\x93NUMPY"
CODES = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "<u2": "H", "<u4": "I", "<f2": "e"}


def load(path):
    """The array of a file."""
    if numpy is not None:
        return numpy.load(path, allow_pickle=False)
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != MAGIC or data[6] not in (1, 2):
        raise WrongInput(1, f"{path}: no .npy file of version 1 or 2")
    size, first = (struct.unpack("<H", data[8:10])[0], 10) if data[6] == 1 else (
        struct.unpack("<I", data[8:12])[0], 12)
    header = ast.literal_eval(data[first:first + size].decode("latin1"))
    code = CODES.get(header["descr"])
    if code is None or header["fortran_order"]:
        raise WrongInput(1, f"{path}: {header['descr']} is not read without NumPy; "
                         f"{', '.join(CODES)} in C order are")
    count = 1
    for extent in header["shape"]:
        count *= extent
    numbers = struct.unpack_from(f"<{count}{code}", data, first + size)
    return nested(numbers, header["shape"])


def nested(numbers, shape):
    """Numbers in a row as lists in lists."""
    if not shape:
        return numbers[0]
    if len(shape) == 1:
        return list(numbers)
    step = len(numbers) // shape[0] if shape[0] else 0
    return [nested(numbers[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]


def save(path, array):
    """Writes an array: NumPy's as it is, lists in lists as 32-bit floats."""
    if numpy is not None and hasattr(array, "dtype"):
        numpy.save(path, numpy.ascontiguousarray(array))
        return
    shape, numbers = shape_of(array), flat(array)
    try:
        data = struct.pack(f"<{len(numbers)}f", *numbers)
    except struct.error as error:
        raise WrongInput(1, f"an array has something that is no number: {error}") from error
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(MAGIC + b"\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin1"))
        file.write(data)


def shape_of(array):
    """Extents of lists in lists. Refuses lists of different lengths."""
    if not isinstance(array, (list, tuple)):
        return ()
    if not array:
        return (0,)
    inner = {shape_of(part) for part in array}
    if len(inner) != 1:
        raise WrongInput(1, "an array's rows must be of the same length")
    return (len(array), *inner.pop())


def flat(array):
    """The numbers of lists in lists, in order."""
    if not isinstance(array, (list, tuple)):
        return [array]
    return [number for part in array for number in flat(part)]
