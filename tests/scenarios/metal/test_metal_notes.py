"""What is wrong with kernels, and what hardware lets pass; constants that they load."""
import os
import re
import stat
import unittest

import gridloom
from gridloom import DONE, INPUT, SOURCE, STOPPED

BEFORE = f"""#!/usr/bin/env python3
import os, struct, sys
sys.path.insert(0, {os.path.join(SOURCE, "tests", "scenarios")!r})
from metal_host import DRAM, L1, Host, mover
host = Host()
host.ask({{"do": "open", "environment": [[k, v] for k, v in os.environ.items() if k.startswith("TT_METAL_")]}})
BUFFERS = [{{"cores": [(0, 0, 7, 0)], "index": 0, "address": L1, "bytes": 4096, "page_bytes": 2048, "format": 5}}]
"""

CONSTANTS = """
static const uint32_t table[] = {3, 1, 4, 1, 5, 9, 2, 6};
constexpr uint16_t halves[] = {10, 20, 30, 40, 50};
const char *names[] = {"zero", "one", "two"};
__attribute__((noinline)) uint32_t pick(uint32_t i) {
    switch (i) {
    case 0: return 7; case 1: return 11; case 2: return 130; case 3: return 17;
    case 4: return 1900; case 5: return 23; default: return 1;
    }
}
void kernel_main() {
    auto out = reinterpret_cast<volatile uint32_t *>(get_arg_val<uint32_t>(0));
    uint32_t count = get_arg_val<uint32_t>(1), sum = 0;
    for (uint32_t i = 0; i < count; i++) sum = sum * 10 + table[i];
    out[0] = sum;
    sum = 0;
    for (uint32_t i = 0; i < 7; i++) sum += pick(i) * (i + 1);
    out[1] = sum;
    sum = 0;
    for (const char *at = names[count % 3]; *at; at++) sum = sum * 256 + *at;
    out[2] = sum;
    out[3] = halves[count % 5];
}
"""


class Notes(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def metal(self, body, *words):
        name = self.write("host", BEFORE + body + "\nhost.end()\n")
        os.chmod(self.path(name), stat.S_IRWXU)
        return self.gridloom("metal", name, *words)

    def test_what_hardware_lets_pass_is_noted_once_and_constants_are_loaded(self):
        hasty = """void kernel_main() {
            *reinterpret_cast<volatile uint32_t *>(0x30000) = get_arg_val<uint32_t>(7);
            for (int i = 0; i < 2; i++) noc_async_read(get_noc_addr(20, 20, 0x20000), 0x30000, 2048);
            noc_async_write(0x30000, get_noc_addr(20, 20, 0x20000), 64);
        }"""
        launch = (f"host.launch(mover({hasty!r}, 1, 2, name='hasty', cores=((0, 0, 1, 0),)),"
                  f" mover({CONSTANTS!r}, L1, 8, processor='ncrisc'))\n")
        done = self.metal(2 * launch + "print(struct.unpack('<4I', host.ask({'do': 'read', 'space': 'l1',"
                          " 'parts': [0, L1, 16]})[1]))", "-q")
        two = int.from_bytes(b"two", "big")
        self.assertEqual((done.returncode, done.stderr, done.stdout.splitlines()), (DONE, "", [
            "note: kernel hasty reads runtime argument 7 on core[0,0] BRISC, the host program has set 2",
            "note: kernel hasty on core[0,0] BRISC ends while 2 reads and 1 write of it are under way; "
            "it lacks a barrier",
            f"(31415926, 10132, {two}, 40)"]))

    def test_a_bad_kernel_gets_a_clear_message(self):
        for status, says, kernel in (
                (STOPPED, r"big:1: kernel big on core\[0,0\].writer: its stack does not fit into local memory beside "
                          r"its data: sp is 0xff",
                 "void kernel_main() { volatile uint32_t room[2000]; for (uint32_t i = 0; i < 2000; i++) room[i] = i; }"),
                (STOPPED, r"big:1: kernel big on core\[0,0\].writer: no compile-time argument has this index; ",
                 "void kernel_main() { *reinterpret_cast<volatile uint32_t *>(0x20000) = get_compile_time_arg_val(7); }"),
                (INPUT, r"big:1:22: error: use of undeclared identifier 'noc_async_dance'(?s:.*)\n"
                        r"workloads/doc/metal.md lists what there is\n$",
                 "void kernel_main() { noc_async_dance(3); }"),
                (INPUT, r"'dance.h' file not found(?s:.*)\nworkloads/doc/metal.md lists what there is\n$",
                 "#include \"dance.h\"\nvoid kernel_main() {}")):
            with self.subTest(says):
                done = self.metal(f"host.launch(mover({kernel!r}, 1, name='big'))", "-q")
                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                self.assertTrue(re.search(says, done.stderr), done.stderr)

    def test_a_missing_pop_names_who_waits(self):
        reader = "void kernel_main() { for (int i = 0; i < 4; i++) { cb_reserve_back(0, 1); cb_push_back(0, 1); } }"
        writer = "void kernel_main() { for (int i = 0; i < 4; i++) { cb_wait_front(0, 1); } }"
        done = self.metal(f"host.launch(mover({reader!r}, name='from.cpp', processor='ncrisc'),"
                          f" mover({writer!r}, name='to.cpp'), buffers=BUFFERS)", "-q")
        self.assertEqual((done.returncode, done.stdout), (STOPPED, ""))
        self.assertIn("core[0,0].reader (from.cpp) waits for cb_reserve_back(0, 1): 2 of 2 pages", done.stderr)
        self.assertIn("kernel to.cpp, which pops pages of it (0 so far), has ended", done.stderr)

    def test_a_wrong_tile_is_named(self):
        compute = """void kernel_main() {
            copy_tile_init(0);
            cb_wait_front(0, 1);
            tile_regs_acquire();
            copy_tile(0, 5, 0);
        }"""
        done = self.metal(f"host.launch(mover('void kernel_main() {{ cb_push_back(0, 1); }}'),"
                          f" mover({compute!r}, name='takes', processor='compute'), buffers=BUFFERS)", "-q")
        self.assertEqual((done.returncode, done.stdout), (STOPPED, ""), done.stderr)
        self.assertIn("takes:5: kernel takes on core[0,0].unpack: circular buffer 0: tile 5 is read, "
                      "cb_wait_front has waited for 1; pc=", done.stderr)

if __name__ == "__main__":
    unittest.main()
