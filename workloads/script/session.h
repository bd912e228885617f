/* One run of a script: what its host program and its kernels share. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/outcome.h"
#include "workloads/run.h"
#include "workloads/script/sandbox.h"

typedef struct Launch Launch;

/* What all launches of wafers took together. */
typedef struct {
    double pe_cycles;
    double busy; /* PE cycles */
    double memory_idle;
    double joules;
} WaferUse;

/* Programs on cores or PEs, all of them together. */
typedef struct {
    double cycles;
    double core_cycles; /* each program's times its cores */
} SessionWork;

/* An instant as the chip and as the host tell it. */
typedef struct {
    SimTime cycle;
    double seconds;
} SessionInstant;

typedef struct {
    const WlMachine *machine;
    WlSandbox *sandbox;
    WlOutcome *outcome;
    double fraction;         /* done, as the script says; negative: unknown */
    bool is_ieee;            /* arithmetic=ieee */
    bool is_unattributed;    /* unattributed=on */
    const char *grain;       /* grain=auto, wavelet or stream */
    bool is_extrapolated;    /* extrapolate=on */
    bool is_on_device;       /* kernels run: the host program stands still */
    bool is_in_layout;       /* a wafer's layout is put together */
    bool is_measured;        /* the script has marked a region */
    SimTime device_cycles;   /* of all launches so far, until the chip was at rest */
    GPtrArray *launches;     /* of Launch */
    GPtrArray *states;       /* of KernelState, or NULL: the movers', then by region */
    GPtrArray *dram_buffers; /* of ArchDramBuffer */
    uint64_t wafer_programs; /* that scripts have begun to put together */
    uint64_t wafer_layouts;  /* the last of them is on the wafer */
    WaferUse wafer_use;
    SessionWork work;
    uint64_t host_dram_bytes; /* of transfers to and from the host */
    JsonObject *units;        /* cycles of cores' lanes: lane -> reason -> cycles */
    GHashTable *stalls;       /* reason -> cycles, as pointers to uint64_t */
    SimTime limit_cycles;     /* the machine's, and never beyond what can be counted */
    GError *stop;             /* why the run is over, or NULL */
} Session;

/* The session that a C function of the host or kernel API was registered with. */
Session *session_of(lua_State *L);

/* Leaves the session as the only upvalue of the functions that are registered. */
void session_push_upvalue(lua_State *L, Session *self);

/* The last cycle that a run may reach: up to here the host's clock, in seconds, tells
 * one cycle from the next. */
#define SESSION_LAST_CYCLE (G_GUINT64_CONSTANT(1) << 53)

/* The chip's cycle at the present host time. */
SimTime session_cycle(const Session *self);

/* Brings the chip, which has nothing to do, to the host's present. */
SessionInstant session_begin_launch(Session *self);

/* Runs the chip until it has nothing to do any more, or fails as its engine. */
bool session_run_chip(Session *self, GError **error);

/* A line for the user. */
void session_print(const Session *self, const char *line);

/* Tells the user how far it is. False, with `error` set, when the run is to stop or
 * has passed its cycle limit. */
bool session_report(Session *self, GError **error);

/* Raises `error`, which it takes, and ends the run: a script that catches it can report
 * no result. */
int session_fail(lua_State *L, Session *self, GError *error);

/* The session, for a call that only the host program may make; else raises. */
Session *session_check_on_host(lua_State *L, const char *what);

/* Counts cycles lost for `reason`, a literal. */
void session_add_stall(Session *self, const char *reason, SimTime cycles);
