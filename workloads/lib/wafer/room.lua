-- The room on a wafer: PEs in its rectangle, numbers in the memory of a PE.

local room = {}

-- room.bytes(host): memory of a PE beside its code.
function room.bytes(host)
    return host.number("memory.capacity_bytes") - host.number("memory.code_reserved_bytes")
end

-- room.most(limit, fits): the largest number up to `limit` for which fits(number) is true, as
-- it is for all smaller ones; 0 if there is none.
function room.most(limit, fits)
    local most, beyond = 0, limit + 1
    while beyond - most > 1 do
        local middle = (most + beyond) // 2
        if fits(middle) then
            most = middle
        else
            beyond = middle
        end
    end
    return most
end

-- room.rectangle(host): the most columns and rows of PEs.
function room.rectangle(host)
    return host.number("fabric.bare_column_count"), host.number("fabric.bare_row_count")
end

-- room.check_rectangle(host, p, across, down [, why]): ends the run if the chip has fewer
-- columns than the parameter named `across` says, or fewer rows than `down`.
function room.check_rectangle(host, p, across, down, why)
    local columns, rows = room.rectangle(host)
    if p[across] > columns or p[down] > rows then
        host.refuse(("%s = %d, %s = %d: %s has at most %d x %d PEs%s"):format(across, p[across], down, p[down], host.chip, columns, rows,
            why and ", " .. why or ""))
    end
end

return room
