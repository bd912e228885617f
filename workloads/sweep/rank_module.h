/* The interface of the MPI module. The program opens it only under mpirun and is not
 * linked with MPI itself. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* The symbol that the module exports: a RankModule. */
#define RANK_MODULE_SYMBOL "gridloom_rank_module"

typedef struct {
    /* Gets this rank and the number of ranks. Call it once. */
    bool (*begin)(int *rank, int *count);
    /* Sends a message; small ones are under way on return. False: the receiver is
     * gone. */
    bool (*send)(int to, gconstpointer bytes, gsize count);
    /* Receives a message without waiting; false: there is none. */
    bool (*receive)(int *from, GByteArray *bytes);
    /* Waits for all ranks to call it. */
    void (*end)(void);
} RankModule;
