/* Calls of scripts for wafers that are refused. */
#pragma once

#include <glib.h>

typedef struct {
    const char *call;
    const char *message; /* first line */
} Refusal;

/* The call stands where `frame` has %s; the chip is wse2. */
void assert_refused(const char *frame, const Refusal *refusals, gsize count);
