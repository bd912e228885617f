"""Kernels: their time, and calls that are not allowed."""
import unittest

import gridloom
from gridloom import INPUT, kernel


class Kernels(gridloom.Scenario):
    def assertKernelFails(self, body, *says):
        self.assertFails(INPUT, ["script.lua:", "kernel k: ", *says], "run",
                         self.script(kernel(body)), traceback=True)

    def test_a_delay_takes_exactly_its_cycles(self):
        metrics = self.metrics(kernel("core.delay(1234) core.delay(0) core.delay(1)"))

        self.assertEqual(metrics["cycles"], 1235)
        self.assertAlmostEqual(metrics["device_seconds"], 1235e-9, delta=1e-15)

    def test_the_clock_of_a_core_moves_by_the_delay_alone(self):
        metrics = self.metrics(kernel("""
            local before = core.now()
            for i = 1, 1000 do before = before + 0 end
            host.metric("still", core.now() - before)
            core.delay(77)
            host.metric("later", core.now() - before)"""))

        self.assertEqual((metrics["still"], metrics["later"]), (0, 77))

    def test_kernels_of_one_launch_run_side_by_side(self):
        metrics = self.metrics("""
        local order = {}
        local function sleeper(name, cycles)
            return { name = name, kernel = function(core)
                core.delay(cycles)
                order[#order + 1] = name
            end }
        end
        host.metric("cycles", host.wait(host.launch {
            sleeper("slow", 1000), sleeper("fast", 400), sleeper("same", 1000) }))
        host.metric("order", order)""")

        self.assertEqual(metrics["cycles"], 1000)
        self.assertEqual(metrics["order"], ["fast", "slow", "same"])

    def test_a_launch_starts_when_the_one_before_has_ended(self):
        metrics = self.metrics("""
        local function sleeper(cycles)
            return host.launch {{ name = "k", kernel = function(core) core.delay(cycles) end }}
        end
        sleeper(100000)
        host.metric("cycles", host.wait(sleeper(1)))
        host.metric("total", host.now())""")

        self.assertEqual(metrics["cycles"], 1)
        self.assertAlmostEqual(metrics["total"], 30e-6 + 100001e-9, delta=1e-15)
        self.assertAlmostEqual(metrics["device_seconds"], 70001e-9, delta=1e-15)

    def test_the_host_goes_on_while_kernels_run(self):
        metrics = self.metrics("""
        local launch = host.launch {{ name = "k", kernel = function(core) core.delay(2000) end }}
        host.sleep(1.5e-6)
        host.metric("cycles", host.wait(launch))
        host.metric("total", host.now())""")

        self.assertEqual(metrics["cycles"], 2000)
        self.assertAlmostEqual(metrics["device_seconds"], 0.5e-6, delta=1e-15)
        self.assertAlmostEqual(metrics["total"], 32e-6, delta=1e-15)

    def test_chip_and_host_exchange_bytes_by_commands(self):
        metrics = self.metrics("""
        local sent, received = host.buffer(100), host.buffer(100)
        sent:fill(3)
        host.wait(host.launch {{ name = "k", kernel = function(core)
            core.pcie_read(sent, 32, 64, 68)
            core.pcie_barrier()
            core.pcie_write(received, 32, 64, 68)
            core.pcie_barrier()
        end }})
        for i = 0, 31 do received:set_byte(i, sent:byte(i)) end
        host.metric("differing", sent:differing(received))""")

        self.assertEqual(metrics["differing"], 0)

    def test_a_kernel_may_not_call_what_belongs_to_the_host(self):
        for call in ("upload(host.buffer(1), 0)", "download(0, host.buffer(1))",
                     "launch {}", "wait(1)", "sleep(1)"):
            name = "host." + call.split("(")[0].split(" ")[0]
            self.assertKernelFails("host." + call, name + ": not inside a kernel")

    def test_waiting_inside_a_callback_of_sort_is_a_clear_error(self):
        self.assertKernelFails(
            "table.sort({ 2, 1 }, function(a, b) core.delay(1) return a < b end)",
            "core.delay: cannot wait inside a callback of a library function")

    def test_waiting_inside_a_callback_of_gsub_is_a_clear_error(self):
        self.assertKernelFails(
            "string.gsub('a', 'a', function() core.pcie_barrier() end)",
            "core.pcie_barrier: cannot wait inside a callback of a library function")

    def test_waiting_inside_a_coroutine_of_the_script_is_a_clear_error(self):
        self.assertKernelFails(
            "coroutine.wrap(function() core.delay(1) end)()",
            "core.delay: cannot wait inside a coroutine")

    def test_yielding_from_a_kernel_is_a_clear_error(self):
        self.assertFails(
            INPUT, ["script.lua:", "kernel k: coroutine.yield",
                    "wait with core.delay(cycles)"],
            "run", self.script(kernel("coroutine.yield(1)")))

    def test_coroutines_that_do_not_wait_work_in_a_kernel(self):
        metrics = self.metrics(kernel("""
            local sum = 0
            for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do
                core.delay(i)
                sum = sum + i
            end
            host.metric("sum", sum)"""))

        self.assertEqual((metrics["cycles"], metrics["sum"]), (6, 6))

    def test_one_kernel_may_not_wait_for_another(self):
        self.assertFails(
            INPUT, ["kernel b: ", "core.delay: belongs to kernel a"], "run",
            self.script("""
        local other
        host.launch {
            { name = "a", kernel = function(core) other = core core.delay(5) end },
            { name = "b", kernel = function() other.delay(1) end } }"""),
            traceback=True)

    def test_a_core_that_outlives_its_kernel_is_of_no_use(self):
        for call in ("now()", "delay(1)", "pcie_barrier()"):
            self.assertFails(
                INPUT, [f"core.{call.split('(')[0]}: the kernel it was made for has ended"],
                "run", self.script(f"""
        local kept
        host.wait(host.launch {{{{ name = "k", kernel = function(core) kept = core end }}}})
        for i = 1, 10000 do local garbage = {{}} end
        kept.{call}"""), traceback=True)

    def test_addresses_beyond_the_dram_are_errors_with_and_without_data(self):
        script = self.script(kernel("core.pcie_read(host.buffer(8), 0, 1 << 40, 8)"))

        for words in ([], ["--timing-only"]):
            self.assertFails(INPUT, ["kernel k: ", "8 bytes at address 1099511627776 reach"
                                     " past its end at 12884901888"],
                             "run", script, *words)

    def test_an_error_in_one_kernel_ends_the_run_even_when_it_is_caught(self):
        failed = self.gridloom("run", self.script("""
        pcall(host.launch, {{ name = "bad", kernel = function() error("broken") end }})
        pcall(host.launch, {{ name = "good", kernel = function() print("ran") end }})"""))

        self.assertEqual((failed.returncode, failed.stdout), (INPUT, ""))
        self.assertRegex(failed.stderr,
                         r"\Agridloom: kernel bad: script.lua:\d+: broken\n")

    def test_a_launch_of_something_else_is_an_error(self):
        for argument, says in (("{}", "expected a program, or a list"), ("{ 1 }", "element 1"),
                               ("{ {} }", "kernel 1 has no name"),
                               ("{ { name = 'x' } }", "kernel x has no function")):
            self.assertFails(INPUT, ["script.lua:", says], "run",
                             self.script(f"host.launch({argument})"), traceback=True)


if __name__ == "__main__":
    unittest.main()
