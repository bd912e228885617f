-- A routing of your own for networks on chip: along y first, then along x.
--
--     gridloom noc traffic --size 8x8 --routing FILE --rate 0.1:0.5:0.1
--
-- `next` is called once for every node and every other target before the run, and its answers
-- become the routers' tables; it must depend on nothing but its arguments. Before anything runs
-- two checks are made: every target is reached without a loop, and no ring of links can wait for
-- itself (a deadlock). workloads/doc/routing.md tells more, and workloads/routing/ has examples.
-- `gridloom run` takes it for programs: --set noc.topology=mesh --set noc.routing=, and its name.
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete and check.

-- Where a packet at (x, y) goes next on its way to (tx, ty). x counts to the east, y to the south.
local function along_y_then_x(x, y, tx, ty)
    if ty ~= y then
        return ty > y and "south" or "north"
    end
    return tx > x and "east" or "west"
end

-- Things to try, by setting `next` below to them:
--
-- Along x first. On a mesh this is as good, for other patterns (--pattern transpose).
local function along_x_then_y(x, y, tx, ty)
    if tx ~= x then
        return tx > x and "east" or "west"
    end
    return ty > y and "south" or "north"
end

-- Along the axis with more left to go. The second check refuses it: packets turn from every
-- direction into every other, so four of them can wait for each other in a ring.
local function along_the_longer(x, y, tx, ty)
    if math.abs(tx - x) > math.abs(ty - y) then
        return along_x_then_y(x, y, tx, ty)
    end
    return along_y_then_x(x, y, tx, ty)
end

-- West first: a packet never turns to the west later on, so no ring can close. All other turns
-- are free, and packets to the east follow the diagonal (Glass and Ni, 1992).
local function west_first(x, y, tx, ty)
    if tx < x then
        return "west"
    end
    return along_the_longer(x, y, tx, ty)
end

-- Or choose at every hop by the room that there is beyond each output: add
--
--     choose = function(x, y, tx, ty, free, grid)
--         return (free.east or free.west or 0) >= (free.south or free.north or 0)
--             and (free.east and "east" or "west") or (free.south and "south" or "north")
--     end,
--
-- below. `next` is then the escape for packets that wait (workloads/routing/roomiest.lua).

local routings = {
    yx = along_y_then_x, xy = along_x_then_y, longer = along_the_longer, west_first = west_first,
}

return {
    summary = "along y, then along x",
    -- grid.width, grid.height and grid.topology ("mesh" or "torus") are there if you need them.
    -- Instead of a direction the function may return the x and y of a neighbour.
    ---@param grid gl.Grid
    next = function(x, y, tx, ty, grid)
        return routings.yx(x, y, tx, ty, grid)
    end,
}
