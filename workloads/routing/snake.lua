-- A snake through the grid, row by row, as a tree: for long reductions.
--
-- gridloom noc traffic --size 8x8 --pattern reduce --root 0,0 --batch 100 \
--     --routing workloads/routing/snake.lua
--
-- In a reduction a node takes in one packet of each of its children for every packet that
-- it sends, a flit a cycle. Along the usual tree (cross.lua) the root has two to four
-- children, so that it is busy two to four times as long as the data is. Along the snake
-- nobody has more than one child, but for a root in its middle, which has two: the
-- longest possible way, and the least to do at every node of it. Which one is faster
-- depends on how much there is to reduce.
--
-- parent() is called once for every node but the root before the run, and its answers
-- are kept in a table. A file has either children() or parent(), whichever is easier to
-- say; both serve broadcasts and reductions where links lead both ways.

-- The place of a node along the snake: even rows run to the east, odd ones to the west.
local function place(x, y, width)
    return y * width + (y % 2 == 0 and x or width - 1 - x)
end

return {
    summary = "one way through all nodes, row by row",

    -- x, y: the node; rx, ry: the root. Returns the direction of the node's parent, or
    -- its place as two numbers: where packets come from in a broadcast, and go to in a
    -- reduction.
    parent = function(x, y, rx, ry, grid)
        local step = place(x, y, grid.width) < place(rx, ry, grid.width) and 1 or -1
        local ahead = x + (y % 2 == 0 and step or -step)
        if ahead < 0 or ahead >= grid.width then
            return x, y + step
        end
        return ahead, y
    end,
}
