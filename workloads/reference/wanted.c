/* The flag of each thread. */
#include "workloads/reference/wanted.h"

#include <stddef.h>

static _Thread_local const atomic_bool *flag;

void reference_heed(const atomic_bool *is_unwanted)
{
    flag = is_unwanted;
}

bool reference_is_wanted(void)
{
    return flag == NULL || !atomic_load_explicit(flag, memory_order_relaxed);
}
