-- Sends a column of numbers from a PE to some of its four neighbours at once, as a part of a
-- program for wafers. A PE sends it once, whoever gets it, and routes never change.
--
--   local plan = spread.plan(layout, {
--       to = { "west", "north" },                -- neighbours that get it, if they take it
--       takes = function(x, y, side) ... end,    -- whether the PE (x, y) takes the column from that side;
--                                                -- depends on the distance to edges, up to spread.margin
--       count = numbers of a column, type = "f32" or "f16",
--       simd = "simd_64",                        -- of f16, for four numbers in a step; optional, two
--       colors = { 0, 1, 2, 3, 4 }, output_queue = 0, input_queues = { east = 4, south = 5 },
--   })
--   plan:configure(layout)
--   local part = plan:attach(pe, x, y)
--   part.out                                     -- fabout_dsd for the column, nil if nobody takes it
--   part.from.east ...                           -- fabin_dsd of that neighbour's column, nil if none comes
--
-- A PE's color is (x + 2 y) modulo 5. It differs from its neighbours' colors, and these differ
-- from each other, so each of five colors has one direction in every router.
--
-- A wavelet leaves a router for all neighbours or for none. So a PE takes in all its columns
-- side by side: one that took them one after another could wait for a neighbour that waits for
-- it.

local PERIOD = 5
local EDGES = 3                         -- places at an edge that may differ from each other

-- Sides of neighbours, and the routers' names for them.
local SIDES = {
    { name = "west", port = "WEST", dx = -1, dy = 0, opposite = "east" },
    { name = "east", port = "EAST", dx = 1, dy = 0, opposite = "west" },
    { name = "north", port = "NORTH", dx = 0, dy = -1, opposite = "south" },
    { name = "south", port = "SOUTH", dx = 0, dy = 1, opposite = "north" },
}

local classes = require("wafer/tile_classes")

local spread = { period = PERIOD, margin = EDGES - 1, color_count = PERIOD }

local Plan = {}
Plan.__index = Plan

function spread.plan(layout, settings)
    assert(#settings.colors == PERIOD, "colors: expected 5")
    local plan = { columns = layout.columns, rows = layout.rows, goes_to = {} }
    for name, value in pairs(settings) do
        plan[name] = value
    end
    for _, side in ipairs(settings.to) do
        plan.goes_to[side] = true
    end
    plan.simd = settings.type == "f16" and (settings.simd or "simd_32") or nil
    return setmetatable(plan, Plan)
end

-- PEs with equal keys have the same program.
local function key(at, extent)
    return ("%d %d %d"):format(math.min(at, EDGES), math.min(extent - 1 - at, EDGES), at % PERIOD)
end

function Plan:column_key(x)
    return key(x, self.columns)
end

function Plan:row_key(y)
    return key(y, self.rows)
end

function Plan:color(x, y)
    return self.colors[1 + (x + 2 * y) % PERIOD]
end

-- Sides of the PE (x, y) from which columns come to it or, with the second, to which its own
-- goes.
local function comes_from(plan, x, y, side)
    local from_x, from_y = x + side.dx, y + side.dy
    return plan.goes_to[side.opposite] and from_x >= 0 and from_y >= 0 and from_x < plan.columns and from_y < plan.rows
        and plan.takes(x, y, side.name)
end

local function goes_to(plan, x, y, side)
    local to_x, to_y = x + side.dx, y + side.dy
    return plan.goes_to[side.name] and to_x >= 0 and to_y >= 0 and to_x < plan.columns and to_y < plan.rows
        and plan.takes(to_x, to_y, side.opposite)
end

-- Routes of all its colors.
function Plan:configure(layout)
    classes.each(layout, { self }, function(tiles, x, y)
        local ways, receivers = {}, {}
        for _, side in ipairs(SIDES) do
            if comes_from(self, x, y, side) then
                ways[#ways + 1] = { color = self:color(x + side.dx, y + side.dy), rx = side.port, tx = "RAMP" }
            end
            if goes_to(self, x, y, side) then
                receivers[#receivers + 1] = side.port
            end
        end
        if #receivers > 0 then
            ways[#ways + 1] = { color = self:color(x, y), rx = "RAMP", tx = receivers }
        end
        for _, way in ipairs(ways) do
            for _, tile in ipairs(tiles) do
                layout:set_color_config(tile, way.color, { routes = { rx = way.rx, tx = way.tx } })
            end
        end
    end)
end

function Plan:attach(pe, x, y)
    local part = { from = {} }
    for _, side in ipairs(SIDES) do
        if comes_from(self, x, y, side) then
            part.from[side.name] = pe:fabin_dsd {
                color = self:color(x + side.dx, y + side.dy), input_queue = self.input_queues[side.name],
                extent = self.count, simd = self.simd,
            }
        end
        if goes_to(self, x, y, side) and not part.out then
            part.out = pe:fabout_dsd {
                color = self:color(x, y), output_queue = self.output_queue, extent = self.count, simd = self.simd,
            }
        end
    end
    return part
end

return spread
