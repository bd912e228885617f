-- y = a x + x of the PE to the west, on a rectangle of a wafer's PEs: a start for a program of
-- your own.
--
--     gridloom run FILE columns=16 a=0.5 --report page.html
--
-- Every PE has its own memory and a router. Numbers travel as wavelets on colors; each router
-- has a route for each color. Names are CSL's: workloads/doc/wafer-programs.md lists them, and
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete and check.

local SEND, RECEIVE = 8, 9                      -- tasks

-- Two colors, so that no PE sends and receives on the same: even columns send on 2, odd on 3.
local function color_of(column) return 2 + column % 2 end

-- The program of a PE: this function runs once, and what it emits is executed by every PE.
---@param pe gl.Pe
local function program(pe, p, column)
    local x = pe:array { name = "x", type = "f32", count = p.cells }
    local y = pe:array { name = "y", type = "f32", count = p.cells }
    local at_x = pe:mem1d_dsd { base = x, extent = p.cells }
    local at_y = pe:mem1d_dsd { base = y, extent = p.cells }

    pe:bind_local_task(SEND, "send", function()
        if column < p.columns - 1 then
            local east = pe:fabout_dsd { color = color_of(column), output_queue = 2, extent = p.cells }
            pe:fmovs(east, at_x, { async = true })
        end
    end)
    pe:bind_local_task(RECEIVE, "receive", function()
        pe:fmuls(at_y, at_x, p.a)               -- y = a x
        if column > 0 then
            local west = pe:fabin_dsd { color = color_of(column - 1), input_queue = 4, extent = p.cells }
            pe:fadds(at_y, at_y, west, { async = true })        -- y = y + what comes in
        end
    end)
    pe:activate(SEND)
    pe:activate(RECEIVE)
end

---@param layout gl.Layout
local function lay_out(layout, p)
    for column = 0, p.columns - 1 do
        local tiles = { column, 0, column, p.rows - 1 }
        layout:set_tile_code(tiles, "column " .. column, function(pe) program(pe, p, column) end)
        if column < p.columns - 1 then
            layout:set_color_config(tiles, color_of(column), { routes = { rx = "RAMP", tx = "EAST" } })
        end
        if column > 0 then
            layout:set_color_config(tiles, color_of(column - 1), { routes = { rx = "WEST", tx = "RAMP" } })
        end
    end
end

-- The largest error against an independent reference: the same in double precision.
local function error_of(x, y, p)
    local function exact(b) return b:numbers("fp32", { p.rows, p.columns, p.cells }):as("double") end

    return (exact(y) - (p.a * exact(x) + exact(x):neighbour(2, -1))):abs():max()
end

---@param host gl.Host
local function run(host, p)
    local bytes = 4 * p.columns * p.rows * p.cells
    local x, y = host.buffer(bytes), host.buffer(bytes)
    x:fill_random("fp32", 1, -1, 1)
    local wafer = host.wafer { columns = p.columns, rows = p.rows, layout = function(layout) lay_out(layout, p) end }
    wafer:copy_to { name = "x", buffer = x, count = p.cells }
    wafer:prepare()                             -- pays for the launch before the measured time begins
    local cycles
    host.measure(function() cycles = wafer:launch() end)
    wafer:copy_from { name = "y", buffer = y, count = p.cells }
    host.check { error = error_of(x, y, p), tolerance = 0x1p-23 * (1 + math.abs(p.a)), reference = "double precision" }
    print(("%d x %d PEs, %d numbers each: %d cycles"):format(p.columns, p.rows, p.cells, cycles))
end

return {
    summary = "y = a x + x of the PE to the west, on a rectangle of PEs",
    chips = { "wse" },
    parameters = {
        { name = "columns", type = "integer", default = 8, min = 1, max = 49, help = "columns of PEs" },
        { name = "rows", type = "integer", default = 4, min = 1, max = 49, help = "rows of PEs" },
        { name = "cells", type = "integer", default = 100, min = 1, max = 4000, help = "numbers in a PE" },
        { name = "a", type = "number", default = 0.75, help = "the factor of x" },
    },
    run = run,
}
