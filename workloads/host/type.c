/* Makes metatables of userdata. */
#include "workloads/host/type.h"

void host_type_register(lua_State *L, const HostType *type)
{
    luaL_newmetatable(L, type->name);
    if (type->collect != NULL) {
        lua_pushcfunction(L, type->collect);
        lua_setfield(L, -2, "__gc");
    }
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    api_push(L, type->api);
    if (type->get != NULL) {
        lua_pushcclosure(L, type->get, 1);
    }
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

int host_type_method(lua_State *L)
{
    lua_pushvalue(L, 2);
    lua_gettable(L, lua_upvalueindex(1));
    return 1;
}
