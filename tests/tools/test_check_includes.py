"""tools/lint/check_includes.py finds words whose header is not included."""
import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     "../../tools/lint/check_includes.py")


class Includes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def check(self, **files):
        """The output of the check for a tree with arch/NAME.c of these texts, and two headers."""
        os.makedirs(os.path.join(self.root, "arch/part"))
        texts = {"arch/own.h": "#include <glib.h>\n", "arch/part/far.h": '#include "arch/own.h"\n'}
        texts.update((f"arch/{name}.c", text) for name, text in files.items())
        for path, text in texts.items():
            with open(os.path.join(self.root, path), "w", encoding="ascii") as file:
                file.write(text)
        return subprocess.run([sys.executable, "-B", CHECK, self.root], capture_output=True,
                              text=True, check=False)

    def test_what_is_reached_is_fine(self):
        done = self.check(direct="#include <glib.h>\nvoid f(void) { g_free(0); }\n",
                          far='#include "arch/part/far.h"\nstatic GError *error;\n',
                          brought="#include <json-glib/json-glib.h>\nstatic GString *text;\n",
                          number="#include <inttypes.h>\nstatic uint64_t count;\n")
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_a_word_without_its_header_is_found(self):
        done = self.check(glib="\nvoid f(void) { g_free(0); }\n",
                          json='#include "arch/own.h"\nstatic JsonNode *node;\n',
                          lua="static int f(lua_State *L);\n",
                          number='#include "arch/own.h"\n\nstatic int64_t count;\n',
                          test="void f(void) { assert_true(1); }\n")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines(), [
            "arch/glib.c:2: g_free wants #include <glib.h>",
            "arch/json.c:2: JsonNode wants #include <json-glib/json-glib.h>",
            "arch/lua.c:1: lua_State wants #include <lauxlib.h>",
            "arch/number.c:3: int64_t wants #include <stdint.h>",
            "arch/test.c:1: assert_true wants #include <cmocka.h>"])

    def test_comments_and_texts_have_no_words(self):
        done = self.check(text='/* g_free() */ // uint8_t\nstatic char text[] = "g_free(";\n')
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
