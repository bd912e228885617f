-- The common part of hdiff and vadvc on cores: constants in L1, the three kernels, one measured
-- launch, and the report.

local weather = require("weather")

local launch = {}

-- The best distance, in pages, between items of so many pages: cores that are at the same place
-- of different items, as when they begin together, then use different banks of DRAM.
function launch.stride(host, pages)
    local function shares(a, b)
        return b == 0 and a > 1 or b > 0 and shares(b, a % b)
    end
    while shares(host.number("dram.channel_count"), pages) do
        pages = pages + 1
    end
    return pages
end

-- Fills tiles with one number each in the L1 of all these cores. Returns their address.
function launch.constants(host, cores, format, values)
    local bytes = host.tile_bytes(format)
    local at = host.l1_allocate { cores = cores, bytes = #values * bytes, name = "constants" }
    local tiles, tile = host.buffer(#values * bytes), host.buffer(bytes)
    for i, value in ipairs(values) do
        tile:fill_with(format, value)
        tiles:put((i - 1) * bytes, tile)
    end
    for y = cores[2], cores[4] do
        for x = cores[1], cores[3] do
            host.l1_write(x, y, at, tiles)
        end
    end
    return at
end

-- Kernels `name`_reader, `name`_writer and `name`_compute, on all these cores. Dst has 32 bits;
-- products on the FPU have all bits of both factors.
function launch.add_kernels(program, name, cores, args)
    for _, processor in ipairs { "reader", "writer", "compute" } do
        local is_compute = processor == "compute" or nil
        program:kernel {
            name = processor, kernel = name .. "_" .. processor, processor = processor, cores = cores, args = args,
            code = is_compute and "large", fp32_dst = is_compute, fidelity = is_compute and "hifi4",
        }
    end
end

-- Runs the program and reports: `it` has core_count, flop (per point) and words (for the
-- printed line).
function launch.measure(host, p, program, it)
    local number, cycles = host.launch(program), nil
    host.measure(function() cycles = host.wait(number) end, p.rounds)
    local gflops = weather.report(host, p, it.flop, cycles / host.number("chip.clock_hz"), p.rounds)
    host.metric("cycles_per_round", cycles / p.rounds)
    host.metric("mean_core_cycles_per_round", host.mean_cycles(number) / p.rounds)
    print(("%d x %d x %d, %s, on %d cores, %s: %.0f cycles, %.1f GFLOP/s"):format(
        p.nx, p.ny, p.nz, p.dtype, it.core_count, it.words, cycles / p.rounds, gflops))
    if (host.chip_count or 1) > 1 then
        print(("on chip 0 of %d"):format(host.chip_count))
    end
end

-- Compares with double precision, for numbers that the format holds.
function launch.check(host, p, result, exact, tolerance)
    if p.dtype ~= "fp32" then
        result = result:converted(p.dtype, "fp32")
    end
    host.check {
        error = result:error("fp32", exact), tolerance = tolerance,
        reference = ("double precision; tolerance: what %s may lose at most, for numbers of these sizes"):format(p.dtype),
    }
end

return launch
