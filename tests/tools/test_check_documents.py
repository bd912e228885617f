"""Plants one fault at a time in a small clean tree and sees check_documents.py catch it."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/lint"))
import check_documents

ROOMS = ("sim", "arch", "workloads", "traces", "tools", "tests")
CLEAN = {
    "README.md": "# A tree\n\n[sim](sim/README.md#how-to-add), `sim/engine.h`, `./tools/run`\n",
    "CHANGELOG.md": "- `sim/gone.c` is gone\n",
    "arch/chips/one.ini": "[chip]\n",
    "sim/engine.h": "",
    "tools/run": "",
    "workloads/lib/cores/grid.lua": "",
    "workloads/doc/script.md": "# Scripts\n\n`lib/cores/grid.lua`, `chips/*.ini`\n",
    **{f"{room}/README.md": "# A room\n\n## How to add\n" for room in ROOMS},
}


class CheckDocuments(unittest.TestCase):
    def check(self, files):
        """Exit status and output lines for a tree of these files."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            with contextlib.redirect_stdout(io.StringIO()) as output:
                status = check_documents.main(["check_documents.py", root])
        return status, output.getvalue().splitlines()

    def caught(self, path, text, line, message):
        """The clean tree with this one page has exactly this one finding."""
        status, output = self.check({**CLEAN, path: text})

        self.assertEqual(len(output), 1, output)
        self.assertTrue(output[0].startswith(f"{path}:{line}: "), output)
        self.assertIn(message, output[0])
        self.assertEqual(status, 1)

    def passes(self, path, text):
        self.assertEqual(self.check({**CLEAN, path: text}), (0, []))

    def test_clean_tree_passes(self):
        self.assertEqual(self.check(CLEAN), (0, []))

    def test_each_finding_is_printed(self):
        self.assertEqual(len(self.check({**CLEAN, "sim/x.md": "`sim/a.c` `sim/b.c`\n"})[1]), 2)

    def test_a_missing_page_of_a_room_is_a_finding(self):
        files = {path: text for path, text in CLEAN.items() if path != "traces/README.md"}

        self.assertEqual(self.check(files), (1, ["traces/README.md:0: there is no such page"]))

    def test_front_page_has_at_most_150_lines(self):
        self.passes("README.md", "a line\n" * 150)
        self.caught("README.md", "a line\n" * 151, 151, "151 lines, at most 150")

    def test_pages_of_rooms_have_at_most_60_lines(self):
        for room in ROOMS[1:]:
            self.caught(f"{room}/README.md", "a line\n" * 61, 61, "61 lines, at most 60")
        self.passes("arch/README.md", "a line\n" * 60)
        self.passes("arch/doc/long.md", "a line\n" * 500)

    def test_cells_have_at_most_200_characters(self):
        self.passes("arch/x.md", f"| a | {'x' * 200} |\n")
        self.passes("arch/x.md", f"| {'x' * 150} | {'y' * 150} |\n")
        self.passes("arch/x.md", f"```\n| {'x' * 300} |\n```\n")
        self.caught("arch/x.md", f"| a | {'x' * 201} |\n", 1, "201 characters")
        self.caught("CHANGELOG.md", f"| {'x' * 201} |\n", 1, "201 characters")

    def test_a_bar_with_a_backslash_parts_no_cells(self):
        self.caught("arch/x.md", f"| {'x' * 150}\\|{'y' * 150} |\n", 1, "a cell of 302")

    def test_pages_are_ascii(self):
        self.caught("arch/x.md", "a\n\u00b5s\n", 2, "not ASCII")

    def test_merges_are_finished(self):
        for line in ("<<<<<<< HEAD", "=======", ">>>>>>> 0123456 (a commit)"):
            self.caught("arch/x.md", f"a\n{line}\nb\n", 2, "a merge is not finished")
        self.passes("arch/x.md", "========\n<<<<<<<<\n")

    def test_files_of_a_room_exist(self):
        self.caught("arch/x.md", "text\nsee `sim/motor.h`\n", 2, "`sim/motor.h` is not in the tree")
        self.caught("arch/x.md", "see `workloads/nowhere/`\n", 1, "not in the tree")
        self.caught("arch/x.md", "`gridloom run workloads/gone.lua nx=2`\n", 1, "not in the tree")
        self.caught("arch/x.md", "```\n./tools/gone x\n```\n", 2, "`tools/gone`")
        self.passes("arch/x.md", "`sim/`, `workloads/lib/`, `arch/chips/one.ini`\n")

    def test_files_may_be_named_by_the_end_of_their_path(self):
        self.passes("arch/x.md", "`grid.lua`, `cores/grid.lua`, `one.ini`\n")
        self.caught("arch/x.md", "`nets/grid.lua`\n", 1, "not in the tree")
        self.caught("arch/x.md", "`mesh.lua`\n", 1, "not in the tree")

    def test_patterns_find_at_least_one_file(self):
        self.passes("arch/x.md", "`chips/*.ini`, `arch/chips/*.ini`\n")
        self.caught("arch/x.md", "`arch/chips/*.xml`\n", 1, "not in the tree")

    def test_words_in_capitals_stand_for_any(self):
        self.passes("arch/x.md", "`arch/FAMILY/keys.c`, `arch/chips/design_X.ini`, `FILE.lua`\n")

    def test_what_a_command_writes_need_not_exist(self):
        self.passes("arch/x.md", "`result.json`, `build/pcg.html`, `-o x.svg`, `.lua`\n")

    def test_links_lead_somewhere(self):
        self.passes("arch/x.md", "[a](../sim/engine.h) [b](https://example.org/x) [c](README.md)\n")
        self.caught("arch/x.md", "[a](sim/engine.h)\n", 1, "no such file")
        self.caught("arch/x.md", "![a](../traces/a.svg)\n", 1, "no such file")

    def test_links_to_headings_find_them(self):
        page = "# A page\n\n## What `x` is: a word\n\n```\n# no heading\n```\n"
        self.passes("arch/x.md", page + "[a](#what-x-is-a-word) [b](../sim/README.md#how-to-add)\n")
        self.caught("arch/x.md", page + "[a](#no-heading)\n", 8, "no such heading")
        self.caught("arch/x.md", "[a](../sim/README.md#how-not-to)\n", 1, "no such heading")


if __name__ == "__main__":
    unittest.main()
