-- West-first routing: all steps to the west come first, then the others in any order.
--
-- gridloom noc traffic --topology mesh --size 8x8 --routing workloads/routing/west_first.lua
--
-- Why no packet can wait for ever: a ring of links that wait for each other has to come back to
-- its beginning, so somewhere it turns to the west. No packet ever turns to the west here,
-- because packets that go west do so first. All other turns are free (Glass and Ni, "The turn
-- model for adaptive routing", 1992), and this file uses them: toward the east a packet takes
-- the axis with more left to go, so it follows the diagonal instead of the edges of the grid.
--
-- next() is called once for every node and every other target before the run, and its
-- answers are kept in a table. It must depend on nothing but its arguments.

return {
    summary = "west first, then along the diagonal",

    -- x, y: the packet's place; tx, ty: its target; x counts to the east, y to the south.
    -- Returns the direction in which the packet leaves, or the next node as two numbers.
    -- grid.width, grid.height and grid.topology are there if needed.
    next = function(x, y, tx, ty, grid)
        if tx < x then
            return "west"
        end
        local east, down = tx - x, ty - y
        if east > math.abs(down) or down == 0 then
            return "east"
        end
        return down > 0 and "south" or "north"
    end,
}
