/* Sets fields of the Lua table at the top of the stack. */
#include "workloads/sandbox/answer.h"

void answer_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void answer_count(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer) value);
    lua_setfield(L, -2, name);
}

void answer_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}
