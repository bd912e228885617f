-- A binary tree, one color per round: in round r the PEs at odd multiples of 2^r send that far
-- down.
return function(count)
    local merges, color, distance = {}, 1, 1
    while distance < count do
        for from = distance, count - 1, 2 * distance do
            merges[#merges + 1] = { into = from - distance, from = from, color = color }
        end
        color, distance = color + 1, 2 * distance
    end
    return merges
end
