-- Step 3 on a wafer: each PE has a block of 8 x 8 cells with a halo around it, and exchanges rows
-- and columns with four neighbours. This is step 2 with two more directions: what was a single
-- cell is now a row or a column of the block, which a descriptor finds by its stride.

local BLOCK = 8
local WIDTH = BLOCK + 2                         -- numbers in a row of u, with the halo
local BEGIN, COMPUTE, MOVED = 8, 9, 9           -- tasks; MOVED + 1 to MOVED + 8 are eight

-- By direction: the color of PEs at even places (odd ones have the next), queues, routes, and in
-- u the first number that is sent and the first that is received.
local STREAMS = {
    { dx = 1, dy = 0, to = "EAST", from = "WEST", sent = WIDTH + BLOCK, received = WIDTH, stride = WIDTH },
    { dx = -1, dy = 0, to = "WEST", from = "EAST", sent = WIDTH + 1, received = WIDTH + BLOCK + 1, stride = WIDTH },
    { dx = 0, dy = 1, to = "SOUTH", from = "NORTH", sent = BLOCK * WIDTH + 1, received = 1, stride = 1 },
    { dx = 0, dy = -1, to = "NORTH", from = "SOUTH", sent = WIDTH + 1, received = (BLOCK + 1) * WIDTH + 1, stride = 1 },
}

-- The colors on which the PE (x, y) sends and receives along stream `s`; nil where the grid ends.
local function colors_of(s, p, x, y)
    local stream = STREAMS[s]
    local columns, rows = p.nx // BLOCK, p.ny // BLOCK
    local function color(sx, sy) return 2 * (s - 1) + (stream.dx ~= 0 and sx or sy) % 2 end
    local function is_inside(sx, sy) return sx >= 0 and sx < columns and sy >= 0 and sy < rows end
    local from_x, from_y = x - stream.dx, y - stream.dy
    return is_inside(x + stream.dx, y + stream.dy) and color(x, y) or nil,
        is_inside(from_x, from_y) and color(from_x, from_y) or nil
end

---@param pe gl.Pe
local function program(pe, p, x, y)
    local u = pe:array { name = "u", type = "f32", count = WIDTH * WIDTH }
    local f = pe:array { name = "f", type = "f32", count = BLOCK * BLOCK }
    local sums = pe:array { name = "sums", type = "f32", count = BLOCK * BLOCK }
    local function cells(offset)                -- a block of u that begins at this number
        return pe:mem4d_dsd { base = u, extents = { BLOCK, BLOCK }, strides = { WIDTH, 1 }, offset = offset }
    end
    local at_f = pe:mem1d_dsd { base = f, extent = BLOCK * BLOCK }
    local at_sums = pe:mem1d_dsd { base = sums, extent = BLOCK * BLOCK }
    local moved = pe:variable { name = "moved", value = 0 }
    local iteration = pe:variable { name = "iteration", value = 0 }

    local moves = {}
    for s, stream in ipairs(STREAMS) do
        local out, input = colors_of(s, p, x, y)
        local function edge(offset)
            return pe:mem1d_dsd { base = u, extent = BLOCK, offset = offset, stride = stream.stride }
        end
        if out then
            local to = pe:fabout_dsd { color = out, output_queue = s - 1, extent = BLOCK }
            table.insert(moves, { to = to, from = edge(stream.sent) })
        end
        if input then
            local from = pe:fabin_dsd { color = input, input_queue = s + 3, extent = BLOCK }
            table.insert(moves, { to = edge(stream.received), from = from })
        end
    end

    pe:bind_local_task(BEGIN, "begin", function()
        for i, move in ipairs(moves) do
            pe:fmovs(move.to, move.from, { async = true, activate = MOVED + i })
        end
        pe:activate(COMPUTE)
    end)
    for i = 1, #moves do
        pe:bind_local_task(MOVED + i, "moved " .. i, function()
            pe:add(moved, 1)
            pe:when(moved, "==", #moves, function() pe:unblock(COMPUTE) end)
        end)
    end
    pe:bind_local_task(COMPUTE, "compute", function()
        if #moves > 0 then pe:block(COMPUTE) end        -- until the moves of the next iteration are over
        pe:assign(moved, 0)
        pe:fadds(at_sums, cells(WIDTH), cells(WIDTH + 2))               -- left + right
        pe:fadds(at_sums, at_sums, cells(1))                            -- + above
        pe:fadds(at_sums, at_sums, cells(2 * WIDTH + 1))                -- + below
        pe:fmacs(cells(WIDTH + 1), at_f, at_sums, 0.25)                 -- u = f / 4 + sum / 4
        pe:iteration_done()
        pe:add(iteration, 1)
        pe:when(iteration, "<", p.iterations, function() pe:activate(BEGIN) end)
    end)
    if #moves > 0 then pe:block(COMPUTE) end
    pe:activate(BEGIN)
end

---@param layout gl.Layout
local function lay_out(layout, p)
    for y = 0, layout.rows - 1 do
        for x = 0, layout.columns - 1 do
            layout:set_tile_code({ x, y }, ("pe %d,%d"):format(x, y), function(pe) program(pe, p, x, y) end)
            for s, stream in ipairs(STREAMS) do
                local out, input = colors_of(s, p, x, y)
                if out then
                    layout:set_color_config({ x, y }, out, { routes = { rx = "RAMP", tx = stream.to } })
                end
                if input then
                    layout:set_color_config({ x, y }, input, { routes = { rx = stream.from, tx = "RAMP" } })
                end
            end
        end
    end
end

-- The same matrix, block after block, or back: `f_of(i, k)` gets places in the matrix and blocks.
local function each_number(p, columns, f_of)
    for i = 0, p.nx * p.ny - 1 do
        local x, y = i % p.nx, i // p.nx
        local pe = y // BLOCK * columns + x // BLOCK
        f_of(i, (pe * BLOCK + y % BLOCK) * BLOCK + x % BLOCK)
    end
end

-- Solves with right-hand side f / 4, a matrix in FP32. Returns u likewise, and cycles.
---@param host gl.Host
local function solve(host, p, f)
    local columns, rows = p.nx // BLOCK, p.ny // BLOCK
    local blocks, u = host.buffer(#f), host.buffer(#f)
    each_number(p, columns, function(i, k) blocks:set("fp32", k, f:get("fp32", i)) end)
    local wafer = host.wafer {
        columns = columns, rows = rows, iterations = p.iterations, layout = function(layout) lay_out(layout, p) end,
    }
    wafer:copy_to { name = "f", buffer = blocks, count = BLOCK * BLOCK }
    wafer:prepare()
    local cycles
    host.measure(function() cycles = wafer:launch() end, p.iterations)

    local list, rows_of_u = {}, {}
    for row = 1, BLOCK do
        rows_of_u[row] = host.buffer(4 * columns * rows * BLOCK)
        list[row] = { name = "u", buffer = rows_of_u[row], first = row * WIDTH + 1, count = BLOCK }
    end
    wafer:copy_from(list)
    each_number(p, columns, function(i, k)
        local pe, row, cell = k // (BLOCK * BLOCK), k // BLOCK % BLOCK, k % BLOCK
        u:set("fp32", i, rows_of_u[row + 1]:get("fp32", pe * BLOCK + cell))
    end)
    return u, cycles
end

return { solve = solve, format = "fp32", block = BLOCK }
