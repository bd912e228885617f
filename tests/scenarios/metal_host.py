"""A host program in Python, as a client of the simulator: for tests of what it is told."""
import json
import os
import socket
import struct
import sys

DRAM = 1048640  # the first address that programs may use
L1 = 105664


class Host:
    def __init__(self):
        self.socket = socket.socket(fileno=int(os.environ["GRIDLOOM_METAL_SOCKET"]))

    def receive(self, count):
        data = b""
        while len(data) < count:
            some = self.socket.recv(count - len(data))
            if not some:
                sys.exit(3)
            data += some
        return data

    def ask(self, request, data=b""):
        words = json.dumps(request).encode()
        sys.stdout.flush()
        self.socket.sendall(struct.pack("<IQ", len(words), len(data)) + words + data)
        words, count = struct.unpack("<IQ", self.receive(12))
        return json.loads(self.receive(words)), self.receive(count)

    def write(self, address, pages, data):
        """Interleaved pages in DRAM."""
        size = len(data) // pages
        self.ask({"do": "write", "space": "dram", "address": address, "page_bytes": size,
                  "stride": size, "first_page": 0, "pages": pages}, data)

    def read(self, address, pages, size):
        return self.ask({"do": "read", "space": "dram", "address": address, "page_bytes": size,
                         "stride": size, "first_page": 0, "pages": pages})[1]

    def launch(self, *kernels, **program):
        return self.ask({"do": "launch", "program": {"kernels": kernels, **program}})[0]

    def end(self):
        self.ask({"do": "end", "status": 0})


def mover(text, *words, processor="brisc", noc=0, cores=((0, 0, 0, 0),), name="mover", **more):
    """A data-movement kernel, with the same runtime arguments on all its cores."""
    places = [(x, y) for x0, y0, x1, y1 in cores for y in range(y0, y1 + 1) for x in range(x0, x1 + 1)]
    return {"name": name, "text": text, "processor": processor, "noc": noc, "cores": cores,
            "args": [{"core": place, "words": words} for place in places], **more}
