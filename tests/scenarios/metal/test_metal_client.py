"""What tt-metal programs ask of the simulator: a server of our own notes it and answers."""
import json
import os
import socket
import struct
import subprocess
import tempfile
import unittest

CLIENT = os.environ["GRIDLOOM_METAL_CLIENT"]
PROGRAMS = os.path.join(os.environ["GRIDLOOM_SOURCE"], "tests/programs/metal")
PACKAGE = os.path.join(os.environ["GRIDLOOM_BUILD"], "workloads/metal/host")

MACHINE = {"chips": 2, "columns": 8, "rows": 8, "clock_hz": 1e9, "arch": "wormhole_b0",
           "dram_banks": 12, "dram_bank_bytes": 1 << 30, "dram_first": 1048640,
           "l1_first": 105664, "l1_end": 1499136, "l1_alignment": 16, "dram_alignment": 32}
WRONG, STOPPED = 1, 3


class Server:
    """Notes requests, keeps what is written, and answers."""

    def __init__(self, link):
        self.link = link
        self.requests = []
        self.data = []
        self.memory = {}

    def receive(self, count):
        data = b""
        while len(data) < count:
            part = self.link.recv(count - len(data))
            if not part:
                return None
            data += part
        return data

    def run(self, refuse):
        while head := self.receive(12):
            json_bytes, data_bytes = struct.unpack("<IQ", head)
            request = json.loads(self.receive(json_bytes))
            data = self.receive(data_bytes)
            self.requests.append(request)
            self.data.append(data)
            answer, reply = self.answer(request, data, refuse)
            text = json.dumps(answer).encode()
            self.link.sendall(struct.pack("<IQ", len(text), len(reply)) + text + reply)

    def answer(self, request, data, refuse):
        place = json.dumps({k: v for k, v in request.items() if k != "do"})
        if request["do"] == refuse:
            return {"error": "the server has said why"}, b""
        if request["do"] == "open":
            return MACHINE, b""
        if request["do"] == "launch":
            return {"seconds": 1e-6, "cycles": 1000}, b""
        if request["do"] == "write":
            self.memory[place] = data
        if request["do"] == "read":
            count = request.get("pages", 0) * request.get("page_bytes", 0)
            count += sum(request.get("parts", [])[2::3])
            return {}, self.memory.get(place, bytes(range(256)) * (count // 256 + 1))[:count]
        return {}, b""


def use(way, refuse=None, **variables):
    """Runs the client in one way: (the server, exit code, stdout, stderr)."""
    ours, theirs = socket.socketpair()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TT_METAL_")}
    environment |= {"GRIDLOOM_METAL_SOCKET": str(theirs.fileno()), **variables}
    with ours, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with subprocess.Popen([CLIENT, way], env=environment, cwd=PROGRAMS, stdout=out,
                              stderr=err, pass_fds=[theirs.fileno()]) as process:
            theirs.close()
            server = Server(ours)
            server.run(refuse)
        out.seek(0)
        err.seek(0)
        return server, process.returncode, out.read().decode(), err.read().decode()


class Client(unittest.TestCase):
    maxDiff = None

    def passes(self, way, **variables):
        server, code, out, err = use(way, **variables)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(server.requests[0]["do"], "open")
        self.assertEqual(server.requests[-1], {"do": "end", "status": 0})
        return server, out

    def fails(self, way, words):
        server, code, _, err = use(way)
        self.assertEqual(code, WRONG, err)
        self.assertIn(words, err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertEqual(server.requests[-1], {"do": "end", "status": WRONG})

    def test_a_program_is_written_launched_and_read_in_order(self):
        server, out = self.passes("run", TT_METAL_DPRINT_CORES="0,0")
        pages = {"chip": 0, "space": "dram", "page_bytes": 2048, "stride": 2048,
                 "first_page": 0, "pages": 3}
        cores = [[0, 0, 1, 0]]
        mover = os.path.join(PROGRAMS, "kernels/mover.cpp")
        compute = os.path.join(PROGRAMS, "kernels/compute.cpp")

        self.assertEqual([r["do"] for r in server.requests],
                         ["open", "write", "launch", "finish", "read", "end"])
        self.assertEqual(server.requests[0]["environment"], [["TT_METAL_DPRINT_CORES", "0,0"]])
        self.assertEqual(server.requests[1], {"do": "write", "address": 1048640, **pages})
        self.assertEqual(server.data[1], struct.pack("<3072H", *range(3072)))
        self.assertEqual(server.requests[4], {"do": "read", "address": 1050688, **pages})
        self.assertEqual(out, "launched\n1284 of 3072\n")
        program = server.requests[2]["program"]
        self.assertEqual(server.requests[2]["chip"], 0)
        self.assertEqual(program["runtime_id"], 7)
        self.assertEqual(program["buffers"], [
            {"cores": cores, "index": 0, "address": 105664, "bytes": 4096, "page_bytes": 2048,
             "format": 5},
            {"cores": cores, "index": 16, "address": 109760, "bytes": 2048,
             "page_bytes": 2048, "format": 5},
            {"cores": cores, "index": 24, "address": 109760, "bytes": 2048,
             "page_bytes": 1024, "format": 0}])
        self.assertEqual(program["semaphores"], [{"cores": cores, "id": 0, "value": 5}])
        words = [1048640, 3072]
        self.assertEqual(program["kernels"], [
            {"id": 0, "source": mover, "name": "mover", "processor": "ncrisc",
             "cores": cores, "noc": 0, "compile_args": [0, 2, 2048], "named_args": [],
             "defines": [["WAIT", "1"]], "common_args": [9, 8],
             "args": [{"core": [0, 0], "words": words}, {"core": [1, 0], "words": words}]},
            {"id": 1, "text": "void kernel_main() {}", "name": "text_1",
             "processor": "brisc", "cores": [[0, 0, 0, 0]], "noc": 1, "compile_args": [],
             "named_args": [["a", 1], ["b", 2]], "defines": [], "common_args": [],
             "args": [{"core": [0, 0], "words": [1050688]}]},
            {"id": 2, "source": compute, "name": "compute", "processor": "compute",
             "cores": cores, "noc": 0, "compile_args": [], "named_args": [], "defines": [],
             "fidelity": 2, "fp32_dst": True, "full_sync": False, "approx": True,
             "unpack_to_dest_fp32": [1], "common_args": [], "args": []}])

    def test_pages_of_l1_go_to_the_cores_that_have_them(self):
        server, out = self.passes("l1")
        dealt, shards, read = (server.requests[i]["parts"] for i in (1, 2, 3))

        self.assertEqual([server.requests[1][k] for k in ("do", "space")], ["write", "l1"])
        # One page on each of two cores, whose numbers are shuffled.
        self.assertEqual(dealt[1::3], [1499104] * 2)
        self.assertEqual(dealt[2::3], [4, 4])
        self.assertEqual(shards, [0, 1499072, 32, 8, 1499072, 32])
        self.assertEqual(read, shards)
        self.assertEqual(out, f"{list(range(16))}\n")

    def test_each_chip_of_a_mesh_gets_its_shard(self):
        server, out = self.passes("two_chips")
        rows = struct.pack("<8I", 0, 1, 2, 3, 8, 9, 10, 11)

        self.assertEqual([r["chip"] for r in server.requests[1:-1]], [0, 1, 0, 1])
        self.assertEqual(server.data[1], rows)
        self.assertEqual(out, "true\n")

    def test_the_older_api_asks_for_the_same(self):
        server, out = self.passes("old")

        self.assertEqual([r["do"] for r in server.requests],
                         ["open", "write", "read", "launch", "finish", "write", "read", "end"])
        self.assertEqual(server.requests[5]["parts"], [9, 200000, 64])
        self.assertEqual(out, "true\n")

    def test_a_trace_is_launched_whenever_it_is_replayed(self):
        server, _ = self.passes("trace")

        self.assertEqual([r["do"] for r in server.requests],
                         ["open", "launch", "launch", "finish", "end"])
        self.assertEqual(server.requests[1], server.requests[2])

    def test_a_program_as_data_has_names_and_words(self):
        server, _ = self.passes("spec")
        program = server.requests[1]["program"]
        kernel = program["kernels"][0]

        self.assertEqual(program["name"], "specified")
        self.assertEqual(kernel["name"], "mover")
        self.assertEqual(kernel["arg_names"], ["from", "to"])
        self.assertEqual(kernel["args"], [{"core": [2, 3], "words": [5, 6]}])
        self.assertEqual(kernel["named_args"], [["size", 4]])

    def test_the_profile_goes_where_the_environment_says(self):
        server, _ = self.passes("profile", TT_METAL_DEVICE_PROFILER="1",
                                TT_METAL_HOME="/nowhere")
        wish = {"do": "profile", "path": "/nowhere/generated/profiler/.logs"}

        self.assertEqual(server.requests[2:4], [wish, wish])  # when asked, and at the end
        self.assertEqual(len(self.passes("profile")[0].requests), 3)

    def test_an_error_of_the_simulator_ends_the_program(self):
        server, code, _, err = use("profile", refuse="launch")

        self.assertEqual((code, err), (STOPPED, ""))
        self.assertEqual(server.requests[-1]["do"], "launch")

    def test_kernels_are_found_below_other_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(f"{folder}/kernels")
            with open(f"{folder}/kernels/nobody.cpp", "w", encoding="utf-8"):
                pass
            self.passes("no_kernel", TT_METAL_KERNEL_PATH=folder)
            self.passes("no_kernel", TT_METAL_HOME=folder)
            self.passes("no_kernel", GRIDLOOM_METAL_KERNELS=f"/nowhere:{folder}/kernels")

    def test_mistakes_have_one_line(self):
        self.fails("no_kernel", f"kernel kernels/nobody.cpp does not exist in any of: {PROGRAMS}")
        self.fails("many_args", "kernel mover has 342 runtime arguments and 0 common ones on "
                   "core (x=0,y=0), at most 341 together")
        self.fails("outside", "a buffer of 64 bytes a bank at 0x16dfe0 lies outside of L1, "
                   "which ends at 0x16e000")
        self.fails("full", "reach up to 0x16e000 in L1, where a buffer begins at 0x16dfe0")
        self.fails("far_core", "a semaphore is to be on cores [(x=0,y=0) - (x=8,y=0)], "
                   "the grid has 8 x 8")

    def test_a_program_without_a_simulator_says_how_to_start_it(self):
        environment = {k: v for k, v in os.environ.items() if k != "GRIDLOOM_METAL_SOCKET"}
        done = subprocess.run([CLIENT], env=environment, capture_output=True, text=True,
                              check=False)

        self.assertEqual(done.returncode, WRONG)
        self.assertIn("start this program by `gridloom metal`", done.stderr)

    def test_cmake_finds_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/CMakeLists.txt", "w", encoding="utf-8") as file:
                file.write("cmake_minimum_required(VERSION 3.22)\nproject(p NONE)\n"
                           "find_package(TT-Metalium REQUIRED)\n"
                           "get_target_property(f TT::Metalium INTERFACE_INCLUDE_DIRECTORIES)\n"
                           "message(NOTICE ${f})\n")
            done = subprocess.run(["cmake", "-S", folder, "-B", f"{folder}/b",
                                   f"-DTT-Metalium_DIR={PACKAGE}"],
                                  capture_output=True, text=True, check=False)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("workloads/metal/host/include", done.stderr)


if __name__ == "__main__":
    unittest.main()
