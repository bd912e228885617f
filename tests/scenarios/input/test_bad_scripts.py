"""Scripts and parameters that cannot be used: one line, the exit code, no files."""
import os
import shutil
import unittest

import gridloom
from gridloom import INPUT

KNOWN = "known are " + gridloom.WORKLOADS
OUTPUTS = ["--json", "r.json", "--out", "out", "--system-trace", "t.paje"]
NOBODY = 65534


class BadScripts(gridloom.Scenario):
    def assertRefused(self, says, *words, **options):
        self.assertFails(INPUT, says, "run", *words, *OUTPUTS, **options)

    def assertTextRefused(self, text, *says, **options):
        self.assertRefused(["script.lua", *says], self.write("script.lua", text), **options)

    def test_a_missing_script_lists_the_known_ones(self):
        for name in ("missing", "missing.lua", "./missing.lua", "/missing/x.lua"):
            self.assertRefused([f"{name}: no such script", KNOWN], name)

    def test_a_script_without_a_name_lists_the_known_ones(self):
        self.assertRefused(["(nothing): no such script", KNOWN], "")

    def test_a_folder_is_no_script(self):
        os.mkdir(self.path("folder.lua"))

        self.assertRefused(["folder.lua: ", "folder"], "folder.lua")

    def test_an_unreadable_script_is_named_with_the_reason(self):
        script = self.script("")
        os.chmod(self.path(script), 0)
        os.chmod(self.folder, 0o777)
        options = {}
        if os.geteuid() == 0:
            # Root reads everything. No other user may reach a program below root's home.
            shutil.copy(gridloom.PROGRAM, self.path("gridloom"))
            options = {"user": NOBODY, "program": self.path("gridloom")}

        self.assertRefused(["script.lua: ", "Permission denied"], script, **options)

    def test_an_empty_script_is_refused(self):
        self.assertTextRefused("", "is empty")

    def test_binary_garbage_is_refused(self):
        self.assertTextRefused(bytes(range(256)) * 16, "is binary")
        self.assertTextRefused(b"\x1bLua" + bytes(64), "is Lua bytecode")

    def test_text_that_is_no_lua_is_refused_with_its_line(self):
        self.assertTextRefused("\n\nreturn {", "script.lua:3: ", "near <eof>")
        self.assertTextRefused("\nthis is not lua\n", "script.lua:2: syntax error near")

    def test_a_script_that_declares_nothing_is_refused(self):
        for text in ("return 1", "local x = 1", "return {}",
                     "return { summary = 's', chips = { 'tensix' }, parameters = {} }",
                     "return { summary = 's', chips = { 'toaster' }, parameters = {},"
                     " run = print }"):
            self.assertTextRefused(text)

    def test_an_error_while_running_comes_with_line_and_traceback(self):
        failed = self.assertFails(
            INPUT, ["script.lua:7: attempt to index a nil value (local 'x')"], "run",
            self.script("local x = nil; x.y = 1"), *OUTPUTS, traceback=True)

        self.assertIn("script.lua:7: in function", failed.stderr)

    def test_an_error_while_loading_comes_with_line_and_traceback(self):
        self.assertTextRefused("\nerror('broken')", "script.lua:2: broken", traceback=True)

    def test_an_error_inside_a_kernel_names_kernel_and_line(self):
        self.assertFails(
            INPUT, ["kernel k: script.lua:8: broken"], "run",
            self.script(gridloom.kernel("error('broken')")), *OUTPUTS, traceback=True)

    def test_an_error_of_any_kind_of_value_is_one_line(self):
        for value in ("nil", "{}", "42", "true", "setmetatable({}, {__tostring = error})"):
            self.assertFails(INPUT, ["script.lua"], "run", self.script(f"error({value})"),
                             *OUTPUTS, traceback=True)

    def test_a_script_cannot_reach_files_or_processes(self):
        for name in ("io", "os.execute", "os.remove", "debug", "dofile", "loadfile",
                     "package"):
            self.assertFails(INPUT, ["script.lua:7: ", "nil value"], "run",
                             self.script(f"local x = {name}.y"), *OUTPUTS, traceback=True)

    def test_require_does_not_lead_out_of_the_folder(self):
        self.write("outer.lua", "return 1")
        os.mkdir(self.path("inner"))
        os.symlink("../outer.lua", self.path("inner/link.lua"))

        for name in ("../outer", "..outer", "link", "/etc/passwd", "missing"):
            self.write("inner/script.lua", gridloom.workload(f"require('{name}')"))
            self.assertRefused(["inner/script.lua:7: ", name], "inner/script.lua",
                               traceback=None)

    def test_an_unknown_parameter_lists_the_known_ones(self):
        self.assertRefused(["transfer: no parameter 'sizes'", "known: min_bytes, max_bytes"],
                           "transfer", "sizes=1")

    def test_a_value_of_the_wrong_type_says_what_is_allowed(self):
        for value in ("x", "1.5", "", "1e3x", "0x", "1 2", "nan"):
            self.assertRefused(["commands", "an integer in 1..1000000"], "transfer",
                               f"commands={value}")

    def test_a_value_out_of_range_says_what_is_allowed(self):
        for value in ("0", "1000001", "-1", "99999999999999999999999"):
            self.assertRefused([f"commands = {value}", "an integer in 1..1000000"],
                               "transfer", f"commands={value}")

    def test_a_choice_that_does_not_exist_lists_the_choices(self):
        self.assertRefused(["grain = coarse", "auto", "wavelet", "stream"], "transfer",
                           "grain=coarse")
        self.assertRefused(["extrapolate = maybe", "on", "off"], "transfer",
                           "extrapolate=maybe")

    def test_a_parameter_given_twice_is_refused(self):
        self.assertRefused(["commands is set twice"], "transfer", "commands=1", "commands=2")

    def test_a_word_without_name_or_value_is_refused(self):
        self.assertRefused(["'commands' has no value", "commands=VALUE"], "transfer",
                           "commands")
        self.assertRefused(["'=1' has no name"], "transfer", "=1")

    def test_a_script_can_refuse_a_combination_of_parameters(self):
        failed = self.gridloom("run", "transfer", "min_bytes=2", "max_bytes=1")

        self.assertEqual((failed.returncode, failed.stdout), (INPUT, ""))
        self.assertRegex(failed.stderr, r"\Agridloom: .*min_bytes is larger than max_bytes")

    def test_a_script_for_another_family_says_which_it_needs(self):
        self.assertRefused(["transfer.lua: runs on chips of family tensix",
                            "wse2 is of family wse"], "transfer", "--chip", "wse2")


if __name__ == "__main__":
    unittest.main()
