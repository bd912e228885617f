/* Converts the values that a script reports to JSON. */
#pragma once

#include <json-glib/json-glib.h>
#include <lua.h>

/* The value at `index`: numbers, strings, booleans, and tables that are arrays or have
 * string keys (in key order). Raises on anything else. The caller frees it. */
JsonNode *json_value_of(lua_State *L, int index);
