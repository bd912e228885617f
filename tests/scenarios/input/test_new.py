"""gridloom new: files that run at once; annotations of the script API; unknown calls."""
import json
import os
import re
import unittest

import gridloom
from gridloom import DONE, INPUT

RUNS = {  # kind -> how the printed line says that the file is run, and quick words
    "tensix": (["run"], ["tiles=1", "--json", "-"]),
    "wafer": (["run"], ["columns=3", "rows=2", "cells=8", "--json", "-"]),
    "noc-routing": (["noc", "traffic", "--routing"], ["--size", "4x4", "--batch", "2", "--json", "-"]),
    "sweep": (["sweep"], ["--dry-run"]),
}
SCRIPT = """return {
    summary = "calls", chips = { "tensix", "wse" }, parameters = {},
    kernels = { reader = function() %s end, compute = function() %s end },
    run = function(host, p)
        %s
        if host.family == "wse" then
            return host.wafer { columns = 1, rows = 1, layout = function(layout)
                layout:set_tile_code({ 0, 0 }, "a", function(pe) %s end)
            end }
        end
        local program = host.program()
        for _, kind in ipairs { "reader", "compute" } do
            program:kernel { kernel = kind, processor = kind, cores = { 0, 0, 0, 0 } }
        end
        host.wait(host.launch(program))
    end,
}
"""


class New(gridloom.Scenario):
    def test_each_kind_runs_at_once_and_is_checked(self):
        for kind, (how, quick) in RUNS.items():
            name = f"my_{kind}.lua"
            said = self.succeed("new", kind, name).stdout
            self.assertEqual(said, f"run it: gridloom {' '.join(how)} {name}\n")
            text = self.read(name)
            self.assertTrue(45 <= text.count("\n") <= 95, kind)
            self.assertIn("gridloom new annotations gridloom.lua", text)
            self.assertIn(f"{' '.join(how)} {name}", text.replace(" --size 8x8", ""))
            self.assertNotIn("FILE", text)
            done = self.gridloom(*how, name, *quick)
            self.assertEqual(done.returncode, DONE, done.stderr)
            if "--json" in quick:
                self.assertEqual(json.loads(done.stdout)["check"]["status"], "pass")

    def test_an_existing_file_stays(self):
        self.write("mine.lua", "mine")
        self.assertFails(INPUT, ["mine.lua exists"], "new", "wafer", "mine.lua")
        os.symlink("nowhere.lua", self.path("link.lua"))
        self.assertFails(INPUT, ["link.lua exists"], "new", "wafer", "link.lua")
        self.assertEqual(self.read("mine.lua"), "mine")

    def test_wrong_words_are_refused(self):
        for says, words in ((["'tensx'; nearest: tensix"], ["tensx", "a.lua"]),
                            (["nearest: noc-routing"], ["routing", "a.lua"]),
                            (["ends in .lua"], ["wafer", "a.txt"]), (["ends in .lua"], ["wafer"]),
                            (["give a kind"], []), (["unexpected word 'b'"], ["wafer", "a.lua", "b"]),
                            (["no/a.lua cannot be written: No such file"], ["wafer", "no/a.lua"])):
            self.assertFails(INPUT, says, "new", *words)

    def test_annotations_have_every_function_of_the_host(self):
        self.succeed("new", "annotations", "gridloom.lua")
        text = self.read("gridloom.lua")
        metrics = self.metrics("""
            local names, core = {}, {}
            for name, value in pairs(host) do names[name] = type(value) end
            host.wait(host.launch { { name = "k", kernel = function(c)
                for name, value in pairs(c) do core[name] = type(value) end
            end } })
            host.metric("host", names)
            host.metric("core", core)""")

        for owner, names in (("Host", metrics["host"]), ("Core", metrics["core"])):
            self.assertGreater(len(names), 4)
            for name, kind in names.items():
                self.assertRegex(text, rf"\nfunction {owner}\.{name}\(" if kind == "function"
                                 else rf"\n---@field {name} ")
        # The file is Lua, and every parameter of every function has a type.
        self.assertFails(INPUT, ["returns no declaration"], "describe", "./gridloom.lua")
        functions = re.findall(r"((?:---@.*\n)*)function ([\w.:]+)\((.*)\) end\n", text)
        self.assertGreater(len(functions), 200)
        for above, name, parameters in functions:
            typed = re.findall(r"---@param (\w+|\.\.\.)\?? \S", above)
            self.assertEqual(typed, [word for word in parameters.split(", ") if word], name)

    def calls(self, status, says, *words, reader="", compute="", host="", pe=""):
        self.write("script.lua", SCRIPT % (reader, compute, host, pe))
        self.assertFails(status, says, "run", "script.lua", *words)

    def test_an_unknown_call_names_the_nearest(self):
        self.calls(INPUT, ["script.lua:3: kernel reader on core[0,0]: no such call `semaphor_wait`; "
                           "nearest: `noc_semaphore_wait`"], reader="semaphor_wait(0, 1)")
        self.calls(INPUT, ["script.lua:3: ", "`ad_tiles`; nearest: `add_tiles`"], compute="ad_tiles()")
        self.calls(INPUT, ["script.lua:5: no such call `uplod`; nearest: `upload`"], host="host.uplod(1)")
        self.calls(INPUT, ["`tilise`; nearest: `tilize`"], host="host.buffer(4):tilise()")
        self.calls(INPUT, ["`kernal`; nearest: `kernel`"], host="host.program():kernal()")
        self.calls(INPUT, ["script.lua:8: no such call `fmac`; nearest: `fmach`"], "--chip", "wse2",
                   pe="pe:fmac(1)")
        self.calls(INPUT, ["no such call `set_color_confg`; nearest: `set_color_config`"], "--chip",
                   "wse2", host="host.wafer { columns = 1, rows = 1, layout = function(layout) "
                   "layout:set_color_confg() end }")

    def test_a_call_that_the_chip_has_and_the_model_lacks_says_so(self):
        self.calls(2, ["script.lua:8: fnorms: not modelled"], "--chip", "wse2", pe="pe:fnorms(1)")
        self.calls(2, ["compute on core[0,0]: tilize_block: not modelled"], compute="tilize_block(0)")

    def test_members_that_are_missing_still_read_as_nil(self):
        self.assertEqual(self.metrics("host.metric('x', host.nothing == nil and nothing == nil)"
                                      " host.mine = 3 host.metric('y', host.mine)")["y"], 3)


if __name__ == "__main__":
    unittest.main()
