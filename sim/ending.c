/* Remembers what is to be done at the end. */
#include "sim/ending.h"

#include <stddef.h>

static void (*ending)(void);

void sim_ending_set(void (*func)(void))
{
    ending = func;
}

void sim_ending_do(void)
{
    if (ending != NULL) {
        ending();
    }
}
