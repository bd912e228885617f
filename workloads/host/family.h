/* What scripts can do on the chips of a family, and what a run tells of them: one
 * table, host_family_tensix and so on, by the lines of arch/chips.def. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lauxlib.h>

#include "workloads/host/session.h"

/* When the kernels of a program ended. */
typedef struct {
    SimTime last;
    double mean; /* over cores, of their last ones */
} HostProgramEnd;

/* Programs of the family's own kind, which host.launch() takes beside kernels. */
typedef struct {
    /* Is the value at `index` one? Raises where it is one for another chip. */
    bool (*is_one)(lua_State *L, const Session *session, int index);
    gpointer (*make)(Session *session);
    void (*free)(gpointer self);
    /* Puts the one at `index` on the chip. Raises where it is wrong; fails where the
     * chip has no room for it. */
    bool (*load)(gpointer self, lua_State *L, int index, GError **error);
    void (*start)(gpointer self); /* in the engine's present */
    bool (*is_busy)(gconstpointer self);
    /* What it printed, also when the run failed. */
    void (*flush)(gpointer self);
    /* After the engine has run: takes stock. */
    bool (*finish)(gpointer self, HostProgramEnd *end, GError **error);
} HostProgram;

/* NULL in any member: the family has nothing of it. */
struct HostFamily {
    const char *name; /* that of the chips */
    /* Registers its types and names with the state of a script, once. */
    void (*open)(lua_State *L);
    /* Of the host API, with a session as their upvalue, up to a NULL. Scripts have them
     * on all chips, and those of another family refuse. */
    const luaL_Reg *functions;
    const HostProgram *program;
    /* Session.state. */
    gpointer (*state_new)(void);
    void (*state_free)(gpointer state);
    /* That the chip has taken so far. */
    double (*joules)(const Session *session);
    /* Into the outcome, at the end; before usage_report(). */
    void (*report)(SessionRun *run);
};

/* The families of this build, up to a NULL. */
extern const HostFamily *const host_families[];

#define ARCH_FAMILY(name) extern const HostFamily host_family_##name;
#define ARCH_ROOFS_ONLY(name)
#include "arch/chips.def"
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

/* That of a chip; one without any members where its family has none. */
const HostFamily *host_family_of(const ArchChip *chip);

/* Lua function: makes the state of a script ready for all families. */
int host_families_open(lua_State *L);
