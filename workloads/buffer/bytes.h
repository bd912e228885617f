/* Host memory that scripts fill, send and compare. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lauxlib.h>
#include <lua.h>

#include "sim/shared.h"
#include "workloads/sandbox/api.h"
#include "workloads/sandbox/sandbox.h"

/* Shared by the script and by transfers under way. */
typedef struct {
    WlSandbox *sandbox; /* accounts for the memory */
    gatomicrefcount references;
    uint64_t count;
    guint8 *data;      /* of what follows; NULL in timing-only runs */
    SimShared *shared; /* chips may hold it, too, until the buffer changes */
    gint readers; /* references under way, which read it beside the script; atomic */
} HostBytes;

HostBytes *host_bytes_ref(HostBytes *self);
void host_bytes_unref(HostBytes *self);

/* The methods that handle bytes, ended by a row without a name. */
extern const ApiCall bytes_methods[];

/* Registers the type with a state, once; `api` has all its methods. */
void host_bytes_register(lua_State *L, const ApiClass *api);

/* Pushes new memory of `count` bytes, all 0, or raises. */
HostBytes *host_bytes_push(lua_State *L, uint64_t count, bool has_data);

/* Pushes the memory that another state has, too. */
void host_bytes_push_same(lua_State *L, HostBytes *bytes);

/* The argument at `index`, or raises; if there is none, NULL. */
HostBytes *host_bytes_check(lua_State *L, int index);
HostBytes *host_bytes_test(lua_State *L, int index);
/* The same for a change of what it holds: raises also while a reference reads it. What
 * others hold stays as it is, and `data` is another array from then on. */
HostBytes *host_bytes_check_writable(lua_State *L, int index);

/* For what was begun before and is written now: false while a reference reads it. */
bool host_bytes_can_change(HostBytes *self, GError **error);

/* From now on another script pays for it, if it is its sandbox's own account. */
void host_bytes_hand_over(HostBytes *self, WlSandbox *to);
