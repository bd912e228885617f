"""Energy of runs on Tensix cores: by part, from what the parts did, with the range that the chip
file gives."""
import json
import os
import unittest

import gridloom
from gridloom import SOURCE

WATTS = "power.idle_watts"
# Units of the chip file's keys.
KEYS = {"idle": WATTS, "noc": "power.noc_picojoules_per_byte_hop"}
KEYS.update({part: f"power.{part}_picojoules_per_cycle"
             for part in ("core", "fpu", "sfpu", "unpacker", "packer", "riscv")})
KEYS.update({part: f"power.{part}_picojoules_per_byte" for part in ("l1", "dram", "ethernet")})

# One core that does one thing, again and again, as the arms of tt-sim's energybench do.
ARM = """return {{ summary = "an arm", chips = {{ "tensix" }}, parameters = {{}},
kernels = {{
    fill = function(args)
        for cb = 0, 1 do cb_reserve_back(cb, 1) cb_push_back(cb, 1) end
    end,
    integers = function(args) scalar {{ add = 200000, multiply = 50000 }} end,
    reads = function(args)
        for _ = 1, 200 do
            noc_async_read(get_dram_noc_addr(0, args.address), args.l1, 2048)
            noc_async_read_barrier()
        end
    end,
    products = function(args)
        mm_init(0, 1, 16)
        cb_wait_front(0, 1) cb_wait_front(1, 1)
        tile_regs_acquire()
        for _ = 1, 1000 do matmul_tiles(0, 1, 0, 0, 0) end
        tile_regs_commit() tile_regs_wait() tile_regs_release()
        cb_pop_front(0, 1) cb_pop_front(1, 1)
    end,
    vectors = function(args)
        copy_tile_init(0) add_binary_tile_init()
        cb_wait_front(0, 1) cb_wait_front(1, 1)
        tile_regs_acquire()
        copy_tile(0, 0, 0) copy_tile(1, 0, 1)
        for _ = 1, 1000 do add_binary_tile(0, 1, 0) end
        tile_regs_commit() tile_regs_wait() tile_regs_release()
        cb_pop_front(0, 1) cb_pop_front(1, 1)
    end,
}},
run = function(host)
    local here, program = {{ x = 0, y = 0 }}, host.program()
    local l1 = host.l1_allocate {{ cores = here, bytes = 2048, name = "landing" }}
    for _, index in ipairs {{ 0, 1, 16 }} do
        program:circular_buffer {{ cores = here, index = index, pages = 1{circular_buffer} }}
    end
    if "{processor}" == "compute" then
        program:kernel {{ kernel = "fill", processor = "reader", cores = here }}
    end
    program:kernel {{ kernel = "{kernel}", processor = "{processor}", cores = here,
        args = {{ address = host.allocate(2048), l1 = l1 }}{options} }}
    local launch = host.launch(program)
    host.measure(function() host.wait(launch) end)
end }}
"""


class Energy(gridloom.Scenario):
    def keys(self, chip="wormhole_n300"):
        """Value and range of each key of [power]."""
        numbers = json.loads(self.succeed("describe", chip, "--json", "-").stdout)["chip_parameters"]
        keys = {}
        for number in numbers:
            if number["section"] == "power":
                low, high = number["range"].split("..")
                keys[f"power.{number['key']}"] = (float(number["value"]), float(low), float(high))
        return keys

    def run_one(self, *words):
        self.succeed("run", *words, "--json", "r.json", "-q")
        return json.loads(self.read("r.json"))

    def parts(self, result):
        return {part["part"]: part for part in result["metrics"]["energy_parts"]}

    def test_parts_add_up_and_are_what_they_did_times_their_key(self):
        keys = self.keys()
        result = self.run_one("pcg", "rows=2", "cols=2", "tiles=4", "iterations=2")
        parts = self.parts(result)

        self.assertEqual(set(parts), set(KEYS))
        self.assertEqual(set(KEYS.values()), set(keys))
        for name, part in parts.items():
            scale = 1 if name == "idle" else 1e-12
            for member, number in zip(("joules", "low_joules", "high_joules"), keys[KEYS[name]]):
                self.assertAlmostEqual(part[member], part["done"] * number * scale,
                                       delta=1e-9 * part[member])
        for whole, member in ((result["energy_joules"], "joules"),
                              (result["metrics"]["energy_low_joules"], "low_joules"),
                              (result["metrics"]["energy_high_joules"], "high_joules")):
            self.assertAlmostEqual(whole / sum(part[member] for part in parts.values()), 1, places=9)
        self.assertAlmostEqual(result["metrics"]["power_watts"] * result["seconds"]
                               / result["energy_joules"], 1)

    def test_parts_did_what_units_and_counters_say(self):
        result = self.run_one("vecadd", "tiles=64", "rows=2", "cols=2", "unit=sfpu")
        done = {name: part["done"] for name, part in self.parts(result).items()}
        units, counters = result["metrics"]["units"], result["counters"]
        lanes = ("unpack", "math", "pack", "reader", "writer")

        for unit in ("fpu", "sfpu", "unpacker", "packer"):
            self.assertEqual(done[unit], units[unit].get("busy", 0))
        self.assertEqual(done["riscv"], sum(cycles for lane in lanes
                                            for reason, cycles in units[lane].items()
                                            if reason != "idle"))
        self.assertEqual(done["core"], sum(units["fpu"].values()))
        # Two tiles in and one out, for the units and for the networks, 2048 bytes each.
        self.assertEqual(done["l1"], 2 * 4 * 64 * 3 * 2048)
        self.assertEqual(done["l1"], counters["sram_bytes"] + counters["received_bytes"]
                         + counters["sent_bytes"])
        self.assertEqual(done["noc"], counters["noc_bytes"])
        self.assertEqual(done["dram"], 4 * 64 * 3 * 2048)  # the host's are before the region
        self.assertEqual(done["ethernet"], 0)
        self.assertAlmostEqual(done["idle"], result["seconds"], places=15)

    def test_a_number_that_the_user_has_set_is_certain(self):
        words = ("vecadd", "tiles=8", "from=l1")
        usual = self.run_one(*words)
        other = self.run_one(*words, "--set", "power.fpu_picojoules_per_cycle=0",
                             "--set", f"{WATTS}=100")
        parts = self.parts(other)

        self.assertEqual(other["cycles"], usual["cycles"])
        self.assertNotEqual(other["chip_digest"], usual["chip_digest"])
        self.assertEqual([parts["fpu"][name] for name in ("joules", "low_joules", "high_joules")],
                         [0, 0, 0])
        self.assertAlmostEqual(parts["idle"]["high_joules"] / (100 * other["seconds"]), 1)
        self.assertEqual(self.parts(usual)["sfpu"], parts["sfpu"])

    def test_the_report_says_the_range_and_that_it_is_assumed(self):
        printed = self.succeed("run", "vecadd", "tiles=8", "from=l1").stdout

        self.assertRegex(printed, r"  energy     about \d+\.?\d* uJ, \d+\.?\d* uJ to \d+\.?\d* uJ, "
                                  r"since most of \[power\] is assumed; 3\d(\.\d)? W\n")

    def test_a_board_draws_no_more_than_it_may(self):
        """Matrix products on all cores of an n150: 160 W, at whatever end of the ranges."""
        result = self.run_one("matmul", "--chip", "wormhole_n150", "--timing-only", "from=l1",
                              "rows=8", "cols=8", "m=2048", "k=512", "n=2048", "fidelity=hifi4")

        self.assertLess(result["metrics"]["power_watts"], 160)
        self.assertLessEqual(result["metrics"]["energy_high_joules"], 160.001 * result["seconds"])
        self.assertGreater(sum(part["high_joules"] for part in self.parts(result).values()),
                           160 * result["seconds"])

    def test_chips_of_a_system_have_their_own(self):
        words = ("stencil7", "tiles=8", "--timing-only", "iterations=2")
        one = self.run_one(*words)
        two = self.run_one(*words, "--system", "n300", "chips=2")

        self.assertGreater(self.parts(two)["ethernet"]["done"], 0)
        self.assertEqual(self.parts(two)["ethernet"]["done"], two["counters"]["ethernet_bytes"])
        self.assertAlmostEqual(self.parts(two)["idle"]["done"] / (2 * two["seconds"]), 1)
        self.assertEqual(self.parts(one)["ethernet"]["done"], 0)

    def test_a_chip_file_need_not_say(self):
        with open(os.path.join(SOURCE, "arch/chips/wormhole_n150.ini"), encoding="utf-8") as file:
            text = file.read()
        begin = text.index("[power]")
        self.write("plain.ini", text[:begin] + text[text.index("[area]"):])
        result = self.run_one("vecadd", "tiles=4", "from=l1", "--chip", "plain.ini")

        self.assertIsNone(result["energy_joules"])
        self.assertNotIn("energy_parts", result["metrics"])

    def test_what_one_core_adds_is_within_the_range(self):
        """Nanojoules of an operation above those of an idle ASIC of an n300, from mesham/tt-sim,
        card session 2026-08-17, energybench: (power - 30.1 W) / (1 - launches a second / 1798)
        times the time of an operation, where 1798 launches a second is what kernels that return
        at once reach. The instrument resolves 0.4 W."""
        arms = (("integers", "reader", 50000, 0.98 * 6),  # of 6 cycles here and 8 there
                ("reads", "reader", 200, 1.07 * 480),
                ("products", "compute", 1000, 4.44 * 68),
                ("vectors", "compute", 1000, 1.45 * 197))

        for kernel, processor, count, nanojoules in arms:
            options = ', fidelity = "hifi4"' if kernel == "products" else ""
            wide = kernel == "vectors"
            script = ARM.format(kernel=kernel, processor=processor,
                                options=options + (", fp32_dst = true" if wide else ""),
                                circular_buffer=', format = "fp32"' if wide else "")
            result = self.run_one(self.write("arm.lua", script), "--timing-only")
            parts = [part for part in result["metrics"]["energy_parts"] if part["part"] != "idle"]
            low, high = (sum(part[end] for part in parts) / count * 1e9
                         for end in ("low_joules", "high_joules"))
            self.assertTrue(low < nanojoules < high, (kernel, low, nanojoules, high))


if __name__ == "__main__":
    unittest.main()
