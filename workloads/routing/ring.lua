-- One way around the rings of a torus: east to the column, then south to the row.
--
-- gridloom noc traffic --topology torus --size 8x8 --routing workloads/routing/ring.lua
--
-- Each row is a ring of links. A packet on one of them may wait for the next, that one for the
-- one after it, and so on around until the last waits for the first. If all are taken at once,
-- nothing moves any more. Gridloom finds such rings before the run and refuses the file; on a
-- 4x4 grid it says
--
--     routes: links can wait for each other in a ring: 0,0 1,0 2,0 3,0 0,0
--
-- `allow_cycles = true` says that this is known and intended: because the network breaks the
-- rings in another way, because the load is light, or because seeing it stop is the point. The
-- command still checks that every packet arrives when it is alone.

return {
    summary = "east and south only, around the rings of a torus",
    allow_cycles = true,

    -- Returns the next node as two numbers; "east" and "south" would say the same.
    next = function(x, y, tx, ty, grid)
        if x ~= tx then
            return (x + 1) % grid.width, y
        end
        return x, (y + 1) % grid.height
    end,
}
