-- One chain through all PEs of a rectangle: even rows from west to east, odd rows back. The
-- sum goes against this order to the first PE.

-- Directions of the next and the previous PE of (x, y), nil at the ends.
local function neighbours(columns, rows, x, y)
    local is_odd = y % 2 == 1
    local from = is_odd and columns - 1 - x or x    -- the row's beginning
    local to = columns - 1 - from                   -- its end
    local function towards(distance, along, across, has_across)
        return distance > 0 and along or has_across and across or nil
    end
    return towards(to, is_odd and "WEST" or "EAST", "SOUTH", y < rows - 1),
        towards(from, is_odd and "EAST" or "WEST", "NORTH", y > 0)
end

-- snake(columns, rows): the reduction, in the form of rows_then_column.
return function(columns, rows)
    local snake = { root = { x = 0, y = 0 }, color_count = 2 }

    local function number(x, y)
        return y * columns + (y % 2 == 1 and columns - 1 - x or x)
    end

    -- Colors on which the PE sends and receives.
    local function colors(x, y)
        local own = 1 + number(x, y) % 2
        return own, 3 - own
    end

    local function key(x, y)
        local after, before = neighbours(columns, rows, x, y)
        return ("%s-%s-%d"):format(after, before, colors(x, y))
    end

    -- PEs of a column with the same y modulo 4, outside the first and last row, have the same
    -- routes: the numbers along rows of an odd width alternate with a period of 4.
    local function bands(extent, period)
        local list = { { 0, 0 } }
        for first = 1, math.min(period, extent - 2) do
            list[#list + 1] = { first, extent - 2, period }
        end
        if extent > 1 then
            list[#list + 1] = { extent - 1, extent - 1 }
        end
        return list
    end

    function snake.each_route(set)
        for _, row in ipairs(bands(rows, 4)) do
            for _, column in ipairs(bands(columns, 2)) do
                local x, y = column[1], row[1]
                local after, before = neighbours(columns, rows, x, y)
                local sent, got = colors(x, y)
                local tiles = { x, y, column[2], row[2], dx = column[3] or 1, dy = row[3] or 1 }
                if before then
                    set(tiles, sent, "RAMP", before)
                end
                if after then
                    set(tiles, got, after, "RAMP")
                end
            end
        end
    end

    function snake.column_key(x)
        return (x == 0 and "first" or x == columns - 1 and "last" or "inner") .. x % 2
    end

    function snake.row_key(y, x)
        return key(x, y)
    end

    function snake.steps(x, y)
        local after, before = neighbours(columns, rows, x, y)
        local sent, got = colors(x, y)
        local list = {}
        if after then
            list[1] = { receive = got, phase = "reduce_row" }
        end
        if before then
            list[#list + 1] = { send = sent, phase = "reduce_row" }
        end
        return list
    end

    function snake.merges()
        local list, into = {}, nil
        local count = columns * rows
        for i = count - 1, 0, -1 do
            local y = i // columns
            local at = y * columns + (y % 2 == 1 and columns - 1 - i % columns or i % columns)
            if into then
                list[#list + 1] = { at, into }
            end
            into = at
        end
        return list
    end

    return snake
end
