-- A snake through the grid, row by row, as a tree: for long reductions.
--
-- gridloom noc traffic --size 8x8 --pattern reduce --root 0,0 --batch 100 \
--     --routing workloads/routing/snake.lua
--
-- In a reduction a node takes in one packet from each of its children for every packet that it
-- sends, one flit per cycle. Along the usual tree (cross.lua) the root has two to four
-- children, so it is busy for two to four times the length of the data. Along the snake no node
-- has more than one child, except a root in the middle, which has two. The way is the longest
-- possible, and each node on it has the least to do. Which tree is faster depends on the amount
-- of data.
--
-- parent() is called once for every node except the root before the run, and its answers are
-- kept in a table. A file has either children() or parent(), whichever is easier to write; both
-- serve broadcasts and reductions where links lead both ways.

-- The place of a node along the snake: even rows run to the east, odd ones to the west.
local function place(x, y, width)
    return y * width + (y % 2 == 0 and x or width - 1 - x)
end

return {
    summary = "one way through all nodes, row by row",

    -- x, y: the node; rx, ry: the root. Returns the direction of the node's parent, or its
    -- place as two numbers. Packets come from the parent in a broadcast and go to it in a
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
