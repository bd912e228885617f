-- V-cycles of multigrid for the 7-point Laplacian with 0 beyond the grid: what both chips share.
-- Of each axis of a level the cells 1, 3, 5, ... are the next level's, so n cells become (n - 1) / 2.
-- Restriction weights a cell and its neighbours along each axis with 1/4, 1/2, 1/4; prolongation
-- interpolates. Coarse residuals are multiplied by 4, so that all levels have the same matrix.
--
-- A sweep adds the residual times a weight to the solution. Weights of `jacobi` are omega / 6. Those
-- of `chebyshev` and of the coarsest level are the best for that many sweeps and for errors in a
-- range of eigenvalues. `red-black` solves for the cells of one color, then for those of the other.

local field = require("field")
local history = require("residual_history")

local DIAGONAL = 6
local LARGEST = 2                   -- eigenvalues of A / 6 are below
local OSCILLATING = 1 / 3           -- and those of errors that a coarser level does not have are above
local COARSEST_FACTOR = 0.1         -- by which sweeps on the coarsest level shall reduce errors at least
local MOST_SWEEPS = 64
local LEAST_CELLS = 3               -- of an axis of the coarsest level, unless the user wants more levels
local PARTS = { "smooth", "residual", "restrict", "prolong" }

local multigrid = { parts = PARTS }

-- multigrid.counted(count, word): "1 level", "3 levels".
function multigrid.counted(count, word)
    return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

-- Parameters beside sizes. `smoothers` and `dtypes` are by family.
function multigrid.parameters(smoothers, dtypes)
    return {
        { name = "levels", type = "integer", default = 0, min = 0, max = 16, help = "grids, the finest included; 0: as many as fit" },
        { name = "cycles", type = "integer", default = 8, min = 1, max = 1000, help = "V-cycles" },
        { name = "smoother", type = "choice", default = smoothers.defaults, choices = smoothers.choices,
          help = "jacobi and chebyshev add the residual with weights, red-black solves for every second cell in turn" },
        { name = "pre", type = "integer", default = 2, min = 0, max = 16, help = "sweeps of a level before the coarser ones" },
        { name = "post", type = "integer", default = 2, min = 0, max = 16, help = "sweeps of a level after the coarser ones" },
        { name = "coarse", type = "integer", default = 0, min = 0, max = MOST_SWEEPS,
          help = "sweeps on the coarsest level, of chebyshev; 0: as many as reduce errors to a tenth" },
        { name = "omega", type = "number", default = 6 / 7, min = 0.01, max = 2, help = "weight of jacobi" },
        { name = "dtype", type = "choice", default = dtypes.defaults, choices = dtypes.choices, help = dtypes.help },
        field.parameter("rhs", { "random" }, "right-hand side"),
        field.parameter("start", { "zero" }, "the solution to begin with"),
    }
end

multigrid.inputs = {
    { name = "rhs", help = "right-hand side, of shape (nx, ny, nz)" },
    { name = "start", help = "the solution to begin with, of shape (nx, ny, nz)" },
}
multigrid.outputs = { { name = "x", help = "the solution, of shape (nx, ny, nz)" } }

-- The most levels of an axis of n cells, of which the coarsest has `least` or more.
local function most_levels(n, least)
    local levels = 1
    while n % 2 == 1 and n // 2 >= least do
        n, levels = n // 2, levels + 1
    end
    return levels
end

local function least_of(p, least)
    return math.min(most_levels(p.nx, least), most_levels(p.ny, least), most_levels(p.nz, least))
end

-- Sets p.levels, up to `limit`, which is there because of `why`.
local function choose_levels(host, p, limit, why)
    local most = math.min(least_of(p, 1), limit)
    if p.levels == 0 then
        p.levels = math.min(math.max(least_of(p, LEAST_CELLS), math.min(least_of(p, 1), 2)), limit)
        if p.levels == 1 then
            host.refuse(("nx = %d, ny = %d, nz = %d: no coarser grid; sizes must be odd, and 3 or more, or levels = 1"):format(p.nx, p.ny, p.nz))
        end
    end
    if p.levels > limit then
        host.refuse(("levels = %d: at most %d, %s"):format(p.levels, limit, why))
    end
    if p.levels > most then
        host.refuse(("levels = %d: a grid of %d x %d x %d cells has %d; sizes of a multiple of %d less 1 have that many")
            :format(p.levels, p.nx, p.ny, p.nz, most, 1 << (p.levels - 1)))
    end
end

-- Roots of a Chebyshev polynomial on an interval, each as far from those before as can be, so that
-- errors do not grow on the way.
local function roots_of(count, low, high)
    local left, order = {}, {}
    for j = 1, count do
        left[j] = (low + high) / 2 + (high - low) / 2 * math.cos((2 * j - 1) * math.pi / (2 * count))
    end
    for i = 1, count do
        local best, farthest = 1, -math.huge
        for j, root in ipairs(left) do
            local distance = i == 1 and root or 0
            for _, other in ipairs(order) do
                distance = distance + math.log(math.abs(root - other))
            end
            if distance > farthest then
                best, farthest = j, distance
            end
        end
        order[i] = table.remove(left, best)
    end
    return order
end

-- Weights of so many sweeps.
local function chebyshev(count, low, high)
    local weights = {}
    for i, root in ipairs(roots_of(count, low, high)) do
        weights[i] = 1 / (DIAGONAL * root)
    end
    return weights
end

local function smoothing(p, count)
    if p.smoother == "chebyshev" then
        return chebyshev(count, OSCILLATING, LARGEST)
    end
    local weights = {}
    for i = 1, count do
        weights[i] = p.omega / DIAGONAL
    end
    return weights
end

-- The least and largest eigenvalue of A / 6 on a grid.
local function eigenvalues(size)
    local sum = math.cos(math.pi / (size.nx + 1)) + math.cos(math.pi / (size.ny + 1)) + math.cos(math.pi / (size.nz + 1))
    return 1 - sum / 3, 1 + sum / 3
end

-- Sweeps on the coarsest level; sets p.coarse.
local function coarsest(p, size)
    local low, high = eigenvalues(size)
    if p.coarse == 0 then
        local centre = (high + low) / math.max(high - low, 1e-9)
        local function acosh(x) return math.log(x + math.sqrt(x * x - 1)) end
        p.coarse = math.max(1, math.min(MOST_SWEEPS, math.ceil(acosh(1 / COARSEST_FACTOR) / acosh(centre))))
    end
    return chebyshev(p.coarse, low, high)
end

-- multigrid.plan(host, p, limit, why): sizes { nx, ny, nz } of all levels, from 1 on, and weights of
-- sweeps: before, after, coarsest. Sets what p leaves open.
function multigrid.plan(host, p, limit, why)
    choose_levels(host, p, limit, why)
    if p.levels > 1 and p.pre + p.post == 0 then
        host.refuse("pre = 0, post = 0: without sweeps errors that oscillate stay")
    end
    local plan = { sizes = { { nx = p.nx, ny = p.ny, nz = p.nz } } }
    for i = 2, p.levels do
        local finer = plan.sizes[i - 1]
        plan.sizes[i] = { nx = finer.nx // 2, ny = finer.ny // 2, nz = finer.nz // 2 }
    end
    plan.before, plan.after = smoothing(p, p.pre), smoothing(p, p.post)
    plan.coarsest = coarsest(p, plan.sizes[p.levels])
    return plan
end

-- The convergence factor: the geometric mean of quotients of norms, without the first, until the norm
-- is near what roundings leave.
function multigrid.factor(norms, floor)
    local last = 0
    while last < #norms and norms[last + 1] > floor * norms[0] do
        last = last + 1
    end
    local first = last > 1 and 1 or 0
    last = math.max(last, first + 1)
    return (norms[last] / norms[first]) ^ (1 / (last - first))
end

-- By dtype: what norms may differ from those of double precision, relative to the first; and the
-- part of the first norm below which roundings show.
local FLOORS = { fp32 = 5e-6, fp16 = 5e-3, bf16 = 0.03 }

-- The norm of b - A x in double precision.
local function residual_of(p, it)
    local b, x, format = it.b, it.x, it.format
    if format == "bf16" then
        b, x, format = b:converted("bf16", "fp32"), x:converted("bf16", "fp32"), "fp32"
    end
    return (b:krylov_residual { method = "pcg", format = format, columns = p.nx, rows = p.ny, layers = p.nz, x = x })
end

-- The largest difference of two histories. With `slack`, what a cycle may lose of the norm before it
-- where transfers round to fewer bits than the format has, relative to that norm; else to the first.
local function difference(norms, others, floor, slack)
    local worst = 0
    for i = 1, slack and #others or 0 do
        worst = math.max(worst, math.abs(norms[i] - others[i]) / math.max(others[i - 1], floor / slack * others[0]))
    end
    return slack and worst or history.relative_difference(norms, others)
end

-- Compares norms and the solution with V-cycles on the host, in the chip's formats and in double
-- precision. Fails unless the norm falls by the same factor as there.
local function check(host, p, plan, it)
    local options = {
        format = it.format, columns = p.nx, rows = p.ny, layers = p.nz, levels = p.levels, cycles = p.cycles, start = it.start,
        smoother = p.smoother == "red-black" and "red-black" or "weights", before = plan.before, after = plan.after,
        coarsest = plan.coarsest, fused = it.is_fused,
    }
    local expected, solution = it.b:multigrid(options)
    options.arithmetic = "double"
    local exact = it.b:multigrid(options)
    local floor, other = FLOORS[it.format], it.slack and ", or of the one before" or ""
    if it.is_exact then
        host.check_equal(it.x, solution, "V-cycles in the PEs' arithmetic and order, the solution, bit for bit")
    end
    host.check {
        error = difference(it.norms, expected, floor, it.slack), tolerance = it.is_exact and 0 or it.slack or floor,
        reference = "V-cycles in the chip's formats, each norm of the residual, of the first norm" .. other,
    }
    host.check {
        error = difference(it.norms, exact, floor, it.slack), tolerance = it.slack or floor,
        reference = "V-cycles in double precision, each norm of the residual, of the first norm" .. other,
    }
    local factor, best = multigrid.factor(it.norms, 4 * floor), multigrid.factor(exact, 4 * floor)
    host.check {
        error = math.max(0, factor - best), tolerance = 0.05, reference = "the convergence factor in double precision; a larger one is an error",
    }
    host.check {
        error = it.norms[#it.norms] / it.norms[0], tolerance = math.min(1, math.max(best ^ #it.norms * 2, 4 * floor)),
        reference = "the convergence factor of double precision in each cycle, the last norm of the residual, of the first",
    }
    host.metric("convergence_factor", factor)
    host.metric("convergence_factor_of_double", best)
    host.metric("true_residual_norm", residual_of(p, it))
    local rows = {}
    for i = 0, #it.norms do
        rows[i + 1] = { i, it.norms[i], expected[i], exact[i] }
    end
    host.table { name = "residual", columns = { "cycle", "norm", "same_arithmetic", "double" }, rows = rows }
    history.report(host, it.norms)
    return factor
end

-- Shares of levels and of parts in the time of those that are on all levels.
local function report_zones(host, p, zones)
    local sum, words = 0, {}
    local function share(name, value)
        host.metric("share_" .. name, value / sum)
        words[#words + 1] = ("%s %.1f %%"):format(name:gsub("_", " "), 100 * value / sum)
    end
    for _, cycles in pairs(zones) do
        sum = sum + cycles
    end
    for _, part in ipairs(PARTS) do
        local all = 0
        for level = 0, p.levels - 2 do
            all = all + (zones[part .. level] or 0)
        end
        share(part, all)
    end
    share("coarse", zones.coarse or 0)
    share("norm", zones.norm or 0)
    print(table.concat(words, ", "))
    words = {}
    for level = 0, p.levels - 2 do
        local all = 0
        for _, part in ipairs(PARTS) do
            all = all + (zones[part .. level] or 0)
        end
        share("level_" .. level, all)
    end
    words[#words + 1] = ("level %d %.1f %%"):format(p.levels - 1, 100 * (zones.coarse or 0) / sum)
    host.metric("share_level_" .. p.levels - 1, (zones.coarse or 0) / sum)
    print(table.concat(words, ", "))
end

-- multigrid.finish(host, p, plan, it): checks and reports. `it` has format, is_fused and is_exact (of
-- the reference), b, start, x, norms, seconds (of a cycle), zones, and slack, see difference().
function multigrid.finish(host, p, plan, it)
    local factor = host.is_functional and check(host, p, plan, it) or nil
    host.metric("seconds_per_cycle", it.seconds)
    host.metric("levels", p.levels)
    host.metric("grid", { p.nx, p.ny, p.nz })
    host.metric("sweeps_on_coarsest", p.coarse)
    local change = factor and (factor < 1 and ", each leaves %.3f of the residual" or ", the residual grows by a factor of %.3f in each"):format(factor)
        or ""
    print(("%s, %d x %d x %d cells, %s, %s %d + %d, coarsest %s: %.4g us a V-cycle%s"):format(p.dtype, p.nx, p.ny, p.nz,
        multigrid.counted(p.levels, "level"), p.smoother, p.pre, p.post, multigrid.counted(p.coarse, "sweep"), 1e6 * it.seconds, change))
    report_zones(host, p, it.zones)
end

return multigrid
