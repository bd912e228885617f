-- Traffic that prefers near nodes, for gridloom noc traffic --pattern:
--     gridloom noc traffic --pattern workloads/routing/nearby.lua --saturation
local function distance(a, b, size, is_ring)
    local d = math.abs(a - b)
    return is_ring and math.min(d, size - d) or d
end

return {
    summary = "half as many packets to nodes one hop further away, none to itself",
    weight = function(x, y, tx, ty, grid)
        local is_ring = grid.topology ~= "mesh"
        local hops = distance(x, tx, grid.width, is_ring) + distance(y, ty, grid.height, is_ring)
        return hops == 0 and 0 or 2 ^ -hops
    end,
}
