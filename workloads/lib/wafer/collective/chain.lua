-- Each PE adds its own sum to the one from above and sends it on, on two colors in turn.
return function(count)
    local merges = {}
    for i = count - 2, 0, -1 do
        merges[#merges + 1] = { into = i, from = i + 1, color = 1 + i % 2 }
    end
    return merges
end
