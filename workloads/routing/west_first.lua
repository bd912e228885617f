-- West-first routing: all steps to the west come first, then the others in any order.
--
-- gridloom noc traffic --topology mesh --size 8x8 --routing workloads/routing/west_first.lua
--
-- Why nothing can stand still for ever: a ring of links that wait for each other has to
-- come back to where it began, so somewhere it turns to the west. Here no packet ever
-- turns to the west, because packets that go west begin with it. All other turns are
-- free (Glass and Ni, "The turn model for adaptive routing", 1992), and this file uses
-- them: toward the east a packet takes the axis on which more is left to go, which leads
-- it along the diagonal instead of along the edges of the grid.
--
-- next() is called once for every node and every other target before the run, and its
-- answers are kept in a table. It must depend on nothing but its arguments.

return {
    summary = "west first, then along the diagonal",

    -- x, y: where the packet is; tx, ty: where it goes; x counts to the east, y to the
    -- south. Returns the direction in which it leaves, or the next node as two numbers.
    -- grid.width, grid.height and grid.topology are there for those who need them.
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
