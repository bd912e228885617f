"""Arrays in .npy files: --in and host.load, --save and host.save."""
import hashlib
import math
import os
import unittest

import gridloom
import npy
from gridloom import INPUT

DECLARED = """
    inputs = { { name = "a", help = "numbers" } },
    outputs = { { name = "b", help = "the same numbers" } },
"""

# Shows what was loaded, and saves it.
ECHO = """local b, shape, format = host.load("a"%s)
        if b then
            local numbers = {}
            for i = 0, math.min(#b // (format:find("16") and 2 or 4), 8) - 1 do
                numbers[i + 1] = b:get(format, i)
            end
            host.metric("numbers", numbers) host.metric("shape", shape) host.metric("format", format)
            host.save(b, "b", { shape = shape, format = format })
        end"""


class Arrays(gridloom.Scenario):
    def declared(self, body):
        text = gridloom.workload(body).replace("parameters =", DECLARED + "parameters =")
        return self.write("script.lua", text)

    def echo(self, options=""):
        return self.declared(ECHO % (options and ", " + options))

    def array(self, numbers, descr="<f4", name="a.npy", **options):
        self.write(name, npy.dump(numbers, descr, **options))
        return "a=" + name

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def assertRefused(self, says, *words, **options):
        self.assertFails(INPUT, says, "run", "script.lua", *words, "--json", "r.json", "--out", "out",
                         **options)

    def test_an_array_goes_in_and_out(self):
        array = self.array([[1, 2, 3], [4.5, -5, 6e-8]])

        result = self.result(self.echo(), "--in", array, "--save", "b=b.npy")

        self.assertEqual(self.bytes("b.npy"), npy.dump([[1, 2, 3], [4.5, -5, 6e-8]]))
        self.assertEqual(result["metrics"]["shape"], [2, 3])
        self.assertEqual(result["metrics"]["format"], "fp32")
        self.assertEqual(result["metrics"]["inputs"], {"a": {
            "type": "float32", "shape": [2, 3],
            "sha256": hashlib.sha256(self.bytes("a.npy")).hexdigest()}})

    def test_each_type_has_its_format(self):
        for descr, format, kept, numbers in (
                ("<f4", "fp32", "<f4", [0.1]), ("<f2", "fp16", "<f2", [0.5]),
                ("<f8", "fp32", "<f4", [0.1]), ("<i4", "int32", "<i4", [-7]),
                ("<i8", "int32", "<i4", [-7]), ("<u2", "uint16", "<u2", [0x3f80]),
                ("<u4", "uint32", "<u4", [7])):
            result = self.result(self.echo(), "--in", self.array(numbers, descr), "--save", "b=b.npy")

            self.assertEqual(result["metrics"]["format"], format, descr)
            self.assertEqual(npy.load(self.bytes("b.npy"))[0], kept, descr)

    def test_numbers_are_rounded_to_the_format_that_the_script_wants(self):
        for descr, format, number, expected in (
                ("<f8", "bf16", 1 / 3, 0.333984375), ("<f4", "fp16", 0.1, 0.0999755859375),
                ("<u2", "bf16", 0x3f81, 1.0078125),
                ("<u2", "int32", 0x3f81, 0x3f81), ("<i8", "fp32", 3, 3)):
            script = self.echo(f'{{ format = "{format}" }}')

            metrics = self.result(script, "--in", self.array([number], descr))["metrics"]

            self.assertEqual(metrics["numbers"], [expected], (descr, format))

    def test_bf16_is_saved_as_floats_or_as_bits(self):
        array = self.array([1.0078125, -2])
        for options, expected in (('format = "bf16"', ("<f4", (2,), [1.0078125, -2])),
                                  ('format = "bf16", as = "uint16"', ("<u2", (2,), [0x3f81, 0xc000]))):
            script = self.declared(f"""
                host.save(host.load("a", {{ format = "bf16" }}), "b.npy", {{ {options} }})""")

            self.succeed("run", script, "--in", array, "--save", "b=b.npy")

            self.assertEqual(npy.load(self.bytes("b.npy")), expected)

    def test_without_a_file_there_is_no_input(self):
        self.assertNotIn("numbers", self.result(self.echo())["metrics"])
        self.assertEqual(self.metrics('host.metric("is_there", host.load("x") ~= nil)')["is_there"], False)

    def test_a_script_asks_for_what_the_user_wants(self):
        script = self.declared("""host.metric("wants", { host.wants("b"), host.wants("other") })
            host.save(host.buffer(4), "b")""")

        self.assertEqual(self.result(script)["metrics"]["wants"], [False, False])
        self.assertEqual(self.result(script, "--save", "b=b.npy")["metrics"]["wants"], [True, False])

    def test_a_file_beside_the_script_is_read(self):
        self.array([3], name="folder/a.npy")
        self.array([4], name="other.npy")
        body = 'host.metric("number", host.load("a.npy"):get("fp32", 0))'
        self.write("folder/script.lua", self.read(self.declared(body)))

        for words, number in (((), 3), (("--in", "a=other.npy"), 4)):
            metrics = self.result("folder/script.lua", *words)["metrics"]

            self.assertEqual(metrics["number"], number, words)

    def test_files_elsewhere_are_out_of_reach(self):
        self.array([3])
        self.array([3], name="folder/x.npy")
        os.symlink("../a.npy", self.path("folder/link.npy"))
        for name, says in (("../a.npy", "leads out of the folder"),
                           ("link.npy", "leads out of the folder"),
                           (self.path("a.npy"), "scripts read files beside them"),
                           ("missing.npy", "there is no such file")):
            text = self.read(self.declared(f'host.load("{name}")'))
            self.write("folder/script.lua", text)

            self.assertFails(INPUT, [says], "run", "folder/script.lua", "--json", "r.json")

    def test_bad_files_are_refused_in_one_line(self):
        self.echo('{ format = "fp32", shape = { 2 } }')
        good = npy.dump([1, 2])
        for data, says in (
                (npy.dump([[1, 2], [3, 4]], fortran=True), "an array in Fortran order"),
                (npy.dump([1, 2], ">f4"), "byte order '>'"),
                (npy.dump([1, 2], ">i4"), "byte order '>'"),
                (npy.dump([1, 2], ">f2"), "byte order '>'"),
                (npy.dump([1, 2], "<c8"), "type '<c8'"),
                (npy.dump([1, 2], "<u2"), "type uint16 has the bits of bf16"),
                (npy.dump([[1, 2]]), "shape (1, 2), expected (2,)"),
                (npy.dump([1, 2, 3]), "shape (3,), expected (2,)"),
                (npy.dump([1, math.nan]), "the number at [1] is a NaN"),
                (npy.dump([math.nan, 1], "<f2"), "the number at [0] is a NaN"),
                (npy.dump([1, math.nan], "<f8"), "the number at [1] is a NaN"),
                (npy.dump([-math.inf, 1]), "the number at [0] is infinite"),
                (npy.dump([1, 1e300], "<f8"), "does not fit fp32"),
                (good[:-1], "truncated"), (good[:40], "truncated"), (good + b"1", "longer"),
                (b"", "an empty file"), (b"1.0, 2.0\n", "not an .npy file"),
                (b"PK\x03\x04" + bytes(40), "an archive"),
                (good.replace(b"'shape'", b"'shap\n'"), "a malformed header")):
            self.write("a.npy", data)

            self.assertRefused(["a.npy: ", says], "--in", "a=a.npy", "--save", "b=b.npy")

    def test_bits_of_bf16_are_looked_at(self):
        self.echo('{ format = "bf16" }')

        self.assertRefused(["a.npy: the number at [1] is a NaN"], "--in", self.array([0x3f80, 0x7fc0], "<u2"))
        self.assertRefused(["a.npy: the number at [0] is infinite"], "--in", self.array([0xff80, 0], "<u2"))
        self.assertRefused(["a.npy: the number at [0], 3.39", "does not fit bf16"], "--in",
                           self.array([3.4e38], "<f4"))

    def test_floats_are_no_integers(self):
        self.echo('{ format = "int32" }')

        self.assertRefused(["a.npy: numbers of type float32, expected integers for int32"],
                           "--in", self.array([1, 2]))
        self.assertRefused(["a.npy: the number at [1], 4294967296, does not fit int32"],
                           "--in", self.array([1, 1 << 32], "<i8"))

    def test_files_that_are_none_are_refused(self):
        self.echo()
        os.mkdir(self.path("folder"))
        os.mkfifo(self.path("pipe"))

        self.assertRefused(["missing.npy: No such file"], "--in", "a=missing.npy")
        self.assertRefused(["folder: a folder"], "--in", "a=folder")
        self.assertRefused(["pipe: not a regular file"], "--in", "a=pipe")

    def test_a_dry_run_looks_at_files(self):
        self.echo()
        self.write("a.npy", b"nothing")

        self.assertFails(INPUT, ["a.npy: not an .npy file"], "run", "script.lua", "--in", "a=a.npy",
                         "--dry-run")

    def test_words_are_checked_before_the_run(self):
        self.declared("error('it ran')")
        array = self.array([1])
        for words, says in (
                (("--in", "x=a.npy"), "--in: script: no input 'x'; known: a"),
                (("--in", "b=a.npy"), "--in: script: no input 'b'; known: a"),
                (("--in", "a.npy"), "not of the form name=FILE.npy"),
                (("--in", array, "--in", array), "the input 'a' has two files"),
                (("--save", "a=x.npy"), "--save: script: no output 'a'; known: b"),
                (("--save", "b=x.txt"), "allowed is name=FILE.npy"),
                (("--save", "x.npy"), "allowed is name=FILE.npy"),
                (("--save", "b=-"), "allowed is name=FILE.npy"),
                (("--save", "b=missing/x.npy"), "missing/x.npy: cannot be written"),
                (("--in", array, "--save", "b=a.npy"), "a.npy: named by --in and by --save"),
                (("--save", "b=r.json.npy", "--heatmap", "r.json.npy"), "r.json.npy"),
                (("--save", "b=b.npy", "--timing-only"), "at most one of them")):
            self.assertRefused([says], *words)

    def test_a_file_that_the_script_does_not_use_is_an_error(self):
        self.declared("")

        self.assertRefused(["--in a: the script does not load it"], "--in", self.array([1]))
        self.assertRefused(["--save b: the script does not save it"], "--save", "b=b.npy")

    def test_calls_that_make_no_sense_are_errors(self):
        for body, says in (
                ('host.load("")', "not the name of an array"),
                ('host.load("a", { format = "fp64" })', "format"),
                ('host.load("a", { shape = 3 })', "shape is a list"),
                ('host.load("a", { shape = { 1.5 } })', "shape[1] is not a length"),
                ('host.load("a", { kind = 1 })', "kind"),
                ('host.save(host.buffer(4), "a")', "declares no output 'a'"),
                ('host.save(host.buffer(4), "b", { shape = { 2 } })', "the buffer has 1 numbers, the shape 2"),
                ('host.save(host.buffer(5), "b")', "no whole number of fp32"),
                ('host.save(host.buffer(4), "b", { as = "uint16" })', "as is for the format bf16"),
                ('host.save(host.buffer(4), "b") host.save(host.buffer(4), "b")', "'b' is saved already")):
            self.declared(body)

            self.assertRefused([says], "--save", "b=b.npy", traceback=None)

    def test_without_data_headers_are_read(self):
        self.echo("{ shape = { 2 } }")

        metrics = self.result("script.lua", "--in", self.array([1, 2]), "--timing-only")["metrics"]

        self.assertEqual(metrics["numbers"], [0, 0])
        self.assertRefused(["shape (3,), expected (2,)"], "--in", self.array([1, 2, 3]), "--timing-only")

    def test_files_count_as_the_script_s_memory(self):
        self.echo()
        self.write("a.npy", npy.dump([0.0] * 500000))

        self.assertFails(gridloom.STOPPED, ["memory limit of"], "run", "script.lua", "--in", "a=a.npy",
                         "--limit-memory", "1M", traceback=None)

    def test_what_was_loaded_is_computed_with(self):
        """The 5-point operator on a grid, on both chips, as Python has it."""
        grid = [[(i * 7 + j * 3) % 11 - 5.5 for j in range(6)] for i in range(5)]
        script = self.declared("""
            local b, shape, format = host.load("a")
            local u = b:numbers(format, shape)
            local y = 4 * u
            for axis = 1, 2 do y = y - u:neighbour(axis, 1) - u:neighbour(axis, -1) end
            host.metric("sum", y:sum()) host.metric("norm", y:norm())
            host.save(y:buffer(), "b", { shape = y:shape() })""")
        self.write(script, self.read(script).replace('"tensix"', '"tensix", "wse"'))

        def at(i, j):
            return grid[i][j] if 0 <= i < 5 and 0 <= j < 6 else 0

        expected = [[4 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1) for j in range(6)]
                    for i in range(5)]
        for chip in ("wormhole_n300", "wse2"):
            metrics = self.result(script, "--chip", chip, "--in", self.array(grid), "--save", "b=b.npy")["metrics"]

            self.assertEqual(self.bytes("b.npy"), npy.dump(expected), chip)
            self.assertEqual(metrics["sum"], sum(map(sum, expected)))
            self.assertAlmostEqual(metrics["norm"], math.sqrt(sum(x * x for row in expected for x in row)), 12)

    def test_arrays_of_scripts_count_as_their_memory(self):
        body = 'local a = host.numbers("bf16", { 1000, 1000 }, 1) host.metric("sum", (a + a):sum())'

        self.assertEqual(self.metrics(body)["sum"], 2e6)
        self.assertFails(gridloom.STOPPED, ["memory limit of"], "run", self.declared(body), "--limit-memory", "10M",
                         traceback=None)

    def test_without_data_arrays_have_shapes(self):
        self.declared("""local a = host.indices("fp32", { 2, 3 }, 2) + host.load("a"):numbers("fp32", { 3 })
            host.metric("shape", a:shape()) host.metric("sum", a:sum())""")

        for words, total in (((), 18), (("--timing-only",), 0)):
            metrics = self.result("script.lua", "--in", self.array([1, 2, 3]), *words)["metrics"]

            self.assertEqual((metrics["shape"], metrics["sum"]), ([2, 3], total))

    def test_describe_tells_of_arrays(self):
        shown = self.succeed("describe", self.declared("")).stdout

        self.assertRegex(shown, r"--in a=FILE\.npy +numbers\n")
        self.assertRegex(shown, r"--save b=FILE\.npy +the same numbers\n")

    def test_saved_files_are_listed_and_may_lie_in_the_folder_of_out(self):
        shown = self.succeed("run", self.echo(), "--in", self.array([1]), "--out", "out", "--no-trace",
                             "--save", "b=out/b.npy").stdout

        self.assertIn("out/b.npy", shown)
        self.assertEqual(self.bytes("out/b.npy"), npy.dump([1]))


if __name__ == "__main__":
    unittest.main()
