/* Why a simulation stopped before its end. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#define SIM_ERROR (sim_error_quark())

typedef enum {
    SIM_ERROR_DEADLOCK,   /* no event is left, but somebody still waits */
    SIM_ERROR_LIVELOCK,   /* events go on, but nothing changes any more */
    SIM_ERROR_TIME_LIMIT, /* the run passed its cycle limit */
    SIM_ERROR_STOPPED,    /* the run's monitor asked it to stop */
    SIM_ERROR_PLATFORM,   /* a system description that cannot be used */
    SIM_ERROR_LIBRARY,    /* a shared library that cannot be loaded */
    SIM_ERROR_INVARIANT,  /* a self-check found what cannot be: a defect of ours */
} SimError;

GQuark sim_error_quark(void);

/* Sets an error of any domain; returns false. */
bool sim_fail(GError **error, GQuark domain, int code, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
