-- Routing patterns of a reduction: where each core sends its sum. A pattern is a function of a
-- core's column and row and of the grid (grid.cols, grid.rows). It returns the column and row
-- of the core that adds this core's sum to its own, or nothing for the root, the one core that
-- ends up with the total. Scripts can add patterns of their own: see "A reduction pattern of
-- your own" in workloads/doc/tensix-workloads.md.

local routing = {}

-- Left along the rows, then up the first column.
function routing.naive(x, y)
    if x > 0 then
        return x - 1, y
    elseif y > 0 then
        return x, y - 1
    end
end

-- Along the rows to the middle column, then along it to the middle, where four sums come in.
function routing.center(x, y, grid)
    local cx, cy = grid.cols // 2, grid.rows // 2
    if x ~= cx then
        return x < cx and x + 1 or x - 1, y
    elseif y ~= cy then
        return x, y < cy and y + 1 or y - 1
    end
end

-- All to the first core.
function routing.direct(x, y)
    if x > 0 or y > 0 then
        return 0, 0
    end
end

return routing
