/* Whether anybody waits for what a thread works out: references that take long ask now
 * and then, and end with whatever they have if nobody does. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/* From now on, this thread asks that flag; NULL: everything is wanted. */
void reference_heed(const atomic_bool *is_unwanted);

bool reference_is_wanted(void);
