/* Why a workload script cannot be used or did not finish. */
#pragma once

#include "sim/error.h"

#define WL_ERROR (wl_error_quark())

typedef enum {
    WL_ERROR_SYNTAX,  /* not a script: unreadable, malformed, returns no declaration */
    WL_ERROR_KEY,     /* an unknown parameter, or a value that is not allowed */
    WL_ERROR_FIT,     /* the problem does not fit the chip */
    WL_ERROR_RUNTIME, /* the script raised an error */
    WL_ERROR_LIMIT,   /* the script passed its memory, step or time limit */
} WlError;

GQuark wl_error_quark(void);

/* Sets a WL_ERROR_SYNTAX; returns false. */
bool wl_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
