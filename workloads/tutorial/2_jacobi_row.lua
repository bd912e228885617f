-- Step 2: Jacobi's iteration for -u'' = f on a row of a wafer's PEs.
--
--     gridloom run workloads/tutorial/2_jacobi_row.lua
--     gridloom run workloads/tutorial/2_jacobi_row.lua pes=40 cells=4     more PEs, less work for each
--
-- Every PE has its own memory of 48 KB and holds some cells of the grid, with one more on either
-- side: the halo, a copy of the neighbour's outermost cell. An iteration is: send the outermost
-- cells, wait for those of both neighbours, compute u = (left + right + h^2 f) / 2 from the old
-- values. Nobody waits for the whole row: a PE runs ahead of its neighbours by at most one
-- iteration, because it needs their values.
--
-- A number travels as a wavelet on a color. Even PEs send on one color and odd ones on another,
-- so that routes never change. Names are CSL's: workloads/doc/wafer-programs.md.
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete these calls.

local BEGIN, COMPUTE, MOVED = 8, 9, 9           -- tasks; MOVED + 1 to MOVED + 4 are four

-- The two directions: the color of PEs at even places (odd ones have the next), queues, routes.
local STREAMS = {
    east = { color = 0, output_queue = 2, input_queue = 4, step = 1, to = "EAST", from = "WEST" },
    west = { color = 2, output_queue = 3, input_queue = 5, step = -1, to = "WEST", from = "EAST" },
}

local function color_of(stream, place)
    return stream.color + place % 2
end

-- The program of the PE at a place of the row. Cells are numbers 1 to n of the array u, the halo
-- is 0 and n + 1.
---@param pe gl.Pe
local function program(pe, p, place)
    local n = p.cells
    local u = pe:array { name = "u", type = "f32", count = n + 2 }
    local f = pe:array { name = "f", type = "f32", count = n }              -- h^2 f
    local sums = pe:array { name = "sums", type = "f32", count = n }
    local function part(first, count) return pe:mem1d_dsd { base = u, offset = first, extent = count } end
    local at_f = pe:mem1d_dsd { base = f, extent = n }
    local at_sums = pe:mem1d_dsd { base = sums, extent = n }
    local moved = pe:variable { name = "moved", value = 0 }
    local iteration = pe:variable { name = "iteration", value = 0 }

    -- The cells to move: two to send and two to receive, fewer at the ends of the row.
    local moves = {}
    for _, direction in ipairs { "east", "west" } do
        local stream = STREAMS[direction]
        local to, from = place + stream.step, place - stream.step
        if to >= 0 and to < p.pes then                  -- send the outermost cell
            local out = pe:fabout_dsd { color = color_of(stream, place), output_queue = stream.output_queue, extent = 1 }
            table.insert(moves, { to = out, from = part(stream.step > 0 and n or 1, 1) })
        end
        if from >= 0 and from < p.pes then              -- receive into the halo
            local input = pe:fabin_dsd { color = color_of(stream, from), input_queue = stream.input_queue, extent = 1 }
            table.insert(moves, { to = part(stream.step > 0 and 0 or n + 1, 1), from = input })
        end
    end

    pe:bind_local_task(BEGIN, "begin", function()       -- all moves go on at the same time
        for i, move in ipairs(moves) do
            pe:fmovs(move.to, move.from, { async = true, activate = MOVED + i })
        end
        pe:activate(COMPUTE)                            -- which stays blocked until the last move is over
    end)
    -- A task that is activated twice before it runs runs once, so each move has its own.
    for i = 1, #moves do
        pe:bind_local_task(MOVED + i, "moved " .. i, function()
            pe:add(moved, 1)
            pe:when(moved, "==", #moves, function() pe:unblock(COMPUTE) end)
        end)
    end
    pe:bind_local_task(COMPUTE, "compute", function()
        if #moves > 0 then pe:block(COMPUTE) end        -- for the next iteration
        pe:assign(moved, 0)
        pe:fadds(at_sums, part(0, n), part(2, n))       -- left + right, all cells at once
        pe:fadds(at_sums, at_sums, at_f)
        pe:fmuls(part(1, n), at_sums, 0.5)
        pe:iteration_done()
        pe:add(iteration, 1)
        pe:when(iteration, "<", p.iterations, function() pe:activate(BEGIN) end)
    end)
    if #moves > 0 then pe:block(COMPUTE) end
    pe:activate(BEGIN)
end

---@param layout gl.Layout
local function lay_out(layout, p)
    for place = 0, p.pes - 1 do
        layout:set_tile_code({ place, 0 }, "pe " .. place, function(pe) program(pe, p, place) end)
        for _, direction in ipairs { "east", "west" } do
            local stream = STREAMS[direction]
            local to, from = place + stream.step, place - stream.step
            if to >= 0 and to < p.pes then
                layout:set_color_config({ place, 0 }, color_of(stream, place), { routes = { rx = "RAMP", tx = stream.to } })
            end
            if from >= 0 and from < p.pes then
                layout:set_color_config({ place, 0 }, color_of(stream, from), { routes = { rx = stream.from, tx = "RAMP" } })
            end
        end
    end
end

-- The reference: the same iteration in double precision, on the whole row at once.
local function reference(f, iterations)
    local u = 0 * f
    for _ = 1, iterations do u = (u:neighbour(1, -1) + u:neighbour(1, 1) + f) / 2 end
    return u
end

---@param host gl.Host
local function run(host, p)
    local count = p.pes * p.cells
    local f, u = host.buffer(4 * count), host.buffer(4 * count)
    f:fill_random("fp32", 1, 0, 1)
    local wafer = host.wafer {
        columns = p.pes, rows = 1, iterations = p.iterations, layout = function(layout) lay_out(layout, p) end,
    }
    wafer:copy_to { name = "f", buffer = f, count = p.cells }
    wafer:prepare()
    local cycles
    host.measure(function() cycles = wafer:launch() end, p.iterations)
    wafer:copy_from { name = "u", buffer = u, count = p.cells, first = 1 }

    local expected = reference(f:numbers("fp32"):as("double"), p.iterations)
    local error, largest = (u:numbers("fp32"):as("double") - expected):abs():max(), expected:abs():max()
    host.check { error = error, tolerance = 0x1p-23 * p.iterations * largest, reference = "Jacobi in double precision" }
    print(("%d PEs, %d cells each: %.1f cycles per iteration, %.2f per cell")
        :format(p.pes, p.cells, cycles / p.iterations, cycles / p.iterations / p.cells))
end

return {
    summary = "tutorial 2: Jacobi's iteration in one dimension, on a row of a wafer",
    chips = { "wse" },
    parameters = {
        { name = "pes", type = "integer", default = 10, min = 1, max = 700, help = "PEs in the row" },
        { name = "cells", type = "integer", default = 64, min = 1, max = 2000, help = "cells in a PE" },
        { name = "iterations", type = "integer", default = 20, min = 1, max = 10000, help = "iterations" },
    },
    run = run,
}
