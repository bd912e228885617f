/* Lua errors as GErrors: path:line first, then the message, then the traceback. */
#pragma once

#include <glib.h>
#include <lua.h>

typedef struct WlFaults WlFaults;

/* `path` is the script as the user typed it; messages without a line begin with it. */
WlFaults *faults_new(const char *path);
void faults_free(WlFaults *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlFaults, faults_free)

/* Learns the name of a loaded chunk: the function at the top of the stack came from
 * the file `path`. Lua cuts long names in its messages; ours are whole. */
void faults_add_chunk(WlFaults *self, lua_State *L, const char *path);

/* Raises `error` in Lua, with the script's line in front; takes it. Does not return.
 * If the script does not catch it, faults_take() gives back this very error. */
int faults_raise(WlFaults *self, lua_State *L, GError *error);

/* Pushes the error value at `index` of L as text, with the line that `thread` stands
 * at if it has none yet, and the traceback of `thread` unless faults_raise() made it or
 * api_explain() knows what was meant.
 * `level` is the function of `thread` to begin with. Raises when memory runs out. */
void faults_push_text(
    WlFaults *self, lua_State *L, int index, lua_State *thread, int level);

/* Makes the error of the text at the top of the stack, which it pops. */
GError *faults_take(WlFaults *self, lua_State *L);
