-- Fourier transforms of complex numbers in fp32 on a wafer (Orenes-Vera et al. 2022). A PE
-- transforms a line of n numbers; between lines of different axes an all-to-all along rows, and
-- then along columns, transposes (lib/wafer/ring.lua).
--
-- 3 dimensions: n x n x n numbers on n x n PEs, lines along z, x and y. 2: n x n on a row of n
-- PEs. 1: n x n numbers in four steps, which are those of 2 dimensions with factors between the
-- lines (Bailey 1990). PEs count in the order of the ring.
--
-- A line is transformed in log2 n stages from one array to the other (Stockham), which leave
-- numbers in order. Stages are vector operations on n / 2 numbers.

local classes = require("wafer/tile_classes")
local collective = require("wafer/collective")
local rates = require("wafer/rates")
local ring = require("wafer/ring")
local room = require("wafer/room")

local WORD, PARTS, LINE = 4, 2, 16      -- bytes; words of a complex number; bytes of a line
local BEGIN, LINES = 8, 16              -- tasks; the one of lines along the first axis
local STAGE_FLOP = 10                   -- operations of a pair of numbers and stage
local LEAST_SLICE, SLICES = 16, 16      -- PEs of a line of a slice, and such lines of a line at most
local ROUNDOFF = 2 ^ -24
local AXES = {
    { axis = ring.row, name = "row", input_queues = { 4, 5 }, output_queues = { 0, 1 }, task = 10 },
    { axis = ring.column, name = "column", input_queues = { 6, 7 }, output_queues = { 2, 3 }, task = 11 },
}

local fft = {}

local function stages_of(n)
    local stages = 0
    while 1 << stages < n do
        stages = stages + 1
    end
    return stages
end

-- Words of a PE's memory for lines of n numbers.
local function words_of(n, dims)
    return 25 * n // 2 + (dims == 1 and 2 * n or 0)
end

-- Declares arrays. `r` gets lines, `s` is the other one, with room to be there twice.
local function declare(pe, p, n)
    local function array(name, count, values)
        return pe:array { name = name, type = "f32", count = count, align = LINE, values = values }
    end
    local roots = { {}, {} }
    for k = 0, n // 2 - 1 do
        roots[1][k + 1], roots[2][k + 1] = math.cos(-2 * math.pi * k / n), math.sin(-2 * math.pi * k / n)
    end
    local own = {
        r = { array = array("r", PARTS * n), imaginary = n }, s = { array = array("s", 2 * PARTS * n), imaginary = 2 * n },
        roots = { array("roots_re", n // 2, roots[1]), array("roots_im", n // 2, roots[2]) },
        differences = { array("d_re", n // 2), array("d_im", n // 2) }, product = array("product", n // 2), passed = {},
    }
    for way = 1, 2 do
        own.passed[way] = { array("passed" .. way .. "a", n), array("passed" .. way .. "b", n) }
    end
    if p.dims == 1 then
        own.factors = array("factors", PARTS * n)
    end
    return own
end

-- All n numbers of a part, 1 real or 2 imaginary, of `of`.
local function all(pe, of, part, n, first)
    return pe:mem1d_dsd { base = of.array, extent = n, offset = (part - 1) * of.imaginary + (first or 0) }
end

-- Emits a stage from x to y: sums of numbers half a line apart, and their differences times a
-- root of 1. Blocks of `width` numbers have the same root.
local function emit_stage(pe, own, n, width, x, y)
    local half = n // 2
    local blocks = half // width
    local function low(part, offset)
        return pe:mem1d_dsd { base = x.array, extent = half, offset = (part - 1) * x.imaginary + offset }
    end
    local function result(part, offset)
        return pe:mem4d_dsd { base = y.array, extents = { blocks, width }, strides = { 2 * width, 1 },
            offset = (part - 1) * y.imaginary + offset }
    end
    local function root(part)
        return pe:mem4d_dsd { base = own.roots[part], extents = { blocks, width }, strides = { width, 0 } }
    end
    local d, product = {}, pe:mem1d_dsd { base = own.product, extent = half }
    for part = 1, PARTS do
        d[part] = pe:mem1d_dsd { base = own.differences[part], extent = half }
        pe:fadds(result(part, 0), low(part, 0), low(part, half))
        pe:fsubs(blocks > 1 and d[part] or result(part, width), low(part, 0), low(part, half))
    end
    if blocks == 1 then
        return                          -- the root is 1
    end
    pe:fmuls(product, d[2], root(2))
    pe:fmuls(result(1, width), d[1], root(1))
    pe:fsubs(result(1, width), result(1, width), product)
    pe:fmuls(product, d[1], root(2))
    pe:fmuls(result(2, width), d[2], root(1))
    pe:fadds(result(2, width), result(2, width), product)
end

-- Emits the transform of the line in r. Returns where it is then, and the other one.
local function emit_line(pe, own, n)
    local x, y = own.r, own.s
    for stage = 0, stages_of(n) - 1 do
        emit_stage(pe, own, n, 1 << stage, x, y)
        x, y = y, x
    end
    return x, y
end

-- Emits products with factors, from x to y.
local function emit_factors(pe, own, n, x, y)
    local function factor(part)
        return pe:mem1d_dsd { base = own.factors, extent = n, offset = (part - 1) * n }
    end
    local re, im, to_re, to_im = all(pe, x, 1, n), all(pe, x, 2, n), all(pe, y, 1, n), all(pe, y, 2, n)
    pe:fmuls(to_re, re, factor(1))
    pe:fmuls(to_im, im, factor(2))
    pe:fsubs(to_re, to_re, to_im)
    pe:fmuls(to_im, re, factor(2))
    pe:fmuls(re, im, factor(1))
    pe:fadds(to_im, to_im, re)
    return y, x
end

-- Emits copies after which s has the numbers of x twice.
local function emit_doubled(pe, own, n, x)
    for part = 1, PARTS do
        for copy = x == own.s and 1 or 0, 1 do
            pe:fmovs(all(pe, own.s, part, n, copy * n), all(pe, x, part, n))
        end
    end
end

local function program(pe, p, plans, n, x, y)
    local own, parts, numbers = declare(pe, p, n), {}, {}
    local place = { x, y }
    for i, plan in ipairs(plans) do
        numbers[i] = pe:variable { name = "number" .. i, value = 0 }
        parts[i] = plan:attach(pe, {
            place = place[i], number = numbers[i], from = own.s.array, to = own.r.array, passed = own.passed,
            input_queues = AXES[i].input_queues, output_queues = AXES[i].output_queues, name = AXES[i].name,
            task = AXES[i].task, done = LINES + i,
        })
    end
    pe:bind_local_task(BEGIN, "begin", function()
        -- Numbers in the ring from places: half of an even one, the rest of an odd one.
        for i, number in ipairs(numbers) do
            local at = (i == 1 and pe.get_x_coord or pe.get_y_coord)(pe)
            local halved = pe:operate("shr", "u16", nil, at, 1)
            if place[i] % 2 == 1 then
                halved = pe:operate("sub", "u16", nil, n - 1, halved)
            end
            pe:assign(number, halved)
        end
        pe:activate(LINES)
    end)
    for i = 0, #plans do
        pe:bind_local_task(LINES + i, "lines", function()
            pe:zone("lines")
            local found, other = emit_line(pe, own, n)
            if i == 0 and p.dims == 1 then
                found = emit_factors(pe, own, n, found, other)
            end
            if i < #plans then
                pe:zone("transpose")
                emit_doubled(pe, own, n, found)
                parts[i + 1]:exchange()
            else
                pe:zone("")
                pe:iteration_done()
            end
        end)
    end
    pe:activate(BEGIN)
end

local function lay_out(layout, p, colors)
    local plans, n = {}, p.n
    for i = 1, p.dims == 3 and 2 or 1 do
        plans[i] = ring.plan(layout, AXES[i].axis, n, table.move(colors, (i - 1) * ring.color_count + 1, i * ring.color_count, 1, {}))
        plans[i]:configure(layout)
    end
    local keys = {}
    function keys:column_key(x) return plans[1]:key(x) end
    function keys:row_key(y) return plans[2] and plans[2]:key(y) or "" end
    classes.each(layout, { keys }, function(tiles, x, y)
        layout:set_tile_code(tiles, "pe", function(pe) program(pe, p, plans, n, x, y) end)
    end)
end

local function check_settings(host, p)
    local rows = p.dims == 3 and p.n or 1
    if p.n & (p.n - 1) ~= 0 then
        local stages = stages_of(p.n)
        host.refuse(("n = %d is no power of two; %d and %d are"):format(p.n, 1 << (stages - 1), 1 << stages))
    end
    local most = (room.bytes(host) - 32 * LINE) // WORD
    local words = words_of(p.n, p.dims)
    if words > most then
        host.refuse(("n = %d takes %d words of a PE's memory, which has room for %d"):format(p.n, words, most))
    end
    room.check_rectangle(host, { n = p.n, rows = rows }, "n", "rows", ("%d dimensions need %d x %d"):format(p.dims, p.n, rows))
end

-- Lines of PEs in the order of places, from one in the order of numbers, or back.
local function arranged(host, p, buffer, bytes, is_back)
    local n, rows = p.n, p.dims == 3 and p.n or 1
    local result = host.buffer(#buffer)
    for y = 0, host.is_functional and rows - 1 or -1 do
        for x = 0, n - 1 do
            local number_y = rows > 1 and ring.number(y, n) or 0
            local of_number, of_place = (number_y * n + ring.number(x, n)) * bytes, (y * n + x) * bytes
            local from, to = is_back and of_place or of_number, is_back and of_number or of_place
            result:put(to, buffer:part(from, bytes))
        end
    end
    return result
end

-- Factors of four steps: PE i, number k: exp(-2 pi i i k / n^2).
local function factors_of(host, n)
    local buffer = host.buffer(n * n * PARTS * WORD)
    for i = 0, host.is_functional and n - 1 or -1 do
        for k = 0, n - 1 do
            local angle = -2 * math.pi * i * k / (n * n)
            buffer:set("fp32", (i * PARTS) * n + k, math.cos(angle))
            buffer:set("fp32", (i * PARTS + 1) * n + k, math.sin(angle))
        end
    end
    return buffer
end

-- The given numbers as an array in order, and the result: both from lines with real parts first.
local function in_order(p, given, found)
    local n = p.n
    if p.dims == 3 then
        return given:permuted("fp32", { n, n, PARTS, n }, { 1, 2, 4, 3 }), found:permuted("fp32", { n, n, PARTS, n }, { 4, 1, 2, 3 }), { n, n, n }
    elseif p.dims == 2 then
        return given:permuted("fp32", { n, PARTS, n }, { 1, 3, 2 }), found:permuted("fp32", { n, PARTS, n }, { 3, 1, 2 }), { n, n }
    end
    return given:permuted("fp32", { n, PARTS, n }, { 3, 1, 2 }), found:permuted("fp32", { n, PARTS, n }, { 3, 1, 2 }), { n * n }
end

-- The root mean square of a result of numbers in -1..1 is sqrt(count * 2 / 3). Each stage adds
-- roundings of about that size; six standard deviations of their sum are allowed.
local function check(host, p, given, found)
    local array, result, shape = in_order(p, given, found)
    local count = p.n ^ math.max(p.dims, 2)
    host.check {
        error = result:error("fp32", array:fourier(shape)),
        tolerance = 6 * ROUNDOFF * math.sqrt(count * 2 / 3) * math.sqrt(math.log(count, 2)),
        reference = "the transform in double precision; six standard deviations of its roundings",
    }
end

-- Reports the time and what bounds a transpose: cycles in which a link has a word, the same for all
-- links, and in which a PE issues one, in or out.
local function report(host, p, wafer, cycles)
    local n, clock, zones, profile = p.n, rates.clock(host), wafer:zones(), wafer:profile()
    local lines, transposes = math.max(p.dims, 2), math.max(p.dims, 2) - 1
    local flop = 0.5 * STAGE_FLOP * n ^ lines * stages_of(n) * lines
    local transpose, issue = zones.transpose / transposes, n * n // 4 * PARTS * 2
    local link = issue // 2 * host.number("fabric.link_cycles_per_wavelet")
    host.metric("us", cycles / clock * 1e6)
    host.metric("tflops", flop / cycles * clock / 1e12)
    host.metric("lines_cycles", zones.lines)
    host.metric("transpose_cycles", transpose)
    host.metric("transpose_issue_cycles", issue)
    host.metric("transpose_link_cycles", link)
    print(("%dD transform of %d complex numbers on %d x %d PEs, grain %s: %d cycles, %.1f us; busy %.1f %%"):format(
        p.dims, n ^ lines, n, p.dims == 3 and n or 1, wafer.grain, cycles, cycles / clock * 1e6, 100 * profile.busy))
    print(("a PE spends %.0f cycles on lines and %.0f on each transpose, in which it moves words for %.0f %% of them and links for %.0f %%"):format(
        zones.lines, transpose, 100 * issue / transpose, 100 * link / transpose))
end

-- fft.run(host, p): p has n and dims.
function fft.run(host, p)
    p.dims = tonumber(p.dims)
    check_settings(host, p)
    local n, rows, colors = p.n, p.dims == 3 and p.n or 1, collective.free_colors(host)
    local slice = math.min(n, math.max(LEAST_SLICE, n // SLICES))
    local wafer = host.wafer {
        columns = n, rows = rows, period = { slice, math.min(slice, rows) }, slice = { slice, math.min(slice, rows) },
        layout = function(layout) lay_out(layout, p, colors) end,
    }
    local bytes = n * PARTS * WORD
    local given, found = host.buffer(n * rows * bytes), host.buffer(n * rows * bytes)
    given:fill_random("fp32", 1, -1, 1)
    wafer:copy_to { name = "r", count = PARTS * n, buffer = arranged(host, p, given, bytes) }
    if p.dims == 1 then
        wafer:copy_to { name = "factors", count = PARTS * n, buffer = arranged(host, p, factors_of(host, n), bytes) }
    end
    wafer:prepare()
    local cycles
    host.measure(function() cycles = wafer:launch() end)
    if stages_of(n) % 2 == 0 then
        wafer:copy_from { name = "r", count = PARTS * n, buffer = found }
    else
        -- Parts lie apart in s.
        local parts = { host.buffer(n * rows * n * WORD), host.buffer(n * rows * n * WORD) }
        wafer:copy_from {
            { name = "s", count = n, buffer = parts[1] }, { name = "s", first = 2 * n, count = n, buffer = parts[2] },
        }
        local joined = host.buffer(#found)
        joined:put(0, parts[1])
        joined:put(#parts[1], parts[2])
        found = joined:permuted("fp32", { PARTS, n * rows, n }, { 2, 1, 3 })
    end
    if host.is_functional then
        check(host, p, given, arranged(host, p, found, bytes, true))
    end
    report(host, p, wafer, cycles)
end

return fft
