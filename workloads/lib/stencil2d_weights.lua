-- Weights of the 2D stencils, for both kinds of chips: 1 / (1 + dx^2 + 2 dy^2), scaled to add
-- up to 1. x and y differ, so no mistake hides in their symmetry.

local weights = {}

-- weights.of(shape, radius): a list of { dx =, dy =, weight = }, dx by dx. "box" has all
-- neighbours up to `radius` away along x and y, "star" only those along one axis.
function weights.of(shape, radius)
    local list, total = {}, 0
    for dx = -radius, radius do
        for dy = -radius, radius do
            if shape == "box" or dx == 0 or dy == 0 then
                local weight = 1 / (1 + dx * dx + 2 * dy * dy)
                list[#list + 1], total = { dx = dx, dy = dy, weight = weight }, total + weight
            end
        end
    end
    for _, point in ipairs(list) do
        point.weight = point.weight / total
    end
    return list
end

-- weights.flop(shape, radius): FLOP per cell: a product for each point, and their sum.
function weights.flop(shape, radius)
    return 2 * #weights.of(shape, radius) - 1
end

return weights
