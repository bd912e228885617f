-- Kernels over grids on FPGA boards: windows, processing elements and the report. Each kernel
-- says what its sweeps compute (nero/hdiff.lua, nero/vadvc.lua).

local weather = require("weather")

local ROUNDOFF = { fp32 = 0x1p-24, fp16 = 0x1p-11 }

local grid = { formats = { "fp32", "fp16" }, rounds = 3 }

local function word(name, most, help)
    return { name = name, type = "integer", default = 0, min = 0, max = most, chips = { "nero" }, help = help }
end

-- Parameters that only boards have.
grid.parameters = {
    word("pes", 256, "processing elements; 0: as many as published, if they fit"),
    word("window_x", 4096, "points of a window along x; 0: as published"),
    word("window_y", 4096, "points of a window along y; 0: as published"),
    word("window_z", 4096, "planes of a window; 0: as published"),
    word("lanes", 256, "points that a sweep takes in a cycle; 0: as many as a PE's word has"),
    word("partition", 1024, "parts of on-chip arrays; 0: enough for all lanes"),
    { name = "buffers", type = "integer", default = 2, min = 1, max = 2, chips = { "nero" }, help = "windows that a PE has room for" },
    { name = "steps", type = "switch", default = false, chips = { "nero" },
      help = "rounds are time steps: each takes the result of the one before" },
    { name = "data", type = "choice", default = "board", choices = { "board", "host", "chip" }, chips = { "nero" },
      help = "where grids are: in the board's memory, in the host's, or, small ones, on the chip" },
}

-- Window sizes along each axis; by default the published ones, cut to the grid.
local function window_of(p, kernel)
    local published = kernel.published.windows[p.dtype]
    local function size(asked, usual, all)
        return asked > 0 and asked or math.min(usual or all, all)
    end
    return { size(p.window_x, published[1], p.nx), size(p.window_y, published[2], p.ny), size(p.window_z, published[3], p.nz) }
end

-- The design with the requested PEs; by default as many of the published PEs as fit.
function grid.board(host, p, kernel)
    local plan = {
        name = kernel.name, window = window_of(p, kernel), depth = p.nz, format = p.dtype, fields = kernel.fields,
        sweeps = kernel.sweeps, lanes = p.lanes, partition = p.partition, buffers = p.buffers,
    }
    local most = math.min(kernel.published.pes, host.number("memory.port_count"))
    if p.pes > 0 then
        plan.pes = p.pes
        local board, why = host.try_board(plan)
        return board or host.refuse(why), plan
    end
    local first
    for pes = most, 1, -1 do
        plan.pes = pes
        local board, why = host.try_board(plan)
        if board then
            return board, plan
        end
        first = why
    end
    host.refuse(first)
end

-- Runs in the board's memory. Returns the job's cycles and the result, which begins as `kept`.
local function run_on_board(host, board, job, fields, kept)
    local inputs = {}
    for i, field in ipairs(fields) do
        inputs[i] = host.allocate(#field)
        host.upload(field, inputs[i])
    end
    local output, result, cycles = host.allocate(#kept), host.buffer(#kept), nil
    host.upload(kept, output)
    job.inputs, job.outputs = inputs, { output }
    board:prepare()
    host.measure(function() cycles = board:run(job) end, job.rounds)
    host.download(job.next > 0 and job.rounds % 2 == 0 and inputs[job.next] or output, result)
    return cycles, result
end

-- Runs from host memory: the board fetches windows and brings them back.
local function run_from_host(host, board, job, fields, kept)
    local result, cycles = host.buffer(#kept), nil
    result:put(0, kept)
    job.inputs, job.outputs = fields, { result }
    board:prepare()
    host.measure(function() cycles = board:run(job) end, job.rounds)
    return cycles, result
end

local function check(host, p, kernel, result)
    if not host.is_functional then
        return
    end
    local steps = p.steps and p.rounds or 1
    host.check_equal(result, kernel.reference(p.dtype, steps), ("%s with every operation rounded, bit for bit"):format(p.dtype))
    if steps > 1 then
        return   -- the bound below is for one pass
    end
    host.check {
        error = result:converted(p.dtype, "fp32"):error("fp32", kernel.exact()),
        tolerance = kernel.roundoffs * ROUNDOFF[p.dtype], reference = "double precision",
    }
end

-- Percent of the device by resource, and their mean.
local function report_resources(host, board)
    local percent, rows, sum = {}, {}, 0
    local resources = board:resources()
    for i, resource in ipairs(resources) do
        percent[resource.name] = resource.percent
        rows[i] = { resource.name, math.ceil(resource.pe), math.ceil(resource.shell), ("%.2f"):format(resource.percent) }
        sum = sum + resource.percent
    end
    host.metric("resources", percent)
    host.metric("resource_percent", sum / #resources)
    host.table { name = "resources", columns = { "resource", "of_a_pe", "shell", "percent" }, rows = rows }
    rows = {}
    for i, buffer in ipairs(board:buffers()) do
        rows[i] = { buffer.name, buffer.resource, buffer.count, buffer.bits, buffer.blocks }
    end
    host.table { name = "buffers", columns = { "buffer", "resource", "of_a_pe", "bits", "blocks" }, rows = rows }
    return sum / #resources
end

local function report_sweeps(host, board)
    local sweeps = {}
    for i, sweep in ipairs(board:plan().sweeps) do
        sweeps[i] = { name = sweep.name, interval = sweep.interval, depth = sweep.depth, recurrence = sweep.recurrence }
    end
    host.metric("sweeps", sweeps)
    host.metric("lanes", board:plan().lanes)
end

local function time_text(seconds)
    return seconds < 1e-3 and ("%.3g us"):format(seconds * 1e6) or ("%.4g ms"):format(seconds * 1e3)
end

local function report(host, p, kernel, board, plan, cycles)
    local seconds = cycles / host.number("chip.clock_hz")
    local use, window = board:use(), plan.window
    local gflops = weather.report(host, p, kernel.flop, seconds, p.rounds)
    local watts = use.joules / seconds
    local filled = report_resources(host, board)

    host.metric("pes", plan.pes)
    host.metric("window", { x = window[1], y = window[2], z = window[3] })
    host.metric("windows", use.windows // p.rounds)
    host.metric("padded_points", use.padded_points // p.rounds)
    host.metric("memory_bytes_per_second", use.memory_bytes / seconds)
    host.metric("link_bytes", use.link_bytes)
    host.metric("watts", watts)
    host.metric("gflops_per_watt", gflops / watts)
    report_sweeps(host, board)
    if use.padded_points > 0 then
        print(("windows of %d x %d x %d do not divide %d x %d x %d points: padded with %d")
            :format(window[1], window[2], window[3], p.nx, p.ny, p.nz, use.padded_points // p.rounds))
    end
    print(("%s %s, %d x %d x %d points, %d %s, windows of %d x %d x %d, data on %s: %.4g GFLOP/s, %s a pass; %.3g W, %.3g GFLOP/s/W; %.1f %% of the device")
        :format(kernel.name, p.dtype, p.nx, p.ny, p.nz, plan.pes, plan.pes == 1 and "PE" or "PEs", window[1], window[2], window[3], p.data, gflops,
            time_text(seconds / p.rounds), watts, gflops / watts, filled))
end

-- Runs `kernel`: name, published = { pes =, windows = { dtype = { x, y, z } } }, flop per
-- point, fields (names), sweeps as host.board takes them, `next`, the field that the result
-- becomes in time steps; make(), which returns the fields and the initial result;
-- reference(format, steps) and exact(), the expected results; and the allowed difference from the
-- latter in roundoffs of the format.
function grid.run(host, p, kernel)
    local board, plan = grid.board(host, p, kernel)
    local job = { nx = p.nx, ny = p.ny, nz = p.nz, border = weather.border, rounds = p.rounds, data = p.data, next = p.steps and kernel.next or 0 }
    if p.steps and p.data ~= "board" then
        host.refuse(("steps = on, data = %s: time steps have their grids in the board's memory, data = board"):format(p.data))
    end
    local run = p.data == "board" and run_on_board or run_from_host
    local cycles, result = run(host, board, job, kernel.make())
    check(host, p, kernel, result)
    report(host, p, kernel, board, plan, cycles)
    local made = board:plan()
    p.pes, p.window_x, p.window_y, p.window_z = plan.pes, table.unpack(plan.window)
    p.lanes, p.partition = made.lanes, made.partition
end

return grid
