-- Stencils on a grid whose columns of cells, all layers of a place (x, y), lie in the PEs of a
-- wafer: the host's part, from sizes to the report. A stencil has
--   dtype, kind              -- of column_stencil.kinds
--   bytes(layers)            -- memory that a PE needs
--   period                   -- of the roles of PEs
--   lay_out(layout, beyond)  -- programs; PEs with all neighbours have the one named "interior"; beyond: sides
--                            -- where the grid continues on another wafer
--   beyond                   -- { west =, east =, first = }: arrays for columns of other wafers, and the position
--                            -- of their first number; nil: it runs on one wafer
--   source                   -- { name =, first = }: array of the cells, and the position of the first
--   result                   -- the same for the result
--   diagonal                 -- the array, if the user gives weights of the cells themselves, and the user's word
--   reference                -- { terms =, fields =, steps = } as buffer:column_stencil{} has them, in the PEs' order
--   exact                    -- terms of the stencil itself, which share nothing with the programs
--   roundings, gain          -- per step: roundings of a cell, sum of the weights' magnitudes
--   flop                     -- per cell
--   summary                  -- for the printed line

local field = require("field")
local parts = require("wafer/parts")
local rates = require("wafer/rates")
local room = require("wafer/room")

local GIGA, TERA = 1e9, 1e12
local LEAST_SLICE = 50
local SLICE_ITERATIONS = 4

local stencil = {}

-- By dtype: formats, as the host and as PEs name them; operations; the unit of roundings.
stencil.kinds = {
    fp32 = {
        cells = "fp32", sums = "fp32", type = "f32", sum_type = "f32", bytes = 4, sum_bytes = 4, roundoff = 2 ^ -24,
        scale = "fmuls", add = "fadds", subtract = "fsubs", fuse = "fmacs", fuse_rate = "dsd.f32_fmac_elements_per_cycle",
    },
    fp16 = {
        cells = "fp16", sums = "fp16", type = "f16", sum_type = "f16", bytes = 2, sum_bytes = 2, roundoff = 2 ^ -11,
        scale = "fmulh", add = "faddh", subtract = "fsubh", fuse = "fmach", fuse_rate = "dsd.f16_elements_per_cycle",
    },
    mixed = {
        cells = "fp16", sums = "fp32", type = "f16", sum_type = "f32", bytes = 2, sum_bytes = 4, roundoff = 2 ^ -24,
        fuse = "fmachs", fuse_rate = "dsd.mixed_fmac_elements_per_cycle",
    },
}

-- Refuses a column that does not fit.
local function check_layers(host, p, it)
    local bytes = room.bytes(host)
    local most = room.most(it.most_layers or host.number("dsd.length_limit_elements"),
        function(layers) return it.bytes(layers) <= bytes end)
    if p.nz > most then
        host.refuse(("nz = %d in %s, at most %d fit into a PE: %d bytes beside the code"):format(p.nz, it.dtype, most, bytes))
    end
end

-- A vector of the user's, PE after PE: rows of columns; nil if there is none.
local function of_user(host, p, it, name, word)
    local given = field.given(host, p, name, p, it.kind.cells, { word })
    return given and given:permuted(it.kind.cells, { p.nx, p.ny, p.nz }, { 2, 1, 3 })
end

-- The user's numbers, or random ones; room for the result; and the user's diagonal, or nil.
local function numbers_of(host, p, it)
    local kind, cells = it.kind, p.nx * p.ny * p.nz
    local given = of_user(host, p, it, "start", "random")
    if not given then
        given = host.buffer(cells * kind.bytes)
        given:fill_random(kind.cells, 1, -1, 1)
    end
    return given, host.buffer(cells * kind.sum_bytes), it.diagonal and of_user(host, p, it, it.diagonal, "6")
end

-- Compares with both references, and saves the result if the user wants it.
local function check(host, p, it, given, diagonal, result)
    local kind = it.kind
    field.save(host, "y", p, kind.sums, function() return result:permuted(kind.sums, { p.ny, p.nx, p.nz }, { 2, 1, 3 }) end)
    local function reference(arithmetic, terms, fields)
        return given:column_stencil {
            columns = p.nx, rows = p.ny, layers = p.nz, steps = it.reference.steps, cells = kind.cells, sums = kind.sums,
            fields = fields, terms = terms, arithmetic = arithmetic, diagonal = diagonal,
        }
    end
    host.check_equal(result, reference("chip", it.reference.terms, it.reference.fields), "the PEs' arithmetic and order, bit for bit")
    -- Each rounding of a step loses at most this share of the sum
    -- of magnitudes; one more rounding is that of the weights, and one that of the reference.
    local exact, largest = reference("double", it.exact)
    local error = result:error(kind.sums, exact)
    local steps = it.reference.steps
    local most = math.max(1, given:error(kind.cells, host.buffer(#given)))
    if diagonal then
        most = most * math.max(1, diagonal:error(kind.cells, host.buffer(#diagonal)) / it.reference.terms[1].weight)
    end
    host.check {
        error = error, tolerance = most * steps * (it.roundings + 2) * kind.roundoff * it.gain ^ steps,
        reference = "in double precision; every rounding at its worst",
    }
    host.metric("largest", largest)
    host.metric("error_over_largest", largest > 0 and error / largest or 0)
end

-- Work per cell of PEs with all neighbours; unknown if there are none.
local function report_work(host, p, wafer, iterations)
    local done = wafer:work("interior")
    if done.pes == 0 then
        return {}
    end
    local cells = done.pes * p.nz * iterations
    local executed = { flop = done.flops / cells, memory_words = done.memory_words / cells, ramp_words = done.ramp_words / cells }
    for name, count in pairs(executed) do
        host.metric("executed_" .. name, count)
    end
    host.metric("interior_memory_idle_cycles_per_iteration", done.memory_idle / (done.pes * iterations))
    return executed
end

local function report(host, p, it, wafer, cycles)
    local iterations, profile = wafer:iterations(), wafer:profile()
    local step = rates.steady_cycles(iterations)
    local gcells = p.nx * p.ny * p.nz * rates.clock(host) / step / GIGA
    local tflops = gcells * it.flop * GIGA / TERA
    host.metric("cycles_per_iteration", cycles / p.iterations)
    host.metric("cycles_per_iteration_steady", step)
    host.metric("cycles_per_cell", step / p.nz)
    host.metric("gcells_per_second", gcells)
    host.metric("tflops", tflops)
    host.metric("required_flop", it.flop)
    host.metric("busy_deviation", profile.busy_deviation)
    local executed = report_work(host, p, wafer, #iterations)
    rates.roofs(host, {
        pes = p.nx * p.ny, fuse = it.kind.fuse, fuse_rate = it.kind.fuse_rate, flop = it.flop,
        memory_words = executed.memory_words, ramp_words = executed.ramp_words, achieved = tflops,
    })
    print(("%d x %d x %d cells, %s, %s, %d iterations, grain %s: %.0f cycles an iteration, %.2f a cell, %.2f Gcell/s, %.4g TFLOP/s; busy %.1f %%, memory %.1f %%, other %.1f %%")
        :format(p.nx, p.ny, p.nz, it.dtype, it.summary, p.iterations, wafer.grain, step, step / p.nz, gcells, tflops,
            100 * profile.busy, 100 * profile.memory_idle, 100 * profile.other_idle))
end

local function run_on_one(host, p, it)
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.iterations, period = { it.period, it.period },
        slice = { LEAST_SLICE, LEAST_SLICE }, layout = it.lay_out,
    }
    local given, result, diagonal = numbers_of(host, p, it)
    if diagonal then
        wafer:copy_to { name = it.diagonal, buffer = diagonal, count = p.nz }
    end
    wafer:copy_to { name = it.source.name, buffer = given, first = it.source.first, count = p.nz }
    local cycles
    wafer:prepare()
    host.measure(function() cycles = wafer:launch() end, p.iterations)
    wafer:copy_from { name = it.result.name, buffer = result, first = it.result.first, count = p.nz }
    if host.is_functional then
        check(host, p, it, given, diagonal, result)
    end
    report(host, p, it, wafer, cycles)
end

-- Several wafers: each iteration is a launch, before which the host brings the others' edges.

local function prepare_part(host, p, it, part, given, diagonal)
    part.wafer = part.device.wafer {
        columns = part.columns, rows = p.ny, iterations = 1, slice_iterations = math.min(p.iterations, SLICE_ITERATIONS),
        period = { it.period, it.period }, slice = { LEAST_SLICE, LEAST_SLICE },
        layout = function(layout) it.lay_out(layout, part) end,
    }
    part.wafer:copy_to {
        name = it.source.name, first = it.source.first, count = p.nz,
        buffer = parts.cut(host, p, given, p.nz * it.kind.bytes, part.first, part.columns),
    }
    if diagonal then
        part.wafer:copy_to {
            name = it.diagonal, count = p.nz, buffer = parts.cut(host, p, diagonal, p.nz * it.kind.bytes, part.first, part.columns),
        }
    end
    part.edges = {}
    parts.each_side(part, function(side) part.edges[side] = host.buffer(p.ny * p.nz * it.kind.bytes) end)
end

-- Copies of a part's edges, or of other parts' edges to it.
local function copies(p, part, place_of)
    local list = {}
    parts.each_side(part, function(side, neighbour, opposite)
        local x = side == "west" and 0 or part.columns - 1
        local name, first, buffer = place_of(side, neighbour, opposite)
        list[#list + 1] = { name = name, first = first, count = p.nz, buffer = buffer, tiles = { x, 0, x, p.ny - 1 } }
    end)
    return list
end

local function report_parts(host, p, it, group)
    local times = group:report(p.iterations)
    local gcells = p.nx * p.ny * p.nz / times.seconds / GIGA
    local tflops = gcells * it.flop * GIGA / TERA
    host.metric("cycles_per_iteration", times.compute * host.number("chip.clock_hz"))
    host.metric("gcells_per_second", gcells)
    host.metric("tflops", tflops)
    rates.roofs(host, { pes = p.nx * p.ny, fuse = it.kind.fuse, fuse_rate = it.kind.fuse_rate, flop = it.flop, achieved = tflops })
    print(("%d x %d x %d cells, %s, %s, %d iterations: %.2f Gcell/s, %.4g TFLOP/s, %.1f %% of the time in PEs")
        :format(p.nx, p.ny, p.nz, it.dtype, it.summary, p.iterations, gcells, tflops, 100 * times.compute / times.seconds))
end

local function run_on_several(host, p, it, group)
    local given, result, diagonal = numbers_of(host, p, it)
    for _, part in ipairs(group.list) do
        prepare_part(host, p, it, part, given, diagonal)
    end
    local function give_edges(part)
        part:copy_from(copies(p, part, function(side) return it.source.name, it.source.first, part.edges[side] end))
    end
    host.measure(function()
        group:phase(give_edges)
        for i = 1, p.iterations do
            group:phase(function(part)
                part:copy_to(copies(p, part, function(side, neighbour, opposite)
                    return it.beyond[side], it.beyond.first, neighbour.edges[opposite]
                end))
                part:launch()
                if i < p.iterations then
                    give_edges(part)
                end
            end)
        end
    end, p.iterations)
    for _, part in ipairs(group.list) do
        local piece = host.buffer(part.columns * p.ny * p.nz * it.kind.sum_bytes)
        part.wafer:copy_from { name = it.result.name, buffer = piece, first = it.result.first, count = p.nz }
        parts.paste(p, result, p.nz * it.kind.sum_bytes, part.first, part.columns, piece)
    end
    if host.is_functional then
        check(host, p, it, given, diagonal, result)
    end
    report_parts(host, p, it, group)
end

-- stencil.run(host, p, it): p has nx, ny, nz, iterations; and chips, if `it` has `beyond`.
function stencil.run(host, p, it)
    local group = parts.of(host, it.beyond and p or { nx = p.nx, chips = 1 }, 1)
    group:check_rectangle(p)
    check_layers(host, p, it)
    if #group.list == 1 then
        run_on_one(host, p, it)
    else
        run_on_several(host, p, it, group)
    end
    if it.beyond then
        p.chips = #group.list
    end
end

return stencil
