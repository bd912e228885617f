/* Lua functions that catch errors, made so that none can hide a passed limit.
 *
 * Lua runs no hooks inside a hook. A limit is raised from one, so whatever Lua calls
 * before it has left the hook could loop for ever: the message handler of xpcall, and
 * the __close of a coroutine that died so. Neither is called after a limit. */
#include "workloads/sandbox/guard.h"

#include <stdbool.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/sandbox.h"

static int finish_pcall(lua_State *L, int status, lua_KContext skipped)
{
    if (status == LUA_OK || status == LUA_YIELD) {
        return lua_gettop(L) - sim_i32(skipped);
    }
    sandbox_check(L);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

int guard_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
    return finish_pcall(L, status, 0);
}

/* The message handler of xpcall; upvalue 1 is the script's. */
static int handle_message(lua_State *L)
{
    if (sandbox_is_stopped(sandbox_of(L))) {
        return 1;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

int guard_xpcall(lua_State *L)
{
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle_message, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_pcall);
    return finish_pcall(L, status, 2);
}

/* Resumes `thread` with the values on top of L. Returns how many results it left on
 * L, or -1 and the error value there. */
static int resume(lua_State *L, lua_State *thread, int argument_count)
{
    if (lua_checkstack(thread, argument_count) == 0) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    Watch *watch = sandbox_watch(sandbox_of(L));
    lua_Debug info;
    if (lua_status(thread) == LUA_OK && lua_getstack(thread, 0, &info) == 0) {
        /* Each coroutine has its own count: many short ones would never reach it. */
        sandbox_charge(L, (uint64_t) watch_start(watch, thread));
    }
    lua_xmove(L, thread, argument_count);
    int result_count = 0;
    WatchMark mark = watch_enter(watch, thread);
    int status = lua_resume(thread, L, argument_count, &result_count);
    watch_leave(watch, mark);
    sandbox_check(L);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(thread, L, 1);
        return -1;
    }
    if (lua_checkstack(L, result_count + 1) == 0) {
        lua_pop(thread, result_count);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(thread, L, result_count);
    return result_count;
}

int guard_resume(lua_State *L)
{
    lua_State *thread = lua_tothread(L, 1);
    luaL_argexpected(L, thread != NULL, 1, "coroutine");
    int result_count = resume(L, thread, lua_gettop(L) - 1);
    lua_pushboolean(L, result_count >= 0);
    int returned = result_count >= 0 ? result_count + 1 : 2;
    lua_insert(L, -returned);
    return returned;
}

/* The function that coroutine.wrap returns; upvalue 1 is the coroutine. */
static int resume_wrapped(lua_State *L)
{
    lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
    int result_count = resume(L, thread, lua_gettop(L));
    if (result_count >= 0) {
        return result_count;
    }
    int status = lua_status(thread);
    if (status != LUA_OK && status != LUA_YIELD) {
        /* Closing may raise another error, which then is the one that counts. */
        lua_xmove(L, thread, 1);
        Watch *watch = sandbox_watch(sandbox_of(L));
        WatchMark mark = watch_enter(watch, thread);
        lua_resetthread(thread);
        watch_leave(watch, mark);
        sandbox_check(L);
        lua_xmove(thread, L, 1);
    }
    return lua_error(L);
}

int guard_wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *thread = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, thread, 1);
    lua_pushcclosure(L, resume_wrapped, 1);
    return 1;
}

int guard_running(lua_State *L)
{
    bool is_hosts = sandbox_is_host_thread(L);
    if (is_hosts) {
        lua_pushnil(L);
    } else {
        lua_pushthread(L);
    }
    lua_pushboolean(L, is_hosts);
    return 2;
}

/* Whether coroutine.close() takes it; else it raises. */
static bool can_close(const lua_State *L, lua_State *thread)
{
    lua_Debug info;
    return thread != NULL && thread != L &&
           (lua_status(thread) != LUA_OK || lua_getstack(thread, 0, &info) == 0);
}

int guard_close(lua_State *L)
{
    sandbox_check(L);
    lua_State *thread = lua_tothread(L, 1);
    Watch *watch = sandbox_watch(sandbox_of(L));
    bool is_entered = can_close(L, thread);
    WatchMark mark = {0};
    if (is_entered) {
        mark = watch_enter(watch, thread);
    }
    int returned = lua_tocfunction(L, lua_upvalueindex(1))(L);
    if (is_entered) {
        watch_leave(watch, mark);
    }
    sandbox_check(L);
    return returned;
}

int guard_load(lua_State *L)
{
    if (lua_gettop(L) < 3) {
        lua_settop(L, 3);
    }
    /* Bytecode can break out of any sandbox. */
    lua_pushliteral(L, "t");
    lua_replace(L, 3);
    int returned = lua_tocfunction(L, lua_upvalueindex(1))(L);
    sandbox_check(L);
    return returned;
}

enum {
    LIBRARY_UPVALUES = 2, /* at most, of a function that something comes before */
    UPVALUE_FUNCTION,
    UPVALUE_FIRST,
};

/* Called as C, not through Lua: errors then have its name. */
static int call_second(lua_State *L)
{
    (void) lua_tocfunction(L, lua_upvalueindex(UPVALUE_FIRST))(L);
    return lua_tocfunction(L, lua_upvalueindex(UPVALUE_FUNCTION))(L);
}

void guard_put_first(lua_State *L, const char *name, lua_CFunction first)
{
    int table = lua_gettop(L);
    lua_getfield(L, table, name);
    int function = table + 1;
    for (int i = 1; i <= LIBRARY_UPVALUES; i++) {
        if (lua_getupvalue(L, function, i) == NULL) {
            lua_pushnil(L);
        }
    }
    lua_pushvalue(L, function);
    lua_pushcfunction(L, first);
    lua_pushcclosure(L, call_second, UPVALUE_FIRST);
    lua_setfield(L, table, name);
    lua_settop(L, table);
}
