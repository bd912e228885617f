-- Kernels of weather models on wafers, where a PE has a column of points, all planes of a place
-- (x, y): their common part, from formats to the report.

local join = require("wafer/join")
local rates = require("wafer/rates")
local room = require("wafer/room")
local spread = require("wafer/spread")
local stencil = require("wafer/column_stencil")
local weather = require("weather")

local LINE = 16                         -- bytes to which arrays are aligned
local WORD = 4                          -- bytes of a variable
local VARIABLES = 8                     -- of a PE, at most
local SLICE = 50

local columns = { line = LINE, variable_bytes = VARIABLES * WORD, kinds = {} }

for dtype, own in pairs { fp32 = { move = "fmovs", negate = "fnegs" }, fp16 = { move = "fmovh", negate = "fnegh" } } do
    local kind = own
    for name, value in pairs(stencil.kinds[dtype]) do
        kind[name] = value
    end
    columns.kinds[dtype] = kind
end

-- Numbers from one column to the next in an array of several.
function columns.pitch(kind, layers)
    local line = LINE // kind.bytes
    return (layers + line - 1) // line * line
end

-- columns.emit_stages(pe, { begin =, tasks =, stages =, rounds =, is_counted = }): tasks of a
-- program that goes through stages, round after round. A stage has a name; asynchronous
-- operations { name, operands ... }; after(), which emits the work that follows them; and
-- optionally meanwhile(), for work in the meantime. `tasks` has, for each stage, `done` and
-- `ended`, ids for wafer/join.lua; `begin` begins a round. Rounds are counted where points are
-- computed: PEs of the border have little to do and are ahead of them.
function columns.emit_stages(pe, it)
    local round = pe:variable { name = "round", value = 0 }
    local options = {}
    local function go_on(i)
        local stage = it.stages[i]
        if not stage then
            if it.is_counted then
                pe:iteration_done()
            end
            pe:add(round, 1)
            pe:when(round, "<", it.rounds, function() pe:activate(it.begin) end)
            return
        end
        pe:zone("exchange")
        pe:phase("halo")
        for each, operation in ipairs(stage) do
            local operands = table.move(operation, 2, #operation, 1, {})
            operands[#operands + 1] = options[i][each]
            pe[operation[1]](pe, table.unpack(operands))
        end
        pe:phase("")
        if stage.meanwhile then
            pe:zone("compute")
            stage.meanwhile()
            pe:zone("exchange")
        end
        if #stage == 0 then
            stage.after()
            go_on(i + 1)
        end
    end
    for i, stage in ipairs(it.stages) do
        options[i] = #stage > 0 and join.all(pe, {
            name = stage.name, count = #stage, tasks = it.tasks[i].ended, done = it.tasks[i].done,
        }) or {}
    end
    pe:bind_local_task(it.begin, "begin", function() go_on(1) end)
    for i, stage in ipairs(it.stages) do
        if #stage > 0 then
            pe:bind_local_task(it.tasks[i].done, stage.name .. "_received", function()
                pe:zone("compute")
                stage.after()
                go_on(i + 1)
            end)
        end
    end
    pe:activate(it.begin)
end

local function check_layers(host, p, it)
    local bytes = room.bytes(host)
    local most = room.most(host.number("dsd.length_limit_elements") // 4, function(layers) return it.bytes(layers) <= bytes end)
    if p.nz > most then
        host.refuse(("nz = %d in %s, at most %d fit into a PE: %d bytes beside the code"):format(p.nz, p.dtype, most, bytes))
    end
end

-- Compares with both references.
local function check(host, p, it, result)
    host.check_equal(result, it.reference(p.dtype, it.fields), "every operation rounded to " .. p.dtype .. ", bit for bit")
    local singles = {}
    for name, field in pairs(it.fields) do
        singles[name] = p.dtype == "fp32" and field or field:converted(p.dtype, "fp32")
    end
    local single = p.dtype == "fp32" and result or result:converted(p.dtype, "fp32")
    -- One more rounding is that of the reference.
    host.check {
        error = single:error("fp32", it.reference("double", singles)), tolerance = (it.bound + 1) * it.kind.roundoff,
        reference = "in double precision; every rounding at its worst",
    }
end

local function report(host, p, it, wafer, cycles)
    local clock = host.number("chip.clock_hz")
    local profile, zones = wafer:profile(), wafer:zones()
    local gflops = weather.report(host, p, it.flop, cycles / clock, p.rounds)
    host.metric("cycles_per_round", cycles / p.rounds)
    host.metric("cycles_per_round_steady", rates.steady_cycles(wafer:iterations()))
    host.metric("cycles_per_point", cycles / p.rounds / p.nz)
    rates.roofs(host, { pes = p.nx * p.ny, fuse = it.kind.fuse, fuse_rate = it.kind.fuse_rate, flop = it.flop, achieved = gflops / 1e3 })
    print(("%d x %d x %d points, %s, %d rounds, grain %s: %.0f cycles a round, %.2f a point, %.1f GFLOP/s; busy %.1f %%, memory %.1f %%, exchange %.1f %%")
        :format(p.nx, p.ny, p.nz, p.dtype, p.rounds, wafer.grain, cycles / p.rounds, cycles / p.rounds / p.nz, gflops,
            100 * profile.busy, 100 * profile.memory_idle, 100 * (zones.exchange or 0) / profile.cycles))
end

-- columns.run(host, p, it): p has nx, ny, nz, dtype, rounds; `it` has
--   kind, bytes(layers), lay_out(layout)
--   fields                   -- buffers by the names of arrays, column after column; the result is in `out`
--   reference(format, fields), flop
--   bound                    -- the most that roundings can change a number, in units of roundoff
function columns.run(host, p, it)
    room.check_rectangle(host, p, "nx", "ny")
    check_layers(host, p, it)
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.rounds, period = { spread.period, spread.period }, slice = { SLICE, SLICE },
        layout = it.lay_out,
    }
    local copies, cycles = {}, nil
    for name, field in pairs(it.fields) do
        copies[#copies + 1] = { name = name, buffer = field, count = p.nz }
    end
    wafer:copy_to(copies)
    wafer:prepare()
    host.measure(function() cycles = wafer:launch() end, p.rounds)
    local result = host.buffer(p.nx * p.ny * p.nz * it.kind.bytes)
    wafer:copy_from { name = "out", buffer = result, count = p.nz }
    if host.is_functional then
        check(host, p, it, result)
    end
    report(host, p, it, wafer, cycles)
end

return columns
