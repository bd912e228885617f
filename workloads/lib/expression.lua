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

-- Functions of math that take arrays, too.
local function widened()
    local known = {}
    for _, name in ipairs { "abs", "cos", "exp", "floor", "log", "sin", "sqrt" } do
        known[name] = function(x, ...)
            if type(x) ~= "userdata" or select("#", ...) > 0 then return math[name](x, ...) end
            return x[name](x)
        end
    end
    return known
end

-- The names that an expression may use.
local function environment(host, it)
    local known = it.takes_arrays and widened() or {}
    known.pi = math.pi
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

-- expression.compile(host, { name =, text =, words =, axes =, takes_arrays = }): the function of the
-- parameter's text. `axes` are its arguments, `words` what else the parameter takes. Arguments may be
-- arrays where `takes_arrays`.
function expression.compile(host, it)
    local source = ("local %s = ... return (%s\n)"):format(listed(it.axes), it.text)
    local f, why = load(source, "=" .. it.name, "t", environment(host, it))
    if not f then
        refuse(host, it, (why:gsub("^[^:]*:%d+: ", "")))
    end
    return f
end

-- Whether a text means the same for arrays as for each of their numbers: conditions do not, and raise
-- no error.
function expression.suits_arrays(text)
    for word in text:gmatch("[%a_][%w_]*") do
        if word == "and" or word == "or" or word == "not" or word == "function" then return false end
    end
    return not text:find("[=#]")
end

-- Whether a number has a value in a format whose largest number is `most`.
function expression.is_number(value, most)
    return math.type(value) ~= nil and math.abs(value) <= most
end

return expression
