-- Step 4: reading the timeline. One core updates a vector in DRAM, with room for one tile or for
-- two in each circular buffer.
--
--     gridloom run workloads/tutorial/4_timeline.lua pages=1 --out one
--     gridloom run workloads/tutorial/4_timeline.lua pages=2 --out two
--     gridloom plot timeline one -o one.svg
--     gridloom plot timeline two -o two.svg
--
-- (or open one/report.html). Time goes to the right, in cycles; a line is one part of the core:
--
--   reader, writer          the processors that move data; `fetch` and `store` are our zones
--   unpack, math, pack      the processors that run the compute kernel
--   unpacker, sfpu, packer  the units that they command: into Dst, computing in it, out of it
--
-- Coloured is work, hatched is waiting, and lines that end in a diamond are transfers. Below the
-- core are the channels of the DRAM. With one page the parts take turns: no `fetch` begins before
-- the unpacker has emptied the page, so the SFPU waits for DRAM in every tile (stall
-- `circular_buffer`). With two pages the next tile is fetched while this one is computed, and a
-- tile takes two thirds of the time. A third page changes nothing: now
-- the gaps are in the reader's line, and the compute kernel sets the pace.
--
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete these calls.

local vector = require("update_from_dram")

return {
    summary = "tutorial 4: what a timeline shows: taking turns, and working at the same time",
    chips = { "tensix" },
    parameters = {
        { name = "pages", type = "integer", default = 1, min = 1, max = 64, help = "tiles for which a circular buffer has room" },
        { name = "tiles", type = "integer", default = 8, min = 1, max = 128, help = "tiles of 1024 numbers" },
    },
    kernels = vector.kernels,
    run = function(host, p)
        local cycles = vector.run(host, { columns = 1, rows = 1, tiles = p.tiles, block = 1, pages = p.pages })
        print(("room for %d tile%s: %.0f cycles per tile"):format(p.pages, p.pages == 1 and "" or "s", cycles / p.tiles))
    end,
}
