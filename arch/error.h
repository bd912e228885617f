/* Why the hardware model refuses something. The code says who must act. */
#pragma once

#include "sim/error.h"

#define ARCH_ERROR (arch_error_quark())

typedef enum {
    ARCH_ERROR_INVALID,      /* a value outside what the chip has: the user */
    ARCH_ERROR_UNMODELLED,   /* the hardware does it, this model does not: us */
    ARCH_ERROR_UNDOCUMENTED, /* public documents do not say: whoever finds a source */
    ARCH_ERROR_FAULT,        /* a compiled kernel did what no chip can: its author */
} ArchError;

GQuark arch_error_quark(void);

/* Sets an ARCH_ERROR_INVALID; returns false. */
bool arch_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
