"""Files that others have written: their lines run nothing that writes, their text moves no cursor,
and their databases change nothing by themselves."""
import csv
import io
import json
import os
import re
import resource
import sqlite3
import unittest

import gridloom
import sweeps
from gridloom import DONE, INPUT
from sweeps import sweep

HEADER = "source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,scale,combine,note\n"
FIGURE = """[figure]
title = t
per = second

[ours]
label = a
chip = wormhole_n300
chip_file = wormhole_n300
cores = 1
run = vecadd tiles=1 {words}
rate = cycles
roofs = FPU
intensities = used;cycles
"""
ESCAPE = "\x1b[31m\x9b2J\r\x07"
LUA = "\\27[31m\\u{9b}2J\\r\\7"  # the same, as Lua writes it
SHOWN = "\\x1b[31m\\x9b2J\\x0d\\x07"


class Lines(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.write("mine", "precious")

    def assertLineRefused(self, line, says):
        self.write("f.csv", f"{HEADER}paper,case,time,us,1,-,predicted,quick,{line},,seconds,,value,\n")
        self.assertFails(INPUT, [line, says], "validate", "f.csv")
        self.assertEqual(self.read("mine"), "precious")

    def test_suites_cannot_write(self):
        for word in ("--json", "--out", "--trace", "--heatmap", "--report", "--system-trace", "-o"):
            self.assertLineRefused(f"vecadd tiles=1 {word} mine", f"{word}: no option for a line of a file")
        self.assertLineRefused("vecadd --json=mine", "--json: no option for a line of a file")
        self.assertLineRefused("gridloom noc transfer --op read --to 2;2 --heatmap mine", "--heatmap: no option")
        self.assertLineRefused("gridloom sweep mine", "gridloom sweep: no command for a line of a file")

    def test_a_line_that_is_refused_runs_no_other(self):
        self.write("f.csv", HEADER + "paper,a,time,us,1,-,predicted,quick,nosuch.lua,,seconds,,value,\n"
                   "paper,b,time,us,1,-,predicted,quick,vecadd -o mine,,seconds,,value,\n")
        self.assertFails(INPUT, ["vecadd -o mine: -o: no option"], "validate", "f.csv")

    def test_figures_cannot_write(self):
        for word in ("--json", "--out", "-o"):
            self.write("f.ini", FIGURE.format(words=f"{word} mine"))
            self.assertFails(INPUT, [f"{word}: no option for a line of a file"], "roofline", "--figure", "f.ini")
        self.assertEqual(self.read("mine"), "precious")


class Texts(gridloom.Scenario):
    def on_terminal(self, *words, keys=None):
        shown, status = super().on_terminal(*words, keys=keys)
        for control in re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown.replace("\r\n", "\n").replace("\r\033[K", "")):
            self.fail(f"{control!r} in {shown!r}")
        return shown, status

    def test_a_script_moves_no_cursor(self):
        self.write("s.lua", gridloom.workload(f'print("a{LUA}b \u00e9")')
                   .replace("a script for a test", f"a{LUA[:-4]}script"))
        self.on_terminal("run", "s.lua", "--json", "-")
        self.assertIn("2Jscript", self.on_terminal("describe", "./s.lua")[0])
        self.assertIn(f"a{SHOWN}b \u00e9", self.on_terminal("run", "s.lua")[0])

    def test_messages_show_control_characters_even_in_files(self):
        self.write("s.lua", gridloom.workload(f'error("a{LUA}b \u00e9")'))
        failed = self.gridloom("run", "s.lua")
        self.assertIn(f"a{SHOWN}b \u00e9", failed.stderr)
        self.assertNotRegex(failed.stderr, r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

        failed = self.gridloom("run", f"no{ESCAPE}.lua")
        self.assertNotRegex(failed.stderr, r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
        self.on_terminal("run", f"no{ESCAPE}.lua")

    def test_a_chip_file_moves_no_cursor(self):
        with open(os.path.join(gridloom.SOURCE, "arch/chips/wse2.ini"), encoding="utf-8") as file:
            self.write("c.ini", file.read().replace("summary = Cerebras", f"summary = {ESCAPE[:-2]} Cerebras"))
        self.on_terminal("describe", "./c.ini")

    def test_long_lines_hide_no_half_of_a_character(self):
        for length in range(4090, 4100):
            self.script(f'print(("x"):rep({length}) .. "\\xc2\\x9b")')
            self.assertIn("\\x9b", self.on_terminal("run", "script.lua", "-q")[0])

    def test_formulas_in_tables_are_text(self):
        self.script('host.table { name = "t", columns = { "name", "=x" }, rows = {'
                    '{ "=1+1", -1.5 }, { "@a", "+1" }, { "-x,\\"y", "-" }, { "+cmd", "-1e-3" } } }')
        self.succeed("run", "script.lua", "--out", "o", "-q")

        rows = list(csv.reader(io.StringIO(self.read("o/t.csv"))))
        self.assertEqual(rows, [["name", "'=x"], ["'=1+1", "-1.5"], ["'@a", "+1"], ["'-x,\"y", "-"], ["'+cmd", "-1e-3"]])


class Sizes(gridloom.Scenario):
    def test_a_result_without_a_check_is_compared(self):
        self.succeed("run", "vecadd", "tiles=1", "--json", "r.json", "-q")
        compare = ["compare", "vecadd", "--chips", "wormhole_n300", "tiles=1", "--beside", "other.json"]
        for change, line in ((None, ""), ({}, ""), (7, "/check: 7, allowed is an object"),
                             ({"status": {}}, "/check/status: an object, allowed is ")):
            result = json.loads(self.read("r.json"))
            result["check"] = change
            if change is None:
                del result["check"]
            self.write("other.json", json.dumps(result))
            if line:
                self.assertFails(gridloom.INPUT, [f"other.json: {line}"], *compare)
                continue
            done = self.gridloom(*compare)
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))
            self.assertRegex(done.stdout, r"other.*none")

    def test_arguments_of_kernels_have_a_limit(self):
        self.write("script.lua", gridloom.workload(
            'local text, all = ("x"):rep(45 * 1024 * 1024), {} for i = 1, 100 do all[i] = text end\n'
            'local program = host.program()\n'
            'program:kernel { kernel = "k", processor = "reader", cores = { x = 0, y = 0 }, args = all }\n'
            'host.launch(program)').replace(
                "parameters =", "kernels = { k = function() end }, parameters ="))
        failed = self.gridloom("run", "script.lua")
        self.assertEqual(failed.returncode, INPUT, failed.stderr)
        self.assertRegex(failed.stderr, r"^gridloom: .*: 47185\d+ bytes, at most 1073741824 can be copied")

    def test_a_fabric_beyond_the_hosts_memory_is_refused(self):
        limit = 1 << 30
        failed = self.gridloom("run", "reduce", "width=1500", "height=1500", "--chip", "wse2", "--timing-only",
                               "--set", "fabric.bare_column_count=1500", "--set", "fabric.bare_row_count=1500",
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(failed.returncode, INPUT, failed.stderr)
        self.assertRegex(failed.stderr, r"^gridloom: .*fabric of 1500 x 1500 PEs: no memory for \d+ bytes")


class Databases(sweeps.Sweeps):
    def setUp(self):
        super().setUp()
        self.write("s.lua", sweep('{ name = "us", values = { 1, 2, 4 } }', 'record = { "seconds" }'))
        self.assertEqual(self.gridloom("sweep", "s.lua", "-q").returncode, DONE)
        self.change("DELETE FROM runs WHERE run = 3")

    def change(self, *statements):
        with sqlite3.connect(self.path("s.sqlite")) as database:
            for statement in statements:
                database.execute(statement)
        database.close()

    def assertRefused(self, *says):
        failed = self.gridloom("sweep", "s.lua", "-q")
        self.assertEqual((failed.returncode, failed.stdout, len(failed.stderr.splitlines())), (INPUT, "", 1), failed)
        for text in ("s.sqlite: ", "--db", *says):
            self.assertIn(text, failed.stderr)
        self.assertEqual(self.rows("SELECT run FROM runs"), [(1,), (2,)])

    def test_a_sweep_goes_on_in_its_own_database(self):
        self.assertEqual(self.gridloom("sweep", "s.lua", "-q").returncode, DONE)
        self.assertEqual(self.rows("SELECT run FROM runs"), [(1,), (2,), (3,)])

    def test_a_trigger_is_refused(self):
        self.change("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END")
        self.assertRefused("the trigger t in it")

    def test_views_tables_and_indices_of_others_are_refused(self):
        for kind, name, rest in (("VIEW", "v", "AS SELECT 1"), ("TABLE", "x", "(y)"), ("INDEX", "i", "ON runs(us)")):
            self.change(f"CREATE {kind} {name} {rest}")
            self.assertRefused(f"the {kind.lower()} {name} in it")
            self.change(f"DROP {kind} {name}")

    def test_a_table_with_another_definition_is_refused(self):
        self.change("ALTER TABLE timing ADD COLUMN more")
        self.assertRefused("the table timing in it")

    def test_another_build_is_refused(self):
        (inputs,), = self.rows("SELECT value FROM sweep WHERE key = 'inputs'")
        own = inputs.splitlines()[0]
        self.assertRegex(own, r"^gridloom \d+\.\d+\.\d+([~+]git\d+\.g[0-9a-f]{7,})?(\.dirty)?$")
        self.change(f"UPDATE sweep SET value = replace(value, '{own}', '{own[:-1]}?') WHERE key = 'inputs'")
        self.assertRefused("before gridloom changed")

    def test_another_script_or_chip_is_refused(self):
        self.write("timed.lua", sweeps.SCRIPT + "\n")
        self.assertRefused("before timed.lua changed")


if __name__ == "__main__":
    unittest.main()
