"""Runs `gridloom validate noc` on measurements that lie beside the checkout.

They are not part of this repository. Without them the test says so and ends with the code
that ctest counts as skipped.
"""

import json
import pathlib
import subprocess
import sys

SKIPPED = 77


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    words = sys.argv[3:]
    data = source.parent / "shared/data"
    if not data.is_dir():
        print(f"skipped: no measurements in {data}")
        return SKIPPED
    done = subprocess.run([program, "validate", "noc", "--data", data, *words, "--json", "-"],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        print(done.stderr)
        return 1
    result = json.loads(done.stdout)
    for row in result["rows"]:
        if row["status"] == "fail":
            print(f"{row['source']}, {row['case']}: published {row['published']}, simulated {row['simulated']}, "
                  f"error {row['error']} of {row['tolerance']} {row['why'] or ''}")
    metrics = result["metrics"]
    summary = metrics["summary"]["noc"]
    for kind in ("calibrated", "predicted"):
        print(kind, json.dumps(summary[kind]))
    if metrics["not_covered"]:
        print("not covered:", ", ".join(metrics["not_covered"]))
    # Every known file is covered, and some row of each kind is judged.
    is_judged = all(summary[kind]["passed"] > 0 for kind in ("calibrated", "predicted"))
    return 0 if done.returncode == 0 and is_judged and not metrics["not_covered"] else 1


if __name__ == "__main__":
    sys.exit(main())
