/* A compiled program on a wafer, driven by its host program. */
#pragma once

#include <lua.h>

#include "arch/wse.h"
#include "workloads/csl/runtime/artifact.h"
#include "workloads/csl/runtime/lines.h"
#include "workloads/csl/runtime/tally.h"
#include "workloads/host/message.h"
#include "workloads/host/session.h"

typedef enum {
    CSL_RUN_OPEN,
    CSL_RUN_LOADED,
    CSL_RUN_RUNNING,
    CSL_RUN_STOPPED, /* its memory can still be read */
    CSL_RUN_GONE,    /* another one has taken its place */
} CslRunStage;

typedef struct {
    CslArtifact *artifact;
    CslBuild *build;
    CslRunStage stage;
    SimTime start;         /* when it began */
    SimTime active;        /* cycles of launches and streams */
    uint64_t remainder[2]; /* of cycles, to read and to write */
} CslRun;

/* Compiles what cslc has left in the folder. */
CslRun *csl_run_new(const char *folder, const Session *session, GError **error);
void csl_run_free(CslRun *self);

/* A stream from PEs that is under way. */
typedef struct {
    ArchWseStream stream;
    gsize offset; /* of its wavelets in the answer's data */
} CslTake;

/* What a request works with. */
typedef struct {
    lua_State *lua;
    Session *session;
    CslRun *run;
    const HostMessage *request;
    gsize taken;     /* bytes of its data that commands have used */
    GByteArray *out; /* data of the answer */
    GStringChunk *names;
    const char *what; /* the command that runs, and on what */
    const char *name;
    uint64_t wavelets; /* of a copy */
    GArray *takes;     /* of CslTake */
    CslTally *tally;
    bool is_broken;   /* the simulation cannot go on */
    bool has_printed; /* sim.log has been begun */
} CslCall;

bool csl_run_load(CslCall *call, GError **error);
bool csl_run_begin(CslCall *call, GError **error);
/* A list of commands, in their order, that came in one message. */
bool csl_run_commands(CslCall *call, GError **error);
/* Accounts for what it did. The session's time goes on without it. */
void csl_run_stop(CslRun *self, Session *session, CslLines *lines);

/* Runs the PEs until none has anything to do, and the host up to there. */
bool csl_run_settle(CslCall *call, HostWait wait, GError **error);
/* Lets cycles pass for wavelets between host and PEs. */
void csl_run_pass(CslCall *call, bool is_write, uint64_t wavelets);
/* How fast the host's side moves wavelets. */
SimRatio csl_run_rate(const CslCall *call, bool is_write);
