-- A reduction over a rectangle of PEs: along the rows, then along the column that has the rows'
-- sums.

local line = require("wafer/collective/line")

local ROW = { down = "WEST", up = "EAST" }
local COLUMN = { down = "NORTH", up = "SOUTH" }

local function steps_along(list, phase, along, at, first_color)
    for _, color in ipairs(along.receives[at]) do
        list[#list + 1] = { receive = color + first_color, phase = phase }
    end
    if along.sends[at] then
        list[#list + 1] = {
            send = along.sends[at] + first_color, phase = phase, is_turning = along.turns[at] == "own", is_ending = along.turns[at] == "all",
        }
    end
end

-- Distinguishes the PEs of a line.
local function key_of(along, at)
    return table.concat(along.receives[at], "+") .. ">" .. (along.sends[at] or "") .. (along.turns[at] or "")
end

-- rows_then_column(pattern): takes a pattern of a line. Returns a function of columns, rows and
-- the size of groups, or { in rows, in columns }, that returns the reduction, or nil and the
-- reason why there is none.
return function(pattern)
    return function(columns, rows, group)
        local groups = type(group) == "table" and group or { group, group }
        local row_merges, row_why = pattern(columns, groups[1])
        local column_merges, column_why = pattern(rows, groups[2])
        if not row_merges then
            return nil, "rows: " .. row_why
        elseif not column_merges then
            return nil, "columns: " .. column_why
        end
        local row, column = line.new(columns, row_merges), line.new(rows, column_merges)
        local reduction = {
            root = { x = row.root, y = column.root },
            color_count = row.color_count + column.color_count,
        }

        function reduction.each_route(set)
            row:each_way(ROW, function(run, color, ...)
                set({ run.first, 0, run.last, rows - 1, dx = run.step }, color, ...)
            end)
            column:each_way(COLUMN, function(run, color, ...)
                set({ row.root, run.first, row.root, run.last, dy = run.step }, color + row.color_count, ...)
            end)
        end

        function reduction.column_key(x)
            return key_of(row, x)
        end

        function reduction.row_key(y, x)
            return x == row.root and key_of(column, y) or ""
        end

        function reduction.steps(x, y)
            local list = {}
            steps_along(list, "reduce_row", row, x, 0)
            if x == row.root then
                steps_along(list, "reduce_column", column, y, row.color_count)
            end
            return list
        end

        function reduction.merges()
            local list = {}
            for y = 0, rows - 1 do
                for _, merge in ipairs(row.merges) do
                    list[#list + 1] = { y * columns + merge.into, y * columns + merge.from }
                end
            end
            for _, merge in ipairs(column.merges) do
                list[#list + 1] = { merge.into * columns + row.root, merge.from * columns + row.root }
            end
            return list
        end

        return reduction
    end
end
