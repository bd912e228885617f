/* What the module for MPI gives the program, which opens it under mpirun only and is
 * not linked with MPI itself. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* The symbol that the module has: a RankModule. */
#define RANK_MODULE_SYMBOL "gridloom_rank_module"

typedef struct {
    /* Which rank this is, of how many. Call once. */
    bool (*begin)(int *rank, int *count);
    /* Small messages are on their way when it returns; false: the other one is gone. */
    bool (*send)(int to, gconstpointer bytes, gsize count);
    /* What has come, without waiting; false: nothing. */
    bool (*receive)(int *from, GByteArray *bytes);
    /* Waits for all ranks to call it. */
    void (*end)(void);
} RankModule;
