"""tidy_groups.py groups only files that know nothing of each other, and check_tidy.sh finds in a
group what it finds in a file."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
ROOMS = ("sim", "arch", "workloads", "traces", "tools")

LONELY = "int arch_NAME(int n);\nint arch_NAME(int n)\n{\n    return n + 1;\n}\n"
NO_PLACE = ("int arch_NAME(int n);\nint arch_NAME(int n)\n{\n    int *p = 0;\n"
            "    if (n > 3) {\n        p = &n;\n    }\n    return *p;\n}\n")


def lonely(name):
    return LONELY.replace("NAME", name)


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = os.path.realpath(self.folder.name)
        shutil.copytree(os.path.join(ROOT, "tools/lint"), os.path.join(self.root, "tools/lint"))
        shutil.copy(os.path.join(ROOT, ".clang-tidy"), self.root)
        for room in (*ROOMS, "build"):
            os.makedirs(os.path.join(self.root, room), exist_ok=True)
        self.paths = []

    def path(self, *names):
        return os.path.join(self.root, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)
        if name.endswith(".c"):
            self.paths.append(self.path(name))

    def commands(self, **flags):
        """Writes the compile commands of all files; `flags` has extra ones by the file's stem."""
        entries = []
        for path in self.paths:
            stem = os.path.splitext(os.path.basename(path))[0]
            command = f"cc -I{self.root} {flags.get(stem, '')} -o {stem}.o -c {path}"
            entries.append({"directory": self.path("build"), "file": path,
                            "command": command})
        with open(self.path("build/compile_commands.json"), "w", encoding="ascii") as file:
            json.dump(entries, file, indent=0)

    def groups(self, **flags):
        """The stems of each group's files."""
        self.commands(**flags)
        printed = subprocess.run(
            ["python3", "-B", self.path("tools/lint/tidy_groups.py"), self.path("build"),
             self.path("build/tidy")],
            input="\n".join(self.paths), capture_output=True, text=True, check=True).stdout
        found = []
        for name in printed.split():
            with open(name, encoding="ascii") as file:
                included = [line.split('"')[1] for line in file]
            found.append(sorted(os.path.splitext(os.path.basename(path))[0] for path in included))
        return sorted(found)

    def tidy(self, **flags):
        self.commands(**flags)
        return subprocess.run(["bash", self.path("tools/lint/check_tidy.sh"), self.path("build")],
                              capture_output=True, text=True, check=False)

    def expect_apart(self, first, second):
        self.paths = []
        self.write("arch/a.c", first)
        self.write("arch/b.c", second)
        self.assertEqual(self.groups(), [["a"], ["b"]])


class Groups(Tree):
    def test_strangers_are_together(self):
        self.write("arch/a.c", lonely("a"))
        self.write("arch/b.c", "/* arch_a() */\n" + lonely("b"))
        self.assertEqual(self.groups(), [["a", "b"]])

    def test_commands_are_joined(self):
        self.write("arch/a.c", lonely("a"))
        self.write("arch/b.c", lonely("b").replace("+ 1", "+ WITH_B"))
        self.assertEqual(self.groups(a="-isystem /usr/include/x -flto=auto", b="-DWITH_B=1 -fno-lto"),
                         [["a", "b"]])
        with open(self.path("build/tidy/compile_commands.json"), encoding="ascii") as file:
            of_group, of_b, of_a = (entry["arguments"] for entry in json.load(file))
        self.assertEqual(of_group[:-2], ["cc", "-DWITH_B=1", f"-I{self.root}", "-isystem", "/usr/include/x"])
        self.assertEqual(of_b[:-2], ["cc", "-DWITH_B=1", f"-I{self.root}"])
        self.assertEqual(of_a[:-2], ["cc", f"-I{self.root}", "-isystem", "/usr/include/x"])

    def test_commands_differ(self):
        self.write("arch/a.c", "#ifdef WITH_B\n#endif\n" + lonely("a"))
        self.write("arch/b.c", lonely("b"))
        self.assertEqual(self.groups(b="-DWITH_B"), [["a"], ["b"]])
        self.assertEqual(self.groups(a="-DWITH_B=1", b="-DWITH_B=2"), [["a"], ["b"]])
        self.assertEqual(self.groups(b="-D_GNU_SOURCE"), [["a"], ["b"]])
        self.assertEqual(self.groups(b="-O3"), [["a"], ["b"]])

    def test_caller_is_apart(self):
        caller = lonely("b").replace("+ 1", "+ arch_a(n)")
        self.expect_apart(lonely("a"), "int arch_a(int n);\n" + caller)

    def test_same_static_function(self):
        self.expect_apart("static int add(void) {\n    return 1;\n}\n" + lonely("a"),
                          "static int add(void) {\n    return 2;\n}\n" + lonely("b"))

    def test_macro(self):
        self.expect_apart("#define n m\n" + lonely("a").replace("int n", "int k"), lonely("b"))

    def test_static_table(self):
        self.expect_apart("static const int table[] = {1};\n" + lonely("a"),
                          "static const int table[] = {2};\n" + lonely("b"))

    def test_type_and_constant(self):
        self.expect_apart("typedef struct {\n    int x;\n} Point;\n" + lonely("a"),
                          "typedef int (*Point)(int x);\n" + lonely("b"))
        self.expect_apart("enum { EDGE = 1, SIDE };\n" + lonely("a"),
                          lonely("b").replace("int n", "int SIDE"))

    def test_who_reads_a_large_library_is_apart(self):
        self.write("arch/x.h", "#include <gio/gio.h>\n")
        self.write("arch/y.h", "#include <sys/stat.h>\n#include <glib/gstdio.h>\n")
        self.expect_apart('#include "arch/x.h"\n' + lonely("a"), '#include "arch/y.h"\n' + lonely("b"))
        self.expect_apart("#include <json-glib/json-glib.h>\n" + lonely("a"), lonely("b"))
        self.write("arch/c.c", '#include "arch/x.h"\n' + lonely("c"))
        self.assertEqual(self.groups(), [["a", "c"], ["b"]])

    def test_headers_of_one_name(self):
        self.write("arch/x.h", "typedef struct {\n    int x;\n} Point;\n")
        self.write("arch/y.h", "typedef struct {\n    int y;\n} Point;\n")
        self.write("arch/z.h", '#include "arch/y.h"\n')
        self.expect_apart('#include "arch/x.h"\n' + lonely("a"),
                          '#include "arch/z.h"\n' + lonely("b"))


class Findings(Tree):
    def test_clean(self):
        self.write("arch/a.c", lonely("a"))
        self.write("arch/b.c", lonely("b"))
        result = self.tidy()
        self.assertEqual((result.returncode, result.stdout), (0, ""), result)

    def test_path_in_a_group(self):
        self.write("arch/a.c", lonely("a"))
        self.write("arch/b.c", NO_PLACE.replace("NAME", "b"))
        result = self.tidy()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("arch/b.c:8:12: error: Dereference of null pointer", result.stdout)

    def test_name_in_a_group(self):
        self.write("arch/a.c", lonely("a"))
        self.write("arch/b.c", lonely("B"))
        result = self.tidy()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("invalid case style for function 'arch_B'", result.stdout)

    def test_group_that_does_not_compile(self):
        """A file that is included as if it were not ours is not read in advance."""
        for name, header in (("a", "x"), ("b", "y")):
            self.write(f"arch/{header}.h", f"typedef struct {{\n    int {header};\n}} Point;\n")
            self.write(f"arch/{name}.c", f"#include <arch/{header}.h>\n" + lonely(name))
        self.assertEqual(len(self.groups()), 1)
        result = self.tidy()
        self.assertEqual((result.returncode, result.stdout), (0, ""), result)

    def test_headers_that_another_compiler_precompiled(self):
        self.write("build/pre.h.gch", "gcc's")
        flags = f"-Winvalid-pch -include {self.path('build/pre.h')}"
        self.write("arch/a.c", lonely("a"))
        self.write("arch/b.c", "#include <arch/x.h>\n" + lonely("B"))
        self.write("arch/c.c", "#include <arch/y.h>\n" + lonely("c"))
        for header in "xy":
            self.write(f"arch/{header}.h", f"typedef struct {{\n    int {header};\n}} Point;\n")
        result = self.tidy(a=flags, b=flags, c=flags)
        self.assertIn("arch/b.c:2:5: error: invalid case style for function 'arch_B'", result.stdout)
        self.assertNotIn("precompiled", result.stdout)


if __name__ == "__main__":
    unittest.main()
