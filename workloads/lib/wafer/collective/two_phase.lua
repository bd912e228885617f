-- A chain in each group of PEs, then a chain over the groups' first PEs, on the same two colors.
-- The second phase goes behind the first: otherwise its streams, which wait for their receiver,
-- would fill the routers on the way and take slots of links from the first.

local two_phase = {}

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

-- two_phase.size(count, group): of the groups of a line, given or chosen.
function two_phase.size(count, group)
    return group and group > 0 and group or balanced(count) or 1
end

-- two_phase.merges(count, group): nil and the reason if there are no such groups.
function two_phase.merges(count, group)
    if count == 1 then
        return {}
    end
    local size = two_phase.size(count, group)
    if size < 2 or count % size ~= 0 then
        return nil, ("%d PEs in a line are no groups of %d, of %s they are"):format(count, size, table.concat(divisors(count), ", "))
    end
    local merges = {}
    local function add(into, from, place, is_behind)
        merges[#merges + 1] = { into = into, from = from, color = 1 + place % 2, is_behind = is_behind }
    end
    -- A group's first PE gets both phases on one color, and sends on the other.
    for group_index = 0, count // size - 1 do
        for at = size - 1, 1, -1 do
            local from = group_index * size + at
            add(from - 1, from, group_index + at)
        end
    end
    for group_index = count // size - 1, 1, -1 do
        add((group_index - 1) * size, group_index * size, group_index, true)
    end
    return merges
end

return two_phase
