"""gridloom csl check: exit codes, what is printed, options, several errors in one go."""
import os
import unittest

from gridloom import DONE, INPUT, Scenario

LAYOUT = """param width: u16;
param go: color;
const kernel = @import_module("<where>");
layout {
  @set_rectangle(width, 1);
  for (@range(u16, width)) |x| {
    @set_tile_code(x, 0, "pe.csl", .{ .size = kernel.size, .is_first = x == 0 });
    @set_color_config(x, 0, go, .{ .routes = .{ .rx = .{ RAMP }, .tx = .{ RAMP } } });
  }
}
"""
PE = """param size: u16;
param is_first: bool;
const fill = @import_module("parts/fill.csl", .{ .size = size });
var data = @zeros([size]f32);
task begin() void {
  if (is_first) {
    fill.with(&data, 1.0);
  }
}
comptime {
  @bind_local_task(begin, @get_local_task_id(8));
  @activate(@get_local_task_id(8));
}
"""
FILL = """param size: u16;
const number = @import_module("parts/number.csl");
fn with(to: *[size]f32, value: f32) void {
  for (@range(u16, size)) |i| {
    to.*[i] = number.one * value;
  }
}
"""
OPTIONS = ["--params=width:3", "--colors=go:2", "--import-path=lib"]


class Check(Scenario):
    def setUp(self):
        super().setUp()
        for folder in ("parts", "lib"):
            os.mkdir(self.path(folder))
        for name, text in (("layout.csl", LAYOUT), ("pe.csl", PE), ("parts/fill.csl", FILL),
                           ("parts/number.csl", "const one: f32 = 1.0;\n"), ("lib/where.csl", "const size = 4;\n")):
            self.write(name, text)

    def check(self, *words):
        return self.gridloom("csl", "check", *words)

    def refused(self, *words):
        done = self.check(*words)
        self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
        return done.stderr

    def test_a_program_that_is_well(self):
        done = self.check("layout.csl", *OPTIONS)

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(done.stdout, "layout.csl: 3 x 1 PEs, 2 programs\n")

    def test_the_environment_names_libraries_too(self):
        done = self.gridloom("csl", "check", "layout.csl", *OPTIONS[:2],
                             env={**os.environ, "CSL_IMPORT_PATH": f"nowhere:{self.path('lib')}"})

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))

    def test_params_and_colors(self):
        self.assertRegex(self.refused("layout.csl", *OPTIONS[1:]),
                         r"^layout\.csl:1:7: error: param 'width' has no value\n.*\n +\^\n"
                         r" +hint: give it one: --params width:\.\.\.,")
        self.assertIn("'width': expected name:number, as in size:12", self.refused("layout.csl", "--params=width"))
        self.assertIn("'go:24': colors are 0 to 23", self.refused("layout.csl", *OPTIONS[:1], "--colors=go:24"))
        self.assertIn("70000 does not fit u16", self.refused("layout.csl", "--params=width:70000", *OPTIONS[1:]))
        done = self.check("layout.csl", "--params=width:1,hight:2", *OPTIONS[1:])
        self.assertEqual((done.returncode, done.stderr),
                         (DONE, "warning: layout.csl has no param 'hight'\n"))

    def test_libraries_that_are_not_there(self):
        self.assertRegex(self.refused("layout.csl", *OPTIONS[:2]),
                         r"^layout\.csl:3:31: error: there is no file '<where>'\n.*\n +\^\n"
                         r" +hint: --import-path names folders of libraries\n")

    def test_several_errors_in_one_go(self):
        self.write("pe.csl", PE.replace("fill.with(&data, 1.0);", "data[0] = size;\n    fill.with(&data);\n"
                                        "    @fmuv(1);"))
        text = self.refused("layout.csl", *OPTIONS)

        self.assertEqual([line for line in text.splitlines() if "error:" in line],
                         ["pe.csl:7:15: error: expected f32, found u16 (4)",
                          "pe.csl:8:10: error: 'with' takes 2 arguments, found 1",
                          "pe.csl:9:5: error: there is no builtin @fmuv"])
        self.assertIn("    data[0] = size;\n", text)
        self.assertIn("hint: there is @fmov", text)

    def test_errors_of_syntax_are_found_in_every_file(self):
        self.write("pe.csl", "const a = ;\nvar b = 1 +;\n")
        text = self.refused("layout.csl", *OPTIONS)

        self.assertRegex(text, r"pe\.csl:1:11: error: expected an expression, found ';'")
        self.assertRegex(text, r"pe\.csl:2:12: error: expected an expression, found ';'")

    def test_files_that_cannot_be_read(self):
        self.assertEqual(self.refused("no.csl"), "error: cannot read 'no.csl': No such file or directory\n")
        self.assertEqual(self.refused("parts"), "error: cannot read 'parts': Is a directory\n")
        self.write("bytes.csl", "const a\0b = 1; \x7f\n")
        self.assertRegex(self.refused("bytes.csl"), r"^bytes\.csl:1:8: error: ")

    def test_what_does_not_fit_a_pe(self):
        self.write("lib/where.csl", "const size = 12000;\n")

        self.assertRegex(self.refused("layout.csl", *OPTIONS),
                         r"^pe\.csl:4:5: error: the variables of pe\.csl take 48000 bytes, a PE has 44976 ")

    def test_words_of_the_command_line(self):
        self.assertIn("no file; give the one with the layout block", self.refused())
        self.assertIn("Unknown option --parms", self.refused("layout.csl", "--parms=a:1"))
        self.assertIn("wse2, wse3", self.refused("layout.csl", "--arch=wse4"))


if __name__ == "__main__":
    unittest.main()
