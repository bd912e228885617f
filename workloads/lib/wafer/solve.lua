-- A Krylov solver on a wafer as a workload: the host's part. wafer/solver.lua has the programs
-- of PEs, wafer/pcg.lua and wafer/bicgstab.lua the methods, wafer/solve_phases.lua the
-- differences on several wafers.

local collective = require("wafer/collective")
local field = require("field")
local parts = require("wafer/parts")
local phases = require("wafer/solve_phases")
local rates = require("wafer/rates")
local room = require("wafer/room")
local history = require("residual_history")
local solver = require("wafer/solver")

local LEAST_SLICE = 25
local PIECES = 4                -- of a column that comes through FIFOs, where one does not fit
local WORD = 4                  -- bytes of a number of the history
local TERA = 1e12
local ZONES = { "halo", "product", "dot", "all_reduce", "axpy" }

local workload = {
    inputs = {
        { name = "rhs", help = "right-hand side, of shape (nx, ny, nz)" },
        { name = "start", help = "the solution to begin with, of shape (nx, ny, nz)" },
    },
    outputs = { { name = "x", help = "the solution, of shape (nx, ny, nz)" } },
}

-- What pcg has beside these: the diagonal of its matrix.
workload.diagonal = {
    parameter = field.parameter("diagonal", { "6" }, "diagonal of the matrix, whose neighbours have -1"),
    input = { name = "diagonal", help = "diagonal of the matrix, of shape (nx, ny, nz)" },
}

-- The method with a vector for the diagonal.
local function with_diagonal(method)
    local vectors = table.move(method.vectors, 1, #method.vectors, 1, {})
    vectors[#vectors + 1] = { names = { "diagonal" }, place = 8 }
    return setmetatable({ vectors = vectors }, { __index = method })
end

-- The users' parameters, for a script on wafers only or on others too. `dtype` is the default;
-- is_shared: the grid may be on several wafers.
function workload.parameters(dtype, is_shared)
    local mappings = is_shared and { "neighbour", "multicast", "broadcast" } or { "neighbour", "multicast", "broadcast", "fifo" }
    local list = {
        { name = "nx", type = "integer", default = 20, min = 1, max = 65535, help = "cells, and columns of PEs" },
        { name = "ny", type = "integer", default = 20, min = 1, max = 65535, help = "cells, and rows of PEs" },
        { name = "nz", type = "integer", default = 100, min = 1, max = 32766, help = "cells, all in one PE" },
        { name = "dtype", type = "choice", default = dtype, choices = { "fp32", "mixed" },
          help = "fp32, or vectors in fp16 with sums and scalars in fp32" },
        { name = "iterations", type = "integer", default = 10, min = 1, max = 10000000,
          help = "iterations, in one launch; the most if there is a tolerance" },
        { name = "tolerance", type = "number", default = 0, min = 0, help = "norm of the residual to stop at; 0: do all iterations" },
        { name = "mapping", type = "choice", default = is_shared and "multicast" or "fifo", choices = mappings,
          help = "how columns get to the neighbours: two colors a direction, one stream to all four, or localized broadcasts"
              .. (is_shared and "" or "; fifo: one stream to all four, multiplied as it comes and added through FIFOs") },
        { name = "pattern", type = "choice", default = "auto", choices = { "auto", "merge", "center", "corner", "chain", "tree", "two-phase" },
          help = "which PE adds whose sum; auto: merge, or chain where the grid has no middle" },
        { name = "group", type = "integer", default = 0, min = 0, max = 65535, help = "PEs of a group of two-phase; 0: near the square root" },
        field.parameter("rhs", { "random" }, "right-hand side"),
        field.parameter("start", { "zero" }, "the solution to begin with"),
    }
    for _, parameter in ipairs(list) do
        parameter.chips = { "wse" }
    end
    return is_shared and table.move(parts.words, 1, #parts.words, #list + 1, list) or list
end

-- The largest nz that fits, or 0 if none does.
local function most_layers(host, settings, method, iterations, ghosts)
    local trial = {}
    for name, value in pairs(settings) do
        trial[name] = value
    end
    return room.most(65535, function(layers)
        trial.layers = layers
        return solver.bytes(trial, method, iterations, ghosts) <= room.bytes(host)
    end)
end

local function check_size(host, p, settings, method, group)
    local ghosts = phases.ghosts(group)
    group:check_rectangle(p)
    -- A long run without data is simulated in part and keeps no history.
    local iterations = host.is_functional and p.iterations or 0
    local needed = solver.bytes(settings, method, iterations, ghosts)
    if needed > room.bytes(host) then
        local most = most_layers(host, settings, method, iterations, ghosts)
        local norms = (room.bytes(host) - solver.bytes(settings, method, 0)) // WORD
        host.refuse(("nz = %d in %s with %d iterations needs %d bytes of a PE, it has %d beside the code: %s")
            :format(p.nz, p.dtype, p.iterations, needed, math.max(room.bytes(host), 0), most > 0 and "nz is at most " .. most
                or norms > 0 and ("the norms of %d iterations fit"):format(norms) or "no nz fits"))
    end
end

local function check_settings(host, p)
    history.refuse_tolerance_without_data(host, p)
    if p.group > 0 and p.pattern ~= "two-phase" then
        host.refuse(("group = %d: pattern %s has no groups, two-phase has"):format(p.group, p.pattern))
    end
end

-- The PEs' settings from the user's. The pattern of a wafer is that of its part.
local function settings_of(host, p, method, coefficients, group)
    check_settings(host, p)
    local settings = {
        layers = p.nz, dtype = p.dtype, mapping = p.mapping, pattern = collective.chosen(p.pattern, group.list[1].columns, p.ny, method.words), group = p.group, tolerance = p.tolerance,
        coefficients = coefficients, has_norms = p.norms ~= false, pieces = 1,
    }
    if p.mapping == "fifo" and solver.bytes(settings, method, host.is_functional and p.iterations or 0) > room.bytes(host) then
        settings.pieces = PIECES
    end
    check_size(host, p, settings, method, group)
    for _, part in ipairs(group.list) do
        part.settings = setmetatable({ pattern = collective.chosen(p.pattern, part.columns, p.ny, method.words) }, { __index = settings })
        local plan, why = solver.sums({ columns = part.columns, rows = p.ny }, part.settings, method.words)
        if not plan then
            host.refuse(("pattern = %s, mapping = %s: %s"):format(part.settings.pattern, p.mapping, why))
        end
        part.plan = plan
    end
    return settings
end

-- Slices contain whole groups of PEs and whole turns of neighbours.
local function period_of(p)
    local group, period = math.max(p.group, 1), solver.period(p.mapping)
    return group % period == 0 and group or group * period
end

-- The order in which the PEs' sums are added, for the reference.
local function merges_of(p, group)
    local list = {}
    local function of_part(part) return collective.merges(part.settings.pattern, part.columns, p.ny, p.group) end
    for _, merge in ipairs(group:merges(p, of_part)) do
        list[#list + 1], list[#list + 2] = merge[1], merge[2]
    end
    return list
end

-- Begins with the references: the solver in the PEs' arithmetic and order, and in double
-- precision. Returns how the latter is called, and functions for what both return.
local function begin_references(host, p, settings, method, group, given)
    local it = {
        method = method.name, format = solver.kinds[p.dtype].format, columns = p.nx, rows = p.ny, layers = p.nz,
        start = given.start, diagonal = given.diagonal,
        iterations = p.iterations, tolerance = p.tolerance > 0 and p.tolerance or nil, merges = merges_of(p, group),
        coefficients = settings.coefficients, rounded_products = p.mapping == "fifo",
    }
    local as_pes = host.reference(given.r, "krylov", it)
    it.arithmetic = "double"
    return { call = it, as_pes = as_pes, in_double = host.reference(given.r, "krylov", it) }
end

-- Compares with the references. Returns the rows of the history. The norm is that of the vector r,
-- which keeps shrinking after the solution has stopped improving; so b - A x is computed too.
local function check(host, p, method, b, x, norms, references)
    local it = references.call
    local expected, solution = references.as_pes()
    local exact, best = references.in_double()
    it.x = best
    local residual_of_best = host.reference(b, "krylov_residual", it)
    it.x = x
    host.metric("true_residual_norm", (b:krylov_residual(it)))
    host.metric("true_residual_norm_of_rounded_double", (residual_of_best()))
    host.check_equal(x, solution, method.name .. " in the PEs' arithmetic and order, the solution, bit for bit")
    if not norms then
        return
    end
    host.check {
        error = #norms == #expected and history.difference(norms, expected) or math.huge, tolerance = 0,
        reference = method.name .. " in the PEs' arithmetic and order, each norm of the residual, bit for bit",
    }
    host.check {
        error = history.relative_difference(norms, exact), tolerance = method.tolerances[p.dtype],
        reference = ("the norms of %s in double precision, of the first norm"):format(method.name),
    }
    local rows = {}
    for i = 0, #norms do
        rows[i + 1] = { i, norms[i], expected[i] or 0, exact[i] or 0 }
    end
    host.table { name = "residual", columns = { "iteration", "norm", "same_arithmetic", "double" }, rows = rows }
end

-- All PEs have the history; one is read. It holds squares, in f32.
local function read_norms(host, wafer, iterations)
    local squares = host.buffer((iterations + 1) * WORD)
    wafer:copy_from { name = "history", buffer = squares, count = iterations + 1, tiles = { 0, 0 } }
    local norms = {}
    for i = 0, iterations do
        norms[i] = math.sqrt(squares:get("fp32", i))
    end
    return norms
end

-- Shares of the PEs' time by zone, including waits.
local function report_zones(host, wafer)
    local sum, words = 0, {}
    local zones = wafer:zones()
    for _, name in ipairs(ZONES) do
        sum = sum + (zones[name] or 0)
    end
    for i, name in ipairs(ZONES) do
        local share = (zones[name] or 0) / sum
        host.metric("share_" .. name, share)
        words[i] = ("%s %.1f %%"):format(name, 100 * share)
    end
    print(table.concat(words, ", "))
end

local function report(host, p, method, settings, wafer, launch_cycles)
    local iterations, profile, all = wafer:iterations(), wafer:profile(), wafer:work()
    if #iterations == 0 then
        print("the norm of the right-hand side is within the tolerance: no iteration was made")
        return
    end
    local cycles, clock = rates.steady_cycles(iterations), rates.clock(host)
    local cells = p.nx * p.ny * p.nz
    local flops = method.flops(settings)
    local tflops = flops * cells * clock / cycles / TERA
    host.metric("cycles_per_iteration", launch_cycles / (host.is_functional and #iterations or p.iterations))
    host.metric("cycles_per_iteration_steady", cycles)
    host.metric("seconds_per_iteration_steady", cycles / clock)
    host.metric("mechanistic_seconds_per_iteration", cycles / clock) -- nothing is charged that is not simulated
    host.metric("cycles_per_cell", cycles / p.nz)
    host.metric("tflops", tflops)
    host.metric("flops_per_cell", flops)
    host.metric("executed_flops_per_cell", all.flops / (cells * #iterations))
    host.metric("all_reduces_per_iteration", method.all_reduces)
    host.metric("all_reduce_words", method.words)
    host.metric("all_reduce_pattern", settings.pattern)
    host.metric("grid", { p.nx, p.ny, p.nz })
    host.metric("bytes_of_a_pe", solver.bytes(settings, method, #iterations))
    print(("%s %s, %d x %d x %d cells, %s, all-reduce %s, grain %s: %.0f cycles or %.4g us an iteration, %.2f cycles a cell, %.4g TFLOP/s; busy %.1f %%, memory %.1f %%")
        :format(method.name, p.dtype, p.nx, p.ny, p.nz, p.mapping, settings.pattern, wafer.grain, cycles, 1e6 * cycles / clock,
            cycles / p.nz, tflops, 100 * profile.busy, 100 * profile.memory_idle))
    report_zones(host, wafer)
end

-- Solves on one wafer. Returns the solution, its norms, a function that reports, and times per
-- iteration.
local function solve_on_one(host, p, settings, method, given)
    local period = period_of(p)
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.iterations, period = { period, period }, slice = { LEAST_SLICE, LEAST_SLICE },
        layout = function(layout) solver.lay_out(layout, settings, method) end,
    }
    local function place(name, buffer)
        local array, first = solver.spot(settings, method, name)
        return { name = array, buffer = buffer, first = first, count = p.nz }
    end
    for name, vector in pairs(given.vectors) do
        wafer:copy_to(place(name, vector))
    end
    local cycles
    wafer:prepare()
    host.measure(function()
        cycles = wafer:launch()
        return math.max(1, host.is_functional and #wafer:iterations() or p.iterations)
    end)
    local x = host.buffer(#given.b)
    wafer:copy_from(place("x", x))
    local norms = host.is_functional and settings.has_norms and read_norms(host, wafer, #wafer:iterations()) or nil
    local seconds = cycles / p.iterations / host.number("chip.clock_hz")
    return x, norms, function() report(host, p, method, settings, wafer, cycles) end, { seconds = seconds, compute = seconds }
end

-- The system that is solved, PE after PE, rows of columns: the right-hand side b, the solution to
-- begin with (nil: 0), and its residual r, which the host works out in double precision; the
-- matrix's diagonal (nil: 6), which PEs have with the opposite sign; and PEs' vectors by name.
local function system_of(host, p, method, coefficients)
    local kind = solver.kinds[p.dtype]
    local function of_user(name, word)
        local given = field.of_system(host, p, name, p, kind.format, { word })
        return given and given:permuted(kind.format, { p.nx, p.ny, p.nz }, { 2, 1, 3 })
    end
    local system = { b = of_user("rhs", "random"), start = of_user("start", "zero"), diagonal = of_user("diagonal", "6") }
    if not system.b then
        system.b = host.buffer(p.nx * p.ny * p.nz * kind.bytes)
        system.b:fill_random(kind.format, 1, -1, 1)
    end
    system.r = system.b
    if system.start then
        local _, r = system.b:krylov_residual {
            method = method.name, format = kind.format, columns = p.nx, rows = p.ny, layers = p.nz, coefficients = coefficients,
            x = system.start, vector = true, diagonal = system.diagonal,
        }
        system.r = r
    end
    system.vectors = { r = system.r, x = system.start, diagonal = system.diagonal and system.diagonal:scaled(kind.format, -1) }
    return system
end

-- Solves. Returns the same, and the references if it is to be checked.
local function solve(host, p, method, coefficients, is_checked)
    local group = parts.of(host, method.phases and p or { nx = p.nx, chips = 1 }, 1)
    method = field.is_given(host, p, "diagonal", { "6" }) and with_diagonal(method) or method
    local it = { group = group, settings = settings_of(host, p, method, coefficients, group) }
    it.given = system_of(host, p, method, coefficients)
    it.references = is_checked and begin_references(host, p, it.settings, method, group, it.given)
    if #group.list == 1 then
        it.x, it.norms, it.report, it.times = solve_on_one(host, p, it.settings, method, it.given)
    else
        it.x, it.norms, it.report, it.times = phases.solve(host, p, group, method, it.given, period_of(p))
    end
    return it
end

-- workload.times(host, p, method): seconds per iteration, and those of them in PEs; for
-- experiments.
function workload.times(host, p, method)
    return solve(host, p, method).times
end

-- workload.run(host, p, method [, coefficients]): solves, checks and reports.
function workload.run(host, p, method, coefficients)
    local it = solve(host, p, method, coefficients, host.is_functional)
    if host.is_functional then
        check(host, p, method, it.given.b, it.x, it.norms, it.references)
        local format = solver.kinds[p.dtype].format
        field.save(host, "x", p, format, function() return it.x:permuted(format, { p.ny, p.nx, p.nz }, { 2, 1, 3 }) end)
        if it.norms then
            history.report(host, it.norms)
            history.check_tolerance(host, p, it.norms)
        end
    end
    it.report()
    p.pattern = it.settings.pattern
    if method.phases then
        p.chips = #it.group.list
    end
end

return workload
