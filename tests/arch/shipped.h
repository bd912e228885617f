/* Chips of the files in arch/chips, for tests that read their numbers. */
#pragma once

#include "arch/chipfile/params.h"

/* Fails the test where there is none of that name. The caller frees it. */
ArchParams *shipped_params(const char *name);

/* The same with changed numbers, "SECTION.KEY=VALUE": a list that ends with NULL, or
 * NULL for none. */
ArchParams *shipped_params_with(const char *name, const char *const *changes);
