-- Where there is most room: a routing that chooses at every hop, by credits.
--
-- gridloom noc traffic --size 8x8 --pattern transpose --rate 0.3 --routing workloads/routing/roomiest.lua
--
-- choose() is called for every packet at every router where it has a choice, during the run. It
-- may choose from what outputs() allows, or, as here without outputs(), from all shortest ways.
--
-- Packets that choose freely can wait for each other in a ring. next() is the way out: channel 0
-- of every link is for packets that go by it, and a packet that waits may always change over. It
-- then keeps to next() until it arrives. Gridloom checks before the run that packets along next()
-- cannot wait for each other in a ring. It needs 2 virtual channels or more.
--
-- Without next() all that outputs() allows is checked instead; west_first.lua says why a mesh
-- where nobody turns to the west passes.

return {
    summary = "where there is most room, along x first if nothing moves",

    -- x, y: the packet's place; tx, ty: its target. free.east, free.west, free.south, free.north:
    -- flits for which there is room beyond each output that is allowed, nil for the others.
    -- Returns one of these words. It may keep numbers of its own between calls.
    choose = function(x, y, tx, ty, free, grid)
        local best, most = nil, -1
        for _, way in ipairs({"east", "west", "south", "north"}) do
            if free[way] and free[way] > most then
                best, most = way, free[way]
            end
        end
        return best
    end,

    -- As in other routing files: called once for every node and target, before the run.
    next = function(x, y, tx, ty, grid)
        if x ~= tx then
            return x < tx and "east" or "west"
        end
        return y < ty and "south" or "north"
    end,
}
