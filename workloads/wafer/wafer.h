/* A wafer with a layout on it, as the `run` function of a script sees it. */
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "arch/wse.h"
#include "arch/wse_profile.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"
#include "workloads/wafer/slice.h"

/* The extrapolation of a launch beyond its simulated part. 1 and 1: there is none. */
typedef struct {
    double cycles;     /* all cycles over the simulated ones */
    double iterations; /* likewise */
    uint64_t idle;     /* cycles in which all PEs waited for the host, not to count */
    SimTime begin;     /* of the launch */
} WaferWhole;

/* The totals of all launches of a wafer. */
typedef struct {
    double pe_cycles;
    double busy; /* PE cycles */
    double memory_idle;
    double joules;
} WaferUse;

/* What a wafer has done since its start, at some time. */
typedef struct {
    ArchWseProfile profile;
    ArchWseFlops flops;
    double idle_joules;
    double busy_joules;
    GArray *zones; /* of ArchWseZone; NULL: none */
} WaferMark;
WaferMark wafer_mark(const ArchWse *wse);
void wafer_mark_clear(WaferMark *self);

/* Adds the launch that has just ended. */
void wafer_use_add(Session *session, const ArchWse *wse, WaferWhole whole);
/* Adds what it has done since the mark, in `cycles`: before, PEs waited for the host.
 */
void wafer_use_add_since(Session *session,
                         const ArchWse *wse,
                         const WaferMark *since,
                         SimTime begin,
                         uint64_t cycles);

/* HostFamily.joules and HostFamily.report: busy, stalls, and energy_joules unless a
 * measured region has set it. */
double wafer_use_joules(const Session *session);
void wafer_use_report(SessionRun *run);

/* extrapolate=on simulates at most this many iterations. */
enum {
    WAFER_EXTRAPOLATED_FROM = 8,
};

/* A session's state of its wafer. */
typedef struct {
    uint64_t layouts;  /* the last of them is on the wafer */
    uint64_t programs; /* programs begun by scripts for all wafers; only the first
                          chip's count is used */
    WaferUse use;
} WaferState;

typedef struct {
    Session *session; /* of its chip */
    uint64_t number;  /* of its layout */
    guint columns;
    guint rows;
    guint iterations;     /* requested by the script */
    guint run_iterations; /* simulated iterations */
    ArchWseGrain grain;
    WaferSlice slice; /* of the grain of streams */
    bool has_slice;
    uint64_t cycles; /* of the last launch, including extrapolated ones */
    bool is_launched;
    bool is_prepared; /* the cost of the next launch is paid */
    GArray *streams;  /* of the next launch: stream.c; or NULL */
} Wafer;

/* Registers the types of wafers and their parts with a state, once. */
void wafer_register(lua_State *L);

extern const ApiClass wafer_api;

/* Lua function host.wafer{ columns =, rows =, iterations =, period =, slice =,
 * slice_iterations =, layout = }, with the session as its upvalue. */
int wafer_new(lua_State *L);

/* The chip's wafer; NULL if it is another kind of chip. */
ArchWse *wafer_wse(const Session *session);
/* The wafer's state; the chip must be a wafer. */
WaferState *wafer_state(const Session *session);

/* Argument 1 of the method `what`, for calls that only the host program may make while
 * its layout is on the wafer; or raises. */
Wafer *wafer_check(lua_State *L, const char *what);

/* The PEs in the field `tiles` of the table at `index`, all of them where there is
 * none; or raises. */
ArchWseTiles wafer_tiles_of(lua_State *L, int index, const Wafer *self);

/* wafer:prepare(): pays the cost of a launch before PEs begin, so that the next launch
 * does not. */
int wafer_prepare(lua_State *L);
/* wafer:launch([{ variable = integer, ... }]): returns the cycles until the last PE
 * came to rest. Variables begin with these values, in this launch and later ones. */
int wafer_launch(lua_State *L);
/* wafer:call(function [, { argument, ... } [, { tiles = }]]): PEs call an exported
 * function in the state in which they are. Returns the cycles that it took. */
int wafer_call(lua_State *L);

/* Prints what PEs have printed: "pe[3,4] @ 1234: text". */
void wafer_print_lines(const Session *session, ArchWse *wse);

/* Warns of wavelets that have left the rectangle, if any: the fabric around it is not
 * simulated. */
void wafer_print_loss(const Session *session, const ArchWse *wse);
