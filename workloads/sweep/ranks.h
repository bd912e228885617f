/* The processes that mpirun has started, and messages between them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct SweepRanks SweepRanks;

typedef enum {
    SWEEP_HELLO,  /* to rank 0: the digest of what the rank will do */
    SWEEP_SORRY,  /* to rank 0: why it can do nothing */
    SWEEP_TASK,   /* from rank 0: a SweepTask */
    SWEEP_ANSWER, /* to rank 0: a WlSweepAnswer */
    SWEEP_ALIVE,  /* nothing but that */
    SWEEP_END,    /* from rank 0: there is no more to do */
} SweepMessageKind;

/* The rank that mpirun says this is; NULL where it has not started this process. */
const char *sweep_ranks_own(void);

/* Opens the module. Fails where there is none: the program was built without MPI. */
SweepRanks *sweep_ranks_open(GError **error);
/* Ends the module, together with all other ranks unless one is gone. */
void sweep_ranks_free(SweepRanks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepRanks, sweep_ranks_free)

int sweep_ranks_rank(const SweepRanks *self);
int sweep_ranks_count(const SweepRanks *self);

void sweep_ranks_send(
    SweepRanks *self, int to, SweepMessageKind kind, gconstpointer bytes, gsize count);

/* A message, whose bytes are borrowed until the next. */
typedef struct {
    int from;
    SweepMessageKind kind;
    gconstpointer bytes;
    gsize count;
} SweepMessage;

/* What has come, without waiting; false: nothing. */
bool sweep_ranks_receive(SweepRanks *self, SweepMessage *message);

/* Tells those who were not told for some seconds that this rank is there, and returns
 * the rank that has said nothing for a minute; -1: none. Call it now and then. */
int sweep_ranks_watch(SweepRanks *self);

/* A rank is gone: nobody waits for it any more. */
void sweep_ranks_forget(SweepRanks *self, int rank);
bool sweep_ranks_has(const SweepRanks *self, int rank);
