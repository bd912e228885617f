/* The processes that mpirun has started, and messages between them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct CmdSweepRanks CmdSweepRanks;

typedef enum {
    CMD_SWEEP_HELLO,  /* to rank 0: the digest of what the rank will do */
    CMD_SWEEP_SORRY,  /* to rank 0: why it can do nothing */
    CMD_SWEEP_TASK,   /* from rank 0: a CmdSweepTask */
    CMD_SWEEP_ANSWER, /* to rank 0: a CmdSweepAnswer */
    CMD_SWEEP_ALIVE,  /* nothing but that */
    CMD_SWEEP_END,    /* from rank 0: there is no more to do */
} CmdSweepMessageKind;

/* Has mpirun started this process? */
bool cmd_sweep_ranks_are_there(void);
/* The rank that it says this is; 0 without it. */
int cmd_sweep_ranks_own(void);

/* Opens the module. Fails where there is none: the program was built without MPI. */
CmdSweepRanks *cmd_sweep_ranks_open(GError **error);
/* Ends the module, together with all other ranks unless one is gone. */
void cmd_sweep_ranks_free(CmdSweepRanks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdSweepRanks, cmd_sweep_ranks_free)

int cmd_sweep_ranks_rank(const CmdSweepRanks *self);
int cmd_sweep_ranks_count(const CmdSweepRanks *self);

void cmd_sweep_ranks_send(CmdSweepRanks *self,
                          int to,
                          CmdSweepMessageKind kind,
                          gconstpointer bytes,
                          gsize count);

/* A message, whose bytes are borrowed until the next. */
typedef struct {
    int from;
    CmdSweepMessageKind kind;
    gconstpointer bytes;
    gsize count;
} CmdSweepMessage;

/* What has come, without waiting; false: nothing. */
bool cmd_sweep_ranks_receive(CmdSweepRanks *self, CmdSweepMessage *message);

/* Tells those who were not told for some seconds that this rank is there, and returns
 * the rank that has said nothing for a minute; -1: none. Call it now and then. */
int cmd_sweep_ranks_watch(CmdSweepRanks *self);

/* A rank is gone: nobody waits for it any more. */
void cmd_sweep_ranks_forget(CmdSweepRanks *self, int rank);
bool cmd_sweep_ranks_has(const CmdSweepRanks *self, int rank);
