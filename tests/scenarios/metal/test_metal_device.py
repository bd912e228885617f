"""What compiled kernels call: data movement, compute, prints, arithmetic."""
import json
import os
import stat
import struct
import unittest

import gridloom
from gridloom import DONE, INPUT, SOURCE, STOPPED

BEFORE = f"""#!/usr/bin/env python3
import os, struct, sys
sys.path.insert(0, {os.path.join(SOURCE, "tests", "scenarios")!r})
from metal_host import DRAM, L1, Host, mover
host = Host()
def words(count, place=0, address=L1 + 131072):
    data = host.ask({{"do": "read", "space": "l1", "parts": [place, address, 4 * count]}})[1]
    return struct.unpack(f"<{{count}}I", data)
"""

READER = """
#include <stdint.h>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    constexpr auto args = TensorAccessorArgs<0>();
    constexpr uint32_t pages = get_named_compile_time_arg_val("pages");
    const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0));
    for (uint32_t i = 0; i < pages; i++) {
        cb_reserve_back(tt::CBIndex::c_0, 1);
        noc_async_read_page(i, tensor, get_write_ptr(tt::CBIndex::c_0));
        noc_async_read_barrier();
        cb_push_back(tt::CBIndex::c_0, 1);
    }
}"""

# Sums of a page and itself, and 3 times that.
COMPUTE = """
#include "compute_kernel_api/eltwise_binary.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
namespace NAMESPACE {
void MAIN {
    constexpr uint32_t pages = get_compile_time_arg_val(0);
    CircularBuffer in(0), out(16);
    compute_kernel_hw_startup(0, 0, 16);
    add_init(0, 0);
    binop_with_scalar_tile_init();
    for (uint32_t i = 0; i < pages; i++) {
        in.wait_front(1);
        tile_regs_acquire();
        add_tiles(0, 0, 0, 0, 0);
        mul_unary_tile(0, 0x40400000);
        tile_regs_commit();
        in.pop_front(1);
        out.reserve_back(1);
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        out.push_back(1);
    }
    DPRINT_MATH("{} pages of {} bytes\\n", pages, get_tile_size(0));
}
}"""

WRITER = """
#include "dataflow_api.h"
void kernel_main() {
    const InterleavedAddrGenFast<true> to = {
        .bank_base_address = get_arg_val<uint32_t>(0), .page_size = 2048, .data_format = get_dataformat(16)};
    Noc noc;
    CircularBuffer out(16);
    for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); i++) {
        out.wait_front(1);
        noc.async_write(out, to, out.get_tile_size(), {}, {.page_id = i});
        noc.async_write_barrier();
        out.pop_front(1);
    }
}"""

ADD = f"""
def bf16(number):
    return struct.pack("<H", struct.unpack("<I", struct.pack("<f", number))[0] >> 16)
PAGES = 15
sent = [bf16(i % 16) for i in range(1024 * PAGES)]
host.write(DRAM, PAGES, b"".join(sent))
place = [[0, 0, 0, 0]]
buffers = [{{"cores": place, "index": i, "address": L1 + 65536 * (i > 0), "bytes": 4096, "page_bytes": 2048,
            "format": 5}} for i in (0, 16)]
compute = {{"name": "compute", "text": {COMPUTE!r}, "processor": "compute", "noc": 0, "cores": place,
           "compile_args": [PAGES], "fidelity": 4, "args": []}}
host.launch(mover({READER!r}, DRAM, processor="ncrisc", name="reader", compile_args=[2, 2048],
                  named_args=[["pages", PAGES]]),
            compute, mover({WRITER!r}, DRAM + 65536, PAGES, noc=1, name="writer"), buffers=buffers)
got = host.read(DRAM + 65536, PAGES, 2048)
print(got == b"".join(bf16(6 * (i % 16)) for i in range(1024 * PAGES)))
host.end()
"""

# Words of L1: what floats, long divisions, transaction ids and places of shards give.
MOVER = """
#include "api/debug/dprint.h"
void kernel_main() {
    CoreLocalMem<volatile uint32_t> words(get_arg_val<uint32_t>(0));
    uint32_t count = 0;
    const volatile float a = 1.5f, b = -0.1f, tiny = 1e-40f;
    for (float value : {a + b, a - b, a * b, a / b, tiny * 3.0f, tiny + a, float(int(a * 100.0f))}) {
        words[count++] = __builtin_bit_cast(uint32_t, value);
    }
    words[count++] = (a > b) + 2 * (b > a) + 4 * (a == a) + 8 * (a <= b);
    const volatile uint64_t large = 1000000000007ull, small = 123456789;
    words[count++] = uint32_t(large / small);
    words[count++] = uint32_t(large % small);

    // 4 x 6 pages in shards of 2 x 4 on three banks, DRAM 5, 6 and 7.
    const auto tensor = TensorAccessor(TensorAccessorArgs<0>(), 4096);
    for (uint32_t page : {0u, 3u, 4u, 11u, 12u, 23u}) {
        const uint64_t address = tensor.get_noc_addr(page);
        words[count++] = uint32_t(address);
        words[count++] = NOC_UNICAST_ADDR_X(address) << 8 | NOC_UNICAST_ADDR_Y(address);
    }
    const uint32_t from = get_arg_val<uint32_t>(0), to = from + 4096;
    for (uint32_t id = 1; id < 4; id++) {
        noc_async_read_set_trid(id);
        noc_async_read(get_noc_addr(from), to + 64 * id, 64);
    }
    for (uint32_t id = 1; id < 4; id++) {
        noc_async_read_barrier_with_trid(id);
        words[count++] = words[1024 + 16 * id] == words[0];
    }
    Semaphore<> semaphore(0);
    semaphore.inc_multicast(Noc(), 19, 18, 20, 18, 7, 2);
    noc_async_atomic_barrier();
    DPRINT("{} {:#x} {:.2f} {} {}\\n", -3, 48879u, a, bf16_t(0x3fc0), "text");
    DPRINT << "old " << HEX() << 255 << DEC() << ' ' << a << ENDL();
    ASSERT(count == 25);
    words[count] = get_local_cb_interface(2).fifo_page_size;
}"""

WORDS = f"""
buffer = {{"cores": [[0, 0, 0, 0]], "index": 2, "address": L1, "bytes": 4096, "page_bytes": 1024, "format": 5}}
host.launch(mover({MOVER!r}, L1 + 131072, compile_args=[3, 32, 2, 3, 4, 6, 2, 4, 0x06000500, 0x0700]),
            semaphores=[{{"cores": [[0, 0, 2, 0]], "id": 0, "value": 1}}], buffers=[buffer])
print(*words(26))
print(*(words(1, place, 35008)[0] for place in range(3)))
host.end()
"""


VECTORS = """
#include "sfpi.h"
#ifdef TRISC_MATH
namespace ckernel::sfpu {
inline void some() {
    using namespace sfpi;
    #pragma clang loop unroll(disable)
    for (int i = 0; i < 8; i++) {
        vFloat a = dst_reg[0], b = dst_reg[32];
        BODY
        dst_reg++;
    }
}
}
#endif
void kernel_main() {
    tile_regs_acquire();
    MATH(SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(DST_SYNC_MODE, DST_ACCUM_MODE, some, 0, VectorMode::RC));
    tile_regs_commit();
    tile_regs_wait();
    tile_regs_release();
}"""


def single(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def bits(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


def shard_words():
    """Address and place of pages of 4 x 6 in shards of 2 x 4, one after another on three banks."""
    places = [(5, 11), (5, 2), (5, 9)]  # banks 5, 6 and 7 on NoC 0
    for page in (0, 3, 4, 11, 12, 23):
        row, column = divmod(page, 6)
        shard = row // 2 * 2 + column // 4
        yield 4096 + (shard // 3 * 8 + row % 2 * 4 + column % 4) * 32
        yield places[shard % 3][0] << 8 | places[shard % 3][1]


class Device(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def metal(self, body, *words):
        """Runs a host program that does this."""
        name = self.write("host", BEFORE + body)
        os.chmod(self.path(name), stat.S_IRWXU)
        return self.gridloom("metal", name, *words)

    def test_tiles_go_through_three_kernels(self):
        done = self.metal(ADD, "-q")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertIn("15 pages of 2048 bytes", done.stdout)
        self.assertIn("True\n", done.stdout)

    def test_formats_that_compute_kernels_lack_are_refused(self):
        done = self.metal(ADD.replace('"format": 5', '"format": 1'), "-q")

        self.assertEqual((done.returncode, done.stdout), (STOPPED, ""), done.stderr)
        self.assertIn("circular buffer 0 has a format that compute kernels do not have", done.stderr)

    def test_a_mover_computes_and_speaks(self):
        done = self.metal(WORDS, "-q")
        spoken = [line for line in done.stdout.splitlines() if line.startswith("core")]
        numbers = [line for line in done.stdout.splitlines() if not line.startswith("core")]
        a, b, tiny = 1.5, single(-0.1), single(1e-40)
        floats = [bits(x) for x in (a + b, a - b, a * b, a / b, tiny * 3, tiny + a, 150)]

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual([int(word) for word in numbers[0].split()],
                         [*floats, 5, 8100, 1000000000007 % 123456789, *shard_words(), 1, 1, 1, 1024])
        self.assertEqual(numbers[1], "1 8 8")
        self.assertRegex(spoken[0], r"BRISC @ \d+: -3 0xbeef 1.50 1.5 text$")
        self.assertRegex(spoken[1], r"BRISC @ \d+: old ff 1.5$")

    def test_a_program_tries_all_that_compute_kernels_can_do(self):
        done = self.gridloom("metal", os.path.join(SOURCE, "tests", "programs", "metal", "compute.cpp"), "-q")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""), done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "Test Passed")

    def test_vectors_take_the_time_of_their_instructions(self):
        cycles = {}
        for name, body in (("none", ""), ("sums", "dst_reg[0] = a + b;")):
            text = VECTORS.replace("BODY", body)
            done = self.metal(f"host.launch({{'name': 'c', 'text': {text!r}, 'processor': 'compute', 'noc': 0,"
                              "'cores': [[0, 0, 0, 0]], 'fidelity': 4, 'args': []})\nhost.end()", "-q", "--json", "r")
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))
            cycles[name] = json.loads(self.read("r"))["metrics"]["device_cycles"]
        # 32 vectors: a multiply-add, a store and a wait between them. Lines of text are fetched, too.
        self.assertTrue(96 <= cycles["sums"] - cycles["none"] <= 104, cycles)

    def test_what_is_missing_is_named(self):
        for status, says, text in (
                (INPUT, ["Gridloom has no NOC_XY_PCIE_ENCODING", "workloads/doc/metal.md"],
                 "void kernel_main() { (void) NOC_XY_PCIE_ENCODING(0, 3); }"),
                (INPUT, ["no_compile_time_argument_has_this_name"],
                 "void kernel_main() { constexpr uint32_t x = get_named_compile_time_arg_val(\"x\"); }"),
                (STOPPED, ["mover:2: kernel mover on core[0,0]", "ASSERT(my_x[0] == 0)"],
                 "void kernel_main() {\nASSERT(my_x[0] == 0); }")):
            with self.subTest(says):
                done = self.metal(f"host.launch(mover({text!r}))\nhost.end()")

                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                for part in says:
                    self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
