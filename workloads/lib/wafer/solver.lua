-- The programs of PEs in a Krylov solver. A PE has a column of cells of every vector. Updates
-- and sums of neighbours go element by element; dot products are sums along the column and then
-- an all-reduce. A method (wafer/pcg.lua, wafer/bicgstab.lua) gives the order. Its operations
-- run to their end one after another. Where it waits, for the neighbours' columns or for an
-- all-reduce, it continues in a task, at the stage noted before.
--
-- In mixed precision vectors are f16, and so is every operation on them; a product with its sum
-- is rounded once. Dot products multiply f16 and add in f32, along the column and between PEs.
-- Scalars are f32 and are rounded to f16 where they multiply a vector.
--
-- Of several wafers each has a part of the grid, and a method is cut into phases: launches that
-- end where something is needed from other wafers. That is a sum over all of them, which the
-- host writes into the root, and r of the columns beyond the edges, which it writes into ghosts
-- of the PEs there. From these the PEs compute the direction beyond their edge as its owner
-- does.

local classes = require("wafer/tile_classes")
local collective = require("wafer/collective")
local halo = require("wafer/halo")
local machine = require("wafer/solver_machine")
local products = require("wafer/products")

local WORD = 4                      -- bytes of a scalar
local FIRST_USER_COLOR, LAST_USER_COLOR = 0, 20
local TASKS = { 0, 20, 24, 26 }     -- ids of local tasks: first, last, first, last
local HALO_COLORS = { neighbour = 8, multicast = 5, broadcast = 4, fifo = 5 }

local solver = { kinds = machine.kinds, spot = machine.spot, ghost = machine.ghost }

local function range(first, last, list)
    list = list or {}
    for i = first, last do
        list[#list + 1] = i
    end
    return list
end

-- Ids of local tasks, beginning with those that are not colors of a stream.
local function tasks_beside(is_color)
    local free, others = {}, {}
    for _, id in ipairs(range(TASKS[3], TASKS[4], range(TASKS[1], TASKS[2]))) do
        table.insert(is_color[id] and others or free, id)
    end
    return table.move(others, 1, #others, #free + 1, free)
end

-- solver.sums(layout, settings, words): the plan of the all-reduce; nil and the reason if the
-- pattern does not fit.
function solver.sums(layout, settings, words)
    return collective.plan(layout, {
        operation = "allreduce", pattern = settings.pattern, group = settings.group, words = words,
        colors = range(HALO_COLORS[settings.mapping], LAST_USER_COLOR), input_queues = { 2, 3 }, output_queues = { 4, 5 },
    })
end

-- The program of the PE (x, y); `beyond`, for a phase: the sides with other wafers.
local function program(pe, settings, method, plans, tasks, place)
    local beyond = plans.beyond
    local m = machine.declare(pe, settings, method, beyond and 0 or place.iterations, not place.is_slice and not beyond)
    m.halo = plans.exchange:attach(pe, { x = place.x, y = place.y, source = m.source, done = tasks.exchanged })
    m.all_reduce = plans.sums:attach(pe, { x = place.x, y = place.y, value = m.value, done = tasks.summed })
    if beyond then
        machine.declare_ghosts(m, beyond, plans.columns, place.x)
        method.phase_program(m)
    else
        method.program(m)
    end
    pe:bind_local_task(tasks.begin, "begin", m.begin)
    pe:bind_local_task(tasks.exchanged, "exchanged", function()
        if m.halo.go_on then
            m.halo:go_on()
        end
        m:emit(m.exchanged)
    end)
    pe:bind_local_task(tasks.summed, "summed", function()
        pe:zone("axpy")
        m:emit(m.summed)
    end)
    pe:activate(tasks.begin)
end

-- The exchange of columns, or the product that takes its place.
local function exchange_of(layout, settings, it)
    local type = machine.kinds[settings.dtype].type
    if settings.mapping ~= "fifo" then
        return halo.plan(layout, {
            mapping = settings.mapping, count = settings.layers, type = type, colors = it.colors, tasks = it.tasks,
            beyond = it.beyond, priority = "medium",
        })
    end
    local c = settings.coefficients
    return products.plan(layout, {
        count = settings.layers, type = type, pieces = settings.pieces, colors = it.colors, output_queue = 0,
        priority = "medium",
        input_queues = { west = 4, east = 5, north = 6, south = 7 },
        factors = { west = c[3], east = c[4], north = c[5], south = c[6] },
    })
end

-- solver.lay_out(layout, settings, method [, beyond]): programs and routes of all PEs, with a
-- method's order of operations. `beyond`, for phases: the sides, "west" and "east", where the
-- grid continues on another wafer. A slice has the whole method in one launch.
function solver.lay_out(layout, settings, method, beyond)
    local sums = assert(solver.sums(layout, settings, method.words))
    local colors = range(FIRST_USER_COLOR, HALO_COLORS[settings.mapping] - 1)
    local is_color = {}
    beyond = not layout.is_slice and beyond or nil
    for color = 0, #colors + sums.color_count - 1 do
        is_color[color] = true
    end
    local ids = tasks_beside(is_color)
    local tasks = { begin = table.remove(ids, 1), exchanged = table.remove(ids, 1), summed = table.remove(ids, 1) }
    local exchange = exchange_of(layout, settings, { colors = colors, tasks = ids, beyond = beyond })
    local plans = { exchange = exchange, sums = sums, beyond = beyond, columns = layout.columns }
    exchange:configure(layout)
    sums:configure(layout)
    classes.each(layout, { exchange, sums }, function(tiles, x, y)
        local is_inside = x > 0 and y > 0 and x < layout.columns - 1 and y < layout.rows - 1
        local place = { x = x, y = y, iterations = layout.iterations, is_slice = layout.is_slice }
        layout:set_tile_code(tiles, is_inside and "interior" or "edge", function(pe)
            program(pe, settings, method, plans, tasks, place)
        end)
    end)
end

-- A stand-in for a program that counts its memory.
local function counting_pe()
    local pe = { bytes = 0 }
    function pe:array(it)
        local size, align = it.type == "f16" and 2 or WORD, it.align or WORD
        self.bytes = (self.bytes + align - 1) // align * align + it.count * size
        return {}
    end
    function pe:scalar(it)
        return self:array { type = it.type, count = 1 }
    end
    function pe:variable()
        return self:array { type = "f32", count = 1 }
    end
    return setmetatable(pe, { __index = function() return function() end end })
end

function solver.exchange_bytes(settings)
    local it = {
        mapping = settings.mapping, count = settings.layers, type = machine.kinds[settings.dtype].type, pieces = settings.pieces,
    }
    return settings.mapping == "fifo" and products.bytes(it) or halo.bytes(it)
end

-- solver.period(mapping): of the roles of PEs.
function solver.period(mapping)
    return mapping == "fifo" and products.period or halo.period(mapping)
end

-- solver.bytes(settings, method, iterations [, ghosts]): memory that a PE needs, without its
-- code; ghosts, for phases: the most sides of a PE with another wafer.
function solver.bytes(settings, method, iterations, ghosts)
    local pe = counting_pe()
    local m = machine.declare(pe, settings, method, ghosts and 0 or iterations, not ghosts)
    method[ghosts and "phase_program" or "program"](m)
    for _ = 1, ghosts or 0 do
        pe:array { type = machine.kinds[settings.dtype].type, count = settings.layers, align = machine.line }
    end
    return (pe.bytes + machine.line - 1) // machine.line * machine.line
        + solver.exchange_bytes(settings)
end

return solver
