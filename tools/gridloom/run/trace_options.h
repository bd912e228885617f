/* Options of a command that writes a trace: which part of the run it holds. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/writing/pftrace.h"

typedef struct {
    char *path;
    gboolean is_off;
    TraceLevel level;
    GArray *cores; /* of TraceSquare; NULL: not chosen */
    SimTime from;
    SimTime to;           /* 0: no end */
    uint64_t limit_bytes; /* 0: the default */
    /* Values as they came. */
    char *window_text;
    char *cores_text;
    char *level_text;
    char *limit_text;
} CmdTraceOptions;

void cmd_trace_options_clear(CmdTraceOptions *self);

/* Adds --trace and those that go with it. `self` outlives the context. */
void cmd_trace_options_add(CmdTraceOptions *self, GOptionContext *context);

/* After the context has parsed; fails with G_OPTION_ERROR. `is_traced_anyway`: another
 * option asks for a trace, too. */
bool cmd_trace_options_read(CmdTraceOptions *self,
                            bool is_traced_anyway,
                            GError **error);
