/* The processes started by mpirun, and the messages between them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct SweepRanks SweepRanks;

typedef enum {
    SWEEP_HELLO,  /* to rank 0: the digest of the rank's sweep */
    SWEEP_SORRY,  /* to rank 0: why the rank cannot work */
    SWEEP_TASK,   /* from rank 0: a SweepTask */
    SWEEP_ANSWER, /* to rank 0: a WlSweepAnswer */
    SWEEP_ALIVE,  /* a sign of life */
    SWEEP_END,    /* from rank 0: there is no more to do */
} SweepMessageKind;

/* This process's rank according to mpirun; NULL if mpirun did not start it. */
const char *sweep_ranks_own(void);

/* Opens the module. Fails if there is none: the program was built without MPI. */
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

/* Receives a message without waiting; false: there is none. */
bool sweep_ranks_receive(SweepRanks *self, SweepMessage *message);

/* Sends a sign of life to ranks that had no message for some seconds, and returns a
 * rank that was silent for a minute; -1: none. Call it now and then. */
int sweep_ranks_watch(SweepRanks *self);

/* Marks a rank as gone, so that nothing waits for it. */
void sweep_ranks_forget(SweepRanks *self, int rank);
bool sweep_ranks_has(const SweepRanks *self, int rank);
