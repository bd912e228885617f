-- Multigrid on a wafer: the host's part. wafer/multigrid/program.lua has the programs of PEs,
-- wafer/multigrid/levels.lua the routes, lib/v_cycle.lua what cores have in common with it.

local collective = require("wafer/collective")
local field = require("field")
local levels = require("wafer/multigrid/levels")
local multigrid = require("v_cycle")
local program = require("wafer/multigrid/program")
local rates = require("wafer/rates")
local room = require("wafer/room")

local WORD = 4
local TASKS = { 24, 25, 26, 20, 0, 1, 2 }   -- ids of local tasks; colors that levels have are used last

local workload = {}

-- PEs by the key of their program: { { cells =, tiles = {} }, ... }.
local function classes_of(layout, sizes)
    local list, known = {}, {}
    for y = 0, layout.rows - 1 do
        for x = 0, layout.columns - 1 do
            local cells = levels.cells(sizes, x, y)
            local key = levels.key(cells)
            local class = known[key]
            if not class then
                class = { cells = cells, tiles = {} }
                known[key], list[#list + 1] = class, class
            end
            class.tiles[#class.tiles + 1] = { x, y }
        end
    end
    return list
end

local function lay_out(layout, settings)
    local sizes = settings.plan.sizes
    levels.configure(layout, settings.colors, sizes)
    for _, class in ipairs(classes_of(layout, sizes)) do
        layout:set_tile_code(class.tiles, "level" .. #class.cells - 1, function(pe) program.emit(pe, settings, class.cells) end)
    end
end

local function check_room(host, p, plan)
    room.check_rectangle(host, p, "nx", "ny")
    local needed, bytes = program.bytes(p.dtype, plan.sizes, p.cycles, p.coarse), room.bytes(host)
    if needed > bytes then
        host.refuse(("nz = %d in %s with %s and %s needs %d bytes of a PE, it has %d beside the code")
            :format(p.nz, p.dtype, multigrid.counted(p.levels, "level"), multigrid.counted(p.cycles, "cycle"), needed, bytes))
    end
end

-- Right-hand side and start, PE after PE.
local function system_of(host, p, kind)
    local function of_user(name, word)
        local given = field.of_system(host, p, name, p, kind.format, { word })
        return given and given:permuted(kind.format, { p.nx, p.ny, p.nz }, { 2, 1, 3 })
    end
    local b, start = of_user("rhs", "random"), of_user("start", "zero")
    if not b then
        b = host.buffer(p.nx * p.ny * p.nz * kind.bytes)
        b:fill_random(kind.format, 1, -1, 1)
    end
    return b, start
end

-- Norms from the squares of all PEs.
local function norms_of(host, p, wafer)
    local squares, norms = host.buffer(p.nx * p.ny * (p.cycles + 1) * WORD), {}
    wafer:copy_from { name = "squares", buffer = squares, count = p.cycles + 1 }
    for cycle = 0, host.is_functional and p.cycles or -1 do
        local sum = 0.0
        for pe = 0, p.nx * p.ny - 1 do
            sum = sum + squares:get("fp32", pe * (p.cycles + 1) + cycle)
        end
        norms[cycle] = math.sqrt(sum)
    end
    return norms
end

-- workload.run(host, p)
function workload.run(host, p)
    local kind, colors = program.kinds[p.dtype], collective.free_colors(host)
    local plan = multigrid.plan(host, p, levels.most(colors), ("a level needs %d of %d colors"):format(levels.colors, #colors))
    check_room(host, p, plan)
    local settings = {
        kind = kind, plan = plan, cycles = p.cycles, colors = colors, tasks = TASKS, is_red_black = p.smoother == "red-black",
    }
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.cycles,
        layout = function(layout)
            if layout.is_slice then
                host.refuse(("%d x %d PEs in grain=stream: a slice has too few levels; give grain=wavelet"):format(p.nx, p.ny))
            end
            lay_out(layout, settings)
        end,
    }
    local b, start = system_of(host, p, kind)
    local function place(name, buffer) return { name = name, buffer = buffer, first = program.spot(kind), count = p.nz } end
    wafer:copy_to(place("f0", b))
    if start then
        wafer:copy_to(place("u0", start))
    end
    wafer:prepare()
    local cycles
    host.measure(function() cycles = wafer:launch() end, p.cycles)
    local x = host.buffer(#b)
    wafer:copy_from(place("u0", x))
    local seconds = rates.steady_cycles(wafer:iterations()) / rates.clock(host)
    multigrid.finish(host, p, plan, {
        format = kind.format, is_fused = true, b = b, start = start, x = x, norms = norms_of(host, p, wafer),
        seconds = seconds, zones = wafer:zones("level" .. p.levels - 1), is_exact = true,
    })
    field.save(host, "x", p, kind.format, function() return x:permuted(kind.format, { p.ny, p.nx, p.nz }, { 2, 1, 3 }) end)
    host.metric("cycles_per_v_cycle", seconds * rates.clock(host))
end

return workload
