-- Collectives alone, as a workload: measures a call and checks its result.
--
-- A PE's program is two tasks. The first resets the numbers, which takes the same time on all
-- PEs and is not part of a call, and begins the call; the second ends it and begins the next.
-- Both mark the time, so a wafer's iterations are begins and ends in turn. A reduction ends
-- when its root has the sums; the other PEs mark its end at its begin.

local classes = require("wafer/tile_classes")
local collective = require("wafer/collective")
local room = require("wafer/room")

local WORD = 4                                      -- bytes of a number
local MARKS = 2                                     -- per call
local BEGIN, ENDED = 1, 2                           -- tasks
local INPUT_QUEUES, OUTPUT_QUEUES = { 2, 3 }, { 4, 5 }
local LEAST_SLICE = 25

local reduce = {}

local function lay_out(layout, plan, p)
    local words = p.words
    plan:configure(layout)
    classes.each(layout, { plan }, function(tiles, x, y)
        local is_reduction, is_root = p.operation == "reduce", x == plan.root.x and y == plan.root.y
        layout:set_tile_code(tiles, "pe", function(pe)
            local given = pe:array { name = "given", type = "f32", count = words }
            local value = pe:array { name = "value", type = "f32", count = words }
            local calls = pe:variable { name = "calls", value = 0 }
            local from, to = pe:mem1d_dsd { base = given, extent = words }, pe:mem1d_dsd { base = value, extent = words }
            local part = plan:attach(pe, {
                x = x, y = y, value = value, done = ENDED,
                between = is_reduction and function() pe:iteration_done() end or nil,
            })
            pe:bind_local_task(BEGIN, "begin", function()
                pe:fmovs(to, from)
                pe:iteration_done()
                if is_reduction and not is_root then
                    pe:iteration_done()
                end
                part:start()
            end)
            pe:bind_local_task(ENDED, "ended", function()
                if not is_reduction then
                    pe:iteration_done()
                end
                pe:add(calls, 1)
                pe:when(calls, "<", layout.iterations // MARKS, function() pe:activate(BEGIN) end)
            end)
            pe:activate(BEGIN)
        end)
    end)
end

-- Compares the numbers of the PEs, root or all, with both references.
local function check(host, p, pattern, root, given, result)
    local bytes = p.words * WORD
    local count = p.width * p.height
    local root_at = (root.y * p.width + root.x) * bytes
    local expected, tolerance = given:part(root_at, bytes), 0
    local exact = expected
    if p.operation ~= "broadcast" then
        local merges = collective.merges(pattern, p.width, p.height, p.group)
        expected, tolerance = given:merged { merges = merges, words = p.words, arithmetic = "single" }
        exact = given:merged { merges = merges, words = p.words, arithmetic = "double" }
    end
    local got, all = result, host.buffer(#result)
    if p.operation == "reduce" then
        got, all = result:part(root_at, bytes), expected
    else
        for i = 0, count - 1 do
            all:put(i * bytes, expected)
        end
    end
    host.check_equal(got, all, p.operation == "broadcast" and "the root's numbers in every PE, bit for bit"
        or "sums in single precision in the pattern's order, bit for bit")
    -- The exact sum is rounded to fp32 once.
    host.check {
        error = got:part(0, bytes):error("fp32", exact), tolerance = 2 * tolerance, reference = "sums in double precision",
    }
end

-- Cycles from the last begin of a call to its last end: the mean, and that of the first call,
-- which all PEs begin at once; and the largest distance between begins.
local function times_of(iterations)
    local total, skew, calls = 0, 0, #iterations // MARKS
    for call = 1, calls do
        local begun, ended = iterations[MARKS * call - 1], iterations[MARKS * call]
        total = total + ended.last - begun.last
        skew = math.max(skew, begun.last - begun.first)
    end
    return { cycles = total / calls, skew = skew, first = iterations[2].last - iterations[1].last }
end

local function report(host, p, wafer, plan, times)
    local profile = wafer:profile()
    host.metric("cycles_per_call", times.cycles)
    host.metric("first_call_cycles", times.first)
    host.metric("start_skew_cycles", times.skew)
    host.metric("us_per_call", times.cycles / host.number("chip.clock_hz") * 1e6)
    host.metric("colors", plan.color_count)
    host.metric("link_wavelets_per_call", profile.link_wavelets / p.iterations)
    host.metric("root_x", plan.root.x)
    host.metric("root_y", plan.root.y)
    print(("%s, %s, of %d word%s over %d x %d PEs, grain %s: %.1f cycles a call, begins up to %d cycles apart, %d colors"):format(
        p.operation, p.pattern, p.words, p.words > 1 and "s" or "", p.width, p.height, wafer.grain, times.cycles, times.skew, plan.color_count))
end

-- Checks the user's request.
local function check_settings(host, p)
    room.check_rectangle(host, p, "width", "height")
    if p.width * p.height == 1 then
        host.refuse("width = 1, height = 1: one PE has nobody to exchange numbers with, 2 x 1 or 1 x 2 have")
    end
    local most = math.min((room.bytes(host) - 2 * WORD) // (2 * WORD), host.number("dsd.length_limit_elements"))
    if p.words > most then
        host.refuse(("words = %d, at most %d fit into a PE's memory twice"):format(p.words, most))
    elseif p.group > 0 and p.pattern ~= "two-phase" then
        host.refuse(("group = %d, pattern %s has no groups; two-phase has"):format(p.group, p.pattern))
    end
end

-- reduce.measure(host, p, patterns): runs and checks it. p has the parameters below; patterns
-- has the chosen one by its name. Returns times { cycles =, skew =, first = }, wafer and plan.
function reduce.measure(host, p, patterns)
    check_settings(host, p)
    local pattern, colors = patterns[p.pattern], collective.free_colors(host)
    local slice = collective.slice(p.pattern, p.width, p.height, p.group, LEAST_SLICE)
    local function plan_of(layout)
        local plan, why = collective.plan(layout, {
            operation = p.operation, pattern = pattern, group = slice.groups, words = p.words, colors = colors,
            input_queues = INPUT_QUEUES, output_queues = OUTPUT_QUEUES,
        })
        return plan or host.refuse(("pattern %s: %s"):format(p.pattern, why))
    end
    local whole = plan_of { columns = p.width, rows = p.height }
    local wafer = host.wafer {
        columns = p.width, rows = p.height, iterations = MARKS * p.iterations,
        period = slice.period, slice = slice.slice,
        layout = function(layout) lay_out(layout, plan_of(layout), p) end,
    }
    local given = host.buffer(p.width * p.height * p.words * WORD)
    given:fill_random("fp32", 1, -1, 1)
    wafer:copy_to { name = "given", buffer = given, count = p.words }
    wafer:prepare()
    host.measure(function() wafer:launch() end, p.iterations)
    local result = host.buffer(#given)
    wafer:copy_from { name = "value", buffer = result, count = p.words }
    if host.is_functional then
        check(host, p, pattern, whole.root, given, result)
    end
    return times_of(wafer:iterations()), wafer, whole
end

local function run(host, p, patterns)
    local times, wafer, plan = reduce.measure(host, p, patterns)
    report(host, p, wafer, plan, times)
end

-- reduce.script(patterns): a workload that offers these patterns by name.
function reduce.script(patterns)
    local names = collective.names(patterns)
    return {
        summary = "reduce, broadcast and all-reduce over a rectangle of PEs",
        chips = { "wse" },
        parameters = {
            { name = "operation", type = "choice", default = "reduce", choices = { "reduce", "broadcast", "allreduce" },
                help = "sums to one PE, its numbers to all, or both" },
            { name = "pattern", type = "choice", default = patterns.chain and "chain" or names[1], choices = names, help = "which PE adds whose sum" },
            { name = "width", type = "integer", default = 16, min = 1, max = 65535, help = "columns of PEs" },
            { name = "height", type = "integer", default = 16, min = 1, max = 65535, help = "rows of PEs" },
            { name = "words", type = "integer", default = 1, min = 1, max = 32766, help = "32-bit numbers of a PE" },
            { name = "group", type = "integer", default = 0, min = 0, max = 65535,
                help = "PEs of a group of two-phase, in rows and columns; 0: near the square root" },
            { name = "iterations", type = "integer", default = 3, min = 1, max = 1000000, help = "calls in one launch" },
        },
        run = function(host, p) run(host, p, patterns) end,
    }
end

return reduce
