/* One run of a script: what all its chips share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

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
