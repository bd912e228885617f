-- The end of several asynchronous operations, as a part of a program for wafers.
--
--   local options = join.all(pe, { name = "column", count = 3, tasks = { 10, 11 }, done = DONE })
--   pe:fmovs(to, from, options[1]) ...       -- in a task: one of them for each operation
--
-- DONE is activated when all of them have ended; they may then begin again. Two operations
-- share a task, which one of them activates and the other unblocks: join.task_count(count).

local join = {}

function join.task_count(count)
    return (count + 1) // 2
end

function join.all(pe, it)
    local pairs_of = join.task_count(it.count)
    local ended = pairs_of > 1 and pe:variable { name = it.name .. "_ended", value = 0 } or nil
    local options = {}
    if it.count == 1 then
        return { { async = true, activate = it.done } }
    end
    for i = 1, pairs_of do
        local task, is_pair = it.tasks[i], 2 * i <= it.count
        options[2 * i - 1] = { async = true, activate = task }
        options[2 * i] = is_pair and { async = true, unblock = task } or nil
        pe:bind_local_task(task, ("%s_ended_%d"):format(it.name, i), function()
            if is_pair then
                pe:block(task)
            end
            if not ended then
                pe:activate(it.done)
                return
            end
            pe:add(ended, 1)
            pe:when(ended, "==", pairs_of, function()
                pe:assign(ended, 0)
                pe:activate(it.done)
            end)
        end)
        if is_pair then
            pe:block(task)
        end
    end
    return options
end

return join
