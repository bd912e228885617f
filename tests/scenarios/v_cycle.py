"""V-cycles of multigrid in Python's double precision, on dictionaries of cells. Everything is
written from the definition: one matrix of weights for each transfer, and no order of sums."""
import itertools
import math

SIDES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


def cells(size):
    return itertools.product(*map(range, size))


def residual(f, u):
    return {at: f[at] - 6 * value + sum(u.get(tuple(map(sum, zip(at, side))), 0) for side in SIDES) for at, value in u.items()}


def weight(fine, coarse):
    """Of a coarse cell in the interpolation of a fine one."""
    return math.prod(max(0, 1 - abs(a - (2 * b + 1)) / 2) for a, b in zip(fine, coarse))


def near(fine, size):
    """The coarse cells around a fine one."""
    return itertools.product(*[[k for k in ((n - 1) // 2, n // 2) if 0 <= k < most] if n % 2 == 0 else [n // 2]
                               for n, most in zip(fine, size)])


def chebyshev(count, low, high):
    return [1 / (6 * ((low + high) / 2 + (high - low) / 2 * math.cos((2 * j + 1) * math.pi / (2 * count)))) for j in range(count)]


def sweeps(f, u, weights):
    for w in weights:
        r = residual(f, u)
        u = {at: value + w * r[at] for at, value in u.items()}
    return u


def red_black(f, u, count, first):
    for color in (first, 1 - first) * count:
        r = residual(f, u)
        u = {at: value + (r[at] / 6 if sum(at) % 2 == color else 0) for at, value in u.items()}
    return u


def cycle(f, u, size, levels, settings):
    if levels == 1:
        cosines = sum(math.cos(math.pi / (n + 1)) for n in size) / 3
        return sweeps(f, u, chebyshev(settings["coarse"], 1 - cosines, 1 + cosines))

    def smooth(u, count, first):
        if settings["smoother"] == "red-black":
            return red_black(f, u, count, first)
        if settings["smoother"] == "jacobi":
            return sweeps(f, u, [settings["omega"] / 6] * count)
        return sweeps(f, u, chebyshev(count, 1 / 3, 2))

    u = smooth(u, settings["pre"], 0)
    half = tuple(n // 2 for n in size)
    coarse_f = dict.fromkeys(cells(half), 0)
    for at, value in residual(f, u).items():
        for to in near(at, half):
            coarse_f[to] += 4 / 8 * weight(at, to) * value
    e = cycle(coarse_f, dict.fromkeys(coarse_f, 0), half, levels - 1, settings)
    u = {at: value + sum(weight(at, to) * e[to] for to in near(at, half)) for at, value in u.items()}
    return smooth(u, settings["post"], 1)


def norm(r):
    return math.sqrt(sum(value * value for value in r.values()))


def norms(f, size, levels, cycles, settings):
    """Norms of the residual from 0, before the first cycle and after each."""
    u = dict.fromkeys(cells(size), 0)
    found = [norm(residual(f, u))]
    for _ in range(cycles):
        u = cycle(f, u, size, levels, settings)
        found.append(norm(residual(f, u)))
    return found
