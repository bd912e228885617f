-- The dot product of two vectors on a wafer. A PE has a column of nz numbers of each and adds
-- their products into one number; an all-reduce adds these.
--
-- A vector operation reads two numbers at a time, or several of each. Their banks collide if both
-- begin at the same 32 bits of a period of memory.operand_period_bytes, or of twice that where a
-- read has more than 32 bits. If one vector begins a read later, they never collide.
--
-- Of several wafers each adds up its own columns. The host reads the sums from the roots, adds
-- them and writes the total back; the next launch begins by sending it to all PEs.

local classes = require("wafer/tile_classes")
local collective = require("wafer/collective")
local parts = require("wafer/parts")
local rates = require("wafer/rates")
local room = require("wafer/room")

local WORD = 4                              -- bytes of an fp32 number
local LINE = 16                             -- bytes to which arrays are aligned
local MARKS = 2                             -- per iteration: own products, and all
local BEGIN, ENDED, SUM = 1, 2, 3           -- tasks
local INPUT_QUEUES, OUTPUT_QUEUES = { 2, 3 }, { 4, 5 }
local LEAST_SLICE = 25
local SLICE_ITERATIONS = 4

-- Types of numbers and sums, and the operation that multiplies and adds.
local TYPES = {
    fp32 = { number = "f32", format = "fp32", bytes = 4, sum = "f32", sums = "fp32", operation = "fmacs",
        rate = "dsd.f32_fmac_elements_per_cycle", roundoff = 2 ^ -24 },
    mixed = { number = "f16", format = "fp16", bytes = 2, sum = "f32", sums = "fp32", operation = "fmachs",
        rate = "dsd.mixed_fmac_elements_per_cycle", roundoff = 2 ^ -24 },
    fp16 = { number = "f16", format = "fp16", bytes = 2, sum = "f16", sums = "fp16", operation = "fmach",
        rate = "dsd.f16_elements_per_cycle", roundoff = 2 ^ -11 },
}

local dot = {}

-- Parameters that only wafers have.
dot.parameters = {
    { name = "pattern", type = "choice", default = "auto", choices = { "auto", "merge", "center", "corner", "chain", "tree", "two-phase" }, chips = { "wse" },
        help = "which PE adds whose sum; auto: merge, or chain where the grid has no middle" },
    { name = "group", type = "integer", default = 0, min = 0, max = 65535, chips = { "wse" },
        help = "PEs of a group of two-phase, in rows and columns; 0: near the square root" },
    { name = "placement", type = "choice", default = "aware", choices = { "aware", "plain" }, chips = { "wse" },
        help = "where the second vector begins: beside the banks of the first, or as any array" },
}
table.move(parts.words, 1, #parts.words, #dot.parameters + 1, dot.parameters)

-- Where the second vector begins in its array, in numbers.
local function offset_of(host, p)
    return p.placement == "aware" and host.number("memory.operand_period_bytes") // 2 // TYPES[p.dtype].bytes or 0
end

-- Declares a PE's memory. Returns the total, and a function that emits the sum of its products.
local function declare(pe, p, offset)
    local types = TYPES[p.dtype]
    local a = pe:array { name = "a", type = types.number, count = p.nz, align = LINE }
    local b = pe:array { name = "b", type = types.number, count = p.nz + offset, align = LINE }
    local total = pe:scalar { name = "total", type = "f32", value = 0 }
    local sum = types.sum == "f32" and total or pe:scalar { name = "sum", type = types.sum, value = 0 }
    local from_a = pe:mem1d_dsd { base = a, extent = p.nz }
    local from_b = pe:mem1d_dsd { base = b, extent = p.nz, offset = offset }
    local into = pe:mem1d_dsd { base = sum, extent = p.nz, stride = 0 }
    local sum_at, total_at = pe:mem1d_dsd { base = sum, extent = 1 }, pe:mem1d_dsd { base = total, extent = 1 }
    return total, function()
        pe[sum == total and "fmovs" or "fmovh"](pe, sum_at, 0)
        pe[types.operation](pe, into, into, from_a, from_b)
        if sum ~= total then
            pe:fh2s(total_at, sum_at)
        end
        pe:iteration_done()
    end
end

-- All iterations in one launch.
local function program(pe, plan, p, offset, iterations, x, y)
    local total, add_products = declare(pe, p, offset)
    local iteration = pe:variable { name = "iteration", value = 0 }
    local part = plan:attach(pe, { x = x, y = y, value = total, done = ENDED })
    pe:bind_local_task(BEGIN, "begin", function()
        add_products()
        part:start()
    end)
    pe:bind_local_task(ENDED, "ended", function()
        pe:iteration_done()
        pe:add(iteration, 1)
        pe:when(iteration, "<", iterations // MARKS, function() pe:activate(BEGIN) end)
    end)
    pe:activate(BEGIN)
end

-- A phase: if the host says so, the total goes to all PEs; then products are added up.
local function phase_program(pe, plan, p, offset, x, y)
    local total, add_products = declare(pe, p, offset)
    local is_spreading = pe:variable { name = "is_spreading", value = 0 }
    local is_summing = pe:variable { name = "is_summing", value = 0 }
    local part = plan:attach(pe, { x = x, y = y, value = total, done = ENDED })
    local function sum()
        pe:when(is_summing, "==", 1, function() pe:activate(SUM) end)
    end
    pe:bind_local_task(BEGIN, "begin", function()
        pe:when(is_spreading, "==", 1, function() part:start_broadcast() end, sum)
    end)
    pe:bind_local_task(SUM, "sum", function()
        add_products()
        part:start_reduction()
    end)
    pe:bind_local_task(ENDED, "ended", function()
        pe:iteration_done()
        pe:when(is_spreading, "==", 1, function()
            pe:assign(is_spreading, 0)
            sum()
        end)
    end)
    pe:activate(BEGIN)
end

local function lay_out(layout, plan, p, offset, is_phase)
    plan:configure(layout)
    classes.each(layout, { plan }, function(tiles, x, y)
        layout:set_tile_code(tiles, "pe", function(pe)
            if is_phase and not layout.is_slice then
                phase_program(pe, plan, p, offset, x, y)
            else
                program(pe, plan, p, offset, layout.iterations, x, y)
            end
        end)
    end)
end

-- Compares the total in every PE with both references.
local function check(host, p, merges, a, b, totals)
    local types = TYPES[p.dtype]
    local partials = a:column_dots(types.format, b, p.nz, types.sums)
    local total, bound = partials:merged { merges = merges, words = 1 }
    local expected = host.buffer(#totals)
    expected:fill_with("fp32", total:get("fp32", 0))
    host.check_equal(totals, expected, "the PEs' arithmetic and order, in every PE, bit for bit")

    local exact, magnitude = a:dot(types.format, b)
    local found = totals:get("fp32", 0)
    host.metric("total", found)
    host.metric("total_in_double", exact)
    host.metric("error_over_magnitudes", math.abs(found - exact) / magnitude)
    -- A PE's sum is rounded nz times; the numbers that are then added are at most this much
    -- larger.
    local own = p.nz * types.roundoff * magnitude
    host.check {
        error = math.abs(found - exact), tolerance = own + bound * (1 + own / magnitude),
        reference = "in double precision; every rounding at its worst",
    }
end

-- Cycles per iteration: own products, the rest, and all of it.
local function times_of(iterations)
    local own, rest, count, before = 0, 0, #iterations // MARKS, 0
    for i = 1, count do
        local added, ended = iterations[MARKS * i - 1], iterations[MARKS * i]
        own, rest = own + added.last - before, rest + ended.last - added.last
        before = ended.last
    end
    return { own = own / count, rest = rest / count, all = before / count }
end

-- Reports the speed, and the most that the PEs of all wafers could do.
local function report_rate(host, p, cycles)
    local types, pes, clock = TYPES[p.dtype], p.nx * p.ny, rates.clock(host)
    local tflops = 2 * pes * p.nz * clock / cycles / 1e12
    host.metric("us_per_iteration", cycles / clock * 1e6)
    host.metric("tflops", tflops)
    local function roof(name, elements, source)
        host.roof { name = name, unit = "TFLOP/s", value = 2 * elements * pes * clock / 1e12, source = source, achieved = tflops }
    end
    roof("multiply-add", host.number(types.rate), types.rate .. ", nothing but " .. types.operation)
    local slowest = host.number("dsd.reduction_cycles_per_element")
    if slowest > 0 then
        roof("one sum", 1 / slowest, "dsd.reduction_cycles_per_element, into one number")
    end
    roof("memory", host.number("memory.reads_per_cycle") * WORD / (2 * types.bytes), "memory.reads_per_cycle, two numbers an element")
end

local function report(host, p, pattern, wafer)
    local times, profile = times_of(wafer:iterations()), wafer:profile()
    host.metric("cycles_per_iteration", times.all)
    host.metric("local_cycles", times.own)
    host.metric("allreduce_cycles", times.rest)
    report_rate(host, p, times.all)
    print(("%d x %d x %d numbers, %s, %s, %s placement, grain %s: %.1f cycles an iteration, %.1f of own products, %.1f of the all-reduce; busy %.1f %%")
        :format(p.nx, p.ny, p.nz, p.dtype, pattern, p.placement, wafer.grain, times.all, times.own, times.rest, 100 * profile.busy))
end

local function check_settings(host, p, offset)
    local bytes = TYPES[p.dtype].bytes
    -- Both vectors begin at a line; sums and the counter come after them.
    local most = ((room.bytes(host) - 3 * WORD - LINE) // bytes - offset) // 2
    if p.nz > most then
        host.refuse(("nz = %d, at most %d of each vector fit into a PE's memory in %s"):format(p.nz, most, p.dtype))
    elseif p.group > 0 and p.pattern ~= "two-phase" then
        host.refuse(("group = %d, pattern %s has no groups; two-phase has"):format(p.group, p.pattern))
    end
end

-- Every launch except the first begins with the total of the one before; the last does only
-- that.
local function measure_phases(host, p, group)
    group:prepare_sum(function(part) return part.plan.root end)
    host.measure(function()
        for i = 0, p.iterations do
            group:phase(function(part)
                part:copy_to(i > 0 and { group:total_for(part, "total") } or {})
                part:launch { is_spreading = i > 0 and 1 or 0, is_summing = i < p.iterations and 1 or 0 }
                part:copy_from(i < p.iterations and { group:sum_of(part, "total") } or {})
            end)
            if i < p.iterations then
                group:add_up()
            end
        end
    end, p.iterations)
end

-- A wafer with the dot product of its columns; is_phase: it takes several launches.
local function make_wafer(host, p, part, offset, is_phase)
    local colors = collective.free_colors(host)
    part.pattern = collective.chosen(p.pattern, part.columns, p.ny, 1)
    local function plan_of(layout)
        local plan, why = collective.plan(layout, {
            operation = "allreduce", pattern = part.pattern, group = p.group, words = 1, colors = colors,
            input_queues = INPUT_QUEUES, output_queues = OUTPUT_QUEUES,
        })
        return plan or host.refuse(("pattern %s: %s"):format(part.pattern, why))
    end
    part.plan = plan_of { columns = part.columns, rows = p.ny }
    local period = math.max(p.group, 1)
    return part.device.wafer {
        columns = part.columns, rows = p.ny, iterations = is_phase and 1 or MARKS * p.iterations,
        slice_iterations = is_phase and math.min(SLICE_ITERATIONS, MARKS * p.iterations) or nil,
        period = { period, period }, slice = { LEAST_SLICE, LEAST_SLICE },
        layout = function(layout) lay_out(layout, plan_of(layout), p, offset, is_phase) end,
    }
end

-- dot.run(host, p): p has nx, ny, nz, dtype, iterations and dot.parameters.
function dot.run(host, p)
    local types, offset = TYPES[p.dtype], offset_of(host, p)
    local group = parts.of(host, p, 1)
    local is_phase = #group.list > 1
    group:check_rectangle(p)
    check_settings(host, p, offset)
    local a, b = host.buffer(p.nx * p.ny * p.nz * types.bytes), host.buffer(p.nx * p.ny * p.nz * types.bytes)
    a:fill_random(types.format, 1, -1, 1)
    b:fill_random(types.format, 2, -1, 1)
    for _, part in ipairs(group.list) do
        part.wafer = make_wafer(host, p, part, offset, is_phase)
        for name, vector in pairs { a = a, b = b } do
            part.wafer:copy_to {
                name = name, first = name == "b" and offset or 0, count = p.nz,
                buffer = parts.cut(host, p, vector, p.nz * types.bytes, part.first, part.columns),
            }
        end
    end
    if is_phase then
        measure_phases(host, p, group)
    else
        group.list[1].wafer:prepare()
        host.measure(function() group.list[1].wafer:launch() end, p.iterations)
    end
    local totals = host.buffer(p.nx * p.ny * WORD)
    for _, part in ipairs(group.list) do
        local piece = host.buffer(part.columns * p.ny * WORD)
        part.wafer:copy_from { name = "total", buffer = piece, count = 1 }
        parts.paste(p, totals, WORD, part.first, part.columns, piece)
    end
    if host.is_functional then
        local function merges_of(part) return collective.merges(part.pattern, part.columns, p.ny, p.group) end
        check(host, p, group:merges(p, merges_of), a, b, totals)
    end
    if is_phase then
        local times = group:report(p.iterations)
        local clock = host.number("chip.clock_hz")
        host.metric("cycles_per_iteration", times.compute * clock)
        report_rate(host, p, times.seconds * clock)
    else
        report(host, p, group.list[1].pattern, group.list[1].wafer)
    end
    p.chips, p.pattern = #group.list, group.list[1].pattern
end

return dot
