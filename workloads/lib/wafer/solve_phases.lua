-- A solver on several wafers: the host's part. Launches are phases of the method. Between them
-- the host adds the wafers' sums, writes the total into their roots and, before phases that
-- compute a new direction, carries r from edge to edge. It keeps the norms and decides when to
-- stop.

local parts = require("wafer/parts")
local solver = require("wafer/solver")

local LEAST_SLICE, SLICE_ITERATIONS = 25, 4
local TERA = 1e12

local phases = {}

-- phases.ghosts(group): the most sides of a PE with another wafer; nil on one wafer.
function phases.ghosts(group)
    if #group.list == 1 then
        return nil
    end
    local most = 1
    for _, part in ipairs(group.list) do
        most = part.columns == 1 and part.west and part.east and 2 or most
    end
    return most
end

-- The vector of a part's PEs, or of the PEs at one of its edges.
local function copy(p, method, part, name, buffer, tiles)
    local array, first = solver.spot(part.settings, method, name)
    return { name = array, first = first, count = p.nz, buffer = buffer, tiles = tiles }
end

local function edge(p, part, side)
    local x = side == "west" and 0 or part.columns - 1
    return { x, 0, x, p.ny - 1 }
end

local function prepare_part(host, p, method, part, given, period)
    local bytes = solver.kinds[p.dtype].bytes
    part.wafer = part.device.wafer {
        columns = part.columns, rows = p.ny, iterations = 1, slice_iterations = math.min(p.iterations, SLICE_ITERATIONS),
        period = { period, period }, slice = { LEAST_SLICE, LEAST_SLICE },
        layout = function(layout) solver.lay_out(layout, part.settings, method, part) end,
    }
    for name, vector in pairs(given.vectors) do
        part.wafer:copy_to(copy(p, method, part, name, parts.cut(host, p, vector, p.nz * bytes, part.first, part.columns)))
    end
    part.edges = {}
    parts.each_side(part, function(side) part.edges[side] = host.buffer(p.ny * p.nz * bytes) end)
end

-- Data that a phase needs from other wafers, and that they need from it: the sums, and r if a
-- direction follows.
local function copies_in(p, group, part, has_edges)
    local list = { group:total_for(part, "value") }
    parts.each_side(part, function(side, neighbour, opposite)
        if has_edges then
            list[#list + 1] = {
                name = solver.ghost(side), count = p.nz, buffer = neighbour.edges[opposite], tiles = edge(p, part, side),
            }
        end
    end)
    return list
end

local function copies_out(p, group, method, part, has_edges)
    local list = { group:sum_of(part, "value") }
    parts.each_side(part, function(side)
        if has_edges then
            list[#list + 1] = copy(p, method, part, "r", part.edges[side], edge(p, part, side))
        end
    end)
    return list
end

-- Launches one phase on all wafers and adds up its sums.
local function run_phase(p, group, method, name, is_first)
    local number = method.phases[name]
    local has_ghosts = name == "first" or name == "direction"
    group:phase(function(part)
        part:copy_to(is_first and {} or copies_in(p, group, part, has_ghosts))
        part:launch { phase = number }
        part:copy_from(copies_out(p, group, method, part, not has_ghosts))
    end)
    return group:add_up()
end

-- The square of the norm at which to stop, in the PEs' arithmetic.
local function limit_of(host, p)
    local limit = host.buffer(4)
    limit:set("fp32", 0, p.tolerance ^ 2)
    return p.tolerance > 0 and limit:get("fp32", 0) or -1
end

local function report(host, p, method, group, iterations)
    local times = group:report(iterations)
    local flops, cells = method.flops(group.list[1].settings), p.nx * p.ny * p.nz
    local tflops = flops * cells / times.seconds / TERA
    host.metric("seconds_per_iteration_steady", times.seconds)
    host.metric("cycles_per_iteration", times.compute * host.number("chip.clock_hz"))
    host.metric("tflops", tflops)
    host.metric("flops_per_cell", flops)
    host.metric("all_reduces_per_iteration", method.all_reduces)
    host.metric("all_reduce_pattern", group.list[1].settings.pattern)
    host.metric("grid", { p.nx, p.ny, p.nz })
    print(("%s %s, %d x %d x %d cells, %s, all-reduce %s: %.4g TFLOP/s, %.2f %% of the time in PEs")
        :format(method.name, p.dtype, p.nx, p.ny, p.nz, p.mapping, group.list[1].settings.pattern, tflops,
            100 * times.compute / times.seconds))
end

-- phases.solve(host, p, group, method, given, period): `given` has the PEs' vectors by name, and r.
-- Returns the solution; norms, if there is data; a function that reports; and times as from
-- group:times().
function phases.solve(host, p, group, method, given, period)
    for _, part in ipairs(group.list) do
        prepare_part(host, p, method, part, given, period)
    end
    group:prepare_sum(function(part) return part.plan.root end)
    local limit, norms, done = limit_of(host, p), {}, 0
    host.measure(function()
        local square = run_phase(p, group, method, "start", true)
        norms[0] = math.sqrt(square)
        while done < p.iterations and not (host.is_functional and square <= limit) do
            run_phase(p, group, method, done == 0 and "first" or "direction")
            square = run_phase(p, group, method, "update")
            done = done + 1
            norms[done] = math.sqrt(square)
        end
        return math.max(1, done)
    end)
    local x, bytes = host.buffer(#given.r), solver.kinds[p.dtype].bytes
    for _, part in ipairs(group.list) do
        local piece = host.buffer(part.columns * p.ny * p.nz * bytes)
        part.wafer:copy_from(copy(p, method, part, "x", piece))
        parts.paste(p, x, p.nz * bytes, part.first, part.columns, piece)
    end
    local iterations = math.max(1, done)
    return x, host.is_functional and norms or nil, function() report(host, p, method, group, iterations) end, group:times(iterations)
end

return phases
