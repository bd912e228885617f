/* Makes sparse matrices for scripts. */
#include "workloads/host/sparse.h"

#include "workloads/host/session.h"
#include "workloads/sparse/matrix.h"

int host_sparse(lua_State *L)
{
    return sparse_matrix_new(L, !session_of(L)->machine->is_timing_only);
}
