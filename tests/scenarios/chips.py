"""Chip files for tests: shipped ones with other ranges."""
import os
import re

from gridloom import SOURCE


def chip_with_ranges(**ranges):
    """The text of a Wormhole with these ranges, `host__launch_us="25..38"`, and all others fixed."""
    with open(os.path.join(SOURCE, "arch/chips/wormhole_n300.ini"), encoding="utf-8") as file:
        lines = re.sub(r"(?m)^(#.*; range ).*$", r"\1fixed", file.read()).splitlines()
    section = None
    for place, line in enumerate(lines):
        section = line[1:-1] if line.startswith("[") else section
        path = f"{section}__{line.split(' =')[0]}"
        if path in ranges:
            comment = re.sub("; range .*", "", lines[place - 1])
            lines[place - 1] = f"{comment}; range {ranges.pop(path)}"
    assert not ranges, ranges
    return "\n".join(lines) + "\n"
