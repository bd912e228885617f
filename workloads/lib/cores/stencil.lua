-- The kernels of a weighted stencil on a 3D grid folded onto cores, step after step in one
-- launch. cores/shifted_tiles.lua describes how tiles lie and how they are shifted.
--
-- A stencil is a table:
--   reach    how far it goes along x and y
--   sums     of numbers along y, { at =, groups = } each: the sum of a cell counts for the cells at
--            distances `at` along x. The first sum has distance 0 alone, the others do not have it.
--   groups   of numbers along x and z
--   has_before  whether the level before the present one is subtracted
-- A group is { weight =, at = }; all its numbers have the same weight. `at` is a list of
-- distances along y or, in the stencil's own groups, of pairs { x, z }. Numbers beyond the grid
-- are 0.
--
-- BF16 runs on the FPU: products are added up in a Dst of 32 bits, term by term, and rounded
-- when they leave it. Weights are tiles, with 0 where a core's tile lies outside the grid. FP32
-- runs on the SFPU: the numbers of a group are added, multiplied by the weight and added to the
-- sum.
--
-- On several chips a level's edges go to the next chip while the level is computed, a message
-- of several tiles at a time, or all at once when it is complete.
--
-- A sum along y is made of squares and transposed back. The first sum goes to Dst, where the
-- numbers along x and z are added. The others, the slanted sums, go to lines with margins that
-- the neighbours fill: shifted both ways they need numbers from beyond a corner.

local chip_halo = require("cores/chip_halo")
local shifted = require("cores/shifted_tiles")
local units = require("cores/stencil_units")
local vectors = require("cores/tile_vectors")

local AHEAD = 3     -- tiles of the first level that are transposed before the first sums

local stencil = {}

-- Kernels. `s` has the arguments from cores/stencil_run.lua: those of cores/shifted_tiles.lua
-- and more. A turn is one tile of one step; turns are counted over all steps.

-- With three or more tiles, sums along y are made a turn ahead, so that data to and from them
-- travel in the meantime.
local function lead_of(s)
    return s.tiles >= 3 and 1 or 0
end

local function turns_of(s)
    return s.steps * s.tiles
end

-- The first level is transposed a few tiles ahead of the sums along y that need it: how many
-- tiles before the first turn, and which tile in a turn, if any.
local function first_tiles(s)
    return math.min(AHEAD, s.tiles)
end

local function tile_ahead(s, turn)
    local k = turn + lead_of(s) + AHEAD
    return k < s.tiles and k or nil
end

-- The present field in the step of a turn, the new field, and the layer.
local function place(s, turn)
    local step = turn // s.tiles
    return s.fields[step % 2 + 1], s.fields[(step + 1) % 2 + 1], turn % s.tiles
end

-- Whether a later step needs the tile of a turn.
local function is_asked_for(s, turn)
    return turn >= 0 and turn < turns_of(s) - s.tiles
end

-- Slanted sums: all but the first.

local function slanted_count(s)
    return #s.sums - 1
end

-- Calls f for each use of a slanted sum: with its page (`page` is the first), its distance, and
-- the place for lines from beyond the tile, the same on every core.
local function each_slanted(s, k, page, f)
    local kept = s.kept + k * s.kept_bytes
    for i = 2, #s.sums do
        for _, dx in ipairs(s.sums[i].at) do
            f(page, dx, kept)
            kept = kept + math.abs(dx) * s.line_bytes
        end
        page = page + s.page_bytes
    end
end

-- Reader: sends the edges of slanted sums to the cores that use them.
local function send_slanted(s, turn)
    local count, k = slanted_count(s), turn % s.tiles
    if count == 0 then
        return
    end
    cb_wait_front(s.back, count)
    each_slanted(s, k, get_read_ptr(s.back), function(page, dx, kept)
        local there = dx > 0 and s.north or dx < 0 and s.south
        if there then
            local first = dx > 0 and 0 or shifted.lines + dx
            noc_async_write(page + first * s.line_bytes, get_noc_addr(there.x, there.y, kept), math.abs(dx) * s.line_bytes)
        end
    end)
    noc_async_write_barrier()
    for _, name in ipairs { "north", "south" } do
        local there = s[name]
        if there then
            noc_semaphore_inc(get_noc_addr(there.x, there.y, get_semaphore(s.edges[name])), 1)
        end
    end
    cb_pop_front(s.back, count)
end

-- Writer: puts the neighbours' lines before or after the slanted sums.
local function fill_slanted(s, turn)
    local count, k = slanted_count(s), turn % s.tiles
    if count == 0 then
        return
    end
    for name, other in pairs { north = "south", south = "north" } do
        if s[name] then
            noc_semaphore_wait_min(get_semaphore(s.edges[other]), turn + 1)
        end
    end
    cb_wait_front(s.back_out, count)
    each_slanted(s, k, get_read_ptr(s.back_out), function(page, dx, kept)
        local first = dx > 0 and shifted.lines or dx
        noc_async_write(kept, get_noc_addr(s.here.x, s.here.y, page + first * s.line_bytes), math.abs(dx) * s.line_bytes)
    end)
    noc_async_write_barrier()
    cb_pop_front(s.back_out, count)
    cb_reserve_back(s.filled, count)
    cb_push_back(s.filled, count)
end

-- Writer: fills the margins of a turn's tile from other chips.
local function fill_far(s, turn)
    local present, _, k = place(s, turn)
    shifted.take_far(s, present, turn // s.tiles, k)
    cb_reserve_back(s.taken, 1)
    cb_push_back(s.taken, 1)
end

-- Reader: sets the source's amount for the step that begins, if the source is on this core.
local function set_pulse(s, turn)
    local pulse, step = s.pulse, turn // s.tiles
    if pulse and turn % s.tiles == 0 and step < #pulse.words then
        cb_reserve_back(pulse.cb, 1)
        store_words(pulse.address, pulse.words[step + 1])
        cb_push_back(pulse.cb, 1)
    end
end

-- Reader: hands over pages that are there from the beginning.
local function hand_over(cb, pages)
    if pages > 0 then
        cb_reserve_back(cb, pages)
        cb_push_back(cb, pages)
    end
end

-- Reader: sends message i of the first level to other chips, if there is one.
local function send_first(s, i)
    if s.far then
        for k = i * s.far.piece, math.min((i + 1) * s.far.piece, s.tiles) - 1 do
            shifted.send_far(s, s.fields[1], 0, k)
        end
    end
end

local function reader(s)
    hand_over(s.constants, s.constant_count)
    hand_over(s.fields[1].x, s.tiles)
    hand_over(s.fields[2].x, s.tiles)
    send_first(s, 0)
    for k = 0, first_tiles(s) - 1 do
        shifted.publish(s, s.fields[1], k)
    end
    local lead = lead_of(s)
    for turn = -lead, turns_of(s) - 1 do
        send_first(s, turn + lead + 1)
        if turn >= 0 then
            set_pulse(s, turn)
        end
        if lead == 1 and turn + 1 < turns_of(s) then
            send_slanted(s, turn + 1)
        end
        if is_asked_for(s, turn - 1) then
            local _, made, k = place(s, turn - 1)
            shifted.publish(s, made, k)
            if s.far then
                shifted.send_far(s, made, (turn - 1) // s.tiles + 1, k)
            end
        end
        if tile_ahead(s, turn) then
            shifted.publish(s, s.fields[1], tile_ahead(s, turn))
        end
        if lead == 0 then
            send_slanted(s, turn)
        end
    end
    if s.far then
        chip_halo.finish()
    end
end

local function writer(s)
    local lead = lead_of(s)
    for turn = -lead, turns_of(s) - 1 do
        if turn + lead < turns_of(s) then
            local present, _, k = place(s, turn + lead)
            local levels = (turn + lead) // s.tiles // 2    -- earlier levels in this field
            shifted.gather(s, present, k, levels * s.tiles + k + 1)
        end
        if turn >= 0 then
            fill_slanted(s, turn)
        end
        if turn >= 0 and s.far then
            fill_far(s, turn)
        end
    end
    if s.far then
        chip_halo.leave(s.far)
    end
end

-- Compute: waits for pages from movers; if noted, in the zone `what`.
local function await(is_noted, what, cb, pages)
    if is_noted then
        zone(what, function() cb_wait_front(cb, pages) end)
    else
        cb_wait_front(cb, pages)
    end
end

-- Makes all sums along y of the tile whose shifted tiles come next.
local function sum_along_y(s, unit)
    local count = slanted_count(s)
    await(s.has_zones, "noc", s.shifted, #s.shifts)
    for i, sum in ipairs(s.sums) do
        tile_regs_acquire()
        if i == 1 then
            unit.set_up(s.shifted)
        end
        unit.begin(false)
        for _, group in ipairs(sum.groups) do
            unit.group(group, s.shifted, group.tiles)
        end
        vectors.pack(0, i == 1 and s.upright or s.slanted)
    end
    cb_pop_front(s.shifted, #s.shifts)
    if count > 0 then
        cb_reserve_back(s.back_out, count)
        vectors.transpose(count, s.slanted, nil, s.back)
        cb_push_back(s.back_out, count)
    end
end

-- The uses of a slanted sum; then the tiles of a group that lie inside the grid.
local function slanted_tiles(s, i)
    local tiles = {}
    for t, dx in ipairs(s.sums[i].at) do
        tiles[t] = { at = i - 2, shift = dx * s.line_bytes }
    end
    return tiles
end

local function tiles_of(s, group, k)
    local tiles = {}
    for _, at in ipairs(group.at) do
        if k + at[2] >= 0 and k + at[2] < s.tiles then
            tiles[#tiles + 1] = { at = k + at[2], shift = at[1] * s.line_bytes }
        end
    end
    return tiles
end

-- Makes the tile of a turn from its sums along y and the numbers along x and z.
local function finish(s, unit, turn)
    local present, made, k = place(s, turn)
    local count = slanted_count(s)
    local has_pulse = s.pulse and s.pulse.k == k and turn // s.tiles < #s.pulse.words
    cb_wait_front(s.upright, 1)
    if count > 0 then
        cb_wait_front(s.filled, count)
    end
    if s.far then
        local is_due = k % s.far.piece == 0     -- other tiles' lines arrive with the message of an earlier tile
        await(is_due or s.has_zones, is_due and "ethernet" or "noc", s.taken, 1)
    end
    tile_regs_acquire()
    transpose_wh_init_short(s.upright)
    transpose_wh_tile(s.upright, 0, 0)
    unit.set_up(present.x)
    unit.begin(true)
    for i = 2, #s.sums do
        unit.group(s.one, s.filled, slanted_tiles(s, i))
    end
    for _, group in ipairs(s.groups) do
        local tiles = tiles_of(s, group, k)
        if #tiles > 0 then
            unit.group(group, present.x, tiles)
        end
    end
    if s.has_before then
        unit.group(s.minus_one, made.x, { { at = k, shift = 0 } })
    end
    if has_pulse then
        cb_wait_front(s.pulse.cb, 1)
        unit.group(s.one, s.pulse.cb, { { at = 0, shift = 0 } })
    end
    unit.mask()
    vectors.pack(0, made.new)
    if has_pulse then
        cb_pop_front(s.pulse.cb, 1)
    end
    cb_pop_front(s.upright, 1)
    if count > 0 then
        cb_pop_front(s.filled, count)
    end
    if s.far then
        cb_pop_front(s.taken, 1)
    end
end

local function compute(s)
    local unit = s.format == "fp32" and units.sfpu(s) or units.fpu(s)
    local first, lead = s.fields[1].x, lead_of(s)
    if s.format == "fp32" then
        init_sfpu(first, s.upright)
        add_binary_tile_init()
        binop_with_scalar_tile_init()
    else
        binary_op_init_common(first, s.constants, s.upright)
    end
    if s.constant_count > 0 then
        cb_wait_front(s.constants, s.constant_count)
    end
    cb_wait_front(first, s.tiles)
    cb_wait_front(s.fields[2].x, s.tiles)
    vectors.transpose(first_tiles(s), first, 0, s.turned)
    for turn = -lead, turns_of(s) - 1 do
        if lead == 1 and turn + 1 < turns_of(s) then
            sum_along_y(s, unit)
        end
        if is_asked_for(s, turn - 1) then
            local _, made = place(s, turn - 1)
            vectors.transpose(1, made.new, nil, s.turned)
        end
        if tile_ahead(s, turn) then
            vectors.transpose(1, first, tile_ahead(s, turn), s.turned)
        end
        if lead == 0 then
            sum_along_y(s, unit)
        end
        if turn >= 0 then
            finish(s, unit, turn)
        end
    end
    local _, last = place(s, turns_of(s) - 1)
    cb_wait_front(last.new, s.tiles)
    cb_pop_front(last.new, s.tiles)
end

stencil.kernels = { reader = reader, writer = writer, compute = compute }

return stencil
