"""One system A x = b from a right-hand side in NumPy: solved by PCG on a Wormhole, on a WSE-2 and in
NumPy, in the same precisions; norms of the residual beside each other, and residuals.svg.

    PYTHONPATH=tools/python /usr/bin/python3 tools/python/examples/residuals.py [NX NY NZ ITERATIONS]
"""
import sys

import numpy

import gridloom

COLOURS = {"fp64": "#555555", "fp32": "#1f77b4", "fp16": "#e08214", "bf16": "#c0392b"}
LINES = {"NumPy": 'stroke-dasharray="2 6" stroke-width="4"', "Wormhole": 'stroke-dasharray="9 5" stroke-width="2"',
         "WSE-2": 'stroke-width="1"'}


def to_bf16(a):
    """Rounds to bf16, to nearest, ties to even; kept in float32, whose upper half it is."""
    bits = numpy.asarray(a, "f4").view("u4").astype("i8")
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16 << 16).astype("u4").view("f4")


# Vectors and sums of each precision.
ROUND = {"fp64": (numpy.float64, numpy.float64), "fp32": (numpy.float32, numpy.float32),
         "fp16": (lambda a: numpy.asarray(a, "f2").astype("f4"), numpy.float32), "bf16": (to_bf16, to_bf16)}


def laplacian(x):
    """A x: 6 on the diagonal, -1 for each of six neighbours, 0 beyond the grid."""
    y = 6 * x
    for axis in range(3):
        ahead, behind = [slice(None)] * 3, [slice(None)] * 3
        ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
        y[tuple(ahead)] -= x[tuple(behind)]
        y[tuple(behind)] -= x[tuple(ahead)]
    return y


def pcg(b, iterations, precision):
    """Preconditioned by the diagonal. Returns x and the norms of the residual; every vector and every
    sum is rounded."""
    vector, number = ROUND[precision]
    r = vector(b)
    x, z = 0 * r, vector(r / 6)
    p, delta, norms = z, number(numpy.sum(r * z)), [float(numpy.sqrt(numpy.sum(r * r)))]
    for _ in range(iterations):
        q = vector(laplacian(p))
        alpha = number(delta / number(numpy.sum(p * q)))
        x, r = vector(x + alpha * p), vector(r - alpha * q)
        z = vector(r / 6)
        delta, before = number(numpy.sum(r * z)), delta
        p = vector(z + number(delta / before) * p)
        norms.append(float(numpy.sqrt(numpy.sum(r * r))))
    return x, norms


def solve(b, iterations):
    """The solution and norms by name: of NumPy in each precision, and of each chip."""
    nx, ny, nz = b.shape
    found = {f"NumPy {precision}": pcg(b, iterations, precision) for precision in ROUND}
    for name, chip, words in (("Wormhole fp32", "wormhole_n300", {"variant": "split"}), ("WSE-2 fp32", "wse2", {}),
                              ("WSE-2 fp16", "wse2", {"dtype": "mixed"}), ("Wormhole bf16", "wormhole_n300", {"variant": "fused"})):
        run = gridloom.run("pcg", chip, nx=nx, ny=ny, nz=nz, iterations=iterations, inputs={"rhs": b}, save="x", **words)
        found[name] = run.arrays["x"], run.metrics["residual_history"]
    return found


def true_norm(b, x):
    """The norm of b - A x in double precision."""
    return numpy.linalg.norm(b - laplacian(x.astype("f8")))


def table(b, found):
    """Norms of some iterations, and the true residual of each solution in double precision."""
    order = sorted(found, key=lambda name: name.split()[1])
    last = len(found[order[0]][1]) - 1
    lines = [f"{'norm after':>16} " + " ".join(f"{name:>14}" for name in order)]
    for i in sorted({last * part // 8 for part in range(9)}):
        lines.append(f"{i:16} " + " ".join(f"{found[name][1][i]:14.6g}" for name in order))
    true = [true_norm(b, found[name][0]) for name in order]
    return "\n".join([*lines, f"{'|b - A x|':>16} " + " ".join(f"{norm:14.6g}" for norm in true)])


def picture(b, found):
    """Norms over iterations, in SVG: a colour for each precision, dots, dashes and lines by who solved.
    Behind each name is the true norm at the end."""
    logs = {name: numpy.log10(norms) for name, (_, norms) in found.items()}
    low = min(log.min() for log in logs.values())
    high = max(log.max() for log in logs.values())
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="800" height="420" font-family="sans-serif" font-size="12">',
             '<rect width="800" height="420" fill="white"/>']
    for power in range(int(numpy.ceil(low)), int(numpy.floor(high)) + 1):
        y = 380 - 350 * (power - low) / (high - low)
        parts.append(f'<path d="M60 {y:.1f}H580" stroke="#ddd"/><text x="54" y="{y + 4:.1f}" text-anchor="end">1e{power}</text>')
    steps = len(next(iter(logs.values()))) - 1
    parts += [f'<text x="{60 + 130 * part}" y="398" text-anchor="middle">{steps * part / 4:g}</text>' for part in range(5)]
    for row, (name, log) in enumerate(logs.items()):
        points = " ".join(f"{60 + 520 * i / steps:.1f},{380 - 350 * (value - low) / (high - low):.1f}" for i, value in enumerate(log))
        who, precision = name.split()
        line = f'fill="none" stroke="{COLOURS[precision]}" {LINES[who]}'
        parts.append(f'<polyline points="{points}" {line}/><path d="M600 {30 + 20 * row}h30" {line}/>'
                     f'<text x="640" y="{34 + 20 * row}">{name}: {true_norm(b, found[name][0]):.4g}</text>')
    parts.append('<text x="320" y="414" text-anchor="middle">iteration</text><text x="60" y="20">norm of the residual as PCG carries it along; '
                 'behind names: of b - A x at the end</text></svg>\n')
    return "\n".join(parts)


def main(words):
    nx, ny, nz, iterations = map(int, words) if words else (64, 48, 12, 40)
    i, j, k = numpy.indices((nx, ny, nz))
    b = numpy.sin(i + 1.0) * (j - 8) + k
    numpy.save("b.npy", b)
    found = solve(b, iterations)
    print(table(b, found))
    with open("residuals.svg", "w", encoding="utf-8") as file:
        file.write(picture(b, found))


if __name__ == "__main__":
    main(sys.argv[1:])
