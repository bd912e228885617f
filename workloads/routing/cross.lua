-- The usual tree of a mesh: along the root's row, then along all columns.
--
-- gridloom noc traffic --size 8x8 --pattern broadcast --root 4,4 --batch 100 \
--     --routing workloads/routing/cross.lua
--
-- children() is called once for every node before the run, and its answers are kept in a table.
-- It must depend on nothing but its arguments. The command checks that every node hangs below
-- the root exactly once, by existing links and without a loop.

return {
    summary = "along the root's row, then along all columns",

    -- x, y: the node; rx, ry: the root; x counts to the east, y to the south. Returns the
    -- directions of the node's children: none, or up to four.
    children = function(x, y, rx, ry, grid)
        local below = {}
        if y == ry and x >= rx and x < grid.width - 1 then
            below[#below + 1] = "east"
        end
        if y == ry and x <= rx and x > 0 then
            below[#below + 1] = "west"
        end
        if y >= ry and y < grid.height - 1 then
            below[#below + 1] = "south"
        end
        if y <= ry and y > 0 then
            below[#below + 1] = "north"
        end
        return table.unpack(below)
    end,
}
