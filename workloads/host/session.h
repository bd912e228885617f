/* A chip of a run: the state shared by its host program and its kernels. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>
#include <lua.h>

#include "workloads/host/polling.h"
#include "workloads/host/work.h"
#include "workloads/outcome.h"
#include "workloads/run.h"
#include "workloads/sandbox/sandbox.h"

typedef struct Errands Errands;
typedef struct Exchange Exchange;
typedef struct HostFamily HostFamily;

/* The reasons why a host program waits. */
typedef enum {
    HOST_ITSELF,
    HOST_TRANSFER,
    HOST_LAUNCH,
    HOST_DEVICE,
    HOST_WAITS,
} HostWait;

typedef struct Session Session;

/* One run of a script: the state shared by all its chips. */
typedef struct {
    const HostFamily *family; /* of all its chips */
    double fraction;          /* done, as the script says; negative: unknown */
    const char *grain;        /* grain=auto, wavelet or stream */
    const WlScript *script;   /* which it runs */
    const char *inside;       /* "kernel" or "layout"; NULL: the host program runs */
    JsonObject *units;        /* cycles of cores' lanes: lane -> reason -> cycles */
    GHashTable *stalls;       /* reason -> cycles, as pointers to uint64_t */
    double *waited;           /* seconds by HostWait, of the host thread that runs */
    JsonObject *inputs;       /* arrays loaded, by name; NULL: none */
    Exchange *exchange;       /* or NULL: no chip sends messages to another */
    Errands *errands;         /* or NULL: threads have had none to do */
    GError *stop;             /* why the run is over, or NULL */
    Session *sessions;        /* by index of the chip */
    guint session_count;
    guint each_threads;    /* host threads that have not returned */
    guint active_threads;  /* host threads that do not wait for a launch */
    HostPolling polling;   /* of its host program */
    bool is_ieee;          /* arithmetic=ieee */
    bool is_unattributed;  /* unattributed=on */
    bool is_extrapolated;  /* extrapolate=on */
    bool is_measured;      /* the script marked a region */
    bool is_in_each;       /* several host threads run */
    bool is_stop_complete; /* `stop` names the script's line */
} SessionRun;

/* Ends the run: a host thread ended with `error`, which it takes. */
void session_stop(SessionRun *run, GError *error);

/* The same for an error outside any host thread: the remaining ones will raise it. */
void session_halt(SessionRun *run, GError *error);

/* The error that ended a run: the one raised last, or the one that stopped it before. A
 * script may catch what stopped the run, and fail later with something else. Takes
 * both; NULL if both are. */
GError *session_first_failure(GError *raised, GError *stop);

typedef struct Driver Driver;
typedef struct Launch Launch;

/* An instant on the clocks of chip and host. */
typedef struct {
    SimTime cycle;
    double seconds;
} SessionInstant;

struct Session {
    SessionRun *run;
    const WlMachine *machine;
    WlSandbox *sandbox;
    WlOutcome *outcome;
    guint index; /* as the system counts */
    ArchChip *chip;
    const char *chip_host;
    Driver *driver;          /* or NULL: the chip runs on its own */
    bool is_launching;       /* a host thread is paying for a launch */
    SimTime device_cycles;   /* of all launches so far, until the chip was at rest */
    GPtrArray *launches;     /* of Launch */
    gpointer state;          /* the family's, or NULL */
    GPtrArray *dram_buffers; /* of HostDramBuffer */
    JsonObject *zones;       /* seconds by name: those of its programs, see report.h */
    SessionWork work;
    uint64_t host_dram_bytes; /* of transfers to and from the host */
    SimTime limit_cycles;     /* the machine's, but within what can be counted */
    uint64_t progress;        /* of all chips, see livelock.h */
};

/* The chip with that index. `run` and `outcome` must outlive it. */
void session_init(Session *self,
                  SessionRun *run,
                  const WlMachine *machine,
                  WlSandbox *sandbox,
                  WlOutcome *outcome,
                  guint index);
void session_clear(Session *self);

/* The session that a C function of the host or kernel API is registered with. */
Session *session_of(lua_State *L);

/* Pushes the session as the only upvalue of functions to be registered. */
void session_push_upvalue(lua_State *L, Session *self);

/* The last cycle of a run: so far, the host's clock in seconds tells cycles apart. */
#define SESSION_LAST_CYCLE (G_GUINT64_CONSTANT(1) << 53)

/* The chip's cycle at the present host time, and at another. */
SimTime session_cycle(const Session *self);
SimTime session_cycle_at(const Session *self, double seconds);

/* Advances an idle chip to the host's present time. */
SessionInstant session_begin_launch(Session *self);

/* Runs the chip until it is idle. Fails as its engine does. */
bool session_run_chip(Session *self, GError **error);

/* The same, but only for events before cycle `end`: a process may still wait then. */
bool session_run_window(Session *self, SimTime end, GError **error);

/* Prints a line for the user. */
void session_print(const Session *self, const char *line);

/* Reports progress. Returns false, with `error` set, if the run is to stop. */
bool session_report(Session *self, GError **error);

/* Raises `error`, which it takes, and ends the run, even if a script catches it. */
int session_fail(lua_State *L, Session *self, GError *error);

/* Raises unless the host program may make the call `what` now. */
void session_check_host(lua_State *L, const Session *self, const char *what);
/* The session of the called function; raises unless the host program may call it. */
Session *session_check_on_host(lua_State *L, const char *what);

/* Counts cycles lost for `reason`, a literal. */
void session_add_stall(Session *self, const char *reason, SimTime cycles);
