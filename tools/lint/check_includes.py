#!/usr/bin/env python3
"""Checks that each C file reaches the headers of the libraries whose words it uses.

usage: check_includes.py ROOT. Prints `file:line: message` for each finding.

Builds precompile these headers and pass them to every file, so no compiler would notice a missing
include.
"""
import os
import re
import sys

ROOMS = ("sim", "arch", "workloads", "traces", "tools", "tests")
WORDS = (  # a library's words, its header, and the headers that bring it along
    (re.compile(r"\b(?:g_[a-z]\w*|G(?:Array|Bytes|Error|HashTable|List|PtrArray|Queue|Rand|"
                r"String|Thread|Mutex|Cond|Option\w+)|gpointer|gsize)\b"),
     "glib.h", r"glib|gio/|json-glib/|gdk"),
    (re.compile(r"\bJson(?:Array|Builder|Generator|Node|Object|Parser)\b"),
     "json-glib/json-glib.h", r"json-glib/"),
    (re.compile(r"\b(?:lua_State|luaL?_[a-z]\w+)\b"), "lauxlib.h", r"lauxlib\.h|lua\.h|lualib\.h"),
    (re.compile(r"\bassert_(?:int|string|memory|ptr|true|false|null|non_null|float)\w*\("),
     "cmocka.h", r"cmocka\.h"),
    (re.compile(r"\bu?int(?:8|16|32|64)_t\b"), "stdint.h",
     r"stdint\.h|inttypes\.h|cmocka\.h|protobuf-c|google/"),
)
# Headers and sources for programs of others, in C++.
FOREIGN = re.compile(r"workloads/metal/(device|host)\b")
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]+([<\"])([^>\"]+)[>\"]", re.M)


def source_files(root):
    """Our C files and headers below a folder, as paths from there."""
    for room in ROOMS:
        for folder, _, names in sorted(os.walk(os.path.join(root, room))):
            for name in sorted(names):
                if name.endswith((".c", ".h")) and not FOREIGN.search(folder):
                    yield os.path.relpath(os.path.join(folder, name), root)


class Tree:
    def __init__(self, root):
        self.root = root
        self.texts = {path: self.read(path) for path in source_files(root)}

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def libraries(self, path):
        """The library headers that a file reaches through ours."""
        found, seen, waiting = set(), set(), [path]
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            for bracket, name in INCLUDE.findall(self.texts[here]):
                beside = os.path.normpath(os.path.join(os.path.dirname(here), name))
                ours = [place for place in (name, beside) if place in self.texts]
                if ours:
                    waiting.append(ours[0])
                elif bracket == "<" or ".h" in name:
                    found.add(name)
        return found

    def findings(self, path):
        code = NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), self.texts[path])
        reached = None
        for words, header, brought_by in WORDS:
            word = words.search(code)
            if not word:
                continue
            reached = self.libraries(path) if reached is None else reached
            if not any(re.match(brought_by, name) for name in reached):
                line = code.count("\n", 0, word.start()) + 1
                yield f"{path}:{line}: {word[0].rstrip('(')} wants #include <{header}>"


def main():
    tree = Tree(sys.argv[1])
    findings = [finding for path in tree.texts for finding in tree.findings(path)]
    print("\n".join(findings), end="\n" if findings else "")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
