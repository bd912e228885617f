/* Reads the fields of tables that a script passes as `call{ name = value, ... }`, or
 * raises at the script's line. For C functions called by a script. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

/* Raises unless the value at `index` is a table whose keys are all in `known`, a
 * NULL-terminated list. */
void arguments_check(lua_State *L, int index, const char *const *known);

/* The integer in a field, 0 to `most`. If the field is missing, returns `missing`, or
 * raises if that is negative. */
guint arguments_integer(
    lua_State *L, int index, const char *name, gint64 missing, lua_Integer most);

/* The same for 1 to `most`. */
guint arguments_count(
    lua_State *L, int index, const char *name, gint64 missing, lua_Integer most);

/* The 32-bit integer in a field; `missing` if there is none. */
int32_t arguments_signed(lua_State *L, int index, const char *name, int32_t missing);

/* The finite number in a field; `missing` if there is none. */
double arguments_number(lua_State *L, int index, const char *name, double missing);

bool arguments_flag(lua_State *L, int index, const char *name);

/* The index of the field's text in `names`. A missing field means the first, or raises
 * if `is_needed`. */
guint arguments_choice(lua_State *L,
                       int index,
                       const char *name,
                       const char *const *names,
                       bool is_needed);

/* The text in a field. It stays on the stack. */
const char *arguments_text(lua_State *L, int index, const char *name);

/* Sets a field of the table at the top of the stack, for tables that scripts get. */
void answer_number(lua_State *L, const char *name, double value);
void answer_count(lua_State *L, const char *name, uint64_t value);
void answer_text(lua_State *L, const char *name, const char *text);
