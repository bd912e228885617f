-- Stencils on a grid whose columns of cells, all layers of a place (x, y), lie in the PEs of a
-- wafer: the host's part, from sizes to the report. A stencil says
--   dtype, kind              -- of column_stencil.kinds
--   bytes(layers)            -- memory that a PE needs
--   most_layers              -- that its descriptors can take, or nil
--   period                   -- of the roles of PEs
--   lay_out(layout)          -- programs, of which those of PEs with all neighbours are "interior"
--   source                   -- { name =, first = }: array of the cells and where they begin in it
--   result                   -- the same of what it makes
--   reference                -- { terms =, fields =, steps = } as buffer:column_stencil{} has them
--   roundings, gain          -- of a step: roundings of a cell, sum of the weights' magnitudes
--   flop, rate               -- of a cell; key with elements per cycle of its sums
--   summary                  -- for the printed line

local GIGA, TERA = 1e9, 1e12
local LEAST_SLICE = 25

local stencil = {}

-- By dtype: formats, as the host says and as PEs do; operations; the unit of roundings.
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

-- The largest nz that fits, and 0 if none does.
local function most_layers(host, it, room)
    local fits, beyond = 0, 1 + (it.most_layers or host.number("dsd.length_limit_elements"))
    while beyond - fits > 1 do
        local middle = (fits + beyond) // 2
        if it.bytes(middle) <= room then
            fits = middle
        else
            beyond = middle
        end
    end
    return fits
end

-- stencil.check_size(host, p, it): ends the run where the grid does not fit.
function stencil.check_size(host, p, it)
    local columns, rows = host.number("fabric.bare_column_count"), host.number("fabric.bare_row_count")
    if p.nx > columns or p.ny > rows then
        host.refuse(("nx = %d, ny = %d: %s has at most %d x %d PEs, one for each column of cells")
            :format(p.nx, p.ny, host.chip, columns, rows))
    end
    local room = host.number("memory.capacity_bytes") - host.number("memory.code_reserved_bytes")
    local most = most_layers(host, it, room)
    if p.nz > most then
        host.refuse(("nz = %d in %s, at most %d fit into a PE: %d bytes beside the code"):format(p.nz, it.dtype, most, room))
    end
end

-- Against both references.
local function check(host, p, it, given, result)
    local kind = it.kind
    local function reference(arithmetic)
        return given:column_stencil {
            columns = p.nx, rows = p.ny, layers = p.nz, steps = it.reference.steps, cells = kind.cells, sums = kind.sums,
            fields = it.reference.fields, terms = it.reference.terms, arithmetic = arithmetic,
        }
    end
    host.check_equal(result, reference("chip"), "the PEs' arithmetic and order, bit for bit")
    -- Cells are at most 1 at first. Every rounding of a step loses at most so much of the sum of
    -- magnitudes, one more is that of weights, one that of what this compares with.
    local exact, largest = reference("double")
    local error = result:error(kind.sums, exact)
    local steps = it.reference.steps
    host.check {
        error = error, tolerance = steps * (it.roundings + 2) * kind.roundoff * it.gain ^ steps,
        reference = "in double precision; every rounding at its worst",
    }
    host.metric("largest", largest)
    host.metric("error_over_largest", largest > 0 and error / largest or 0)
end

-- Cycles of an iteration, start-up left out where there are several: from end to end in the
-- mean over PEs.
local function steady_cycles(iterations)
    local count = #iterations
    return count > 1 and (iterations[count].mean - iterations[1].mean) / (count - 1) or iterations[1].last
end

-- What the rectangle of PEs could do at most, if only one thing held it up.
local function report_roofs(host, p, it, executed, tflops)
    local rate = p.nx * p.ny * host.number("chip.clock_hz") / TERA
    local function roof(name, value, source)
        host.roof { name = name, unit = "TFLOP/s", value = value * rate, source = source, achieved = tflops }
    end
    roof("multiply-add", 2 * host.number(it.kind.fuse_rate), it.kind.fuse_rate .. ", nothing but " .. it.kind.fuse)
    if executed then
        roof("memory", (host.number("memory.reads_per_cycle") + host.number("memory.writes_per_cycle"))
            * it.flop / executed.memory_words,
            ("memory.reads_per_cycle and writes_per_cycle, %g words a cell"):format(executed.memory_words))
        roof("ramp", it.flop / (executed.ramp_words * host.number("ramp.transfer_cycles_per_wavelet")),
            ("ramp.transfer_cycles_per_wavelet, %g words a cell"):format(executed.ramp_words))
    end
end

-- What PEs with all neighbours did for a cell, or nil where there are none.
local function report_work(host, p, wafer, iterations)
    local done = wafer:work("interior")
    if done.pes == 0 then
        return nil
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
    local step = steady_cycles(iterations)
    local gcells = p.nx * p.ny * p.nz * host.number("chip.clock_hz") / step / GIGA
    local tflops = gcells * it.flop * GIGA / TERA
    host.metric("cycles_per_iteration", cycles / p.iterations)
    host.metric("cycles_per_iteration_steady", step)
    host.metric("cycles_per_cell", step / p.nz)
    host.metric("gcells_per_second", gcells)
    host.metric("tflops", tflops)
    host.metric("required_flop", it.flop)
    host.metric("busy_deviation", profile.busy_deviation)
    report_roofs(host, p, it, report_work(host, p, wafer, #iterations), tflops)
    print(("%d x %d x %d cells, %s, %s, %d iterations, grain %s: %.0f cycles an iteration, %.2f a cell, %.2f Gcell/s, %.4g TFLOP/s; busy %.1f %%, memory %.1f %%, other %.1f %%")
        :format(p.nx, p.ny, p.nz, it.dtype, it.summary, p.iterations, wafer.grain, step, step / p.nz, gcells, tflops,
            100 * profile.busy, 100 * profile.memory_idle, 100 * profile.other_idle))
end

-- stencil.run(host, p, it): p has nx, ny, nz, iterations.
function stencil.run(host, p, it)
    stencil.check_size(host, p, it)
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.iterations, period = { it.period, it.period },
        slice = { LEAST_SLICE, LEAST_SLICE }, layout = it.lay_out,
    }
    local cells = p.nx * p.ny * p.nz
    local given, result = host.buffer(cells * it.kind.bytes), host.buffer(cells * it.kind.sum_bytes)
    given:fill_random(it.kind.cells, 1, -1, 1)
    wafer:copy_to { name = it.source.name, buffer = given, first = it.source.first, count = p.nz }
    local cycles
    host.measure(function() cycles = wafer:launch() end, p.iterations)
    wafer:copy_from { name = it.result.name, buffer = result, first = it.result.first, count = p.nz }
    if host.is_functional then
        check(host, p, it, given, result)
    end
    report(host, p, it, wafer, cycles)
end

return stencil
