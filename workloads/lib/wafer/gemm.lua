-- C = A B on a square of PEs (SUMMA, van de Geijn and Watts 1997). A PE has a block of each. In
-- step s column s of PEs sends its blocks of A along the rows, row s its blocks of B along the
-- columns, and every PE adds the product of the two that it gets to its block of C.

local classes = require("wafer/tile_classes")
local collective = require("wafer/collective")
local matrix = require("wafer/matrix")
local rates = require("wafer/rates")
local room = require("wafer/room")
local turns = require("wafer/turns")

local BEGIN, STEP, MULTIPLY, ENDED = 8, 9, 10, 11      -- tasks
local LEAST_SLICE = 50

-- Queues of streams in both directions.
local LINES = {
    a = { input_queues = { up = 4, down = 5 }, output_queues = { up = 0, down = 1 } },
    b = { input_queues = { up = 6, down = 7 }, output_queues = { up = 2, down = 3 } },
}

local gemm = {}

local function colors_of(host)
    local free = collective.free_colors(host)
    return { a = { up = free[1], down = free[2] }, b = { up = free[3], down = free[4] } }
end

-- Rows, inner dimension and columns of the blocks.
local function block_of(p)
    return p.m // p.side, p.k // p.side, p.n // p.side
end

local function program(pe, host, p, count, colors, payloads, x, y)
    local rows, inner, columns = block_of(p)
    local offset = matrix.offset(host)
    local function array(name, numbers)
        return pe:array { name = name, type = "f32", count = numbers, align = matrix.line }
    end
    local own_a, own_b = array("a", rows * inner), array("b", inner * columns)
    local a, b, c = array("got_a", rows * inner), array("got_b", inner * columns + offset), array("c", rows * columns + offset)
    local b_view = pe:view { name = "b_view", base = b, first = offset, type = "f32", count = inner * columns }
    local from_a = pe:mem1d_dsd { base = own_a, extent = rows * inner }
    local from_b = pe:mem1d_dsd { base = own_b, extent = inner * columns }
    local to_a = pe:mem1d_dsd { base = a, extent = rows * inner }
    local to_b = pe:mem1d_dsd { base = b, extent = inner * columns, offset = offset }
    local step = pe:variable { name = "step", value = 0 }
    local column, row = pe:variable { name = "column", value = 0 }, pe:variable { name = "row", value = 0 }
    local function attach(name, index, at, words)
        local line = LINES[name]
        return turns.attach(pe, {
            index = index, place = turns.place(at, count), words = words, colors = colors[name], payloads = payloads,
            input_queues = line.input_queues, output_queues = line.output_queues,
        })
    end
    local along, down = attach("a", column, x, rows * inner), attach("b", row, y, inner * columns)
    local multiply = matrix.product(pe, p, { a = a, b = b_view, c = c, rows = rows, inner = inner, columns = columns, offset = offset })

    pe:bind_local_task(STEP, "step", function()
        pe:zone("spread")
        pe:phase("spread")
        along:receive(to_a, step, { async = true, activate = MULTIPLY })
        down:receive(to_b, step, { async = true, unblock = MULTIPLY })
        pe:when(step, "==", column, function() along:send(from_a) end)
        pe:when(step, "==", row, function() down:send(from_b) end)
        pe:phase("")
    end)
    pe:bind_local_task(MULTIPLY, "multiply", function()
        pe:block(MULTIPLY)
        pe:zone("product")
        multiply()
        pe:add(step, 1)
        pe:when(step, "<", count, function() pe:activate(STEP) end, function() pe:activate(ENDED) end)
    end)
    pe:bind_local_task(ENDED, "ended", function()
        pe:zone("")
        pe:iteration_done()
    end)
    pe:bind_local_task(BEGIN, "begin", function()
        pe:get_x_coord(column)
        pe:get_y_coord(row)
        pe:activate(STEP)
    end)
    pe:block(MULTIPLY)
    pe:activate(BEGIN)
end

local function lay_out(layout, host, p, colors)
    turns.configure(layout, turns.row, colors.a)
    turns.configure(layout, turns.column, colors.b)
    local payloads = turns.payloads(layout)
    local keys = {}
    function keys:column_key(x) return turns.place(x, layout.columns) end
    function keys:row_key(y) return turns.place(y, layout.rows) end
    classes.each(layout, { keys }, function(tiles, x, y)
        layout:set_tile_code(tiles, "pe", function(pe) program(pe, host, p, layout.columns, colors, payloads, x, y) end)
    end)
end

local function check_settings(host, p)
    room.check_rectangle(host, { width = p.side, height = p.side }, "width", "height")
    for _, name in ipairs { "m", "k", "n" } do
        matrix.check_divides(host, p, name, "side")
    end
    local rows, inner, columns = block_of(p)
    local limit = host.number("dsd.length_limit_elements")
    matrix.check_room(host, 2 * rows * inner + 2 * inner * columns + rows * columns + 2 * matrix.offset(host),
        ("blocks of %d x %d and %d x %d twice, and of %d x %d"):format(rows, inner, inner, columns, rows, columns))
    if p.inner == "dots" and rows * inner * columns > limit then
        host.refuse(("inner = dots: %d x %d x %d products of blocks, an operation has at most %d; columns fits"):format(
            rows, inner, columns, limit))
    end
end

local function report(host, p, wafer, cycles)
    local flop, profile = 2.0 * p.m * p.n * p.k, wafer:profile()
    local tflops = flop / cycles * rates.clock(host) / 1e12
    host.metric("flops_per_cycle", flop / cycles)
    host.metric("tflops", tflops)
    host.metric("us", cycles / rates.clock(host) * 1e6)
    host.metric("cycles_per_step", cycles / p.side)
    rates.roofs(host, { pes = p.side * p.side, fuse = "fmacs", fuse_rate = "dsd.f32_fmac_elements_per_cycle", achieved = tflops })
    local zones = wafer:zones()
    for _, name in ipairs { "spread", "product" } do
        host.metric(name .. "_cycles", zones[name])
    end
    print(("%d x %d x %d on %d x %d PEs, %s, grain %s: %d cycles, %.1f FLOP/cycle; a PE spends %.0f on blocks under way, %.0f on products; busy %.1f %%")
        :format(p.m, p.k, p.n, p.side, p.side, p.inner, wafer.grain, cycles, flop / cycles, zones.spread, zones.product, 100 * profile.busy))
end

-- gemm.run(host, p): p has m, k, n, side and matrix.parameters.
function gemm.run(host, p)
    check_settings(host, p)
    local rows, inner, columns = block_of(p)
    local side, offset, colors = p.side, matrix.offset(host), colors_of(host)
    local wafer = host.wafer {
        columns = side, rows = side, slice = { LEAST_SLICE, LEAST_SLICE },
        layout = function(layout) lay_out(layout, host, p, colors) end,
    }
    local a, b = matrix.filled(host, p, p.m, p.k, 1), matrix.filled(host, p, p.k, p.n, 2)
    wafer:copy_to { name = "a", count = rows * inner,
        buffer = matrix.blocks(a, side, side, rows, inner, matrix.is_left_by_column(p)) }
    wafer:copy_to { name = "b", count = inner * columns, buffer = matrix.blocks(b, side, side, inner, columns, true) }
    wafer:prepare()
    local cycles
    host.measure(function() cycles = wafer:launch() end)
    local c = host.buffer(p.m * p.n * matrix.word)
    wafer:copy_from { name = "c", first = offset, count = rows * columns, buffer = c }
    if host.is_functional then
        matrix.compare(host, p, matrix.joined(c, side, side, rows, columns), a, b, p.m, p.k, p.n, p.k)
    end
    report(host, p, wafer, cycles)
end

return gemm
