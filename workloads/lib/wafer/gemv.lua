-- y = A x on a wafer. A PE has a block of A. Those of the first row have x, which they send down
-- their columns; each PE multiplies, and the rows of PEs add up their parts of y.

local classes = require("wafer/tile_classes")
local collective = require("wafer/collective")
local line = require("wafer/collective/line")
local matrix = require("wafer/matrix")
local rates = require("wafer/rates")
local room = require("wafer/room")

local BEGIN, MULTIPLY, ENDED = 8, 9, 10     -- tasks
local X_QUEUE, SUM_QUEUES, OUT_QUEUE = 2, { 4, 5 }, 2
local LEAST_SLICE = 25
local PERIODS = { chain = 2, center = 4 }       -- of columns: colors of sums alternate along a row
local WAYS = { down = "WEST", up = "EAST" }

-- Patterns along rows (lib/wafer/collective/).
local PATTERNS = {
    chain = require("wafer/collective/chain"),
    center = require("wafer/collective/center"),
}

local gemv = { patterns = { "chain", "center" } }

local function keys_of(row)
    local keys = {}
    function keys:column_key(x)
        return table.concat(row.receives[x], "+") .. ">" .. (row.sends[x] or "")
    end
    function keys:row_key(y)
        return y == 0 and "first" or ""
    end
    return keys
end

-- Routes of x: from the first row to all PEs of a column.
local function route_x(layout, color)
    local right, bottom = layout.columns - 1, layout.rows - 1
    if bottom > 0 then
        layout:set_color_config({ 0, 0, right, 0 }, color, { routes = { rx = "RAMP", tx = "SOUTH" } })
        layout:set_color_config({ 0, 1, right, bottom - 1 }, color, { routes = { rx = "NORTH", tx = { "SOUTH", "RAMP" } } })
        layout:set_color_config({ 0, bottom, right, bottom }, color, { routes = { rx = "NORTH", tx = "RAMP" } })
    end
end

-- Emits this PE's part of the sums along its row.
local function emit_sums(pe, row, colors, x, value, count)
    local receives, send = row.receives[x], row.sends[x]
    local function fabin(i)
        return pe:fabin_dsd { color = colors[receives[i]], input_queue = SUM_QUEUES[i], extent = count }
    end
    local out = send and pe:fabout_dsd { color = colors[send], output_queue = OUT_QUEUE, extent = count }
    local from = {}
    for i = 1, #receives do
        from[i] = fabin(i)
    end
    return function()
        pe:phase("sum")
        local last = { async = true, activate = ENDED }
        for i = 1, #from - 1 do
            pe:fadds(value, from[i], value)
        end
        if #from > 1 then               -- in one thread, or streams would be taken for ones that share the PE
            pe:fadds(out or value, from[#from], value)
            pe:activate(ENDED)
        elseif #from > 0 then
            pe:fadds(out or value, from[#from], value, last)
        elseif out then
            pe:fmovs(out, value, last)
        else
            pe:activate(ENDED)
        end
        pe:phase("")
    end
end

local function program(pe, host, p, layout, row, colors, x, y)
    local rows, columns, offset = p.m // p.height, p.n // p.width, matrix.offset(host)
    local a = pe:array { name = "a", type = "f32", count = rows * columns, align = matrix.line }
    local vector = pe:array { name = "x", type = "f32", count = columns + offset, align = matrix.line }
    local x_view = pe:view { name = "x_view", base = vector, first = offset, type = "f32", count = columns }
    local result = pe:array { name = "y", type = "f32", count = rows + offset, align = matrix.line }
    local value = pe:mem1d_dsd { base = result, extent = rows, offset = offset }
    local at_x = pe:mem1d_dsd { base = vector, extent = columns, offset = offset }
    local multiply = matrix.product(pe, p, {
        a = a, b = x_view, c = result, rows = rows, inner = columns, columns = 1, offset = offset,
    })
    local add_up = emit_sums(pe, row, colors, x, value, rows)
    local is_first, is_alone = y == 0, layout.rows == 1
    local x_color = colors[row.color_count + 1]
    local stream = { color = x_color, extent = columns }
    if is_first then
        stream.output_queue = OUT_QUEUE + 1
    else
        stream.input_queue = X_QUEUE
    end
    local x_stream = not is_alone and pe[is_first and "fabout_dsd" or "fabin_dsd"](pe, stream)
    pe:bind_local_task(BEGIN, "begin", function()
        pe:zone("spread")
        pe:fmovs(value, 0)
        pe:phase("spread")
        if is_alone then
            pe:activate(MULTIPLY)
        elseif is_first then
            pe:fmovs(x_stream, at_x, { async = true, activate = MULTIPLY })
        else
            pe:fmovs(at_x, x_stream, { async = true, activate = MULTIPLY })
        end
        pe:phase("")
    end)
    pe:bind_local_task(MULTIPLY, "multiply", function()
        pe:zone("product")
        multiply()
        pe:zone("sum")
        add_up()
    end)
    pe:bind_local_task(ENDED, "ended", function()
        pe:zone("")
        pe:iteration_done()
    end)
    pe:activate(BEGIN)
end

local function lay_out(layout, host, p, colors)
    local row = line.new(layout.columns, PATTERNS[p.pattern](layout.columns))
    route_x(layout, colors[row.color_count + 1])
    row:each_way(WAYS, function(run, color, rx, tx)
        layout:set_color_config({ run.first, 0, run.last, layout.rows - 1, dx = run.step }, colors[color],
            { routes = { rx = rx, tx = tx } })
    end)
    classes.each(layout, { keys_of(row) }, function(tiles, x, y)
        layout:set_tile_code(tiles, "pe", function(pe) program(pe, host, p, layout, row, colors, x, y) end)
    end)
    return row.root
end

local function check_settings(host, p)
    room.check_rectangle(host, p, "width", "height")
    matrix.check_divides(host, p, "m", "height")
    matrix.check_divides(host, p, "n", "width")
    if p.pattern == "center" and p.width < 3 then
        host.refuse(("pattern = center, width = %d: fewer than 3 PEs have no middle between two others; chain fits"):format(p.width))
    end
    local rows, columns = p.m // p.height, p.n // p.width
    local limit = host.number("dsd.length_limit_elements")
    matrix.check_room(host, rows * columns + rows + columns + 2 * matrix.offset(host),
        ("a block of %d x %d, x and y"):format(rows, columns))
    if math.max(rows, columns) > limit then
        host.refuse(("%d x %d numbers of A in a PE, an operation has at most %d"):format(rows, columns, limit))
    end
end

local function report(host, p, wafer, cycles)
    local flop, profile = 2.0 * p.m * p.n, wafer:profile()
    local tflops = flop / cycles * rates.clock(host) / 1e12
    host.metric("flops_per_cycle", flop / cycles)
    host.metric("tflops", tflops)
    host.metric("us", cycles / rates.clock(host) * 1e6)
    rates.roofs(host, { pes = p.width * p.height, fuse = "fmacs", fuse_rate = "dsd.f32_fmac_elements_per_cycle", achieved = tflops })
    local zones = wafer:zones()
    for _, name in ipairs { "spread", "product", "sum" } do
        host.metric(name .. "_cycles", zones[name])
    end
    print(("%d x %d matrix times vector on %d x %d PEs, %s, %s, grain %s: %d cycles, %.1f FLOP/cycle; a PE spends %.0f on x, %.0f on products, %.0f on sums; busy %.1f %%")
        :format(p.m, p.n, p.width, p.height, p.inner, p.pattern, wafer.grain, cycles, flop / cycles,
        zones.spread or 0, zones.product or 0, zones.sum or 0, 100 * profile.busy))
end

-- gemv.run(host, p): p has m, n, width, height, pattern and matrix.parameters.
function gemv.run(host, p)
    check_settings(host, p)
    local rows, columns, offset = p.m // p.height, p.n // p.width, matrix.offset(host)
    local colors, root = collective.free_colors(host), nil
    local wafer = host.wafer {
        columns = p.width, rows = p.height, slice = { LEAST_SLICE, LEAST_SLICE }, period = { PERIODS[p.pattern], 1 },
        layout = function(layout)
            local at = lay_out(layout, host, p, colors)
            root = layout.is_slice and root or at
        end,
    }
    local a, x = matrix.filled(host, p, p.m, p.n, 1), matrix.filled(host, p, p.n, 1, 2)
    wafer:copy_to { name = "a", count = rows * columns,
        buffer = matrix.blocks(a, p.height, p.width, rows, columns, matrix.is_left_by_column(p)) }
    wafer:copy_to { name = "x", first = offset, count = columns, buffer = x, tiles = { 0, 0, p.width - 1, 0 } }
    wafer:prepare()
    local cycles
    host.measure(function() cycles = wafer:launch() end)
    local y = host.buffer(p.m * matrix.word)
    wafer:copy_from { name = "y", first = offset, count = rows, buffer = y, tiles = { root, 0, root, p.height - 1 } }
    if host.is_functional then
        matrix.compare(host, p, y, a, x, p.m, p.n, 1, columns + p.width)
    end
    report(host, p, wafer, cycles)
end

return gemv
