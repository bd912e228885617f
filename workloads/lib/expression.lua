-- Numbers that a user gives by an expression: Lua, with the functions of math, pi and some names.

local expression = {}

-- "a, b and c" of a list.
local function listed(names)
    return table.concat(names, ", ")
end

-- Refuses a value of a parameter that is neither a word nor an expression.
local function refuse(host, it, why)
    host.refuse(("%s=%s: %s; expected %s or an expression of %s, pi and Lua's functions of math"):format(it.name, it.text, why,
        listed(it.words), listed(it.axes)))
end

-- The names that an expression may use.
local function environment(host, it)
    local known = { pi = math.pi }
    for key, value in pairs(math) do
        known[key] = known[key] or value
    end
    known.random, known.randomseed = nil, nil
    return setmetatable(known, {
        __index = function(_, key)
            refuse(host, it, ("no name '%s'"):format(key))
        end,
    })
end

-- expression.compile(host, { name =, text =, words =, axes = }): the function of the parameter's
-- text. `axes` are its arguments, `words` what else the parameter takes.
function expression.compile(host, it)
    local source = ("local %s = ... return (%s\n)"):format(listed(it.axes), it.text)
    local f, why = load(source, "=" .. it.name, "t", environment(host, it))
    if not f then
        refuse(host, it, (why:gsub("^[^:]*:%d+: ", "")))
    end
    return f
end

-- Whether a number has a value in a format whose largest number is `most`.
function expression.is_number(value, most)
    return math.type(value) ~= nil and math.abs(value) <= most
end

return expression
