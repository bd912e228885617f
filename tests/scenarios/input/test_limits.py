"""Limits: cycles, steps, real time and memory."""
import subprocess
import unittest

import gridloom
from gridloom import ENDLESS_MATCH, INPUT, STOPPED, kernel

LAUNCH_CYCLES = 30000
MUCH = "local most = ('x'):rep(1 << 45)"


class Limits(gridloom.Scenario):
    def assertStops(self, says, body, *words, before=""):
        self.assertFails(STOPPED, says, "run", self.script(body, before=before), *words,
                         "--json", "r.json", "--out", "out")

    def test_a_cycle_limit_stops_a_kernel_that_passes_it_and_no_other(self):
        body = kernel("core.delay(1000)")
        end = LAUNCH_CYCLES + 1000

        self.metrics(body, "--limit-cycles", str(end))
        self.assertStops([f"script.lua:7: cycle limit of {end - 1} reached"], body,
                         "--limit-cycles", str(end - 1))

    def test_a_cycle_limit_stops_a_host_program_that_passes_it_and_no_other(self):
        body = "host.sleep(1e-6)"

        self.metrics(body, "--limit-cycles", "1000")
        self.assertStops(["script.lua:7: cycle limit of 999 reached: the host program is "
                          "at cycle 1000"], body, "--limit-cycles", "999")

    def test_an_endless_kernel_stops_at_the_cycle_limit(self):
        self.assertStops(["cycle limit of 40000 reached"],
                         kernel("while true do core.delay(1) end"),
                         "--limit-cycles", "40000")

    def test_a_cycle_limit_cannot_be_caught(self):
        self.assertStops(["cycle limit of 5000 reached"],
                         "while true do pcall(host.sleep, 1e-6) end",
                         "--limit-cycles", "5000")

    def test_time_ends_where_the_clock_cannot_count_cycles_any_more(self):
        for body in ("host.sleep(1e300)", kernel("core.delay(1 << 62)"),
                     kernel("core.delay(math.maxinteger)")):
            self.assertStops(["cycle limit of 9007199254740992 reached"], body)

    def test_an_endless_loop_stops_at_the_step_limit(self):
        for body in ("while true do end", kernel("while true do end")):
            self.assertStops(["script.lua:", "instructions ran without simulated time"],
                             body, "--limit-steps", "100000")

    def test_an_endless_loop_while_loading_stops_too(self):
        self.assertStops(["script.lua:1: ", "instructions ran without simulated time"], "",
                         "--limit-steps", "100000", before="while true do end")

    def test_an_endless_loop_stops_without_any_option(self):
        self.assertStops(["script.lua:7: 400", " instructions ran without",
                          "allowed are 400000000"],
                         "while true do end")

    def test_a_kernel_that_delays_by_nothing_for_ever_stops(self):
        self.assertStops(["instructions ran without simulated time"],
                         kernel("while true do core.delay(0) end"),
                         "--limit-steps", "100000")

    def test_simulated_time_starts_the_count_of_steps_again(self):
        body = "for i = 1, 100 do for j = 1, 1000 do end {} end"

        self.metrics(body.format("host.sleep(1e-9)"), "--limit-steps", "20000")
        self.metrics(kernel(body.format("core.delay(1)")), "--limit-steps", "20000")
        self.assertStops(["instructions ran"], body.format(""), "--limit-steps", "20000")

    def test_short_coroutines_and_long_library_calls_count_as_steps(self):
        long = "setmetatable({}, { __len = function() return 1 << 40 end, __index = %s })"
        for body in (
                "local function f() return coroutine.wrap(function() for i = 1, 100 do end end)() "
                "end while true do f() end",
                "local function nest(n) if n > 0 then for i = 1, 9 do "
                "coroutine.resume(coroutine.create(nest), n - 1) end end end nest(30)",
                f"table.concat({long % 'string.lower'})",
                f"table.concat({long % 'setmetatable({}, {__index = tostring})'}, '', 1, 1 << 40)",
                f"table.unpack({long % 'string.upper'}, 1, 1 << 40)",
                f"table.sort({long.replace('40', '30') % 'tostring'})",
                "local t = {} for i = 1, 1 << 16 do t[i] = i end "
                "while true do table.insert(t, 1, 0) table.remove(t, 1) end",
                "local t = {} for i = 1, 1 << 16 do t[i] = i end while next(t) do end"):
            self.assertStops(["script.lua:", " instructions ran without simulated time"], body,
                             "--limit-steps", "3000000")

    def test_commands_that_only_read_a_script_count_its_steps(self):
        self.script("", before="coroutine.wrap(function() while true do end end)()")
        for words in (("describe", "script.lua"), ("sweep", "script.lua", "--dry-run"),
                      ("tune", "script.lua", "--window", "x,y"),
                      ("compare", "script.lua", "--chips", "wse2", "--model")):
            self.assertFails(STOPPED, ["script.lua:1: ", " instructions ran"], *words)

    def test_the_wall_clock_limit_stops_what_counts_no_steps(self):
        for body in (ENDLESS_MATCH, kernel(ENDLESS_MATCH)):
            self.assertStops(["wall-clock limit of 0.5 s reached"], body,
                             "--limit-seconds", "0.5")

    def test_the_wall_clock_limit_stops_loops_and_kernels(self):
        for body in ("while true do end", kernel("while true do core.delay(1) end"),
                     "while true do host.sleep(1e-9) end",
                     "while true do pcall(host.sleep, 1e-9) end"):
            self.assertStops(["wall-clock limit of 0.3 s reached"], body,
                             "--limit-seconds", "0.3", "--limit-steps", "1" + "0" * 15)

    def test_messages_name_the_option_that_raises_the_limit(self):
        for option, limit, body in (
                ("--limit-cycles", "5e3", "host.sleep(1)"),
                ("--limit-cycles", "4e4", kernel("while true do core.delay(1) end")),
                ("--limit-steps", "1e5", "while true do end"),
                ("--limit-seconds", "0.3", "while true do host.sleep(1e-9) end"),
                ("--limit-memory", "64M", "local most = host.buffer(1 << 30)"),
                ("--livelock-cycles", "1e5", "while true do host.sleep(1e-9) end")):
            with self.subTest(option):
                failed = self.gridloom("run", self.script(body), option, limit)

                self.assertEqual(failed.returncode, STOPPED, failed.stderr)
                self.assertIn(f"({option})", failed.stderr)

    def test_commands_without_the_option_name_the_command_that_has_it(self):
        windows = gridloom.workload(MUCH, parameters="".join(
            f'{{ name = "{name}", type = "integer", default = 2, help = "h" }},'
            for name in ("nx", "ny", "window_x", "window_y")))
        for words in (("compare", self.script(MUCH), "--chips", "wormhole_n300"),
                      ("tune", self.write("tune.lua", windows), "--window", "x,y")):
            with self.subTest(words[0]):
                failed = self.gridloom(*words)

                self.assertIn("more (an option of gridloom run: --limit-memory)",
                              failed.stderr + failed.stdout)
                self.assertNotIn("(--limit", failed.stderr + failed.stdout)

    def test_commands_without_any_such_option_name_none(self):
        endless = self.write("r.lua", 'return { summary = "endless", next = function() while true do end end }')
        failed = self.gridloom("noc", "traffic", "--topology", "mesh", "--size", "4x4",
                               "--routing", endless)

        self.assertEqual(failed.returncode, STOPPED, failed.stderr)
        self.assertRegex(failed.stderr, r"instructions ran .*, allowed are \d+\n$")

    def test_counts_may_have_exponents(self):
        self.metrics("host.sleep(1e-6)", "--limit-steps", "20e9", "--limit-cycles", "1.5e9",
                     "--seed", "1e3")
        for count in ("1.5", "1e-3", "1e30", "e9"):
            self.assertFails(INPUT, [f"--limit-steps = {count}, allowed is a whole number in 1.."],
                             "run", "dot", "--limit-steps", count)

    def test_strings_and_tables_of_lua_pass_the_memory_limit(self):
        for body in ("('x'):rep(1 << 30)", kernel("('x'):rep(1 << 30)"),
                     "local t = {} for i = 1, 1 << 25 do t[i] = i end"):
            self.assertStops(["script.lua: memory limit of 1 GiB passed: the script wanted "],
                             "local most = host.buffer((1 << 30) - (1 << 25));" + body,
                             "--limit-memory", "1G")

    def test_100_gigabytes_in_one_string_pass_the_memory_limit(self):
        self.assertStops(["script.lua: memory limit of 4 GiB passed"],
                         "string.rep('x', 100000000000)", "--limit-memory", "4G")

    def test_3_gigabytes_in_one_string_are_more_than_lua_can_hold(self):
        self.assertFails(INPUT, ["script.lua:7: resulting string too large"], "run",
                         self.script("string.rep('x', 3000000000)"), traceback=True)

    def test_100_gigabytes_of_host_memory_pass_the_memory_limit(self):
        for size in ("100e9", "math.maxinteger"):
            self.assertStops(["script.lua: memory limit of 4 GiB passed"],
                             f"pcall(host.buffer, {size})", "--limit-memory", "4G")

    def test_host_memory_that_is_not_used_any_more_does_not_count(self):
        self.metrics("for i = 1, 20 do host.buffer(1 << 30) end", "--limit-memory", "3G")

    def test_one_memory_limit_sees_prints_arguments_names_dram_and_all_states(self):
        cases = (
            ("kernels' print", 'while true do print(("x"):rep(1 << 20)) delay(1) end', "", "1"),
            ("the script", "local t = {} while true do t[#t + 1] = #t end", "", "1"),
            ("the script", "", "", '("x"):rep(1 << 22)'),
            ("the script", "", 'for i = 1, 1 << 20 do host.metric("m" .. i, i) end', "1"),
            ("DRAM", "", "local b = host.buffer(1 << 24) for i = 0, 63 do "
             "host.upload(b, i << 24) end", "1"))
        for what, kernel_body, host_body, argument in cases:
            self.write("script.lua", f"""return {{
                summary = "a script for a test", chips = {{ "tensix" }}, parameters = {{}},
                kernels = {{ k = function() {kernel_body} end }},
                run = function(host)
                    local program = host.program()
                    program:kernel {{ kernel = "k", processor = "reader", cores = {{ 0, 0, 7, 6 }},
                        args = function(x, y) return {{ {argument} }} end }}
                    {host_body}
                    host.wait(host.launch(program))
                end }}""")
            failed = self.gridloom("run", "script.lua", "--limit-memory", "64M",
                                   stdout=subprocess.DEVNULL)

            self.assertEqual(failed.returncode, STOPPED, failed.stderr)
            self.assertIn(f"memory limit of 64 MiB passed: {what} wanted ", failed.stderr)

    def test_memory_of_a_launch_that_is_over_does_not_count(self):
        self.write("script.lua", """return {
            summary = "a script for a test", chips = { "tensix" }, parameters = {},
            kernels = { k = function() print(("x"):rep(1 << 20)) end },
            run = function(host)
                local text = ("x"):rep(1 << 20)
                for i = 1, 40 do
                    local program = host.program()
                    program:kernel { kernel = "k", processor = "reader", cores = { 0, 0, 3, 0 },
                        args = { text } }
                    host.wait(host.launch(program))
                end
            end }""")
        self.succeed("run", "script.lua", "--limit-memory", "64M")

    def test_a_memory_limit_that_is_no_size_is_refused(self):
        for size in ("", "0", "x", "1T", "-1", "9000000000G"):
            self.assertFails(INPUT, ["--limit-memory = " + size, "K, M or G"], "run",
                             self.script(""), "--limit-memory=" + size)

    def test_memory_in_files_changes_no_byte_and_leaves_no_file(self):
        words = ["run", "stencil25", "--chip", "wse2", "nx=16", "ny=12", "nz=100", "grain=stream", "--threads", "2"]
        names = []
        for steps in (1, 3):
            for files in ([], ["--memory-files", "."]):
                names.append(f"u{len(names)}.npy")
                self.succeed(*words, f"steps={steps}", "--save", f"u={names[-1]}", *files)
            with open(self.path(names[-2]), "rb") as memory, open(self.path(names[-1]), "rb") as filed:
                self.assertEqual(memory.read(), filed.read())
        self.assertEqual(sorted(self.files()), [self.path(name) for name in names])

    def test_buffers_in_files_do_not_count_as_memory(self):
        self.assertStops(["memory limit of"], "host.buffer(100 << 20)", "--limit-memory", "64M")
        self.metrics("host.buffer(100 << 20)", "--limit-memory", "64M", "--memory-files", ".")

    def test_files_that_cannot_be_made_are_refused(self):
        self.assertFails(INPUT, ["--memory-files: missing: "], "run", self.script(""), "--memory-files", "missing")
        self.assertFails(INPUT, ["no memory for", "bytes"], "run", self.script("host.buffer(1 << 55)"),
                         "--memory-files", ".", traceback=True)

    def test_host_memory_that_the_machine_does_not_have_is_an_error(self):
        if "libasan" in self.libraries():
            self.skipTest("a sanitized program needs all addresses")
        self.assertFails(
            INPUT, ["script.lua:7: ", "no memory for 3221225472 bytes"], "-c",
            'ulimit -v 2000000; exec "$0" run "$1"', gridloom.PROGRAM,
            self.script("host.buffer(3 << 30)"), program="bash", traceback=True)

    def libraries(self):
        return self.gridloom(gridloom.PROGRAM, program="ldd").stdout

    def test_the_chip_has_only_so_much_dram(self):
        self.assertFails(INPUT, ["script.lua:7: ", "dram"], "run",
                         self.script("host.allocate(1 << 40)"))


if __name__ == "__main__":
    unittest.main()
