-- How a compute kernel of cores/stencil.lua adds: with the FPU or with the SFPU. units.fpu(s)
-- and units.sfpu(s) return a unit: set_up(cb), before groups from buffers like `cb`;
-- begin(has_sum), whether Dst 0, which keeps the sum, has one already; group(group, cb, tiles),
-- which adds tiles { at =, shift = } to it; mask(), which ends it.

local units = {}

function units.fpu(s)
    local unit = {}
    function unit.set_up(cb)
        mul_tiles_init(cb, s.constants)
    end
    function unit.begin() end
    function unit.group(group, cb, tiles)
        for _, tile in ipairs(tiles) do
            cb_shift_read(cb, tile.shift)
            mul_tiles(cb, s.constants, tile.at, group.constant, 0)
        end
        cb_shift_read(cb, 0)
    end
    function unit.mask() end
    return unit
end

function units.sfpu(s)
    local unit, has_sum = {}, false
    unit.set_up = copy_tile_to_dst_init_short
    function unit.begin(is_begun)
        has_sum = is_begun
    end
    function unit.group(group, cb, tiles)
        local to = has_sum and 1 or 0
        for i, tile in ipairs(tiles) do
            cb_shift_read(cb, tile.shift)
            copy_tile(cb, tile.at, i == 1 and to or to + 1)
            if i > 1 then
                add_binary_tile(to, to + 1)
            end
        end
        cb_shift_read(cb, 0)
        if math.abs(group.weight) ~= 1 or not has_sum and group.weight == -1 then
            mul_unary_tile(to, group.weight)
        end
        if has_sum and group.weight == -1 then
            sub_binary_tile(0, 1)
        elseif has_sum then
            add_binary_tile(0, 1)
        end
        has_sum = true
    end
    function unit.mask()
        if s.is_masked then
            copy_tile(s.constants, 0, 1)
            mul_binary_tile(0, 1)
        end
    end
    return unit
end

return units
