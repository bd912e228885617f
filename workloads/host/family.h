/* The script API of a family of chips, and its part in a run's report: one table per
 * family, host_family_tensix and so on, by the lines of arch/chips.def. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lauxlib.h>

#include "workloads/host/energy.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

/* When the kernels of a program ended. */
typedef struct {
    SimTime last;
    double mean; /* the mean over cores of their last ends */
} HostProgramEnd;

/* Programs of the family's own kind, which host.launch() accepts besides kernels. */
typedef struct {
    /* Is the value at `index` such a program? Raises if it is for another chip. */
    bool (*is_one)(lua_State *L, const Session *session, int index);
    gpointer (*make)(Session *session);
    void (*free)(gpointer self);
    /* Loads the program at `index` onto the chip. Raises if it is wrong; fails if the
     * chip has no room for it. */
    bool (*load)(gpointer self, lua_State *L, int index, GError **error);
    void (*start)(gpointer self); /* in the engine's present */
    bool (*is_busy)(gconstpointer self);
    /* Prints its pending lines, also if the run failed. */
    void (*flush)(gpointer self);
    /* Collects the results after the engine has run. */
    bool (*finish)(gpointer self, HostProgramEnd *end, GError **error);
} HostProgram;

/* Any member may be NULL: the family lacks it. */
struct HostFamily {
    const char *name; /* the chips' family */
    /* Registers its types and names with the state of a script, once. */
    void (*open)(lua_State *L);
    /* Functions of the host API, with a session as their upvalue, ended by one without
     * a name.
     * Scripts see them on all chips; those of another family refuse. */
    const ApiCall *functions;
    const HostProgram *program;
    /* Make and free Session.state. */
    gpointer (*state_new)(void);
    void (*state_free)(gpointer state);
    const char *parts; /* what runs its programs: "cores", "PEs" */
    /* How many of them a chip has; NULL: as many as a design says. */
    uint64_t (*part_count)(const Session *session);
    /* The energy that the chip has used so far. */
    double (*joules)(const Session *session);
    /* The same by part, with what it may be at least and at most, of a chip that has
     * been there for so many seconds. Adds nothing if the chip file does not say. */
    void (*energy)(const Session *session, double seconds, HostEnergy *energy);
    /* Adds to the outcome at the end, before usage_report(). */
    void (*report)(SessionRun *run);
    /* What a check for races looks at, and why not at more: a sentence's end. */
    const char *race_scope;
    /* The races of a chip's programs, as texts that the caller frees. */
    GPtrArray *(*races)(const ArchChip *chip);
};

/* The families of this build, NULL-terminated. */
extern const HostFamily *const host_families[];

/* Functions of the host API that are no family's, NULL-terminated. */
extern const ApiCall *const host_services[];

#define ARCH_FAMILY(name) extern const HostFamily host_family_##name;
#define ARCH_ROOFS_ONLY(name)
#include "arch/chips.def"
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

/* The table of a chip; an empty one if its family has none. */
const HostFamily *host_family_of(const ArchChip *chip);

/* Lua function: prepares the state of a script for all families. */
int host_families_open(lua_State *L);
