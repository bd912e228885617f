"""NumPy's files with one array, written and read without NumPy."""
import ast
import struct

CODES = {"<f2": "e", "<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "<u2": "H", "<u4": "I",
         ">f4": "f", ">f2": "e", ">i4": "i", "<c8": "d"}


def flat(numbers):
    """The numbers of nested lists, in order."""
    return [numbers] if not isinstance(numbers, list) else [x for row in numbers for x in flat(row)]


def shape_of(numbers):
    return (len(numbers), *shape_of(numbers[0])) if isinstance(numbers, list) else ()


def dump(numbers, descr="<f4", fortran=False, shape=None):
    """The bytes of a file with these numbers, nested lists."""
    shape = shape_of(numbers) if shape is None else shape
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    values = flat(numbers)
    data = struct.pack((">" if descr[0] == ">" else "<") + f"{len(values)}{CODES[descr]}", *values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def load(data):
    """Type, shape and numbers of a file's bytes."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:begin].decode())
    assert header["fortran_order"] is False and begin % 64 == 0
    count = (len(data) - begin) // struct.calcsize(CODES[header["descr"]])
    return header["descr"], header["shape"], list(
        struct.unpack(f"<{count}{CODES[header['descr']]}", data[begin:]))
