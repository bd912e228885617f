-- Streams that merge in the routers. Every PE of half a line sends its numbers towards the
-- middle and then turns its switch, so that those of the PEs behind it pass through its router.
-- One PE adds them all as they come, a number per cycle. A control wavelet behind the last
-- number turns the switches back.
--
-- A line has two middle PEs, one for each half. After the rows, the two middle columns do the
-- same, and then four PEs have the sums: the lower two send theirs north, the eastern one of
-- the upper two west, to the root (Rocki et al. 2020).

local ROW, COLUMN, NORTH, WEST = 1, 2, 3, 4          -- colors

local AXES = {
    row = { color = ROW, phase = "reduce_row", down = "WEST", up = "EAST" },
    column = { color = COLUMN, phase = "reduce_column", down = "NORTH", up = "SOUTH" },
}

-- The middle PEs of a line: they add what comes from below and from above.
local function middles(count)
    return math.max(count // 2 - 1, 0), count // 2
end

-- The senders on the side of a place: how many, and whether it is the farthest.
local function side_of(count, at)
    local low, high = middles(count)
    if at < low then
        return low, at == 0
    elseif at > high then
        return count - 1 - high, at == count - 1
    end
end

-- What a PE does along a line.
local function steps_along(list, axis, count, at)
    local low, high = middles(count)
    local senders, is_farthest = side_of(count, at)
    if senders then
        list[#list + 1] = { send = axis.color, phase = axis.phase, is_turning = not is_farthest, is_ending = is_farthest and senders > 1 }
        return
    end
    local streams = at == low and low or 0
    streams = at == high and count > 1 and count - 1 - high or streams
    if streams > 0 then
        list[#list + 1] = { receive = axis.color, phase = axis.phase, streams = streams }
    end
end

local function key_of(count, at)
    local low, high = middles(count)
    local senders, is_farthest = side_of(count, at)
    if not senders then
        return at == low and "low" or "high"
    end
    return (at < low and "below" or "above") .. (is_farthest and " farthest" or "")
end

-- Routes of half a line: calls set(first, last, rx, tx, switches).
local function each_way_along(axis, count, set)
    local low, high = middles(count)
    local function half(farthest, first, last, middle, from, to)
        if farthest == middle then
            return
        end
        set(farthest, farthest, "RAMP", to)
        if first <= last then
            set(first, last, "RAMP", to, { pos1 = { rx = from }, ring_mode = true, pop_mode = "no_pop" })
        end
        set(middle, middle, from, "RAMP")
    end
    half(0, 1, low - 1, low, axis.down, axis.up)
    if count > 1 then
        half(count - 1, high + 1, count - 2, high, axis.up, axis.down)
    end
end

-- Additions of a line in the order in which numbers come, the nearest first.
local function each_merge_along(count, add)
    local low, high = middles(count)
    for from = low - 1, 0, -1 do
        add(low, from)
    end
    for from = high + 1, count - 1 do
        add(high, from)
    end
end

-- merge(columns, rows): the reduction, in the form of rows_then_column.
return function(columns, rows)
    local west, east = middles(columns)
    local north, south = middles(rows)
    local merge = { root = { x = west, y = north }, color_count = WEST }

    local function is_middle(x)
        return x == west or x == east and columns > 1
    end

    function merge.each_route(set)
        each_way_along(AXES.row, columns, function(first, last, rx, tx, switches)
            set({ first, 0, last, rows - 1 }, ROW, rx, tx, switches)
        end)
        for x = west, columns > 1 and east or west do
            each_way_along(AXES.column, rows, function(first, last, rx, tx, switches)
                set({ x, first, x, last }, COLUMN, rx, tx, switches)
            end)
            if rows > 1 then
                set({ x, south }, NORTH, "RAMP", "NORTH")
                set({ x, north }, NORTH, "SOUTH", "RAMP")
            end
        end
        if columns > 1 then
            set({ east, north }, WEST, "RAMP", "WEST")
            set({ west, north }, WEST, "EAST", "RAMP")
        end
    end

    function merge.column_key(x)
        return key_of(columns, x)
    end

    function merge.row_key(y, x)
        return is_middle(x) and key_of(rows, y) or ""
    end

    function merge.steps(x, y)
        local list = {}
        steps_along(list, AXES.row, columns, x)
        if not is_middle(x) then
            return list
        end
        steps_along(list, AXES.column, rows, y)
        local function hand_over(color, at, low, high)
            if at == high and high > low then
                list[#list + 1] = { send = color, phase = "reduce_middle" }
            elseif at == low and high > low then
                list[#list + 1] = { receive = color, phase = "reduce_middle" }
            end
        end
        hand_over(NORTH, y, north, rows > 1 and south or north)
        if y == north then
            hand_over(WEST, x, west, columns > 1 and east or west)
        end
        return list
    end

    function merge.merges()
        local list = {}
        local function add(into_x, into_y, from_x, from_y)
            list[#list + 1] = { into_y * columns + into_x, from_y * columns + from_x }
        end
        for y = 0, rows - 1 do
            each_merge_along(columns, function(into, from) add(into, y, from, y) end)
        end
        for x = west, columns > 1 and east or west do
            each_merge_along(rows, function(into, from) add(x, into, x, from) end)
            if rows > 1 then
                add(x, north, x, south)
            end
        end
        if columns > 1 then
            add(west, north, east, north)
        end
        return list
    end

    return merge
end
