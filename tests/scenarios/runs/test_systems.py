"""Systems of several chips: the shipped ones run, with the same results for any number of threads."""
import json
import os
import unittest

import gridloom
from gridloom import INPUT, SOURCE, STOPPED

DOT = ["dot", "rows=2", "cols=2", "tiles=1"]

# Chip 0 waits for an increment of chip 1.
WAIT = """
local function wait(a) noc_semaphore_wait_min(a.flag, a.count) end
local function send(a) fabric_semaphore_inc(get_fabric_addr(a.to, 0, 0, a.flag), 1) end
return {
    summary = "a message", chips = { "tensix" },
    parameters = { { name = "count", type = "integer", default = 1, help = "increments" },
                   { name = "to", type = "integer", default = 0, help = "chip" } },
    kernels = { wait = wait, send = send },
    run = function(host, p)
        local flag
        for _, device in ipairs(host.devices) do
            flag = device.l1_allocate { cores = { x = 0, y = 0 }, bytes = 16 }
            device.l1_write(0, 0, flag, host.buffer(16))
        end
        host.each(function(device)
            local kernel = ({ [0] = "wait", [1] = "send" })[device.index]
            if kernel then
                local program = device.program()
                program:kernel { kernel = kernel, processor = "writer", cores = { x = 0, y = 0 },
                                 args = { flag = flag, count = p.count, to = p.to } }
                device.wait(device.launch(program))
            end
        end)
    end,
}
"""


class Systems(gridloom.Scenario):
    def text(self, name):
        with open(os.path.join(SOURCE, "arch/systems", name + ".xml"), encoding="utf-8") as file:
            return file.read()

    def run_text(self, *words):
        """The bytes of a result, without the parts that differ in every run."""
        self.succeed("run", *words, "--json", "r.json", "-q")
        return gridloom.without_host(self.read("r.json"))

    def run_result(self, *words):
        return json.loads(self.run_text(*words))

    def assertRefused(self, text, *says):
        self.write("system.xml", text)
        self.write("wait.lua", WAIT)
        for dry in ([], ["--dry-run"]):
            self.assertFails(INPUT, ["system.xml", *says], "run", "wait.lua", "--system",
                             "system.xml", *dry)

    def test_what_ships_runs(self):
        for name, chips in (("n300", 2), ("n150x4-pcie", 4), ("t3000", 8), ("galaxy32", 32)):
            with self.subTest(name):
                result = self.run_result(*DOT, "--system", name)

                self.assertEqual((result["system"], result["chips"]), (name, chips))
                self.assertEqual(result["check"]["status"], "pass")
                self.assertGreater(sum(link["bytes"] for link in result["metrics"]["links"]
                                       if link["name"].startswith("eth") or "pcie" in name), 0)

    def test_threads_change_nothing(self):
        texts = set()
        for threads in ("1", "2", "5"):
            texts.add(self.run_text("pcg", "rows=2", "cols=2", "tiles=2", "iterations=2",
                                    "--system", "t3000", "--threads", threads))

        self.assertEqual(len(texts), 1)

    def test_a_trace_of_the_system_shows_chips_and_links(self):
        self.succeed("run", *DOT, "--system", "n300", "-q", "--system-trace", "a.paje")
        self.succeed("run", *DOT, "--system", "n300", "-q", "--system-trace", "b.paje")

        text = self.read("a.paje")
        self.assertEqual(text, self.read("b.paje"))
        for name in ("chip0", "chip1", "eth_0_to_1", "dispatch_1_to_0"):
            self.assertIn(f' "{name}"\n', text)
        for program in ("driver0", "driver1", "chip1_eth0"):
            self.assertRegex(text, rf'"{program}-\d+"')

    def test_a_deadlock_over_two_chips_is_told(self):
        self.write("wait.lua", WAIT)

        failed = self.gridloom("run", "wait.lua", "count=2", "--system", "n300")

        self.assertEqual(failed.returncode, STOPPED)
        self.assertRegex(failed.stderr, r"deadlock at cycle \d+: nothing can happen any more, "
                                        r"1 still waits:\n  chip 0: core\[0,0\]\.writer \(wait\)")

    def test_a_missing_path_names_both_chips_and_the_file(self):
        route = ('<route src="chip1" dst="chip0" symmetrical="NO">'
                 '<link_ctn id="eth_1_to_0"/></route>')
        self.assertIn(route, self.text("n300"))
        self.write("system.xml", self.text("n300").replace(route, ""))
        self.write("wait.lua", WAIT)

        self.assertFails(INPUT, ["on core[0,0] of chip 1: ", "no path from chip 1 to chip 0",
                                 "system.xml"],
                         "run", "wait.lua", "--system", "system.xml", traceback=None)
        self.assertFails(INPUT, ["no path from chip 1 to chip 0 in system system.xml"], "run",
                         *DOT, "--system", "system.xml")

    def test_a_link_without_a_port_is_no_path(self):
        port = '<prop id="from_port" value="0"/>'
        self.assertIn(port, self.text("n300"))
        self.write("system.xml", self.text("n300").replace(port, ""))

        self.assertFails(INPUT, ["no path from chip 1 to chip 0 in system system.xml"], "run",
                         *DOT, "--system", "system.xml")

    def test_a_kernel_that_fails_names_its_chip(self):
        self.write("wait.lua", WAIT.replace("fabric_semaphore_inc(", "error('lost') ("))

        self.assertFails(INPUT, ["kernel send on core[0,0] of chip 1: lost"], "run", "wait.lua",
                         "--system", "n300", traceback=True)

    def test_a_deadlock_on_a_chip_that_is_not_connected_names_it(self):
        self.write("wait.lua", WAIT.replace('[0] = "wait", [1] = "send"', '[1] = "wait"'))

        failed = self.gridloom("run", "wait.lua", "--system", "wse2x2", "--chip", "wormhole_n300")

        self.assertEqual(failed.returncode, STOPPED)
        self.assertIn(": chip 1: deadlock at cycle ", failed.stderr)

    def test_what_nobody_waits_for_ends_all_the_same(self):
        self.write("wait.lua", WAIT.replace("device.wait(device.launch(program))",
                                            "device.launch(program)"))

        waited = self.run_result("wait.lua", "--system", "n300")
        failed = self.gridloom("run", "wait.lua", "count=2", "--system", "n300")

        self.assertEqual(waited["metrics"]["device_seconds"], 0)
        self.assertEqual(failed.returncode, STOPPED)
        self.assertIn("1 still waits:\n  chip 0: core[0,0].writer (wait)", failed.stderr)
        self.write("bad.lua", WAIT.replace("device.wait(device.launch(program))",
                                           "device.launch(program)")
                   .replace("fabric_semaphore_inc(", "error('lost') ("))
        self.assertFails(INPUT, ["of chip 1: lost"], "run", "bad.lua", "--system", "n300",
                         traceback=True)

    def test_the_summary_says_how_many_chips_had_work(self):
        for words, says in ((["chips=3"], ", 3 of 8 chips of t3000, cores 12 of 448\n"),
                            (["chips=0"], ", 8 chips of t3000, cores 32 of 448\n")):
            shown = self.succeed("run", *DOT, "--system", "t3000", *words)
            self.assertIn(says, shown.stdout)

    def test_routing_is_one_of_two(self):
        self.assertRefused(self.text("n300").replace('"Full"', '"Dijkstra"'),
                           "routing = Dijkstra, Full or Floyd is allowed")

    def test_a_port_that_does_not_exist(self):
        self.assertRefused(self.text("n300").replace('"from_port" value="8"',
                                                     '"from_port" value="16"'),
                           "link eth_0_to_1 at chip0: ", "16")
        self.assertRefused(self.text("n300").replace('"to_port" value="8"',
                                                     '"to_port" value="99"'),
                           "link eth_1_to_0 at chip0: ", "99")

    def test_two_links_at_one_port(self):
        self.assertRefused(self.text("t3000").replace('"from_port" value="14"',
                                                      '"from_port" value="6"'),
                           "links eth_0_to_", " at port 6 of chip0, one is allowed")

    def test_messages_on_a_reserved_link(self):
        self.assertRefused(self.text("n300").replace('<link_ctn id="eth_0_to_1"/>',
                                                     '<link_ctn id="dispatch_0_to_1"/>'),
                           "link dispatch_0_to_1", "reserved")

    def test_an_unknown_chip(self):
        self.assertRefused(self.text("n300").replace('"wormhole_n300"', '"wormhole_n3"'))

    def test_chips_of_two_families(self):
        self.assertRefused(self.text("n300").replace(
            'id="chip1" speed="1Gf"><prop id="chip" value="wormhole_n300"',
            'id="chip1" speed="1Gf"><prop id="chip" value="wse2"'),
                           "wormhole_n300 of family tensix and wse2 of family wse")

    def test_a_latency_too_short_for_windows(self):
        self.write("wait.lua", WAIT)
        self.assertFails(INPUT, ["n300.xml", "at least 2 cycles"], "run", "wait.lua", "--system",
                         "n300", "--set", "ethernet.latency_ns=1")

    def test_scripts_of_one_chip_run_as_alone(self):
        alone = self.run_result("vecadd", "tiles=4")
        among = self.run_result("vecadd", "tiles=4", "--system", "n300")

        self.assertEqual(among["cycles"], alone["cycles"])
        for part in ("counters", "busy", "stalls", "zones"):
            self.assertEqual(json.dumps(among[part]), json.dumps(alone[part]), part)


if __name__ == "__main__":
    unittest.main()
