/* A wafer with a layout on it, as the `run` function of a script sees it. */
#pragma once

#include <lauxlib.h>

#include "arch/wse.h"
#include "workloads/host/session.h"
#include "workloads/wafer/slice.h"
#include "workloads/wafer/use.h"

/* Of more iterations extrapolate=on simulates only so many. */
enum {
    WAFER_EXTRAPOLATED_FROM = 8,
};

/* What a session keeps of its wafer. */
typedef struct {
    uint64_t layouts;  /* the last of them is on the wafer */
    uint64_t programs; /* that scripts have begun to put together, for all wafers: only
                        * that of the first chip counts */
    WaferUse use;
} WaferState;

typedef struct {
    Session *session; /* of its chip */
    uint64_t number;  /* of its layout */
    guint columns;
    guint rows;
    guint iterations;     /* the script wants */
    guint run_iterations; /* are simulated, of these */
    ArchWseGrain grain;
    WaferSlice slice; /* of the grain of streams */
    bool has_slice;
    uint64_t cycles; /* of the last launch, extrapolated ones too */
    bool is_launched;
    bool is_prepared; /* what the next launch costs is paid */
} Wafer;

/* Registers the types of wafers and their parts with a state, once. */
void wafer_register(lua_State *L);

/* Lua function host.wafer{ columns =, rows =, iterations =, period =, slice =,
 * slice_iterations =, layout = }, with the session as its upvalue. */
int wafer_new(lua_State *L);

/* The chip's, NULL where it is no wafer. */
ArchWse *wafer_wse(const Session *session);
/* Where it is one. */
WaferState *wafer_state(const Session *session);

/* Argument 1 of the method `what`, for a call that only the host program may make, and
 * its layout is on the wafer; or raises. */
Wafer *wafer_check(lua_State *L, const char *what);
