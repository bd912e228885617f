/* The first and the last event of a trace: what ran, and how it ended. */
#pragma once

#include "traces/writing/pftrace.h"
#include "traces/writing/pftrace/sequence.h"

/* Opens the sequence of the track `run` and writes what runs, and what part of it is
 * recorded. */
void notes_begin(Sequence *sequence,
                 Packets *packets,
                 const TracePftraceStart *start,
                 const TracePftraceConfig *config);

/* What the writer adds to the last event. */
typedef struct {
    SimTime at;
    double clock_hz;
    bool is_part; /* of the run's cycles: there was a window */
    SimTime cut;  /* as returned by trace_pftrace_cut() */
    bool lacks_use;
} NotesEnd;

void notes_end(Sequence *sequence,
               Packets *packets,
               const TracePftraceEnd *end,
               const NotesEnd *more);
