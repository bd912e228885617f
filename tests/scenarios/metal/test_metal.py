"""Host programs of their own, with compiled kernels: gridloom metal."""
import json
import os
import stat
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT, SOURCE, STOPPED

BEFORE = f"""#!/usr/bin/env python3
import os, sys
sys.path.insert(0, {os.path.join(SOURCE, "tests", "scenarios")!r})
from metal_host import DRAM, L1, Host, mover
host = Host()
"""

COPY = """
void kernel_main() {
    uint32_t local = get_arg_val<uint32_t>(0), from = get_arg_val<uint32_t>(1);
    uint32_t to = get_arg_val<uint32_t>(2), pages = get_arg_val<uint32_t>(3);
    for (uint32_t i = 0; i < pages; i++) {
        uint32_t offset = i / NUM_DRAM_BANKS * 2048;
        noc_async_read(get_noc_addr_from_bank_id<true>(i % NUM_DRAM_BANKS, from + offset), local, 2048);
        noc_async_read_barrier();
        noc_async_write(local, get_noc_addr_from_bank_id<true>(i % NUM_DRAM_BANKS, to + offset), 2048);
        noc_async_write_barrier();
    }
}
"""

LOOPBACK = f"""
sent = os.urandom(20 * 2048)
host.ask({{"do": "open"}})
host.write(DRAM, 20, sent)
print("cycles", host.launch(mover({COPY!r}, L1, DRAM, DRAM + 65536, 20))["cycles"])
is_equal = host.read(DRAM + 65536, 20, 2048) == sent
print("Test Passed" if is_equal else "Test FAILED")
host.end()
sys.exit(0 if is_equal else 1)
"""


class Metal(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def program(self, body):
        """Writes a host program that does this."""
        name = self.write("host", BEFORE + body)
        os.chmod(self.path(name), stat.S_IRWXU)
        return name

    def metal(self, body, *words):
        return self.gridloom("metal", self.program(body), *words)

    def assertKernelFails(self, status, says, text, *words):
        done = self.metal(f"host.launch(mover({text!r}, name='broken'))\nhost.end()", *words)

        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        for part in says:
            self.assertIn(part, done.stderr)

    def test_pages_go_to_a_core_and_back(self):
        done = self.metal(LOOPBACK, "--json", "result.json", "--report", "page.html")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertIn("Test Passed\n", done.stdout)
        result = json.loads(self.read("result.json"))
        cycles = int(done.stdout.split()[1])
        self.assertEqual(result["metrics"]["launches"], 1)
        self.assertEqual(result["metrics"]["device_cycles"], cycles)
        # A read and a write of a page one after another take 800 to 1000 cycles on silicon.
        self.assertTrue(20 * 700 < cycles < 20 * 1100, cycles)
        self.assertEqual(result["counters"]["dram_bytes"], 4 * 20 * 2048)
        self.assertEqual(result["workload"], "host")
        self.assertIn("launches", self.read("page.html"))

    def test_times_do_not_depend_on_what_was_compiled_before(self):
        first, second = (self.metal(LOOPBACK, "-q").stdout for _ in range(2))

        self.assertEqual(first, second)

    def test_kernels_of_several_cores_wait_for_each_other(self):
        ring = """
            void kernel_main() {
                uint32_t x = my_x[0] - 18;
                auto word = reinterpret_cast<volatile uint32_t *>(get_semaphore(0));
                if (x > 0) noc_semaphore_wait(word, 1);
                if (x < 7) noc_semaphore_inc(get_noc_addr(my_x[0] + 1, my_y[0], get_semaphore(0)), 1);
                noc_async_atomic_barrier();
                *reinterpret_cast<volatile uint32_t *>(get_arg_val<uint32_t>(0)) = 40 + x;
            }"""
        done = self.metal(
            f"host.launch(mover({ring!r}, L1, cores=((0, 0, 7, 0),)),\n"
            "    semaphores=[{'cores': [(0, 0, 7, 0)], 'id': 0, 'value': 0}])\n"
            "parts = [number for x in range(8) for number in (x, L1, 4)]\n"
            "data = host.ask({'do': 'read', 'space': 'l1', 'parts': parts})[1]\n"
            "print(list(data[::4]))\nhost.end()", "-q")

        self.assertEqual((done.returncode, done.stdout), (DONE, "[40, 41, 42, 43, 44, 45, 46, 47]\n"), done.stderr)

    def test_two_movers_share_a_circular_buffer(self):
        reader = """
            void kernel_main() {
                for (uint32_t i = 0; i < 8; i++) {
                    cb_reserve_back(0, 1);
                    *reinterpret_cast<volatile uint32_t *>(get_write_ptr(0)) = i * i;
                    cb_push_back(0, 1);
                }
            }"""
        writer = """
            void kernel_main() {
                uint32_t sum = 0;
                for (uint32_t i = 0; i < 8; i++) {
                    cb_wait_front(0, 1);
                    sum += *reinterpret_cast<volatile uint32_t *>(get_read_ptr(0));
                    cb_pop_front(0, 1);
                }
                *reinterpret_cast<volatile uint32_t *>(get_arg_val<uint32_t>(0)) = sum;
            }"""
        done = self.metal(
            f"host.launch(mover({reader!r}, processor='ncrisc'), mover({writer!r}, L1 + 65536),\n"
            "    buffers=[{'cores': [(0, 0, 0, 0)], 'index': 0, 'address': L1, 'bytes': 4096,\n"
            "              'page_bytes': 2048, 'format': 5}])\n"
            "data = host.ask({'do': 'read', 'space': 'l1', 'parts': [0, L1 + 65536, 4]})[1]\n"
            "print(int.from_bytes(data, 'little'))\nhost.end()", "-q")

        self.assertEqual((done.returncode, done.stdout), (DONE, "140\n"), done.stderr)

    def test_tiles_are_added(self):
        reader = """
            #include "dataflow_api.h"
            void kernel_main() {
                const InterleavedAddrGenFast<true> a = {
                    .bank_base_address = get_arg_val<uint32_t>(0), .page_size = get_tile_size(0),
                    .data_format = get_dataformat(0)};
                const InterleavedAddrGenFast<true> b = {
                    .bank_base_address = get_arg_val<uint32_t>(1), .page_size = get_tile_size(1),
                    .data_format = get_dataformat(1)};
                for (uint32_t i = 0; i < get_arg_val<uint32_t>(2); i++) {
                    cb_reserve_back(0, 1);
                    cb_reserve_back(1, 1);
                    noc_async_read_tile(i, a, get_write_ptr(0));
                    noc_async_read_tile(i, b, get_write_ptr(1));
                    noc_async_read_barrier();
                    cb_push_back(0, 1);
                    cb_push_back(1, 1);
                }
            }"""
        compute = """
            #include "compute_kernel_api/eltwise_binary.h"
            namespace NAMESPACE {
            void MAIN {
                uint32_t count = get_arg_val<uint32_t>(0);
                binary_op_init_common(0, 1, 16);
                add_tiles_init(0, 1);
                for (uint32_t i = 0; i < count; i++) {
                    cb_wait_front(0, 1);
                    cb_wait_front(1, 1);
                    tile_regs_acquire();
                    add_tiles(0, 1, 0, 0, 0);
                    tile_regs_commit();
                    tile_regs_wait();
                    cb_reserve_back(16, 1);
                    pack_tile(0, 16);
                    cb_push_back(16, 1);
                    tile_regs_release();
                    cb_pop_front(0, 1);
                    cb_pop_front(1, 1);
                }
            }
            }"""
        writer = """
            void kernel_main() {
                const InterleavedAddrGenFast<true> c = {
                    .bank_base_address = get_arg_val<uint32_t>(0), .page_size = get_tile_size(16),
                    .data_format = get_dataformat(16)};
                for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); i++) {
                    cb_wait_front(16, 1);
                    noc_async_write_tile(i, c, get_read_ptr(16));
                    noc_async_write_barrier();
                    cb_pop_front(16, 1);
                }
            }"""
        done = self.metal(f"""
import struct
def bfloat16(numbers):
    return b"".join(struct.pack("<f", number)[2:] for number in numbers)
a, b = [float(i % 128) for i in range(8192)], [float(i * 7 % 64) for i in range(8192)]
host.write(DRAM, 8, bfloat16(a))
host.write(DRAM + 65536, 8, bfloat16(b))
print(host.launch(mover({reader!r}, DRAM, DRAM + 65536, 8, processor="ncrisc"),
                  mover({writer!r}, DRAM + 131072, 8, noc=1), mover({compute!r}, 8, processor="compute"),
                  buffers=[{{"cores": [(0, 0, 0, 0)], "index": index, "address": L1 + place * 4096,
                            "bytes": 4096, "page_bytes": 2048, "format": 5}}
                           for place, index in enumerate((0, 1, 16))])["cycles"])
print(host.read(DRAM + 131072, 8, 2048) == bfloat16([x + y for x, y in zip(a, b)]))
host.end()""", "-q", "--json", "one.json")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        cycles, is_equal = done.stdout.split()
        self.assertEqual(is_equal, "True")
        # Reads of two pages and a barrier bound it: 600 to 800 cycles a tile.
        self.assertTrue(8 * 600 < int(cycles) < 8 * 800 + 1000, cycles)
        self.assertIn("host on wormhole_n300", self.succeed("roofline", "one.json").stdout)
        self.write("other.json", self.read("one.json").replace('"workload" : "host"', '"workload" : "vecadd.cpp"'))
        self.assertIn("other (earlier)", self.succeed(
            "compare", "vecadd", "--chips", "wormhole_n300", "tiles=1", "--beside", "other.json").stdout)

    def test_a_program_in_cpp_runs_as_it_is(self):
        source = os.path.join(SOURCE, "tests", "programs", "metal", "doubled.cpp")
        right = self.gridloom("metal", source, "--json", "r.json")
        wrong = self.gridloom("metal", source, "-q", "--", "3")

        self.assertEqual((right.returncode, right.stderr), (DONE, ""))
        lines = right.stdout.splitlines()
        self.assertRegex(lines[0], r"^core\[0,0\] BRISC @ \d+: 4 tiles are written$")
        self.assertEqual(lines[1:3], ["Test Passed", "doubled.cpp on wormhole_n300, cores 1 of 56"])
        self.assertEqual(json.loads(self.read("r.json"))["workload"], "doubled.cpp")
        self.assertEqual((wrong.returncode, wrong.stdout.splitlines()[1], wrong.stderr),
                         (CHECK, "Test FAILED", "gridloom: doubled.cpp: ended with exit code 1\n"))

    def test_a_kernel_that_does_what_no_chip_can_is_named(self):
        for says, text in (
                ((": kernel broken on core[0,0].", "stores to 0x12345678", "at cycle", "sp=0x"),
                 "void kernel_main() { *reinterpret_cast<volatile uint32_t *>(0x12345678) = 1; }"),
                (("broken:1: kernel broken", "loads from 0x20000000"),
                 "void kernel_main() { (void) *reinterpret_cast<volatile uint32_t *>(0x20000000); }"),
                (("kernel broken", "misaligned"),
                 "void kernel_main() { (void) *reinterpret_cast<volatile uint32_t *>(0x20002); }"),
                (("kernel broken", "circular buffer 3"), "void kernel_main() { cb_wait_front(3, 1); }"),
                (("kernel broken", "neither a core nor DRAM at (1, 1)"),
                 "void kernel_main() { noc_async_read(get_noc_addr(1, 1, 0), 0x20000, 32); }")):
            with self.subTest(says):
                self.assertKernelFails(STOPPED, says, text)

    def test_a_kernel_that_never_ends_is_stopped(self):
        self.assertKernelFails(STOPPED, ["cycle limit of 100000 reached", "(--limit-cycles)"],
                               "void kernel_main() { for (;;) asm volatile(\"\"); }",
                               "--limit-cycles", "100000")
        self.assertKernelFails(STOPPED, ["deadlock at cycle", "(broken) waits for noc_semaphore_wait"],
                               "void kernel_main() { noc_semaphore_wait("
                               "reinterpret_cast<volatile uint32_t *>(get_semaphore(1)), 1); }")

    def test_what_does_not_compile_is_said_in_the_compilers_words(self):
        self.assertKernelFails(INPUT, ["kernel broken does not compile:\n",
                                       "broken:2:20: error: use of undeclared identifier 'no_such_call'"],
                               "\nvoid kernel_main(){no_such_call();}")

    def test_a_host_program_that_fails_has_exit_code_4(self):
        done = self.metal("print('wrong'); sys.exit(7)")
        self.assertEqual((done.returncode, done.stderr), (CHECK, "gridloom: host: ended with exit code 7\n"))
        done = self.metal("os.kill(os.getpid(), 9)")
        self.assertEqual((done.returncode, done.stderr),
                         (CHECK, "gridloom: host: ended by signal 9 (Killed)\n"))

    def test_bad_requests_get_one_line(self):
        for says, body in (
                ("the host program asks for 'dance', which is not there", "host.ask({'do': 'dance'})"),
                ("the host program sent no program to launch", "host.ask({'do': 'launch'})"),
                ("the host program sent no integer of 0 to 0 for 'chip'", "host.ask({'do': 'open', 'chip': 1})"),
                ("kernel mover: no source", "host.launch(mover(''))"),
                ("cores (1, 0) to (0, 0): no such range", "host.launch(mover('x', cores=((1, 0, 0, 0),)))"),
                ("core 8,0 is outside the compute grid", "host.launch(mover('x', cores=((8, 0, 8, 0),)))"),
                ("at most 341 words fit", "host.launch(mover('x', *range(342)))"),
                ("kernels a and b are both for the same processor of core[0,0]",
                 "host.launch(*(mover('void kernel_main() {}', name=n) for n in 'ab'))"),
                ("lie outside of the DRAM", "host.read(1 << 30, 1, 32)"),
                ("the host program sent 4 bytes for 8",
                 "host.ask({'do': 'write', 'space': 'l1', 'parts': [0, L1, 8]}, b'abcd')"),
                ("l1: ", "host.ask({'do': 'read', 'space': 'l1', 'parts': [0, 1 << 30, 8]})"),
                ("the host program sent something else than an object of JSON", "host.ask([1])"),
        ):
            with self.subTest(says):
                done = self.metal(body)

                self.assertEqual((done.returncode, done.stdout), (INPUT, ""), done.stderr)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_bad_words_get_one_line(self):
        self.assertFails(INPUT, ["nothing.cpp: no such file; expected a host program"], "metal", "nothing.cpp")
        self.assertFails(INPUT, ["metal: no program;"], "metal")
        self.write("broken.cpp", "int main() { return missing; }\n")
        done = self.gridloom("metal", "broken.cpp")
        self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
        self.assertIn("broken.cpp:1:21: error: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
