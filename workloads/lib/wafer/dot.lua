-- The dot product of two vectors on a wafer: a PE has a column of nz numbers of each, adds
-- their products into one number, and an all-reduce adds these.
--
-- A vector operation reads two numbers at a time; where both lie in the same half of a period
-- of memory.operand_period_bytes, their banks collide. Vectors that begin at the same place in
-- a period collide in every step, and in none if one of them begins half a period later.

local classes = require("wafer/tile_classes")
local collective = require("wafer/collective")
local room = require("wafer/room")

local WORD = 4                              -- bytes of an fp32 number
local LINE = 16                             -- bytes to which arrays are aligned
local MARKS = 2                             -- of an iteration: own products, and all
local BEGIN, ENDED = 1, 2                   -- tasks
local INPUT_QUEUES, OUTPUT_QUEUES = { 2, 3 }, { 4, 5 }
local LEAST_SLICE = 25

-- Numbers of vectors, of sums, and how they are multiplied and added.
local TYPES = {
    fp32 = { number = "f32", format = "fp32", bytes = 4, sum = "f32", sums = "fp32", operation = "fmacs",
        rate = "dsd.f32_fmac_elements_per_cycle", roundoff = 2 ^ -24 },
    mixed = { number = "f16", format = "fp16", bytes = 2, sum = "f32", sums = "fp32", operation = "fmachs",
        rate = "dsd.mixed_fmac_elements_per_cycle", roundoff = 2 ^ -24 },
    fp16 = { number = "f16", format = "fp16", bytes = 2, sum = "f16", sums = "fp16", operation = "fmach",
        rate = "dsd.f16_elements_per_cycle", roundoff = 2 ^ -11 },
}

local dot = {}

-- The parameters that there are on wafers only.
dot.parameters = {
    { name = "pattern", type = "choice", default = "auto", choices = { "auto", "center", "corner", "chain", "tree", "two-phase" }, chips = { "wse" },
        help = "which PE adds whose sum; auto: center, or chain where the grid has no middle" },
    { name = "group", type = "integer", default = 0, min = 0, max = 65535, chips = { "wse" },
        help = "PEs of a group of two-phase, in rows and columns; 0: near the square root" },
    { name = "placement", type = "choice", default = "aware", choices = { "aware", "plain" }, chips = { "wse" },
        help = "where the second vector begins: beside the banks of the first, or as any array" },
}

-- Where the second vector begins in its array, in numbers.
local function offset_of(host, p)
    return p.placement == "aware" and host.number("memory.operand_period_bytes") // 2 // TYPES[p.dtype].bytes or 0
end

local function lay_out(layout, plan, p, offset)
    local types = TYPES[p.dtype]
    plan:configure(layout)
    classes.each(layout, { plan }, function(tiles, x, y)
        layout:set_tile_code(tiles, "pe", function(pe)
            local a = pe:array { name = "a", type = types.number, count = p.nz, align = LINE }
            local b = pe:array { name = "b", type = types.number, count = p.nz + offset, align = LINE }
            local total = pe:scalar { name = "total", type = "f32", value = 0 }
            local sum = types.sum == "f32" and total or pe:scalar { name = "sum", type = types.sum, value = 0 }
            local iteration = pe:variable { name = "iteration", value = 0 }
            local from_a = pe:mem1d_dsd { base = a, extent = p.nz }
            local from_b = pe:mem1d_dsd { base = b, extent = p.nz, offset = offset }
            local into = pe:mem1d_dsd { base = sum, extent = p.nz, stride = 0 }
            local sum_at, total_at = pe:mem1d_dsd { base = sum, extent = 1 }, pe:mem1d_dsd { base = total, extent = 1 }
            local part = plan:attach(pe, { x = x, y = y, value = total, done = ENDED })
            pe:bind_local_task(BEGIN, "begin", function()
                pe[sum == total and "fmovs" or "fmovh"](pe, sum_at, 0)
                pe[types.operation](pe, into, into, from_a, from_b)
                if sum ~= total then
                    pe:fh2s(total_at, sum_at)
                end
                pe:iteration_done()
                part:start()
            end)
            pe:bind_local_task(ENDED, "ended", function()
                pe:iteration_done()
                pe:add(iteration, 1)
                pe:when(iteration, "<", layout.iterations // MARKS, function() pe:activate(BEGIN) end)
            end)
            pe:activate(BEGIN)
        end)
    end)
end

-- The total that every PE has, against both references.
local function check(host, p, pattern, a, b, totals)
    local types = TYPES[p.dtype]
    local partials = a:column_dots(types.format, b, p.nz, types.sums)
    local merges = collective.merges(pattern, p.nx, p.ny, p.group)
    local total, bound = partials:merged { merges = merges, words = 1 }
    local expected = host.buffer(#totals)
    expected:fill_with("fp32", total:get("fp32", 0))
    host.check_equal(totals, expected, "the PEs' arithmetic and order, in every PE, bit for bit")

    local exact, magnitude = a:dot(types.format, b)
    local found = totals:get("fp32", 0)
    host.metric("total", found)
    host.metric("total_in_double", exact)
    host.metric("error_over_magnitudes", math.abs(found - exact) / magnitude)
    -- Own sums are rounded nz times; what is then added is at most so much larger.
    local own = p.nz * types.roundoff * magnitude
    host.check {
        error = math.abs(found - exact), tolerance = own + bound * (1 + own / magnitude),
        reference = "in double precision; every rounding at its worst",
    }
end

-- Cycles of an iteration: own products, the rest, all of it.
local function times_of(iterations)
    local own, rest, count, before = 0, 0, #iterations // MARKS, 0
    for i = 1, count do
        local added, ended = iterations[MARKS * i - 1], iterations[MARKS * i]
        own, rest = own + added.last - before, rest + ended.last - added.last
        before = ended.last
    end
    return { own = own / count, rest = rest / count, all = before / count }
end

local function report(host, p, pattern, wafer)
    local types, times, profile = TYPES[p.dtype], times_of(wafer:iterations()), wafer:profile()
    local pes, clock = p.nx * p.ny, host.number("chip.clock_hz")
    local tflops = 2 * pes * p.nz * clock / times.all / 1e12
    host.metric("cycles_per_iteration", times.all)
    host.metric("local_cycles", times.own)
    host.metric("allreduce_cycles", times.rest)
    host.metric("us_per_iteration", times.all / clock * 1e6)
    host.metric("tflops", tflops)
    local function roof(name, elements, source)
        host.roof { name = name, unit = "TFLOP/s", value = 2 * elements * pes * clock / 1e12, source = source, achieved = tflops }
    end
    roof("multiply-add", host.number(types.rate), types.rate .. ", nothing but " .. types.operation)
    roof("one sum", 1 / host.number("dsd.reduction_cycles_per_element"), "dsd.reduction_cycles_per_element, into one number")
    roof("memory", host.number("memory.reads_per_cycle") * WORD / (2 * types.bytes), "memory.reads_per_cycle, two numbers an element")
    print(("%d x %d x %d numbers, %s, %s, %s placement, grain %s: %.1f cycles an iteration, %.1f of own products, %.1f of the all-reduce; busy %.1f %%")
        :format(p.nx, p.ny, p.nz, p.dtype, pattern, p.placement, wafer.grain, times.all, times.own, times.rest, 100 * profile.busy))
end

local function check_settings(host, p, offset)
    room.check_rectangle(host, p, "nx", "ny")
    local bytes = TYPES[p.dtype].bytes
    -- Both vectors begin at a line; sums and the counter come after them.
    local most = ((room.bytes(host) - 3 * WORD - LINE) // bytes - offset) // 2
    if p.nz > most then
        host.refuse(("nz = %d, at most %d of each vector fit into a PE's memory in %s"):format(p.nz, most, p.dtype))
    elseif p.group > 0 and p.pattern ~= "two-phase" then
        host.refuse(("group = %d, pattern %s has no groups; two-phase has"):format(p.group, p.pattern))
    end
end

-- dot.run(host, p): p has nx, ny, nz, dtype, iterations and dot.parameters.
function dot.run(host, p)
    local types, offset, colors = TYPES[p.dtype], offset_of(host, p), collective.free_colors(host)
    local pattern = collective.chosen(p.pattern, p.nx, p.ny)
    check_settings(host, p, offset)
    local function plan_of(layout)
        local plan, why = collective.plan(layout, {
            operation = "allreduce", pattern = pattern, group = p.group, words = 1, colors = colors,
            input_queues = INPUT_QUEUES, output_queues = OUTPUT_QUEUES,
        })
        return plan or host.refuse(("pattern %s: %s"):format(pattern, why))
    end
    plan_of { columns = p.nx, rows = p.ny }
    local period = math.max(p.group, 1)
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = MARKS * p.iterations,
        period = { period, period }, slice = { LEAST_SLICE, LEAST_SLICE },
        layout = function(layout) lay_out(layout, plan_of(layout), p, offset) end,
    }
    local a, b = host.buffer(p.nx * p.ny * p.nz * types.bytes), host.buffer(p.nx * p.ny * p.nz * types.bytes)
    a:fill_random(types.format, 1, -1, 1)
    b:fill_random(types.format, 2, -1, 1)
    wafer:copy_to { name = "a", buffer = a, count = p.nz }
    wafer:copy_to { name = "b", buffer = b, first = offset, count = p.nz }
    wafer:prepare()
    host.measure(function() wafer:launch() end, p.iterations)
    local totals = host.buffer(p.nx * p.ny * WORD)
    wafer:copy_from { name = "total", buffer = totals, count = 1 }
    if host.is_functional then
        check(host, p, pattern, a, b, totals)
    end
    report(host, p, pattern, wafer)
end

return dot
