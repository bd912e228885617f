/* How commands report errors: one line, and the exit code of its kind. */
#pragma once

#include <glib.h>

enum {
    EXIT_DONE = 0,
    EXIT_INPUT = 1,      /* the user's input is wrong */
    EXIT_UNMODELLED = 2, /* the model does not cover what was asked */
    EXIT_STOPPED = 3,    /* deadlock, or a limit was reached */
    EXIT_CHECK = 4,      /* the numerical check failed */
    EXIT_INTERRUPTED = 130,
};

/* Prints "gridloom: message"; returns EXIT_INPUT. */
int complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Prints the error and returns the exit code of its kind. */
int complain_of(const GError *error);
