-- Rates of a stencil on cores, and the limits to compare them with.

local chips = require("cores/chips")
local time_parts = require("cores/time_parts")

local TILE, SIDE = 1024, 16     -- numbers of a tile, and of a line
local GIGA, TERA = 1e9, 1e12

-- Tile operations of the compute kernel per tile: those with two operands on the FPU, and
-- transposing copies.
local function count_operations(plan)
    local terms, turns = plan.it.has_before and 1 or 0, 1 + #plan.it.sums
    local function add(list)
        for _, group in ipairs(list) do
            terms = terms + #group.at
        end
    end
    for i, sum in ipairs(plan.it.sums) do
        add(sum.groups)
        terms = terms + (i > 1 and #sum.at or 0)
    end
    add(plan.it.groups)
    return terms, turns
end

-- The most that all cores could do if only one thing held them up, beside their actual rate.
local function report_roofs(host, plan, flop, tflops)
    local cores, tile_bytes = plan.size.rows * plan.size.cols, host.tile_bytes(plan.format)
    local is_fp32 = plan.format == "fp32"
    local terms, turns = count_operations(plan)
    local function roof(name, flop_per_cycle, source)
        local rate = cores * flop_per_cycle * host.number("chip.clock_hz") / TERA
        host.roof { name = name, unit = "TFLOP/s", value = rate, source = source, achieved = tflops }
    end
    if is_fp32 then
        roof("SFPU multiply-add", 2 * host.number("sfpu.lane_count"), "sfpu.lane_count, nothing but multiply-adds")
    else
        roof("FPU multiply-add", 2 * SIDE * host.number("fpu.instruction_rows") / plan.fidelity,
            ("fpu.instruction_rows, nothing but multiply-adds, %d fidelity phases"):format(plan.fidelity))
    end
    local unpacked = terms * (is_fp32 and 1 or 2) + turns
    roof("L1 to unpackers", flop * TILE * host.number("unpack.l1_bytes_per_cycle") / (unpacked * tile_bytes),
        ("unpack.l1_bytes_per_cycle, %d tiles for one"):format(unpacked))
    local shifts = #plan.resolved.shifts
    roof("NoC of shifted tiles", flop * TILE * host.number("noc.link_bytes_per_cycle") / (shifts * tile_bytes),
        ("noc.link_bytes_per_cycle, %d shifted tiles for one"):format(shifts))
end

-- report(host, plan, done, flop): takes a plan of cores/stencil_run.lua, the result of its
-- run.steps(), and the FLOP that a cell requires.
return function(host, plan, done, flop)
    local size, cells = plan.size, plan.size.nx * plan.size.ny * plan.size.nz
    local gcells = cells * host.number("chip.clock_hz") / done.cycles / GIGA
    local tflops = gcells * flop * GIGA / TERA
    local terms, turns = count_operations(plan)

    host.metric("cycles_per_step", done.cycles)
    host.metric("cycles_per_tile", done.cycles / size.tiles)
    host.metric("mean_core_cycles_per_tile", done.mean / size.tiles)
    host.metric("cycles_per_cell", done.cycles / (size.tiles * TILE))
    host.metric("gcells_per_second", gcells)
    host.metric("tflops", tflops)
    host.metric("required_flop", flop)
    host.metric("terms_per_tile", terms)
    host.metric("turns_per_tile", turns)
    host.metric("grid", { size.nx, size.ny, size.nz })
    host.metric("is_padded", size.is_padded)
    report_roofs(host, plan, flop, tflops)
    print(("%d x %d x %d cells, %s, %d steps on %d x %d cores%s: %.0f cycles a step, %.1f a tile, %.2f Gcell/s, %.4g TFLOP/s"):format(
        size.nx, size.ny, size.nz, plan.format, done.steps, size.rows, size.cols, chips.words_of(size), done.cycles, done.cycles / size.tiles, gcells, tflops))
    if done.times then
        time_parts.report(host, done.times)
    end
end
