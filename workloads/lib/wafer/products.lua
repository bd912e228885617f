-- The product of a matrix with a vector, as a part of a program for wafers: columns of the four
-- neighbours are multiplied as they come from the fabric and added through FIFOs (Rocki et al.
-- 2020).
--
--   local plan = products.plan(layout, {
--       count = numbers of a column, type = "f32" or "f16", pieces = of a column, see below,
--       factors = { west =, east =, north =, south = },         -- numbers
--       colors = { 0, 1, 2, 3, 4 }, output_queue = 0, input_queues = { west = 4, east = 5, north = 6, south = 7 },
--       priority = "medium",                     -- of what comes and goes; optional, low
--   })
--   plan:configure(layout)
--   local part = plan:attach(pe, { x =, y =, source = descriptor of the PE's column, done = task })
--   part:start()                                 -- in a task: sends the column, and multiplies what comes
--   part:add(cells)                              -- later in that task: adds the products to a column; `done` is
--                                                -- activated when they are and the own column has been sent.
--                                                -- cells(first, extent, increment) makes a descriptor of a part
--   part:go_on()                                 -- first in `done`
--
-- A PE sends its column once, to all neighbours (wafer/spread.lua). A microthread for each of them
-- multiplies what comes and pushes it into a FIFO. The task adds a piece of each FIFO in turn, in
-- the same order in every cell, so that values do not depend on when wavelets arrive. A FIFO holds
-- a piece: a column whose piece has been taken is not held up, so nobody waits for somebody who
-- waits for him. One piece is the fastest, more need less memory.

local spread = require("wafer/spread")

local LINE = 16                         -- bytes to which FIFOs are aligned
local WIDTH = 4                         -- the most numbers of a step
local PHASE = "halo"
local SIDES = { "west", "east", "north", "south" }
local KINDS = {
    f32 = { bytes = 4, move = "fmovs", scale = "fmuls", add = "fadds" },
    f16 = { bytes = 2, move = "fmovh", scale = "fmulh", add = "faddh" },
}

local products = { period = spread.period, color_count = spread.color_count }

-- Numbers of a piece, and of a FIFO.
local function piece_of(it)
    return (it.count + it.pieces * WIDTH - 1) // (it.pieces * WIDTH) * WIDTH
end

-- products.bytes{ count =, type =, pieces = }: memory that a PE needs.
function products.bytes(it)
    local bytes = piece_of(it) * KINDS[it.type].bytes
    return #SIDES * ((bytes + LINE - 1) // LINE * LINE) + 4
end

local Plan = {}
Plan.__index = Plan

function products.plan(layout, settings)
    local plan = { kind = KINDS[settings.type], piece = piece_of(settings) }
    for name, value in pairs(settings) do
        plan[name] = value
    end
    plan.spread = spread.plan(layout, {
        to = SIDES, takes = function() return true end, count = settings.count, type = settings.type,
        simd = "simd_64", colors = settings.colors, output_queue = settings.output_queue, input_queues = settings.input_queues,
    })
    return setmetatable(plan, Plan)
end

function Plan:configure(layout)
    self.spread:configure(layout)
end

-- PEs with equal keys have the same program.
function Plan:column_key(x)
    return self.spread:column_key(x)
end

function Plan:row_key(y)
    return self.spread:row_key(y)
end

local Part = {}
Part.__index = Part

function Plan:attach(pe, it)
    local streams = self.spread:attach(pe, it.x, it.y)
    local part = setmetatable({
        pe = pe, plan = self, source = it.source, done = it.done, out = streams.out, ways = {}, received = {},
        at = pe:variable { name = "piece_at", value = 0 },
    }, Part)
    for _, side in ipairs(SIDES) do
        if streams.from[side] then
            local room = pe:array { name = "fifo_" .. side, type = self.type, count = self.piece, align = LINE }
            part.ways[#part.ways + 1] = { from = streams.from[side], fifo = pe:fifo { base = room }, factor = self.factors[side] }
        end
    end
    if part.out then
        pe:block(it.done)
    end
    return part
end

-- Emits the start.
function Part:start()
    local pe, plan = self.pe, self.plan
    pe:phase(PHASE)
    for _, way in ipairs(self.ways) do
        pe[plan.kind.scale](pe, way.fifo, way.from, way.factor, { async = true, priority = plan.priority })
    end
    if self.out then
        pe[plan.kind.move](pe, self.out, self.source, { async = true, activate = self.done, priority = plan.priority })
    end
    pe:phase("")
end

-- Emits the sums.
function Part:add(cells)
    local pe, plan = self.pe, self.plan
    local whole, rest = plan.count // plan.piece * plan.piece, plan.count % plan.piece
    local function add_piece(piece)
        for _, way in ipairs(self.ways) do
            pe[plan.kind.add](pe, piece, piece, way.fifo)
        end
    end
    if #self.ways > 0 and whole > 0 then
        local piece = cells(0, plan.piece, self.at)
        pe:assign(self.at, 0)
        pe:while_(self.at, "<", whole, function()
            add_piece(piece)
            pe:add(self.at, plan.piece)
        end)
    end
    if #self.ways > 0 and rest > 0 then
        add_piece(cells(whole, rest))
    end
    if self.out then
        pe:unblock(self.done)
    else
        pe:activate(self.done)
    end
end

-- Emits what lets the next product wait for its own end.
function Part:go_on()
    if self.out then
        self.pe:block(self.done)
    end
end

return products
