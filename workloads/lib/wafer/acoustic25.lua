-- The acoustic wave equation, 8th order in space and 2nd in time, on a wafer: the programs of
-- PEs. After Jacquelin et al. 2022, with the tasks of csl-examples, 25-pt-stencil.
--
-- A PE holds a column of cells at two times, with GHOSTS more cells at either end that stay 0.
-- A step is u_new = Q u - u_old, with u_new in place of u_old. Q is 2 plus factor times the
-- Laplacian; factor is (dt V / h)^2. Along x and y, columns go to the neighbours in blocks of
-- cells. An arriving block is multiplied by the coefficient of its distance and kept; blocks
-- are added up when they have arrived from all directions. A PE's own cells come back from the
-- router with the others. They count once, in the first direction, with the coefficient of the
-- centre. Neighbours along z are in memory.
--
-- Where the velocity differs from cell to cell, the sum is that of the Laplacian alone; it is then
-- multiplied by the factors of the PE's cells, and twice the cells are added.

local wave = require("wave25")
local broadcast = require("wafer/localized_broadcast").with_reach(wave.reach)

local SECOND = wave.second
local GHOSTS = broadcast.reach
local SENDERS = broadcast.period
local VARIABLES = 9                 -- of a PE
local WORD = 4                      -- bytes of a number
local LINE = 16                     -- bytes to which arrays are aligned

-- In the order used everywhere.
local DIRECTIONS = {
    { name = "east", letter = "e", color = 4, input_queue = 4, output_queue = 0 },
    { name = "west", letter = "w", color = 5, input_queue = 5, output_queue = 1 },
    { name = "south", letter = "s", color = 7, input_queue = 6, output_queue = 2 },
    { name = "north", letter = "n", color = 6, input_queue = 7, output_queue = 3 },
}

-- Tasks: one to begin a step, and one of each kind for each direction. Ids 4 to 7 belong to the
-- colors, and from 21 on most are reserved.
local BEGIN = 8
local TASKS = {
    received = { 9, 10, 11, 12 },
    data_sent = { 13, 14, 15, 16 },
    first_sent = { 17, 18, 19, 20 },
    second_sent = { 0, 1, 2, 3 },
}

local acoustic = { ghosts = GHOSTS, period = SENDERS }

-- acoustic.directions("ewns"): the directions with these letters; nil if a letter is unknown or
-- appears twice, or if there is none.
function acoustic.directions(letters)
    local directions = {}
    for _, direction in ipairs(DIRECTIONS) do
        if letters:find(direction.letter, 1, true) then
            directions[#directions + 1] = direction
        end
    end
    return #directions > 0 and #directions == #letters and directions or nil
end

-- Numbers in an array, rounded up so that the next array begins at a line.
local function rounded(count)
    local line = LINE // WORD
    return (count + line - 1) // line * line
end

-- acoustic.bytes(settings): all memory of a PE; settings as those of lay_out().
function acoustic.bytes(settings)
    local layers, block, streams = settings.layers, settings.block, #settings.directions
    local cells = (layers + block - 1) // block * block
    return WORD * (2 * rounded(cells + 2 * GHOSTS) + rounded(cells) * (settings.factor and 1 or 2)
        + rounded(streams * SENDERS * block) + streams * SENDERS
        + (settings.source and #settings.source.samples or 0) + VARIABLES + (settings.is_resumed and 1 or 0))
end

-- What is multiplied by the Laplacian, and what is added to its centre.
local function scale_of(plan)
    return plan.factor or 1, plan.factor and 2 or 0
end

-- Coefficients for each direction in the order of arrival, for a PE with these indices.
local function coefficients_of(plan, indices)
    local factor, added = scale_of(plan)
    local lists = {}
    for d = 1, #plan.directions do
        lists[d] = {}
        for i, distance in ipairs(broadcast:arrivals(indices[d])) do
            local is_centre = distance == 0
            lists[d][i] = not is_centre and factor * SECOND[distance]
                or d == 1 and added + 3 * factor * SECOND[0] or 0
        end
    end
    return lists
end

-- acoustic.work(plan): operations of a PE with all senders per cell, executed and required.
-- Products with 0 are not required.
function acoustic.work(plan)
    local indices, products = {}, 0
    for d = 1, #plan.directions do
        indices[d] = broadcast.reach
    end
    for _, list in ipairs(coefficients_of(plan, indices)) do
        for _, coefficient in ipairs(list) do
            products = products + (coefficient ~= 0 and 1 or 0)
        end
    end
    local streams, along_z = #plan.directions, 2 * GHOSTS
    local arrivals = streams * SENDERS
    local further = plan.factor and 0 or 1      -- product and fused sum, of a field of velocities
    local function counts(products, ramp_words)
        return {
            fmul = products + further, fadd = products, fma = along_z + further, fsub = 1,
            flop = 2 * products + 2 * along_z + 1 + 3 * further, ramp_words = ramp_words,
        }
    end
    local executed = counts(arrivals, arrivals)
    -- Products are stored; sums, fused sums and the difference load two numbers and store one;
    -- each stream is loaded; the sum is set to 0.
    executed.memory_words = 4 * arrivals + 3 * along_z + 3 + streams + 1 + 6 * further
    return { executed = executed, required = counts(products, products) }
end

-- Declares the memory of a PE and its descriptors.
local function declare(pe, plan, coefficients)
    local block, cells, streams = plan.block, plan.blocks * plan.block, #plan.directions
    local level = rounded(cells + 2 * GHOSTS)
    local m = { pe = pe, plan = plan, level = level, receives = {}, sends = {}, controls = {} }

    local u = pe:array { name = "u", type = "f32", count = 2 * level, align = LINE }
    local sum = pe:array { name = "sum", type = "f32", count = cells, align = LINE }
    local products = pe:array { name = "products", type = "f32", count = streams * SENDERS * block, align = LINE }
    m.u = u

    -- Offsets of both levels, and of the next blocks to send and to add.
    m.now = pe:variable { name = "now", value = 0 }
    m.before = pe:variable { name = "before", value = level }
    m.send_at = pe:variable { name = "send_at", value = 0 }
    m.add_at = pe:variable { name = "add_at", value = 0 }
    -- Counters: directions of this block, blocks of this step, halves of the exchange.
    m.received = pe:variable { name = "received", value = 0 }
    m.sent = pe:variable { name = "sent", value = 0 }
    m.blocks_sent = pe:variable { name = "blocks_sent", value = 0 }
    m.ended = pe:variable { name = "ended", value = 0 }
    m.step = pe:variable { name = "step", value = 0 }
    m.last = plan.is_resumed and pe:variable { name = "last", value = plan.steps } or plan.steps

    m.cells = pe:mem1d_dsd { base = u, extent = block, offset = GHOSTS, increment = m.send_at }
    for d, direction in ipairs(plan.directions) do
        local senders = #coefficients[d]
        local numbers = pe:array {
            name = "coefficients_" .. direction.name, type = "f32", count = senders, values = coefficients[d],
        }
        pe:initialize_queue { input_queue = direction.input_queue, color = direction.color }
        m.receives[d] = {
            to = pe:mem4d_dsd {
                base = products, extents = { senders, block }, strides = { block, 1 }, offset = (d - 1) * SENDERS * block,
            },
            from = pe:fabin_dsd { color = direction.color, input_queue = direction.input_queue, extent = senders * block },
            by = pe:mem4d_dsd { base = numbers, extents = { senders, block }, strides = { 1, 0 } },
        }
        m.sends[d] = pe:fabout_dsd { color = direction.color, output_queue = direction.output_queue, extent = block }
        m.controls[d] = pe:fabout_dsd {
            color = direction.color, output_queue = direction.output_queue, extent = 1, control = true,
        }
    end

    local rows = { streams, SENDERS, block }
    m.products = pe:mem4d_dsd { base = products, extents = rows, strides = { SENDERS * block, block, 1 } }
    m.block_sums = pe:mem4d_dsd { base = sum, extents = rows, strides = { 0, 0, 1 }, increment = m.add_at }
    m.sums = pe:mem1d_dsd { base = sum, extent = plan.layers }
    m.old = pe:mem1d_dsd { base = u, extent = plan.layers, offset = GHOSTS, increment = m.before }
    m.shifted = {}
    for offset = 0, 2 * GHOSTS do
        m.shifted[offset] = (offset ~= GHOSTS or not plan.factor)
            and pe:mem1d_dsd { base = u, extent = plan.layers, offset = offset, increment = m.now } or nil
    end
    if not plan.factor then
        local factors = pe:array { name = "factors", type = "f32", count = cells, align = LINE }
        m.factors = pe:mem1d_dsd { base = factors, extent = plan.layers }
    end
    return m
end

local function declare_source(m, source)
    m.samples = m.pe:array { name = "source", type = "f32", count = #source.samples, values = source.samples }
    m.pulse = m.pe:mem1d_dsd { base = m.samples, extent = 1, increment = m.step }
    m.point = m.pe:mem1d_dsd { base = m.u, extent = 1, offset = GHOSTS + source.z, increment = m.before }
    m.pulse_steps = #source.samples
end

local function receive_block(m)
    m.pe:phase("halo")
    for d, receive in ipairs(m.receives) do
        m.pe:fmuls(receive.to, receive.from, receive.by, { async = true, activate = TASKS.received[d] })
    end
    m.pe:phase("")
end

-- Descriptors keep the offset with which they were started.
local function send_block(m)
    m.pe:phase("halo")
    for d, send in ipairs(m.sends) do
        m.pe:fmovs(send, m.cells, { async = true, activate = TASKS.data_sent[d] })
    end
    m.pe:phase("")
    if m.plan.blocks > 1 then
        m.pe:add(m.send_at, m.plan.block)
    end
end

-- Adds the neighbours along z, the previous level and the source; then the levels change
-- places.
local function end_step(m)
    local pe, plan = m.pe, m.plan
    local factor = scale_of(plan)
    for offset = 0, 2 * GHOSTS do
        if offset ~= GHOSTS then
            local coefficient = factor * SECOND[math.abs(offset - GHOSTS)]
            pe:fmacs(m.sums, m.sums, m.shifted[offset], coefficient)
        end
    end
    if m.factors then
        pe:fmuls(m.sums, m.sums, m.factors)
        pe:fmacs(m.sums, m.sums, m.shifted[GHOSTS], 2)
    end
    pe:fsubs(m.old, m.sums, m.old)
    if m.point then
        pe:when(m.step, "<", m.pulse_steps, function() pe:fadds(m.point, m.point, m.pulse) end)
    end
    pe:assign(m.send_at, m.before)
    pe:assign(m.before, m.now)
    pe:assign(m.now, m.send_at)
    if plan.blocks > 1 then
        pe:assign(m.add_at, 0)
        pe:assign(m.blocks_sent, 0)
    end
    pe:assign(m.ended, 0)
    pe:iteration_done()
    pe:add(m.step, 1)
    pe:when(m.step, "<", m.last, function() pe:activate(BEGIN) end)
end

-- All blocks are sent, or all are added. The later of the two ends the step.
local function end_exchange(m)
    m.pe:add(m.ended, 1)
    m.pe:when(m.ended, "==", 2, function() end_step(m) end)
end

-- Continues with the next block, or ends this half of the exchange. A column in one block needs
-- no counting.
local function next_block(m, counter, step, limit, go_on)
    if m.plan.blocks == 1 then
        end_exchange(m)
        return
    end
    m.pe:add(counter, step)
    m.pe:when(counter, "<", limit, function() go_on(m) end, function() end_exchange(m) end)
end

-- The block from one direction has been multiplied.
local function on_received(m)
    local pe, plan = m.pe, m.plan
    pe:add(m.received, 1)
    pe:when(m.received, "==", #plan.directions, function()
        pe:assign(m.received, 0)
        pe:fadds(m.block_sums, m.block_sums, m.products)
        next_block(m, m.add_at, plan.block, plan.blocks * plan.block, receive_block)
    end)
end

-- A stream and its control wavelets have been sent in one direction.
local function on_sent(m)
    local pe, plan = m.pe, m.plan
    pe:add(m.sent, 1)
    pe:when(m.sent, "==", #plan.directions, function()
        pe:assign(m.sent, 0)
        next_block(m, m.blocks_sent, 1, plan.blocks, send_block)
    end)
end

local function bind_tasks(m)
    local pe = m.pe
    pe:bind_local_task(BEGIN, "begin", function()
        pe:fmovs(m.sums, 0)
        receive_block(m)
        send_block(m)
    end)
    for d, direction in ipairs(m.plan.directions) do
        local function bind(kind, body)
            pe:bind_local_task(TASKS[kind][d], ("%s_%s"):format(kind, direction.name), body)
        end
        bind("received", function() on_received(m) end)
        bind("data_sent", function()
            pe:mov32(m.controls[d], pe:word(m.plan.payload), { async = true, activate = TASKS.first_sent[d] })
        end)
        bind("first_sent", function()
            pe:mov32(m.controls[d], pe:word(m.plan.payload), { async = true, activate = TASKS.second_sent[d] })
        end)
        bind("second_sent", function() on_sent(m) end)
    end
    pe:activate(BEGIN)
end

-- The area whose line along the direction a PE belongs to; nil if all PEs take part.
local function area_of(layout, plan, direction, x, y)
    if not plan.has_idle_corners then
        return nil
    end
    local areas = broadcast.areas_without_corners(layout, direction)
    local is_first = direction == "east" or direction == "west"
    local at, last = is_first and y or x, (is_first and layout.rows or layout.columns) - 1
    return areas[at == 0 and 2 or at == last and 3 or 1]
end

-- The program of the PE (x, y), on these tiles; with a source, if given.
local function set_code(layout, plan, tiles, x, y, source)
    local indices, has_all = {}, true
    local function index_of(direction)
        return (broadcast.index(layout, direction.name, x, y, area_of(layout, plan, direction.name, x, y)))
    end
    for d, direction in ipairs(plan.directions) do
        indices[d] = index_of(direction)
    end
    for _, direction in ipairs(DIRECTIONS) do
        has_all = has_all and index_of(direction) >= broadcast.reach
    end
    local is_corner = (x == 0 or x == layout.columns - 1) and (y == 0 or y == layout.rows - 1)
    local name = source and "source" or has_all and "interior" or is_corner and "corner" or "edge"
    layout:set_tile_code(tiles, name, function(pe)
        local m = declare(pe, plan, coefficients_of(plan, indices))
        if source then
            declare_source(m, source)
        end
        bind_tasks(m)
    end)
end

-- The programs of PEs in these bands of rows and columns.
local function set_codes(layout, plan, rows, columns)
    for _, row in ipairs(rows) do
        for _, column in ipairs(columns) do
            local tiles = { column.first, row.first, column.last, row.last, dx = column.step, dy = row.step }
            set_code(layout, plan, tiles, column.first, row.first)
        end
    end
end

-- Corners hold a column that nobody sees and that stays.
local function set_idle_corners(layout, plan)
    local right, bottom = layout.columns - 1, layout.rows - 1
    for _, at in ipairs { { 0, 0 }, { right, 0 }, { 0, bottom }, { right, bottom } } do
        layout:set_tile_code(at, "corner", function(pe)
            local cells = plan.blocks * plan.block
            pe:array { name = "u", type = "f32", count = 2 * rounded(cells + 2 * GHOSTS), align = LINE }
            if not plan.factor then
                pe:array { name = "factors", type = "f32", count = cells, align = LINE }
            end
        end)
    end
end

-- The bands of an axis without those at its ends.
local function inner(bands)
    return table.move(bands, 2, #bands - 1, 1, {})
end

local function end_bands(extent)
    return { { first = 0, last = 0, step = 1 }, { first = extent - 1, last = extent - 1, step = 1 } }
end

local function lay_out_without_corners(layout, plan)
    for _, direction in ipairs(plan.directions) do
        for _, area in ipairs(broadcast.areas_without_corners(layout, direction.name)) do
            broadcast:configure(layout, direction.name, direction.color, area)
        end
    end
    set_codes(layout, plan, inner(broadcast:bands(layout.rows)), inner(broadcast:bands(layout.columns)))
    set_codes(layout, plan, end_bands(layout.rows), broadcast:bands(layout.columns - 2, 1))
    set_codes(layout, plan, broadcast:bands(layout.rows - 2, 1), end_bands(layout.columns))
    set_idle_corners(layout, plan)
end

local function lay_out_all(layout, plan)
    for _, direction in ipairs(plan.directions) do
        broadcast:configure(layout, direction.name, direction.color)
    end
    set_codes(layout, plan, broadcast:bands(layout.rows), broadcast:bands(layout.columns))
end

-- acoustic.lay_out(layout, plan): programs and routes for all PEs. The plan has: layers, block,
-- directions; factor, nil if each PE has an array "factors" for its cells; source, nil or with x,
-- y, z and samples; is_resumed, true if the steps take several launches, whose variables
-- acoustic.resume() gives; has_idle_corners, true if the PEs in the corners do nothing.
function acoustic.lay_out(layout, settings)
    local plan = {
        layers = settings.layers, block = settings.block, blocks = (settings.layers + settings.block - 1) // settings.block,
        directions = settings.directions, factor = settings.factor, steps = layout.iterations,
        is_resumed = settings.is_resumed, has_idle_corners = settings.has_idle_corners,
    }
    plan.payload = broadcast:payload(layout)
    if plan.has_idle_corners then
        lay_out_without_corners(layout, plan)
    else
        lay_out_all(layout, plan)
    end
    if settings.source then
        local place = layout.is_slice and {} or settings.source
        local x, y = place.x or layout.columns // 2, place.y or layout.rows // 2
        set_code(layout, plan, { x, y }, x, y, settings.source)
    end
end

-- The beginning of the level that is present after so many steps.
local function level_at(settings, steps)
    local blocks = (settings.layers + settings.block - 1) // settings.block
    return steps % 2 * rounded(blocks * settings.block + 2 * GHOSTS)
end

-- The position of the column's first number in the array "u" after so many steps.
function acoustic.first_cell(settings, steps)
    return level_at(settings, steps) + GHOSTS
end

-- acoustic.resume(settings, step, last): variables of a launch that makes steps `step` to
-- `last` - 1.
function acoustic.resume(settings, step, last)
    local now = level_at(settings, step)
    return { step = step, last = last, now = now, send_at = now, before = level_at(settings, step + 1) }
end

return acoustic
