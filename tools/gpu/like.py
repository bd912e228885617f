#!/usr/bin/env python3
"""Prints the problems of results, as tools/gpu/measure --list reads them.
usage: like.py RESULT.json|FOLDER...
A line for each: PROGRAM NXxNYxNZ FORMAT ITERATIONS. Ends with 1 where a file is no result, or
no program of this folder measures its problem."""
import json
import os
import sys

TILE = 1024
ALL_FORMATS = ("fp32", "fp64", "bf16", "mixed")
# Workloads with programs of the same names, and formats that they compute in.
FORMATS = {"pcg": ALL_FORMATS, "stencil7": ALL_FORMATS, "stencil25": ("fp32",),
           "dot": ALL_FORMATS, "axpy": ALL_FORMATS, "vecadd": ALL_FORMATS}


class Unfit(Exception):
    """Says why a file's problem cannot be measured."""


def read(path):
    if os.path.isdir(path):
        path = os.path.join(path, "result.json")
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
    except OSError as error:
        raise Unfit(error.strerror) from error
    except ValueError as error:
        raise Unfit("not JSON, or cut short") from error
    if not isinstance(result, dict) or not isinstance(result.get("parameters"), dict) \
            or not isinstance(result.get("workload"), str):
        raise Unfit("not a result of gridloom run")
    return result


def size(parameters):
    """Vectors without a grid are as long as their tiles on all cores."""
    if "nx" in parameters:
        sides = [parameters.get(name) for name in ("nx", "ny", "nz")]
    elif "elements" in parameters:
        sides = [parameters["elements"], 1, 1]
    else:
        sides = [parameters.get("tiles"), parameters.get("rows", 1), parameters.get("cols", 1)]
        sides[0] = sides[0] * TILE if isinstance(sides[0], int) else None
    if not all(isinstance(side, int) and side > 0 for side in sides):
        raise Unfit("its parameters say no size")
    return "x".join(str(side) for side in sides)


def problem(path):
    result = read(path)
    workload = result["workload"]
    if workload not in FORMATS:
        raise Unfit(f"{workload}: no program measures it; there are {', '.join(sorted(FORMATS))}")
    dtype = result["parameters"].get("dtype")
    if dtype not in FORMATS[workload]:
        raise Unfit(f"{workload} in {dtype}: it is measured in {', '.join(FORMATS[workload])}")
    iterations = result.get("iterations")
    if not isinstance(iterations, int) or iterations < 1:
        iterations = 1
    return f"{workload} {size(result['parameters'])} {dtype} {iterations}"


def main(paths):
    for path in paths:
        try:
            print(problem(path))
        except Unfit as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
