/* A wafer with a layout on it, as the `run` function of a script sees it. */
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "arch/wse.h"
#include "workloads/host/session.h"
#include "workloads/wafer/slice.h"

/* A launch that went on beyond what was simulated, in the same way. 1 and 1: it did
 * not. */
typedef struct {
    double cycles;     /* of the whole over those simulated */
    double iterations; /* the same */
} WaferWhole;

/* What all launches of a wafer took together. */
typedef struct {
    double pe_cycles;
    double busy; /* PE cycles */
    double memory_idle;
    double joules;
} WaferUse;

/* Adds the launch that has just ended. */
void wafer_use_add(Session *session, const ArchWse *wse, WaferWhole whole);

/* HostFamily.joules, HostFamily.report: busy, stalls, and energy_joules unless a
 * measured region has set it. */
double wafer_use_joules(const Session *session);
void wafer_use_report(SessionRun *run);

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

/* wafer:prepare(): pays what a launch costs before PEs begin; the next one does not. */
int wafer_prepare(lua_State *L);
/* wafer:launch([{ variable = integer, ... }]): the cycles until the last PE was at
 * rest. Variables begin with these values, in this launch and later ones. */
int wafer_launch(lua_State *L);
