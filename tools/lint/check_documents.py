#!/usr/bin/env python3
"""Checks the pages of the tree: length, table cells, ASCII, unfinished merges, and whether the files they name exist.

usage: check_documents.py ROOT. Prints `file:line: message` for each finding.
"""
import fnmatch
import os
import re
import sys

from check_layers import source_files

ROOMS = ("sim", "arch", "workloads", "traces", "tools", "tests")
MOST_LINES = {"README.md": 150, **{f"{room}/README.md": 60 for room in ROOMS}}
MOST_CELL = 200
HISTORY = {"CHANGELOG.md"}  # names files that are gone

# Endings of files that only the tree has; a command may write files with others.
SOURCE = (".c", ".h", ".def", ".lua", ".py", ".sh", ".ini", ".md", ".cu", ".cuh", ".hpp", ".cpp",
          ".mjs", ".cmake", ".proto")
FENCE = re.compile(r"^\s*```")
SPAN = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"^[\w.*/-]+$")
# In arch/FAMILY/ or codesign_X.lua, a word in capitals stands for any.
PLACEHOLDER = re.compile(r"(^|[_./-])(?!(README|CHANGELOG|LICENSE)\b)[A-Z]+([_./-]|$)")
HEADING = re.compile(r"^#+ +(.*)")
BREAK = re.compile(r"(?<!\\)\|")  # between two cells
CONFLICT = re.compile(r"^(<<<<<<<|=======|>>>>>>>)( |$)")  # what a merge leaves


def anchor(heading):
    """The name by which links refer to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def outside_fences(lines):
    """(number, line) of all lines outside code blocks."""
    is_code = False
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            yield number, line


class Tree:
    """The files and folders below a root, by every way to name them."""

    def __init__(self, root):
        self.root = root
        self.files = list(source_files(root))
        folders = {folder for path in self.files for folder in parents(path)}
        self.paths = set(self.files) | folders
        self.ends = {"/".join(parts[i:]) for path in self.paths
                     for parts in [path.split("/")] for i in range(len(parts))}

    def lines(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def has(self, name):
        """Does such a file or folder exist, named from the root or by the end of its path?"""
        known = self.paths if name.split("/")[0] in ROOMS else self.ends
        return any(fnmatch.fnmatchcase(path, name) for path in known) if "*" in name else name in known


def parents(path):
    """The folders above a path."""
    parts = path.split("/")
    return ["/".join(parts[:i]) for i in range(1, len(parts))]


def looks_like_path(word):
    """Does a word of code look like the name of a file in the tree?"""
    if not PATH.match(word) or PLACEHOLDER.search(word):
        return False
    is_in_room = "/" in word.rstrip("/") and word.split("/")[0] in ROOMS
    return is_in_room or (word.endswith(SOURCE) and word not in SOURCE)


def path_faults(tree, lines):
    """(line, message) for names of files, in code, that do not exist."""
    is_code = False
    for number, line in enumerate(lines, 1):
        is_code ^= bool(FENCE.match(line))
        for code in [line] if is_code else SPAN.findall(line):
            for word in code.split():
                word = word.strip("\"',;()").removeprefix("./").rstrip("/")
                if looks_like_path(word) and not tree.has(word):
                    yield number, f"`{word}` is not in the tree"


def link_faults(tree, path, lines):
    """(line, message) for links to files and headings that do not exist."""
    for number, line in outside_fences(lines):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, heading = target.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if there not in tree.paths:
                yield number, f"link to {target}: there is no such file"
            elif heading and there.endswith(".md"):
                titles = [HEADING.match(text) for _, text in outside_fences(tree.lines(there))]
                if heading not in {anchor(title.group(1)) for title in titles if title}:
                    yield number, f"link to {target}: there is no such heading"


def text_faults(path, lines):
    """(line, message) for length, cells and characters."""
    most = MOST_LINES.get(path)
    if most and len(lines) > most:
        yield most + 1, f"{len(lines)} lines, at most {most}"
    for number, line in enumerate(lines, 1):
        if not line.isascii():
            yield number, "not ASCII"
        if CONFLICT.match(line):
            yield number, "a merge is not finished"
    for number, line in outside_fences(lines):
        if line.startswith("|"):
            longest = max(len(cell.strip()) for cell in BREAK.split(line))
            if longest > MOST_CELL:
                yield number, f"a cell of {longest} characters, at most {MOST_CELL}"


def findings(root):
    """(path, line, message) for every fault in the pages below `root`."""
    tree = Tree(root)
    pages = [path for path in tree.files if path.endswith(".md")]
    for path in pages:
        lines = tree.lines(path)
        faults = list(text_faults(path, lines))
        if path not in HISTORY:
            faults += path_faults(tree, lines)
            faults += link_faults(tree, path, lines)
        yield from ((path, line, message) for line, message in sorted(faults))
    for path in sorted(set(MOST_LINES) - set(pages)):
        yield path, 0, "there is no such page"


def main(arguments):
    if len(arguments) != 2:
        print("usage: check_documents.py ROOT", file=sys.stderr)
        return 1
    count = 0
    for path, line, message in findings(arguments[1]):
        print(f"{path}:{line}: {message}")
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
