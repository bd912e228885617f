/* Functions with types, as text that tests compare. */
#pragma once

#include "workloads/csl/meaning/typed.h"

/* The body of a function; the caller frees it. Constants and conversions show types. */
char *csl_typed_text(const CslInstance *instance);
