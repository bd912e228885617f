-- Should a die have many Tensix tiles with little L1, or few with much? PCG on a Wormhole, on
-- the largest problem that fits, with as many rows of eight tiles as fit into the area of the
-- chip. Two tiles are switched off and one dispatches, as on the n300.
--     gridloom model codesign workloads/experiments/codesign_pcg.lua -o codesign_pcg.svg
local KIB = 1024

-- Four vectors of 2 KiB tiles in bf16, and 104 KiB for everything else.
local function tiles_that_fit(bytes)
    return math.max(1, (bytes // KIB - 104) // 8)
end

-- 96 KiB do not hold one tile.
local sizes, depths = { 96, 192, 256, 384, 512, 768, 1024, 1464, 2048, 3072 }, {}
for i, kilobytes in ipairs(sizes) do
    sizes[i] = kilobytes * KIB
    depths[i] = tiles_that_fit(sizes[i])
end

-- Floor plans with 7 to 14 rows of tiles. The chip's DRAM needs 12 rows of all kinds; further
-- rows are added below. Row 6 is Ethernet's.
local plans = { compute = {}, all = {}, tensix = {}, harvested = {} }
local tensix = { 1, 2, 3, 4, 5 }
for row = 7, 15 do
    tensix[#tensix + 1] = row
    if #tensix >= 7 then
        table.insert(plans.compute, #tensix - 3)
        table.insert(plans.all, math.max(row + 1, 12))
        table.insert(plans.tensix, table.concat(tensix, ","))
        table.insert(plans.harvested, ("%d,%d"):format(row - 1, row))
    end
end

return {
    summary = "PCG on the largest problem that fits: L1 or Tensix tiles in one area",
    script = "pcg",
    chip = "wormhole_n300",
    fixed = { iterations = 2, cols = 8 },
    axes = {
        { name = "l1.capacity_bytes", values = sizes },
        { name = "tiles", with = "l1.capacity_bytes", values = depths },
        { name = "rows", values = plans.compute },
        { name = "grid.compute_row_count", with = "rows", values = plans.compute },
        { name = "grid.row_count", with = "rows", values = plans.all },
        { name = "grid.tensix_rows", with = "rows", values = plans.tensix },
        { name = "grid.harvested_rows", with = "rows", values = plans.harvested },
    },
    timing_only = true,
    record = {
        cores = "parameters.rows*parameters.cols",
        cells = "1024*parameters.tiles",
        seconds = "seconds_per_iteration",
    },
}
