-- The 7-point Laplacian on a wafer: 6 times each number minus its six neighbours; numbers
-- beyond the grid count as 0. A PE has a column of cells. The columns of the four PEs around it
-- arrive by wafer/halo.lua; the cells above and below are in its memory. Terms are in the order
-- centre, north, south, west, east, up, down, as on cores.

local classes = require("wafer/tile_classes")
local columns = require("wafer/column_stencil")
local field = require("field")
local halo = require("wafer/halo")
local parts = require("wafer/parts")

local LINE = 16                     -- bytes to which arrays are aligned
local WORD = 4                      -- bytes of a variable
local VARIABLES = 1
local DIAGONAL = 6
local SIDES = { "north", "south", "west", "east" }
local BEGIN, RECEIVED = 8, 9        -- tasks
local HALO_TASKS = { 10, 11, 12, 13, 14, 15, 16, 17 }

local laplacian = {}

-- The users' parameters beside sizes, dtype and iterations.
laplacian.parameters = {
    { name = "mapping", type = "choice", default = "neighbour", choices = { "neighbour", "multicast", "broadcast" }, chips = { "wse" },
      help = "how columns get to the neighbours: two colors a direction, one stream to all four, or localized broadcasts" },
}
table.move(parts.words, 1, #parts.words, #laplacian.parameters + 1, laplacian.parameters)

-- laplacian.emit(pe, kind, to, from, received, diagonal): in a task, to = A from. `from` has the
-- descriptors cells, up and down; `received` has those of a halo's part; `diagonal` is 6 or a
-- descriptor. In mixed precision
-- `to` is f32, and products are added up in it.
--
-- fadds and fsubs make two elements per cycle, fmacs one. So 6 is multiplied once and the
-- others are subtracted: 4 cycles per cell in f32. Operands of one operation collide in banks
-- if their addresses have the same bit 2. `to` begins at a multiple of LINE, received columns 4
-- bytes after one. `from` begins at one too, so in f32 up and down are 4 bytes away. In f16
-- either up or down collides, wherever `from` lies.
function laplacian.emit(pe, kind, to, from, received, diagonal)
    local terms = {}
    for _, side in ipairs(SIDES) do
        terms[#terms + 1] = received[side]
    end
    terms[#terms + 1], terms[#terms + 2] = from.up, from.down
    if kind.subtract then
        pe[kind.scale](pe, to, from.cells, diagonal)
    else
        pe[kind.fuse](pe, to, 0, from.cells, diagonal)
    end
    for _, term in ipairs(terms) do
        if kind.subtract then
            pe[kind.subtract](pe, to, to, term)
        else
            pe[kind.fuse](pe, to, to, term, -1)
        end
    end
end

-- The same for the references, written separately to reveal a mistake above.
local TERMS = {
    { weight = 6 }, { y = -1, weight = -1 }, { y = 1, weight = -1 }, { x = -1, weight = -1 }, { x = 1, weight = -1 },
    { z = -1, weight = -1 }, { z = 1, weight = -1 },
}

local function rounded(bytes)
    return (bytes + LINE - 1) // LINE * LINE
end

-- Cells before the column; the last of them is the 0 below it.
local function lead(kind)
    return LINE // kind.bytes
end

local function bytes_of(settings, layers)
    local kind = settings.kind
    return rounded((lead(kind) + layers + 1) * kind.bytes) + rounded(layers * kind.sum_bytes) + VARIABLES * WORD
        + halo.bytes { count = layers, type = kind.type } + (settings.has_diagonal and rounded(layers * kind.bytes) or 0)
end

-- The program of the PE (x, y).
local function program(pe, plan, settings, iterations, x, y)
    local kind, layers = settings.kind, settings.layers
    local first = lead(kind)
    local u = pe:array { name = "x", type = kind.type, count = first + layers + 1, align = LINE }
    local v = pe:array { name = "y", type = kind.sum_type, count = layers, align = LINE }
    local function cells(offset)
        return pe:mem1d_dsd { base = u, extent = layers, offset = first + offset }
    end
    local from = { cells = cells(0), up = cells(-1), down = cells(1) }
    local to = pe:mem1d_dsd { base = v, extent = layers }
    local diagonal = DIAGONAL
    if settings.has_diagonal then
        diagonal = pe:mem1d_dsd { base = pe:array { name = "diagonal", type = kind.type, count = layers, align = LINE }, extent = layers }
    end
    local iteration = pe:variable { name = "iteration", value = 0 }
    local part = plan:attach(pe, { x = x, y = y, source = from.cells, done = RECEIVED })

    pe:bind_local_task(BEGIN, "begin", function() part:start() end)
    pe:bind_local_task(RECEIVED, "received", function()
        laplacian.emit(pe, kind, to, from, part.received, diagonal)
        pe:iteration_done()
        pe:add(iteration, 1)
        pe:when(iteration, "<", iterations, function() pe:activate(BEGIN) end)
    end)
    pe:activate(BEGIN)
end

local function lay_out(layout, settings, beyond)
    local plan = halo.plan(layout, {
        mapping = settings.mapping, count = settings.layers, type = settings.kind.type, tasks = HALO_TASKS,
        beyond = not layout.is_slice and beyond or nil,
    })
    plan:configure(layout)
    classes.each(layout, { plan }, function(tiles, x, y)
        local is_inside = x > 0 and y > 0 and x < layout.columns - 1 and y < layout.rows - 1
        layout:set_tile_code(tiles, is_inside and "interior" or "edge", function(pe)
            program(pe, plan, settings, layout.iterations, x, y)
        end)
    end)
end

-- laplacian.run(host, p): the script stencil7.lua on wafers.
function laplacian.run(host, p)
    local settings = {
        kind = columns.kinds[p.dtype], layers = p.nz, mapping = p.mapping, has_diagonal = field.is_given(host, p, "diagonal", { "6" }),
    }
    columns.run(host, p, {
        dtype = p.dtype, kind = settings.kind, bytes = function(layers) return bytes_of(settings, layers) end,
        period = halo.period(p.mapping), lay_out = function(layout, beyond) lay_out(layout, settings, beyond) end,
        beyond = { west = halo.name("west"), east = halo.name("east"), first = halo.first(settings.kind.type) },
        source = { name = "x", first = lead(settings.kind) }, result = { name = "y", first = 0 },
        reference = { terms = TERMS, steps = 1 }, exact = TERMS, roundings = #TERMS, gain = 2 * DIAGONAL, flop = #TERMS,
        summary = p.mapping, diagonal = "diagonal",
    })
end

return laplacian
