-- The acoustic wave equation on a wafer: a 25-point stencil, 8th order in space and 2nd in
-- time, in single precision, as Jacquelin et al. 2022 map it. wafer/acoustic25.lua has what PEs
-- do, wafer/localized_broadcast.lua how columns get to the neighbours.

local acoustic = require("wafer/acoustic25")
local rates = require("wafer/rates")
local room = require("wafer/room")
local wave = require("wave25")

local FACTOR = wave.factor
local WORD = 4              -- bytes of a number
local TOLERANCE = 1e-5      -- of the largest number, in double precision
local GIGA, TERA = 1e9, 1e12

local wafer25 = {}

-- The largest block of which the column has a whole number, nearly, and that fits.
local function largest_block(layers, directions, bytes)
    for blocks = 1, layers do
        local block = (layers + blocks - 1) // blocks
        if acoustic.bytes(layers, block, directions) <= bytes then
            return block
        end
    end
end

local function most_layers(directions, bytes)
    local layers = 0
    while acoustic.bytes(layers + 1, 1, directions) <= bytes do
        layers = layers + 1
    end
    return layers
end

local function block_of(host, p, directions)
    local bytes = room.bytes(host)
    if p.block == "auto" then
        return largest_block(p.nz, directions, bytes)
            or host.refuse(("nz = %d, at most %d fit into a PE's memory: %d bytes beside the code")
                :format(p.nz, most_layers(directions, bytes), bytes))
    end
    local block = math.tointeger(tonumber(p.block))
    if not block or block < 1 or block > p.nz then
        host.refuse(("block = %s, expected auto or a number of cells, 1..%d (nz)"):format(p.block, p.nz))
    end
    local needed = acoustic.bytes(p.nz, block, directions)
    if needed > bytes then
        local largest = largest_block(p.nz, directions, bytes)
        host.refuse(("block = %d, nz = %d need %d bytes, a PE has %d beside the code: %s"):format(block, p.nz, needed, bytes,
            largest and ("a block of %d fits"):format(largest)
                or ("nz is at most %d"):format(most_layers(directions, bytes))))
    end
    return block
end

-- What the PEs are to do, from what the user says.
local function settings_of(host, p)
    local directions = acoustic.directions(p.directions)
    if not directions then
        host.refuse(("directions = %s, expected some of the letters ewns, each once"):format(p.directions))
    end
    return {
        layers = p.nz, block = block_of(host, p, directions), directions = directions, factor = FACTOR,
        source = p.source and { z = p.nz // 2, samples = wave.ricker() } or nil,
    }
end

-- Both levels, column after column, the columns row by row.
local function make_fields(host, p)
    local bytes = p.nx * p.ny * p.nz * WORD
    local now, before = host.buffer(bytes), host.buffer(bytes)
    if p.start == "noise" then
        now:fill_random("fp32", 1, -1, 1)
        before:fill_random("fp32", 2, -1, 1)
    end
    return now, before
end

-- The last level against both references.
local function check(host, p, settings, now, before, result)
    local function reference(arithmetic)
        local source = settings.source
        return now:wave {
            before = before, columns = p.nx, rows = p.ny, layers = p.nz, steps = p.steps, factor = FACTOR,
            directions = p.directions, arithmetic = arithmetic,
            source = source and { x = p.nx // 2, y = p.ny // 2, z = source.z, samples = source.samples } or nil,
        }
    end
    host.check_equal(result, reference("single"), "single precision in the PEs' order of operations, bit for bit")
    local exact, largest = reference("double")
    local error = result:error("fp32", exact)
    host.check { error = error, tolerance = TOLERANCE * largest, reference = "finite differences in double precision" }
    host.metric("largest", largest)
    host.metric("error_over_largest", largest > 0 and error / largest or 0)
end

-- Counts of a cell, of the PEs that get streams of all neighbours there can be.
local function report_work(host, p, wafer, work, steps)
    for name, count in pairs(work.required) do
        host.metric("required_" .. name, count)
    end
    local done = wafer:work("interior")
    if done.pes == 0 then
        return
    end
    local executed = {
        fmul = done.fmuls, fadd = done.fadds, fma = done.fmacs, fsub = done.fsubs, flop = done.flops,
        memory_words = done.memory_words, ramp_words = done.ramp_words,
    }
    for name, count in pairs(executed) do
        host.metric("executed_" .. name, count / (done.pes * p.nz * steps))
    end
    host.metric("interior_busy_cycles_per_step", done.busy / (done.pes * steps))
    host.metric("interior_memory_idle_cycles_per_step", done.memory_idle / (done.pes * steps))
end

-- Watts while the rectangle works and the rest of the wafer rests.
local function power_of(host, p, profile)
    return host.number("power.idle_watts")
        + p.nx * p.ny * profile.busy * host.number("chip.clock_hz") * host.number("power.busy_picojoules_per_cycle") * 1e-12
end

local function report(host, p, settings, wafer, cycles)
    local work, profile = acoustic.work(settings), wafer:profile()
    local iterations = wafer:iterations()
    local step = rates.steady_cycles(iterations)
    local gcells = p.nx * p.ny * p.nz * host.number("chip.clock_hz") / step / GIGA
    local tflops = gcells * work.required.flop * GIGA / TERA
    local watts = power_of(host, p, profile)
    local blocks = (p.nz + settings.block - 1) // settings.block
    local per_watt = tflops * TERA / watts / GIGA

    host.metric("cycles_per_step", cycles / p.steps)
    host.metric("cycles_per_step_steady", step)
    host.metric("cycles_per_cell", step / p.nz)
    host.metric("gcells_per_second", gcells)
    host.metric("tflops", tflops)
    host.metric("block", settings.block)
    host.metric("blocks_per_column", blocks)
    host.metric("idle_watts", host.number("power.idle_watts"))
    host.metric("power_watts", watts)
    host.metric("gflops_per_watt", per_watt)
    host.metric("busy_deviation", profile.busy_deviation)
    rates.roofs(host, {
        pes = p.nx * p.ny, fuse = "fmacs", fuse_rate = "dsd.f32_fmac_elements_per_cycle", flop = work.required.flop,
        memory_words = work.executed.memory_words, ramp_words = work.required.ramp_words, achieved = tflops,
    })
    report_work(host, p, wafer, work, #iterations)
    print(("%d x %d x %d cells, %d steps, blocks of %d, grain %s: %.0f cycles a step, %.2f a cell, %.2f Gcell/s, %.4g TFLOP/s; busy %.1f %%, memory %.1f %%, other %.1f %%; %.3g GFLOP/W")
        :format(p.nx, p.ny, p.nz, p.steps, settings.block, wafer.grain, step, step / p.nz, gcells, tflops,
            100 * profile.busy, 100 * profile.memory_idle, 100 * profile.other_idle, per_watt))
end

-- Runs the script stencil25.lua.
function wafer25.run(host, p)
    local settings = settings_of(host, p)
    local period = acoustic.period
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.steps, period = { period, period }, slice = { 25, 25 },
        layout = function(layout) acoustic.lay_out(layout, settings) end,
    }
    local now, before = make_fields(host, p)
    wafer:copy_to { name = "u", buffer = now, first = acoustic.first_cell(settings, 0), count = p.nz }
    wafer:copy_to { name = "u", buffer = before, first = acoustic.first_cell(settings, 1), count = p.nz }
    local cycles
    wafer:prepare()
    host.measure(function() cycles = wafer:launch() end, p.steps)
    local result = host.buffer(#now)
    wafer:copy_from { name = "u", buffer = result, first = acoustic.first_cell(settings, p.steps), count = p.nz }
    if host.is_functional then
        check(host, p, settings, now, before, result)
    end
    report(host, p, settings, wafer, cycles)
end

return wafer25
