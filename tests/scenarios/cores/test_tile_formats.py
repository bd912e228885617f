"""Formats of circular buffers, as scripts use them: copies of a tile, host conversions."""
import math
import unittest

import gridloom
from gridloom import INPUT

# Reads a tile of IN from DRAM, computes it to a tile of OUT, writes that to DRAM.
SCRIPT = """local HERE = {{ x = 0, y = 0 }}
return {{ summary = "a script for a test", chips = {{ "tensix" }}, parameters = {{}},
kernels = {{
reader = function(args)
    cb_reserve_back(0, 1)
    noc_async_read_tile(0, args.x, get_write_ptr(0))
    noc_async_read_barrier()
    cb_push_back(0, 1)
end,
writer = function(args)
    cb_wait_front(16, 1)
    noc_async_write_tile(0, args.y, get_read_ptr(16))
    noc_async_write_barrier()
    cb_pop_front(16, 1)
end,
compute = function(args)
    init_sfpu(0, 16)
    cb_wait_front(0, 1)
    cb_reserve_back(16, 1)
    tile_regs_acquire()
    copy_tile(0, 0, 0)
    {compute}
    tile_regs_commit()
    tile_regs_wait()
    pack_tile(0, 16)
    tile_regs_release()
    cb_pop_front(0, 1)
    cb_push_back(16, 1)
end,
}},
run = function(host, p)
    local IN, OUT = "{source}", "{target}"
    local program = host.program()
    local x = host.dram_buffer {{ pages = 1, page_bytes = host.tile_bytes(IN) }}
    local y = host.dram_buffer {{ pages = 1, page_bytes = host.tile_bytes(OUT) }}
    local given, got = host.buffer(1024 * 4), host.buffer(host.tile_bytes(OUT))
    program:circular_buffer {{ cores = HERE, index = 0, pages = 1, format = IN }}
    program:circular_buffer {{ cores = HERE, index = 16, pages = 1, format = OUT }}
    given:fill_random("fp32", 1, {low}, {high}, {step})
    host.upload(given:converted("fp32", IN), x)
    program:kernel {{ kernel = "reader", processor = "reader", cores = HERE, args = {{ x = x }} }}
    program:kernel {{ kernel = "writer", processor = "writer", cores = HERE, args = {{ y = y }} }}
    program:kernel {{ kernel = "compute", processor = "compute", cores = HERE, fp32_dst = {fp32} }}
    host.wait(host.launch(program))
    host.download(y, got)
    host.metric("bytes", #got)
    host.metric("error", got:converted(OUT, "fp32"):error("fp32", given))
    host.metric("first", given:get("fp32", 5))
    host.metric("result", got:converted(OUT, "fp32"):get("fp32", 5))
end }}
"""


def text(source, target, fp32=False, compute="", numbers=(-2, 2, 0.25)):
    low, high, step = numbers
    return SCRIPT.format(source=source, target=target, fp32=str(fp32).lower(),
                         compute=compute, low=low, high=high, step=step)


class TileFormats(gridloom.Scenario):
    def metrics_of(self, *words, **options):
        return self.result(self.script_file(text(*words, **options)))["metrics"]

    def script_file(self, script):
        return self.write("script.lua", script)

    def test_numbers_with_few_bits_pass_through_every_format(self):
        for source, target, fp32, size in (
                ("bfp8", "bfp8", False, 1088), ("bfp8", "fp32", True, 4096),
                ("bf16", "bfp8", False, 1088), ("fp32", "bfp8", True, 1088)):
            with self.subTest(source=source, target=target):
                metrics = self.metrics_of(source, target, fp32)

                self.assertEqual((metrics["bytes"], metrics["error"]), (size, 0))

    def test_bfp4_keeps_three_bits(self):
        metrics = self.metrics_of("bfp4", "bfp4")

        self.assertEqual(metrics["bytes"], 576)
        self.assertTrue(0 < metrics["error"] < 0.5, metrics)

    def test_integers_pass_as_they_are(self):
        for source, fp32, numbers in (
                ("uint32", True, (0, 2 ** 24, 1)), ("int32", True, (-2 ** 23, 2 ** 23, 1)),
                ("uint16", False, (0, 65535, 1))):
            with self.subTest(source=source):
                self.assertEqual(self.metrics_of(source, source, fp32, numbers=numbers)["error"], 0)

    def test_functions_of_the_sfpu_take_lua_numbers(self):
        for compute, source, fp32, function in (
                ("exp_tile_init() exp_tile(0, true)", "fp32", True, math.exp),
                ("clamp_tile(0, -0.5, 0.5)", "bf16", False, lambda x: min(max(x, -0.5), 0.5)),
                ("fill_tile(1, 2) binary_max_tile(0, 1, 0)", "bf16", False, lambda x: max(x, 2)),
                ('typecast_tile(0, "fp32", "int32") typecast_tile(0, "int32", "fp32")', "fp32",
                 True, math.trunc)):
            with self.subTest(compute=compute):
                metrics = self.metrics_of(source, source, fp32, compute=compute)
                expected = function(metrics["first"])

                self.assertAlmostEqual(metrics["result"], expected,
                                       delta=0.04 * abs(expected))

    def test_packers_add_to_l1_and_rectify(self):
        pack = "tile_regs_commit() tile_regs_wait() pack_tile(0, 16, 0) {} pack_tile(0, 16, 0) " \
               "pack_reconfig_l1_acc(0) tile_regs_release() tile_regs_acquire() fill_tile(0, 0) " \
               "pack_reconfig_l1_acc(true)"
        metrics = self.metrics_of("bf16", "bf16", compute=pack.format("pack_reconfig_l1_acc(1)"))
        self.assertEqual(metrics["result"], 2 * metrics["first"])
        metrics = self.metrics_of("bf16", "bf16", compute="pack_relu_config(1)")
        self.assertEqual(metrics["result"], max(metrics["first"], 0))

    def test_wide_integers_need_a_wide_dst(self):
        self.assertFails(INPUT, ["copy_tile: a Dst of 16 bits has no room for int32"],
                         "run", self.script_file(text("int32", "int32")))


if __name__ == "__main__":
    unittest.main()
