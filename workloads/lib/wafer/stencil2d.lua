-- 2D stencils on the independent layers of a grid, on a wafer. A PE has all layers of a place
-- (x, y) as a column, and gets other PEs' columns by localized broadcasts whose reach is the
-- radius. A step is in place: the PE's own cells times their weight, then the received columns
-- are added, product by product.
--
-- A star has one exchange, in all directions. A box has two. First columns go along x, and
-- every PE adds them up: with the weights of its own row, and with those of the rows at
-- distances 1 to radius, which are the same on both sides. These sums go along y, all in one
-- stream, and from each sender a PE takes the sum for its distance.

local classes = require("wafer/tile_classes")
local columns = require("wafer/column_stencil")
local halo = require("wafer/halo")
local weights = require("stencil2d_weights")

local LINE = 16                     -- bytes to which arrays are aligned
local WORD = 4                      -- bytes of a variable
local VARIABLES = 1
local BEGIN, RECEIVED, SUMS_RECEIVED = 8, 9, 18     -- tasks
local HALO_TASKS = { 10, 11, 12, 13, 14, 15, 16, 17 }

local stencil2d = {}

-- Weights by distance along x and y, which do not depend on the side.
local function weights_of(shape, radius)
    local by_distance = {}
    for _, point in ipairs(weights.of(shape, radius)) do
        local dx, dy = math.abs(point.dx), math.abs(point.dy)
        by_distance[dx] = by_distance[dx] or {}
        assert((by_distance[dx][dy] or point.weight) == point.weight, "weights differ by the side")
        by_distance[dx][dy] = point.weight
    end
    return by_distance
end

-- The order in which columns are added to the PE's own: { side =, x =, y =, distance = }.
local function neighbours(radius, axes)
    local list = {}
    for distance = 1, radius do
        if axes:find("x") then
            list[#list + 1] = { side = "west", x = -distance, y = 0, distance = distance }
            list[#list + 1] = { side = "east", x = distance, y = 0, distance = distance }
        end
        if axes:find("y") then
            list[#list + 1] = { side = "north", x = 0, y = -distance, distance = distance }
            list[#list + 1] = { side = "south", x = 0, y = distance, distance = distance }
        end
    end
    return list
end

-- Numbers from one sum of a box to the next, chosen so that no banks collide where they are
-- added.
local function pitch(settings, layers)
    local line = LINE // settings.kind.bytes
    return (layers + line - 1) // line * line
end

-- Numbers in a box's stream along y.
local function stream_count(settings, layers)
    return (settings.radius - 1) * pitch(settings, layers) + layers
end

local function bytes_of(settings, layers)
    local kind, radius = settings.kind, settings.radius
    local cells = pitch(settings, layers) * kind.bytes
    if settings.shape == "star" then
        return cells + VARIABLES * WORD + halo.bytes { count = layers, type = kind.type, reach = radius }
    end
    return cells * (1 + radius) + VARIABLES * WORD + halo.bytes { count = layers, type = kind.type, reach = radius, axis = "x" }
        + halo.bytes { count = stream_count(settings, layers), type = kind.type, reach = radius, axis = "y" }
end

-- Emits to = own * weight of the centre, plus all received columns times their weights.
local function emit_sum(pe, kind, to, own, centre, received, list, weight)
    pe[kind.scale](pe, to, own, centre)
    for _, each in ipairs(list) do
        local column = received[each.side] and received[each.side][each.distance]
        if column then
            pe[kind.fuse](pe, to, to, column, weight(each))
        end
    end
end

local function star_program(m)
    local pe, kind, weight = m.pe, m.settings.kind, m.settings.weights
    local part = m.plans[1]:attach(pe, { x = m.x, y = m.y, source = m.cells, done = RECEIVED })
    pe:bind_local_task(BEGIN, "begin", function() part:start() end)
    pe:bind_local_task(RECEIVED, "received", function()
        emit_sum(pe, kind, m.cells, m.cells, weight[0][0], part.columns, neighbours(m.settings.radius, "xy"),
            function(each) return weight[math.abs(each.x)][math.abs(each.y)] end)
        m.go_on()
    end)
end

-- A sender's sum for PEs at a distance, within its received stream.
local function sums_at(m, part, side, distance)
    local settings = m.settings
    return part.places[side] and part.places[side][distance] and m.pe:mem1d_dsd {
        base = part.arrays[side], extent = settings.layers,
        offset = part.places[side][distance] + (distance - 1) * pitch(settings, settings.layers),
    } or nil
end

local function box_program(m)
    local pe, settings = m.pe, m.settings
    local kind, weight, radius = settings.kind, settings.weights, settings.radius
    local step = pitch(settings, settings.layers)
    local sums = pe:array { name = "sums", type = kind.type, count = radius * step, align = LINE }
    local along_x = m.plans[1]:attach(pe, { x = m.x, y = m.y, source = m.cells, done = RECEIVED })
    local along_y = m.plans[2]:attach(pe, {
        x = m.x, y = m.y, done = SUMS_RECEIVED,
        source = pe:mem1d_dsd { base = sums, extent = stream_count(settings, settings.layers) },
    })
    pe:bind_local_task(BEGIN, "begin", function() along_x:start() end)
    pe:bind_local_task(RECEIVED, "received", function()
        for distance = radius, 0, -1 do
            local to = distance == 0 and m.cells
                or pe:mem1d_dsd { base = sums, extent = settings.layers, offset = (distance - 1) * step }
            emit_sum(pe, kind, to, m.cells, weight[0][distance], along_x.columns, neighbours(radius, "x"),
                function(each) return weight[each.distance][distance] end)
        end
        along_y:start()
    end)
    pe:bind_local_task(SUMS_RECEIVED, "sums_received", function()
        for _, each in ipairs(neighbours(radius, "y")) do
            local column = sums_at(m, along_y, each.side, each.distance)
            if column then
                pe[kind.add](pe, m.cells, m.cells, column)
            end
        end
        m.go_on()
    end)
end

-- The program of the PE (x, y).
local function program(pe, plans, settings, iterations, x, y)
    local u = pe:array { name = "u", type = settings.kind.type, count = settings.layers, align = LINE }
    local iteration = pe:variable { name = "iteration", value = 0 }
    local m = {
        pe = pe, plans = plans, settings = settings, x = x, y = y, cells = pe:mem1d_dsd { base = u, extent = settings.layers },
        go_on = function()
            pe:iteration_done()
            pe:add(iteration, 1)
            pe:when(iteration, "<", iterations, function() pe:activate(BEGIN) end)
        end,
    }
    if settings.shape == "star" then
        star_program(m)
    else
        box_program(m)
    end
    pe:activate(BEGIN)
end

local function plans_of(layout, settings)
    local function plan(axis, count)
        return halo.plan(layout, {
            mapping = "broadcast", reach = settings.radius, axis = axis, count = count, type = settings.kind.type, tasks = HALO_TASKS,
        })
    end
    if settings.shape == "star" then
        return { plan(nil, settings.layers) }
    end
    return { plan("x", settings.layers), plan("y", stream_count(settings, settings.layers)) }
end

local function lay_out(layout, settings)
    local plans, radius = plans_of(layout, settings), settings.radius
    for _, plan in ipairs(plans) do
        plan:configure(layout)
    end
    classes.each(layout, plans, function(tiles, x, y)
        local is_inside = math.min(x, y, layout.columns - 1 - x, layout.rows - 1 - y) >= radius
        layout:set_tile_code(tiles, is_inside and "interior" or "edge", function(pe)
            program(pe, plans, settings, layout.iterations, x, y)
        end)
    end)
end

-- The same sums for the references.
local function reference_of(settings, steps)
    local weight, radius = settings.weights, settings.radius
    if settings.shape == "star" then
        local terms = { { weight = weight[0][0] } }
        for _, each in ipairs(neighbours(radius, "xy")) do
            terms[#terms + 1] = { x = each.x, y = each.y, weight = weight[math.abs(each.x)][math.abs(each.y)] }
        end
        return { terms = terms, steps = steps }, #terms
    end
    local fields, terms = {}, { { field = 1, weight = 1 } }
    for distance = 0, radius do
        local field = { { weight = weight[0][distance] } }
        for _, each in ipairs(neighbours(radius, "x")) do
            field[#field + 1] = { x = each.x, weight = weight[each.distance][distance] }
        end
        fields[distance + 1] = field
    end
    for _, each in ipairs(neighbours(radius, "y")) do
        terms[#terms + 1] = { field = each.distance + 1, y = each.y, weight = 1 }
    end
    return { fields = fields, terms = terms, steps = steps }, #fields[1] + #terms
end

-- The stencil point by point.
local function exact_of(shape, radius)
    local terms = {}
    for i, point in ipairs(weights.of(shape, radius)) do
        terms[i] = { x = point.dx, y = point.dy, weight = point.weight }
    end
    return terms
end

-- stencil2d.run(host, p): the script stencil2d.lua on wafers.
function stencil2d.run(host, p)
    local settings = {
        kind = columns.kinds[p.dtype], layers = p.nz, shape = p.shape, radius = p.radius, weights = weights_of(p.shape, p.radius),
    }
    local reference, roundings = reference_of(settings, p.iterations)
    -- The longest descriptor; one covers all columns from one direction.
    local limit = host.number("dsd.length_limit_elements")
    local function bytes(layers)
        local count = p.shape == "box" and stream_count(settings, layers) or layers
        return (p.radius + 1) * count > limit and math.huge or bytes_of(settings, layers)
    end
    columns.run(host, p, {
        dtype = p.dtype, kind = settings.kind, bytes = bytes, period = p.radius + 1,
        lay_out = function(layout) lay_out(layout, settings) end,
        source = { name = "u", first = 0 }, result = { name = "u", first = 0 },
        reference = reference, exact = exact_of(p.shape, p.radius), roundings = roundings, gain = 1, flop = weights.flop(p.shape, p.radius),
        summary = ("%s of radius %d"):format(p.shape, p.radius),
    })
end

return stencil2d
