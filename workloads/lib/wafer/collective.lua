-- Collectives over a rectangle of PEs of a wafer, for 32-bit numbers: a reduction (sums) to one
-- PE, the root; a broadcast from it; and both, an all-reduce. workloads/doc/wafer-workloads.md,
-- "Collectives", explains how to use them and how to write a pattern of your own.
--
-- A PE with one incoming stream of partial sums adds its own to it while sending it on, in one
-- operation beside its tasks; if a control wavelet goes behind the stream, in the task. A PE with
-- several adds them one after another, in the order of the pattern, over one input queue; each
-- operation binds the queue to its color. No PE may send for the next call while that queue still
-- has a color of this one. The last color on it is therefore the broadcast's, and every PE waits
-- for that. A root with several streams gets its own broadcast back, because others may begin the
-- next call before it does; if the broadcast has many numbers, the root instead sends one number
-- to itself on a color of its own. After a reduction one number is broadcast, to say that the root
-- has the sums.

local broadcast = require("wafer/collective/broadcast")
local rows_then_column = require("wafer/collective/rows_then_column")
local two_phase = require("wafer/collective/two_phase")

local collective = {
    most_merged = 4,    -- numbers of a PE up to which merging streams are fastest
}

local QUEUED = 2    -- numbers that any input queue holds: a root can send them before it receives them

local chain = rows_then_column(require("wafer/collective/chain"))
local center = rows_then_column(require("wafer/collective/center"))

-- Functions of columns, rows and the size of groups. They return nil and the reason if the
-- pattern does not fit.
collective.patterns = {
    chain = require("wafer/collective/snake"),
    tree = rows_then_column(require("wafer/collective/tree")),
    ["two-phase"] = rows_then_column(two_phase.merges),
    corner = chain,
    merge = require("wafer/collective/merge"),
    center = function(columns, rows, group)
        if math.max(columns, rows) < 3 then
            return nil, ("%d x %d PEs have no middle between two others, 3 x 1 or 1 x 3 at least have; chain, tree and corner fit")
                :format(columns, rows)
        end
        return center(columns, rows, group)
    end,
}

-- collective.names(patterns): the user's choices.
function collective.names(patterns)
    local names = {}
    for name in pairs(patterns) do
        names[#names + 1] = name
    end
    return names
end

-- collective.chosen(pattern, columns, rows, words): the pattern that auto stands for on such a
-- rectangle. A chain adds a number in about six cycles per PE on the way, however many follow;
-- streams that merge take a cycle for each number of each PE.
function collective.chosen(pattern, columns, rows, words)
    if pattern ~= "auto" then
        return pattern
    elseif math.max(columns, rows) < 3 then
        return "chain"
    end
    return words <= collective.most_merged and "merge" or "center"
end

-- A pattern along a line, first in rows and then in a column.
collective.along_lines = rows_then_column

local function pattern_of(pattern)
    return type(pattern) == "function" and pattern or collective.patterns[pattern]
        or error(("pattern %s, expected chain, tree, two-phase, corner, center, merge or a function"):format(pattern), 3)
end

-- collective.free_colors(host): the colors that programs may use.
function collective.free_colors(host)
    local is_reserved, colors = {}, {}
    for color in tostring(host.number("router.reserved_colors")):gmatch("%d+") do
        is_reserved[tonumber(color)] = true
    end
    for color = 0, host.number("router.color_count") - 1 do
        if not is_reserved[color] then
            colors[#colors + 1] = color
        end
    end
    return colors
end

-- After so many columns and rows programs and their colors are the same. Those of a center are
-- beside the middle, whose color alternates. Trees have none.
local PERIODS = { chain = { 2, 4 }, corner = { 2, 2 }, center = { 4, 4 } }

-- collective.slice(pattern, columns, rows, group, least): what a slice of such a layout has, the
-- groups of the whole among it: { groups = for collective.plan, period =, slice = }, the last two
-- for host.wafer. Groups alternate, and it takes three of them to have every color.
function collective.slice(pattern, columns, rows, group, least)
    if pattern ~= "two-phase" then
        return { groups = group, period = PERIODS[pattern] or { 1, 1 }, slice = { least, least } }
    end
    local groups, period, slice = {}, {}, {}
    for axis, count in ipairs { columns, rows } do
        groups[axis] = two_phase.size(count, group)
        period[axis], slice[axis] = 2 * groups[axis], math.max(least, 3 * groups[axis])
    end
    return { groups = groups, period = period, slice = slice }
end

-- collective.merges(pattern, columns, rows, group): { into, from } in the order of addition.
-- The number of a PE is y * columns + x.
function collective.merges(pattern, columns, rows, group)
    local reduction, why = pattern_of(pattern)(columns, rows, group)
    if not reduction then
        return nil, why
    end
    return reduction.merges()
end

-- The steps of a PE { receive =, send =, phase = }, with the last addition and the send in one
-- step.
local function fused(steps)
    local list = {}
    for i, step in ipairs(steps) do
        if step.send and i > 1 and not list[#list].streams then
            list[#list] = {
                receive = list[#list].receive, send = step.send, phase = step.phase, is_turning = step.is_turning, is_ending = step.is_ending,
            }
        else
            list[#list + 1] = step
        end
    end
    return list
end

local Plan = {}
Plan.__index = Plan

-- The plan without its colors, or nil and the reason.
local function uncolored(layout, options, pattern, group)
    local plan = setmetatable({
        columns = layout.columns, rows = layout.rows, words = options.words,
        is_reducing = options.operation ~= "broadcast", is_spreading = options.operation ~= "reduce",
        input_queues = options.input_queues, output_queues = options.output_queues,
    }, Plan)
    local why
    plan.reduction, why = pattern_of(pattern)(layout.columns, layout.rows, group)
    if not plan.reduction then
        return nil, why
    end
    plan.root = plan.reduction.root
    plan.broadcast_color = 1 + (plan.is_reducing and plan.reduction.color_count or 0)
    plan.color_count = plan.broadcast_color
    plan.is_returned = plan.is_reducing and #fused(plan.reduction.steps(plan.root.x, plan.root.y)) > 1
    if plan.is_returned and plan.is_spreading and plan.words > QUEUED then
        plan.loop_color = plan.broadcast_color + 1
        plan.color_count = plan.loop_color
    end
    return plan
end

-- Names the patterns for which there are enough colors.
local function others_that_fit(layout, options)
    local names = {}
    for name in pairs(collective.patterns) do
        local plan = uncolored(layout, options, name)
        if plan and plan.color_count <= #options.colors then
            names[#names + 1] = name
        end
    end
    return #names > 0 and "; enough for " .. table.concat(names, ", ") or ""
end

-- collective.plan(layout, { operation =, pattern =, group =, words =, colors =, input_queues =,
-- output_queues = }). Returns nil and the reason if it does not fit.
function collective.plan(layout, options)
    local plan, why = uncolored(layout, options, options.pattern, options.group)
    if plan and plan.color_count > #options.colors then
        return nil, ("%d x %d PEs need %d colors, %d are free%s"):format(layout.columns, layout.rows, plan.color_count,
            #options.colors, others_that_fit(layout, options))
    elseif plan then
        plan.colors = options.colors
    end
    return plan, why
end

function Plan:configure(layout)
    if self.is_reducing then
        self.reduction.each_route(function(tiles, color, rx, tx, switches)
            layout:set_color_config(tiles, self.colors[color], { routes = { rx = rx, tx = tx }, switches = switches })
        end)
        self.turning = layout:encode_payload { commands = { "SWITCH_ADV" }, ce_filter = true }
    end
    local is_back = self.is_returned and not self.loop_color
    broadcast.each_route(self.columns, self.rows, self.root, is_back, function(tiles, rx, tx)
        layout:set_color_config(tiles, self.colors[self.broadcast_color], { routes = { rx = rx, tx = tx } })
    end)
    if self.loop_color then
        layout:set_color_config({ self.root.x, self.root.y }, self.colors[self.loop_color],
            { routes = { rx = "RAMP", tx = "RAMP" } })
    end
end

function Plan:column_key(x)
    return (x == self.root.x and "root " or "") .. (self.is_reducing and self.reduction.column_key(x) or "")
end

function Plan:row_key(y, x)
    return (x == self.root.x and y == self.root.y and "root " or "")
        .. (self.is_reducing and self.reduction.row_key(y, x) or "")
end

local Part = {}
Part.__index = Part

-- plan:attach(pe, { x =, y =, value = f32 array of `words` numbers, done = task, between = }):
-- optionally, between() emits the root's work between having the sums and sending them.
function Plan:attach(pe, place)
    local part = setmetatable({
        plan = self, pe = pe, done = place.done, between = place.between, array = place.value, forms = {},
        is_root = place.x == self.root.x and place.y == self.root.y,
        steps = self.is_reducing and fused(self.reduction.steps(place.x, place.y)) or {},
    }, Part)
    part.is_mixed = (#part.steps > 1) or part.is_root
    part.is_waiting = part.is_mixed or #part.steps == 1 and part.steps[1].is_ending
    if not self.is_spreading or part.is_root and self.loop_color then
        part.token = pe:mem1d_dsd { base = pe:scalar { name = "token", type = "f32", value = 0 }, extent = 1 }
    end
    part:form(self.words)
    return part
end

-- The descriptors of calls with the first `words` numbers.
function Part:form(words)
    if not self.forms[words] then
        local form = { steps = {}, value = self.pe:mem1d_dsd { base = self.array, extent = words } }
        for i, step in ipairs(self.steps) do
            form.steps[i] = self:declare_step(step, form.value, words)
        end
        self:declare_broadcast(form, words)
        self.forms[words] = form
    end
    return self.forms[words]
end

function Part:fabin(color, queue, extent)
    return self.pe:fabin_dsd { color = self.plan.colors[color], input_queue = self.plan.input_queues[queue], extent = extent }
end

function Part:fabout(color, queue, extent, more)
    return self.pe:fabout_dsd {
        color = self.plan.colors[color], output_queue = self.plan.output_queues[queue], extent = extent,
        advance_switch = more == "turn" or nil, control = more == "control" or nil,
    }
end

-- Where several streams are added up: all to the same numbers, in one number one by one.
local function sums_of(pe, array, streams, words)
    if words == 1 then
        return pe:mem1d_dsd { base = array, extent = streams, stride = 0 }
    end
    return pe:mem4d_dsd { base = array, extents = { streams, words }, strides = { 0, 1 } }
end

function Part:declare_step(step, value, words)
    local streams = step.streams or 1
    return {
        phase = step.phase, from = step.receive and self:fabin(step.receive, 1, streams * words),
        to = step.send and self:fabout(step.send, 1, words, step.is_turning and "turn"),
        turning = step.is_ending and self:fabout(step.send, 1, 1, "control") or nil,
        own = value, sums = streams > 1 and sums_of(self.pe, self.array, streams, words) or value,
    }
end

-- Declares the broadcast of the sums, or of one number that says that the root has them.
function Part:declare_broadcast(form, words)
    local plan = self.plan
    local extent = plan.is_spreading and words or 1
    if plan.columns * plan.rows == 1 then
        return
    end
    form.spread = plan.is_spreading and form.value or self.token
    if not self.is_root then
        form.spread_from = self:fabin(plan.broadcast_color, self.is_mixed and 1 or 2, extent)
        return
    end
    form.spread_to = self:fabout(plan.broadcast_color, 1, extent)
    if plan.loop_color then
        form.loop_to, form.loop_from = self:fabout(plan.loop_color, 2, 1), self:fabin(plan.loop_color, 1, 1)
    elseif plan.is_returned then
        form.spread_from = self:fabin(plan.broadcast_color, 1, extent)
    end
end

-- Emits the operation of one step.
function Part:emit_step(step, options)
    local pe = self.pe
    pe:phase(step.phase)
    if not step.from then
        pe:fmovs(step.to, step.own, options)
    elseif step.to then
        pe:fadds(step.to, step.from, step.own, options)
    else
        pe:fadds(step.sums, step.from, step.sums, options)
    end
    if step.turning then
        pe:mov32(step.turning, pe:word(self.plan.turning), options)
    end
end

-- Emits the broadcast. The last operation that the PE waits for ends the call.
function Part:emit_broadcast(form)
    local done = self.done
    local function emit(phase, to, from, is_last)
        self.pe:phase(phase)
        self.pe:fmovs(to, from, { async = true, activate = is_last and done or nil, priority = self.is_root and "high" or nil })
    end
    if not self.is_root then
        emit("broadcast", form.spread, form.spread_from, true)
        return
    end
    emit("broadcast", form.spread_to, form.spread, not self.plan.is_returned)
    if form.loop_to then
        emit("loop", form.loop_to, self.token, false)
        emit("return", self.token, form.loop_from, true)
    elseif form.spread_from then
        emit("return", form.spread, form.spread_from, true)
    end
end

-- Emits, in a task, the start of a call with all numbers or the first `words`, the same in all
-- PEs. `done` is activated when the call is over for this PE: when it has received or sent the
-- broadcast.
function Part:start(words)
    local pe = self.pe
    for _, step in ipairs(self:form(words or self.plan.words).steps) do
        self:emit_step(step, self.is_waiting and {} or { async = true, priority = "high" })
    end
    if self.is_root and self.between then
        pe:phase("")
        self.between()
    end
    self:start_broadcast(words)
end

-- The halves of an all-reduce, in separate launches: after the first the root has the sums, and
-- it may get others before it sends them in the second.
function Part:start_reduction()
    local pe = self.pe
    for _, step in ipairs(self:form(self.plan.words).steps) do
        self:emit_step(step, self.is_waiting and {} or { async = true, priority = "high", activate = self.done })
    end
    pe:phase("")
    if self.is_waiting then
        pe:activate(self.done)
    end
end

function Part:start_broadcast(words)
    local pe = self.pe
    if self.plan.columns * self.plan.rows == 1 then
        pe:activate(self.done)
    else
        self:emit_broadcast(self:form(words or self.plan.words))
    end
    pe:phase("")
end

return collective
