-- Routes of multigrid on a wafer, and exchanges of columns with neighbours on a level.
--
-- Cells (i, j) of level l, from 0 on, are columns in the PEs 2^l (i + 1) - 1 and 2^l (j + 1) - 1. A PE
-- sends a column once, to the four neighbours of its level, through the routers of PEs between
-- them. As in wafer/halo.lua it has one of five colors, so that those of a PE and its neighbours
-- differ; levels have colors of their own, and routes never change.
--
-- A PE that is not on the next level rests until its neighbours that are send to it. No stream of a
-- level is sent before all of its receivers are there, or the queue of another level's stream would
-- not be empty when an operation takes it over.

local COLORS = 5                        -- of a level
local QUEUES = { 4, 5, 6, 7 }           -- by side
local OUTPUT_QUEUE = 0
local BYTES = { f32 = 4, f16 = 2 }
local SHIFT, LINE = 4, 16               -- bytes: received columns begin so far after a line
local MOVE = { f32 = "fmovs", f16 = "fmovh" }
local SIDES = {
    { name = "west", port = "WEST", opposite = "EAST", dx = -1, dy = 0 },
    { name = "east", port = "EAST", opposite = "WEST", dx = 1, dy = 0 },
    { name = "north", port = "NORTH", opposite = "SOUTH", dx = 0, dy = -1 },
    { name = "south", port = "SOUTH", opposite = "NORTH", dx = 0, dy = 1 },
}

local levels = { colors = COLORS, sides = SIDES, tasks = #SIDES + 1 }

-- levels.most(colors): levels for which so many colors are enough.
function levels.most(colors)
    return #colors // COLORS
end

local function color_of(colors, level, i, j)
    return colors[COLORS * level + 1 + (i + 2 * j) % COLORS]
end

-- Sets routes of cells first, first + 5, ... of a level along both axes, all of which have the same
-- neighbours.
local function configure_cells(layout, colors, level, size, cells)
    local step = 1 << level
    local i, j = cells.i[1], cells.j[1]
    local function tiles(dx, dy)
        local function at(cell) return step * (cell + 1) - 1 end
        return { at(i) + dx, at(j) + dy, at(cells.i[2]) + dx, at(cells.j[2]) + dy, dx = COLORS * step, dy = COLORS * step }
    end
    local own, tx = color_of(colors, level, i, j), {}
    for _, side in ipairs(SIDES) do
        local to_i, to_j = i + side.dx, j + side.dy
        if to_i >= 0 and to_j >= 0 and to_i < size.nx and to_j < size.ny then
            tx[#tx + 1] = side.port
            layout:set_color_config(tiles(0, 0), color_of(colors, level, to_i, to_j), { routes = { rx = side.port, tx = "RAMP" } })
            for d = 1, step - 1 do
                layout:set_color_config(tiles(d * side.dx, d * side.dy), own, { routes = { rx = side.opposite, tx = side.port } })
            end
        end
    end
    if #tx > 0 then
        layout:set_color_config(tiles(0, 0), own, { routes = { rx = "RAMP", tx = tx } })
    end
end

-- The first cell of an axis, every fifth of the inner ones, and the last.
local function each_kind(count, f)
    f { 0, 0 }
    for first = 1, math.min(COLORS, count - 2) do
        f { first, count - 2 }
    end
    if count > 1 then
        f { count - 1, count - 1 }
    end
end

-- levels.configure(layout, colors, sizes): routes of all levels.
function levels.configure(layout, colors, sizes)
    for number, size in ipairs(sizes) do
        each_kind(size.ny, function(j)
            each_kind(size.nx, function(i)
                configure_cells(layout, colors, number - 1, size, { i = i, j = j })
            end)
        end)
    end
end

-- How often a PE's place along an axis is on the next level, of `most` levels.
local function depth_of(at, most)
    local depth = 0
    while depth < most - 1 and (at >> depth) & 1 == 1 do
        depth = depth + 1
    end
    return depth
end

-- levels.cells(sizes, x, y): the PE's cells, from level 0 on: { i =, j =, level =, has = { west = } }.
-- All but the last have is_coarse: they are on the next level too.
function levels.cells(sizes, x, y)
    local depth_x, depth_y = depth_of(x, #sizes), depth_of(y, #sizes)
    local list = {}
    for level = 0, math.min(depth_x, depth_y) do
        local size = sizes[level + 1]
        local i, j = ((x + 1) >> level) - 1, ((y + 1) >> level) - 1
        list[#list + 1] = {
            level = level, i = i, j = j, size = size, is_coarse = level < math.min(depth_x, depth_y),
            has = { west = i > 0, east = i < size.nx - 1, north = j > 0, south = j < size.ny - 1 },
        }
    end
    return list
end

-- levels.key(cells): PEs with equal keys have the same program. Colors of a level follow from those
-- of the next one.
function levels.key(cells)
    local words = { #cells }
    for _, cell in ipairs(cells) do
        for _, side in ipairs(SIDES) do
            words[#words + 1] = cell.has[side.name] and "1" or "0"
        end
    end
    local last = cells[#cells]
    return table.concat(words) .. (" %d %d %d %d"):format(last.i % COLORS, last.j % COLORS, last.i % 2, last.j % 2)
end

-- levels.bytes(count, type): memory for received columns.
function levels.bytes(count, type)
    return #SIDES * ((SHIFT + BYTES[type] * count + LINE - 1) // LINE * LINE)
end

local Exchange = {}
Exchange.__index = Exchange

-- levels.attach(pe, { colors =, count =, type =, tasks = }): an exchange's arrays and tasks. When all
-- streams of an exchange have ended, the PE calls the function whose pointer the variable `stage` has.
function levels.attach(pe, it)
    local first = SHIFT // BYTES[it.type]
    local self = setmetatable({
        pe = pe, colors = it.colors, move = MOVE[it.type], simd = it.type == "f16" and "simd_32" or nil, first = first, arrays = {},
        tasks = it.tasks, left = pe:variable { name = "left", value = 0 }, stage = pe:variable { name = "stage", value = 0 },
    }, Exchange)
    for i, side in ipairs(SIDES) do
        self.arrays[i] = pe:array { name = "from_" .. side.name, type = it.type, count = first + it.count, align = LINE }
    end
    return self
end

-- Binds the tasks that end streams, after all stages are known.
function Exchange:bind()
    local pe = self.pe
    for i = 1, levels.tasks do
        pe:bind_local_task(self.tasks[i], "ended" .. i, function()
            pe:add(self.left, -1)
            pe:when(self.left, "==", 0, function() pe:call_pointer(self.stage) end)
        end)
    end
end

-- exchange:received(side, count): what came from a side (1 to 4) in the last exchange.
function Exchange:received(side, count)
    return self.pe:mem1d_dsd { base = self.arrays[side], extent = count, offset = self.first }
end

-- exchange:start(cell, { source =, sent = count or nil, count =, from = { west = true } }): emits an
-- exchange on the cell's level: a column of `sent` numbers is sent if there is one, and columns of
-- `count` come from the sides. Returns false if nothing is to be done.
function Exchange:start(cell, it)
    local pe, streams = self.pe, {}
    local function stream(task, f)
        streams[#streams + 1] = function() f { async = true, activate = task, priority = "medium" } end
    end
    for i, side in ipairs(SIDES) do
        if it.from[side.name] and cell.has[side.name] then
            local input = pe:fabin_dsd {
                color = color_of(self.colors, cell.level, cell.i + side.dx, cell.j + side.dy), input_queue = QUEUES[i],
                extent = it.count, simd = self.simd,
            }
            stream(self.tasks[i], function(options) pe[self.move](pe, self:received(i, it.count), input, options) end)
        end
    end
    if it.source and (cell.has.west or cell.has.east or cell.has.north or cell.has.south) then
        local output = pe:fabout_dsd {
            color = color_of(self.colors, cell.level, cell.i, cell.j), output_queue = OUTPUT_QUEUE, extent = it.sent, simd = self.simd,
        }
        stream(self.tasks[levels.tasks], function(options) pe[self.move](pe, output, it.source, options) end)
    end
    if #streams == 0 then
        return false
    end
    pe:assign(self.left, #streams)
    for _, start in ipairs(streams) do
        start()
    end
    return true
end

return levels
