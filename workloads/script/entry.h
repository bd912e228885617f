/* What host code needs of a loaded script: its sandbox, its function and its values. */
#pragma once

#include <lua.h>

#include "workloads/sandbox/sandbox.h"
#include "workloads/script.h"

WlSandbox *script_sandbox(WlScript *self);

/* Pushes the declared function run(host, p). Never raises. */
void script_push_run(const WlScript *self, lua_State *L);

/* Pushes the table p of parameter values: integers, numbers, strings and, for switches,
 * booleans. Raises when memory runs out: call it inside sandbox_call(). */
void script_push_values(const WlScript *self, lua_State *L);

/* Adds to `values` what that table, which is on top of the stack, now says of
 * parameters that are not there yet: a script sets those that it chose itself. A value
 * of another type does not count. */
void script_keep_values(const WlScript *self, lua_State *L, JsonObject *values);
