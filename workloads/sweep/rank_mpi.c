/* The module for MPI. */
#include <mpi.h>

#include "sim/narrow.h"
#include "workloads/sweep/rank_module.h"

enum {
    TAG = 1,
};

static bool begin(int *rank, int *count)
{
    int provided = 0;

    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        return false;
    }
    /* A rank that is gone ends the others no sooner than mpirun does. */
    (void) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, count) == MPI_SUCCESS;
}

static bool send_bytes(int to, gconstpointer bytes, gsize count)
{
    return MPI_Send(bytes, sim_i32(count), MPI_BYTE, to, TAG, MPI_COMM_WORLD) ==
           MPI_SUCCESS;
}

static bool receive(int *from, GByteArray *bytes)
{
    MPI_Status status;
    int is_there = 0;
    int count = 0;

    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &is_there, &status) !=
            MPI_SUCCESS ||
        is_there == 0 || MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS) {
        return false;
    }
    g_byte_array_set_size(bytes, sim_u32(count));
    *from = status.MPI_SOURCE;
    return MPI_Recv(bytes->data, count, MPI_BYTE, status.MPI_SOURCE, TAG,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void end(void)
{
    (void) MPI_Finalize();
}

extern const RankModule gridloom_rank_module;
const RankModule gridloom_rank_module = {
    .begin = begin,
    .send = send_bytes,
    .receive = receive,
    .end = end,
};
