/* Options of a command that writes a trace: the part of the run to record. */
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
    char *cores_text; /* --trace-cores as typed */
    GArray *cores;    /* of TraceSquare; NULL: no selection */
    SimTime from;
    SimTime to;           /* 0: no end */
    uint64_t limit_bytes; /* 0: the default */
} CmdTraceOptions;

/* --trace and its related options. */
extern const Option cmd_trace_rows[];

/* Reads the options that no row converts and checks their combinations; fails with
 * G_OPTION_ERROR. `is_traced_anyway`: another option asks for a trace, too. */
bool cmd_trace_options_read(CmdTraceOptions *self,
                            const OptionTexts *texts,
                            bool is_traced_anyway,
                            GError **error);

/* Frees the members that no row owns. */
void cmd_trace_options_clear(CmdTraceOptions *self);
