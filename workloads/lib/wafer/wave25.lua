-- The acoustic wave equation on a wafer: a 25-point stencil, 8th order in space and 2nd in
-- time, in single precision, as Jacquelin et al. 2022 map it. wafer/acoustic25.lua has the
-- programs of PEs, wafer/localized_broadcast.lua the way of columns to the neighbours.
--
-- Of several wafers each also has columns of its neighbours, as deep as a step reaches. Steps
-- make these wrong from the outside. Before the wafer's own columns would become wrong, the
-- host brings right ones: after every step or, with more such columns, after several.

local acoustic = require("wafer/acoustic25")
local field = require("field")
local parts = require("wafer/parts")
local rates = require("wafer/rates")
local room = require("wafer/room")
local wave = require("wave25")

local WORD = 4              -- bytes of a number
local TOLERANCE = 1e-5      -- relative to the largest number, against double precision
local GIGA, TERA = 1e9, 1e12

local wafer25 = {}

-- Parameters that only wafers have.
wafer25.parameters = {
    { name = "block", type = "text", default = "auto", chips = { "wse" }, help = "cells that are sent at once; auto: as many as fit" },
    { name = "directions", type = "text", default = "ewns", chips = { "wse" }, help = "where columns are sent to: some of e, w, n, s" },
    { name = "corners", type = "choice", default = "work", choices = { "work", "idle" }, chips = { "wse" },
      help = "the four PEs in the corners: they work, or hold 0 and do nothing" },
    { name = "exchange_steps", type = "integer", default = 1, min = 1, max = 10000000, chips = { "wse" },
      help = "steps between exchanges of several wafers; each makes halos 4 columns deeper" },
}
table.move(parts.words, 1, #parts.words, #wafer25.parameters + 1, wafer25.parameters)

-- Bytes of a PE with these settings, but for other layers and another block.
local function bytes_of(settings, layers, block)
    return acoustic.bytes(setmetatable({ layers = layers, block = block }, { __index = settings }))
end

-- The largest block that fits and divides the column, nearly, into whole blocks.
local function largest_block(settings, bytes)
    local layers = settings.layers
    for blocks = 1, layers do
        local block = (layers + blocks - 1) // blocks
        if bytes_of(settings, layers, block) <= bytes then
            return block
        end
    end
end

local function most_layers(settings, bytes)
    local layers = 0
    while bytes_of(settings, layers + 1, 1) <= bytes do
        layers = layers + 1
    end
    return layers
end

local function block_of(host, p, settings)
    local bytes = room.bytes(host)
    if p.block == "auto" then
        return largest_block(settings, bytes)
            or host.refuse(("nz = %d, at most %d fit into a PE's memory: %d bytes beside the code")
                :format(p.nz, most_layers(settings, bytes), bytes))
    end
    local block = math.tointeger(tonumber(p.block))
    if not block or block < 1 or block > p.nz then
        host.refuse(("block = %s, expected auto or a number of cells, 1..%d (nz)"):format(p.block, p.nz))
    end
    local needed = bytes_of(settings, p.nz, block)
    if needed > bytes then
        local largest = largest_block(settings, bytes)
        host.refuse(("block = %d, nz = %d need %d bytes, a PE has %d beside the code: %s"):format(block, p.nz, needed, bytes,
            largest and ("a block of %d fits"):format(largest)
                or ("nz is at most %d"):format(most_layers(settings, bytes))))
    end
    return block
end

-- Refuses corners without work where they are missed.
local function check_corners(host, p, settings)
    local source = settings.source
    if settings.is_resumed then
        host.refuse("corners=idle: expected one wafer")
    elseif p.nx < 3 or p.ny < 3 then
        host.refuse(("corners=idle: %d x %d PEs, expected at least 3 x 3"):format(p.nx, p.ny))
    elseif source and (source.x == 0 or source.x == p.nx - 1) and (source.y == 0 or source.y == p.ny - 1) then
        host.refuse(("corners=idle: the source at %d,%d,%d is in a corner"):format(source.x, source.y, source.z))
    end
end

-- The PEs' settings from the user's.
local function settings_of(host, p, is_resumed)
    local directions = acoustic.directions(p.directions)
    if not directions then
        host.refuse(("directions = %s, expected some of the letters ewns, each once"):format(p.directions))
    end
    local settings = {
        layers = p.nz, directions = directions, factor = wave.factor(host, p), source = wave.source(host, p, p),
        is_resumed = is_resumed, has_idle_corners = p.corners == "idle",
    }
    if settings.has_idle_corners then
        check_corners(host, p, settings)
    end
    settings.block = block_of(host, p, settings)
    return settings
end

-- A field in the PEs' order: column after column, the columns row by row.
local function columns_of(p, given)
    return given:permuted("fp32", { p.nx, p.ny, p.nz }, { 2, 1, 3 })
end

-- Columns in corners that stay 0.
local function clear_corners(host, p, level)
    local column = host.buffer(p.nz * WORD)
    for _, y in ipairs { 0, p.ny - 1 } do
        for _, x in ipairs { 0, p.nx - 1 } do
            level:put((y * p.nx + x) * #column, column)
        end
    end
end

-- Both levels, column after column.
local function make_fields(host, p)
    local given, given_before = wave.levels(host, p, p, "fp32")
    if given then
        return columns_of(p, given), columns_of(p, given_before)
    end
    local bytes = p.nx * p.ny * p.nz * WORD
    local now, before = host.buffer(bytes), host.buffer(bytes)
    if p.start == "noise" then
        now:fill_random("fp32", 1, -1, 1)
        before:fill_random("fp32", 2, -1, 1)
    end
    return now, before
end

-- Begins with a reference; a function for its last level and the largest number there.
local function begin_reference(host, p, it, arithmetic)
    local settings = it.settings
    return host.reference(it.now, "wave", {
        before = it.before, columns = p.nx, rows = p.ny, layers = p.nz, steps = p.steps, factor = settings.factor or 1,
        factors = it.factors, directions = p.directions, arithmetic = arithmetic, source = settings.source,
        has_idle_corners = settings.has_idle_corners,
    })
end

-- Begins with both references: in_both() for one step, as_pes() and in_double() for several.
local function begin_references(host, p, it)
    if p.steps == 1 then
        it.in_both = begin_reference(host, p, it, "both")
    else
        it.as_pes, it.in_double = begin_reference(host, p, it, "single"), begin_reference(host, p, it, "double")
    end
end

-- Compares the last level with both references.
local function check(host, p, it)
    local result = it.result
    local as_pes, largest, error = (it.in_both or it.as_pes)()
    local is_equal = host.check_equal(result, as_pes, "single precision in the PEs' order of operations, bit for bit")
    as_pes, it.as_pes = nil, nil
    if not (it.in_both and is_equal) then
        local exact
        exact, largest = (it.in_double or begin_reference(host, p, it, "double"))()
        error = result:error("fp32", exact)
    end
    host.check { error = error, tolerance = TOLERANCE * largest, reference = "finite differences in double precision" }
    host.metric("largest", largest)
    host.metric("error_over_largest", largest > 0 and error / largest or 0)
end

-- Counts per cell, for PEs that get streams from all possible neighbours.
local function report_work(host, p, wafer, work, steps)
    for name, count in pairs(work.required) do
        host.metric("required_" .. name, count)
    end
    local corners = wafer:work("corner")
    if corners.pes > 0 then
        host.metric("corner_busy_cycles_per_step", corners.busy / (corners.pes * steps))
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

-- Watts while the rectangle works and the rest of the wafer idles.
local function power_of(host, p, profile)
    return host.number("power.idle_watts")
        + p.nx * p.ny * profile.busy * host.number("chip.clock_hz") * host.number("power.busy_picojoules_per_cycle") * 1e-12
end

local function report(host, p, settings, wafer, cycles)
    local work, profile = acoustic.work(settings), wafer:profile()
    local iterations = wafer:iterations()
    local step = rates.steady_cycles(iterations)
    local gcells = p.nx * p.ny * p.nz * rates.clock(host) / step / GIGA
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

-- The least slice of the grain of streams. A launch of one step lasts until the last PE is done,
-- and with short columns that depends on how many PEs there are.
local function slice_of(p, steps)
    local least = steps == 1 and p.nz <= 200 and 50 or 25
    return { least, least }
end

-- All steps in one launch. Returns the last level, cycles and the wafer.
local function make_on_one(host, p, it)
    local settings, now, before = it.settings, it.now, it.before
    local period = acoustic.period
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.steps, period = { period, period }, slice = slice_of(p, p.steps),
        layout = function(layout) acoustic.lay_out(layout, settings) end,
    }
    wafer:copy_to { name = "u", buffer = now, first = acoustic.first_cell(settings, 0), count = p.nz }
    wafer:copy_to { name = "u", buffer = before, first = acoustic.first_cell(settings, 1), count = p.nz }
    if it.factors then
        wafer:copy_to { name = "factors", buffer = it.factors, count = p.nz }
    end
    local cycles
    wafer:prepare()
    host.measure(function() cycles = wafer:launch() end, p.steps)
    local result = host.buffer(#now)
    wafer:copy_from { name = "u", buffer = result, first = acoustic.first_cell(settings, p.steps), count = p.nz }
    return result, cycles, wafer
end

-- Several wafers.

-- Columns beyond one of its sides that a part has: as deep as the steps between exchanges
-- reach, and some more, so that PEs take turns as on one large wafer. Terms are then added in
-- the same order.
local function margin(depth, beyond)
    return beyond > 0 and depth + (beyond - depth) % acoustic.period or 0
end

-- The settings that differ from wafer to wafer: the place of the source.
local function settings_of_part(p, settings, part)
    local own = {}
    for name, value in pairs(settings) do
        own[name] = value
    end
    local source = settings.source
    local x = source and source.x - part.first + part.margin_west
    own.source = source and x >= 0 and x < part.all
        and { x = x, y = source.y, z = source.z, samples = source.samples } or nil
    return own
end

local function own_tiles(p, part)
    return { part.margin_west, 0, part.margin_west + part.columns - 1, p.ny - 1 }
end

-- Puts programs, both levels and the cells' factors on a wafer.
local function prepare_part(host, p, it, part, depth)
    local settings, fields, period = it.settings, { [0] = it.now, it.before }, acoustic.period
    local own = settings_of_part(p, settings, part)
    part.wafer = part.device.wafer {
        columns = part.all, rows = p.ny, iterations = depth // wave.reach, period = { period, period }, slice = slice_of(p, depth // wave.reach),
        layout = function(layout) acoustic.lay_out(layout, own) end,
    }
    for level = 0, 1 do
        part.wafer:copy_to {
            name = "u", first = acoustic.first_cell(settings, level), count = p.nz, tiles = own_tiles(p, part),
            buffer = parts.cut(host, p, fields[level], p.nz * WORD, part.first, part.columns),
        }
    end
    if it.factors then
        part.wafer:copy_to {
            name = "factors", count = p.nz,
            buffer = parts.cut(host, p, it.factors, p.nz * WORD, part.first - part.margin_west, part.all),
        }
    end
    part.edges = {}
    parts.each_side(part, function(side)
        part.edges[side] = { [0] = host.buffer(depth * p.ny * p.nz * WORD), host.buffer(depth * p.ny * p.nz * WORD) }
    end)
end

-- Copies of the columns from `places` on at a part's sides, after so many steps. With several
-- steps between exchanges, the level before is needed, too.
local function copies(p, settings, part, depth, steps, places, edges_of)
    local list = {}
    parts.each_side(part, function(side, neighbour, opposite)
        local edges = edges_of(side, neighbour, opposite)
        for age = 0, depth > wave.reach and 1 or 0 do
            list[#list + 1] = {
                name = "u", first = acoustic.first_cell(settings, steps + age), count = p.nz, buffer = edges[age],
                tiles = { places[side], 0, places[side] + depth - 1, p.ny - 1 },
            }
        end
    end)
    return list
end

-- Columns that others need from a part, and that it needs from others.
local function own_edges(p, settings, part, depth, steps)
    local places = { west = part.margin_west, east = part.margin_west + part.columns - depth }
    return copies(p, settings, part, depth, steps, places, function(side) return part.edges[side] end)
end

local function others_edges(p, settings, part, depth, steps)
    local places = { west = part.margin_west - depth, east = part.margin_west + part.columns }
    return copies(p, settings, part, depth, steps, places, function(_, neighbour, opposite) return neighbour.edges[opposite] end)
end

local function report_parts(host, p, settings, group, depth)
    local times, work, clock = group:report(p.steps), acoustic.work(settings), host.number("chip.clock_hz")
    local gcells = p.nx * p.ny * p.nz / times.seconds / GIGA
    local tflops = gcells * work.required.flop * GIGA / TERA
    host.metric("cycles_per_step", times.compute * clock)
    host.metric("gcells_per_second", gcells)
    host.metric("tflops", tflops)
    host.metric("block", settings.block)
    host.metric("halo_columns", depth)
    rates.roofs(host, {
        pes = p.nx * p.ny, fuse = "fmacs", fuse_rate = "dsd.f32_fmac_elements_per_cycle", flop = work.required.flop,
        memory_words = work.executed.memory_words, ramp_words = work.required.ramp_words, achieved = tflops,
    })
    print(("%d x %d x %d cells, %d steps, an exchange of %d columns every %d: %.2f Gcell/s, %.4g TFLOP/s, %.1f %% of the time in PEs")
        :format(p.nx, p.ny, p.nz, p.steps, depth, depth // wave.reach, gcells, tflops, 100 * times.compute / times.seconds))
end

local function make_on_several(host, p, it, group, depth)
    local settings = it.settings
    for _, part in ipairs(group.list) do
        part.margin_west, part.margin_east = margin(depth, part.first), margin(depth, p.nx - part.first - part.columns)
        part.all = part.margin_west + part.columns + part.margin_east
    end
    group:check_rectangle(p, function(part) return part.all end)
    for _, part in ipairs(group.list) do
        prepare_part(host, p, it, part, depth)
    end
    host.measure(function()
        group:phase(function(part) part:copy_from(own_edges(p, settings, part, depth, 0)) end)
        for step = 0, p.steps - 1, depth // wave.reach do
            local last = math.min(step + depth // wave.reach, p.steps)
            group:phase(function(part)
                part:copy_to(others_edges(p, settings, part, depth, step))
                part:launch(acoustic.resume(settings, step, last))
                part:copy_from(last < p.steps and own_edges(p, settings, part, depth, last) or {})
            end)
        end
    end, p.steps)
    local result = host.buffer(#it.now)
    for _, part in ipairs(group.list) do
        local piece = host.buffer(part.columns * p.ny * p.nz * WORD)
        part.wafer:copy_from {
            name = "u", buffer = piece, first = acoustic.first_cell(settings, p.steps), count = p.nz, tiles = own_tiles(p, part),
        }
        parts.paste(p, result, p.nz * WORD, part.first, part.columns, piece)
    end
    return result
end

-- Steps and their outcome; report() prints the speed, times has seconds and those in PEs. If it
-- is to be checked, references are under way.
local function make(host, p, is_checked)
    local depth = wave.reach * math.min(p.exchange_steps, p.steps)
    local group = parts.of(host, p, depth)
    local it = { settings = settings_of(host, p, #group.list > 1), chips = #group.list }
    it.now, it.before = make_fields(host, p)
    if it.settings.has_idle_corners then
        clear_corners(host, p, it.now)
        clear_corners(host, p, it.before)
    end
    local factors = wave.factors(host, p, p)
    it.factors = factors and columns_of(p, factors)
    if is_checked then
        begin_references(host, p, it)
    end
    if #group.list == 1 then
        local cycles, wafer
        it.result, cycles, wafer = make_on_one(host, p, it)
        local seconds = cycles / p.steps / host.number("chip.clock_hz")
        it.times = { seconds = seconds, compute = seconds }
        it.report = function() report(host, p, it.settings, wafer, cycles) end
    else
        it.result = make_on_several(host, p, it, group, depth)
        it.times = group:times(p.steps)
        it.report = function() report_parts(host, p, it.settings, group, depth) end
    end
    return it
end

-- wafer25.times(host, p): seconds per step, and those of them in PEs; for experiments.
function wafer25.times(host, p)
    return make(host, p).times
end

-- Runs the script stencil25.lua.
function wafer25.run(host, p)
    local it = make(host, p, host.is_functional)
    if host.is_functional then
        check(host, p, it)
        field.save(host, "u", p, "fp32", function() return it.result:permuted("fp32", { p.ny, p.nx, p.nz }, { 2, 1, 3 }) end)
    end
    it.report()
    p.block, p.chips = tostring(it.settings.block), it.chips
end

return wafer25
