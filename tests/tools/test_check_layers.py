"""Plants one fault at a time in a small clean tree and sees check_layers.py catch it."""
import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../tools/lint/check_layers.py")
PURPOSE = "/* A file for a test. */\n"
CLEAN = {
    "README.md": "# A tree\n",
    "sim/engine.h": PURPOSE + "#pragma once\n\n#include <glib.h>\n",
    "sim/engine.c": PURPOSE + '#include "sim/engine.h"\n\n#include "sim/queue/ring.h"\n',
    "sim/system.c": PURPOSE + "#include <simgrid/engine.h>\n",
    "sim/queue/ring.h": PURPOSE + '#pragma once\n\n#include "sim/engine.h"\n',
    "sim/parallel/region.c": PURPOSE + '#include "sim/queue/ring.h"\n',
    "arch/chip.h": PURPOSE + '#pragma once\n\n#include "sim/engine.h"\n',
    "arch/chip.c": PURPOSE + '#include "arch/chip.h"\n\n#include "arch/chips.def"\n',
    "arch/chips.def": PURPOSE + "ARCH_CHIP(wse2)\n",
    "arch/chipfile/key.c": PURPOSE + '#include "arch/internal/unit.h"\n',
    "arch/internal/unit.h": PURPOSE + "#pragma once\n",
    "arch/wse/pe.c": PURPOSE + '#include "arch/internal/unit.h"\n',
    "arch/noc/link.h": PURPOSE + '#pragma once\n\n#include "arch/chip.h"\n',
    "arch/memory/bank.c": PURPOSE + '#include "arch/noc/link.h"\n',
    "arch/tensix/tile.h": PURPOSE + '#pragma once\n\n#include "arch/noc/link.h"\n',
    "arch/tensix/tile.c": PURPOSE + '#include "arch/tensix/tile.h"\n',
    "workloads/script.h": PURPOSE + "#pragma once\n",
    "workloads/host/host.c": PURPOSE + '#include <lua.h>\n\n#include "arch/chip.h"\n',
    "traces/sink.c": PURPOSE + '#include "sim/engine.h"\n',
    "tools/gridloom/command.h": PURPOSE + "#pragma once\n",
    "tools/gridloom/main.c": PURPOSE
    + '#include "tools/gridloom/command.h"\n#include "workloads/script.h"\n',
    "tests/sim/test_ring.c": "/* A sentence that goes\n * on for a line. */\n"
    + '#include <cmocka.h>\n\n#include "sim/queue/ring.h"\n',
}


class CheckLayers(unittest.TestCase):
    def check(self, files):
        """Exit status and output lines for a tree of these files."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run([sys.executable, "-B", CHECK, root], text=True,
                                  stdout=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.splitlines()

    def caught(self, path, text, line, message):
        """The clean tree with this one file has exactly this one finding."""
        status, output = self.check({**CLEAN, path: text})

        self.assertEqual(len(output), 1, output)
        self.assertTrue(output[0].startswith(f"{path}:{line}: "), output)
        self.assertIn(message, output[0])
        self.assertEqual(status, 1)

    def includes(self, path, include, message):
        self.caught(path, f"{PURPOSE}#include {include}\n", 2, message)

    def passes(self, path, text):
        self.assertEqual(self.check({**CLEAN, path: text}), (0, []))

    def test_clean_tree_passes(self):
        self.assertEqual(self.check(CLEAN), (0, []))

    def test_tree_without_source_fails(self):
        status, output = self.check({"README.md": "nothing\n"})

        self.assertEqual(status, 1)
        self.assertIn("no source file", output[0])

    def test_each_finding_is_printed(self):
        text = PURPOSE + '#include "arch/chip.h"\n\tint x;\n'

        self.assertEqual(len(self.check({**CLEAN, "sim/bad.c": text})[1]), 2)

    def test_includes_never_point_back(self):
        self.includes("sim/bad.c", '"arch/chip.h"', "sim/ may not include arch/")
        self.includes("arch/bad.c", '"workloads/script.h"', "may not include workloads/")
        self.includes("arch/wse/bad.c", '"tools/x.h"', "may not include tools/")
        self.includes("traces/bad.c", '"arch/chip.h"', "traces/ may not include arch/")
        self.includes("workloads/bad.c", '"traces/sink.h"', "may not include traces/")
        self.includes("tools/bad.c", '"tests/x.h"', "may not include tests/")

    def test_subfolder_of_another_room_is_private(self):
        self.includes("arch/bad.c", '"sim/queue/ring.h"', "private to sim/")
        self.includes("workloads/bad.c", '"arch/noc/link.h"', "private to arch/")
        self.includes("workloads/bad.c", '"arch/internal/unit.h"', "private to arch/")
        self.includes("tools/gridloom/bad.c", '"arch/tensix/tile.h"', "private to arch/")

    def test_subfolder_of_the_same_room_is_private(self):
        self.includes("arch/wse/bad.c", '"arch/tensix/tile.h"', "private to arch/tensix/")
        self.includes("arch/noc/bad.c", '"arch/tensix/tile.h"', "private to arch/tensix/")
        self.includes("arch/bad.c", '"arch/tensix/tile.h"', "private to arch/tensix/")
        self.includes("sim/queue/bad.c", '"sim/parallel/x.h"', "private to sim/parallel/")
        self.includes("tools/report/bad.c", '"tools/gridloom/command.h"', "private")

    def test_public_header_keeps_private_ones_out(self):
        self.includes("sim/bad.h", '"sim/queue/ring.h"', "public header")
        self.includes("arch/bad.h", '"arch/noc/link.h"', "public header")
        self.includes("arch/bad.h", '"arch/internal/unit.h"', "public header")

    def test_includes_are_written_from_the_root(self):
        for include in ('"engine.h"', '"../sim/engine.h"', '"sim/../sim/engine.h"',
                        '"queue/ring.h"'):
            self.includes("sim/bad.c", include, "root of the tree")
        self.includes("sim/bad.c", "<sim/engine.h>", "in quotes")
        self.includes("tests/sim/bad.c", '"ring.h"', "root of the tree")

    def test_spaces_do_not_hide_an_include(self):
        self.caught("sim/bad.c", PURPOSE + '  #  include "arch/chip.h"\n', 2, "arch/")

    def test_third_party_headers_stay_where_they_belong(self):
        self.includes("sim/bad.c", "<simgrid/engine.h>", "belongs only in")
        self.includes("arch/bad.c", "<xbt/log.h>", "belongs only in")
        self.includes("sim/bad.c", "<cmocka.h>", "belongs only in")
        self.includes("tools/gridloom/bad.c", "<lua.h>", "belongs only in")
        self.includes("arch/bad.c", "<lua5.4/lauxlib.h>", "belongs only in")
        self.passes("tests/sim/good.c", PURPOSE + "#include <simgrid/engine.h>\n")

    def test_only_comparisons_know_closed_forms(self):
        for path in ("tools/gridloom/run/command.c", "tools/gridloom/run/result.c"):
            self.includes(path, '"tools/gridloom/compare/estimate.h"', "belongs only in")
        self.includes("workloads/bad.c", '"tools/gridloom/compare/estimate.h"', "belongs only in")
        files = {**CLEAN, "tools/gridloom/compare/estimate.h": PURPOSE,
                 "tools/gridloom/compare/model.c": PURPOSE + '#include "tools/gridloom/compare/estimate.h"\n'}
        self.assertEqual(self.check(files), (0, []))

    def test_only_tools_know_models_and_models_run_nothing(self):
        header = '"arch/model/area/area.h"'
        for path in ("arch/chip.c", "arch/wse/bad.c", "arch/tensix/compute/bad.c",
                     "arch/traffic/bad.c", "workloads/host/bad.c"):
            self.includes(path, header, "belongs only in")
        self.includes("arch/model/area/bad.c", '"sim/engine.h"', "belongs only in")
        self.passes("tools/gridloom/model/good.c", PURPOSE + f"#include {header}\n")

    def test_a_folder_uses_those_below_it_only(self):
        self.includes("workloads/sandbox/bad.c", '"workloads/host/session.h"',
                      "private to workloads/host/")
        self.includes("traces/file/bad.c", '"traces/picture/svg.h"',
                      "private to traces/picture/")
        self.passes("traces/picture/good.c", PURPOSE + '#include "traces/table/table.h"\n')

    def test_a_prefix_belongs_to_one_room(self):
        own = PURPOSE + "typedef struct NocLink NocLink;\nvoid noc_link_free(NocLink *self);\n"
        for text in ("bool noc_show(int x);\n", "typedef struct {\n} NocPlace;\n",
                     "static inline int\nnoc_of(void)\n{\n}\n"):
            files = {**CLEAN, "arch/noc/link.h": own, "tools/show.h": PURPOSE + text}
            status, output = self.check(files)
            self.assertEqual(status, 1)
            self.assertIn("the prefix 'noc' belongs to one room", output[0])
        files = {**CLEAN, "arch/noc/link.h": own,
                 "tools/show.h": PURPOSE + "bool cmd_noc_show(int x); /* noc_x(a); */\n"}
        self.assertEqual(self.check(files), (0, []))

    def test_a_folder_has_at_most_sixty_files(self):
        many = {f"traces/picture/shape{i}.c": PURPOSE for i in range(60)}
        self.assertEqual(self.check({**CLEAN, **many}), (0, []))
        many["traces/picture/more.c"] = PURPOSE
        self.assertEqual(self.check({**CLEAN, **many})[0], 1)
        root = {f"tools/gridloom/part{i}.c": PURPOSE for i in range(41)}
        self.assertEqual(self.check({**CLEAN, **root})[0], 1)
        data = {f"traces/gpu/{i}.json": "{}\n" for i in range(61)}
        self.assertEqual(self.check({**CLEAN, **data}), (0, []))
        heads = {f"arch/part{i}.h": PURPOSE for i in range(27)}
        self.assertIn("headers, at most 26", self.check({**CLEAN, **heads})[1][0])

    def test_cycle_is_caught(self):
        files = {
            "sim/a.h": PURPOSE + '#include "sim/b.h"\n',
            "sim/b.h": PURPOSE + '#include "sim/a.h"\n',
        }

        status, output = self.check({**CLEAN, **files})

        self.assertEqual(status, 1)
        self.assertEqual(output, [
            "sim/b.h:2: includes form a cycle: sim/a.h -> sim/b.h -> sim/a.h"])

    def test_files_stay_short(self):
        self.caught("sim/bad.c", PURPOSE + "int x;\n" * 500, 501, "501 lines, at most 500")
        self.caught("sim/bad.h", PURPOSE + "int x;\n" * 150, 151, "151 lines, at most 150")
        self.passes("sim/good.c", PURPOSE + "int x;\n" * 499)
        self.passes("sim/good.h", PURPOSE + "int x;\n" * 149)

    def test_vague_names_are_caught(self):
        for path in ("sim/util.c", "sim/noc_utils.h", "arch/base.h", "sim/misc.h",
                     "arch/noc/link_manager.c", "workloads/common/x.c"):
            self.caught(path, PURPOSE, 1, "says nothing")
        self.caught("workloads/lib/helpers.lua", "-- x\n", 1, "says nothing")
        self.passes("sim/database.c", PURPOSE)

    def test_names_of_somebody_elses_api_are_not_ours(self):
        for folder in ("device/api", "host/include/common"):
            self.passes(f"workloads/metal/{folder}/util.h", "// It is x.\n#include \"x.h\"\nvoid noc_x();\n")
            self.caught(f"workloads/metal/{folder}/x.h", "#include \"x.h\"\n", 1, "what it is for")
            self.caught(f"workloads/metal/{folder}/x.h", "// It is x.\n" * 261, 261, "at most 260")
        self.caught("workloads/metal/host/util.cpp", "// A file.\n", 1, "says nothing")

    def test_file_says_what_it_is_for(self):
        for text in ("", "int x;\n", "\n" + PURPOSE, "// A file.\n", "/*A file.*/\n",
                     "/* no full stop */\nint x; /* A sentence. */\n"):
            self.caught("sim/bad.c", text, 1, "what it is for")

    def test_text_is_ascii(self):
        for path in ("workloads/x.lua", "arch/chips/x.ini", "tests/x.py", "sim/README.md"):
            self.caught(path, "first\nsecond \u00e9\n", 2, "not ASCII")
        self.caught("sim/bad.c", PURPOSE + "/* \u2013 */\n", 2, "not ASCII")

    def test_tabs_are_caught(self):
        self.caught("sim/bad.c", PURPOSE + "\tint x;\n", 2, "tab")
        self.caught("sim/bad.h", PURPOSE + "int\tx;\n", 2, "tab")

    def test_functions_that_differ_between_machines_are_caught(self):
        for call in ("cbrt(x)", "hypot(x, y)", "exp2(x)", "lgamma(x)", "erfc(x)"):
            self.caught("arch/bad.c", f"{PURPOSE}double y = {call};\n", 2, "differs")
            self.passes("tests/arch/good.c", f"{PURPOSE}double y = {call};\n")
        self.passes("arch/good.c", f"{PURPOSE}/* Not cbrt(). */\ndouble y = sqrt(exp(x));\n")

    def test_arguments_that_another_one_sets_are_caught(self):
        self.caught("sim/engine.c",
                    CLEAN["sim/engine.c"] + "\nvoid run(void)\n{\n    check(go(1, &error),\n"
                    "          error);\n    check(go(1, &error), &error);\n}\n", 9,
                    "error may be read before the call that sets it")

    def test_casts_that_may_cut_a_number_off_are_caught(self):
        for cast in ("(uint8_t) x", "(guint) (x + 1)", "(int) f(x)", "(guint16) -x"):
            self.caught("arch/bad.c", f"{PURPOSE}int y = {cast};\n", 2, "cut a number off")
            self.passes("traces/good.c", f"{PURPOSE}int y = {cast};\n")
            self.passes("arch/number/half.c", f"{PURPOSE}int y = {cast};\n")
        for cast in ("(uint8_t) ~x", "(guint) __builtin_ctz(x)", "(int) MOST", "(float) x",
                     "(uint64_t) x", "sizeof(int) * 2", "(guint) 1"):
            self.passes("arch/good.c", f"{PURPOSE}int y = {cast};\n")

    def test_machine_paths_are_caught(self):
        for folder in ("work", "home", "root"):
            self.caught("sim/README.md", f"see\n`/{folder}/me/x`\n", 2, "one machine")
            self.caught("tools/run", f"cd /{folder}/me\n", 1, "one machine")
        self.passes("sim/README.md", "https://example.org/home/x ../work/x $x/work/y\n")

    def test_build_folder_is_not_looked_at(self):
        self.passes("build/release/util.c", "\t\n")


if __name__ == "__main__":
    unittest.main()
