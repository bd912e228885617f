/* The script API for editors: a Lua file for the Lua language server. */
#pragma once

/* Annotations (LuaCATS) of every call that scripts can make, from the tables that bind
 * the calls. The caller frees it. */
char *wl_annotations(void);
