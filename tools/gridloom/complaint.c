/* Error messages and exit codes. */
#include "tools/gridloom/complaint.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "arch/error.h"
#include "traces/error.h"
#include "traces/file/terminal.h"
#include "workloads/error.h"
#include "workloads/process.h"

/* The same in both rooms. */
_Static_assert((int) EXIT_INPUT == (int) WL_EXIT_INPUT &&
                   (int) EXIT_UNMODELLED == (int) WL_EXIT_UNMODELLED &&
                   (int) EXIT_STOPPED == (int) WL_EXIT_STOPPED,
               "exit codes of runs");

int complain(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *shown = trace_terminal_text(message);

    (void) fprintf(stderr, "gridloom: %s\n", shown);
    return EXIT_INPUT;
}

static int exit_code(const GError *error)
{
    if (g_error_matches(error, SIM_ERROR, SIM_ERROR_INVARIANT)) {
        return EXIT_CHECK;
    }
    if (error->domain == SIM_ERROR && error->code != SIM_ERROR_PLATFORM &&
        error->code != SIM_ERROR_LIBRARY) {
        return EXIT_STOPPED;
    }
    if (g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT) ||
        g_error_matches(error, ARCH_ERROR, ARCH_ERROR_FAULT)) {
        return EXIT_STOPPED;
    }
    if (g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED) ||
        g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED) ||
        g_error_matches(error, TRACE_ERROR, TRACE_ERROR_LACKS)) {
        return EXIT_UNMODELLED;
    }
    return EXIT_INPUT;
}

int complain_of(const GError *error)
{
    bool is_unknown =
        g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION);

    (void) complain("%s%s", error->message,
                    is_unknown ? "; --help lists the options" : "");
    return exit_code(error);
}
