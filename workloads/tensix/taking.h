/* How far a compute kernel has come on a tape (workloads/tensix/player.h). */
#pragma once

#include <glib.h>

#include "arch/place.h"

typedef struct Tape Tape;

typedef struct {
    Tape *tape;      /* NULL: it makes its calls itself */
    guint64 part;    /* that comes next */
    guint64 calls;   /* that it has taken */
    guint values;    /* results of READ_VALUE that were used */
    guint reads;     /* of arguments that it agrees to */
    guint changes;   /* of tapes */
    guint64 again;   /* calls that it has yet to make again, without effect */
    ArchPlace place; /* of the present call */
} KernelTaking;
