-- Chains from both ends to the PE in the middle, which adds the lower one's sum first. The two
-- sides arrive on different colors.
return function(count)
    local merges, middle = {}, count // 2
    for i = 1, middle do
        merges[#merges + 1] = { into = i, from = i - 1, color = 1 + (i - 1) % 2 }
    end
    for i = count - 2, middle, -1 do
        merges[#merges + 1] = { into = i, from = i + 1, color = 1 + i % 2 }
    end
    return merges
end
