-- Classes of PEs: PEs for which every part of a program has the same code.
--
-- A part of a program classifies a PE by two keys, numbers or strings: one for its column, and
-- one for its row, which may depend on the column only through the column's key. PEs with the
-- same keys for all parts run the same program.

local classes = {}

-- Groups the positions 0 .. extent - 1 by key(at), in the order of their first:
-- { { at = first, ranges = { { first, last, step }, ... } }, ... }.
local function group(extent, key)
    local groups, known = {}, {}
    for at = 0, extent - 1 do
        local name = key(at)
        local members = known[name]
        if not members then
            members = { at = at, ranges = {} }
            known[name], groups[#groups + 1] = members, members
        end
        local range = members.ranges[#members.ranges]
        if range and range.count == 1 then
            range.last, range.step, range.count = at, at - range.first, 2
        elseif range and range.last + range.step == at then
            range.last, range.count = at, range.count + 1
        else
            members.ranges[#members.ranges + 1] = { first = at, last = at, step = 1, count = 1 }
        end
    end
    return groups
end

-- All keys of a position as one string.
local function joined(parts, method, ...)
    local keys = {}
    for i, part in ipairs(parts) do
        keys[i] = tostring(part[method](part, ...))
    end
    return table.concat(keys, "\0")
end

-- The PEs in both groups, as layout:set_tile_code() takes them.
local function tiles_of(columns, rows)
    local tiles = {}
    for _, row in ipairs(rows.ranges) do
        for _, column in ipairs(columns.ranges) do
            tiles[#tiles + 1] = { column.first, row.first, column.last, row.last, dx = column.step, dy = row.step }
        end
    end
    return tiles
end

-- classes.each(layout, parts, f): calls f(tiles, x, y) for every class, where (x, y) is one of
-- its PEs. Parts have part:column_key(x) and part:row_key(y, x).
function classes.each(layout, parts, f)
    local columns = group(layout.columns, function(x) return joined(parts, "column_key", x) end)
    for _, column in ipairs(columns) do
        local rows = group(layout.rows, function(y) return joined(parts, "row_key", y, column.at) end)
        for _, row in ipairs(rows) do
            f(tiles_of(column, row), column.at, row.at)
        end
    end
end

return classes
