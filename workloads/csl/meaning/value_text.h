/* Values as messages show them. */
#pragma once

#include "workloads/csl/meaning/value.h"

extern const char *const csl_direction_names[];

/* Decimal digits of an integer of 128 bits. */
void csl_integer_append(GString *text, CslInteger value);
