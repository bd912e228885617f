/* Options of a command that writes a trace: which part of the run it holds. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "tools/gridloom/option_table.h"
#include "traces/writing/pftrace.h"

typedef struct {
    char *path;
    bool is_off;
    TraceLevel level;
    char *cores_text; /* --trace-cores as it came */
    GArray *cores;    /* of TraceSquare; NULL: not chosen */
    SimTime from;
    SimTime to;           /* 0: no end */
    uint64_t limit_bytes; /* 0: the default */
} CmdTraceOptions;

/* --trace and those that go with it. */
extern const Option cmd_trace_rows[];

/* What no row reads and what goes together; fails with G_OPTION_ERROR.
 * `is_traced_anyway`: another option asks for a trace, too. */
bool cmd_trace_options_read(CmdTraceOptions *self,
                            const OptionTexts *texts,
                            bool is_traced_anyway,
                            GError **error);

/* Frees what no row owns. */
void cmd_trace_options_clear(CmdTraceOptions *self);
