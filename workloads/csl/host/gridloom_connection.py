"""The connection of a host program to the simulator that started it.

A message is the length of a JSON text (4 bytes), the length of the data (8 bytes), both
little-endian, the text, the data. Every request has one answer. An answer with "error" is an
exception here; where the simulator cannot go on, it ends with the same text, and with its own
exit code, as soon as the program has ended.
"""
import json
import os
import socket
import struct
import sys

VARIABLE = "GRIDLOOM_CSL_SOCKET"


class Connection:
    """Requests and answers, in order."""

    def __init__(self):
        number = os.environ.get(VARIABLE)
        if number is None:
            raise RuntimeError("a host program runs under cs_python, which starts the simulator")
        self.socket = socket.socket(fileno=int(number))

    def ask(self, request, data=b""):
        """Sends a request and returns the answer: a dictionary and its data."""
        sys.stdout.flush()
        sys.stderr.flush()
        text = json.dumps(request).encode()
        try:
            self.socket.sendall(struct.pack("<IQ", len(text), len(data)) + text)
            self.socket.sendall(data)
            text_bytes, data_bytes = struct.unpack("<IQ", self.take(12))
            answer = json.loads(self.take(text_bytes))
            data = self.take(data_bytes)
        except OSError:
            raise RuntimeError("the simulator has ended") from None
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer, data

    def take(self, count):
        """Exactly this many bytes."""
        data = bytearray(count)
        view = memoryview(data)
        while view:
            got = self.socket.recv_into(view)
            if got == 0:
                raise OSError("closed")
            view = view[got:]
        return data


_connection = None


def connection():
    """The one connection of this process."""
    global _connection  # pylint: disable=global-statement
    if _connection is None:
        _connection = Connection()
    return _connection
