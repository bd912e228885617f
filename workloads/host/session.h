/* A chip of a run: what its host program and its kernels share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>
#include <lua.h>

#include "workloads/outcome.h"
#include "workloads/run.h"
#include "workloads/sandbox/sandbox.h"

typedef struct Exchange Exchange;
typedef struct HostFamily HostFamily;

/* What a host program waits for. */
typedef enum {
    HOST_ITSELF,
    HOST_TRANSFER,
    HOST_LAUNCH,
    HOST_DEVICE,
    HOST_WAITS,
} HostWait;

typedef struct Session Session;

/* One run of a script: what all its chips share. */
typedef struct {
    const HostFamily *family; /* of all its chips */
    double fraction;          /* done, as the script says; negative: unknown */
    const char *grain;        /* grain=auto, wavelet or stream */
    const char *inside; /* "kernel", "layout": the host program stands still; NULL:
                         * it does not */
    JsonObject *units;  /* cycles of cores' lanes: lane -> reason -> cycles */
    GHashTable *stalls; /* reason -> cycles, as pointers to uint64_t */
    double *waited;     /* seconds by HostWait, of the host thread that runs */
    Exchange *exchange; /* or NULL: no chip sends messages to another */
    GError *stop;       /* why the run is over, or NULL */
    Session *sessions;  /* by index of the chip */
    guint session_count;
    guint each_threads;    /* of the host threads, those that have not returned */
    guint active_threads;  /* host threads that do not wait for a launch */
    bool is_ieee;          /* arithmetic=ieee */
    bool is_unattributed;  /* unattributed=on */
    bool is_extrapolated;  /* extrapolate=on */
    bool is_measured;      /* the script has marked a region */
    bool is_in_each;       /* several host threads run */
    bool is_stop_complete; /* it names the script's line */
} SessionRun;

/* A host thread has ended with `error`, which it takes, and so does the run. */
void session_stop(SessionRun *run, GError *error);

/* The same for an error that no host thread has raised: those that go on will. */
void session_halt(SessionRun *run, GError *error);

/* The error that ended a run: what was raised last, or what stopped it before. A script
 * may catch what stopped the run, and fail later with something else. Takes both; NULL
 * if both are. */
GError *session_first_failure(GError *raised, GError *stop);

typedef struct Driver Driver;
typedef struct Launch Launch;

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

/* A chip of the run. */
struct Session {
    SessionRun *run;
    const WlMachine *machine;
    WlSandbox *sandbox;
    WlOutcome *outcome;
    guint index; /* as the system counts */
    ArchChip *chip;
    const char *chip_host;
    Driver *driver;          /* or NULL: the chip runs on its own */
    bool is_launching;       /* a host thread pays for a launch */
    SimTime device_cycles;   /* of all launches so far, until the chip was at rest */
    GPtrArray *launches;     /* of Launch */
    gpointer state;          /* the family's, or NULL */
    GPtrArray *dram_buffers; /* of HostDramBuffer */
    JsonObject *zones;       /* seconds by name: those of its programs, see report.h */
    SessionWork work;
    uint64_t host_dram_bytes; /* of transfers to and from the host */
    SimTime limit_cycles;     /* the machine's, and never beyond what can be counted */
};

/* The chip with that index. `run` and `outcome` must outlive it. */
void session_init(Session *self,
                  SessionRun *run,
                  const WlMachine *machine,
                  WlSandbox *sandbox,
                  WlOutcome *outcome,
                  guint index);
void session_clear(Session *self);

/* The session that a C function of the host or kernel API was registered with. */
Session *session_of(lua_State *L);

/* Leaves the session as the only upvalue of the functions that are registered. */
void session_push_upvalue(lua_State *L, Session *self);

/* The last cycle that a run may reach: up to here the host's clock, in seconds, tells
 * one cycle from the next. */
#define SESSION_LAST_CYCLE (G_GUINT64_CONSTANT(1) << 53)

/* The chip's cycle at the present host time, and at another. */
SimTime session_cycle(const Session *self);
SimTime session_cycle_at(const Session *self, double seconds);

/* Brings the chip, which has nothing to do, to the host's present. */
SessionInstant session_begin_launch(Session *self);

/* Runs the chip until it has nothing to do any more, or fails as its engine. */
bool session_run_chip(Session *self, GError **error);

/* The same, but every event before cycle `end` only: somebody may wait on. */
bool session_run_window(Session *self, SimTime end, GError **error);

/* A line for the user. */
void session_print(const Session *self, const char *line);

/* Tells the user how far it is. False, with `error` set, when the run is to stop or
 * has passed its cycle limit. */
bool session_report(Session *self, GError **error);

/* Raises `error`, which it takes, and ends the run: a script that catches it can report
 * no result. */
int session_fail(lua_State *L, Session *self, GError *error);

/* Raises unless the host program may make the call `what` now. */
void session_check_host(lua_State *L, const Session *self, const char *what);
/* The session of the function that was called, if it may. */
Session *session_check_on_host(lua_State *L, const char *what);

/* Counts cycles lost for `reason`, a literal. */
void session_add_stall(Session *self, const char *reason, SimTime cycles);
