-- From one PE to all others of a rectangle on one color: along its column, and from every PE
-- of the column into the rows.

local broadcast = {}

-- Directions on this side of the root: away from it, and back.
local function sides(at, root, extent, down, up)
    local list = {}
    if at <= root and at > 0 then
        list[#list + 1] = down
    end
    if at >= root and at < extent - 1 then
        list[#list + 1] = up
    end
    return list, at > root and down or at < root and up or nil
end

-- Positions with the same directions: { first, last }.
local function bands(root, extent)
    local list = {}
    local function add(first, last)
        if first <= last then
            list[#list + 1] = { first, last }
        end
    end
    add(0, math.min(root, 1) - 1)
    add(1, root - 1)
    add(root, root)
    add(root + 1, extent - 2)
    add(math.max(root + 1, extent - 1), extent - 1)
    return list
end

-- broadcast.each_route(columns, rows, root, is_returned, set): calls set(tiles, rx, tx). With
-- is_returned the root gets its own numbers back.
function broadcast.each_route(columns, rows, root, is_returned, set)
    for _, row in ipairs(bands(root.y, rows)) do
        for _, column in ipairs(bands(root.x, columns)) do
            local tx, back = sides(column[1], root.x, columns, "WEST", "EAST")
            if column[1] == root.x then
                local along, from = sides(row[1], root.y, rows, "NORTH", "SOUTH")
                table.move(along, 1, #along, #tx + 1, tx)
                back = from
            end
            if back or is_returned then
                tx[#tx + 1] = "RAMP"
            end
            if #tx > 0 then
                set({ column[1], row[1], column[2], row[2] }, back or "RAMP", tx)
            end
        end
    end
end

return broadcast
