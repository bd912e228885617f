"""Programs of kernels on Tensix cores: their abilities and their errors."""
import json
import os
import re
import unittest

import gridloom
from gridloom import INPUT, STOPPED


def script(kernels, body):
    """The text of a script with these kernels, and a run(host, p) of this body."""
    return f"""local HERE = {{ x = 0, y = 0 }}
return {{ summary = "a script for a test", chips = {{ "tensix" }}, parameters = {{}},
kernels = {{
{kernels}
}},
run = function(host, p)
    local program = host.program()
    {body}
end }}
"""


# Circular buffers 0, 1 and 16 of four tiles each, and a kernel called k.
BUFFERS = """for _, index in ipairs { 0, 1, 16 } do
        program:circular_buffer { cores = HERE, index = index, pages = 4 }
    end
    """
COMPUTE = BUFFERS + """program:kernel { kernel = "k", processor = "compute", cores = HERE }
    host.wait(host.launch(program))"""
READER = BUFFERS + """program:kernel { kernel = "k", processor = "reader", cores = HERE }
    host.wait(host.launch(program))"""

FULL_TILE = """cb_reserve_back(0, 1) cb_push_back(0, 1)
cb_reserve_back(1, 1) cb_push_back(1, 1)"""


class Cores(gridloom.Scenario):
    def run_kernel(self, kernel, body, *words):
        return self.outcome(self.write("script.lua", script(kernel, body)), *words)

    def outcome(self, *words):
        """The JSON object of a run that may print."""
        self.succeed("run", *words, "--json", "r.json", "-q")
        return json.loads(self.read("r.json"))

    def assertCallFails(self, call, says, body=COMPUTE, before=""):
        """The call, alone in line 4 of the script, ends the run; the first line of the
        complaint has the line, the kernel, the core, the call and what was expected."""
        kernel = f"k = function(args) {before}\n{call} end"
        failed = self.gridloom("run", self.write("script.lua", script(kernel, body)))
        first = failed.stderr.splitlines()[0]

        self.assertEqual((failed.returncode, failed.stdout), (INPUT, ""), failed.stderr)
        for text in ["gridloom: script.lua:5: kernel k on core[0,0]: ", *says]:
            self.assertIn(text, first)

    # Abilities.

    def test_arguments_arrive_as_they_were_given(self):
        printed = self.succeed("run", self.write("script.lua", script("""
k = function(args)
    print(args.n, args.x, args.text, args.flag, #args.list, args.list[2].deep, args[1])
    print(get_arg("n"), my_x(), my_y(), math.type(args.x))
end""", """program:kernel { kernel = "k", processor = "reader", cores = { 1, 0, 1, 0 },
        args = { "first", n = 7, x = 2.0, text = "a", flag = false, list = { 1, { deep = "d" } } } }
    host.wait(host.launch(program))""")), "-q").stdout

        self.assertEqual(re.sub(r"core\[1,0\] reader @ \d+: ", "", printed),
                         "7\t2.0\ta\tfalse\t2\td\tfirst\n7\t1\t0\tfloat\n")

    def test_arguments_can_differ_by_core(self):
        printed = self.succeed("run", self.write("script.lua", script(
            "k = function(args) print(args.sum) end", """
    program:kernel { kernel = "k", processor = "writer", cores = { 0, 0, 1, 1 },
        args = function(x, y) return { sum = 10 * x + y } end }
    host.wait(host.launch(program))""")), "-q").stdout

        self.assertEqual(sorted(line.split(": ")[1] for line in printed.splitlines()),
                         ["0", "1", "10", "11"])

    def test_unattributed_time_passes_where_a_kernel_says_so_unless_switched_off(self):
        for body in (COMPUTE, READER):
            kernel = "k = function(args) unattributed(3) end"
            timed = body.replace("host.wait(", 'host.metric("took", host.wait(') + ")"
            took = {word: self.run_kernel(kernel, timed, f"unattributed={word}", "--set",
                                          "tensix.unattributed_cycles_per_tile=700")["metrics"]["took"]
                    for word in ("on", "off")}

            self.assertEqual(took["on"] - took["off"], 2100)

    def test_unattributed_time_wants_a_count(self):
        self.assertCallFails("unattributed(-1)", ["unattributed", "0 to 65535"])

    def test_results_do_not_depend_on_threads(self):
        for words in (["from=l1", "unit=sfpu"], ["from=dram"]):
            texts = []
            for threads in ("1", "2", "3"):
                self.succeed("run", self.workload("vecadd.lua"), "tiles=5", "rows=2",
                             "cols=3", *words, "--threads", threads, "--json", "r.json",
                             "-q")
                texts.append(gridloom.without_host(self.read("r.json")))
            self.assertEqual(len(set(texts)), 1, words)

    @staticmethod
    def workload(name):
        return os.path.join(gridloom.SOURCE, "workloads", name)

    def test_every_cycle_of_every_lane_has_a_reason(self):
        result = self.outcome(self.workload("vecadd.lua"), "tiles=7", "rows=2", "cols=2")
        totals = {lane: sum(reasons.values())
                  for lane, reasons in result["metrics"]["units"].items()}

        self.assertEqual(set(totals.values()), {4 * result["cycles"]}, totals)
        self.assertLessEqual({"unpack", "math", "pack", "reader", "writer", "unpacker",
                              "fpu", "sfpu", "packer"}, set(totals))
        for lane, fraction in result["busy"].items():
            if lane in totals:
                self.assertAlmostEqual(
                    fraction, result["metrics"]["units"][lane]["busy"] / totals[lane]
                    if "busy" in result["metrics"]["units"][lane] else 0)

    def test_zones_of_kernels_are_in_the_result(self):
        result = self.run_kernel("""
k = function() zone("outer", function() delay(100) zone("inner", function() delay(50) end) end) end""",
                                 READER)

        self.assertAlmostEqual(result["zones"]["outer"], 150e-9, delta=5e-9)
        self.assertAlmostEqual(result["zones"]["inner"], 50e-9, delta=5e-9)

    def test_a_compute_kernel_can_read_a_value_and_decide_by_it(self):
        result = self.run_kernel("""
r = function(args)
    cb_reserve_back(0, 1)
    noc_async_read_tile(0, args.x, get_write_ptr(0))
    noc_async_read_barrier()
    cb_push_back(0, 1)
end,
k = function()
    unary_op_init_common(0, 16)
    cb_wait_front(0, 1)
    if read_tile_value(0, 0, 3) ~= 2.5 then error("it is not") end
    cb_pop_front(0, 1)
end""", """program:circular_buffer { cores = HERE, index = 0, pages = 2 }
    local x, data = host.dram_buffer { pages = 1, page_bytes = 2048 }, host.buffer(2048)
    data:set("bf16", 3, 2.5)
    host.upload(data, x)
    program:kernel { kernel = "r", processor = "reader", cores = HERE, args = { x = x } }
    program:kernel { kernel = "k", processor = "compute", cores = HERE }
    host.metric("cycles", host.wait(host.launch(program)))""")

        self.assertGreater(result["metrics"]["cycles"], 0)

    def test_matrix_products_are_exact_at_every_fidelity(self):
        for fidelity in ("lofi", "hifi4"):
            result = self.outcome(self.workload("matmul.lua"), "k=64", "rows=2", "cols=2",
                                  "fidelity=" + fidelity)
            self.assertEqual(result["check"]["status"], "pass")

    def test_matrix_products_take_as_long_as_measured(self):
        """Batches of 8 tiles; mesham/tt-sim, Wormhole card session 2026-08-17."""
        for fidelity, measured in (("lofi", 79), ("hifi2", 96), ("hifi4", 130)):
            short, long = (self.outcome(
                self.workload("matmul.lua"), "from=l1", "blocked=off", f"k={k}",
                "fidelity=" + fidelity)["cycles"] for k in (512, 1024))
            self.assertAlmostEqual((long - short) / 128, measured, delta=0.1 * measured)

    def test_a_block_that_keeps_an_operand_in_src_is_faster(self):
        blocked, plain = (self.outcome(
            self.workload("matmul.lua"), "from=l1", "blocked=" + value,
            "fidelity=lofi")["cycles"] for value in ("on", "off"))
        self.assertLess(blocked, 0.9 * plain)

    def test_two_rows_of_a_block_unpack_less_than_one(self):
        one, two = (self.outcome(self.workload("matmul.lua"), "from=l1", "fidelity=lofi", "partials=l1",
                                 shape)["cycles"] for shape in ("sub_rows=1", "sub_rows=2"))
        self.assertLess(two, 0.8 * one)

    def test_products_of_every_format_and_way(self):
        size = ["m=128", "n=192", "k=192", "rows=2", "cols=3"]
        ways = [["from=sharded", "depth=1", "dtype=bfp8", "fidelity=hifi2"],
                ["from=sharded", "sub_rows=2", "sub_cols=1", "dtype=bfp4", "fidelity=lofi"],
                ["partials=l1", "depth=2", "sub_rows=1", "fidelity=hifi3"],
                ["partials=reload", "depth=3", "sub_cols=1", "dtype=bfp8", "fidelity=lofi"],
                ["multicast=off", "partials=l1", "depth=1", "fp32_dst=on"],
                ["partials=reload", "depth=2", "dtype=fp32", "fidelity=hifi4"],
                ["from=l1", "depth=2", "blocked=off", "partials=l1"]]

        for words in ways:
            for values in ("exact", "random"):
                with self.subTest(words=words, values=values):
                    result = self.outcome(self.workload("matmul.lua"), *size, *words, "values=" + values)
                    self.assertEqual(result["check"]["status"], "pass")
                    self.assertEqual(result["check"]["max_abs_error"] == 0, values == "exact")

    def test_products_on_all_cores_are_as_fast_as_on_a_card(self):
        """tt-metal, tech_reports/GEMM_FLOPS, n150; `gridloom validate wormhole` has more."""
        for fidelity, measured in (("hifi4", 71.4), ("hifi2", 49.3)):
            result = self.outcome(
                self.workload("matmul.lua"), "--chip", "wormhole_n150", "--timing-only", "from=sharded",
                "m=2048", "k=2048", "n=2048", "rows=8", "cols=8", "depth=8", "fidelity=" + fidelity)
            self.assertAlmostEqual(result["metrics"]["cycles_per_matmul_tile"], measured, delta=0.08 * measured)

    def test_products_that_cannot_be_are_refused(self):
        for words, text in ((["m=100", "rows=3"], "m=100 is not a multiple of 32 x 3 cores"),
                            (["rows=10"], "10 x 1 cores (rows x cols): the chip has 7 x 8"),
                            (["sub_rows=3"], "no such part divides a core's block of 2 x 4 tiles"),
                            (["depth=5"], "depth=5 does not divide the 16 tiles along k"),
                            (["m=4096", "n=4096"], "KiB of L1, 1432 are free: use more cores"),
                            (["m=512", "partials=dst"], "64 tiles of the result in Dst, there is room for 8"),
                            (["from=sharded", "multicast=off"], "which must be sent")):
            done = self.gridloom("run", self.workload("matmul.lua"), *words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, done.stderr)

    def test_vectors_are_added_bit_for_bit(self):
        for words in (["from=l1"], ["from=dram", "rows=2"], ["from=l1", "dtype=fp32"]):
            for unit in ("fpu", "sfpu"):
                result = self.outcome(self.workload("vecadd.lua"), "tiles=3",
                                      "unit=" + unit, *words)
                self.assertEqual((result["check"]["status"], result["check"]["max_abs_error"]),
                                 ("pass", 0))

    def test_a_timing_only_run_takes_the_same_cycles(self):
        words = [self.workload("vecadd.lua"), "tiles=5", "cols=2"]
        full, timed = self.outcome(*words), self.outcome(*words, "--timing-only")

        self.assertEqual(full["cycles"], timed["cycles"])
        self.assertEqual(timed["check"]["status"], "skipped")

    def test_counted_operations_take_the_time_of_the_riscv(self):
        """Lua itself takes none."""
        counts = "add = 10, multiply = 3, divide = 2, load = 4, store = 100, branch = 100, float_divide = 1"
        for body in (COMPUTE, READER):
            free, paid = (self.run_kernel(
                f"k = function() for i = 1, 1000 do local x = i / 7 end {call} end", body)["cycles"]
                for call in ("scalar {}", f"scalar {{ {counts} }}"))
            self.assertEqual(paid - free, 10 + 3 * 2 + 2 * 33 + 4 * 8 + 517 + 303 + 430)

    def test_a_list_counts_each_name_once(self):
        for body in (COMPUTE, READER):
            free, paid = (self.run_kernel(f"k = function() {call} end", body)["cycles"] for call in
                          ("scalar {}", 'scalar { "add", "divide", "add", "turn", multiply = 3 }'))
            self.assertEqual(paid - free, 2 + 33 + 4 + 3 * 2)

    def test_turns_of_a_loop_take_time_and_those_of_lua_take_none(self):
        for body in (COMPUTE, READER):
            took = {}
            for name, loop in (("lua", "for i = 1, 100 do sum = sum + i end"),
                               ("paid", "for i in loop(1, 100) do sum = sum + i end"),
                               ("down", "for i in loop(100, 1, -1) do sum = sum + i end"),
                               ("none", "for i in loop(2, 1) do sum = 1 end sum = 5050")):
                kernel = f"k = function() local sum = 0 {loop} assert(sum == 5050) end"
                took[name] = self.run_kernel(kernel, body)["cycles"]
            self.assertEqual((took["paid"] - took["lua"], took["down"] - took["lua"]), (400, 400))
            self.assertEqual(took["none"], took["lua"])
        slow = self.run_kernel("k = function() for _ in loop(1, 10) do end end", READER,
                               "--set", "riscv.loop_cycles=100")["cycles"]
        self.assertEqual(slow - took["lua"], 1000)

    # Errors.

    def test_loops_that_go_nowhere(self):
        for body in (COMPUTE, READER):
            self.assertCallFails("loop(1, 2, 0)", ["a step of 0 goes nowhere"], body)
            self.assertCallFails("loop(1.5, 2)", ["loop"], body)
            self.assertCallFails('scalar { "root" }', ["no operation 'root', there are add"], body)

    def test_a_pop_without_a_wait(self):
        self.assertCallFails("cb_pop_front(0, 2)", ["cb_pop_front(0, 2): ", "wait"])
        self.assertCallFails("cb_pop_front(0, 2)", ["cb_pop_front(0, 2): ", "wait"], READER)

    def test_operations_that_no_riscv_counts(self):
        for body in (COMPUTE, READER):
            self.assertCallFails("scalar { root = 1 }", ["no operation 'root', there are add, multiply"], body)
            self.assertCallFails("scalar { add = -1 }", ["counts are whole numbers"], body)
            self.assertCallFails("scalar { add = 0.5 }", ["counts are whole numbers"], body)

    def test_what_is_no_number_is_named_without_its_sign(self):
        for number in ("0 / 0", "-(0 / 0)"):
            self.assertCallFails(f"mul_unary_tile(99, {number})", ["mul_unary_tile(99, nan): "])

    def test_a_push_without_a_reserve(self):
        self.assertCallFails("cb_push_back(16, 1)", ["cb_push_back(16, 1): ", "reserve"])
        self.assertCallFails("cb_push_back(16, 1)", ["cb_push_back(16, 1): ", "reserve"],
                             READER)

    def test_more_pages_than_the_buffer_has(self):
        for call in ("cb_wait_front(0, 5)", "cb_reserve_back(0, 5)"):
            self.assertCallFails(call, [call + ": ", "4"])
            self.assertCallFails(call, [call + ": ", "4"], READER)

    def test_a_circular_buffer_that_is_not_there(self):
        self.assertCallFails("cb_wait_front(7, 1)", ["cb_wait_front(7, 1): ", "7"])
        self.assertCallFails("cb_wait_front(7, 1)", ["cb_wait_front(7, 1): ", "7"], READER)
        self.assertCallFails("cb_wait_front(32, 1)", ["bad argument #1", "0 to 31, got 32"])

    def test_a_dst_index_out_of_range(self):
        before = "unary_op_init_common(0, 16) cb_wait_front(0, 1) tile_regs_acquire()"
        self.assertCallFails("copy_tile(0, 0, 16)", ["copy_tile(0, 0, 16): ", "Dst"],
                             before=before)

    def test_math_without_acquire(self):
        self.assertCallFails("copy_tile(0, 0, 0)", ["copy_tile(0, 0, 0): ", "acquire"],
                             before="unary_op_init_common(0, 16) cb_wait_front(0, 1)")

    def test_a_compute_kernel_that_forgets_to_commit(self):
        kernel = ("k = function() tile_regs_acquire()\nend")
        failed = self.gridloom("run", self.write("script.lua", script(kernel, COMPUTE)))
        first = failed.stderr.splitlines()[0]

        self.assertEqual(failed.returncode, INPUT, failed.stderr)
        self.assertIn("gridloom: script.lua:5: kernel k on core[0,0]: ", first)
        self.assertIn("commit", first)

    def test_a_misaligned_noc_address(self):
        call = "noc_async_read(get_noc_addr(1, 0, 100004), 100000, 32)"
        self.assertCallFails(call, ["noc_async_read(", "16"], READER)

    def test_an_address_in_l1_is_no_noc_address(self):
        self.assertCallFails("noc_async_read(100000, 100000, 32)",
                             ["expected a NoC address, as get_noc_addr gives it"], READER)

    def test_a_page_that_the_dram_buffer_does_not_have(self):
        body = BUFFERS + """local x = host.dram_buffer { pages = 3, page_bytes = 2048 }
    program:kernel { kernel = "k", processor = "reader", cores = HERE, args = { x = x } }
    host.wait(host.launch(program))"""
        self.assertCallFails("noc_async_read_tile(3, args.x, 100000)", ["3"], body)

    def test_a_core_outside_the_grid(self):
        self.assertCallFails("noc_async_write(100000, get_noc_addr(9, 9, 100000), 32)",
                             ["noc_async_write("], READER)
        for cores in ("{ 0, 0, 8, 0 }", "{ x = 0, y = 7 }"):
            self.assertFails(INPUT, ["script.lua:", "core"], "run", self.write(
                "script.lua", script("k = function() end", f"""
    program:kernel {{ kernel = "k", processor = "reader", cores = {cores} }}""")))

    def test_a_semaphore_overflow(self):
        body = """program:semaphore { cores = HERE, value = 0xffffffff }
    program:kernel { kernel = "k", processor = "reader", cores = HERE }
    host.wait(host.launch(program))"""
        kernel = """k = function()
    noc_semaphore_inc(get_noc_addr(get_semaphore(0)), 1)
    noc_async_atomic_barrier()
end"""
        failed = self.gridloom("run", self.write("script.lua", script(kernel, body)))

        self.assertEqual(failed.returncode, INPUT, failed.stderr)
        self.assertIn("core[0,0]", failed.stderr)
        self.assertIn("semaphore", failed.stderr)

    def test_a_semaphore_that_is_not_there(self):
        self.assertCallFails("get_semaphore(0)", ["the core has no semaphore 0"], READER)

    def test_a_multicast_to_another_number_of_cores(self):
        self.assertCallFails(
            "noc_async_write_multicast(100000, get_noc_multicast_addr(0, 0, 1, 1, 100000), 32, 4)",
            ["3 cores receive it"], READER)

    def test_more_l1_than_there_is_prints_the_map(self):
        failed = self.gridloom("run", self.write("script.lua", script(
            "k = function() end", """
    host.l1_allocate { cores = HERE, bytes = 4096, name = "table" }
    program:circular_buffer { cores = HERE, index = 3, pages = 1000 }
    program:kernel { kernel = "k", processor = "reader", cores = HERE }
    host.launch(program)""")))

        self.assertEqual(failed.returncode, INPUT)
        self.assertIn("script.lua:", failed.stderr.splitlines()[0])
        self.assertIn("circular buffer 3", failed.stderr.splitlines()[0])
        self.assertIn("table", failed.stderr)

    def test_a_kernel_that_waits_for_ever_shows_the_fill_levels(self):
        failed = self.gridloom("run", self.write("script.lua", script(
            "k = function() cb_wait_front(0, 2) end,\n"
            "r = function() cb_reserve_back(0, 1) cb_push_back(0, 1) end",
            BUFFERS + """program:kernel { kernel = "r", processor = "reader", cores = HERE }
    program:kernel { kernel = "k", processor = "compute", cores = HERE }
    host.launch(program)""")))

        self.assertEqual(failed.returncode, STOPPED, failed.stderr)
        self.assertIn("deadlock", failed.stderr)
        self.assertIn("kernel k", failed.stderr)
        self.assertIn("1 of 4 pages", failed.stderr)

    def test_what_kernels_print_carries_core_and_cycle_for_any_number_of_threads(self):
        text = script("""
            fetch = function(args)
                print("start", my_x())
                cb_reserve_back(0, 1)
                delay(my_x() == 0 and 500 or 100)
                print("there")
                cb_push_back(0, 1)
            end,
            use = function(args)
                cb_wait_front(0, 1)
                print("used")
                cb_pop_front(0, 1)
            end""", """
            local cores = { 0, 0, 1, 0 }
            program:circular_buffer { cores = cores, index = 0, pages = 1 }
            program:kernel { kernel = "fetch", processor = "reader", cores = cores }
            program:kernel { kernel = "use", processor = "compute", cores = cores }
            host.wait(host.launch(program))""")
        said = [self.gridloom("run", self.write("script.lua", text), "-q", "--threads", threads,
                              "--trace", "t.pftrace").stdout for threads in ("1", "3")]

        self.assertEqual(said[0], said[1])
        lines = re.findall(r"(core\[\d,0\] \w+) @ (\d+): (.*)\n", said[0])
        self.assertEqual([(who, what) for who, _, what in lines], [
            ("core[0,0] reader", "start\t0"), ("core[1,0] reader", "start\t1"),
            ("core[1,0] reader", "there"), ("core[1,0] compute", "used"),
            ("core[0,0] reader", "there"), ("core[0,0] compute", "used")])
        cycles = [int(cycle) for _, cycle, _ in lines]
        self.assertEqual(cycles, sorted(cycles))
        self.assertEqual(cycles[4] - cycles[2], 400)
        self.succeed("export", "t.pftrace", "--to", "chrome", "-o", "t.json")
        marks = [event for event in json.loads(self.read("t.json"))["traceEvents"]
                 if event["ph"] == "i" and event["name"] in ("there", "used")]
        self.assertEqual(sorted(round(1000 * event["ts"]) for event in marks), cycles[2:])

    def test_a_deadlock_groups_alike_cores_and_says_what_would_end_it(self):
        failed = self.gridloom("run", self.write("script.lua", script("""
            wait = function(args)
                noc_semaphore_wait(get_semaphore(args.word), 2)
            end,
            tell = function(args)
                noc_semaphore_inc(get_noc_addr(0, 0, get_semaphore(args.word)), 1)
                cb_reserve_back(0, 1) cb_push_back(0, 1)
            end,
            use = function(args)
                cb_wait_front(0, 1)
                cb_pop_front(0, 1)
                cb_wait_front(1, 1)
            end""", """
            local cores = { 0, 0, 7, 6 }
            program:circular_buffer { cores = cores, index = 0, pages = 4 }
            program:circular_buffer { cores = cores, index = 1, pages = 4 }
            program:semaphore { cores = cores }
            local args = { word = program:semaphore { cores = cores, name = "arrived" } }
            program:kernel { kernel = "wait", processor = "reader", cores = cores, args = args }
            program:kernel { kernel = "tell", processor = "writer", cores = { x = 1, y = 0 },
                args = args }
            program:kernel { kernel = "use", processor = "compute", cores = { 1, 0, 7, 0 } }
            host.launch(program)""")))

        self.assertEqual(failed.returncode, STOPPED, failed.stderr)
        for text in ("63 still wait:",
                     "55 cores like core[1,0]: reader (wait) waits for noc_semaphore_wait(",
                     ", 2), semaphore 1 (arrived): it is 0, since cycle ",
                     " at script.lua:6; no kernel of this chip changes it\n",
                     "core[0,0].reader (wait) waits for noc_semaphore_wait(",
                     "core[1,0].writer (tell), which changes it (1 so far), has ended",
                     "6 cores like core[2,0]: unpack (kernel use) waits in cb_wait_front(0, 1) at "
                     "script.lua:13; no kernel of this core has pushed a page of it",
                     "core[1,0].unpack (kernel use) waits in cb_wait_front(1, 1) at script.lua:15; "):
            self.assertIn(text, failed.stderr)
        self.assertLess(len(failed.stderr.splitlines()), 12, failed.stderr)

    def test_a_kernel_that_loops_for_ever_is_stopped(self):
        endless = "k = function() while true do end end"
        for body in (COMPUTE, READER):
            path = self.write("script.lua", script(endless, body))
            self.assertFails(STOPPED, ["script.lua:", "instructions ran without simulated time"],
                             "run", path, "--limit-steps", "100000")
            self.try_each(("0.5", "5", "50"), lambda seconds: self.assertFails(
                STOPPED, [f"wall-clock limit of {seconds} s reached (--limit-seconds): script.lua:"], "run", path,
                "--limit-seconds", seconds, "--limit-steps", "1" + "0" * 15, "--threads", "2"))

    def test_a_kernel_may_compute_for_long(self):
        self.run_kernel("k = function() for i = 1, 20000000 do end end", COMPUTE)

    def test_pages_that_nobody_waited_for(self):
        failed = self.gridloom("run", self.write("script.lua", script(
            "r = function() cb_reserve_back(0, 1) cb_push_back(0, 1) end",
            BUFFERS + """program:kernel { kernel = "r", processor = "reader", cores = HERE }
    host.launch(program)""")))

        self.assertEqual(failed.returncode, INPUT, failed.stderr)
        self.assertIn("core[0,0]", failed.stderr)

    def test_calls_outside_a_kernel(self):
        for text, where in (("cb_wait_front(0, 1)", "kernel"), ("add_tiles()", "kernel")):
            self.assertFails(INPUT, [f"script.lua:11: {text.split('(')[0]}: only inside a {where}"],
                             "run", self.write("script.lua", script(
                                 "k = function() end", "\n\n\n" + text)), traceback=True)

    def test_calls_of_another_kind_of_kernel(self):
        self.assertCallFails("add_tiles(0, 1, 0, 0, 0)",
                             ["add_tiles: only inside a compute kernel"], READER)
        self.assertCallFails("noc_async_read_barrier()",
                             ["noc_async_read_barrier: only inside a reader or writer kernel"])

    def test_an_error_of_lua_in_a_kernel_has_its_place(self):
        self.assertCallFails("local x = nil + 1", ["attempt to perform arithmetic on a nil"])
        self.assertCallFails("local x = nil + 1", ["attempt to perform arithmetic on a nil"],
                             READER)

    def test_yielding_from_a_kernel(self):
        for body in (COMPUTE, READER):
            failed = self.gridloom("run", self.write("script.lua", script(
                "k = function() coroutine.yield() end", body)))
            self.assertEqual(failed.returncode, INPUT)
            self.assertIn("kernel k on core[0,0]: coroutine.yield", failed.stderr)

    def test_what_a_program_is_made_of_is_checked(self):
        for text, says in (
                ("program:kernel { kernel = 'x', processor = 'reader', cores = HERE }",
                 "the script declares no kernel x; there are k"),
                ("program:kernel { kernel = 'k', processor = 'gpu', cores = HERE }",
                 "processor: expected one of reader, writer, compute"),
                ("program:kernel { kernel = 'k', processor = 'reader' }", "cores: expected"),
                ("program:kernel { kernel = 'k', processor = 'reader', cores = HERE, colour = 1 }",
                 "colour"),
                ("program:circular_buffer { cores = HERE, index = 32, pages = 1 }",
                 "index: expected an integer of 0 to 31"),
                ("program:circular_buffer { cores = HERE, index = 0, pages = 1, format = 'int8' }",
                 "format: expected one of bf16, fp32"),
                ("host.launch(program)", "the program has no kernels"),
                ("host.launch(3)", "expected a program, or a list"),
                ("program:kernel { kernel = 'k', processor = 'reader', cores = HERE, "
                 "args = { print } } host.launch(program)", "a function cannot go to a kernel"),
                ("for _ = 1, 2 do program:kernel { kernel = 'k', processor = 'reader', cores = HERE } end "
                 "host.launch(program)", "both for the same processor of core[0,0]"),
                ("host.dram_buffer { pages = 0, page_bytes = 32 }", "pages: expected"),
        ):
            self.assertFails(INPUT, ["script.lua:", says], "run", self.write(
                "script.lua", script("k = function() end", text)), traceback=None)

    def test_kernels_must_be_functions(self):
        for kernels in ("3", "{ k = 3 }", "{ function() end }"):
            self.assertFails(INPUT, ["kernels is not a table of functions by name"], "run",
                             self.write("script.lua", f"""return {{ summary = "s",
chips = {{ "tensix" }}, parameters = {{}}, kernels = {kernels}, run = function() end }}"""))

    def test_a_chip_without_cores(self):
        self.assertFails(INPUT, ["script.lua:", "wse2 has no Tensix cores"], "run",
                         self.write("script.lua", script("", "").replace(
                             '{ "tensix" }', '{ "wse" }')), "--chip", "wse2", traceback=True)


if __name__ == "__main__":
    unittest.main()
