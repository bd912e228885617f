-- Routing patterns of a reduction: where each core sends the sum it has. A pattern is a
-- function of a core's column and row and of the grid (grid.cols, grid.rows); it gives
-- the column and row of the core that adds this one's sum to its own, or nothing for the
-- one core that ends up with the total, the root. Scripts add patterns of their own:
-- see "A reduction pattern of one's own" in workloads/doc/tensix-workloads.md.

local routing = {}

-- Left along the rows, then up the first column.
function routing.naive(x, y)
    if x > 0 then
        return x - 1, y
    elseif y > 0 then
        return x, y - 1
    end
end

-- Along the rows to the middle column, then along it to the middle: four sums come in.
function routing.center(x, y, grid)
    local cx, cy = grid.cols // 2, grid.rows // 2
    if x ~= cx then
        return x < cx and x + 1 or x - 1, y
    elseif y ~= cy then
        return x, y < cy and y + 1 or y - 1
    end
end

-- Everybody to the first core.
function routing.direct(x, y)
    if x > 0 or y > 0 then
        return 0, 0
    end
end

return routing
