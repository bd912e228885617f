"""Compares transfer.lua with PCIe bandwidths that were measured on silicon.

The measurements are not part of this repository. Without them the comparison says so
and ends with the code that ctest counts as skipped.
"""

import csv
import json
import pathlib
import subprocess
import sys

SKIPPED = 77
COMMANDS = 5000
TOLERANCE_PERCENT = 6.0


def measured(path):
    """GB/s by transaction size."""
    with path.open(encoding="ascii") as file:
        return {
            int(row["Transaction Size (bytes)"]): float(row["Bandwidth (GB/s)"])
            for row in csv.DictReader(file)
        }


def simulated(program, source):
    """The points of the sweep in which a core issues the commands."""
    output = subprocess.run(
        [program, "run", source / "workloads/transfer.lua", "max_bytes=64",
         f"commands={COMMANDS}", "--chip", "wormhole_n300", "--json", "-"],
        check=True, capture_output=True, text=True).stdout
    return json.loads(output)["metrics"]["commands"]


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    data = source.parent / "shared/data/noc_silicon"
    if not data.is_dir():
        print(f"skipped: no measurements in {data}")
        return SKIPPED
    worst = 0.0
    for direction in ("read", "write"):
        silicon = measured(data / f"PCIe_{direction.capitalize()}_Bandwidth_Sweep.csv")
        for point in simulated(program, source):
            published = silicon[point["bytes"]]
            model = point[f"{direction}_gigabytes_per_second"]
            error = 100 * (model / published - 1)
            worst = max(worst, abs(error))
            print(f"pcie {direction:5} {point['bytes']:5} B  published {published:7.3f} "
                  f"simulated {model:7.3f} GB/s  {error:+5.1f} %")
    print(f"worst {worst:.1f} %, tolerance {TOLERANCE_PERCENT} %")
    return 0 if worst <= TOLERANCE_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())
