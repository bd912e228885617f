-- A chain in each group of PEs, then a chain over the groups' first PEs.

local chain = require("wafer/collective/chain")

local function divisors(count)
    local list = {}
    for size = 2, count do
        if count % size == 0 then
            list[#list + 1] = size
        end
    end
    return list
end

-- The divisor nearest to the square root, so that both phases are about equally long.
local function balanced(count)
    local best
    for _, size in ipairs(divisors(count)) do
        if not best or math.abs(size * size - count) < math.abs(best * best - count) then
            best = size
        end
    end
    return best
end

return function(count, group)
    if count == 1 then
        return {}
    end
    local size = group and group > 0 and group or balanced(count)
    if size < 2 or count % size ~= 0 then
        return nil, ("%d PEs in a line are no groups of %d, of %s they are"):format(count, size, table.concat(divisors(count), ", "))
    end
    local merges = {}
    local function add(list, step, first, first_color)
        for _, merge in ipairs(list) do
            merges[#merges + 1] = {
                into = first + merge.into * step, from = first + merge.from * step, color = merge.color + first_color,
            }
        end
    end
    local inside = chain(size)
    for first = 0, count - 1, size do
        add(inside, 1, first, 0)
    end
    add(chain(count // size), size, 0, 2)
    return merges
end
